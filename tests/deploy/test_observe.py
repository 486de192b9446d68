"""The dashboard and the alerts: well made, and everything that they ask has an answer from real replicas."""

import json
import re
import subprocess
from typing import Any

import pytest
import yaml

from tests.deploy.expressions import (
    ALERTS,
    DASHBOARD,
    OBSERVE,
    alerts,
    dashboard,
)

SEVERITIES = {"critical", "warning"}
README = OBSERVE.parent / "README.md"
WIDTH = 24
"""Columns of Grafana's grid."""

panels: list[dict[str, Any]] = dashboard()["panels"]
shown = [panel for panel in panels if panel["type"] != "row"]


def promtool(*arguments: str) -> str:
    """What it prints; a mistake of ours fails the test."""
    done = subprocess.run(["promtool", *arguments], cwd=OBSERVE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def by_title(panel: dict[str, Any]) -> str:
    title: str = panel["title"]
    return title


def by_name(rule: dict[str, Any]) -> str:
    name: str = rule["alert"]
    return name


def test_prometheus_takes_the_configuration() -> None:
    assert "SUCCESS" in promtool("check", "config", "--syntax-only", "prometheus.yml")


def test_prometheus_takes_the_rules() -> None:
    assert f"{len(alerts())} rules found" in promtool("check", "rules", ALERTS.name)


def test_each_alert_fires_when_it_should_and_not_before() -> None:
    assert "SUCCESS" in promtool("test", "rules", "alerts.test.yml")


def test_the_rules_tests_have_every_alert_fire_and_be_silent() -> None:
    fires, silent = set[str](), set[str]()
    for one in yaml.safe_load((OBSERVE / "alerts.test.yml").read_text())["tests"]:
        for asked in one["promql_expr_test"]:
            assert asked["expr"] == f'ALERTS{{alertname="{one["name"]}", alertstate="firing"}}'
            (fires if asked.get("exp_samples") else silent).add(one["name"])

    assert fires == silent == {rule["alert"] for rule in alerts()}


@pytest.mark.parametrize("rule", alerts(), ids=by_name)
def test_an_alert_says_how_bad_it_is_what_it_means_and_where_help_is(rule: dict[str, Any]) -> None:
    said = rule["annotations"]

    assert rule["labels"]["severity"] in SEVERITIES
    assert said.keys() == {"summary", "description", "runbook"}
    assert not said["summary"].endswith(".")
    assert said["description"].endswith(".")
    assert said["runbook"] == f"deploy/README.md#{rule['alert'].lower()}"


def test_the_operators_pages_say_of_each_alert_what_to_do() -> None:
    explained = re.findall(r"^#### (\w+)\n(?=\S)", README.read_text(), re.MULTILINE)

    assert explained == [rule["alert"] for rule in alerts()]


def test_the_dashboard_is_written_in_an_order_that_makes_changes_readable() -> None:
    assert DASHBOARD.read_text() == json.dumps(dashboard(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


@pytest.mark.parametrize("panel", shown, ids=by_title)
def test_a_panel_says_what_it_shows_and_in_what_unit(panel: dict[str, Any]) -> None:
    assert panel["title"]
    assert panel["description"].endswith(".")
    assert panel["fieldConfig"]["defaults"]["unit"]
    assert panel["datasource"] == {"type": "prometheus", "uid": "${datasource}"}
    assert all(target["expr"] and target["legendFormat"] for target in panel["targets"])
    references = [target["refId"] for target in panel["targets"]]
    assert references == sorted(set(references)) != []


def test_no_two_panels_have_an_id_or_a_title_in_a_row_in_common() -> None:
    ids = [panel["id"] for panel in panels]
    rows = {panel["id"] for panel in panels if panel["type"] == "row"}
    titles = [(panel["id"] // 100, panel["title"]) for panel in panels]

    assert len(set(ids)) == len(ids)
    assert len(set(titles)) == len(titles)
    assert {panel["id"] // 100 * 100 for panel in shown} == rows


def test_no_two_panels_lie_on_each_other() -> None:
    places = [
        (x, y)
        for grid in (panel["gridPos"] for panel in panels)
        for x in range(grid["x"], grid["x"] + grid["w"])
        for y in range(grid["y"], grid["y"] + grid["h"])
    ]

    assert len(set(places)) == len(places)
    assert {x for x, _ in places} == set(range(WIDTH))


def test_grafana_is_told_of_the_source_and_of_the_dashboard() -> None:
    provisioning = OBSERVE / "grafana/provisioning"
    [source] = yaml.safe_load((provisioning / "datasources/prometheus.yml").read_text())["datasources"]
    [provider] = yaml.safe_load((provisioning / "dashboards/constitution.yml").read_text())["providers"]
    variables = {one["name"]: one for one in dashboard()["templating"]["list"]}
    scraped = yaml.safe_load((OBSERVE / "prometheus.yml").read_text())["global"]["scrape_interval"]

    assert variables["datasource"]["current"]["value"] == source["uid"]
    assert source["jsonData"]["timeInterval"] == scraped
    assert provider["options"]["path"] == "/etc/grafana/dashboards"
    assert dashboard()["uid"]
    assert dashboard()["id"] is None
