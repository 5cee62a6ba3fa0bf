"""Who comes first, against a search through all properties."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import pytest

from mpisog.executor.order import Order, Urgency


def random_state(rng: Random, number: int) -> SimpleNamespace:
    waiting = [None] if rng.random() < 0.2 else []
    running = rng.choices(range(9), k=rng.choice([0, 0, 1, 2]))
    spent = float(rng.randint(0, 3))
    return SimpleNamespace(
        number=number,
        worker=rng.choice([None, 1, 2, 3]),
        waiting=waiting,
        running=running,
        is_open=rng.random() < 0.5,
        course=SimpleNamespace(round=rng.choice([0, 0, 1, 2])),
        result=None if rng.random() < 0.9 else "known",
        spent=lambda now: spent,
    )


def urgency(state: SimpleNamespace, workers: int, few: bool) -> Urgency:
    if state.waiting and (state.is_open or workers == 1):
        return Urgency.AGAIN
    if state.waiting:
        return Urgency.POLISH_LATE if few else Urgency.POLISH
    if state.running:
        return Urgency.RACE
    return Urgency.QUICK if state.course.round == 0 else Urgency.LONG


def rank(state: SimpleNamespace, worker: int, workers: int, few: bool) -> tuple[float, ...]:
    affinity, turn = 0 if state.worker == worker else 1 if state.worker is None else 2, 0.0
    if few and state.course.round > 0:
        affinity, turn = max(affinity, 1), state.spent(0.0)
    first = urgency(state, workers, few)
    return (first, state.course.round, len(state.running), affinity, turn, state.number)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_random_orders(workers):
    rng = Random(workers)
    for _ in range(300):
        order = Order(workers)
        states = {}
        for _ in range(30):
            number = rng.randrange(8)
            states[number] = random_state(rng, number)
            order.put(states[number])
            left = [state for state in states.values() if state.result is None]
            apart_from = {n for n in states if rng.random() < 0.2}
            few = workers > 1 and sum(s.is_open for s in states.values()) < 2 * workers
            worker = rng.randint(1, workers)
            expected = min(
                (state for state in left if state.number not in apart_from),
                key=lambda state: rank(state, worker, workers, few),
                default=None,
            )
            assert order.first(worker, 0.0, apart_from) is expected
            assert len(order) == len(left)
            assert order.open == sum(state.is_open for state in states.values())
