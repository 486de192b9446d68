"""Judges a session's history: what its clients saw and were promised, against the log."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from service.engine.deal import Deal
from service.engine.errors import CorruptLog
from service.engine.game import Game, replay
from service.engine.log import Entry, unpack
from service.engine.moves import Kind as EntryKind
from service.engine.rules import Rules
from tests.chaos.history import ORIGIN, Acked, Board, Findings, Kind, Problem, Sent, Told, Witness, board_of


class _Log:
    """A log, replayed: `crcs[seq]` and `games[seq]` are after `seq` entries."""

    def __init__(self, deal: Deal, rules: Rules, log: bytes) -> None:
        self.games, self.crcs = [Game.begin(deal, rules)], [ORIGIN]
        self.entries: list[Entry] = []
        for entry, crc in unpack(log):
            self.games.append(replay(self.games[-1], [(entry, crc)]))
            self.crcs.append(f"{crc:08x}")
            self.entries.append(entry)

    @property
    def end(self) -> int:
        return len(self.entries)

    def has(self, seq: int, crc: str | None) -> bool:
        """Whether this place is in the log."""
        return seq <= self.end and crc in {None, self.crcs[seq]}

    def answers(self, sent: Sent) -> bool:
        """Whether the entry behind the command's place is what the command makes of it."""
        if sent.at >= self.end or not self.has(sent.at, sent.crc):
            return False
        entry, before, by_group = self.entries[sent.at], self.games[sent.at], sent.detail == "group"
        if entry.seat != sent.seat:
            return False
        match sent.kind:
            case "play":
                return str(entry.move) == sent.detail
            case "undo":
                return (entry.kind, entry.count) == (EntryKind.UNDO, before.undo_count(by_group))
            case "redo":
                return (entry.kind, entry.count) == (EntryKind.REDO, before.redo_count(by_group))
            case "consent":
                return (entry.kind, entry.count) == (EntryKind.CONSENT, int(sent.detail))


def check(deal: Deal, rules: Rules, log: bytes, witnesses: Sequence[Witness], may_lose: bool = False) -> Findings:
    """All that is wrong with one session's history; where its store may lose entries, nobody may be left unaware."""
    acknowledged = len({acked.sent for witness in witnesses for acked in witness.acked})
    try:
        read = _Log(deal, rules, log)
    except CorruptLog as error:
        return Findings(acknowledged, [Problem(Kind.BROKEN, str(error))])
    problems = [*_doubled(read, witnesses)]
    for witness in witnesses:
        found = [*_lost(read, witness, may_lose), *_told(read, witness, may_lose)]
        found += [] if may_lose else _denied(read, witness)
        found += [Problem(Kind.BROKEN, complaint) for complaint in witness.complaints]
        problems += [Problem(kind, f"{witness.name}: {what}") for kind, what in found]
    return Findings(acknowledged, problems)


def _doubled(log: _Log, witnesses: Sequence[Witness]) -> Iterator[Problem]:
    """Commands acknowledged as two entries, and entries that nobody asked for on their place."""
    seqs: defaultdict[Sent, set[int]] = defaultdict(set)
    for witness in witnesses:
        for sent, seq, _ in witness.acked:
            seqs[sent].add(seq)
    for sent, acked in seqs.items():
        if len(acked) > 1:
            yield Problem(Kind.DOUBLED, f"{sent} was acknowledged as each of {sorted(acked)}")
    asked = {sent.at for witness in witnesses for sent in witness.sent if log.answers(sent)}
    for at, entry in enumerate(log.entries):
        if at not in asked:
            yield Problem(Kind.DOUBLED, f"entry {at + 1}, {entry}, is what nobody sent on its place")


def _lost(log: _Log, witness: Witness, may_lose: bool) -> Iterator[Problem]:
    """What was acknowledged and is not in the log as it was acknowledged."""
    for acked in dict.fromkeys(witness.acked):
        sent, seq, crc = acked
        if seq == sent.at + 1 and log.has(seq, crc) and log.answers(sent):
            continue
        is_told = may_lose and _is_reset_after(witness, acked)
        yield Problem(Kind.LOST_WITH_RESET if is_told else Kind.LOST, f"{acked} is not in the log of {log.end}")


def _is_reset_after(witness: Witness, acked: Acked) -> bool:
    """Whether the client that had an ack was told later that its place is not in the log."""
    last = max((index for index, told in enumerate(witness.told) if told.crc == acked.crc), default=-1)
    return any(told.kind == "reset" for told in witness.told[last + 1 :])


def _denied(log: _Log, witness: Witness) -> Iterator[Problem]:
    """What the client was told did not happen, and did."""
    for sent in witness.denied:
        if log.answers(sent):
            yield Problem(Kind.SILENT, f"{sent} was denied, and is entry {sent.at + 1}")


def _told(log: _Log, witness: Witness, may_lose: bool) -> Iterator[Problem]:
    """What is wrong with all that the client was told, and with where that left it."""
    follower = _Follower(log, may_lose)
    for told in witness.told:
        yield from follower.hear(told)
    yield from follower.end(witness.board)


class _Follower:
    """A client by the rules of PROTOCOL.md, who knows the log: it has to be told that, and without a gap."""

    def __init__(self, log: _Log, may_lose: bool) -> None:
        self._log, self._may_lose = log, may_lose
        self._place = self._followed = -1
        """How far it was told, and how far in the order of the log."""
        self._known = {0: ORIGIN}
        self._astray: Told | None = None
        """The first that it was told since it last began, and that is not in the log."""

    def hear(self, told: Told) -> Iterator[Problem]:
        yield from self._begin(told) if told.kind in {"snapshot", "reset"} else self._go_on(told)
        if self._astray is None and not self._log.has(told.seq, told.crc):
            self._astray = told

    def end(self, board: Board) -> Iterator[Problem]:
        if self._astray:
            yield Problem(Kind.SILENT, f"it was left with {self._astray}, and the log has {self._log.end}")
        elif self._place != self._log.end:
            yield Problem(Kind.SILENT, f"it was left at {self._place} of {self._log.end}")
        elif board != (right := board_of(self._log.games[-1])):
            yield Problem(Kind.SILENT, f"it draws {board} and should draw {right}")

    def _begin(self, told: Told) -> Iterator[Problem]:
        is_right = self._place >= 0 and self._log.has(self._place, self._known.get(self._place))
        if is_right and not self._may_lose and (told.kind == "reset" or told.seq < self._followed):
            yield Problem(Kind.REORDERED, f"{told} came at {self._place}, which is in the log")
        if self._astray and not self._may_lose:
            yield Problem(Kind.LOST, f"{self._astray} was told and taken back")
        if self._astray and told.kind != "reset" and self._log.has(told.seq, told.crc):
            yield Problem(Kind.SILENT, f"{self._astray} was taken back by {told}, which is no reset")
        if told.kind == "reset" or self._log.has(told.seq, told.crc):
            self._astray = None
        self._known, self._followed = {0: ORIGIN}, told.seq
        self._move_to(told)

    def _go_on(self, told: Told) -> Iterator[Problem]:
        step = told.kind in {"event", "answer"}
        if told.kind != "answer":
            self._followed = max(self._followed, told.seq)
        if told.seq > self._place + step:
            yield Problem(Kind.REORDERED, f"{told} came at {self._place}")
            self._move_to(told)
        elif step and told.seq == self._place + 1:
            self._move_to(told)
        elif told.crc not in {None, self._known.get(told.seq, told.crc)}:
            yield Problem(Kind.REORDERED, f"{told} came after {self._known[told.seq]}")

    def _move_to(self, told: Told) -> None:
        self._place = told.seq
        if told.crc is not None:
            self._known[told.seq] = told.crc
