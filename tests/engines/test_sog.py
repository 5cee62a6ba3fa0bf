"""What the SOG engine does when decision diagrams take too long, and how it ends safety checks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mpisog import Verdict, check, check_many
from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines import resources as resources_module
from mpisog.engines import schedule as schedule_module
from mpisog.engines.problem import Problem
from mpisog.engines.resources import Resources
from mpisog.engines.schedule import schedule
from mpisog.engines.sog import Sog
from mpisog.engines.task import Task
from mpisog.engines.unit import run_unit
from mpisog.errors import LimitReached
from mpisog.formulas.atoms import Comparison
from mpisog.formulas.properties import Property
from mpisog.nets.generators import generate
from mpisog.nets.model import make_net
from mpisog.sog.closure import close
from mpisog.sog.divergence import CycleMemory
from mpisog.spotglue.ltl import bind
from mpisog.symbolic import registry
from mpisog.symbolic.bits import TooManyMarkings
from mpisog.symbolic.protocol import all_steps
from mpisog.trace.replay import certify
from tests.engines.running import run_engine

NET = generate("kanban", 1)


@pytest.fixture
def diagrams_at_first(monkeypatch):
    monkeypatch.setattr(registry, "FEW_MARKINGS", 1)


def formulas(net):
    a, b, c = (net.places[i].id for i in (0, 5, 9))
    return [f'G !("{a} >= 1" & "{b} >= 1")', f"G({a} -> F {c})", "F G dead", f'G "{a}+{b} <= 9"']


def results(backend="auto"):
    """Each FALSE has been replayed."""
    return check_many(NET, formulas(NET), engine="sog", backend=backend, reduce="none")


def verdicts(backend="auto"):
    return [result.verdict for result in results(backend)]


EXPECTED = verdicts("explicit")


def test_both_verdicts_occur():
    assert set(EXPECTED) == {Verdict.TRUE, Verdict.FALSE}


def test_diagrams_that_are_fast_enough(diagrams_at_first):
    assert [result.verdict for result in results()] == EXPECTED
    assert {result.statistics["backend"] for result in results()} == {"mdd"}


def test_markings_are_numbered_when_diagrams_take_long(diagrams_at_first, monkeypatch):
    monkeypatch.setattr(schedule_module, "SOG_VARIANTS", ((None, 15.0),))
    monkeypatch.setattr(schedule_module, "DIAGRAM_SECONDS", 0.0)
    stages = schedule(CONFIG, NET)
    resources = Resources(NET, CONFIG)
    for text, expected in zip(formulas(NET), EXPECTED, strict=True):
        task = Task(0, 0, bind(Property("p", text), NET))
        (stage,) = [stage for stage in stages if stage.name == "whole, numbered"]
        found = run_unit(task, stage, resources, Budget())
        assert (found.counterexample is None) == (expected is Verdict.TRUE)
    assert resources.of(NET, Budget()).domain("auto", Budget()).name == "bits"


@pytest.mark.parametrize("markings", [1, 4, 1000])
def test_small_aggregates_when_whole_ones_take_long(diagrams_at_first, monkeypatch, markings):
    variants = ((None, 0.0), (markings, 60.0))
    monkeypatch.setattr(schedule_module, "SOG_VARIANTS", variants)
    tried = []
    run = Sog.run

    def noted(self, problem, resources, budget):
        tried.append(self.markings)
        return run(self, problem, resources, budget)

    monkeypatch.setattr(Sog, "run", noted)
    assert verdicts() == EXPECTED
    assert tried == [None, markings] * len(EXPECTED)


CONFIG = RunConfig(engine="sog", reduce="none")


def sizes(formula="F G dead", **settings):
    """How many markings aggregates have in the stages that fit."""
    config = replace(CONFIG, **settings)
    resources = Resources(NET, config)
    problem = Problem(NET, bind(Property("p", formula), NET))
    fitting = [
        stage.engine.markings
        for stage in schedule(config, NET)
        if all(fits(problem, resources, Budget()) for fits in stage.when)
    ]
    return set(fitting), resources.of(NET, Budget()).domain("auto", Budget()).name


@pytest.mark.parametrize(
    "settings", [{"aggregate_nodes": 5}, {"forbid": 1}, {"aggregation": "static"}]
)
def test_aggregates_are_not_cut_where_another_limit_is_asked_for(diagrams_at_first, settings):
    assert sizes(**settings)[0] == {None}
    assert sizes()[0] == {None, 1, 50, 1000}


def test_with_numbered_markings_aggregates_are_whole_or_have_one():
    assert sizes() == ({None, 1}, "bits")


def test_with_events_aggregates_are_whole_or_have_one_marking(diagrams_at_first):
    assert sizes(f'F "fire({NET.transitions[0].id})"') == ({None, 1}, "mdd")


def test_diagrams_go_on_when_there_are_too_many_markings(diagrams_at_first, monkeypatch):
    asked = []

    def refuse(name, net, **settings):
        asked.append(name)
        if name == "bits":
            raise TooManyMarkings("too many")
        return registry.open_domain(name, net, **settings)

    monkeypatch.setattr(schedule_module, "SOG_VARIANTS", ((None, 0.0),))
    monkeypatch.setattr(schedule_module, "DIAGRAM_SECONDS", 0.0)
    monkeypatch.setattr(resources_module, "open_domain", refuse)
    found = results()
    assert [result.verdict for result in found] == EXPECTED
    assert {result.statistics["backend"] for result in found} == {"mdd"}
    assert asked.count("bits") == 1


def test_a_violated_safety_formula_needs_no_silent_cycle(monkeypatch):
    """Nothing is asked about staying, and the run still ends in a cycle or a dead marking."""

    def never(*_, **__):
        raise AssertionError("nobody needs to know")

    monkeypatch.setattr(CycleMemory, "has_cycle", never)
    net = generate("philo", 3)
    bound = bind(Property("p", f'G "{net.places[0].id} >= 1"'), net)
    found = run_engine(Sog(), net, bound, RunConfig(backend="mdd"))
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
    observation = resources_module.observe(net, [sum_of_both], RunConfig(aggregate_nodes=2))
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
