"""Shipped suites can be run; mistakes in suites and on the command line are told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mpisog.bench.cases import Formula
from mpisog.bench.commands import command_line
from mpisog.bench.peers import PEERS
from mpisog.bench.suite import find_suite, load_suite, parse_suite, reduced, suite_names
from mpisog.cli.main import parse
from mpisog.errors import UsageError
from mpisog.nets.generators import BOARD_FAMILIES, FAMILIES
from tests.helpers import ROOT, mpisog

FORMULA = Formula("f", "G p", "ltl")


@pytest.mark.parametrize("name", suite_names())
def test_every_shipped_suite_can_be_run(name):
    """Its options are options of the program, its families and peers exist."""
    suite = load_suite(find_suite(name))
    for tool in suite.configurations:
        assert tool.peer is None or tool.peer in PEERS
        if tool.peer is None:
            command = command_line(tool, Path("net"), [FORMULA], suite.limits, Path())
            parse(command[command.index("mpisog") + 1 :])
    for spec in suite.nets:
        assert spec.family is None or spec.family in (*FAMILIES, *BOARD_FAMILIES)
        assert spec.contest or spec.files or spec.sizes
        assert set(spec.expected) <= set("TF-")


def test_the_clone_shows_what_is_shipped():
    assert (ROOT / "benchmarks" / "suites" / "smoke.toml").is_file()


def test_scripts_that_are_no_suites_are_explained():
    scripts = {
        path.name for path in (ROOT / "benchmarks").glob("*.py") if "__main__" in path.read_text()
    }
    told = set(re.findall(r"^\| `(\w+\.py)`", (ROOT / "docs/reproducing.md").read_text(), re.M))
    assert len(told) > 3
    assert told == scripts


def test_a_misspelt_suite():
    done = mpisog("bench", "run", "smok")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "mpisog: there is no suite 'smok' (did you mean 'smoke'?)\n"


MINIMAL = {
    "title": "t",
    "nets": [{"family": "fms", "sizes": [2]}],
    "configurations": [{"name": "auto"}],
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"configuration": []}, "has no 'configuration' (did you mean 'configurations'?)"),
        ({"title": 3}, "the wrong kind"),
        ({"nets": []}, "needs [[nets]]"),
        ({"configurations": [{"name": "a"}, {"name": "a"}]}, "the same name"),
        ({"configurations": [{"options": []}]}, "needs 'name'"),
        ({"configurations": [{"name": "a", "command": "chek"}]}, "no command 'chek'"),
        ({"plots": [{"kind": "scater"}]}, "no plot 'scater' (did you mean 'scatter'?)"),
        ({"plots": [{"kind": "scatter", "x": "auto", "y": "aut"}]}, "no configuration 'aut'"),
        ({"limits": {"memory": "much"}}, "'much' is no size"),
        ({"limits": {"repeat": 0}}, "needs a positive 'timeout' and 'repeat'"),
        ({"limits": {"timeout": -1}}, "needs a positive 'timeout' and 'repeat'"),
        ({"scores": {"name": "c", "off": 3}}, "has no 'off' (did you mean 'of'?)"),
    ],
)
def test_mistakes_in_a_suite(change, message):
    with pytest.raises(UsageError) as caught:
        parse_suite({**MINIMAL, **change}, "x")
    assert message in str(caught.value)


def test_the_contest_has_the_published_scores():
    scores = load_suite(find_suite("contest")).scores
    assert scores is not None
    assert scores.of == 59_360
    assert scores.points == {"TAPAAL": 55_033, "ITS-Tools": 54_509, "enPAC": 52_520}


def test_fewer_formulas_keep_the_proportion():
    suite = parse_suite({**MINIMAL, "formulas": {"random": {"hold": 50, "fail": 50}}}, "x")
    random = reduced(suite, formulas=10, timeout=3.0).formulas.random
    assert random is not None
    assert (random.hold, random.fail) == (5, 5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("run", "smoke", "--jobs", "0"), "--jobs is '0'"),
        (("run", "smoke", "--timeout", "soon"), "--timeout is 'soon'"),
        (("run", "smoke", "--part", "3/2"), "'3/2' is no part"),
        (("run", "smoke", "--tools", "sogg"), "no configuration 'sogg' (did you mean 'sog'?)"),
        (("report", "/nowhere"), "no results here"),
    ],
)
def test_mistakes_on_the_command_line(options, message, tmp_path):
    done = mpisog("bench", *options)
    assert done.returncode == 3
    assert message in done.stderr
    assert "Traceback" not in done.stderr
