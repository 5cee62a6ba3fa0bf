"""Formulas as plain trees, for those who look at their parts without Spot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import spot

from mpisog.spotglue.ltl import BoundFormula

_OPERATORS = {
    spot.op_tt: "true",
    spot.op_ff: "false",
    spot.op_ap: "atom",
    spot.op_Not: "!",
    spot.op_And: "&",
    spot.op_Or: "|",
    spot.op_Xor: "xor",
    spot.op_Implies: "->",
    spot.op_Equiv: "<->",
    spot.op_X: "X",
    spot.op_F: "F",
    spot.op_G: "G",
    spot.op_U: "U",
    spot.op_R: "R",
    spot.op_W: "W",
    spot.op_M: "M",
}


@dataclass(frozen=True)
class Subformula:
    """A part of a formula; ``children`` are indices into the list that it is in."""

    operator: str
    children: tuple[int, ...]
    atom: int | None
    text: str


def subformulas(bound: BoundFormula, names: Sequence[str]) -> list[Subformula]:
    """All parts, each once, children before parents, the whole formula last.

    ``names`` is how the atoms are written.
    """
    collected = _Collection(names)
    collected.number(bound.formula)
    return collected.parts


class _Collection:
    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._numbers: dict[int, int] = {}
        self.parts: list[Subformula] = []

    def number(self, formula: Any) -> int:
        if formula.id() not in self._numbers:
            children = tuple(self.number(child) for child in formula)
            operator = _OPERATORS[formula.kind()]
            atom = int(formula.ap_name()[1:]) if operator == "atom" else None
            self.parts.append(
                Subformula(operator, children, atom, self._text(operator, children, atom))
            )
            self._numbers[formula.id()] = len(self.parts) - 1
        return self._numbers[formula.id()]

    def _text(self, operator: str, children: tuple[int, ...], atom: int | None) -> str:
        if atom is not None:
            return self._names[atom]
        if not children:
            return operator
        parts = [self._inside(child) for child in children]
        if len(parts) > 1:
            return f" {operator} ".join(parts)
        return operator + ("" if operator == "!" or parts[0].startswith("(") else " ") + parts[0]

    def _inside(self, child: int) -> str:
        """The child's text, in parentheses when it has two sides."""
        part = self.parts[child]
        if part.atom is not None and " " in part.text:
            return f'"{part.text}"'
        return f"({part.text})" if len(part.children) > 1 else part.text
