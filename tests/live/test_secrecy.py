"""Nobody is told what is still in the stock: not its order, not the seed it follows from, in no byte that is sent."""

import random

import httpx
import pytest

from service.engine.rules import PRESETS
from tests.live.client import PATIENCE, Message, guest, place, watching
from tests.live.ear import RUN, Ear

COMMANDS = 60


@pytest.mark.parametrize("deal", ["secret", "42"])
@pytest.mark.parametrize("rules", PRESETS)
async def test_no_byte_tells_what_is_still_in_the_stock(service: str, redis_url: str, rules: str, deal: str) -> None:
    chance = random.Random(f"{rules} {deal}")
    async with guest(service) as player, httpx.AsyncClient(base_url=service, timeout=PATIENCE) as public:
        created = await player.http.post("/v1/sessions", json={"rules": rules, "deal": deal})
        session, path = created.json(), created.headers["location"]
        ear = Ear(redis_url, session, secret=deal == "secret")
        ear.answer(created)
        full = ear.left

        async def read(reader: httpx.AsyncClient, path: str) -> Message:
            answer = await reader.get(path)
            ear.answer(answer)
            return answer.json() if answer.is_success and "json" in answer.headers["content-type"] else {}

        async with watching(service, session, player) as mine, watching(service, session) as theirs:
            for number in range(COMMANDS):
                name, body = command(chance, session)
                if number % 2:
                    kind = "play" if name == "moves" else name
                    await mine.ask(kind, session=session["id"], **body)
                else:
                    ear.answer(await player.http.post(f"{path}/{name}", json=body))
                session = await read(player.http, path)
                for socket in (mine, theirs):
                    await socket.reach(session["seq"])
                    ear.frames(socket)
                for reader in (player.http, public)[: chance.randrange(3)]:
                    for page in ("", "/record", f"/events?after={max(0, session['seq'] - 3)}", "/events?after=999"):
                        await read(reader, path + page)
                await read(player.http, "/v1/sessions")
            assert RUN < ear.left < full, "the game got somewhere, and there is something left to hide"

            over = await player.command("resign", session)
            assert over["deal"] == ear.deal, "the deal is told when the game is over"
            assert f'[Deal "{ear.deal}"]' in (await public.get(f"{path}/record")).text.splitlines()


async def test_an_ear_would_hear_what_nobody_may_know(service: str, redis_url: str) -> None:
    async with guest(service) as player:
        session = await player.deal("secret")
    ear = Ear(redis_url, session, secret=True)
    first, second, third = ear.stock[20:23]
    board = {name: session[name] for name in ("seq", "rows", "waste", "foundations", "stock")}
    ear.message(board)

    leaks: list[Message] = [
        {"deal": ear.deal},
        {"seed": 42},
        {"stock": ear.stock},
        {"stockOrder": 3},
        {"detail": f"next come {first}{second}{third}"},
        {"next": [first, second, third]},
        {"next": [{"card": first}, {"card": second}, {"card": third}]},
        {"detail": "position: and then all of it"},
        board | {"waste": board["waste"] + first},
        board | {"rows": [[board["rows"][0][0] + first, *board["rows"][0][1:]], *board["rows"][1:]]},
    ]
    for leak in leaks:
        with pytest.raises(AssertionError):
            ear.message(leak)
    for header in ({"x-deal": ear.deal}, {"x-next": f"{first}, {second}, {third}"}):
        with pytest.raises(AssertionError):
            ear.answer(httpx.Response(204, headers=header))


def command(chance: random.Random, session: Message) -> tuple[str, Message]:
    """Mostly a legal move, else one that is not, or comes late, or an undo or redo."""
    moves = [move["move"] for move in session["legal"]] or ["S"]
    late = {"at": max(0, session["seq"] - 2)}
    return chance.choices(
        [
            ("moves", {"move": chance.choice(moves), **place(session)}),
            ("moves", {"move": chance.choice(["a2b1", "h1G", "S"]), **place(session)}),
            ("moves", {"move": chance.choice(moves), **late}),
            ("undo", {"by": chance.choice(["group", "step"]), **place(session)}),
            ("redo", {"by": chance.choice(["group", "step"]), **place(session)}),
        ],
        [20, 1, 2, 1, 2],
    )[0]
