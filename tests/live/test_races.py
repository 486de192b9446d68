"""However often a command is sent, and whoever else sends one, the log gets one entry a place."""

import asyncio
import contextlib
import json
from pathlib import Path
from typing import Any

import httpx

from tests.live.client import Guest, Message, Socket, guest, opened, place, watching

RACERS = 50
LINES = json.loads((Path(__file__).parents[1] / "golden" / "winning-lines.json").read_text())


async def test_of_fifty_commands_on_one_place_one_is_taken_and_the_others_are_told(replicas: tuple[str, str]) -> None:
    async with guest(replicas[0]) as player, contextlib.AsyncExitStack() as stack:
        session = await player.play(await player.deal(rules="pysol"), "b1G")
        moves = [move["move"] for move in session["legal"]]
        assert len(moves) == 18
        racers = [(moves[number % len(moves)], replicas[number % 4 // 2]) for number in range(RACERS)]
        sockets = [
            await stack.enter_async_context(watching(url, session, player)) if number % 2 else None
            for number, (_, url) in enumerate(racers)
        ]
        commands = [
            over_socket(socket, session, move) if socket else over_http(player, url, session, move)
            for socket, (move, url) in zip(sockets, racers, strict=True)
        ]
        outcomes = await asyncio.gather(*commands)
        [event] = (await player.http.get(f"/v1/sessions/{session['id']}/events?after=1")).json()["events"]

    entry = (event["seq"], event["crc"])
    for (move, _), outcome in zip(racers, outcomes, strict=True):
        assert outcome == (entry if move == event["move"] else [event]), move


async def over_http(player: Guest, url: str, session: Message, move: str) -> Any:
    """The place after the move, or what was missed; the same when it is sent again."""
    answers = []
    async with httpx.AsyncClient(base_url=url, headers=player.http.headers) as http:
        for _ in range(2):
            answer = await http.post(f"/v1/sessions/{session['id']}/moves", json={"move": move, **place(session)})
            answers.append(answer.content)
    assert answers[0] == answers[1], "a command that is repeated is answered alike"
    outcome = json.loads(answers[0])
    if "missed" not in outcome:
        return outcome["seq"], outcome["crc"]
    assert outcome["code"] == "stale"
    return outcome["missed"]


async def over_socket(socket: Socket, session: Message, move: str) -> Any:
    """As `over_http`."""
    answers = [await socket.ask("play", session=session["id"], move=move, **place(session)) for _ in range(2)]
    assert answers[0] == answers[1], "a command that is repeated is answered alike"
    return answers[0]["missed"] if answers[0]["type"] == "stale" else (answers[0]["seq"], answers[0]["crc"])


async def test_a_whole_game_with_every_move_sent_three_times_is_won_in_as_many_entries(
    replicas: tuple[str, str],
) -> None:
    line = LINES[0]
    async with guest(replicas[0]) as player, httpx.AsyncClient(base_url=replicas[1]) as elsewhere:
        elsewhere.headers["Authorization"] = player.http.headers["Authorization"]
        session = await player.deal(line["deal"], rules=line["preset"])
        path, first = f"/v1/sessions/{session['id']}", place(session)
        for move in line["moves"]:
            body = {"move": move, **place(session)}
            answers = [await http.post(f"{path}/moves", json=body) for http in (player.http, elsewhere, player.http)]
            assert [answer.status_code for answer in answers] == [200, 200, 200]
            assert {answer.content for answer in answers} == {answers[0].content}
            session = answers[0].json()
        begun = await player.http.post(f"{path}/moves", json={"move": line["moves"][0], **first})
        end = (await player.http.get(path)).json()
        socket = await socket_ack(replicas[1], player, session, body)

    assert (session["status"], session["seq"]) == ("won", len(line["moves"]))
    assert end == session, "the winning move is answered with the game as it is"
    assert (begun.status_code, begun.json()["seq"]) == (200, 1)
    assert socket == {"type": "ack", "session": session["id"], "at": body["at"], "seq": end["seq"], "crc": end["crc"]}


async def socket_ack(url: str, player: Guest, session: Message, body: Message) -> Message:
    async with watching(url, session, player) as socket:
        return await socket.ask("play", session=session["id"], **body)


async def test_a_ticket_that_is_used_twice_at_once_is_good_once(replicas: tuple[str, str]) -> None:
    async with guest(replicas[0]) as player:
        session, ticket = await player.deal(), await player.ticket()

        async def seated(url: str) -> int | None:
            async with opened(url, session["id"]) as socket:
                await socket.say("hello", v=1, ticket=ticket)
                last = (await socket.hear_until("snapshot", "bye"))[-1]
                return last["session"]["you"] if last["type"] == "snapshot" else None

        seats = await asyncio.gather(*(seated(url) for url in 5 * replicas))

    assert sorted(seats, key=str) == [0, *9 * [None]]
