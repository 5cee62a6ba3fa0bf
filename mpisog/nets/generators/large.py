"""Families that reach the size of industrial nets: tens of thousands of places and transitions.

Each transition touches a few places near it, whatever the size of the net.
"""

from __future__ import annotations

from collections.abc import Iterator

from mpisog.nets.model import NetBuilder, PetriNet


def epidemic(side: int) -> PetriNet:
    """Cells of a square grid are susceptible, infected or removed; a corner is infected at first.

    An infected cell infects its susceptible neighbours, and is removed at some time. Side 125 has
    46,875 places and 77,625 transitions.
    """
    net = NetBuilder(f"Epidemic-{side}")
    for cell in _cells(side):
        net.place(f"S_{_at(cell)}", int(cell != (0, 0)))
        net.place(f"I_{_at(cell)}", int(cell == (0, 0)))
        net.place(f"R_{_at(cell)}")
    for cell in _cells(side):
        here = _at(cell)
        _transition(net, f"remove_{here}", [f"I_{here}"], [f"R_{here}"])
        for neighbour in _neighbours(cell, side):
            there = _at(neighbour)
            ends = [f"I_{here}", f"S_{there}"], [f"I_{here}", f"I_{there}"]
            _transition(net, f"infect_{here}_{there}", *ends)
    return net.build()


def process_ring(count: int) -> PetriNet:
    """Processes on a ring that use a resource in turn: whoever has the token may, and passes it on.

    A process that waits keeps the token until it has been in its critical section.
    """
    net = NetBuilder(f"ProcessRing-{count}")
    for i in range(count):
        net.place(f"Idle_{i}", 1)
        net.place(f"Wait_{i}")
        net.place(f"Crit_{i}")
        net.place(f"Token_{i}", int(i == 0))
    for i in range(count):
        idle, wait, crit, token = (f"{name}_{i}" for name in ("Idle", "Wait", "Crit", "Token"))
        following = f"Token_{(i + 1) % count}"
        _transition(net, f"request_{i}", [idle], [wait])
        _transition(net, f"enter_{i}", [wait, token], [crit])
        _transition(net, f"leave_{i}", [crit], [idle, following])
        _transition(net, f"pass_{i}", [idle, token], [idle, following])
    return net.build()


def pipeline(stages: int) -> PetriNet:
    """Stages that hold one item each and hand it on when the next one is free."""
    net = NetBuilder(f"Pipeline-{stages}")
    for i in range(stages):
        net.place(f"Free_{i}", 1)
        net.place(f"Full_{i}")
    _transition(net, "arrive", ["Free_0"], ["Full_0"])
    for i in range(stages - 1):
        before, after = [f"Full_{i}", f"Free_{i + 1}"], [f"Free_{i}", f"Full_{i + 1}"]
        _transition(net, f"move_{i}", before, after)
    _transition(net, "depart", [f"Full_{stages - 1}"], [f"Free_{stages - 1}"])
    return net.build()


def grid_walk(side: int) -> PetriNet:
    """Walkers on the cells of a square grid, one to a cell; at first the top row is taken."""
    net = NetBuilder(f"GridWalk-{side}")
    for cell in _cells(side):
        net.place(f"At_{_at(cell)}", int(cell[0] == 0))
        net.place(f"Free_{_at(cell)}", int(cell[0] != 0))
    for cell in _cells(side):
        for neighbour in _neighbours(cell, side):
            here, there = _at(cell), _at(neighbour)
            ends = [f"At_{here}", f"Free_{there}"], [f"At_{there}", f"Free_{here}"]
            _transition(net, f"go_{here}_{there}", *ends)
    return net.build()


_Cell = tuple[int, int]


def _cells(side: int) -> Iterator[_Cell]:
    return ((row, column) for row in range(side) for column in range(side))


def _neighbours(cell: _Cell, side: int) -> Iterator[_Cell]:
    row, column = cell
    around = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return ((r, c) for r, c in around if 0 <= r < side and 0 <= c < side)


def _at(cell: _Cell) -> str:
    return f"{cell[0]}_{cell[1]}"


def _transition(net: NetBuilder, id: str, inputs: list[str], outputs: list[str]) -> None:
    net.transition(id)
    for place in inputs:
        net.arc(place, id)
    for place in outputs:
        net.arc(id, place)
