"""The command `constitution`. It exits with 0 when it did what was asked, 2 for bad input, 1 for anything else.

`serve` and `worker` have done what was asked when they are told to stop, by SIGTERM or Ctrl-C.
"""

import argparse
import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any, Final, NoReturn, TypeAlias

import msgspec
from pydantic import ValidationError

from service import __version__, secrets_folder
from service.app import check_session, contract, serve, work
from service.demo import DemoFailed, demo
from service.engine.deal import NUMBERS, Deal, Given, dealt
from service.engine.game import Game
from service.engine.log import HINT_LEVELS, Entry
from service.engine.moves import perft
from service.engine.notation import (
    format_card,
    format_deal,
    format_position,
    format_rules,
    parse_deal,
    parse_move,
    parse_rules,
)
from service.engine.rules import PRESETS
from service.operations import BrokenCommitment, add_commands
from service.ports import StoreUnavailable
from service.settings import Settings, table
from service.solver.results import RESULTS, GaveUp, Unwinnable, Won
from service.solver.solve import solve
from service.store import embedded
from service.study import runs as study
from service.study.trials import Disagreement
from service.usecases.errors import BadAddress, UseCaseError
from service.usecases.views import board_of, hint_view
from service.web import asyncapi

OK: Final = 0
FAILED: Final = 1
BAD_INPUT: Final = 2
INTERRUPTED: Final = 130
"""What a shell makes of an end by Ctrl-C."""
MAX_DEPTH: Final = 20
BUDGET: Final = 100_000
MAX_DIGITS: Final = 12
WINNABLE: Final = {Won: True, Unwinnable: False, GaveUp: None}
MOST_DEALS: Final = 1_000_000
MAX_PROCESSES: Final = 256


Add: TypeAlias = Callable[..., argparse.ArgumentParser]
"""Adds a command by its name and its help."""


class _Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{self.prog}: {' '.join(message.split())}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and answers with its exit status."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
    except ValidationError as error:
        return _fail(BAD_INPUT, "; ".join(f"{one['loc'][0]}: {one['msg']}" for one in error.errors()))
    except (ValueError, BadAddress) as error:  # a text that is not what it should be, or a URL
        return _fail(BAD_INPUT, error)
    except (
        embedded.EmbeddedError,
        UseCaseError,
        StoreUnavailable,
        DemoFailed,
        Disagreement,
        BrokenCommitment,
        OSError,
    ) as error:
        return _fail(FAILED, error)
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def _fail(status: int, error: Exception | str) -> int:
    print("constitution:", " ".join(str(error).split()), file=sys.stderr)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="constitution", description="The two-pack patience British Constitution, as a service.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_service(commands.add_parser)
    add_commands(commands.add_parser)
    _add_play(commands.add_parser)
    return parser


def _add_service(add: Add) -> None:
    """The commands about the service and what it keeps."""
    command = add("serve", help="run the service, with an embedded server unless REDIS_URL is set")
    command.add_argument("--host", help="the address to listen on; else HOST, or 127.0.0.1")
    command.add_argument("--port", type=int, help="the port to listen on; else PORT, or 8000")
    command.set_defaults(run=_serve)

    command = add("worker", help="solve for services whose SOLVERS is 0, on the same Redis")
    command.add_argument("--processes", type=_processes, metavar="P", help="else one for each processor")
    command.set_defaults(run=_worker)

    command = add("demo", help="play a whole game against a running service, and watch it")
    command.add_argument("--url", help="the service; else the one that PORT, or 8000, names on this machine")
    command.add_argument("--pace", type=float, default=20, help="moves a second, 0 for as fast as it goes")
    command.set_defaults(run=_demo)

    command = add("verify", help="replay a stored session and print its record")
    command.add_argument("session", help="its id")
    command.set_defaults(run=_verify)

    command = add("secrets", help="make the passwords that a folder lacks, for the containers that mount it")
    command.add_argument("folder", type=Path, help="the folder")
    command.set_defaults(run=_secrets)

    command = add("settings", help="print what can be set, as a table")
    command.set_defaults(run=_settings)

    command = add("openapi", help="print the HTTP contract")
    command.set_defaults(run=_openapi)

    command = add("asyncapi", help="print the sockets' contract")
    command.set_defaults(run=_asyncapi)


def _add_play(add: Add) -> None:
    """The commands about the game, which need no service."""
    command = add("deal", help="print a deal's 80 cards in dealing order")
    command.add_argument("deal", help="as 42, pysol:42, pysol:ms42 or seed:…")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=_deal)

    command = add("legal", help="print a position and its legal moves")
    _add_position(command)
    command.add_argument("--json", action="store_true", help="as a session has it")
    command.set_defaults(run=_legal)

    command = add("perft", help="count the lines of legal moves, depth by depth")
    _add_position(command)
    command.add_argument("--depth", type=int, choices=range(1, MAX_DEPTH + 1), metavar="N", required=True)
    command.set_defaults(run=_perft)

    command = add("solve", help="say whether a position can be won, and how")
    _add_position(command)
    command.add_argument("--budget", type=_nodes, default=BUDGET, metavar="N", help=f"nodes at most; else {BUDGET}")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=_solve)

    command = add("hint", help="say what to move in a position: where, which card, or the whole move")
    _add_position(command)
    command.add_argument("--step", type=int, choices=HINT_LEVELS, default=HINT_LEVELS[-1], help="how much to say")
    command.add_argument("--budget", type=_nodes, default=BUDGET, metavar="N", help=f"nodes at most; else {BUDGET}")
    command.add_argument("--json", action="store_true", help="as a session has it")
    command.set_defaults(run=_hint)

    command = add("study", help="solve many deals, check the answers, and sum them up")
    command.add_argument("--rules", default="modern", help=", ".join(PRESETS))
    command.add_argument("--deals", type=_deals, required=True, metavar="A..B", help="the numbers of the deals")
    command.add_argument("--budget", type=_nodes, default=BUDGET, metavar="N", help=f"nodes a deal; else {BUDGET}")
    command.add_argument(
        "--grade", action="store_true", help="also how hard each is, and by swifter lines; takes longer"
    )
    command.add_argument("--processes", type=_processes, metavar="P", default=1, help="else one")
    command.add_argument("--out", type=Path, default=Path("study"), metavar="FOLDER", help="else the folder study")
    command.set_defaults(run=_study)


def _add_position(command: argparse.ArgumentParser) -> None:
    command.add_argument("--rules", default="modern", help=", ".join(PRESETS))
    command.add_argument("--deal", required=True, help="as 42, pysol:42, pysol:ms42, seed:… or position:…")
    command.add_argument("--moves", default="", help="moves to play first, with spaces between")


def _nodes(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS and int(text)):
        raise argparse.ArgumentTypeError("there should be a number of nodes, 1 or more")
    return int(text)


def _processes(text: str) -> int:
    if text not in map(str, range(1, MAX_PROCESSES + 1)):
        raise argparse.ArgumentTypeError(f"there should be a number from 1 to {MAX_PROCESSES}")
    return int(text)


def _deals(text: str) -> range:
    match = re.fullmatch(r"([0-9]{1,20})\.\.([0-9]{1,20})", text)
    first, last = map(int, match.groups()) if match else (1, 0)
    if not (first <= last in NUMBERS and last - first < MOST_DEALS):
        raise argparse.ArgumentTypeError(f"there should be numbers of deals, as 1..2000, and {MOST_DEALS} at most")
    return range(first, last + 1)


def _game(options: argparse.Namespace) -> Game:
    """The game that --rules, --deal and --moves describe."""
    game = Game.begin(parse_deal(options.deal), parse_rules(options.rules))
    for text in options.moves.split():
        move = parse_move(text)
        game = game.after(Entry(game.kind_of(move), move=move), game.crc)
    return game


def _legal(options: argparse.Namespace) -> int:
    game = _game(options)
    position = format_position(game.position)
    board = msgspec.to_builtins(board_of(game, game.legal))
    if options.json:
        print(json.dumps({**board, "position": position}))
    else:
        print(position)
        print(board["status"], *(move["move"] for move in board["legal"]))
    return OK


def _perft(options: argparse.Namespace) -> int:
    game = _game(options)
    for depth in range(1, options.depth + 1):
        print(depth, perft(game.position, game.rules, depth), flush=True)
    return OK


def _solve(options: argparse.Namespace) -> int:
    game = _game(options)
    answer = solve(game.position, game.rules, options.budget)
    result, line = RESULTS[type(answer)], [str(move) for move in answer.line] if isinstance(answer, Won) else []
    if options.json:
        print(json.dumps({"result": result, "nodes": answer.nodes, "line": line}))
    else:
        print(result, answer.nodes)
        if line:
            print(*line)
    return OK


def _hint(options: argparse.Namespace) -> int:
    game = _game(options)
    answer = solve(game.position, game.rules, options.budget)
    move = next(iter(answer.line), None) if isinstance(answer, Won) else None
    hint = msgspec.to_builtins(hint_view(options.step, WINNABLE[type(answer)], move, game.position))
    print(
        json.dumps(hint) if options.json else " ".join(text for name, text in hint.items() if text and name != "level")
    )
    return OK


def _study(options: argparse.Namespace) -> int:
    rules = format_rules(parse_rules(options.rules))
    plan = study.Plan(rules, options.deals, options.budget, options.grade, options.processes)
    print(study.run(plan, options.out), end="")
    return OK


def _deal(options: argparse.Namespace) -> int:
    deal: Deal = parse_deal(options.deal)
    if isinstance(deal, Given):
        return _fail(BAD_INPUT, ValueError("a position is not dealt: it has no dealing order"))
    cards = [format_card(card) for card in dealt(deal)]
    print(json.dumps({"deal": format_deal(deal), "cards": cards}) if options.json else " ".join(cards))
    return OK


def _serve(options: argparse.Namespace) -> int:
    given: dict[str, Any] = {"host": options.host, "port": options.port}
    settings = Settings(**{name: value for name, value in given.items() if value is not None})
    store = nullcontext(settings.store_url) if settings.redis_url else embedded.server(settings.data)
    # uvicorn stops at either signal, and then raises it again.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt), store as url:
        return serve(settings, url)
    return OK


def _worker(options: argparse.Namespace) -> int:
    settings = Settings()
    store = nullcontext(settings.store_url) if settings.redis_url else embedded.reached(settings.data)
    with store as url:
        return work(settings, url, options.processes or os.cpu_count() or 1)


def _demo(options: argparse.Namespace) -> int:
    asyncio.run(demo(options.url or f"http://127.0.0.1:{Settings().port}", options.pace))
    return OK


def _verify(options: argparse.Namespace) -> int:
    settings = Settings()
    store = nullcontext(settings.store_url) if settings.redis_url else embedded.reached(settings.data)
    with store as url:
        print(asyncio.run(check_session(settings, url, options.session)), end="")
    return OK


def _secrets(options: argparse.Namespace) -> int:
    for name in secrets_folder.fill(options.folder):
        print(f"{options.folder / name} is new")
    return OK


def _settings(_: argparse.Namespace) -> int:
    print(*table(), sep="\n")
    return OK


def _asyncapi(_: argparse.Namespace) -> int:
    print(json.dumps(asyncapi.contract(), indent=2, ensure_ascii=False))
    return OK


def _openapi(_: argparse.Namespace) -> int:
    print(json.dumps(contract(), indent=2, ensure_ascii=False))
    return OK


if __name__ == "__main__":
    sys.exit(main())
