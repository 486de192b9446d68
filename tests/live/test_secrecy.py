"""Nobody is told what is still in the stock: not its order, not the seed it follows from, in no byte that is sent."""

import random

import httpx
import pytest
from redis import Redis

from service.engine.deal import Given, start
from service.engine.notation import format_deal, parse_deal, parse_rules
from service.engine.rules import PRESETS
from tests.live.client import PATIENCE, Message, guest, place, watching
from tests.live.ear import RUN, Ear

COMMANDS = 60
QUESTIONS = ("hint", "ask")
"""What is asked over HTTP alone."""


@pytest.mark.parametrize("deal", ["secret", "42"])
@pytest.mark.parametrize("rules", PRESETS)
async def test_no_byte_tells_what_is_still_in_the_stock(service: str, redis_url: str, rules: str, deal: str) -> None:
    chance = random.Random(f"{rules} {deal}")
    async with guest(service) as player, httpx.AsyncClient(base_url=service, timeout=PATIENCE) as public:
        created = await player.http.post("/v1/sessions", json={"rules": rules, "deal": deal})
        session, path = created.json(), created.headers["location"]
        ear = Ear.of(redis_url, session, secret=deal == "secret")
        ear.answer(created)
        full = ear.left

        async def read(reader: httpx.AsyncClient, path: str) -> Message:
            answer = await reader.get(path)
            ear.answer(answer)
            return answer.json() if answer.is_success and "json" in answer.headers["content-type"] else {}

        async with watching(service, session, player) as mine, watching(service, session) as theirs:
            for number in range(COMMANDS):
                name, body = command(chance, session)
                if number % 2 and name not in QUESTIONS:
                    kind = "play" if name == "moves" else name
                    await mine.ask(kind, session=session["id"], **body)
                else:
                    ear.answer(await player.http.post(f"{path}/{name}", json=body))
                session = await read(player.http, path)
                for socket in (mine, theirs):
                    await socket.reach(session["seq"])
                    ear.frames(socket)
                for reader in (player.http, public)[: chance.randrange(3)]:
                    for page in ("", "/record", "/history", f"/events?after={max(0, session['seq'] - 3)}"):
                        await read(reader, path + page)
                    if deal == "secret":
                        for page in ("/winnable", "/analysis"):
                            assert (await reader.get(path + page)).status_code == 409
                await read(player.http, "/v1/sessions")
            assert RUN < ear.left < full, "the game got somewhere, and there is something left to hide"

            over = await player.command("resign", session)
            assert over["deal"] == ear.deal, "the deal is told when the game is over"
            assert f'[Deal "{ear.deal}"]' in (await public.get(f"{path}/record")).text.splitlines()


async def test_a_hint_tells_one_step_and_whoever_watches_only_that_it_was_asked_for(service: str) -> None:
    async with guest(service) as player:
        session = await player.deal("secret", winnable=True)
        async with watching(service, session, player) as mine, watching(service, session) as theirs:
            steps = []
            for _ in range(4):
                session = await player.command("hint", session)
                steps.append(session["hint"])
            session = await player.command("ask", session)
            heard = [[await socket.hear() for _ in range(5)] for socket in (mine, theirs)]

    told = [[*step] for step in steps]
    assert told == [["level", "winnable", "place"], ["level", "winnable", "place", "card"], *2 * [[*steps[-1]]]]
    assert [*steps[-1]] == ["level", "winnable", "place", "card", "move"]
    assert {"hint", "winnable"} & {*session} == {"winnable"}
    for events in heard:
        assert [(event["kind"], event["count"], event["move"]) for event in events] == [
            *(("hint", level, None) for level in (1, 2, 3, 3)),
            ("ask", 0, None),
        ]
        assert not any({"hint", "winnable", "place", "card"} & {*event} for event in events)


async def test_what_was_found_of_a_secret_deal_is_no_ones_answer_who_guesses_it(service: str, redis_url: str) -> None:
    async with guest(service) as player, guest(service) as other:
        secret = await player.deal("secret")
        with Redis.from_url(redis_url, decode_responses=True) as control:
            ear = Ear.of(redis_url, secret, secret=True)
            await player.command("ask", secret)
            before = {*control.scan_iter("bc:{a:*")}
            dealt = start(parse_deal(ear.deal), parse_rules("modern"))
            guessed = await other.deal(format_deal(Given(dealt)))
            assert guessed["rows"] == secret["rows"]
            await other.command("ask", guessed)
            after = {*control.scan_iter("bc:{a:*")}

    assert (len(before), len(after)) == (1, 2), "it was looked for again"


async def test_an_ear_would_hear_what_nobody_may_know(service: str, redis_url: str) -> None:
    async with guest(service) as player:
        session = await player.deal("secret")
    ear = Ear.of(redis_url, session, secret=True)
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
            ("hint", place(session)),
            ("ask", place(session)),
        ],
        [20, 1, 2, 1, 2, 2, 1],
    )[0]
