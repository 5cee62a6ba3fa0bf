"""The Python interface, as in a notebook."""

from __future__ import annotations

import json
import re
import threading
from dataclasses import fields
from inspect import isfunction
from pathlib import Path
from typing import get_type_hints

import pytest

import mpisog
from mpisog import Verdict
from mpisog.config import RunConfig
from mpisog.errors import FormulaError, LimitReached, NetError, Unbounded, UsageError
from mpisog.nets.generators import generate
from tests.helpers import pump, saved, toggle, u_then_o


def test_check_a_net_and_a_path(tmp_path):
    path = saved(u_then_o(), tmp_path)
    for net in (u_then_o(), path, tmp_path / "u_then_o.pnml"):
        result = mpisog.check(net, "F dead", engine="explicit")
        assert (result.verdict, result.trace, result.reason) == (Verdict.TRUE, None, None)


def test_a_violation_has_a_trace():
    result = mpisog.check(u_then_o(), "fire(o)")
    assert result.verdict is Verdict.FALSE
    assert result.trace.prefix_ids == ["u", "o"]
    assert result.trace.ends_dead
    assert result.engine == "dfs"
    assert result.seconds >= 0


def test_check_many_keeps_the_order():
    results = mpisog.check_many(toggle(), ["G F on", "F G on", "off"])
    assert [r.verdict for r in results] == [Verdict.TRUE, Verdict.FALSE, Verdict.TRUE]
    assert [r.name for r in results] == ["formula-1", "formula-2", "formula-3"]
    assert mpisog.check_many(toggle(), []) == []


def test_check_many_takes_no_single_formula():
    with pytest.raises(TypeError, match="'G on' is one formula, not a list"):
        mpisog.check_many(toggle(), "G on")


def test_a_misspelt_setting():
    with pytest.raises(TypeError, match=r"called 'enginee' \(did you mean 'engine'\?\)"):
        mpisog.check(toggle(), "G on", enginee="sog")


def test_states():
    figures = mpisog.states(u_then_o())
    assert (figures.states, figures.edges, figures.dead) == (3, 2, 1)


def test_unbounded():
    assert mpisog.check(pump(), "F dead").verdict is Verdict.UNKNOWN
    assert mpisog.check(pump(), "G run").verdict is Verdict.TRUE
    with pytest.raises(Unbounded, match="tank"):
        mpisog.states(pump())


def test_limits():
    huge = generate("philosophers", 20)
    result = mpisog.check(huge, "G !(Eat_1 & Eat_2)", timeout=0.2, engine="explicit")
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, "time limit of 0.2 s reached")
    with pytest.raises(LimitReached, match="time limit"):
        mpisog.states(generate("swimming_pool", 50), timeout=0.3)


def test_a_limit_does_not_keep_the_search_in_memory():
    """Two searches of some 100 MB each: the second fits because the first is gone."""
    from mpisog.budget import resident_bytes

    huge = generate("philosophers", 20)
    budget = resident_bytes() + 100 * 2**20
    formulas = ["G !(Eat_1 & Eat_2)", "G !fire(End_1)"]
    first, second = mpisog.check_many(huge, formulas, memory=budget, engine="explicit")
    assert first.verdict is Verdict.UNKNOWN
    assert second.verdict is Verdict.FALSE


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"engin": "explicit"}, TypeError),
        ({"engine": "nope"}, UsageError),
        ({"emptiness": "nope"}, UsageError),
        ({"timeout": -1}, UsageError),
        ({"memory": "lots"}, UsageError),
    ],
)
def test_wrong_settings(settings, error):
    with pytest.raises(error):
        mpisog.check(toggle(), "on", **settings)


def test_the_environment_plays_no_part(monkeypatch):
    monkeypatch.setenv("MPISOG_ENGINE", "nope")
    assert mpisog.check(toggle(), "off").verdict is Verdict.TRUE


def test_wrong_input(tmp_path):
    with pytest.raises(NetError):
        mpisog.check(tmp_path / "none.pnml", "on")
    with pytest.raises(FormulaError):
        mpisog.check(toggle(), "F nope")
    assert issubclass(FormulaError, mpisog.InputError)
    assert issubclass(mpisog.InputError, mpisog.MpisogError)


def test_every_public_name_is_there():
    for name in mpisog.__all__:
        assert getattr(mpisog, name) is not None
        assert name in dir(mpisog)
    with pytest.raises(AttributeError, match="no attribute 'chek'"):
        mpisog.chek  # noqa: B018 - the access is the test


def test_checks_in_threads_do_not_disturb_each_other():
    """One graph is bound to Spot at a time; others wait."""
    verdicts: dict[int, Verdict] = {}

    def work(number: int) -> None:
        formula = "G F on" if number % 2 else "F G on"
        verdicts[number] = mpisog.check(toggle(), formula).verdict

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verdicts == {n: Verdict.TRUE if n % 2 else Verdict.FALSE for n in range(8)}


def test_a_list_of_formulas_gives_a_list():
    results = mpisog.check(toggle(), ["G F on", "F G on"])
    assert [result.verdict for result in results] == [Verdict.TRUE, Verdict.FALSE]


def test_results_are_short_and_have_no_truth_value():
    result = mpisog.check(toggle(), "G off")
    assert re.fullmatch(r"<FALSE 'G off' \d+\.\d{3} s, 1 step>", repr(result))
    with pytest.raises(TypeError, match="verdict"):
        bool(result)
    with pytest.raises(TypeError, match="three values"):
        bool(result.verdict)
    assert str(result).startswith("FALSE   formula-1: G off")
    assert "why     `off` does not hold after step 1" in str(result)


def test_a_result_shows_itself_in_a_notebook():
    violated = mpisog.check(toggle(), "G off")
    assert violated._repr_html_().startswith("<iframe srcdoc=")
    assert "&lt;!DOCTYPE html&gt;" in violated._repr_html_()
    holds = mpisog.check(toggle(), "G F off")
    assert holds._repr_html_().startswith("<code>&lt;TRUE")
    assert violated.to_html().startswith("<!DOCTYPE html>")
    with pytest.raises(ValueError, match="no counterexample"):
        holds.to_html()


def test_to_json_is_what_the_report_has():
    data = mpisog.check(toggle(), "G off").to_json()
    assert json.loads(json.dumps(data)) == data
    assert data["verdict"] == "FALSE"
    assert data["trace"]["explanation"]["why"] == ["`off` does not hold after step 1"]


def test_a_net_is_short_too():
    net = mpisog.make_net("n", {"p": 1}, {"t": (["p"], [])})
    assert repr(net) == "<net 'n', 1 places, 1 transitions>"


def test_what_is_no_list_of_places_or_no_number_is_told():
    with pytest.raises(NetError, match="'pq' is one place, not a list of places"):
        mpisog.make_net("n", {"p": 1, "q": 0}, {"t": ("pq", ["q"])})
    with pytest.raises(NetError, match=r"is 1\.5, it must be a whole number"):
        mpisog.make_net("n", {"p": 1.5}, {"t": (["p"], [])})


def test_weights():
    net = mpisog.make_net("w", {"p": 4, "q": 0}, {"t": ({"p": 2}, {"q": 3})})
    assert net == mpisog.make_net("w", {"p": 4, "q": 0}, {"t": (["p", "p"], ["q", "q", "q"])})
    assert mpisog.states(net).max_tokens_in_place == 6


def test_info_reduce_and_sog(tmp_path):
    net = generate("philosophers", 3)
    assert mpisog.info(net).places == len(net.places)
    reduced = mpisog.reduce(saved(net, tmp_path), "G !(Eat_1 & Eat_2)")
    assert len(reduced.net.places) < len(net.places)
    assert sum(reduced.rules.values()) > 0
    assert mpisog.check(reduced.net, reduced.formula).verdict is Verdict.TRUE
    graph = mpisog.build_sog(net, ["F Eat_1", "F Eat_2"])
    assert repr(graph) == f"<SOG: {len(graph.aggregates)} aggregates, {len(graph.edges)} edges>"
    assert graph.figures["aggregates"] == len(graph.aggregates)
    assert graph.to_dot().startswith("digraph")
    assert graph.to_html().startswith("<!DOCTYPE html>")


def test_settings_are_those_of_the_configuration():
    typed = get_type_hints(mpisog.Settings)
    assert set(typed) == {field.name for field in fields(RunConfig)}


def test_what_takes_settings_says_which():
    for function in (mpisog.check, mpisog.check_many, mpisog.build_sog):
        assert function.__annotations__["settings"] == "Unpack[Settings]"


def test_the_reference_has_every_public_function():
    page = (Path(__file__).parent.parent / "docs" / "api.md").read_text()
    functions = [name for name in mpisog.__all__ if isfunction(getattr(mpisog, name))]
    assert len(functions) > 5
    for name in functions:
        assert re.search(rf"\b{name}\b", page), name
        assert getattr(mpisog, name).__doc__


def test_types_are_shipped():
    assert (Path(mpisog.__file__).parent / "py.typed").is_file()
