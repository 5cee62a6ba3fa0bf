"""Parametric nets for ``mpisog gen``: the families papers and the Model Checking Contest use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mpisog.errors import NetError, UsageError, nearest
from mpisog.nets.generators import boards, concurrent, large, mclcd, pools, rings
from mpisog.nets.generators.mclcd import Formulas
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
    formulas: Callable[[int], Formulas] | None = None
    """LRL formulas of a paper about the family."""


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
    Family(
        "epidemic",
        "side of the grid",
        "cells that infect their neighbours and are removed, every run ends",
        large.epidemic,
        minimum=2,
        maximum=2_000,
    ),
    Family(
        "process_ring",
        "number of processes",
        "mutual exclusion by a token that goes round",
        large.process_ring,
        minimum=2,
    ),
    Family(
        "pipeline",
        "number of stages",
        "stages that hand items on to the next",
        large.pipeline,
        minimum=2,
    ),
    Family(
        "grid_walk",
        "side of the grid",
        "walkers on a grid, one to a cell",
        large.grid_walk,
        minimum=2,
        maximum=2_000,
    ),
    Family(
        "ph",
        "number of philosophers",
        "dining philosophers of the MCLCD paper (PH), without a state for eating",
        mclcd.ph,
        minimum=2,
        formulas=mclcd.ph_formulas,
    ),
    Family(
        "tk",
        "number of stations",
        "token ring of the MCLCD paper (TK), stations may starve",
        mclcd.tk,
        minimum=2,
        formulas=mclcd.tk_formulas,
    ),
    Family(
        "tk_m",
        "number of stations",
        "token ring of the MCLCD paper (TK_M), no station starves",
        mclcd.tk_m,
        minimum=2,
        formulas=mclcd.tk_formulas,
    ),
    Family(
        "dac",
        "number of tasks",
        "Corbett's divide and conquer: tasks that fork tasks",
        concurrent.divide_and_conquer,
        minimum=2,
        maximum=100_000,
    ),
    Family(
        "dp",
        "number of philosophers",
        "Corbett's dining philosophers, may deadlock",
        concurrent.dining_philosophers,
        minimum=2,
        maximum=100_000,
    ),
    Family(
        "dpd",
        "number of philosophers",
        "Corbett's dining philosophers who pass a dictionary around",
        concurrent.philosophers_with_dictionary,
        minimum=2,
        maximum=100_000,
    ),
    Family(
        "ring_exclusion",
        "number of servers",
        "Corbett's RING: mutual exclusion by a token that servers ask each other for",
        concurrent.token_ring_exclusion,
        minimum=2,
        maximum=100_000,
    ),
    Family(
        "loops",
        "number of loops",
        "independent loops of two transitions: 2^N markings",
        concurrent.independent_loops,
        maximum=100_000,
    ),
)

FAMILIES: Mapping[str, Family] = {family.name: family for family in _ALL}
"""All families by the name the command line knows them by."""


@dataclass(frozen=True, slots=True)
class BoardFamily:
    """A family of nets for boards, built in or in a file."""

    name: str
    description: str
    boards: Mapping[str, str]
    build: Callable[[str, str], PetriNet]
    formulas: Callable[[str], Formulas]


BOARD_FAMILIES: Mapping[str, BoardFamily] = {
    family.name: family
    for family in (
        BoardFamily(
            "peg",
            "peg solitaire",
            boards.PEG_BOARDS,
            boards.peg_solitaire,
            boards.peg_formulas,
        ),
        BoardFamily(
            "sokoban",
            "Sokoban, a player pushes boxes",
            boards.SOKOBAN_LEVELS,
            boards.sokoban,
            boards.sokoban_formulas,
        ),
    )
}
"""All families of boards by the name the command line knows them by."""


def generate_board(name: str, board: str) -> tuple[PetriNet, Formulas]:
    """The net and the formulas of a built-in board, or of one in a file."""
    family = BOARD_FAMILIES[name]
    text = family.boards.get(board) or _read_board(family, board)
    try:
        return family.build(Path(board).stem, text), family.formulas(text)
    except NetError as error:
        raise error if board in family.boards else error.located(board, error.line) from None


def _read_board(family: BoardFamily, path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        known = ", ".join(family.boards)
        raise UsageError(
            f"'{path}' is neither a board of '{family.name}' nor a file", hint=f"boards: {known}"
        ) from None


def formulas_of(name: str, parameter: int) -> Formulas:
    """The formulas of a family, or a ``UsageError`` when it has none."""
    formulas = FAMILIES[name].formulas
    if formulas is None:
        have = [*(f.name for f in FAMILIES.values() if f.formulas), *BOARD_FAMILIES]
        raise UsageError(f"family '{name}' has no formulas", hint="they have: " + ", ".join(have))
    return formulas(parameter)


def generate(name: str, parameter: int) -> PetriNet:
    """The net of a family, or a ``UsageError`` that says what the family takes."""
    family = FAMILIES.get(name)
    if family is None:
        known = [*FAMILIES, *BOARD_FAMILIES]
        hint = nearest(name, known) or "known: " + ", ".join(known)
        raise UsageError(f"there is no net family '{name}'", hint=hint)
    if not family.minimum <= parameter <= family.maximum:
        raise UsageError(
            f"family '{name}' takes a number from {family.minimum} to {family.maximum}"
            f" ({family.parameter}), not {parameter}"
        )
    return family.build(parameter)


__all__ = [
    "BOARD_FAMILIES",
    "FAMILIES",
    "BoardFamily",
    "Family",
    "Formulas",
    "formulas_of",
    "generate",
    "generate_board",
]
