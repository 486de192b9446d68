"""Whatever happens to the feed of entries, a client is told every entry once and in order."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from service.protocol.requests import CatchUp
from tests.protocol.conversation import feed, live, requests_of, seqs_sent_by
from tests.protocol.wire import event


def test_what_was_held_of_a_history_that_is_another_now_is_not_told() -> None:
    connection = live(41)
    connection.lost("ID")
    feed(connection, 42)
    connection.lost("ID")
    connection.caught_up("ID", 41, 41, [])

    assert seqs_sent_by(connection) == []


class AnyFeed(RuleBasedStateMachine):
    """A log that grows, a feed that repeats, loses and reorders its entries, and a driver that takes its time."""

    def __init__(self) -> None:
        super().__init__()
        self.connection = live(0)
        self.end = 0
        self.told = 0
        self.asked: list[CatchUp] = []

    @rule(entries=st.integers(1, 5))
    def the_log_grows(self, entries: int) -> None:
        self.end += entries

    @precondition(lambda self: self.end > 0)
    @rule(data=st.data())
    def an_entry_is_fed(self, data: st.DataObject) -> None:
        seq = data.draw(st.integers(max(1, self.end - 6), self.end))
        was_up_to_date = not self.asked
        feed(self.connection, seq)
        self._listen()
        if was_up_to_date and seq > self.told:
            assert self.asked == [CatchUp("ID", self.told, self.told)], "a gap is asked about from the last place"

    @rule()
    def the_driver_is_unsure(self) -> None:
        self.connection.lost("ID")
        self._listen()

    @precondition(lambda self: self.asked)
    @rule()
    def the_driver_catches_up(self) -> None:
        place = self.asked.pop(0)
        assert place.seq is not None
        self.connection.caught_up("ID", self.end, self.end, [event(seq) for seq in range(place.seq + 1, self.end + 1)])
        self._listen()
        assert self.told == self.end, "after a catch-up the client has all"

    @invariant()
    def one_question_is_open_at_most(self) -> None:
        assert len(self.asked) <= 1

    def _listen(self) -> None:
        for seq in seqs_sent_by(self.connection):
            assert seq == self.told + 1, "an entry is missing, doubled or out of order"
            self.told = seq
        self.asked += [request for request in requests_of(self.connection) if isinstance(request, CatchUp)]


AnyFeed.TestCase.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)
test_whatever_the_feed_does_a_client_is_told_every_entry_once_and_in_order = AnyFeed.TestCase
