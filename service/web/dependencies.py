"""Who asks, and on which place of a session's history."""

import re
from dataclasses import dataclass
from typing import Annotated, Any, Final

from fastapi import Depends, Header, Path, Security
from fastapi.requests import HTTPConnection
from fastapi.security import HTTPBearer
from fastapi.security.utils import get_authorization_scheme_param

from service.engine.errors import NotationError
from service.engine.moves import Move
from service.engine.notation import parse_move
from service.ports import Clock, Store, StoredPlayer
from service.protocol.messages import parse_crc
from service.telemetry import logs
from service.telemetry.meters import Meters
from service.usecases.analysis import Analyses
from service.usecases.board_watch import BoardWatch
from service.usecases.boards import Boards
from service.usecases.commands import Commands
from service.usecases.daily import Dailies
from service.usecases.dealing import Dealing
from service.usecases.deals import Deals
from service.usecases.errors import BadHeader, BadRequest, Unauthorised
from service.usecases.hints import Hints
from service.usecases.history import Place
from service.usecases.keeper import Keeper
from service.usecases.live import Live
from service.usecases.lookout import Lookout
from service.usecases.players import Players
from service.usecases.records import Records
from service.usecases.sessions import Sessions
from service.web.rates import Rates
from service.web.schemas import PlaceBody
from service.web.sockets import Sockets

BEARER: Final = HTTPBearer(
    scheme_name="player", description="The token of `POST /v1/players`.", auto_error=False
)  # it documents; asking_player reads the header, for sockets too
ALSO_WITHOUT_TOKEN: Final[dict[str, Any]] = {"security": [{}]}
"""Documents, as a route's openapi_extra, that it answers those without a token too."""
_ETAG: Final = re.compile(r'"([0-9]{1,10})-([0-9a-f]{8})(?:-watch)?"')


@dataclass(frozen=True, slots=True)
class UseCases:
    """All that the edges call."""

    players: Players
    dealing: Dealing
    sessions: Sessions
    commands: Commands
    hints: Hints
    analyses: Analyses
    deals: Deals
    dailies: Dailies
    records: Records
    boards: Boards
    board_watch: BoardWatch
    live: Live
    lookout: Lookout
    keeper: Keeper
    store: Store
    clock: Clock
    sockets: Sockets
    rates: Rates
    meters: Meters


def use_cases(connection: HTTPConnection) -> UseCases:
    """What the composition root left for the edges."""
    found: UseCases = connection.app.state.use_cases
    return found


async def _cases(connection: HTTPConnection) -> UseCases:  # the framework would call one that is not async in a thread
    return use_cases(connection)


async def bearer(players: Players, header: str | None) -> StoredPlayer | None:
    """The player whose token an Authorization header bears; None where there is none. Raises Unauthorised."""
    if header is None:
        return None
    scheme, token = get_authorization_scheme_param(header)
    if scheme.lower() != "bearer" or not token:
        raise Unauthorised("The Authorization header should be: Bearer, a space, and a token.")
    return noted(await players.by_token(token))


def noted(player: StoredPlayer) -> StoredPlayer:
    """The player, whom the log knows from now on to be asking."""
    logs.note(player=player.id)
    return player


async def asking_player(connection: HTTPConnection) -> StoredPlayer | None:
    """The player whose token the request bears; None where it bears none. Raises Unauthorised."""
    return await bearer(use_cases(connection).players, connection.headers.get("authorization"))


async def viewer(
    player: Annotated[StoredPlayer | None, Depends(asking_player)], _: Annotated[object, Security(BEARER)]
) -> str | None:
    """The id of the player whose token the request bears; None for somebody without one."""
    return None if player is None else player.id


async def known_player(
    player: Annotated[StoredPlayer | None, Depends(asking_player)], _: Annotated[object, Security(BEARER)]
) -> StoredPlayer:
    """The player whose token the request bears; raises Unauthorised where it bears none."""
    if player is None:
        raise Unauthorised("This needs a player's token: Authorization: Bearer, a space, and the token.")
    return player


Viewer = Annotated[str | None, Depends(viewer)]
Known = Annotated[StoredPlayer, Depends(known_player)]
Cases = Annotated[UseCases, Depends(_cases)]
SessionId = Annotated[str, Path(description="The session's id.", max_length=64)]
IfMatch = Annotated[
    str | None,
    Header(
        description="The ETag of the place instead of `at`.",
        examples=['"17-9a0b12ff"'],
        json_schema_extra={"pattern": f"^{_ETAG.pattern}$"},
    ),
]


def place_at(seq: int, crc: str | None) -> Place:
    """The place that a seq and the text of a crc name."""
    return Place(seq, None if crc is None else parse_crc(crc))


def place_of(body: PlaceBody, if_match: str | None) -> Place:
    """The place that a command names, in its body or in If-Match; raises BadRequest where it is neither or both."""
    if if_match is not None:
        return _place_of_etag(if_match, body)
    if body.at is None:
        raise BadRequest("at", "there should be the seq that you saw last, here or as If-Match")
    return place_at(body.at, body.crc)


def _place_of_etag(etag: str, body: PlaceBody) -> Place:
    if not (found := _ETAG.fullmatch(etag)):
        raise BadHeader("If-Match", 'there should be the ETag of a session, as "17-9a0b12ff"')
    place = Place(int(found[1]), parse_crc(found[2]))
    if body.at not in {None, place.seq} or (body.crc is not None and parse_crc(body.crc) != place.crc):
        raise BadHeader("If-Match", "it names another place than the body")
    return place


def parsed_move(text: str) -> Move:
    """The move in a field `move`; raises BadRequest."""
    try:
        return parse_move(text)
    except NotationError as error:
        raise BadRequest("move", str(error)) from None
