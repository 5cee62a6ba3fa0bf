"""Each rule where it applies and where it must not, and lifting, on nets small enough to see."""

from __future__ import annotations

import pytest

import mpisog
from mpisog.budget import Budget
from mpisog.errors import Unbounded
from mpisog.formulas.properties import Property
from mpisog.nets.model import PetriNet, make_net
from mpisog.reductions.driver import RULES, reduce
from mpisog.reductions.reduction import Reduction
from mpisog.spotglue.ltl import bind
from mpisog.trace.lasso import Lasso

BY_NAME = {rule.name: rule for rule in RULES}


def reduced(net: PetriNet, formula: str, *names: str) -> Reduction:
    rules = [BY_NAME[name] for name in names] or RULES
    return reduce(net, bind(Property("f", formula), net), "full", Budget(), rules)


def places(reduction: Reduction) -> set[str]:
    return {place.id for place in reduction.net.places}


def transitions(reduction: Reduction) -> set[str]:
    return {transition.id for transition in reduction.net.transitions}


def row(*marked: str, **more: tuple[list[str], list[str]]) -> PetriNet:
    """``a -t-> b -u-> c``, with tokens where told, and more transitions."""
    tokens = {place: int(place in marked) for place in ("a", "b", "c", "d")}
    return make_net("row", tokens, {"t": (["a"], ["b"]), "u": (["b"], ["c"]), **more})


def test_dead_transitions_make_their_atoms_false():
    net = row("a", never=(["d"], ["a"]))
    reduction = reduced(net, 'G !"fire(never)" & G !"fireable(never)"', "dead transitions")
    assert transitions(reduction) == {"t", "u"}
    assert str(reduction.bound.formula) == "1"


def test_dead_transitions_need_more_than_there_ever_is():
    net = make_net("two", {"p": 1, "q": 0}, {"t": (["p", "p"], ["q"]), "u": (["p"], ["q"])})
    assert transitions(reduced(net, "F q", "dead transitions")) == {"u"}


def test_constant_places_become_numbers():
    net = make_net("read", {"k": 2, "p": 1, "q": 0}, {"t": (["p", "k"], ["q", "k"])})
    reduction = reduced(net, 'F "k + q >= 3"', "constant places")
    assert places(reduction) == {"p", "q"}
    assert [atom.bound for atom in reduction.bound.atoms] == [1]


def test_sink_places_go_unless_compared_or_unbounded():
    assert "c" not in places(reduced(row("a"), "F b", "sink places"))
    assert "c" in places(reduced(row("a"), "F c", "sink places"))
    pump = make_net("pump", {"run": 1, "tank": 0}, {"fill": (["run"], ["run", "tank"])})
    assert "tank" in places(reduced(pump, "G run", "sink places"))


def test_parallel_places_take_over_comparisons():
    net = make_net(
        "twin", {"p": 1, "q": 3, "r": 0}, {"t": (["p", "q"], ["r"]), "u": (["r"], ["p", "q"])}
    )
    reduction = reduced(net, 'G "q >= 2"', "parallel places")
    assert places(reduction) == {"p", "r"}
    assert mpisog.check(net, 'G "q >= 2"').verdict is mpisog.Verdict.TRUE


def test_a_parallel_place_with_fewer_tokens_is_the_one_that_counts():
    net = make_net(
        "twin", {"p": 1, "q": 3, "r": 0}, {"t": (["p", "q"], ["r"]), "u": (["r"], ["p", "q"])}
    )
    assert places(reduced(net, "F r", "parallel places")) == {"p", "r"}


def test_implicit_places_follow_others():
    """``busy`` has a token from ``t`` to ``v``, as ``b`` and ``c`` together have."""
    net = make_net(
        "busy",
        {"a": 1, "b": 0, "c": 0, "busy": 0},
        {"t": (["a"], ["b", "busy"]), "u": (["b"], ["c"]), "v": (["c", "busy"], ["a"])},
    )
    assert places(reduced(net, "F c", "implicit places")) == {"a", "b", "c"}
    assert "busy" in places(reduced(net, "F busy", "implicit places"))


def test_dominated_transitions_unless_events():
    net = row("a", again=(["a", "c"], ["b", "c"]), same=(["a"], ["b"]))
    assert transitions(reduced(net, "F b", "dominated transitions")) == {"t", "u"}
    observed = 'F "fire(same)" | F "fire(again)"'
    assert transitions(reduced(net, observed, "dominated transitions")) == {
        "t", "u", "same", "again",
    }  # fmt: skip


def test_a_dominated_transition_that_an_atom_asks_about_stays():
    net = row("a", again=(["a", "c"], ["b", "c"]), same=(["a"], ["b"]))
    reduction = reduced(net, 'F "fireable(again)" | F "fireable(same)"', "dominated transitions")
    assert transitions(reduction) == {"t", "u", "again"}


def test_irrelevant_transitions_that_end():
    net = row("a", "d", aside=(["d"], []))
    assert transitions(reduced(net, "F c", "irrelevant transitions")) == {"t", "u"}


def test_irrelevant_transitions_that_run_on_stay():
    """Without ``aside`` the formula would hold: there is no fairness."""
    net = row("a", "d", aside=(["d"], ["d"]))
    assert "aside" in transitions(reduced(net, "F c"))
    assert mpisog.check(net, "F c").verdict is mpisog.Verdict.FALSE


def test_irrelevant_transitions_stay_when_dead_is_observed():
    net = row("a", "d", aside=(["d"], []))
    assert "aside" in transitions(reduced(net, "F(c & dead)", "irrelevant transitions"))


@pytest.mark.parametrize(
    ("rule", "formula"), [("post-agglomeration", "G a"), ("pre-agglomeration", "F c")]
)
def test_agglomeration_of_an_unobserved_place(rule, formula):
    assert places(reduced(row("a"), formula, rule)) == {"a", "c", "d"}
    assert places(reduced(row("a"), f"({formula}) | F b", rule)) == {"a", "b", "c", "d"}


@pytest.mark.parametrize("formula", ["X c", 'F "fire(u)"', 'F("fire(t)" & F c)'])
def test_no_agglomeration_where_single_steps_count(formula):
    assert places(reduced(row("a"), formula)) >= {"a", "b"}


def test_no_post_agglomeration_of_what_may_have_to_wait():
    """``u`` waits for ``d``; a run may stay in ``b``."""
    net = make_net(
        "wait",
        {"a": 1, "b": 0, "c": 0, "d": 0},
        {"t": (["a"], ["b"]), "u": (["b", "d"], ["c"])},
    )
    assert "b" in places(reduced(net, "G a", "post-agglomeration"))


def test_no_pre_agglomeration_of_a_choice_that_may_end_dead():
    """``t`` decides against ``w``; that ``u`` cannot follow makes no difference."""
    net = make_net(
        "choice",
        {"a": 1, "b": 0, "c": 0, "d": 0},
        {"t": (["a"], ["b"]), "u": (["b", "d"], ["c"]), "w": (["a"], ["d"])},
    )
    assert "b" in places(reduced(net, "F(c | d)", "pre-agglomeration"))
    assert mpisog.check(net, "F d").verdict is mpisog.Verdict.FALSE


def test_no_pre_agglomeration_of_what_delays_the_end_when_dead_is_observed():
    """After ``g`` the net is not dead before ``t`` has fired, though ``u`` never can."""
    net = make_net(
        "delay",
        {"x": 1, "y": 0, "a": 1, "b": 0, "c": 0, "d": 0},
        {"g": (["x"], ["y"]), "t": (["a"], ["b"]), "u": (["b", "d"], ["c"])},
    )
    assert "b" not in places(reduced(net, "F y", "pre-agglomeration"))
    assert "b" in places(reduced(net, "G(y -> dead)", "pre-agglomeration"))
    assert mpisog.check(net, "G(y -> dead)").verdict is mpisog.Verdict.FALSE


def test_no_post_agglomeration_of_what_may_end_the_run_when_dead_is_observed():
    """After ``t`` the net is not dead before ``u`` has fired: ``b`` and ``!dead`` are a letter."""
    net = row("a")
    assert "b" in places(reduced(net, 'F(!"fireable(t)" & !dead)', "post-agglomeration"))
    looping = row("a", back=(["c"], ["a"]))
    assert "b" not in places(reduced(looping, 'F(!"fireable(t)" & !dead)', "post-agglomeration"))


@pytest.mark.parametrize("engine", ["auto", "explicit", "dfs", "sog"])
def test_the_marking_before_the_last_firing_is_not_dead(engine):
    """After the last ``t3``, ``t2`` is enabled; neither ``t3`` nor ``t1`` is."""
    net = make_net(
        "last",
        {"p0": 3, "p1": 0, "p2": 3, "p4": 0, "p5": 0},
        {
            "t0": (["p1"], ["p2"]),
            "t1": (["p5", "p5"], ["p5", "p5"]),
            "t2": (["p4"], []),
            "t3": (["p2"], ["p4"]),
            "t4": (["p2"], ["p5"]),
        },
    )
    result = mpisog.check(net, '"fireable(t3,t1)" W dead', engine=engine)
    assert result.verdict is mpisog.Verdict.FALSE


@pytest.mark.parametrize("engine", ["auto", "explicit", "dfs", "sog", "symbolic"])
def test_a_firing_that_makes_the_net_dead_is_visible(engine):
    """Before ``t2`` fires, ``t1`` is not enabled and the net is not dead: the W fails."""
    net = make_net(
        "visible",
        {"p0": 0, "p1": 1, "p2": 2, "p3": 0, "p4": 3, "p5": 0},
        {
            "t0": (["p5"], ["p5"]),
            "t1": (["p1"], ["p0"]),
            "t2": (["p0", "p2", "p4", "p4"], ["p2", "p2", "p3", "p4"]),
        },
    )
    result = mpisog.check(net, '("fireable(t1)" W dead) xor F !dead', engine=engine)
    assert result.verdict is mpisog.Verdict.TRUE


def test_nothing_that_may_end_the_run_fires_at_first_when_dead_is_observed():
    net = row("b")
    assert "b" in places(reduced(net, "F(dead & c)", "post-agglomeration"))
    assert mpisog.check(net, "dead", engine="explicit").verdict is mpisog.Verdict.FALSE
    assert "a" not in places(reduced(row("a"), "F(dead & c)", "post-agglomeration"))


def test_a_lifted_lasso_fires_what_was_agglomerated():
    net = row("a", back=(["c"], ["a"]))
    result = mpisog.check(net, "F d")
    assert result.trace is not None
    assert set(result.trace.cycle_ids) == {"t", "u", "back"}


def test_a_lifted_end_goes_on_to_a_dead_marking():
    net = row("a", "d", aside=(["d"], []))
    reduction = reduced(net, 'G !"c >= 1"', "irrelevant transitions")
    ended = reduction.lift(Lasso(reduction.net, (0, 1), ()))
    assert ended.ends_dead
    assert sorted(ended.prefix_ids) == ["aside", "t", "u"]


def leak(tokens: int) -> PetriNet:
    """``drip`` is irrelevant to ``full``, and has ``tokens`` times to fire in the end."""
    return make_net(
        "leak",
        {"a": 1, "full": 0, "tank": tokens},
        {"t": (["a"], ["full"]), "drip": (["tank"], [])},
    )


@pytest.mark.parametrize("engine", ["explicit", "dfs", "sog"])
def test_an_end_may_be_long(engine):
    result = mpisog.check(leak(200_000), "G !full", engine=engine)
    assert result.verdict is mpisog.Verdict.FALSE
    assert result.trace.prefix_ids.count("drip") == 200_000


@pytest.mark.parametrize("engine", ["explicit", "dfs", "sog"])
def test_an_end_that_is_too_long_to_spell_out_is_a_limit(engine):
    result = mpisog.check(leak(2**31 - 1), "G !full", engine=engine)
    assert result.verdict is mpisog.Verdict.UNKNOWN
    assert "steps" in result.reason


def test_a_cycle_that_grows_in_the_original_net_shows_that_it_is_unbounded():
    net = make_net(
        "grows", {"p": 1, "q": 0, "r": 0}, {"t": (["p"], ["q", "r"]), "u": (["q"], ["p"])}
    )
    small = Reduction(
        net, make_net("g", {"p": 1}, {"tu": (["p"], ["p"])}), bind(Property("f", "p"), net),
        {"by hand": 1}, (), ((0, 1),), (),
    )  # fmt: skip
    with pytest.raises(Unbounded, match="'r'"):
        small.lift(Lasso(small.net, (), (0,)))


def test_the_time_slice_leaves_a_sound_prefix(monkeypatch):
    monkeypatch.setattr("mpisog.reductions.driver.SECONDS", 0.0)
    assert reduced(row("a"), "F c").rules == {}
