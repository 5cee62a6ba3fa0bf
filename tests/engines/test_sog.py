"""What the SOG engine does when decision diagrams take too long, and how it ends safety checks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mpisog import Verdict, check, check_many
from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines import session as sessions
from mpisog.engines import sog
from mpisog.engines.session import Session
from mpisog.engines.sog import SogEngine
from mpisog.errors import LimitReached
from mpisog.formulas.atoms import Comparison
from mpisog.formulas.properties import Property
from mpisog.nets.generators import generate
from mpisog.nets.model import make_net
from mpisog.sog.closure import close
from mpisog.sog.divergence import CycleMemory
from mpisog.spotglue.automata import counterexample_automaton
from mpisog.spotglue.ltl import bind
from mpisog.symbolic import registry
from mpisog.symbolic.bits import TooManyMarkings
from mpisog.symbolic.protocol import all_steps
from mpisog.trace.replay import certify

NET = generate("kanban", 1)


@pytest.fixture
def diagrams_at_first(monkeypatch):
    monkeypatch.setattr(registry, "FEW_MARKINGS", 1)


def formulas(net):
    a, b, c = (net.places[i].id for i in (0, 5, 9))
    return [f'G !("{a} >= 1" & "{b} >= 1")', f"G({a} -> F {c})", "F G dead", f'G "{a}+{b} <= 9"']


def verdicts(session, backend="auto"):
    found = []
    for text in formulas(session.net):
        bound = bind(Property("p", text), session.net)
        finding = SogEngine().check(session, bound, RunConfig(backend=backend), Budget())
        if finding.counterexample is not None:
            certify(finding.counterexample, bound, Budget())
        found.append(Verdict.TRUE if finding.counterexample is None else Verdict.FALSE)
    return found


EXPECTED = verdicts(Session(NET), "explicit")


def test_both_verdicts_occur():
    assert set(EXPECTED) == {Verdict.TRUE, Verdict.FALSE}


def test_diagrams_that_do_not_try_ones_patience(diagrams_at_first):
    session = Session(NET)
    assert verdicts(session) == EXPECTED
    assert session.domain("auto", Budget()).name == "mdd"


def test_markings_are_numbered_when_diagrams_take_long(diagrams_at_first, monkeypatch):
    monkeypatch.setattr(sog, "GLANCES", ())
    monkeypatch.setattr(sog, "PATIENCE", 0.0)
    session = Session(NET)
    assert verdicts(session) == EXPECTED
    assert session.domain("auto", Budget()).name == "bits"


@pytest.mark.parametrize("markings", [1, 4, 1000])
def test_small_aggregates_when_whole_ones_take_long(diagrams_at_first, monkeypatch, markings):
    tried = []

    def examine(task, budget, markings=None):
        tried.append(markings)
        return whole(task, budget, markings)

    whole = sog.examine
    monkeypatch.setattr(sog, "examine", examine)
    monkeypatch.setattr(sog, "GLANCES", (sog.Glance(0.0), sog.Glance(60.0, markings)))
    assert verdicts(Session(NET)) == EXPECTED
    assert tried == [None, markings] * len(EXPECTED)


def test_no_glances_where_another_limit_is_asked_for(diagrams_at_first):
    bound = bind(Property("p", "F G dead"), NET)
    automaton = counterexample_automaton(bound, Budget(), delayed=False, single_acceptance=False)
    for config in (
        RunConfig(aggregate_nodes=5),
        RunConfig(forbid=1),
        RunConfig(aggregation="static"),
    ):
        task = sog.Task(Session(NET), bound, automaton, config)
        assert not task.ways(sog.GLANCES, Budget())
        assert replace(task, config=RunConfig()).ways(sog.GLANCES, Budget()) == [*sog.GLANCES]


def test_with_numbered_markings_aggregates_are_whole_or_have_one():
    assert sizes_of_glances("F G dead", "bits") == {None, 1}


def test_with_events_aggregates_are_whole_or_have_one_marking(diagrams_at_first):
    assert sizes_of_glances(f'F "fire({NET.transitions[0].id})"', "mdd") == {None, 1}


def sizes_of_glances(formula, backend):
    bound = bind(Property("p", formula), NET)
    automaton = counterexample_automaton(
        bound, Budget(), delayed=bound.has_events, single_acceptance=False
    )
    session = Session(NET)
    assert session.domain("auto", Budget()).name == backend
    task = sog.Task(session, bound, automaton, RunConfig())
    return {glance.markings for glance in task.ways(sog.GLANCES, Budget())}


def test_diagrams_go_on_when_there_are_too_many_markings(diagrams_at_first, monkeypatch):
    asked = []

    def refuse(name, net, **settings):
        asked.append(name)
        if name == "bits":
            raise TooManyMarkings("too many")
        return registry.open_domain(name, net, **settings)

    monkeypatch.setattr(sog, "GLANCES", ())
    monkeypatch.setattr(sog, "PATIENCE", 0.0)
    monkeypatch.setattr(sessions, "open_domain", refuse)
    session = Session(NET)
    assert verdicts(session) == EXPECTED
    assert session.domain("auto", Budget()).name == "mdd"
    assert asked.count("bits") == 1


def test_a_violated_safety_formula_needs_no_silent_cycle(monkeypatch):
    """Nothing is asked about staying, and the run still ends in a cycle or a dead marking."""

    def never(*_, **__):
        raise AssertionError("nobody needs to know")

    monkeypatch.setattr(CycleMemory, "has_cycle", never)
    net = generate("philo", 3)
    bound = bind(Property("p", f'G "{net.places[0].id} >= 1"'), net)
    found = SogEngine().check(Session(net), bound, RunConfig(backend="mdd"), Budget())
    assert found.counterexample is not None
    certify(found.counterexample, bound, Budget())


@pytest.mark.parametrize("backend", sorted(registry.BACKENDS))
@pytest.mark.parametrize("reduce", ["none", "full"])
def test_a_net_of_which_nothing_is_left(backend, reduce):
    bare = make_net("bare", {}, {})
    lonely = make_net("lonely", {"p": 1}, {"t": (["p"], [])})
    expected = [
        (bare, "G dead", Verdict.TRUE),
        (bare, "F !dead", Verdict.FALSE),
        (lonely, "F G dead", Verdict.TRUE),
        (lonely, 'G "p >= 1"', Verdict.FALSE),
    ]
    for net, formula, verdict in expected:
        result = check(net, formula, engine="sog", backend=backend, reduce=reduce)
        assert result.verdict is verdict, formula


@pytest.mark.parametrize("backend", ["mdd", "bits", "explicit"])
def test_a_graph_with_events_is_not_used_for_a_formula_without(backend):
    """Its first step may be an event at once, which a graph without events waits for."""
    net = make_net("once", {"p": 1}, {"t": (["p"], [])})
    formulas = ['F("fire(t)" & "fireable(t)")', 'G "fireable(t)"']
    first, second = check_many(net, formulas, engine="sog", reduce="none", backend=backend)
    assert first.verdict is Verdict.TRUE
    assert second.verdict is Verdict.FALSE


@pytest.mark.parametrize("backend", ["mdd", "bits", "explicit"])
def test_growth_by_steps_that_may_change_the_label_is_limited_too(backend):
    """All markings but the last look alike; one by one they would take for ever."""
    net = make_net("drain", {"p": 100, "q": 0}, {"t": (["p"], []), "u": (["p", "p"], ["q"])})
    sum_of_both = Comparison(((0, 1), (1, 1)), ">=", 1)
    observation = sessions.observe(net, [sum_of_both], RunConfig(aggregate_nodes=2))
    assert not observation.steps(observation.initial_label()).one_by_one
    domain = registry.open_domain(backend, net)
    entry = domain.singleton((100, 0))
    found = close(domain, observation, observation.initial_label(), entry)
    assert found.cut
    assert domain.count(found.states) < 10


def test_the_explicit_backend_looks_at_the_clock_within_an_operation():
    net = make_net("drain", {"p": 60_000}, {"t": (["p"], []), "u": (["p", "p"], [])})
    domain = registry.open_domain("explicit", net, budget=Budget(0.0))
    states = frozenset((tokens,) for tokens in range(5))
    for operation in (domain.image, domain.preimage):
        with pytest.raises(LimitReached):
            operation(states, all_steps(net))
    with pytest.raises(LimitReached):
        domain.filter(states, Comparison(((0, 1),), ">=", 1))
