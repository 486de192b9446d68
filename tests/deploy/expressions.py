"""What the dashboard and the alerts ask of Prometheus."""

import json
import re
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

OBSERVE: Final = Path(__file__).parents[2] / "deploy/observe"
DASHBOARD: Final = OBSERVE / "grafana/dashboards/constitution.json"
ALERTS: Final = OBSERVE / "alerts.yml"

Known = dict[str, Any]

_COMPARISON: Final = re.compile(r'"[^"]*"|\{[^}]*\}|(==|!=|<=|>=|<|>)')
"""A comparison, apart from what looks like one in a text or in a selector."""
_VARIABLES: Final = {"$instance": ".+", "$__rate_interval": "2m"}


class Expression(NamedTuple):
    """An expression and whose it is."""

    name: str
    text: str


def by_name(expression: Expression) -> str:
    """How a test of an expression is called."""
    return expression.name


def dashboard() -> Known:
    known: Known = json.loads(DASHBOARD.read_text())
    return known


def alert_groups() -> list[Known]:
    groups: list[Known] = yaml.safe_load(ALERTS.read_text())["groups"]
    return groups


def alerts() -> list[Known]:
    return [rule for group in alert_groups() for rule in group["rules"]]


def judged(text: str) -> str:
    """An expression that answers how it judges, 0 or 1, where the original answers only if it is true.

    It has an answer if and only if there is something to judge: all its operands have data.
    """
    return _COMPARISON.sub(lambda found: found[0] + " bool" if found[1] else found[0], text)


def of_dashboard() -> list[Expression]:
    """What panels and marks ask, with values for the variables."""
    known = dashboard()
    asked = [
        Expression(f"{panel['title']} {target['refId']}", target["expr"])
        for panel in known["panels"]
        for target in panel.get("targets", ())
    ]
    marks = [Expression(one["name"], one["target"]["expr"]) for one in known["annotations"]["list"] if "target" in one]
    return [Expression(name, _filled(text)) for name, text in asked + marks]


def of_alerts() -> list[Expression]:
    """What alerts ask, so that it has an answer when all is well, too."""
    return [Expression(rule["alert"], judged(rule["expr"])) for rule in alerts()]


def _filled(text: str) -> str:
    for name, value in _VARIABLES.items():
        text = text.replace(name, value)
    assert "$_" not in text, f"a variable without a value: {text}"
    return text
