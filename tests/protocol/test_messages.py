"""The shapes on the wire are those that clients were promised, and no text breaks the decoder."""

import json
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from service.protocol import messages, people, shapes
from service.protocol.messages import BadMessage, ClientMessage, ServerMessage
from tests.protocol.wire import FROM_CLIENT, FROM_SERVER, SESSION_TEXT

FUZZED = 100_000

# What the design promises of a session, with its dots filled in.
PROMISED_SESSION = """
{"id": "0b", "rules": "modern", "deal": "pysol:1", "mode": "solo", "secret": false,
 "seq": 17, "crc": "9a0b12ff", "status": "playing",
 "rows": [["9D", "2H", "2S", "JS", "7S", "5D", "4D", "4D"], ["9S8D", "", "", "", "", "", "", ""]],
 "foundations": [1, 1, 1, 1, 1, 1, 1, 1], "stock": 48, "waste": "", "must_fill": null,
 "legal": [{"move": "d1G", "kind": "promote", "reveals": true}],
 "points": {"total": 0, "promoted": 0, "tempo": 0, "assists": 0, "won": false},
 "can_undo": false, "can_redo": false, "seats": [{"seat": 0, "player": "9c", "name": "Quiet Heron"}], "you": 0}
"""
PROMISED_EVENT = """
{"type":"event","session":"ID","seq":22,"crc":"9a0b12ff","seat":0,"kind":"build","move":"c2f1",
 "revealed":[["a4","7H"]],"must_fill":"c2","status":"playing",
 "points":{"total":0,"promoted":0,"tempo":0,"assists":0,"won":false},
 "legal":[{"move":"d1G","kind":"promote","reveals":true}]}
"""


def there_and_back(promised: dict[str, Any], shape: type[msgspec.Struct]) -> Any:
    """What the codec makes of an object that it read as the shape."""
    return json.loads(messages.encode(msgspec.json.decode(json.dumps(promised), type=shape)))


@pytest.mark.parametrize(("message", "text"), [*FROM_CLIENT, *FROM_SERVER])
def test_a_message_is_this_text_on_the_wire(message: msgspec.Struct, text: str) -> None:
    assert messages.encode(message).decode() == text


@pytest.mark.parametrize(("message", "text"), FROM_CLIENT)
def test_a_client_s_text_is_read_as_its_message(message: ClientMessage, text: str) -> None:
    assert messages.decode(text) == message


@pytest.mark.parametrize(("message", "text"), FROM_SERVER)
def test_a_server_s_text_is_read_as_its_message(message: ServerMessage, text: str) -> None:
    assert msgspec.json.decode(text, type=ServerMessage) == message


def test_every_message_has_its_example() -> None:
    assert {type(message) for message, _ in FROM_CLIENT} == set(ClientMessage.__args__)
    assert {type(message) for message, _ in FROM_SERVER} == set(ServerMessage.__args__)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"type":"hello","v":1}', messages.Hello(1, None, None, None)),
        ('{"type":"sub","topic":"session:ID"}', messages.Sub("session:ID", None, None)),
        ('{"type":"play","session":"ID","move":"S","at":0}', messages.Play("ID", "S", 0, None)),
        ('{"type":"undo","session":"ID","at":1}', messages.Undo("ID", 1, None, "group")),
        ('{"type":"redo","session":"ID","at":1}', messages.Redo("ID", 1, None, "group")),
        (' {"v" : 1, "later": [{}], "type":"hello"} ', messages.Hello(1)),
    ],
)
def test_what_a_client_may_leave_out_or_add_changes_nothing(text: str, message: ClientMessage) -> None:
    assert messages.decode(text) == message


def test_a_refusal_leaves_out_what_does_not_apply() -> None:
    assert messages.encode(messages.Refused("bad_request", "No.")) == (
        b'{"type":"refused","code":"bad_request","detail":"No."}'
    )


def test_a_session_is_as_the_design_promises() -> None:
    ours = {
        "spectators": True,
        "created_at": "2026-11-01T09:30:00.000Z",
        "capacity": 1,
        "invite": None,
        "turn": None,
    }
    promised = json.loads(PROMISED_SESSION) | ours

    assert there_and_back(promised, shapes.Session) == promised


def test_an_event_is_as_the_design_promises() -> None:
    ours = {"time": 42, "count": 0, "piles": {"f1": "9S8D"}, "foundations": [1], "stock": 47, "waste": ""}
    promised = json.loads(PROMISED_EVENT) | ours | {"turn": None, "can_undo": True, "can_redo": False}

    assert there_and_back(promised, shapes.Event) == promised


@pytest.mark.parametrize(
    ("shape", "promised"),
    [
        (people.Player, {"id": "9c", "name": "Quiet Heron", "token": "bb", "recovery_code": "7KQ2M", "bot": False}),
        (people.Ticket, {"ticket": "62", "expires_in": 30}),
        (shapes.Events, {"events": []}),
        (shapes.Events, {"reset": json.loads(SESSION_TEXT)}),
    ],
)
def test_an_answer_over_http_is_as_the_design_promises(shape: type[msgspec.Struct], promised: dict[str, Any]) -> None:
    assert there_and_back(promised, shape) == promised


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Input data was truncated"),
        ("null", "Expected `object`, got `null`"),
        ("{}", "Object missing required field `type`"),
        ('{"type":"shout"}', "Invalid value 'shout' - at `$.type`"),
        ('{"type":"welcome","v":1,"now":0,"ping":20}', "Invalid value 'welcome' - at `$.type`"),
        ('{"type":"hello"}', "Object missing required field `v`"),
        ('{"type":"hello","v":"1"}', "Expected `int`, got `str` - at `$.v`"),
        ('{"type":"sub","topic":"match:ID"}', "Expected `str` matching regex '^(session|board):.' - at `$.topic`"),
        ('{"type":"play","session":"ID","move":"S","at":-1}', "Expected `int` >= 0 - at `$.at`"),
        ('{"type":"play","session":"ID","move":"S","at":2147483648}', "Expected `int` <= 2147483647 - at `$.at`"),
        ('{"type":"ping"}x', "JSON is malformed: trailing characters (byte 16)"),
        ('{"type":"\ud800"}', "'utf-8' codec can't encode character '\\ud800' in position 9: surrogates not allowed"),
        (b'{"type":"ping"}', "the protocol has text frames only"),
    ],
)
def test_a_frame_that_is_no_message_is_told_what_is_wrong(text: str | bytes, why: str) -> None:
    with pytest.raises(BadMessage) as caught:
        messages.decode(text)

    assert str(caught.value) == why


def test_what_is_wrong_is_told_in_few_words() -> None:
    with pytest.raises(BadMessage) as caught:
        messages.decode('{"type":"' + 16_000 * "x" + '"}')

    assert str(caught.value) == "Invalid value '" + 185 * "x"


def test_a_checksum_is_eight_digits_both_ways() -> None:
    assert (messages.format_crc(0x9A0B12F), messages.parse_crc("09a0b12f")) == ("09a0b12f", 0x9A0B12F)


def test_a_topic_is_a_session_both_ways() -> None:
    assert (messages.topic_of("ID"), messages.session_of("session:ID")) == ("session:ID", "ID")


def test_no_text_does_more_than_be_refused() -> None:
    refused = 0
    for text in mangled(random.Random(80), FUZZED):
        try:
            messages.decode(text)
        except BadMessage as error:
            refused += 1
            messages.encode(messages.Refused("bad_request", str(error)))

    assert FUZZED // 2 < refused < FUZZED


def mangled(chance: random.Random, count: int) -> Iterator[str]:
    """Texts: most are messages that something happened to, some are noise, a few are very deep."""
    valid = [text for _, text in FROM_CLIENT]
    characters = [*'{}[]",:\\ue+-.0123456789tfn \n\x00', "\ud800", "\udfff", "\ud83d\ude00", "\uffff", "é", "\ufeff"]
    for number in range(count):
        text = chance.choice(valid)
        at = chance.randrange(len(text))
        match number % 8:
            case 0:
                yield text[:at]
            case 1:
                yield text[:at] + chance.choice(characters) + text[at:]
            case 2:
                yield text[:at] + chance.choice(characters) + text[at + 1 :]
            case 3:
                yield text[:at] + chance.choice(valid)[chance.randrange(15) :]
            case 4:
                yield text.replace(chance.choice(["1", "17", "21"]), chance.choice(["-0", "1e999", "9" * 400, "NaN"]))
            case 5:
                yield "".join(chr(chance.randrange(0x110000)) for _ in range(chance.randrange(12)))
            case 6:
                yield "".join(chance.choices(characters, k=chance.randrange(30)))
            case _:
                deep = 5000 if number % 1000 == 7 else 3
                yield text[:-1] + ',"more":' + deep * chance.choice(["[", '{"a":']) + chance.choice(["]", "}"]) * deep
