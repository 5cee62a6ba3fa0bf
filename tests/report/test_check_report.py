"""The report of checks as it grows result by result."""

from __future__ import annotations

import json

from mpisog.report import json_report
from mpisog.report.json_report import LONG_TRACE, CheckReport
from mpisog.trace.lasso import Lasso
from mpisog.verdict import Result, Verdict
from tests.helpers import toggle


def results() -> list[Result]:
    long = Lasso(toggle(), (0, 1) * LONG_TRACE, (0, 1))
    return [
        Result("short", "G on", Verdict.FALSE, "dfs", trace=Lasso(toggle(), (), (0, 1))),
        Result("long", "G !on", Verdict.FALSE, "dfs", trace=long),
        Result("none", "F on", Verdict.UNKNOWN, "dfs", "time limit"),
    ]


def test_the_parts_make_one_document():
    report = CheckReport(toggle(), "a [].pnml")
    for count in range(4):
        data = json.loads(report.text(results()[:count], {"host": "[]"}, {}))
        assert [result["name"] for result in data["results"]] == ["short", "long", "none"][:count]
    assert data["net"]["path"] == "a [].pnml"
    assert len(data["results"][1]["trace"]["prefix"]) == 2 * LONG_TRACE


def test_a_result_becomes_text_once(monkeypatch):
    """The report is made again before every formula, and a trace can have 100,000 steps."""
    made = []
    original = json_report.result_data
    monkeypatch.setattr(
        json_report, "result_data", lambda r, story: made.append(r.name) or original(r, story)
    )
    report, found = CheckReport(toggle(), "n"), results()
    for count in (1, 2, 3, 3, 3):
        report.text(found[:count], {}, {})
    assert made == ["short", "long", "none"]


def test_what_is_unknown_may_be_known_later():
    report, (short, *_) = CheckReport(toggle(), "n"), results()
    unknown = Result(short.name, short.formula, Verdict.UNKNOWN, "dfs", "ended by force")
    assert json.loads(report.text([unknown], {}, {}))["results"][0]["verdict"] == "UNKNOWN"
    assert json.loads(report.text([short], {}, {}))["results"][0]["verdict"] == "FALSE"
