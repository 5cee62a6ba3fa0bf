"""Complete prefixes: the literature's sizes, and what their nets and limits give."""

from __future__ import annotations

import pytest

import mpisog
from mpisog.budget import Budget
from mpisog.engines.unfolding import Unfolding
from mpisog.errors import LimitReached
from mpisog.formulas.properties import Property
from mpisog.nets.generators import generate
from mpisog.nets.model import make_net
from mpisog.spotglue.automata import counterexample_automaton
from mpisog.spotglue.ltl import bind
from mpisog.unfolding.prefix import NotSafe, Prefix, Synchronisation
from mpisog.unfolding.visibility import choose_mode
from tests.engines.running import run_engine

PUBLISHED = {
    ("dac", 6): (42, 34, 53, 92),
    ("dac", 15): (105, 88, 206, 371),
    ("dp", 6): (36, 24, 96, 204),
    ("dp", 12): (72, 48, 408, 840),
    ("ring_exclusion", 3): (39, 33, 47, 97),
    ("ring_exclusion", 9): (117, 99, 795, 1_599),
    ("dpd", 4): (36, 36, 296, 594),
    ("dpd", 7): (63, 63, 4_314, 8_630),
}
"""Places, transitions, events, conditions: Heljanko's and Mole's tables of Corbett's examples."""


def built(net, budget=None) -> Prefix:
    prefix = Prefix(net, None, budget or Budget())
    assert not prefix.build()
    return prefix


@pytest.mark.parametrize(("family", "sizes"), PUBLISHED.items())
def test_complete_prefixes_have_the_published_sizes(family, sizes):
    net = generate(*family)
    figures = built(net).figures
    found = (len(net.places), len(net.transitions), figures["events"], figures["conditions"])
    assert found == sizes


def test_independent_loops_have_a_linear_prefix():
    assert built(generate("loops", 300)).figures["events"] == 600


def test_an_unsafe_place_is_named_with_who_fills_it():
    net = make_net("n", {"a": 1, "b": 1, "c": 0}, {"left": (["a"], ["c"]), "right": (["b"], ["c"])})
    with pytest.raises(NotSafe, match="place 'c' can hold two tokens, from 'left' and 'right'"):
        Prefix(net, None, Budget()).build()


@pytest.mark.parametrize(
    ("places", "transitions", "message"),
    [
        ({"a": 2}, {"t": (["a"], [])}, "'a' can hold two tokens, from the initial marking alone"),
        ({"a": 1, "b": 0}, {"t": (["a"], ["b", "b"])}, "'b' can hold two tokens, from 't' alone"),
        ({"a": 1, "b": 1}, {"t": (["a"], ["b"])}, "'b' can .* from the initial marking and 't'"),
        ({"a": 0}, {"t": ([], ["a"])}, "'a' can hold two tokens, from 't' alone"),
    ],
)
def test_other_ways_to_two_tokens(places, transitions, message):
    with pytest.raises(NotSafe, match=message):
        Prefix(make_net("n", places, transitions), None, Budget()).build()


def test_time_is_kept():
    budget = Budget(0.3)
    prefix = Prefix(generate("dpd", 14), None, budget)
    with pytest.raises(LimitReached, match="time limit"):
        prefix.build()
    assert prefix.figures["events"] > 1_000


def test_a_linear_program_gets_no_more_time_than_there_is(monkeypatch):
    asked: list[float] = []

    def repeatable(changes, places, seconds):
        asked.append(seconds)
        return list(range(len(changes)))

    monkeypatch.setattr("mpisog.engines.unfolding.LARGE", 0)
    monkeypatch.setattr("mpisog.engines.unfolding.repeatable", repeatable)
    net = generate("loops", 3)
    bound = bind(Property("f", "G F loop1_a"), net)
    run_engine(Unfolding(), net, bound, budget=Budget(1))
    run_engine(Unfolding(), net, bound)
    assert 0 < asked[0] < 1 < asked[1]


def test_memory_is_given_back_although_the_limit_is_kept(monkeypatch):
    """Of a budget; native memory is not seen by the collector."""
    made: list[Prefix] = []

    class Noted(Prefix):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            made.append(self)

    monkeypatch.setattr("mpisog.engines.unfolding.Prefix", Noted)
    net, budget = generate("dpd", 14), Budget(0.2)
    bound = bind(Property("f", "G !(phil1_eat & phil2_eat)"), net)
    with pytest.raises(LimitReached, match="time limit") as raised:
        run_engine(Unfolding(), net, bound, budget=budget)
    assert raised.value.statistics["events"] > 100
    (prefix,) = made
    with pytest.raises(AssertionError):
        _ = prefix.native


def test_memory_is_kept():
    budget = Budget(memory=1)  # the least that a prefix may use in any case
    prefix = Prefix(generate("dpd", 14), None, budget)
    with pytest.raises(LimitReached, match="memory"):
        prefix.build()
    assert prefix.native.peak_bytes <= 1 << 24


def test_memory_for_an_event_is_small():
    figures = built(generate("dpd", 7)).figures
    assert figures["bytes"] <= 1_024 * figures["events"]


def test_a_million_markings_are_no_matter():
    """504 events and 397 for livelocks, where there are 5e47 markings."""
    net = generate("philosophers", 100)
    result = mpisog.check(net, "G(Think_1 -> F Eat_1)", engine="unfolding", reduce="none")
    assert str(result.verdict) == "FALSE"
    assert result.statistics["events"] == 504
    assert result.statistics["livelock_events"] == 397


def test_progress_names_the_phases():
    net, budget = generate("loops", 3), Budget()
    bound = bind(Property("f", "G F loop1_a"), net)
    automaton = counterexample_automaton(bound, budget)
    prefix = Prefix(net, Synchronisation(bound, automaton, choose_mode(bound, budget)), budget)
    phases = []
    for work in (prefix.build, prefix.search_livelocks, prefix.may_end_dead):
        work()
        phases.append(budget.units[0])
    assert phases == ["events (tableau)", "events (livelocks)", "events (dead markings)"]
    built(net, budget)
    assert budget.units[0] == "events"
