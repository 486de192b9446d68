"""What can go wrong in a use case. `code` goes over the wire and never changes.

UseCaseError
├── BadRequest            bad_request: a field of the body
│   ├── BadCursor         bad_request: the cursor of a page
│   ├── BadHeader         bad_request: a header
│   └── BadAddress        bad_request: a part of the path or the query
├── Unauthorised          unauthorised
├── NameRefused           name_refused, with the reason
├── NoSuchPlayer          no_such_player
├── FollowingFull         following_full
├── NoSuchSession         no_such_session
├── NotYourSeat           not_your_seat
├── NotForSpectators      not_for_spectators
├── MoveRefused           illegal_move, with the engine's reason and what is legal
├── NothingTo             nothing_to_undo, nothing_to_redo, nothing_to_restart, nothing_to_consent
├── ConsentMissing        consent_needed: other seats must agree
├── OthersStillPlay       others_play: nobody resigns for them
├── WrongInvite           wrong_invite
├── NoFreeSeat            no_free_seat
├── SoloSession           solo_session: nobody leaves it
├── SessionOver           session_over
├── LogFull               log_full
├── Stale                 stale, with what was missed
├── StillSecret           still_secret
├── NoSuchDeal            no_such_deal: none that was drawn is as hard as was wished
├── NoSuchDay             no_such_day: before the first that there was, or after tomorrow
├── NotYetOpen            not_yet_open: the day has not come
├── DayNotReady           day_not_ready: its deal is being prepared
├── RunOver               run_over: there is one run that counts, and it has ended
├── TooLate               too_late: the time for a run that counts is past
├── RunFirst              run_first: the run that counts comes before others
├── IdempotencyKeyReused  idempotency_key_reused
└── CorruptSession        corrupt_session, with the first bad entry
"""

from typing import ClassVar

from service.engine.errors import Reason
from service.ports import FOLLOWED
from service.protocol.shapes import Event, LegalMove, Session


class UseCaseError(Exception):
    """The root. `str(error)` is a sentence for a person."""

    code: ClassVar[str]


class BadRequest(UseCaseError):
    """`field` of the request is wrong; the sentence says what would be right."""

    code = "bad_request"

    def __init__(self, field: str, why: str) -> None:
        self.field, self.why = field, why
        super().__init__(f"{field}: {why}")


class BadCursor(BadRequest):
    """The cursor of a page is none that was given."""


class BadHeader(BadRequest):
    """`field` is a header."""


class BadAddress(BadRequest):
    """`field` is in the path or the query."""


class Unauthorised(UseCaseError):
    code = "unauthorised"


class NameRefused(UseCaseError):
    """`reason` is for programs, as the code is; the sentence says what would be right."""

    code = "name_refused"

    def __init__(self, reason: str, why: str) -> None:
        self.reason = reason
        super().__init__(why)


class NoSuchPlayer(UseCaseError):
    code = "no_such_player"

    def __init__(self, player: str) -> None:
        self.player = player
        super().__init__(f"There is no player {player!r}, or no more.")


class FollowingFull(UseCaseError):
    code = "following_full"

    def __init__(self) -> None:
        super().__init__(f"You follow {FOLLOWED} players, and that is all there is room for.")


class NoSuchSession(UseCaseError):
    code = "no_such_session"

    def __init__(self, session: str) -> None:
        self.session = session
        super().__init__(f"There is no session {session!r}, or no more.")


class NotYourSeat(UseCaseError):
    code = "not_your_seat"

    def __init__(self) -> None:
        super().__init__("You have no seat in this session.")


class NotForSpectators(UseCaseError):
    code = "not_for_spectators"

    def __init__(self) -> None:
        super().__init__("This session shows itself to its players only.")


class MoveRefused(UseCaseError):
    code = "illegal_move"

    def __init__(self, move: str, reason: Reason, legal: list[LegalMove]) -> None:
        self.move, self.reason, self.legal = move, reason, legal
        super().__init__(f"{move} is not legal here: {reason}.")


class NothingTo(UseCaseError):
    """`command` is undo, redo, restart or consent."""

    def __init__(self, command: str) -> None:
        self.code = f"nothing_to_{command}"  # type: ignore[misc]  # one leaf for four commands that differ in a word
        super().__init__(f"There is nothing to {command}{' to' * (command == 'consent')}.")


class ConsentMissing(UseCaseError):
    """`missing` are the seats that have not agreed."""

    code = "consent_needed"

    def __init__(self, command: str, steps: int, missing: frozenset[int]) -> None:
        self.missing = missing
        seats = ("seat " if len(missing) == 1 else "seats ") + ", ".join(map(str, sorted(missing)))
        super().__init__(f"To {command} {steps} step{'s' * (steps != 1)} needs the consent of {seats}.")


class OthersStillPlay(UseCaseError):
    code = "others_play"

    def __init__(self) -> None:
        super().__init__("Others still play here: leave, and the game is theirs.")


class WrongInvite(UseCaseError):
    code = "wrong_invite"

    def __init__(self) -> None:
        super().__init__("That is not this session's invite code.")


class NoFreeSeat(UseCaseError):
    code = "no_free_seat"

    def __init__(self) -> None:
        super().__init__("Every seat of this session is taken.")


class SoloSession(UseCaseError):
    code = "solo_session"

    def __init__(self) -> None:
        super().__init__("This session has one seat, which stays its player's: resign to end the game.")


class SessionOver(UseCaseError):
    code = "session_over"

    def __init__(self, status: str) -> None:
        self.status = status
        super().__init__(f"The session is over: {status}.")


class LogFull(UseCaseError):
    code = "log_full"

    def __init__(self, limit: int) -> None:
        super().__init__(f"The session has had its {limit} entries.")


class Stale(UseCaseError):
    """The command named a place that is not the end of the log.

    missed: the entries after that place; None where it is not in this log's history, or too far back to tell them
    """

    code = "stale"

    def __init__(self, at: int, missed: list[Event] | None, session: Session) -> None:
        self.at, self.missed, self.session = at, missed, session
        super().__init__(
            f"The session has gone on to {session.seq} since {at}."
            if missed
            else "That place is not in the session's history, or too far back: begin again from the session."
        )


class StillSecret(UseCaseError):
    code = "still_secret"

    def __init__(self) -> None:
        super().__init__("The deal is still secret.")


class NoSuchDeal(UseCaseError):
    code = "no_such_deal"

    def __init__(self) -> None:
        super().__init__("None of the deals that were drawn is as it was wished; try again.")


class NoSuchDay(UseCaseError):
    code = "no_such_day"

    def __init__(self, day: object) -> None:
        super().__init__(f"There is no challenge {day}, or not yet.")


class NotYetOpen(UseCaseError):
    code = "not_yet_open"

    def __init__(self, day: object) -> None:
        super().__init__(f"The challenge {day} opens at midnight, UTC.")


class DayNotReady(UseCaseError):
    code = "day_not_ready"

    def __init__(self, day: object) -> None:
        super().__init__(f"The deal of {day} is being prepared: try again in a moment.")


class RunOver(UseCaseError):
    """`session` is the run that counts."""

    code = "run_over"

    def __init__(self, session: str) -> None:
        self.session = session
        super().__init__(f"Your run that counts has ended, in session {session}: further ones are of the kind open.")


class TooLate(UseCaseError):
    code = "too_late"

    def __init__(self, day: object) -> None:
        super().__init__(f"The time for a run of {day} that counts is past: play one of the kind open.")


class RunFirst(UseCaseError):
    code = "run_first"

    def __init__(self) -> None:
        super().__init__("Your first run of this day comes before open ones, and has to end.")


class IdempotencyKeyReused(UseCaseError):
    code = "idempotency_key_reused"

    def __init__(self) -> None:
        super().__init__("This Idempotency-Key came with another request before.")


class CorruptSession(UseCaseError):
    code = "corrupt_session"

    def __init__(self, session: str, seq: int, why: str) -> None:
        self.session, self.seq = session, seq
        super().__init__(f"The log of session {session} cannot be read: entry {seq}: {why}.")
