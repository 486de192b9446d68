"""The routes of players and tickets."""

from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Header, Path
from fastapi.responses import Response
from msgspec.structs import replace

from service.protocol import people
from service.web.answers import PRIVATE, VARY, answer, describes, problems
from service.web.dependencies import Cases, Known
from service.web.languages import preferred_language
from service.web.schemas import NewPlayer, Nothing, Recovery, Rename

router = APIRouter(prefix="/v1", tags=["players"])

NO_STORE: Final = {"Cache-Control": "no-store"}
PUBLIC: Final = {"Cache-Control": "public, max-age=60"}
"""An answer that is the same for all; a new name may take a minute to be seen."""
PlayerId = Annotated[str, Path(description="The player's id.", max_length=64)]


@router.post(
    "/players",
    operation_id="createPlayer",
    summary="Become a guest",
    status_code=HTTPStatus.CREATED,
    responses={201: describes(people.Player, "A new player."), **problems(400, 413, 422)},
)
async def create_player(
    cases: Cases,
    body: NewPlayer | None = None,
    accept_language: Annotated[str | None, Header(description="The language of the name.", examples=["es"])] = None,
) -> Response:
    """A name, a token for `Authorization: Bearer`, and a recovery code. Both secrets are told this once."""
    body = body or NewPlayer()
    guest = await cases.players.create_guest(body.language or preferred_language(accept_language), body.bot)
    return answer(guest, HTTPStatus.CREATED, NO_STORE)


@router.post(
    "/players/recover",
    operation_id="recoverPlayer",
    summary="Be a player again on another device",
    responses={200: describes(people.Recovered, "The player, with one more token."), **problems(400, 401, 413, 422)},
)
async def recover_player(cases: Cases, body: Recovery) -> Response:
    """By the recovery code, which stays good. Tokens of before do too, up to twenty; then the oldest are void."""
    return answer(await cases.players.recover(body.recovery_code), headers=NO_STORE)


@router.get(
    "/players/me",
    operation_id="readMe",
    summary="See oneself",
    responses={200: describes(people.Profile, "Whose token it is."), **problems(401)},
)
async def read_me(cases: Cases, player: Known) -> Response:
    """Whoever the token names."""
    profile = cases.players.profile(player)
    return answer(replace(profile, daily=await cases.records.statistics(player.id)), headers=PRIVATE)


@router.patch(
    "/players/me",
    operation_id="renamePlayer",
    summary="Take another name",
    responses={200: describes(people.Profile, "The player under the new name."), **problems(400, 401, 413, 422)},
)
async def rename_player(cases: Cases, player: Known, body: Rename) -> Response:
    """Boards and those who follow you show it at once; seats that you have keep the name you took them with."""
    return answer(await cases.players.rename(player, body.name), headers=PRIVATE)


@router.delete(
    "/players/me",
    operation_id="deletePlayer",
    summary="Delete all that is yours",
    status_code=HTTPStatus.NO_CONTENT,
    responses={204: {"description": "There is no such player any more."}, **problems(401)},
)
async def delete_player(cases: Cases, player: Known) -> Response:
    """Your tokens, your recovery code, whom you follow and your solo games; where others played too, and on boards,
    your name is gone. Where this fails, call it again: your tokens are void only once all else is done.
    """
    await cases.players.delete(player)
    return Response(status_code=HTTPStatus.NO_CONTENT, headers=VARY)


@router.post(
    "/players/me/recovery_code",
    operation_id="renewRecoveryCode",
    summary="Get another recovery code",
    status_code=HTTPStatus.CREATED,
    responses={201: describes(people.RecoveryCode, "The code."), **problems(400, 401, 413, 422)},
)
async def renew_recovery_code(cases: Cases, player: Known, body: Nothing | None = None) -> Response:
    """It is told this once, and the one before is void."""
    return answer(await cases.players.renew_recovery(player), HTTPStatus.CREATED, NO_STORE)


@router.get(
    "/players/me/following",
    operation_id="listFollowing",
    summary="See whom you follow",
    responses={200: describes(people.Following, "The players, the newest first."), **problems(401)},
)
async def list_following(cases: Cases, player: Known) -> Response:
    """Boards can be seen among these alone. Whoever is no player any more is left out."""
    return answer(await cases.players.following(player), headers=PRIVATE)


@router.put(
    "/players/me/following/{player}",
    operation_id="follow",
    summary="Follow a player",
    status_code=HTTPStatus.NO_CONTENT,
    responses={204: {"description": "You follow them."}, **problems(400, 401, 404, 409, 422)},
)
async def follow(cases: Cases, me: Known, player: PlayerId) -> Response:
    """Up to 500, and not yourself. Nobody is told."""
    await cases.players.follow(me, player)
    return Response(status_code=HTTPStatus.NO_CONTENT, headers=VARY)


@router.delete(
    "/players/me/following/{player}",
    operation_id="unfollow",
    summary="Follow a player no more",
    status_code=HTTPStatus.NO_CONTENT,
    responses={204: {"description": "You do not follow them."}, **problems(400, 401)},
)
async def unfollow(cases: Cases, me: Known, player: PlayerId) -> Response:
    """Whether you did or not."""
    await cases.players.unfollow(me, player)
    return Response(status_code=HTTPStatus.NO_CONTENT, headers=VARY)


@router.get(
    "/players/{player}",
    operation_id="readPlayer",
    summary="See a player",
    responses={200: describes(people.Person, "What everybody may know."), **problems(400, 404)},
)
async def read_player(cases: Cases, player: PlayerId) -> Response:
    """What a player is called, and whether it is a program."""
    return answer(await cases.players.person(player), headers=PUBLIC)


@router.post(
    "/tickets",
    operation_id="createTicket",
    summary="Get a ticket for a socket",
    status_code=HTTPStatus.CREATED,
    responses={201: describes(people.Ticket, "A ticket."), **problems(400, 401, 413, 422)},
)
async def create_ticket(cases: Cases, player: Known, body: Nothing | None = None) -> Response:
    """For a socket's `hello` or for a stream, where headers cannot be set: good once, and for a few seconds."""
    return answer(await cases.players.issue_ticket(player), HTTPStatus.CREATED, NO_STORE)
