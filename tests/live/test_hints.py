"""What sockets are told of hints and analyses: that there was one, and nothing of what it said."""

from pathlib import Path

from tests.live.client import guest, place, watching
from tests.live.replica import replica


async def test_others_see_that_a_hint_was_given_and_not_what_it_said(service: str) -> None:
    async with guest(service) as player:
        session = await player.deal()
        path = f"/v1/sessions/{session['id']}/hint"
        async with watching(service, session, player) as mine, watching(service, session) as theirs:
            for step in (1, 2, 3):
                answer = (await player.http.post(path, json=place(session))).json()
                assert answer["hint"]["level"] == step
                session = answer
                for socket in (mine, theirs):
                    event = await socket.hear()
                    assert (event["type"], event["kind"], event["count"]) == ("event", "hint", step)
                    assert (event["move"], event["piles"]) == (None, {})
                    assert not event.keys() & {"hint", "winnable", "place", "card"}


async def test_whoever_watches_in_any_process_is_told_how_far_an_analysis_has_come(
    redis_url: str, tmp_path: Path
) -> None:
    with replica(redis_url, tmp_path / "one.log") as one, replica(redis_url, tmp_path / "two.log") as two:
        async with guest(one.url) as player:
            session = await player.play(await player.deal(), "b1G", "a2b1")
            async with watching(one.url, session) as here, watching(two.url, session) as there:
                found = (await player.http.get(f"/v1/sessions/{session['id']}/analysis")).json()
                told = [{"type": "analysis", "session": session["id"], "seq": 2} for _ in range(found["searches"])]
                expected = [one | {"searches": number} for number, one in enumerate(told, 1)]
                for socket in (here, there):
                    assert [await socket.hear() for _ in expected] == expected
