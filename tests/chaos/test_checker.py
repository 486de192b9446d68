"""The checker, fed with histories made by hand: what is wrong with one it says, and nothing of one that is sound."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from service.engine.game import Game
from service.engine.log import Entry, pack
from service.engine.moves import Kind as EntryKind
from service.engine.notation import parse_deal, parse_rules
from tests.chaos.checker import check
from tests.chaos.history import ORIGIN, Acked, Board, CommandKind, Kind, Sent, Told, Witness, board_of

DEAL, RULES = parse_deal("pysol:1"), parse_rules("modern")
FIRST = Game.begin(DEAL, RULES).legal[0].move


class Story:
    """A log in which FIRST is played and taken back in turns, with who asked for it and was told of it all."""

    def __init__(self, entries: int) -> None:
        self.log, self.crcs = b"", [ORIGIN]
        self.games = [Game.begin(DEAL, RULES)]
        self.sent: list[Sent] = []
        for at in range(entries):
            kind: CommandKind = "undo" if at % 2 else "play"
            self.sent.append(Sent(at, self.crcs[at], kind, "group" if at % 2 else str(FIRST)))
            self.append(kind)

    def append(self, kind: str) -> None:
        game = self.games[-1]
        entry = Entry(EntryKind.UNDO, count=1) if kind == "undo" else Entry(game.kind_of(FIRST), move=FIRST)
        packed = pack(entry, game.crc)
        self.log += packed
        self.games.append(game.after(entry, int.from_bytes(packed[-4:], "big")))
        self.crcs.append(packed[-4:].hex())

    @property
    def acked(self) -> list[Acked]:
        return [Acked(sent, sent.at + 1, self.crcs[sent.at + 1]) for sent in self.sent]

    @property
    def events(self) -> list[Told]:
        return [Told("event", seq, crc) for seq, crc in enumerate(self.crcs)][1:]

    @property
    def board(self) -> Board:
        return board_of(self.games[-1])

    def player(self) -> Witness:
        return Witness("player", set(self.sent), self.acked, [], [BEGINNING, *self.events], self.board)

    def spectator(self, *told: Told) -> Witness:
        return Witness("spectator", told=[BEGINNING, *told], board=self.board)

    def problems(self, *witnesses: Witness, may_lose: bool = False) -> set[Kind]:
        return {problem.kind for problem in check(DEAL, RULES, self.log, witnesses, may_lose).problems}


BEGINNING = Told("snapshot", 0, ORIGIN)


@pytest.fixture
def story() -> Story:
    return Story(4)


def cut_short(story: Story, end: int) -> Story:
    """The story after the store has lost all behind entry `end`."""
    short = Story(end)
    short.sent = story.sent
    return short


def test_a_sound_history_has_no_problem(story: Story) -> None:
    findings = check(DEAL, RULES, story.log, [story.player(), story.spectator(*story.events)])

    assert (findings.acknowledged, findings.problems) == (4, [])


def test_an_acknowledged_entry_that_the_log_lacks_is_lost(story: Story) -> None:
    assert Kind.LOST in cut_short(story, 3).problems(story.player())


def test_an_acknowledged_entry_whose_place_holds_another_is_lost(story: Story) -> None:
    player = story.player()
    first = player.acked[0]
    player.acked[0] = first._replace(crc="deadbeef")

    assert story.problems(player) == {Kind.LOST}


def test_a_loss_of_a_store_that_may_lose_is_no_silence_for_whoever_was_reset(story: Story) -> None:
    short, player = cut_short(story, 3), story.player()
    player.told.append(Told("reset", 3, short.crcs[3]))

    assert short.problems(replace(player, board=short.board), may_lose=True) == {Kind.LOST_WITH_RESET}


def test_a_loss_of_a_store_that_may_lose_of_which_nobody_was_told_is_silent(story: Story) -> None:
    assert cut_short(story, 3).problems(story.player(), may_lose=True) == {Kind.LOST, Kind.SILENT}


def test_a_loss_of_which_a_client_was_told_by_a_snapshot_only_is_silent(story: Story) -> None:
    short, player = cut_short(story, 3), story.player()
    player.told.append(Told("snapshot", 3, short.crcs[3]))

    assert short.problems(replace(player, board=short.board), may_lose=True) == {Kind.LOST, Kind.SILENT}


def test_a_snapshot_of_what_was_before_is_reordered(story: Story) -> None:
    spectator = story.spectator(*story.events, Told("snapshot", 2, story.crcs[2]), *story.events[2:])

    assert story.problems(story.player(), spectator) == {Kind.REORDERED}


def test_an_answer_over_http_may_overtake_what_is_under_way_on_the_socket(story: Story) -> None:
    answer = Told("answer", 3, story.crcs[3])
    spectator = story.spectator(*story.events[:2], answer, Told("snapshot", 2, story.crcs[2]), *story.events[2:])

    assert story.problems(story.player(), spectator) == set()


def test_a_snapshot_of_a_lost_suffix_is_no_way_out_of_it(story: Story) -> None:
    short, lost = cut_short(story, 2), [Told("snapshot", 4, story.crcs[4])]
    end = [Told("reset", 2, short.crcs[2])]
    player = Witness("player", set(story.sent), told=[BEGINNING, *short.events], board=short.board)
    spectators = [Witness("spectator", told=[BEGINNING, *lost, *rest], board=short.board) for rest in ([], end)]

    assert [short.problems(player, one, may_lose=True) for one in spectators] == [{Kind.SILENT}, set()]


def test_another_seats_entry_is_not_what_was_acknowledged(story: Story) -> None:
    player = story.player()
    player.acked[0] = player.acked[0]._replace(sent=story.sent[0]._replace(seat=1))

    assert story.problems(player) == {Kind.LOST}


def test_what_another_seat_was_denied_may_be_in_the_log(story: Story) -> None:
    other = Witness("other", {story.sent[0]}, denied=[story.sent[0]._replace(seat=1)])
    other.told, other.board = [BEGINNING, *story.events], story.board

    assert story.problems(story.player(), other) == set()


def test_a_command_that_is_in_the_log_twice_is_doubled() -> None:
    story = Story(1)
    player = story.player()
    story.append("undo")

    assert Kind.DOUBLED in story.problems(player)


def test_a_command_that_was_acknowledged_as_two_entries_is_doubled(story: Story) -> None:
    player = story.player()
    player.acked.append(Acked(story.sent[0], 3, story.crcs[3]))

    assert Kind.DOUBLED in story.problems(player)


@pytest.mark.parametrize("order", [[0, 2, 1, 3], [0, 2, 3], [1, 0, 2, 3]])
def test_events_with_a_gap_or_out_of_order_are_reordered(story: Story, order: Sequence[int]) -> None:
    spectator = story.spectator(*(story.events[index] for index in order))

    assert Kind.REORDERED in story.problems(story.player(), spectator)


def test_events_that_come_twice_are_sound(story: Story) -> None:
    assert story.problems(story.player(), story.spectator(*story.events[:2], *story.events)) == set()


def test_an_ack_before_its_event_is_reordered(story: Story) -> None:
    player = story.player()
    player.told.insert(1, Told("ack", 1, story.crcs[1]))

    assert story.problems(player) == {Kind.REORDERED}


def test_a_reset_of_a_client_that_was_right_is_reordered(story: Story) -> None:
    spectator = story.spectator(*story.events, Told("reset", 4, story.crcs[4]))

    assert story.problems(story.player(), spectator) == {Kind.REORDERED}


def test_a_client_that_was_left_behind_is_silent(story: Story) -> None:
    assert story.problems(story.player(), story.spectator(*story.events[:3])) == {Kind.SILENT}


def test_a_client_that_was_left_on_a_fork_is_silent(story: Story) -> None:
    fork = story.events[3]._replace(crc="deadbeef")

    assert story.problems(story.player(), story.spectator(*story.events[:3], fork)) == {Kind.SILENT}


def test_an_entry_that_was_shown_and_then_reset_is_lost_where_nothing_may_be(story: Story) -> None:
    fork, reset = story.events[3]._replace(crc="deadbeef"), Told("reset", 4, story.crcs[4])
    spectator = story.spectator(*story.events[:3], fork, reset)

    assert story.problems(story.player(), spectator) == {Kind.LOST}
    assert story.problems(story.player(), spectator, may_lose=True) == set()


def test_a_client_that_draws_another_board_is_silent(story: Story) -> None:
    spectator = story.spectator(*story.events)
    spectator.board = {**spectator.board, "stock": 1}

    assert story.problems(story.player(), spectator) == {Kind.SILENT}


def test_a_command_that_was_denied_and_carried_out_is_silent(story: Story) -> None:
    player = story.player()
    player.denied.append(player.acked.pop().sent)

    assert story.problems(player) == {Kind.SILENT}


def test_a_log_that_cannot_be_read_is_broken(story: Story) -> None:
    story.log = story.log[:-1]

    assert story.problems(story.player()) == {Kind.BROKEN}
