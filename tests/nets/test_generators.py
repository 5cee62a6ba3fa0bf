"""Generated nets against the literature's and the contest's numbers, and the contest's own files.

The numbers are column (1) of Table 1 of Klai and Poitrenaud, "MC-SOG: an LTL model checker based on
symbolic observation graphs" (exact where the table is), and the contest's published state counts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mpisog.errors import UsageError
from mpisog.nets.generators import FAMILIES, generate
from mpisog.nets.load import load_net
from mpisog.nets.model import PetriNet
from tests.nets.exploring import reachable

TABLE_1 = {
    ("fms", 2): 3_444,
    ("kanban", 2): 4_600,
    ("philo", 4): 466,
    ("philo", 6): 10_054,
    ("ring", 3): 504,
    ("ring", 4): 5_136,
}
TABLE_1_SLOW = {
    ("fms", 3): 48_590,
    ("fms", 4): 438_600,
    ("kanban", 3): 58_400,
    ("kanban", 4): 454_475,
    ("philo", 8): 216_994,
    ("ring", 5): 53_856,
}
CONTEST = {
    ("philosophers", 5): 243,
    ("token_ring", 5): 166,
    ("robot_manipulation", 1): 110,
    ("robot_manipulation", 2): 1_430,
    ("circular_trains", 12): 195,
}
CONTEST_FILES = {
    "philosophers": ("Philosophers-PT-{:06}", (5, 10, 20, 50, 100)),
    "fms": ("FMS-PT-{:05}", (2, 5, 10, 20, 50)),
    "kanban": ("Kanban-PT-{:05}", (5, 10, 20, 50, 100)),
    "robot_manipulation": ("RobotManipulation-PT-{:05}", (1, 2, 5, 10, 20, 50)),
    "swimming_pool": ("SwimmingPool-PT-{:02}", (1, 2, 3, 4, 5)),
    "circular_trains": ("CircularTrains-PT-{:03}", (12, 24, 48, 96, 192)),
    "token_ring": ("TokenRing-PT-{:03}", (5, 10)),
}


@pytest.mark.parametrize(("family", "states"), (TABLE_1 | CONTEST).items())
def test_reachable_markings(family: tuple[str, int], states: int) -> None:
    assert len(reachable(generate(*family))) == states


@pytest.mark.slow
@pytest.mark.parametrize(("family", "states"), TABLE_1_SLOW.items())
def test_reachable_markings_of_larger_nets(family: tuple[str, int], states: int) -> None:
    assert len(reachable(generate(*family), limit=500_000)) == states


@pytest.mark.parametrize("name", CONTEST_FILES)
def test_the_contest_has_the_same_nets(name: str, mcc_dir: Path) -> None:
    pattern, parameters = CONTEST_FILES[name]
    for parameter in parameters:
        contest = load_net(mcc_dir / pattern.format(parameter) / "model.pnml")
        assert unordered(generate(name, parameter)) == unordered(contest)


def unordered(net: PetriNet) -> Any:
    """Everything about a net but the order of its elements."""
    ids = [place.id for place in net.places]
    return (
        net.name,
        {place.id: place for place in net.places},
        {
            t.id: (t.name, {ids[p]: w for p, w in t.pre}, {ids[p]: w for p, w in t.post})
            for t in net.transitions
        },
    )


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_the_smallest_net_of_each_family_is_sound(family: Any) -> None:
    net = generate(family.name, family.minimum)
    assert net.transitions
    assert all(transition.pre and transition.post for transition in net.transitions)


def test_what_a_family_does_not_take() -> None:
    with pytest.raises(UsageError, match="did you mean 'philosophers'"):
        generate("philosopher", 5)
    with pytest.raises(UsageError, match="known: philosophers"):
        generate("xyz", 5)
    with pytest.raises(UsageError, match="takes a number from 2 to 1000000"):
        generate("philo", 1)
    with pytest.raises(UsageError, match="takes a number from"):
        generate("token_ring", 10**9)
