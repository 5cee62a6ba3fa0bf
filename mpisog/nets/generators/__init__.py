"""Parametric nets for ``mpisog gen``: the families papers and the Model Checking Contest use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mpisog.errors import UsageError, nearest
from mpisog.nets.generators import pools, rings
from mpisog.nets.model import PetriNet


@dataclass(frozen=True, slots=True)
class Family:
    """A family of nets with one integer parameter.

    ``maximum`` keeps a slip of the keyboard from filling the memory; it is far beyond any instance
    that has been published.
    """

    name: str
    parameter: str
    description: str
    build: Callable[[int], PetriNet]
    minimum: int = 1
    maximum: int = 1_000_000


_ALL = (
    Family(
        "philosophers",
        "number of philosophers",
        "dining philosophers of the contest, either fork first, may deadlock",
        rings.philosophers,
        minimum=2,
    ),
    Family(
        "philo",
        "number of philosophers",
        "dining philosophers of Ciardo, Luettgen and Siminiceanu, both hands work on their own",
        rings.philo,
        minimum=2,
    ),
    Family(
        "ring",
        "number of nodes",
        "slotted ring protocol of Pastor, Roig, Cortadella and Badia",
        rings.slotted_ring,
        minimum=2,
    ),
    Family(
        "token_ring",
        "number of processes beside the main one",
        "Dijkstra's self-stabilising token ring of the contest",
        rings.token_ring,
        maximum=100,
    ),
    Family(
        "circular_trains",
        "number of track sections, one train to every three",
        "trains on a circular track of the contest",
        rings.circular_trains,
        minimum=3,
    ),
    Family("fms", "parts of each kind", "flexible manufacturing system of the contest", pools.fms),
    Family("kanban", "cards in each cell", "kanban system of the contest", pools.kanban),
    Family(
        "robot_manipulation",
        "half the number of robots",
        "robots that move in a shared area, of the contest",
        pools.robot_manipulation,
    ),
    Family(
        "swimming_pool",
        "scale: 20 swimmers, 10 cabins and 15 bags each",
        "swimmers who need a cabin and a bag, of the contest",
        pools.swimming_pool,
    ),
)

FAMILIES: Mapping[str, Family] = {family.name: family for family in _ALL}
"""All families by the name the command line knows them by."""


def generate(name: str, parameter: int) -> PetriNet:
    """The net of a family, or a ``UsageError`` that says what the family takes."""
    family = FAMILIES.get(name)
    if family is None:
        hint = nearest(name, FAMILIES) or "known: " + ", ".join(FAMILIES)
        raise UsageError(f"there is no net family '{name}'", hint=hint)
    if not family.minimum <= parameter <= family.maximum:
        raise UsageError(
            f"family '{name}' takes a number from {family.minimum} to {family.maximum}"
            f" ({family.parameter}), not {parameter}"
        )
    return family.build(parameter)


__all__ = ["FAMILIES", "Family", "generate"]
