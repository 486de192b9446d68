from service.engine import PRESETS, Fill, Rules


def test_the_presets_are_the_four_rule_sets_of_the_literature() -> None:
    assert dict(PRESETS) == {
        "modern": Rules(lateral=True, deep=False, waste=False, people=False, fill=Fill.FORCED),
        "cadogan": Rules(lateral=False, deep=True, waste=True, people=True, fill=Fill.FORCED),
        "cadogan-1914": Rules(lateral=False, deep=True, waste=True, people=False, fill=Fill.FORCED),
        "pysol": Rules(lateral=False, deep=True, waste=True, people=True, fill=Fill.FREE),
    }


def test_modern_is_the_first_preset() -> None:
    assert next(iter(PRESETS)) == "modern"
