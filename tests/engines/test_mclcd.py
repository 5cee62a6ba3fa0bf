"""The engine mclcd from outside: which formulas it takes, its figures, limits and variants."""

from __future__ import annotations

import pytest
import spot

import mpisog
from mpisog import Verdict, _native
from mpisog.budget import Budget
from mpisog.cli.main import main
from mpisog.config import RunConfig
from mpisog.engines.mclcd import VARIANTS
from mpisog.engines.resources import Resources
from mpisog.engines.schedule import schedule
from mpisog.engines.task import Task
from mpisog.engines.unit import SKIPPED, run_unit
from mpisog.errors import UsageError
from mpisog.formulas.properties import Property
from mpisog.nets.generators import generate
from mpisog.nets.model import make_net
from mpisog.spotglue.lazy import recognise
from mpisog.spotglue.ltl import bind
from tests.helpers import ROOM, pump, saved, toggle
from tests.helpers import mpisog as run_mpisog
from tests.limits.running import watched


def complete_acyclic(count: int):
    """One token and all moves from i to j > i."""
    places = {f"p{i}": int(i == 0) for i in range(count)}
    moves = {f"t{i}_{j}": ([f"p{i}"], [f"p{j}"]) for i in range(count) for j in range(i + 1, count)}
    return make_net("complete", places, moves)


def test_complete_acyclic_graphs_cost_rpg_a_round_for_each_marking():
    settings = {"engine": "mclcd", "reduce": "none", "threads": 1}
    for variant, rounds in (("rpg", 11), ("rg", 1), ("no-graph", 1)):
        result = mpisog.check(
            complete_acyclic(12), "A<> dead", logic="lrl", variant=variant, **settings
        )
        assert result.verdict is Verdict.TRUE
        assert (result.statistics["variant"], result.statistics["rounds"]) == (variant, rounds)


@pytest.mark.parametrize(
    "text",
    ["G a0", "F a0", "a0 U a1", "G(a0 -> F a1)", "G F a0", "!(a0 U a1)", "a0 W a1", "a0 R a1",
     "a0 M a1", "a0", "F(a0 | F a1)", "G(a0 | a1 | F a2)", "!G F !a0 | G(a0 & a1)"],
)  # fmt: skip
def test_what_is_recognised_means_the_same(text):
    """The forms written out again, as Spot sees them."""
    formula = spot.formula(text)
    problem = recognise(formula)
    if text.startswith("!G F"):  # F G a0 | ...: not of the kind
        assert problem is None
        return
    psi, phi = problem.psi, problem.phi
    meaning = {
        "exists_until": f"!(({psi}) U ({phi}))",
        "all_until": f"({psi}) U ({phi})",
        "leads_to": f"G(({psi}) -> F({phi}))",
    }[problem.form.value]
    assert spot.are_equivalent(formula, meaning)


@pytest.mark.parametrize("formula", ["F G on", "X on", "G(on -> X off)", "G F on & F G off"])
def test_other_formulas_are_refused(formula):
    with pytest.raises(UsageError, match="neither LRL nor LTL of the forms"):
        mpisog.check(toggle(), formula, engine="mclcd")


def test_formulas_about_firings_are_refused():
    with pytest.raises(UsageError, match="firings"):
        mpisog.check(toggle(), "F up", engine="mclcd")


def test_unknown_variants_and_logics_are_refused():
    with pytest.raises(UsageError, match="no variant is called 'rgp'") as error:
        mpisog.check(toggle(), "F on", variant="rgp")
    assert "'rg'" in error.value.hint or "'rpg'" in error.value.hint
    with pytest.raises(ValueError, match="no logic is called 'ctl'"):
        mpisog.check(toggle(), "E<> on", logic="ctl")


@pytest.mark.parametrize("variant", VARIANTS)
def test_statistics_tell_the_phases(variant):
    result = mpisog.check(
        generate("philosophers", 6), "Catch1_1 --> Eat_1", logic="lrl", engine="mclcd",
        reduce="none", variant=variant, threads=2,
    )  # fmt: skip
    assert result.verdict is Verdict.FALSE
    assert result.trace_kind == "counterexample"
    assert result.statistics["markings"] <= 729  # the seed may be dead: then it stops early
    for name in ("firings", "threads", "steals", "forward_seconds", "bytes"):
        assert name in result.statistics


@pytest.mark.parametrize("engine", ["mclcd", "explicit"])
def test_an_unbounded_net_is_told(engine):
    result = mpisog.check(pump(), "A[] run", logic="lrl", engine=engine, reduce="none")
    assert result.verdict is Verdict.UNKNOWN
    assert "unbounded" in result.reason
    assert "tank" in result.reason


@pytest.mark.parametrize("variant", VARIANTS)
def test_limits_end_in_unknown_with_the_figures_reached(variant):
    net = generate("philosophers", 18)
    settings = {"logic": "lrl", "engine": "mclcd", "reduce": "none", "variant": variant}
    late = mpisog.check(net, "A[]<> Think_1", timeout=1, **settings)
    assert (late.verdict, late.reason) == (Verdict.UNKNOWN, "time limit of 1 s reached")
    assert late.statistics["markings"] > 1000
    assert late.seconds < 1 + ROOM
    large = mpisog.check(net, "A[]<> Think_1", memory="1", **settings)
    assert large.verdict is Verdict.UNKNOWN
    assert "memory limit" in large.reason


def test_a_memory_limit_is_kept(tmp_path):
    """Of a process of its own: what it holds at most, by the system's account."""
    net = saved(generate("philosophers", 14), tmp_path)
    for threads in ("1", "2"):
        arguments = ["check", net, "-l", "A[]<> Think_1", "--engine", "mclcd", "--variant", "rg"]
        limits = ["--memory", "250M", "--reduce", "none", "--threads", threads, "--timeout", "100"]
        done = watched(*arguments, *limits)
        assert "memory limit of 250" in done.out, done
        assert done.code == 2
        assert done.megabytes < 1.1 * 250


def test_states_with_threads(tmp_path, capsys):
    net = saved(generate("philosophers", 8), tmp_path)
    assert main(["states", net, "--engine", "explicit", "--threads", "4"]) == 0
    alone = mpisog.states(net, engine="symbolic")
    shown = dict(line.split(": ") for line in capsys.readouterr().out.splitlines())
    assert int(shown["states"]) == alone.states == 6561
    assert int(shown["edges"]) == alone.edges
    assert int(shown["dead"]) == alone.dead == 2
    assert mpisog.states(net, engine="explicit", threads=3).max_tokens_in_marking == (
        alone.max_tokens_in_marking
    )


def test_lrl_on_the_command_line(tmp_path, capsys):
    net = saved(toggle(), tmp_path)
    formulas = tmp_path / "f.lrl"
    formulas.write_text("switch: off --> on\n", encoding="utf-8")
    code = main(["check", net, "-l", "E<> on", "-L", str(formulas), "--engine", "mclcd"])
    shown = capsys.readouterr().out
    assert code == 0
    assert "TRUE    lrl-1: E<> on" in shown
    assert "a run that shows it" in shown
    assert "TRUE    switch: off --> on" in shown
    assert main(["check", net, "-l", "A[] off", "--variant", "rpg"]) == 1
    assert run_mpisog("check", net, "-l", "E<> on", "--variant", "x").returncode == 3


def test_native_nodes_are_checked():
    net = _native.Net([1], [[]], [[]])

    def make(nodes, psi=0, phi=0, threads=1):
        form, variant = _native.MclcdForm.count, _native.MclcdVariant.rg
        _native.MclcdCheck(net, [], form, nodes, psi, phi, variant, threads, 1 << 20, None)

    constants = [(0, 0, 0), (0, 1, 1)]
    make(constants)
    for nodes, psi in ((constants, 2), ([*constants, (0, 0, 1)], 2), ([], 0)):
        with pytest.raises(IndexError):
            make(nodes, psi)
    with pytest.raises(ValueError, match="thread"):
        make(constants, threads=0)


@pytest.mark.parametrize(("formula", "threads", "chosen"), [
    ("G(Catch1_1 -> F Eat_1)", 2, True),
    ("G !(Eat_1 & Eat_2)", 2, True),
    ("G(Catch1_1 -> F Eat_1)", 1, False),
    ("F G Eat_1", 2, False),
])  # fmt: skip
def test_auto_may_choose_it_when_there_are_threads(formula, threads, chosen):
    net = generate("philosophers", 5)
    bound = bind(Property("p", formula), net)
    config = RunConfig(threads=threads)
    stages = [stage for stage in schedule(config, net) if stage.engine.name == "mclcd"]
    assert bool(stages) == (threads > 1)
    for stage in stages[:1]:
        finding = run_unit(Task(0, 0, bound), stage, Resources(net, config), Budget())
        assert (finding is not SKIPPED) == chosen
        if not chosen:
            return
        assert finding.engine == "mclcd"
        expected = mpisog.check(net, formula, engine="explicit").verdict
        assert (finding.counterexample is None) == (expected is Verdict.TRUE)
