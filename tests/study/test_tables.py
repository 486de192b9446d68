"""The table of a study: what is written is read again, and what is none is refused."""

from pathlib import Path

import pytest

from service.solver.certify import Difficulty
from service.study.tables import adding, read, write
from service.study.trials import Trial

WON = Trial(2, "modern", "won", 144, 863, None, ("f2f1", "a3f2", "a4a3"))
GRADED = Trial(1, "modern", "won", 150, 900, Difficulty.FIERCE, ("S", "Wb4", "f1G"))
LOST = Trial(3, "modern", "unwinnable", 1)
OPEN = Trial(4, "modern", "gave_up", 100)
HEAD = "deal,rules,result,nodes,moves,tempo,grade,line\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "modern.csv"


def test_a_table_is_read_as_it_was_written_in_the_order_of_deals(path: Path) -> None:
    write(path, [OPEN, WON, LOST, GRADED])

    assert list(read(path).values()) == [GRADED, WON, LOST, OPEN]
    assert path.read_text() == HEAD + (
        "1,modern,won,150,3,900,fierce,S Wb4 f1G\n"
        "2,modern,won,144,3,863,,f2f1 a3f2 a4a3\n"
        "3,modern,unwinnable,1,,,,\n"
        "4,modern,gave_up,100,,,,\n"
    )


def test_what_is_added_later_counts(path: Path) -> None:
    write(path, [WON, OPEN])
    with adding(path) as add:
        add(OPEN._replace(nodes=200))

    assert read(path) == {2: WON, 4: OPEN._replace(nodes=200)}


def test_there_is_nothing_where_there_is_no_file(path: Path) -> None:
    assert read(path) == {}


def test_a_table_that_is_cut_off_anywhere_has_its_whole_lines(path: Path) -> None:
    write(path, [WON, LOST])
    whole = path.read_text()
    for end in range(len(whole) + 1):
        path.write_text(whole[:end])
        rows = max(0, whole[:end].count("\n") - 1)
        assert list(read(path).values()) == [WON, LOST][:rows]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a poem\n", "line 1 is not the head"),
        (HEAD + "one,modern,won,1,1,1,,a1G\n", "line 2 is not a row"),
        (HEAD + "1,modern,lost,1,,,,\n", "line 2 is not a row"),
        (HEAD + "1,modern,won,1,1,1,easy,a1G\n", "line 2 is not a row"),
        (HEAD + "1,modern,gave_up,1,,,,\n\n", "line 3 is not a row"),
        (HEAD + "1,modern,gave_up,1,,,,,\n", "line 2 is not a row"),
        (HEAD + "\u0661,modern,gave_up,1,,,,\n", "line 2 is not a row"),
    ],
)
def test_what_is_no_table_is_refused_with_the_line(text: str, line: str, path: Path) -> None:
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=line):
        read(path)
