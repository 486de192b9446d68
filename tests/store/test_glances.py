"""How many sessions end, at once."""

from service.ports import End, Store
from tests.store.sessions import commit, committed, meta, resignation


async def test_where_each_session_stands_is_told_in_the_order_they_were_asked_for(store: Store) -> None:
    sessions = [f"{number:032x}" for number in range(3)]
    for session in sessions[:2]:
        await store.sessions.create(meta(session, secret=session == sessions[0]))
    first = commit(session=sessions[1])
    await committed(store, first)
    second = commit(first.entry, session=sessions[1], entry=resignation(first.entry, time=7))
    await committed(store, second)

    ends = [End(b"", True), End(second.entry, False), None]
    assert await store.sessions.ends(sessions) == ends
    assert await store.sessions.ends(sessions[::-1]) == ends[::-1]
    assert await store.sessions.ends([]) == []
