"""Every key and channel. What stands in braces decides the slot: keys that one script touches share it."""

from hashlib import sha256


def session_meta(session: str) -> str:
    """A hash: what a session is."""
    return f"bc:{{s:{session}}}:meta"


def seat_field(seat: int) -> str:
    """The field of that hash which says who holds a seat."""
    return f"seat{seat}"


def session_log(session: str) -> str:
    """A string: the bytes of a session's log."""
    return f"bc:{{s:{session}}}:log"


def session_plans(session: str) -> str:
    """A list: winning lines of a session."""
    return f"bc:{{s:{session}}}:plans"


def session_channel(session: str) -> str:
    """The sharded channel on which a session's commits ring."""
    return f"bc:{{s:{session}}}"


def report(digest: str) -> str:
    """A string: what a solver found of the problem with this digest."""
    return f"bc:{{a:{digest}}}"


SOLVER_JOBS = "bc:{solver}:jobs"
"""A stream: problems for the workers."""
DONE = "bc:{solver}:done"
"""A stream: the names of the last problems that workers were done with."""


def solver_wanted(name: str) -> str:
    """A string: where on the list the problem with this name is, while somebody waits for it."""
    return f"bc:{{solver}}:wanted:{name}"


def player(player: str) -> str:
    """A hash: who a player is."""
    return f"bc:{{p:{player}}}"


def player_tokens(player: str) -> str:
    """A sorted set: the digests of the player's tokens, by the time they were given."""
    return f"bc:{{p:{player}}}:tokens"


def player_following(player: str) -> str:
    """A sorted set: whom the player follows, by the time that began."""
    return f"bc:{{p:{player}}}:following"


def player_sessions(player: str) -> str:
    """A sorted set: the cursors of the player's sessions, all with one score, so that they sort as texts."""
    return f"bc:{{p:{player}}}:sessions"


def player_claim(player: str, key: str) -> str:
    """A string: the claim that an idempotency key stands for."""
    return f"bc:{{p:{player}}}:claim:{sha256(key.encode()).hexdigest()}"


def player_days(player: str, rules: str) -> str:
    """A hash: what is known of the player's days under a preset, by date."""
    return f"bc:{{p:{player}}}:days:{rules}"


def token(digest: str) -> str:
    """A string: the player whose token this is."""
    return f"bc:{{t:{digest}}}"


def recovery(digest: str) -> str:
    """A string: the player whose recovery code this is."""
    return f"bc:{{r:{digest}}}"


def ticket(digest: str) -> str:
    """A string: the player whom a ticket names, until it is used or expires."""
    return f"bc:{{k:{digest}}}"


DAILY_LEASE = "bc:{daily}:lease"
"""A string: which process keeps the daily challenge, for a while."""


def daily_void(rules: str) -> str:
    """A set: the dates of the void days under a preset."""
    return f"bc:{{daily}}:void:{rules}"


def day(day: str) -> str:
    """A hash: what is known of a day and its deal."""
    return f"bc:{{b:{day}}}:day"


def day_runs(day: str) -> str:
    """A sorted set: a day's runs as texts, all with one score."""
    return f"bc:{{b:{day}}}:runs"


def day_unsettled(day: str) -> str:
    """A sorted set: those of a day's runs whose results were not noted yet."""
    return f"bc:{{b:{day}}}:unsettled"


def board(home: str, scope: str, field: str) -> str:
    """A sorted set: players by rank key."""
    return f"bc:{{b:{home}}}:{scope}:{field}"


def board_rows(home: str, scope: str, field: str) -> str:
    """A hash: the result behind each player's rank key."""
    return f"{board(home, scope, field)}:rows"


def board_days(home: str, scope: str, field: str, player: str) -> str:
    """A hash: what each day counts for a player in a period, by date."""
    return f"{board(home, scope, field)}:days:{player}"


def board_draft(home: str, token: str, scope: str, field: str) -> str:
    """A sorted set: a board that is being made anew."""
    return f"bc:{{b:{home}}}:draft:{token}:{scope}:{field}"


def board_draft_rows(home: str, token: str, scope: str, field: str) -> str:
    """A hash: the results of a board that is being made anew."""
    return f"{board_draft(home, token, scope, field)}:rows"


def board_version(home: str) -> str:
    """A string: a number that every change of the home's boards sets to another."""
    return f"bc:{{b:{home}}}:version"


def board_removed(home: str) -> str:
    """A set: players who were taken off the home's boards."""
    return f"bc:{{b:{home}}}:removed"
