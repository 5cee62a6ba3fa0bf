"""The simulation of many ranks, with a clock that counts instead of measuring."""

from __future__ import annotations

from itertools import count

import pytest
from simulated_machine import Events, Machine, Network
from simulated_team import SimulatedTeam

from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines.sog import Sog
from mpisog.formulas.properties import Property
from mpisog.nets.generators import generate
from mpisog.spotglue.automata import counterexample_automaton, to_hoa
from mpisog.spotglue.ltl import bind
from mpisog.symbolic.registry import open_domain
from mpisog.team.builder import Builder
from mpisog.team.builder_rank import make_aggregate_builder
from mpisog.team.job_spec import JobSpec
from mpisog.team.messages import AskInitial
from mpisog.team.plan import CHECKER, Plan
from mpisog.team.pool import Pool
from tests.engines.running import run_engine

NET = generate("philosophers", 9)
BOUND = bind(Property("p", " & ".join(f"G !(Eat_{i} & Eat_{i + 1})" for i in (1, 3, 5, 7))), NET)
TICK = 1e-3
"""Seconds that everything takes which is measured."""


def ticking():
    ticks = count()
    return lambda _domain: TICK * next(ticks)


def simulated(builders, machine=None):
    """Figures of a run, and what it found."""
    team = SimulatedTeam(builders, machine or Machine(), ticking())
    finding = run_engine(Sog(), NET, BOUND, RunConfig(backend="mdd"), team=team)
    return team.figures(), finding


def sequential_tasks():
    """How many tasks a builder has that is run without a simulation."""
    job_spec = JobSpec(
        NET, "mdd", (), BOUND.atoms, to_hoa(counterexample_automaton(BOUND, Budget()))
    )
    builder = Builder(make_aggregate_builder(job_spec, open_domain("mdd", NET)), Plan())
    pool = Pool(builder, threads=0)
    pool.receive(CHECKER, [AskInitial()])
    done = 0
    while pool.work():
        done += 1
    assert pool.failure is None
    return done, builder.held


def test_one_builder_takes_the_time_of_its_tasks_one_after_the_other():
    figures, finding = simulated(1)
    tasks, held = sequential_tasks()
    assert finding.counterexample is None
    assert figures.held == held > 20
    assert figures.tasks == pytest.approx(tasks * TICK)
    assert figures.seconds >= figures.tasks
    waiting = figures.ledger.idle_seconds
    assert figures.seconds <= figures.tasks + figures.protocol + waiting + TICK


@pytest.mark.parametrize(("builders", "threads"), [(1, 1), (1, 3), (2, 1), (3, 2), (16, 1)])
def test_every_second_of_every_thread_is_accounted_for(builders, threads):
    figures, _ = simulated(builders, Machine(threads))
    whole = builders * threads * figures.seconds
    known = figures.tasks + figures.ledger.idle_seconds
    under_way = builders * threads * TICK  # tasks that the end of the check has cut off
    assert known <= whole + under_way
    # A thread may wait for the lock while another thread, or each message, has it.
    assert known + threads * figures.protocol >= whole - under_way


@pytest.mark.parametrize("builders", [2, 3, 7])
def test_builders_hold_what_one_holds_and_do_at_least_its_work(builders):
    one, many = simulated(1)[0], simulated(builders)[0]
    assert many.held >= one.held
    assert many.built >= one.built
    assert many.tasks >= one.tasks
    assert many.messages > one.messages
    assert many.seconds >= many.tasks / builders - TICK


def test_more_builders_are_faster_where_work_is_plenty():
    assert simulated(4)[0].seconds < simulated(2)[0].seconds < simulated(1)[0].seconds


def test_the_same_times_give_the_same_run():
    assert simulated(5)[0] == simulated(5)[0]


def test_slow_packets_make_it_slower():
    assert simulated(4, Machine(latency=0.05))[0].seconds > simulated(4)[0].seconds


def test_packets_take_latency_and_leave_one_after_the_other():
    arrived = []
    events = Events(lambda seconds: None)
    network = Network(Machine(latency=0.5, bandwidth=100), events)
    network.boxes[2] = lambda source, packet: arrived.append((events.now, source, len(packet)))
    network.send(1, 2, bytes(100), moment=1.0)
    network.send(1, 2, bytes(50), moment=1.0)
    network.send(3, 2, bytes(200), moment=0.0)
    events.run_until(10.0)
    assert arrived == [(2.5, 1, 100), (3.0, 1, 50), (5.0, 3, 200)]
    assert events.now == 10.0


def test_what_happens_at_the_same_time_keeps_its_order():
    seen = []
    passed = []
    events = Events(passed.append)
    for name in "abc":
        events.at(2.0, lambda name=name: seen.append((events.now, name)))
    events.at(1.0, lambda: events.at(1.5, lambda: seen.append((events.now, "later"))))
    events.run_until(2.0)
    assert seen == [(1.5, "later"), (2.0, "a"), (2.0, "b"), (2.0, "c")]
    assert sum(passed) == 2.0
