"""How fast the codec is, beside those it was chosen from: `python -m tests.bench.codec`.

What a socket hears and says in one golden game: each `play` is decoded into a message that fits its type, and each
`event` that answers it, with its legal moves, is encoded. The ways take turns, in processor time; each figure is the
median of the rounds. The ratios, of our messages a second over theirs, come last.
"""

import json
import re
from collections.abc import Callable
from functools import cache, partial, reduce
from operator import methodcaller, or_
from statistics import median
from time import process_time
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args

import msgspec
import orjson
from msgspec import inspect
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model

from service.engine.log import crc_of, pack
from service.protocol import messages, shapes
from service.usecases.history import Turn
from service.usecases.views import event_view
from tests.bench.turns import games_of, meta_of
from tests.engine.games import entry_of, win

ROUNDS = 15
REPEATS = 40
OURS = "msgspec"
MISFITS = (
    '{"type": "play", "session": "one", "move": "b1G", "at": "0"}',
    '{"type": "play", "session": "one", "move": "b1G", "at": true}',
    '{"type": "play", "session": "one", "move": "b1G", "at": -1}',
    '{"type": "play", "session": "one", "move": "b1G", "at": 2147483648}',
    '{"type": "play", "session": "one", "move": "b1G", "at": 0, "crc": "8A5D4EC3"}',
    '{"type": "play", "session": "one", "at": 0}',
    '{"type": "play", "session": 1, "move": "b1G", "at": 0}',
    '{"type": "plays", "session": "one", "move": "b1G", "at": 0}',
    '["play", "one", "b1G", 0]',
    '{"type": "play"',
)
"""What every way to decode must refuse."""
_CRC: Final = re.compile("[0-9a-f]{8}").fullmatch


class Way(NamedTuple):
    """One way to do what is measured, and to what."""

    do: Callable[[Any], object]
    to: list[Any]


def by_hand(frame: str) -> messages.Play:
    """The play in a frame that orjson reads; raises ValueError for anything else."""
    message = orjson.loads(frame)
    if type(message) is not dict or message.get("type") != "play":
        raise ValueError("it is no play")
    session, move, at, crc = message.get("session"), message.get("move"), message.get("at"), message.get("crc")
    if type(session) is not str or type(move) is not str:
        raise ValueError("session and move should be texts")
    if type(at) is not int or not 0 <= at < 2**31:
        raise ValueError("at should be a seq")
    if crc is not None and (type(crc) is not str or not _CRC(crc)):
        raise ValueError("crc should be eight hexadecimal digits")
    return messages.Play(session, move, at, crc)


@cache
def model(struct: type[msgspec.Struct]) -> type[BaseModel]:
    """The message as a model of pydantic's, with the same bounds."""
    shape = inspect.type_info(struct)
    assert isinstance(shape, inspect.StructType)
    fields: dict[str, Any] = {
        field.name: (_annotation(field.type), ... if field.required else field.default) for field in shape.fields
    }
    if shape.tag_field:
        fields = {shape.tag_field: (Literal[shape.tag], shape.tag), **fields}
    return create_model(struct.__name__, __config__=ConfigDict(frozen=True, strict=True), **fields)


def _annotation(shape: inspect.Type) -> Any:  # noqa: C901  # one case for each kind of type that the messages have
    match shape:
        case inspect.Metadata(type=bare):
            return _annotation(bare)
        case inspect.IntType(ge=ge, le=le, lt=lt):
            return Annotated[int, Field(ge=ge, le=le, lt=lt)]
        case inspect.StrType(pattern=pattern, max_length=longest):
            return Annotated[str, Field(pattern=pattern, max_length=longest)]
        case inspect.LiteralType(values=values):
            return Literal[values]
        case inspect.BoolType():
            return bool
        case inspect.NoneType():
            return None
        case inspect.UnionType(types=types):
            return reduce(or_, map(_annotation, types))
        case inspect.ListType(item_type=item):
            return list[_annotation(item)]  # type: ignore[misc]  # a type that is made here
        case inspect.TupleType(item_types=items):
            return tuple[tuple(map(_annotation, items))]  # type: ignore[misc]  # the same
        case inspect.DictType(key_type=key, value_type=value):
            return dict[_annotation(key), _annotation(value)]  # type: ignore[misc]  # the same
        case inspect.StructType(cls=cls):
            return model(cls)
        case _:
            raise AssertionError(shape)


def decoders(plays: list[messages.Play]) -> dict[str, Way]:
    """The ways to decode the plays of a client."""
    frames = [messages.encode(play).decode() for play in plays]
    every: Any = Annotated[reduce(or_, map(model, get_args(messages.ClientMessage))), Field(discriminator="type")]
    ways: dict[str, Callable[[str], Any]] = {
        OURS: messages.decode,
        "orjson-by-hand": by_hand,
        "pydantic-model": model(messages.Play).model_validate_json,
        "pydantic-union": TypeAdapter(every).validate_json,
    }
    for decode in ways.values():
        for frame, told in zip(frames, plays, strict=True):
            read = decode(frame)
            members = read.model_dump(exclude={"type"}) if isinstance(read, BaseModel) else msgspec.structs.asdict(read)
            assert members == msgspec.structs.asdict(told)
        for misfit in MISFITS:
            assert refuses(decode, misfit), misfit
    return {name: Way(decode, frames) for name, decode in ways.items()}


def refuses(decode: Callable[[str], object], frame: str) -> bool:
    try:
        decode(frame)
    except ValueError:
        return True
    return False


def encoders(events: list[shapes.Event]) -> dict[str, Way]:
    """The ways to encode events; pydantic and orjson once are given what they are fastest with."""
    texts = list(map(messages.encode, events))
    models = [model(shapes.Event).model_validate_json(text) for text in texts]
    ways = {
        OURS: Way(messages.encode, events),
        "orjson-of-dicts": Way(orjson.dumps, list(map(orjson.loads, texts))),
        "orjson-of-structs": Way(partial(orjson.dumps, default=_members), events),
        "pydantic-model": Way(methodcaller("model_dump_json"), models),
    }
    for encode, values in ways.values():
        for value, text in zip(values, texts, strict=True):
            told: Any = encode(value)
            assert json.loads(told) == json.loads(text)
    return ways


def _members(struct: msgspec.Struct) -> dict[str, Any]:
    """What orjson is to write for a struct, which it does not know."""
    tag = {"type": struct.__struct_config__.tag} if struct.__struct_config__.tag else {}
    return tag | msgspec.structs.asdict(struct)


def microseconds(ways: dict[str, Way]) -> dict[str, float]:
    """What a message costs in each way."""
    rounds = [{name: _seconds(way) for name, way in ways.items()} for _ in range(ROUNDS)]
    return {name: median(one[name] for one in rounds) * 1e6 for name in ways}


def _seconds(way: Way) -> float:
    do, to = way
    begun = process_time()
    for _ in range(REPEATS):
        for one in to:
            do(one)
    return (process_time() - begun) / (REPEATS * len(to))


def main() -> None:
    golden = win("modern", "pysol:1")
    meta, plays, events = meta_of(golden), [], []
    for game, move in zip(games_of(golden), golden.moves, strict=True):
        entry = entry_of(game, move)
        after = game.after(entry, crc_of(pack(entry, game.crc)))
        plays.append(messages.Play(meta.id, move, game.seq, messages.format_crc(game.crc)))
        events.append(event_view(meta, Turn(game, entry, after), 0))
    costs = {"decode": microseconds(decoders(plays)), "encode": microseconds(encoders(events))}
    for task, ways in costs.items():
        print(f"{task:24}{'µs':>8}{'a second':>12}")
        for name, cost in ways.items():
            print(f"  {name:22}{cost:8.2f}{1e6 / cost:12,.0f}")
    for task, ways in costs.items():
        ours = ways.pop(OURS)
        for name, theirs in ways.items():
            print(f"ratio {task}-{name} {theirs / ours:.2f}")


if __name__ == "__main__":
    main()
