from service.engine.piles import GOVERNMENT, PEOPLE, PEOPLE_START, PLACE_NAMES, ROWS, STOCK, TABLEAU, WASTE, row_of


def test_places_are_named_row_by_row_from_the_privy_council() -> None:
    assert " ".join(PLACE_NAMES) == (
        "a1 b1 c1 d1 e1 f1 g1 h1 a2 b2 c2 d2 e2 f2 g2 h2 a3 b3 c3 d3 e3 f3 g3 h3 a4 b4 c4 d4 e4 f4 g4 h4 W S G"
    )
    assert [PLACE_NAMES[place] for place in (WASTE, STOCK, GOVERNMENT)] == ["W", "S", "G"]


def test_each_row_has_eight_places() -> None:
    assert [place for row in ROWS for place in row] == list(TABLEAU)
    assert [[row_of(place) for place in row] for row in ROWS] == [[row] * 8 for row in range(4)]


def test_the_people_are_the_last_row() -> None:
    assert ROWS[PEOPLE][0] == PEOPLE_START
