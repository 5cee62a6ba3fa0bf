"""Shorter counterexamples: against brute force, within limits, and never lost."""

from __future__ import annotations

import random
import time

import pytest
import spot

from mpisog import Verdict, check
from mpisog.budget import Budget
from mpisog.errors import InternalError
from mpisog.formulas.properties import Property
from mpisog.nets.generators import generate
from mpisog.nets.model import PetriNet, make_net
from mpisog.nets.semantics import successors
from mpisog.spotglue.ltl import BoundFormula, bind
from mpisog.trace.lasso import Lasso
from mpisog.trace.replay import certify, is_counterexample
from mpisog.trace.shorten import shorten, some_ending
from tests.helpers import ROOM, toggle, u_then_o

ATOMS = ["p0", "p1", "t0"]
DEPTH = 6
"""Firings up to which brute force looks."""
MOST_RUNS = 2000


def bound(net: PetriNet, text: str) -> BoundFormula:
    return bind(Property("f", text), net)


def random_net(chance: random.Random) -> PetriNet:
    places = [f"p{i}" for i in range(chance.randint(2, 4))]

    def some(least: int) -> list[str]:
        return [chance.choice(places) for _ in range(chance.randint(least, 2))]

    transitions = {f"t{i}": (some(1), some(0)) for i in range(chance.randint(2, 4))}
    return make_net("r", {place: chance.randint(0, 1) for place in places}, transitions)


def random_formula(chance: random.Random) -> str:
    seed, size = chance.randrange(10**6), chance.randint(4, 10)
    return str(next(spot.randltl(ATOMS, seed=seed, tree_size=size)))


def is_sealed(lasso: Lasso, formula: BoundFormula) -> bool:
    try:
        certify(lasso, formula, Budget())
    except InternalError:
        return False
    return True


def fewest_steps(net: PetriNet, formula: BoundFormula) -> int | None:
    """The length of the shortest counterexample by looking at all runs; nothing if that is long."""
    runs: list[tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]] = [((), (net.initial,))]
    for length in range(DEPTH + 1):
        for firings, markings in runs:
            here = markings[-1]
            if not list(successors(net, here)):
                candidates = [Lasso(net, firings, ())]
            else:
                candidates = [
                    Lasso(net, firings[:k], firings[k:])
                    for k in range(length)
                    if markings[k] == here
                ]
                ending = some_ending(net, here, Budget(1))
                if ending is None:  # an unbounded net
                    return None
                candidates.append(Lasso(net, (*firings, *ending[0]), ending[1], sealed=length))
            if any(
                is_sealed(lasso, formula)
                if lasso.sealed is not None
                else is_counterexample(lasso, formula, Budget())
                for lasso in candidates
            ):
                return length
        runs = [
            ((*firings, firing), (*markings, reached))
            for firings, markings in runs
            for firing, reached in successors(net, markings[-1])
        ]
        if len(runs) > MOST_RUNS:
            return None
    return None


def compare_with_brute_force(seed: int, wanted: int) -> None:
    chance = random.Random(seed)
    compared = proven = 0
    while compared < wanted:
        net, text = random_net(chance), random_formula(chance)
        result = check(net, text, shorten=5, shortest=True, timeout=10)
        if result.trace is None:
            continue
        fewest = fewest_steps(net, bound(net, text))
        if fewest is None:
            continue
        compared += 1
        assert result.trace.shortest is not None
        proven += result.trace.shortest
        steps = len(result.trace.steps)
        assert steps == fewest if result.trace.shortest else steps >= fewest, text
    assert proven > 0.9 * compared


def test_what_is_proven_to_be_shortest_is():
    compare_with_brute_force(1, 40)


@pytest.mark.slow
def test_what_is_proven_to_be_shortest_is_for_many():
    compare_with_brute_force(2, 1500)


@pytest.mark.parametrize("formula", ["G !c & G !x", "G !x & G !c"])
def test_the_shortest_is_that_of_all_conjuncts(formula):
    net = make_net(
        "two ways",
        {"a": 1, "b": 0, "c": 0, "x": 0},
        {"ab": (["a"], ["b"]), "bc": (["b"], ["c"]), "ax": (["a"], ["x"])},
    )
    result = check(net, formula, shortest=True)
    assert result.trace is not None
    assert result.trace.shortest
    assert [net.transitions[t].id for t in result.trace.steps] == ["ax"]


def test_a_formula_that_is_false_at_once_needs_no_step():
    result = check(generate("philosophers", 6), "Eat_1")
    assert result.trace is not None
    assert result.trace.sealed == 0
    assert result.trace.steps == ()


def test_a_bad_prefix_ends_where_nothing_can_help():
    result = check(generate("philosophers", 4), "G !Eat_3")
    assert result.trace is not None
    assert result.trace.sealed == len(result.trace.steps) == 2


def test_a_run_that_is_too_long_to_be_shortened_ends_where_it_is_sealed(monkeypatch):
    monkeypatch.setattr("mpisog.trace.shorten.MOST_TOKENS", 0)
    net = generate("philosophers", 6)
    found = check(net, "G !Eat_3", shorten=0, engine="dfs").trace
    shown = check(net, "G !Eat_3", engine="dfs").trace
    assert found is not None
    assert shown is not None
    assert (shown.prefix, shown.cycle) == (found.prefix, found.cycle)
    assert shown.sealed is not None
    assert len(shown.steps) < len(found.steps)


def test_transitions_of_a_group_count_as_places_of_a_long_run_do(monkeypatch):
    net = generate("philosophers", 6)
    formula = "G F !fireable(End_1,End_2,End_3,End_4,End_5,End_6)"
    found = check(net, formula, shorten=0, engine="dfs").trace
    assert found is not None
    for most, is_shortened in ((len(net.places) + 5, False), (len(net.places) + 6, True)):
        monkeypatch.setattr("mpisog.trace.shorten.MOST_TOKENS", most * len(found.steps))
        shown = check(net, formula, engine="dfs").trace
        assert shown is not None
        assert (len(shown.steps) < len(found.steps)) is is_shortened


def test_an_event_that_must_not_happen_is_the_last_step():
    result = check(u_then_o(), 'G !"fire(o)"', shortest=True)
    assert result.trace is not None
    assert result.trace.shortest
    assert [u_then_o().transitions[t].id for t in result.trace.steps] == ["u", "o"]


def test_a_seal_in_the_wrong_place_does_not_pass_the_replay():
    net = u_then_o()
    formula = bound(net, 'G !"fire(o)"')
    certify(Lasso(net, (0, 1), (), sealed=2), formula, Budget())
    with pytest.raises(InternalError, match="sealed"):
        certify(Lasso(net, (0, 1), (), sealed=0), formula, Budget())


def test_detours_are_left_out():
    net = make_net(
        "detours",
        {"off": 1, "on": 0, "a": 1, "b": 0, "end": 0},
        {
            "up": (["off"], ["on"]),
            "down": (["on"], ["off"]),
            "ab": (["a"], ["b"]),
            "ba": (["b"], ["a"]),
        },
    )
    long = Lasso(net, (0, 2, 1, 3, 0, 2, 1, 3, 2), (0, 3, 1, 2, 0, 1))
    formula = bound(net, "F G off")
    certify(long, formula, Budget())
    short = shorten(long, formula, 1.0, Budget())
    assert (len(short.prefix), len(short.cycle)) == (0, 2)


def test_without_time_the_given_one_is_the_answer():
    lasso = Lasso(toggle(), (0, 1, 0, 1), (0, 1))
    formula = bound(toggle(), "F G off")
    certify(lasso, formula, Budget())
    over = Budget(1e-9)
    time.sleep(0.001)
    assert shorten(lasso, formula, 1.0, over) is lasso


def test_nothing_is_shortened_when_that_is_not_wanted():
    net = generate("philosophers", 6)
    as_found = check(net, "G !Eat_3", shorten=0, engine="dfs")
    assert as_found.trace is not None
    assert as_found.trace.sealed is None


def test_a_counterexample_of_an_unbounded_net_is_one_all_the_same():
    net = make_net(
        "pump",
        {"run": 1, "tank": 0, "stopped": 0},
        {"stop": (["run"], ["stopped"]), "fill": (["run"], ["run", "tank"])},
    )
    long = Lasso(net, (1, 1, 1, 1, 0), ())
    formula = bound(net, "F(stopped & !tank) | G !stopped")
    assert is_counterexample(long, formula, Budget())
    assert len(shorten(long, formula, 1.0, Budget()).steps) == 2


def test_it_is_said_when_nothing_is_proven():
    net = generate("philosophers", 14)
    result = check(net, "G F Eat_1", shortest=True, shorten=1e-6)
    assert result.trace is not None
    assert result.trace.shortest is False
    assert "there may be such runs with fewer steps" in str(result)


def test_shortening_keeps_its_time():
    net = generate("philosophers", 12)
    started = time.monotonic()
    result = check(net, "G F Eat_1", shortest=True, shorten=0.5)
    assert result.trace is not None
    assert time.monotonic() - started < ROOM


def test_ctrl_c_while_shortening_keeps_the_verdict(monkeypatch):
    def interrupted(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("mpisog.engines.batch.shorten", interrupted)
    found, left = check(toggle(), ["G off", "G on"])
    assert found.verdict is Verdict.FALSE
    assert found.trace is not None
    assert (left.verdict, left.reason) == (Verdict.UNKNOWN, "interrupted")


def test_the_time_limit_ends_shortening_too_and_keeps_the_verdict():
    net = generate("philosophers", 14)
    started = time.monotonic()
    formula = "G F Eat_1 | G F Eat_2 | F dead"
    result = check(net, formula, shortest=True, shorten=600, timeout=5)
    assert result.verdict is Verdict.FALSE
    assert time.monotonic() - started < 5 + ROOM
