"""A builder step by step, with a pool that has no threads."""

from __future__ import annotations

import pytest

from mpisog.budget import Budget
from mpisog.formulas.properties import Property
from mpisog.nets.generators import generate
from mpisog.sog.expansion import WAITING
from mpisog.spotglue.automata import counterexample_automaton, to_hoa
from mpisog.spotglue.ltl import bind
from mpisog.symbolic.registry import open_domain
from mpisog.team.builder import Builder
from mpisog.team.builder_rank import make_aggregate_builder
from mpisog.team.job_spec import JobSpec
from mpisog.team.messages import INITIAL, AskInitial, AskSuccessors, Successors
from mpisog.team.plan import CHECKER, STRATEGIES, Plan
from mpisog.team.pool import Pool

NET = generate("philosophers", 3)
BOUND = bind(Property("p", "G !(Eat_1 & Eat_2)"), NET)


def new_builder(strategy, plan=None):
    automaton = counterexample_automaton(BOUND, Budget())
    job_spec = JobSpec(NET, "bits", (), BOUND.atoms, to_hoa(automaton))
    aggregate_builder = make_aggregate_builder(job_spec, open_domain("bits", NET))
    return Builder(aggregate_builder, plan or Plan(strategy=strategy))


def run(builder):
    pool = Pool(builder, threads=0)
    while pool.work():
        pass
    assert pool.failure is None


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_question_is_answered_and_the_rest_is_told_without_haste(strategy):
    builder = new_builder(strategy)
    builder.receive(CHECKER, AskInitial())
    run(builder)
    ((to, answer),) = builder.outbox
    assert (to, answer.identity, answer.mode) == (CHECKER, INITIAL, WAITING)
    assert bool(builder.ahead) == (strategy == "eager")
    assert all(isinstance(message, Successors) for _, message in builder.ahead)
    assert builder.take_messages()[0] == (to, answer)
    assert not builder.outbox
    assert not builder.ahead


def test_what_was_told_ahead_is_not_told_again_when_it_is_asked_for():
    builder = new_builder("eager")
    builder.receive(CHECKER, AskInitial())
    run(builder)
    told = {message.identity for _, message in builder.take_messages()}
    for identity in told - {INITIAL}:
        builder.receive(CHECKER, AskSuccessors(identity, WAITING))
    run(builder)
    assert len(told) > 1
    assert not builder.take_messages()


def test_all_of_the_graph_is_built_ahead_or_on_demand():
    eager, asking = new_builder("eager"), new_builder("on-demand")
    for builder in (eager, asking):
        builder.receive(CHECKER, AskInitial())
        run(builder)
    assert asking.held == 1
    seen = set()
    fresh = [node for _, message in asking.take_messages() for node in message.nodes]
    while fresh:
        node = fresh.pop()
        if node.identity not in seen:
            seen.add(node.identity)
            asking.receive(CHECKER, AskSuccessors(node.identity, WAITING))
            run(asking)
            fresh += [found for _, message in asking.take_messages() for found in message.nodes]
    assert len(seen) == asking.held == eager.held > 1
