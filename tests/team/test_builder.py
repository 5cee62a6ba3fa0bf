"""A builder step by step, with a pool that has no threads."""

from __future__ import annotations

import pytest

from mpisog import _native
from mpisog.budget import Budget
from mpisog.formulas.properties import Property
from mpisog.nets.generators import generate
from mpisog.sog.expansion import WAITING
from mpisog.spotglue.automata import counterexample_automaton, to_hoa
from mpisog.spotglue.ltl import bind
from mpisog.symbolic.protocol import DIGESTS
from mpisog.symbolic.registry import open_domain
from mpisog.team.builder import Builder
from mpisog.team.builder_rank import make_aggregate_builder
from mpisog.team.job_spec import JobSpec
from mpisog.team.messages import INITIAL, AskInitial, AskSuccessors, Successors
from mpisog.team.native_pool import NativePool
from mpisog.team.plan import CHECKER, STRATEGIES, Plan
from mpisog.team.pool import Pool
from mpisog.transport.message import decode, encode

FORMS = ("python", "native")

NET = generate("philosophers", 3)
BOUND = bind(Property("p", "G !(Eat_1 & Eat_2)"), NET)


def job_spec():
    automaton = counterexample_automaton(BOUND, Budget())
    return JobSpec(NET, "bits", (), BOUND.atoms, to_hoa(automaton))


def new_builder(strategy, plan=None):
    """The readable form, of which tests can see the inside."""
    aggregate_builder = make_aggregate_builder(job_spec(), open_domain("bits", NET))
    return Builder(aggregate_builder, plan or Plan(strategy=strategy))


def run(builder):
    pool = Pool(builder, threads=0)
    while pool.work():
        pass
    assert pool.failure is None


class Stepped:
    """A builder of either form, of which tests see messages and figures."""

    def __init__(self, form, plan):
        if form == "native":
            self.pool = NativePool(open_domain("bits", NET), job_spec(), plan, threads=0)
        else:
            self.pool = Pool(new_builder(plan.strategy, plan), threads=0)

    def receive(self, source, message):
        assert self.pool.take_packet(source, encode(1, [message])) == 1

    def take_messages(self):
        found = [(packet.to, decode(packet.data)[1]) for packet in self.pool.packets(1)]
        return [(to, message) for to, messages in found for message in messages]

    def run(self):
        while self.pool.work():
            pass
        assert self.pool.failure is None

    @property
    def held(self):
        return self.pool.figures().held

    @property
    def built(self):
        return self.pool.figures().built


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


@pytest.mark.parametrize("form", FORMS)
def test_what_was_told_ahead_is_not_told_again_when_it_is_asked_for(form):
    builder = Stepped(form, Plan())
    builder.receive(CHECKER, AskInitial())
    builder.run()
    told = {message.identity for _, message in builder.take_messages()}
    for identity in told - {INITIAL}:
        builder.receive(CHECKER, AskSuccessors(identity, WAITING))
    builder.run()
    assert len(told) > 1
    assert not builder.take_messages()


@pytest.mark.parametrize("form", FORMS)
def test_all_of_the_graph_is_built_ahead_or_on_demand(form):
    eager, asking = (Stepped(form, Plan(strategy=strategy)) for strategy in STRATEGIES)
    for builder in (eager, asking):
        builder.receive(CHECKER, AskInitial())
        builder.run()
    assert asking.held == 1
    seen = set()
    fresh = [node for _, message in asking.take_messages() for node in message.nodes]
    while fresh:
        node = fresh.pop()
        if node.identity not in seen:
            seen.add(node.identity)
            asking.receive(CHECKER, AskSuccessors(node.identity, WAITING))
            asking.run()
            fresh += [found for _, message in asking.take_messages() for found in message.nodes]
    assert len(seen) == asking.held == eager.held > 1


def test_both_forms_send_the_same_messages():
    """One step of each at a time; a lone builder calls aggregates by number, in the same order."""
    told = []
    for form in FORMS:
        builder, messages = Stepped(form, Plan()), []
        builder.receive(CHECKER, AskInitial())
        while builder.pool.work():
            messages += builder.take_messages()
        told.append(messages)
    assert told[0] == told[1]
    assert len(told[0]) > 3


@pytest.mark.parametrize("size", [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000])
def test_names_are_md5(size):
    data = bytes(range(256))[:size] if size <= 256 else bytes(size)
    assert _native.team_digest(data) == DIGESTS["md5"](data)
