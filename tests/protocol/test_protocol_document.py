"""What the protocol's document says is so."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.protocol import messages
from service.protocol.close import Close
from service.protocol.connection import REQUEST_LIMIT, TOPIC_LIMIT
from service.protocol.messages import ClientMessage, ServerMessage
from service.serving import MAX_FRAME
from service.usecases.commands import MAX_ENTRIES
from service.usecases.players import TICKET_SECONDS
from service.usecases.views import MISSED_LIMIT
from service.web.driver import HELLO_SECONDS, STALL_SECONDS

DOCUMENT = Path(messages.__file__).with_name("PROTOCOL.md").read_text("utf-8")
CHAPTERS = {chapter.partition("\n")[0]: chapter for chapter in DOCUMENT.split("\n## ")[1:]}


def examples(chapter: str) -> list[tuple[str, str]]:
    """Every example of a chapter, with the name of the message under which it stands."""
    return [
        (name, example)
        for name, section in re.findall(r"^### `(\w+)`\n(.*?)(?=^### |\Z)", CHAPTERS[chapter], re.DOTALL | re.MULTILINE)
        for example in re.findall(r"^```json\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    ]


def rows(chapter: str) -> list[list[str]]:
    """The cells of the table in a chapter."""
    table = [line.strip("|").split("|") for line in CHAPTERS[chapter].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line] for line in table[2:]]


def names(union: Any) -> set[str]:
    return {message.__struct_config__.tag for message in union.__args__}


@pytest.mark.parametrize(
    ("chapter", "union", "name", "example"),
    [
        pytest.param(chapter, union, name, example, id=name)
        for chapter, union in [("What a client says", ClientMessage), ("What the server says", ServerMessage)]
        for name, example in examples(chapter)
    ],
)
def test_an_example_is_the_message_under_which_it_stands(chapter: str, union: Any, name: str, example: str) -> None:
    message = msgspec.json.decode(example, type=union)

    assert json.loads(example)["type"] == name
    assert json.loads(messages.encode(message)).items() >= json.loads(example).items()


def test_every_message_is_there_with_an_example() -> None:
    assert {name for name, _ in examples("What a client says")} == names(ClientMessage)
    assert {name for name, _ in examples("What the server says")} == names(ServerMessage)


def test_every_fenced_object_is_an_example() -> None:
    shown = [*examples("What a client says"), *examples("What the server says")]

    assert DOCUMENT.count("```json") == len(shown)


def test_the_conversation_is_made_of_messages_by_who_says_them() -> None:
    [conversation] = re.findall(r"^```text\n(.*?)^```$", CHAPTERS["Connecting"], re.DOTALL | re.MULTILINE)
    said = [(line[0], re.findall(r'"type":"(\w+)"', line)[0]) for line in conversation.splitlines()]

    assert {kind for arrow, kind in said if arrow == "→"} <= names(ClientMessage)
    assert {kind for arrow, kind in said if arrow == "←"} <= names(ServerMessage)
    assert [kind for _, kind in said] == ["hello", "welcome", "snapshot", "play", "event", "ack"]


def test_the_close_codes_are_those_of_the_server() -> None:
    assert [row[:3] for row in rows("Close codes")] == [
        [str(code.value), f"`{code.name.lower()}`", "yes" if code.come_back else "no"] for code in Close
    ]


def test_the_limits_are_those_of_the_server() -> None:
    assert {what: int(limit) for what, limit, _ in rows("Limits")} == {
        "Bytes in a frame of yours": MAX_FRAME,
        "Seconds until the hello": HELLO_SECONDS,
        "Seconds that a ticket is good": TICKET_SECONDS,
        "Sessions and boards on a socket": TOPIC_LIMIT,
        "Messages of yours that wait to be carried out": REQUEST_LIMIT,
        "Seconds that you may read nothing, where much waits": STALL_SECONDS,
        "Entries that are sent one by one": MISSED_LIMIT,
        "Entries in a log": MAX_ENTRIES,
    }
