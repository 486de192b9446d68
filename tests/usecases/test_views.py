"""What an event tells, and what is whose among several seats."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.engine import PRESETS, Game, Given, Position
from service.engine.log import crc_of, pack
from service.engine.notation import format_card, format_rules, parse_deal
from service.engine.rules import Rules
from service.ports import SeatHolder, SessionMeta
from service.protocol.messages import encode
from service.protocol.shapes import Event, Session
from service.usecases.history import Turn
from service.usecases.views import event_view, held_seats, legal_for, session_view
from tests.engine.games import WINS, Win, beginnings, choices, commanded, entry_of, preset_rules
from tests.engine.test_sharing import any_command
from tests.usecases.world import NOON

MODES = ["solo", "free_hands", "turns", "departments"]


def shared(mode: str, seats: str, deal: str = "pysol:1", rules: Rules = PRESETS["modern"]) -> SessionMeta:
    """A session in which these seats are held, as `0.2` is 0 and 2 with a hole between."""
    return SessionMeta(
        id='"odd" näme',
        rules=format_rules(rules),
        deal=deal,
        secret=False,
        spectators=True,
        engine=1,
        created=NOON,
        updated=NOON,
        status="playing",
        is_open=True,
        mode=mode,
        capacity=4,
        invite="come",
        seats=tuple(None if seat == "." else SeatHolder(f"player {seat}", f"Name {seat}") for seat in seats),
    )


def turn_of(game: Game, command: str) -> Turn:
    entry = entry_of(game, command)
    return Turn(game, entry, game.after(entry, crc_of(pack(entry, game.crc))))


def brought_up(session: Session, event: Event) -> Session:
    """The session as a client without rules has it once it was told the event."""
    rows = [
        [event.piles.get(f"{column}{number}", pile) for column, pile in zip("abcdefgh", row, strict=True)]
        for number, row in enumerate(session.rows, 1)
    ]
    told = {member: getattr(event, member) for member in Session.__struct_fields__ if hasattr(event, member)}
    return msgspec.structs.replace(session, rows=rows, **told)


def assert_is_told(meta: SessionMeta, turn: Turn) -> None:
    """An event tells all that its entry changed, to every kind of viewer."""
    for seat in (0, 2, None):
        for with_legal in (True, False):
            before, after = (session_view(meta, game, seat, with_legal) for game in (turn.before, turn.after))
            event = event_view(meta, turn, seat, with_legal)
            assert brought_up(before, event) == msgspec.structs.replace(after, invite=before.invite)
            assert msgspec.json.decode(encode(event), type=Event) == event
    stock, left = turn.before.position.stock, turn.after.position.stock
    if turn.entry.move and stock != left:
        [(place, card)] = event.revealed
        assert (card, left) == (format_card(stock[0]), stock[1:])
        assert (event.waste if place == "W" else event.piles[place]).endswith(card)
    else:
        assert event.revealed == []


@pytest.mark.parametrize("win", WINS, ids=str)
def test_the_events_of_every_golden_win_tell_what_its_moves_change(win: Win) -> None:
    game = Game.begin(parse_deal(win.deal), win.rules)
    for move in win.moves:
        turn = turn_of(game, move)
        assert_is_told(shared("solo", "0", win.deal, win.rules), turn)
        game = turn.after


@settings(deadline=None)
@given(preset_rules.flatmap(lambda rules: st.tuples(st.just(rules), beginnings(rules))), choices(60), st.data())
def test_an_event_tells_what_a_command_changes_whatever_is_done(
    beginning: tuple[Rules, Position], commands: bytes, data: st.DataObject
) -> None:
    rules, position = beginning
    meta = shared(data.draw(st.sampled_from(MODES)), data.draw(st.sampled_from(["0", "0.2", "012", ".12"])))
    game = Game.begin(Given(position), rules)
    for choice in commands:
        if game.is_over:
            break
        turn = turn_of(game, f"{any_command(game, choice)}@{choice % 3}")
        assert_is_told(meta, turn)
        game = turn.after


def begun(commands: str = "") -> Game:
    return commanded(Game.begin(parse_deal("pysol:1"), PRESETS["modern"]), commands)


def shares(mode: str, seats: str, commands: str = "") -> dict[int, str]:
    """What each seat that is held may play."""
    meta, game = shared(mode, seats), begun(commands)
    return {seat: " ".join(legal.move for legal in legal_for(meta, game, seat)) for seat in held_seats(meta)}


def test_the_seats_that_are_held_are_those_that_nobody_has_left() -> None:
    assert held_seats(shared("turns", "01.3")) == (0, 1, 3)
    assert [seat.seat for seat in session_view(shared("turns", ".1.3"), begun(), 1).seats] == [1, 3]


def test_each_seat_is_told_the_moves_that_are_its_own() -> None:
    everything = "b1G c1G a2g1 a2h1 e2e1"
    assert shares("free_hands", "0.2") == {0: everything, 2: everything}
    assert shares("turns", "0.2") == {0: everything, 2: ""}
    assert shares("departments", "0.23") == {0: everything, 2: "", 3: ""}
    assert shares("departments", "0123") == {0: "b1G c1G", 1: "a2g1 a2h1 e2e1", 2: "", 3: ""}
    assert shares("turns", "0.2", "b1G@2 g2b1@2 b3g2@2")[0] == ""


@pytest.mark.parametrize("mode", MODES)
def test_a_spectator_is_told_no_moves_and_everybody_the_mode(mode: str) -> None:
    view = session_view(shared(mode, "01"), begun(), None)
    assert (view.mode, view.legal, view.you) == (mode, [], None)


def test_who_declines_the_legal_moves_is_told_all_else() -> None:
    meta, turn = shared("solo", "0"), turn_of(begun(), "b1G")
    event = event_view(meta, turn, 0)
    assert len(event.legal) == 8
    assert msgspec.structs.replace(event, legal=[]) == event_view(meta, turn, 0, with_legal=False)
    assert session_view(meta, turn.after, 0, with_legal=False).legal == []


def test_moves_come_with_what_they_reveal() -> None:
    legal = {legal.move: legal.reveals for legal in legal_for(shared("solo", "0"), begun("b1G g2b1 b3g2"), 0)}
    assert set(legal.values()) == {True}
    assert len(legal) == 8
