"""The ends of many logs at once."""

from service.ports import Store
from tests.store.sessions import commit, committed, meta, resignation


async def test_the_last_entry_of_each_log_is_told_in_the_order_they_were_asked_for(store: Store) -> None:
    sessions = [f"{number:032x}" for number in range(3)]
    for session in sessions[:2]:
        await store.sessions.create(meta(session))
    first = commit(session=sessions[1])
    await committed(store, first)
    second = commit(first.entry, session=sessions[1], entry=resignation(first.entry, time=7))
    await committed(store, second)

    assert await store.sessions.last_entries(sessions) == [b"", second.entry, None]
    assert await store.sessions.last_entries(sessions[::-1]) == [None, second.entry, b""]
    assert await store.sessions.last_entries([]) == []
