"""What is wrong with a formula's text, and whether it is small enough for Spot.

Spot decides what is a formula. It is not asked why not: the columns of its reports can be negative,
and it then writes one billion blanks. And it recurses: a formula that is nested too deeply crashes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from mpisog.errors import FormulaError

LONGEST = 300_000
"""Characters of a formula."""
DEEPEST = 1_000
"""Nested operators."""
_PARENTHESES = 10
"""Parentheses that take Spot's stack as much as one operator."""
LARGEST = 1_000_000
"""Atoms of a formula with bounded operators such as ``F[0:9]`` written out."""

_SHOWN = 200
"""Characters of a formula that a message quotes."""

# Tabs and line breaks may stand in a formula, other control characters and bytes that were no
# UTF-8 (Python has made surrogates of them) may not.
_UNREADABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")

_LINE_BREAK = re.compile(r"[\n\r]")
TOKEN = re.compile(
    r"""
      (?P<blank>\s+)
    | (?P<unclosed>"(?:\\.|[^"\\])*+\\?\Z)
    | (?P<atom>"(?:\\.|[^"\\])*+"(?:=[01])?)
    | (?P<equivalence><->|<-->|<=>|[↔⇔])
    | (?P<implication>->|-->|=>|[→⇒⟶⟹])
    | (?P<next>\(\)|[○◯])
    | (?P<eventually><>|[◇⋄♢])
    | (?P<always>\[\]|[□⬜◻])
    | (?P<bound>\[[^\[\]"]*\])
    | (?P<conjunction>&&?|/\\|[∧⋀])
    | (?P<disjunction>\|\|?|\\/|[\u2228\u22c1])
    | (?P<xor>\^|⊕|xor\b)
    | (?P<not>!|~|¬)
    | (?P<open>\()
    | (?P<close>\))
    | (?P<sere>[{}])
    | (?P<temporal>[UWRMV](?![\w.]))
    | (?P<prefix>[FGX]+(?![\w.]))
    | (?P<word>[\w.]+(?:=[01])?)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_PREFIXES = frozenset({"next", "eventually", "always", "not", "prefix"})
_TIGHT = frozenset({"temporal"})
_LOOSE = frozenset({"implication", "equivalence", "xor"})
_BINARY = frozenset({"conjunction", "disjunction"}) | _TIGHT | _LOOSE
_NAMES = {
    "word": "atomic proposition",
    "atom": "atomic proposition",
    "open": "opening parenthesis",
    "close": "closing parenthesis",
    "other": "invalid token",
    "bound": "invalid token",
    "sere": "invalid token",
    "prefix": "operator",
    "temporal": "operator",
}

_Token = tuple[str, str, int]
"""(kind, text, position)."""


def require_readable(text: str) -> None:
    """Raise for characters that no formula has, and for more than Spot can take."""
    if found := _UNREADABLE.search(text):
        what = f"the character {found[0]!a} at position {found.start() + 1}"
        raise FormulaError(f"cannot read '{quotable(text)}': {what} is not text")
    if len(text) > LONGEST:
        raise FormulaError(f"the formula has {len(text)} characters, more than {LONGEST}")
    size = _Size()
    for kind, token, _ in _tokens(text):
        if kind == "atom" and _LINE_BREAK.search(token):  # Spot would read "p\nq" as pq
            raise FormulaError(f"a line break inside quotes: {quotable(token)}")
        size.add(kind, token)
        if size.deepest > DEEPEST:
            raise FormulaError(f"the formula has more than {DEEPEST} nested operators")
        if size.atoms > LARGEST:
            raise FormulaError(f"the formula has more than {LARGEST} atoms when written out")


def complaint(text: str) -> tuple[int, str]:
    """Where a text that Spot has refused stops being a formula, and why."""
    wants_operand, opened = True, list[int]()
    for kind, _, at in _tokens(text):
        if kind == "unclosed":
            return at, "unclosed string"
        if kind == "bound":  # belongs to the operator before it, as in X[2]
            continue
        if kind in ("other", "sere"):
            return at, f"syntax error, unexpected {_NAMES[kind]}"
        if kind == "close":
            if wants_operand or not opened:
                return at, f"syntax error, unexpected {_NAMES[kind]}"
            opened.pop()
        elif (kind in _BINARY) == wants_operand:
            return at, f"syntax error, unexpected {_NAMES.get(kind, kind + ' operator')}"
        elif kind == "open":
            opened.append(at)
        elif kind not in _PREFIXES:
            wants_operand = not wants_operand
    if not text.strip():
        return len(text), "empty input"
    if wants_operand:
        return len(text), "syntax error, unexpected end of formula"
    if opened:
        return opened[-1], "missing closing parenthesis"
    return 0, "syntax error"


def quotable(text: str) -> str:
    """As much of a text as a message may show."""
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def _tokens(text: str) -> Iterator[_Token]:
    for match in TOKEN.finditer(text):
        if match.lastgroup != "blank":
            yield str(match.lastgroup), match[0], match.start()


@dataclass
class _Size:
    """Bounds on depth and size, told from the tokens alone.

    What is nested: prefix operators and chains of operators that group to one side.
    Conjunctions and disjunctions are one node however long.
    """

    deepest: int = 0
    atoms: int = 0
    _outer: list[tuple[int, int, int, int]] = field(default_factory=list)
    _base: int = 0
    _loose: int = 0
    _tight: int = 0
    _copies: int = 1
    """Times that what comes next is written out, and what the parenthesis around it is."""
    _copies_around: int = 1

    def add(self, kind: str, token: str) -> None:
        """The next token."""
        if kind == "open" or token == "{":
            self._open()
        elif kind == "close" or token == "}":
            self._close()
        elif kind in _PREFIXES or kind in _TIGHT:
            self._tight += len(token) if kind == "prefix" else 1
        elif kind == "bound":
            self._repeat(max([0, *(int(n[:7]) for n in re.findall(r"[0-9]+", token))]) + 1)
        elif kind in _LOOSE:
            self._loose, self._tight = self._loose + 1, 0
        elif kind in _BINARY:
            self._tight = 0
        elif kind in ("word", "atom"):
            self._tight += len(token) - len(token.lstrip("FGX"))  # Spot reads FGp as F G p
            self.atoms += self._copies
            self._copies = self._copies_around
        depth = self._base + self._loose + self._tight
        self.deepest = max(self.deepest, depth, len(self._outer) // _PARENTHESES)

    def _open(self) -> None:
        self._outer.append((self._base, self._loose, self._tight, self._copies_around))
        self._base += self._loose + self._tight
        self._loose = self._tight = 0
        self._copies_around = self._copies

    def _close(self) -> None:
        if self._outer:
            self._base, self._loose, self._tight, self._copies_around = self._outer.pop()
            self._copies = self._copies_around

    def _repeat(self, times: int) -> None:
        self._tight += times
        self._copies *= times
