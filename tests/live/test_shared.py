"""Several players on one board, and who watches: over sockets on two replicas."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

import pytest

from tests.live.client import PATIENCE, Guest, Message, Socket, guest, place, watching


class Table:
    """A shared session: Ann, who dealt it, on one replica, and Bob, who joined, on the other."""

    def __init__(self, ann: Guest, bob: Guest, session: Message, here: Socket, there: Socket) -> None:
        self.ann, self.bob, self.session, self.here, self.there = ann, bob, session, here, there
        self.id = session["id"]
        self.at: Message = place(session)

    async def play(self, socket: Socket, kind: str = "play", **members: object) -> Message:
        """A command that is accepted, seen by both."""
        answer = await self.ask(socket, kind, **members)
        assert answer["type"] == "ack", answer
        self.at = {"at": answer["seq"], "crc": answer["crc"]}
        await self.here.reach(answer["seq"])
        await self.there.reach(answer["seq"])
        return answer

    async def ask(self, socket: Socket, kind: str = "play", **members: object) -> Message:
        return await socket.ask(kind, session=self.id, **members, **self.at)


Seat = Callable[[str], contextlib.AbstractAsyncContextManager[Table]]


@pytest.fixture
def table(replicas: tuple[str, str]) -> Seat:
    """Seats Ann and Bob at a board of a mode."""

    @contextlib.asynccontextmanager
    async def seat(mode: str) -> AsyncIterator[Table]:
        one, other = replicas
        async with guest(one) as ann, guest(other) as bob:
            session = await ann.deal(mode=mode, seats=2)
            joined = await bob._got(f"/v1/sessions/{session['id']}/join", {"invite": session["invite"]})
            assert (session["you"], joined["you"], len(joined["seats"])) == (0, 1, 2)
            async with watching(one, session, ann) as here, watching(other, session, bob) as there:
                yield Table(ann, bob, joined, here, there)

    return seat


async def until(socket: Socket, kind: str) -> Message:
    return (await socket.hear_until(kind))[-1]


async def presence(socket: Socket, seats: list[int], spectators: int) -> None:
    """Hears until so many are there."""
    async with asyncio.timeout(PATIENCE):
        while (socket.presence.get("seats"), socket.presence.get("spectators")) != (seats, spectators):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.2):
                    await socket.hear()


async def test_with_free_hands_both_play_and_each_takes_back_what_is_its_own(table: Seat) -> None:
    async with table("free_hands") as board:
        await board.play(board.here, move="b1G")
        await board.play(board.there, move="g2b1")
        await board.play(board.there, kind="undo", by="step")
        await board.play(board.here, kind="undo", by="step")


async def test_what_another_played_is_taken_back_by_consent(table: Seat) -> None:
    async with table("free_hands") as board:
        await board.play(board.there, move="b1G")
        refused = await board.ask(board.here, "undo")
        assert (refused["type"], refused["code"]) == ("refused", "consent_needed")
        assert refused["detail"] == "To undo 1 step needs the consent of seat 1."

        await board.play(board.there, kind="consent", count=1)
        await board.play(board.here, kind="undo")
        assert (await board.ask(board.here, "consent", count=1))["code"] == "nothing_to_consent"


async def test_in_turns_only_the_one_whose_turn_it_is_plays_and_is_told_what(table: Seat) -> None:
    async with table("turns") as board:
        refused = await board.ask(board.there, move="b1G")
        assert (refused["code"], refused["reason"], refused["legal"]) == ("illegal_move", "not_your_turn", [])

        await board.play(board.here, move="b1G")
        await board.play(board.here, move="g2b1")
        fill = await board.ask(board.there, move="b3g2")
        assert fill["reason"] == "not_your_turn", "whoever leaves a vacancy fills it"


async def test_in_departments_the_row_says_whose_a_move_is(table: Seat) -> None:
    async with table("departments") as board:
        assert (await board.ask(board.there, move="b1G"))["reason"] == "not_your_department"
        await board.play(board.here, move="b1G")
        own = {legal["move"] for legal in (await board.ann.http.get(f"/v1/sessions/{board.id}")).json()["legal"]}
        others = {legal["move"] for legal in (await board.bob.http.get(f"/v1/sessions/{board.id}")).json()["legal"]}
        assert own
        assert not own & others


async def test_nobody_resigns_for_another(table: Seat) -> None:
    async with table("free_hands") as board:
        answer = await board.ann.http.post(f"/v1/sessions/{board.id}/resign", json=board.at)
        assert (answer.status_code, answer.json()["code"]) == (409, "others_play")
        await board.bob.http.post(f"/v1/sessions/{board.id}/leave", json={})
        assert (await board.ann.http.post(f"/v1/sessions/{board.id}/resign", json=board.at)).status_code == 200


async def test_whoever_watches_is_shown_who_takes_and_who_leaves_a_seat(replicas: tuple[str, str]) -> None:
    one, other = replicas
    async with guest(one) as ann, guest(other) as bob:
        session = await ann.deal(mode="departments", seats=2)
        async with watching(one, session, ann) as socket:
            joined = await bob._got(f"/v1/sessions/{session['id']}/join", {"invite": session["invite"]})
            shown = await until(socket, "snapshot")
            assert [seat["player"] for seat in shown["session"]["seats"]] == [ann.id, bob.id]
            assert (shown["session"]["legal"], joined["legal"]) == (session["legal"], []), "they are all of Ann's rows"

            await bob.http.post(f"/v1/sessions/{session['id']}/leave", json={})
            shown = await until(socket, "snapshot")
            assert [seat["player"] for seat in shown["session"]["seats"]] == [ann.id]


async def test_a_phrase_is_heard_by_all_and_only_a_seat_says_one(table: Seat, replicas: tuple[str, str]) -> None:
    async with table("free_hands") as board, watching(replicas[1], board.session) as spectator:
        await board.here.say("react", session=board.id, phrase="well_played")
        heard = [await until(socket, "reaction") for socket in (board.here, board.there, spectator)]
        assert heard == [{"type": "reaction", "session": board.id, "seat": 0, "phrase": "well_played"}] * 3

        await spectator.say("react", session=board.id, phrase="well_played")
        assert (await until(spectator, "refused"))["code"] == "not_your_seat"
        await board.here.say("react", session=board.id, phrase="anything at all")
        assert (await until(board.here, "refused"))["code"] == "bad_request"


async def test_everybody_is_told_who_is_there_on_any_replica(table: Seat, replicas: tuple[str, str]) -> None:
    async with table("free_hands") as board:
        await presence(board.here, [0, 1], 0)
        async with watching(replicas[0], board.session), watching(replicas[1], board.session):
            await presence(board.here, [0, 1], 2)
            await presence(board.there, [0, 1], 2)
        await presence(board.here, [0, 1], 0)
        await board.there.link.close()
        await presence(board.here, [0], 0)


async def test_who_is_alone_is_not_told_so(service: str) -> None:
    async with guest(service) as ann:
        session = await ann.deal()
        async with watching(service, session, ann) as socket:
            await asyncio.sleep(0.1)
            await socket.say("ping")
            assert (await socket.hear())["type"] == "pong"
            assert socket.presence == {}
