"""Linear comparisons such as ``p + 2*q <= r``: text to a normalised ``Comparison``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from mpisog.errors import FormulaError
from mpisog.formulas.atoms import OPERATORS, Comparison
from mpisog.formulas.quoting import LONGEST_DASHED
from mpisog.nets.model import MAX_TOKENS

OPERATOR = re.compile(r"<=|>=|==|!=|<|>|=")

CONSTANT = -1
"""The key of the constant among the coefficients by place."""

_FLIPPED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "==": "==", "!=": "!="}
_PIECE = re.compile(r"\s*(?:(?P<braced>\{[^{}]*\})|(?P<symbol>[-+*])|(?P<word>[^\s+*{}]+))\s*")


def parse_comparison(
    text: str, known: frozenset[str], place_index: Callable[[str], int]
) -> Comparison:
    """Both sides may be sums; ``known`` are the names in which a dash is no subtraction."""
    operators = list(OPERATOR.finditer(mask_braces(text)))
    if len(operators) != 1:
        raise FormulaError(f"'{text}' has {len(operators)} comparison operators, it must have one")
    found = operators[0]
    coefficients: Counter[int] = Counter()
    for side, sign in ((text[: found.start()], 1), (text[found.end() :], -1)):
        for place, amount in _Sum(text, known, place_index).parse(side):
            coefficients[place] += sign * amount
    return comparison(coefficients, "==" if found.group() == "=" else found.group())


def comparison(coefficients: Mapping[int, int], op: str) -> Comparison:
    """``sum of coefficient * place + constant, op, 0``, so that equal atoms are equal."""
    assert op in OPERATORS
    terms = sorted((p, c) for p, c in coefficients.items() if p != CONSTANT and c != 0)
    bound = -coefficients.get(CONSTANT, 0)
    if terms and terms[0][1] < 0:  # 3 <= p and p >= 3 are one atom
        terms, bound, op = [(p, -c) for p, c in terms], -bound, _FLIPPED[op]
    return Comparison(tuple(terms), op, bound)


def bare(name: str) -> str:
    """A name without the braces it may stand in."""
    name = name.strip()
    return name[1:-1] if name.startswith("{") and name.endswith("}") else name


def mask_braces(text: str) -> str:
    """The text with everything in braces blanked, positions kept."""
    return re.sub(r"\{[^{}]*\}", lambda found: "_" * len(found.group()), text)


class _Sum:
    """One side of a comparison: ``[-] term (+|- term)*`` with ``term = factor (* factor)*``."""

    def __init__(
        self, whole: str, known: frozenset[str], place_index: Callable[[str], int]
    ) -> None:
        self._whole = whole
        self._known = known
        self._place_index = place_index

    def parse(self, side: str) -> Iterator[tuple[int, int]]:
        """(place or ``CONSTANT``, coefficient) for each term."""
        sign, factors, expect_factor = 1, list[str](), True
        for piece in self._pieces(side):
            if piece in {"+", "-"}:
                if not expect_factor:
                    yield self._term(sign, factors)
                elif factors or piece == "+":
                    raise self._unreadable(side)
                sign, factors, expect_factor = (-1 if piece == "-" else 1), [], True
            elif (piece == "*") == expect_factor:
                raise self._unreadable(side)
            elif piece == "*":
                expect_factor = True
            else:
                factors.append(piece)
                expect_factor = False
        if expect_factor:
            raise self._unreadable(side)
        yield self._term(sign, factors)

    def _pieces(self, side: str) -> Iterator[str]:
        position = 0
        while position < len(side):
            match = _PIECE.match(side, position)
            if match is None:
                raise self._unreadable(side)
            position = match.end()
            word = match.group("word")
            if word and "-" in word and word not in self._known:
                if len(word) > LONGEST_DASHED:
                    raise self._unreadable(side)
                word = word.split("-", 1)[0]
                position = match.start("word") + len(word)
            yield word or match.group().strip()

    def _term(self, sign: int, factors: list[str]) -> tuple[int, int]:
        numbers = [f for f in factors if f.isdecimal() and f not in self._known]
        names = [f for f in factors if f not in numbers]
        if len(names) > 1:
            raise FormulaError(f"'{'*'.join(factors)}' in '{self._whole}' is not linear")
        coefficient = sign
        for number in numbers:
            coefficient *= int(number) if len(number) < 20 else MAX_TOKENS + 1
        if abs(coefficient) > MAX_TOKENS:
            raise FormulaError(f"a number in '{self._whole}' is larger than {MAX_TOKENS}")
        return (self._place_index(bare(names[0])) if names else CONSTANT), coefficient

    def _unreadable(self, side: str) -> FormulaError:
        if not side.strip():
            return FormulaError(f"one side of '{self._whole}' is empty")
        return FormulaError(f"cannot read '{side.strip()}' in '{self._whole}'")
