"""An example for every operation and every error of the contract, made by the code that makes the real ones."""

import dataclasses
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from service.engine.errors import Reason
from service.engine.game import ENGINE_VERSION, Game
from service.engine.log import Entry, pack, packed
from service.engine.notation import parse_deal, parse_move, parse_rules
from service.engine.record import format_record
from service.ports import SeatHolder, SessionMeta, StoredSummary
from service.protocol import messages, people, shapes
from service.usecases import errors
from service.usecases.feed import Told
from service.usecases.history import History, Turn
from service.usecases.names import NameFault, refusal_of
from service.usecases.views import event_view, hint_view, history_page, legal_for, session_view, summary_view
from service.web import board_examples, daily_examples
from service.web.feed import encoded
from service.web.health import Health
from service.web.problems import FieldError, Problem, busy, misfit, problem_of, rate_limited, too_large, unavailable

_CREATED: Final = 1_793_525_400_000
_META: Final = SessionMeta(
    id="deadbeef3bc054c34cc99e4966f5245a",
    rules="modern",
    deal="pysol:1",
    secret=False,
    spectators=True,
    engine=ENGINE_VERSION,
    created=_CREATED,
    updated=_CREATED + 4200,
    status="playing",
    is_open=True,
    mode="solo",
    capacity=1,
    invite="",
    seats=(SeatHolder("9c1d2ab06679f1c4", "Quiet Heron"),),
)
_SHARED: Final = dataclasses.replace(
    _META,
    mode="turns",
    capacity=2,
    invite="7KQ2-M9XV",
    seats=(*_META.seats, SeatHolder("5f0e8c2277b1a9d3", "Sunny Kite")),
)


def add_examples(document: dict[str, Any]) -> None:
    """Puts an example beside the schema of every answer."""
    turn = _turn()
    session = session_view(_META, turn.after, 0)
    problems = _problems(turn, session)
    answers = {
        **_of_players(),
        "createSession": session_view(_META, turn.before, 0),
        "joinSession": session_view(_SHARED, turn.after, 1),
        "consent": session_view(_SHARED, turn.after, 1),
        "hint": _with_hint(turn),
        "ask": replace(session, winnable="yes"),
        "readWinnable": shapes.Outlook(session.seq, session.crc, "yes"),
        "readAnalysis": _analysis(turn),
        "readDeal": _deal_report(turn),
        "listSessions": shapes.Page([summary_view(StoredSummary(_META, 1))], None),
        "readEvents": shapes.Events(events=[event_view(_META, turn, 0)]),
        "readHistory": history_page(_history(turn), 0, 500, 0),
        **daily_examples.ANSWERS,
        **board_examples.ANSWERS,
        "isLive": Health("live"),
        "isReady": Health("ready"),
    }
    texts = {
        "text/plain": format_record(parse_deal(_META.deal), parse_rules(_META.rules), [turn.entry]),
        "text/event-stream": _stream(turn).decode(),
        **board_examples.STREAMS,
    }
    for operation in _operations(document):
        for status, response in operation["responses"].items():
            for media_type, content in response.get("content", {}).items():
                if media_type in texts:
                    content["example"] = texts.get(operation["operationId"], texts[media_type])
                elif status.startswith("2"):
                    content["example"] = msgspec.to_builtins(answers.get(operation["operationId"], session))
                else:
                    found = problems.get((operation["operationId"], int(status)), problems["", int(status)])
                    content["example"] = msgspec.to_builtins(found)


def _operations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in document["paths"].values():
        yield from path.values()


def _turn() -> Turn:
    game = Game.begin(parse_deal(_META.deal), parse_rules(_META.rules))
    move = parse_move("b1G")
    entry = Entry(game.kind_of(move), seat=0, time=42, move=move)
    return Turn(game, entry, game.after(entry, packed(entry, game.crc)[1]))


def _history(turn: Turn) -> History:
    """That of a session with one entry."""
    return History(_META, pack(turn.entry, turn.before.crc), turn.after)


def _of_players() -> dict[str, msgspec.Struct]:
    player, name, other = "9c1d2ab06679f1c4", "Quiet Heron", "5f0e8c2277b1a9d3"
    profile = people.Profile(id=player, name=name, bot=False, created_at="2026-11-01T09:30:00.000Z")
    return {
        "createPlayer": people.Player(player, name, "bbb8d0…", "7KQ2M-9XVTA-C4H8R-ZW5EP", bot=False),
        "recoverPlayer": people.Recovered(player, name, bot=False, token="a04e71…"),  # noqa: S106 - an example
        "renewRecoveryCode": people.RecoveryCode("W3ZV8-0Q7KD-BN5TM-4YCHA"),
        "readMe": replace(profile, daily=daily_examples.STATISTICS),
        "renamePlayer": replace(profile, name="Ada L."),
        "readPlayer": people.Person(other, "Sunny Kite", bot=False),
        "listFollowing": people.Following([people.Followed(other, "Sunny Kite")]),
        "createTicket": people.Ticket("62ad5d…", 30),
    }


def _with_hint(turn: Turn) -> shapes.Session:
    """What the third step of a hint tells."""
    before = turn.before
    return replace(session_view(_META, before, 0), hint=hint_view(3, True, turn.entry.move, before.position))


def _analysis(turn: Turn) -> shapes.Analysis:
    """A game that was lost by its only move."""
    place, move = session_view(_META, turn.after, 0), str(turn.entry.move)
    return shapes.Analysis(
        seq=place.seq,
        crc=place.crc,
        done=True,
        searches=2,
        deal="yes",
        moves=[shapes.AnalysedMove(move, "no")],
        winnable_until=0,
        lost_at=1,
        line_from=0,
        line=["d1G", "b2d1"],
    )


def _deal_report(turn: Turn) -> shapes.DealReport:
    """A deal of which a win is known, cut short."""
    return shapes.DealReport(
        deal=_META.deal,
        rules=_META.rules,
        winnable="yes",
        method="line",
        par=1043,
        difficulty="gentle",
        engine=ENGINE_VERSION,
        nodes=144,
        done=True,
        record=format_record(parse_deal(_META.deal), parse_rules(_META.rules), [turn.entry]),
    )


def _stream(turn: Turn) -> bytes:
    """What a stream brings to whoever has missed an entry."""
    event = event_view(_META, turn, None)
    return encoded(Told("event", messages.encode(event), (event.seq, messages.parse_crc(event.crc))))


def _problems(turn: Turn, session: shapes.Session) -> dict[tuple[str, int], Problem]:
    """An error for an operation and a status, or for a status of any other operation ("")."""
    refused = errors.MoveRefused("a2b1", Reason.WRONG_RANK, legal_for(_META, turn.before, 0))
    stale = errors.Stale(0, [event_view(_META, turn, 0)], session)
    corrupt = problem_of(errors.CorruptSession(_META.id, 1, "its checksum does not match"))
    still_secret = problem_of(errors.StillSecret())
    no_spectator = problem_of(errors.NotForSpectators())
    no_place = problem_of(errors.BadRequest("at", "there should be the seq that you saw last, here or as If-Match"))
    wrong_by = _misfit(422, "by", "Input should be 'group' or 'step'")
    long_id = _misfit(400, "path.session", "String should have at most 64 characters")
    return {
        ("", 400): _misfit(400, "body", "not JSON: at 1: Expecting property name enclosed in double quotes"),
        ("listSessions", 400): _misfit(400, "query.limit", "Input should be less than or equal to 100"),
        ("readSession", 400): long_id,
        ("readEvents", 400): _misfit(400, "query.after", "Field required"),
        ("readHistory", 400): _misfit(400, "after", "there should be a place in its history, up to 1"),
        ("readRecord", 400): long_id,
        ("readWinnable", 400): long_id,
        ("readAnalysis", 400): _misfit(400, "from", "there should be a move that stands, up to 1"),
        ("readDeal", 400): _misfit(
            400, "rules", "not a rule set: at 0, 'tidy', there should be one of modern, cadogan, cadogan-1914, pysol"
        ),
        ("streamEvents", 400): _misfit(
            400, "query.after", "Input should be a valid integer, unable to parse string as an integer"
        ),
        ("", 401): problem_of(errors.Unauthorised("The token is not known, or no longer.")),
        ("", 403): problem_of(errors.NotYourSeat()),
        ("readSession", 403): no_spectator,
        ("readEvents", 403): no_spectator,
        ("readHistory", 403): no_spectator,
        ("streamEvents", 403): no_spectator,
        ("readRecord", 403): no_spectator,
        ("readWinnable", 403): no_spectator,
        ("readAnalysis", 403): no_spectator,
        ("joinSession", 403): problem_of(errors.WrongInvite()),
        ("", 404): problem_of(errors.NoSuchSession(_META.id)),
        **_problems_of_players(),
        **daily_examples.PROBLEMS,
        **board_examples.PROBLEMS,
        ("", 409): problem_of(stale),
        ("readSession", 409): corrupt,
        ("readEvents", 409): corrupt,
        ("readHistory", 409): corrupt,
        ("streamEvents", 409): corrupt,
        ("joinSession", 409): problem_of(errors.NoFreeSeat()),
        ("leaveSession", 409): problem_of(errors.SoloSession()),
        ("readRecord", 409): still_secret,
        ("readWinnable", 409): still_secret,
        ("readAnalysis", 409): still_secret,
        ("", 412): problem_of(stale, by_if_match=True),
        ("", 413): too_large(),
        ("", 422): _misfit(422, "name", "Extra inputs are not permitted"),
        ("createSession", 422): _misfit(422, "rules", "Input should be a valid string"),
        ("playMove", 422): problem_of(refused),
        ("joinSession", 422): _misfit(422, "invite", "Field required"),
        ("consent", 422): _misfit(422, "count", "Input should be greater than or equal to 1"),
        ("undo", 422): wrong_by,
        ("redo", 422): wrong_by,
        ("restart", 422): no_place,
        ("resign", 422): no_place,
        ("hint", 422): no_place,
        ("ask", 422): no_place,
        ("", 429): rate_limited(wait=3),
        ("", 503): unavailable(),
        ("createSession", 503): problem_of(errors.NoSuchDeal()),
        ("readDeal", 503): busy(),
    }


def _problems_of_players() -> dict[tuple[str, int], Problem]:
    no_such_player = problem_of(errors.NoSuchPlayer("5f0e8c2277b1a9d3"))
    long_id = _misfit(400, "path.player", "String should have at most 64 characters")
    return {
        ("createPlayer", 422): _misfit(422, "language", "Input should be 'en', 'es' or 'ru'"),
        ("recoverPlayer", 401): problem_of(errors.Unauthorised("The recovery code is not known, or no longer.")),
        ("recoverPlayer", 422): _misfit(422, "recovery_code", "Field required"),
        ("renamePlayer", 422): problem_of(refusal_of(NameFault.RESERVED)),
        ("readPlayer", 400): long_id,
        ("readPlayer", 404): no_such_player,
        ("follow", 400): long_id,
        ("follow", 404): no_such_player,
        ("follow", 409): problem_of(errors.FollowingFull()),
        ("follow", 422): problem_of(errors.BadRequest("player", "there should be another player than yourself")),
        ("unfollow", 400): long_id,
    }


def _misfit(status: int, field: str, message: str) -> Problem:
    return misfit(HTTPStatus(status), FieldError(field, message))
