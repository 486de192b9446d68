"""What is said on a socket in the course of a game."""

import pytest

from service.protocol.connection import REQUEST_LIMIT
from service.serving import MAX_FRAME
from tests.live.client import guest, place, watching


async def test_the_mover_has_the_event_and_then_the_ack(service: str) -> None:
    async with guest(service) as player:
        session = await player.deal()
        async with watching(service, session, player) as socket:
            await socket.say("play", session=session["id"], move="b1G", **place(session))
            event, ack = await socket.hear(), await socket.hear()
        after = (await player.http.get(f"/v1/sessions/{session['id']}")).json()

    assert ack == {"type": "ack", "session": session["id"], "at": 0, "seq": 1, "crc": after["crc"]}
    assert event == {
        "type": "event",
        "session": session["id"],
        "seat": 0,
        "kind": "promote",
        "time": event["time"],
        "move": "b1G",
        "count": 0,
        "piles": {"b1": ""},
        "revealed": [],
        **{name: after[name] for name in ("seq", "crc", "foundations", "stock", "waste", "must_fill", "status")},
        **{name: after[name] for name in ("points", "legal", "turn", "can_undo", "can_redo")},
    }
    assert (event["must_fill"], len(event["legal"])) == ("b1", 8)


async def test_a_move_over_http_is_seen_on_every_socket(service: str) -> None:
    async with guest(service) as player:
        session = await player.deal()
        async with watching(service, session, player) as mine, watching(service, session) as theirs:
            after = await player.play(session, "b1G")
            told, seen = await mine.hear(), await theirs.hear()

    assert (told["seq"], told["crc"], told["legal"]) == (1, after["crc"], after["legal"])
    assert seen == told | {"legal": []}


@pytest.mark.parametrize(
    ("rules", "moves", "seen"),
    [
        ("modern", ["b1G", "g2b1", "b3g2", "a4b3"], {"revealed": [["a4", "6D"]], "stock": 47, "waste": ""}),
        ("pysol", ["S"], {"revealed": [["W", "TH"]], "stock": 46, "waste": "6DTH"}),
    ],
)
async def test_a_spectator_sees_a_card_come_up(
    service: str, rules: str, moves: list[str], seen: dict[str, object]
) -> None:
    async with guest(service) as player:
        session = await player.deal(rules=rules)
        async with watching(service, session) as spectator:
            await player.play(session, *moves)
            *_, event = [await spectator.hear() for _ in moves]

    assert {name: event[name] for name in seen} == seen


async def test_a_spectator_can_not_play(service: str) -> None:
    async with guest(service) as player, guest(service) as other:
        session = await player.deal()
        for someone in (None, other):
            async with watching(service, session, someone) as socket:
                refused = await socket.ask("play", session=session["id"], move="b1G", **place(session))
            assert refused == {
                "type": "refused",
                "code": "not_your_seat",
                "detail": "You have no seat in this session.",
                "session": session["id"],
                "at": 0,
            }
        assert (await player.http.get(f"/v1/sessions/{session['id']}")).json() == session


async def test_an_illegal_move_is_refused_with_the_reason_and_what_is_legal(service: str) -> None:
    async with guest(service) as player:
        session = await player.deal()
        async with watching(service, session, player) as socket:
            refused = await socket.ask("play", session=session["id"], move="a2b1", **place(session))

    assert refused == {
        "type": "refused",
        "code": "illegal_move",
        "detail": "a2b1 is not legal here: wrong_rank.",
        "session": session["id"],
        "at": 0,
        "reason": "wrong_rank",
        "legal": session["legal"],
    }


async def test_a_text_that_is_no_move_is_refused(service: str) -> None:
    async with guest(service) as player:
        session = await player.deal()
        async with watching(service, session, player) as socket:
            refused = await socket.ask("play", session=session["id"], move="b9G", **place(session))

    assert (refused["code"], refused["at"]) == ("bad_request", 0)


async def test_a_late_command_is_told_exactly_what_it_missed(service: str) -> None:
    async with guest(service) as player:
        session = await player.deal()
        async with watching(service, session, player) as socket:
            after = await player.play(session, "b1G", "g2b1")
            events = await socket.hear(), await socket.hear()
            stale = await socket.ask("play", session=session["id"], move="g1G", **place(session))

    assert stale == {"type": "stale", "session": session["id"], "at": 0, "missed": [*events]}
    assert events[-1]["crc"] == after["crc"]


@pytest.mark.parametrize("wrong", [{"at": 1, "crc": "00000bad"}, {"at": 2, "crc": "00000bad"}, {"at": 2}])
async def test_a_command_from_another_history_is_stale_and_followed_by_a_reset(
    service: str, wrong: dict[str, object]
) -> None:
    async with guest(service) as player:
        session = await player.play(await player.deal(), "b1G")
        async with watching(service, session, player) as socket:
            stale = await socket.ask("play", session=session["id"], move="g2b1", **wrong)
            reset = await socket.hear()

    assert stale == {"type": "stale", "session": session["id"], "at": wrong["at"], "missed": []}
    assert reset == {"type": "reset", "topic": f"session:{session['id']}", "session": session}


async def test_a_command_that_is_sent_again_is_answered_alike_and_applied_once(service: str) -> None:
    async with guest(service) as player:
        session = await player.deal()
        async with watching(service, session, player) as socket:
            move = {"session": session["id"], "move": "b1G", **place(session)}
            first = await socket.ask("play", **move)
            await player.play(session | {"seq": first["seq"], "crc": first["crc"]}, "g2b1")
            again = await socket.ask("play", **move)
        after = (await player.http.get(f"/v1/sessions/{session['id']}")).json()

    assert again == first
    assert after["seq"] == 2


async def test_undo_and_redo_go_back_and_forth(service: str) -> None:
    async with guest(service) as player:
        session = await player.play(await player.deal(), "b1G", "g2b1", "b3g2")
        whole = {"session": session["id"]}
        async with watching(service, session, player) as socket:
            await socket.say("undo", **whole, at=3)
            back, ack = await socket.hear(), await socket.hear()
            step = await socket.ask("redo", **whole, at=4, crc=ack["crc"], by="step")
            rest = await socket.ask("redo", **whole, at=5, by="group")
            nothing = await socket.ask("redo", **whole, at=6)
        after = (await player.http.get(f"/v1/sessions/{session['id']}")).json()

    assert (back["kind"], back["count"], "move" in back) == ("undo", 3, True)
    assert (ack["seq"], step["seq"], rest["seq"]) == (4, 5, 6)
    assert nothing == {
        "type": "refused",
        "code": "nothing_to_redo",
        "detail": "There is nothing to redo.",
        "session": session["id"],
        "at": 6,
    }
    assert after["rows"] == session["rows"]


async def test_a_game_that_is_over_takes_no_command(service: str) -> None:
    async with guest(service) as player:
        session = await player.deal()
        async with watching(service, session, player) as socket:
            over = await player.command("resign", session)
            event = await socket.hear()
            refused = await socket.ask("play", session=session["id"], move="b1G", **place(over))

    assert (event["kind"], event["status"], event["legal"]) == ("resign", "resigned", [])
    assert (refused["code"], refused["detail"]) == ("session_over", "The session is over: resigned.")


async def test_commands_may_be_sent_without_waiting_and_are_answered_in_order(service: str) -> None:
    moves = ["b1G", "g2b1", "b3g2", "a4b3", "b1G"]
    async with guest(service) as player:
        session = await player.deal()
        async with watching(service, session, player) as socket:
            for at, move in enumerate(moves):
                await socket.say("play", session=session["id"], move=move, at=at)
            heard = [await socket.hear() for _ in range(10)]

    assert [(message["type"], message["seq"]) for message in heard] == [
        (kind, seq) for seq in range(1, 6) for kind in ("event", "ack")
    ]


async def test_a_ping_has_its_pong(service: str) -> None:
    async with guest(service) as player:
        session = await player.deal()
        async with watching(service, session) as socket:
            await socket.say("ping")
            assert await socket.hear() == {"type": "pong"}


@pytest.mark.parametrize("frame", ["", "{", '{"type":"shout"}', b"\x00\xff", b""])
async def test_a_frame_that_is_no_message_is_refused_and_the_socket_lives_on(service: str, frame: str | bytes) -> None:
    async with guest(service) as player:
        session = await player.deal()
        async with watching(service, session) as socket:
            await socket.link.send(frame)
            refused = await socket.hear()
            await socket.say("ping")
            pong = await socket.hear()

    assert (refused["type"], refused["code"]) == ("refused", "bad_request")
    assert pong == {"type": "pong"}


async def test_a_frame_may_be_so_large_and_no_larger(service: str) -> None:
    async with guest(service) as player:
        session = await player.deal()
        async with watching(service, session) as socket:
            await socket.link.send('{"type":"ping"}'.ljust(MAX_FRAME))
            pong = await socket.hear()
            await socket.link.send('{"type":"ping"}'.ljust(MAX_FRAME + 1))
            farewell = await socket.farewell()

    assert MAX_FRAME == 16 * 1024
    assert pong == {"type": "pong"}
    assert farewell == ([], 1009)


async def test_a_client_that_sends_faster_than_it_is_answered_is_answered_all_the_same(service: str) -> None:
    async with guest(service) as player:
        session = await player.deal()
        async with watching(service, session, player) as socket:
            socket.burst("sub", 2 * REQUEST_LIMIT, topic=f"session:{session['id']}")
            messages = [await socket.hear() for _ in range(2 * REQUEST_LIMIT)]

    assert {message["type"] for message in messages} == {"snapshot"}


async def test_who_declines_the_legal_moves_is_not_told_those_of_what_was_missed(service: str) -> None:
    async with guest(service) as player:
        session = await player.deal()
        async with watching(service, session, player, legal=False) as socket:
            await player.play(session, "b1G")
            event = await socket.hear()
            stale = await socket.ask("play", session=session["id"], move="c1G", **place(session))

    assert stale["missed"] == [event]
    assert event["legal"] == []
