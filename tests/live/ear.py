"""Hears every byte that is sent to somebody, and objects to what nobody may know yet of a deal."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Self

import httpx
from redis import Redis

from service.engine.deal import start
from service.engine.notation import format_card, parse_deal, parse_rules
from service.store.redis import keys
from tests.live.client import Message, Socket

RUN = 3
"""Cards in dealing order that are no accident."""
SHOWN = {"rows", "piles", "waste", "revealed"}
"""The members that show cards; what they show is checked card by card."""
PACKS = Counter(2 * [rank + suit for rank in "23456789TJ" for suit in "CSHD"])


class Ear:
    """`deal` and `stock` are what only the store knows; `left` is the fewest cards that the stock came to."""

    def __init__(self, deal: str, rules: str, secret: bool) -> None:
        self.deal, self._secret = deal, secret
        self.stock = [format_card(card) for card in start(parse_deal(deal), parse_rules(rules)).stock]
        self.left = len(self.stock)
        self._boards: dict[tuple[str, int], Message] = {}

    @classmethod
    def of(cls, redis_url: str, session: Message, secret: bool) -> Self:
        """One for a session, whose deal the store tells."""
        with Redis.from_url(redis_url, decode_responses=True) as control:
            return cls(control.hget(keys.session_meta(session["id"]), "deal") or "", session["rules"], secret)

    def answer(self, answer: httpx.Response) -> None:
        """Hears a whole answer over HTTP."""
        head = "".join(f"{name}: {value}\n" for name, value in answer.headers.items())
        self._hear(head, None)
        is_json = "json" in answer.headers.get("content-type", "")
        self._hear(answer.text, answer.json() if is_json else None)

    def frames(self, socket: Socket) -> None:
        """Hears every frame that has come by now."""
        while socket.heard:
            text = socket.heard.pop(0)
            self._hear(text, json.loads(text))

    def message(self, message: Message) -> None:
        """Hears a message that somebody might send."""
        self._hear(json.dumps(message), message)

    def _hear(self, text: str, message: Any) -> None:
        for part in parts(message):
            if shows_cards(part):
                self._see(part)
            for name, value in part.items():
                if re.search("stock|talon|deck|seed|undealt", name):
                    assert (name, type(value)) == ("stock", int)
        assert "position:" not in text
        if self._secret:
            assert self.deal.removeprefix("seed:") not in text
        unseen = self.stock[-self.left :]
        said = re.sub("[^0-9A-Za-z]", "", text if message is None else "".join(values(message)))
        runs = ["".join(unseen[at : at + RUN]) for at in range(len(unseen) - RUN + 1)]
        assert not [run for run in runs if run in said]

    def _see(self, part: Message) -> None:
        """Checks that a session or an event shows just the cards that are in play at its place."""
        session, seq = str(part.get("session", part.get("id"))), part["seq"]
        board = {name: part[name] for name in ("waste", "foundations", "stock")}
        board["rows"] = (
            part["rows"] if "rows" in part else changed(self._boards[session, seq - 1]["rows"], part["piles"])
        )
        self.left = min(self.left, board["stock"])
        undealt = self.stock[len(self.stock) - board["stock"] :]
        shown = re.findall("..", "".join([*(pile for row in board["rows"] for pile in row), board["waste"]]))
        promoted = [
            rank + suit
            for suit, top in zip("CCSSHHDD", board["foundations"], strict=True)
            for rank in "23456789TJ"[: top - 1]
        ]
        assert Counter([*shown, *promoted, *undealt]) == PACKS
        assert self._boards.setdefault((session, seq), board) == board
        for _, card in part.get("revealed", []):
            assert card == self.stock[len(self.stock) - board["stock"] - 1]


def parts(message: Any) -> Iterator[Message]:
    """Every object in a message."""
    if isinstance(message, dict):
        yield message
        message = list(message.values())
    if isinstance(message, list):
        for part in message:
            yield from parts(part)


def shows_cards(part: Message) -> bool:
    """Whether it is a session or an event, and not a leaderboard, whose rows are objects."""
    return "piles" in part or any(isinstance(row, list) for row in part.get("rows", []))


def values(message: Any) -> Iterator[str]:
    """Every text in a message, but those that show cards."""
    match message:
        case str():
            yield message
        case dict():
            for name, value in message.items():
                yield from () if name in SHOWN and (name != "rows" or shows_cards(message)) else values(value)
        case list():
            for part in message:
                yield from values(part)


def changed(rows: list[list[str]], piles: dict[str, str]) -> list[list[str]]:
    """The rows with these piles in them."""
    return [[piles.get(f"{'abcdefgh'[c]}{r}", pile) for c, pile in enumerate(row)] for r, row in enumerate(rows, 1)]
