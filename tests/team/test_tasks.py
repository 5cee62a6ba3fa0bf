"""The order in which threads take tasks, and what ranks give to each other."""

from __future__ import annotations

import pytest

from mpisog.team.plan import Plan
from mpisog.team.tasks import Task, Tasks

POSITIONS = [(3,), (1,), (4,), (0,), (2,)]


def movable(position, given):
    return Task(
        "building", lambda: None, lambda _: None, lambda rank: given.append(position), position
    )


def filled(quantile):
    tasks, given = Tasks(quantile), []
    for position in POSITIONS:
        tasks.put(movable(position, given), urgent=False)
    return tasks, given


def drained(tasks):
    return [task.position for task in iter(tasks.take, None)]


def test_alone_the_last_one_comes_first():
    tasks, _ = filled(None)
    assert drained(tasks) == POSITIONS[::-1]
    assert tasks.waiting == 0


@pytest.mark.parametrize(("quantile", "first"), [(0.0, (0,)), (0.5, (2,)), (1.0, (4,))])
def test_each_rank_takes_from_its_own_part_of_the_row(quantile, first):
    tasks, _ = filled(quantile)
    order = drained(tasks)
    assert order[0] == first
    assert sorted(order) == sorted(POSITIONS)


def test_what_cannot_be_given_comes_before_the_row_and_what_is_urgent_before_all():
    tasks, _ = filled(0.0)
    tasks.put(Task("expanding", lambda: None, lambda _: None), urgent=False)
    tasks.put(Task("packing", lambda: None, lambda _: None), urgent=True)
    assert [tasks.take().kind for _ in range(3)] == ["packing", "expanding", "building"]


def test_who_has_nothing_gets_what_is_in_its_own_part():
    tasks, given = filled(0.0)
    assert tasks.give(rank=2, quantile=1.0)
    assert given == [(4,)]
    assert tasks.waiting == len(POSITIONS) - 1
    assert drained(tasks) == [(0,), (1,), (2,), (3,)]
    assert not tasks.give(rank=2, quantile=1.0)


def test_what_has_become_urgent_is_taken_once_and_not_given():
    tasks, given = Tasks(0.0), []
    task = movable((7,), given)
    tasks.put(task, urgent=False)
    tasks.raise_priority(task)
    assert not tasks.give(rank=2, quantile=1.0)
    assert tasks.take() is task
    assert tasks.take() is None
    assert tasks.waiting == 0


def test_the_ranks_share_the_row_from_end_to_end():
    assert [Plan(rank, 4).quantile(rank) for rank in Plan(1, 4).ranks] == [0, 1 / 3, 2 / 3, 1]
    assert Plan(1, 1).alone
