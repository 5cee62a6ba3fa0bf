"""LRL, the logic of MCLCD: one path quantifier with one modality over Boolean conditions.

``E<> φ``, ``A<> φ``, ``E[] φ``, ``A[] φ``, ``A[]<> φ``, ``E(ψ U φ)``, ``A(ψ U φ)``, ``ψ --> φ``
(also ``==>``). Here the text is only taken apart; the conditions stay text until a net is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mpisog.errors import FormulaError

FORMS = "E<> p, A<> p, E[] p, A[] p, A[]<> p, E(p U q), A(p U q), p --> q"

_PREFIXED = re.compile(r"([AE])\s*(\[\s*\]\s*<\s*>|\[\s*\]|<\s*>)\s*(.*)", re.DOTALL)
_UNTIL = re.compile(r"([AE])\s*(\(.*\))", re.DOTALL)
_PIECE = re.compile(r'"(?:\\.|[^"\\])*"|-->|==>|<->|->|=>|[^\W\d][\w.]*|\s+|.', re.DOTALL)
_LEADS_TO = ("-->", "==>")
_BINARY_WORDS = ("xor", "and", "or", "not")


@dataclass(frozen=True)
class Lrl:
    """An LRL formula whose conditions are still text."""

    quantifier: str
    """``A`` or ``E``."""
    modality: str
    """``<>``, ``[]``, ``[]<>``, ``U`` or ``-->``."""
    goal: str
    """The condition φ."""
    given: str | None = None
    """The condition ψ of ``U`` and ``-->``."""

    @property
    def existential(self) -> bool:
        """Whether one run is enough: then a witness shows that the formula holds."""
        return self.quantifier == "E"


def parse_lrl(text: str) -> Lrl:
    """Take an LRL formula apart."""
    text = text.strip()
    if sides := _split(text, _LEADS_TO):
        return Lrl("A", "-->", *sides[::-1])
    if prefixed := _PREFIXED.fullmatch(text):
        quantifier, modality, goal = prefixed.groups()
        modality = re.sub(r"\s", "", modality)
        if not goal:
            raise _unreadable(text, f"what comes after {quantifier}{modality} is missing")
        if quantifier == "E" and modality == "[]<>":
            raise _unreadable(text, "there is no E[]<>")
        return Lrl(quantifier, modality, goal)
    until = _UNTIL.fullmatch(text)
    sides = _split(_without_parentheses(until.group(2)), ("U",)) if until else None
    if until is None or sides is None:
        raise _unreadable(text, f"the forms are {FORMS}")
    return Lrl(until.group(1), "U", *sides[::-1])


def with_spots_negation(text: str) -> str:
    """A condition with ``!`` where ``-`` stands for it; names must be in quotes already."""
    pieces = []
    operand_expected = True
    for piece in _PIECE.findall(text):
        if piece == "-" and operand_expected:
            piece = "!"
        pieces.append(piece)
        if not piece.isspace():
            ends_operand = piece == ")" or piece[0] == '"' or piece[0].isalnum() or piece[0] == "_"
            operand_expected = piece in _BINARY_WORDS or not ends_operand
    return "".join(pieces)


def _split(text: str, separators: tuple[str, ...]) -> tuple[str, str] | None:
    """The two sides of the one separator that is not in quotes or parentheses."""
    places = [
        (position, piece)
        for position, piece, depth in _pieces(text)
        if piece in separators and depth == 0
    ]
    if not places:
        return None
    if len(places) > 1:
        raise _unreadable(text, f"'{places[1][1]}' stands there twice")
    position, separator = places[0]
    left, right = text[:position].strip(), text[position + len(separator) :].strip()
    if not left or not right:
        raise _unreadable(text, f"one side of '{separator}' is missing")
    return left, right


def _pieces(text: str) -> Iterator[tuple[int, str, int]]:
    """(position, piece, parentheses around it)."""
    depth = 0
    for found in _PIECE.finditer(text):
        depth -= found.group() == ")"
        yield found.start(), found.group(), depth
        depth += found.group() == "("


def _without_parentheses(text: str) -> str:
    """What is between the first and the last, if they belong together."""
    closing = next((p for p, piece, depth in _pieces(text) if piece == ")" and depth == 0), None)
    return text[1:-1] if closing == len(text) - 1 else ""


def _unreadable(text: str, reason: str) -> FormulaError:
    return FormulaError(f"cannot read '{text}' as LRL: {reason}")
