"""Puzzles on boards: peg solitaire and Sokoban, from built-in boards or texts of one's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mpisog.errors import NetError
from mpisog.nets.generators.mclcd import Formulas
from mpisog.nets.model import PetriNet, make_net

Cell = tuple[int, int]
"""Row and column."""

_DIRECTIONS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}

PEG_BOARDS: Mapping[str, str] = {
    "english": """\
  ooo
  ooo
ooooooo
ooo.ooo
ooooooo
  ooo
  ooo""",
    "european": """\
  .oo
 ooooo
ooooooo
ooooooo
ooooooo
 ooooo
  ooo""",
    "square-4": "o.oo\noooo\noooo\noooo",
    "rectangle-5x4": "ooooo\noo.oo\nooooo\nooooo",
    "rectangle-6x4": ".ooooo\noooooo\noooooo\noooooo",
    "diamond": "  o\n ooo\noo.oo\n ooo\n  o",
}
"""``o`` is a hole with a peg, ``.`` one without."""

SOKOBAN_LEVELS: Mapping[str, str] = {
    "first": """\
#####
#@$.#
#####""",
    "corner": """\
######
#  . #
# $$ #
#@ . #
######""",
    "room": """\
########
#  .   #
# $  $ #
# @#   #
#   $  #
#. #  .#
########""",
    "hall": """\
##########
#   .    #
# $  #$  #
#  @ #   #
# $  #  $#
#        #
#.  . . ##
##########""",
}
"""The usual letters: ``#`` wall, ``$`` box, ``.`` goal, ``@`` player, ``*`` and ``+`` on a goal."""


def peg_solitaire(name: str, board: str) -> PetriNet:
    """Pegs jump over pegs into holes; those jumped over are taken. Holes are numbered by row."""
    numbers = _peg_numbers(board)
    places: dict[str, int] = {}
    for cell, number in numbers.items():
        full = int(_at(board, cell) == "o")
        places |= {f"peg_{number}": full, f"hole_{number}": 1 - full}
    jumps: dict[str, tuple[Sequence[str], Sequence[str]]] = {}
    for cell, number in numbers.items():
        for step in _DIRECTIONS.values():
            over, to = numbers.get(_move(cell, step)), numbers.get(_move(_move(cell, step), step))
            if over is not None and to is not None:
                jumps[f"jump_{number}_{to}"] = (
                    [f"peg_{number}", f"peg_{over}", f"hole_{to}"],
                    [f"hole_{number}", f"hole_{over}", f"peg_{to}"],
                )
    return make_net(f"Peg-{name}", places, jumps)


def peg_formulas(board: str) -> Formulas:
    """One peg can be left; every game ends."""
    pegs = " + ".join(f"peg_{number}" for number in _peg_numbers(board).values())
    return (("solvable", f'E<> "{pegs} == 1"'), ("ends", "A<> dead"))


def sokoban(name: str, level: str) -> PetriNet:
    """The player walks over free cells and pushes boxes onto free cells."""
    cells = _floor(level)
    places: dict[str, int] = {}
    for cell in cells:
        box = int(_at(level, cell) in "$*")
        places |= {
            _place("player", cell): int(_at(level, cell) in "@+"),
            _place("box", cell): box,
            _place("free", cell): 1 - box,
        }
    moves: dict[str, tuple[Sequence[str], Sequence[str]]] = {}
    for cell in cells:
        for direction, step in _DIRECTIONS.items():
            moves |= _sokoban_moves(cells, cell, direction, step)
    return make_net(f"Sokoban-{name}", places, moves)


def _sokoban_moves(
    cells: Sequence[Cell], cell: Cell, direction: str, step: Cell
) -> dict[str, tuple[Sequence[str], Sequence[str]]]:
    to, beyond = _move(cell, step), _move(_move(cell, step), step)
    if to not in cells:
        return {}
    here, there, free = _place("player", cell), _place("player", to), _place("free", to)
    moves: dict[str, tuple[Sequence[str], Sequence[str]]] = {
        _place(f"walk_{direction}", cell): ([here, free], [there, free])
    }
    if beyond in cells:
        moves[_place(f"push_{direction}", cell)] = (
            [here, _place("box", to), _place("free", beyond)],
            [there, free, _place("box", beyond)],
        )
    return moves


def sokoban_formulas(level: str) -> Formulas:
    """The game can be won; one can play for ever without winning."""
    goals = [_place("box", cell) for cell in _floor(level) if _at(level, cell) in ".*+"]
    win = " /\\ ".join(goals)
    return (("winnable", f"E<> ({win})"), ("endless", f"E[] -({win})"))


def _peg_numbers(board: str) -> dict[Cell, int]:
    cells = _cells(board, "o.")
    if not any(_at(board, cell) == "o" for cell in cells):
        raise NetError("the board has no peg 'o'")
    return {cell: number for number, cell in enumerate(cells, start=1)}


def _floor(level: str) -> list[Cell]:
    """The cells that are connected with the player's."""
    players = _cells(level, "@+")
    if len(players) != 1:
        raise NetError(f"the level has {len(players)} players '@', it must have one")
    inside = set(_cells(level, " @+$.*"))
    found = players
    for cell in found:
        found += [to for s in _DIRECTIONS.values() if (to := _move(cell, s)) in inside - {*found}]
    if not any(_at(level, cell) in ".*+" for cell in found):
        raise NetError("the level has no goal '.'")
    return sorted(found)


def _cells(text: str, letters: str) -> list[Cell]:
    """The cells with these letters; others than those of boards are an error."""
    cells = []
    for row, line in enumerate(text.splitlines()):
        for column, letter in enumerate(line):
            if letter not in " o.#$@*+":
                raise NetError(f"a board has no '{letter}'", line=row + 1)
            if letter in letters:
                cells.append((row, column))
    return cells


def _at(text: str, cell: Cell) -> str:
    return text.splitlines()[cell[0]][cell[1]]


def _move(cell: Cell, step: Cell) -> Cell:
    return cell[0] + step[0], cell[1] + step[1]


def _place(stem: str, cell: Cell) -> str:
    return f"{stem}_{cell[0]}_{cell[1]}"
