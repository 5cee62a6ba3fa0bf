"""Makes hand-written formulas safe for Spot's lexer.

Spot reads ``Fork1`` as ``F ork1``. A word that is an element of the net is meant as that element,
so it is put in quotes before Spot sees it; ``fire(t)`` and ``fireable(t)`` likewise. Where both
readings make sense the user is asked.
"""

from __future__ import annotations

import re

from mpisog.errors import FormulaError
from mpisog.nets.model import PetriNet

_TOKEN = re.compile(
    r"""(?P<quoted>"(?:\\.|[^"\\])*+"?)
      | (?P<call>\b(?:fire|fireable)\s*\([^()"]*\))
      | (?P<dashed>[^\W\d](?:[\w.]|-(?!->|->|>))*)
    """,
    re.VERBOSE | re.DOTALL,
)
# A string that is not closed goes to the end: looking for its end from every quote takes for ever.
_QUOTED = re.compile(r'"(?:\\.|[^"\\])*+"?', re.DOTALL)
_EQUALS = re.compile(r"(?<![<>=!])=\s*[01]")
_WORD = re.compile(r"[^\W\d][\w.]*")
LONGEST_DASHED = 1000
"""Letters and dashes in a row: whether they are one name or several is tried at every dash."""
_PREFIX_OPERATORS = re.compile(r"[FGX]+")


def quote_names(text: str, net: PetriNet) -> str:
    """The formula with net elements and event atoms in double quotes."""
    if _EQUALS.search(_QUOTED.sub("", text)):  # Spot would read p=1 as p, which is p >= 1
        raise FormulaError(
            f"'{text}' has a bare '='", hint='comparisons stand in double quotes: "p == 1"'
        )
    names = net.element_names
    pieces: list[str] = []
    position = 0
    while match := _TOKEN.search(text, position):
        pieces.append(text[position : match.start()])
        token, position = match.group(), match.end()
        if match.lastgroup == "dashed" and token not in names:
            if len(token) > LONGEST_DASHED:
                raise FormulaError(f"the net has no place or transition '{token[:40]}...'")
            word = _WORD.match(token)
            assert word is not None
            token, position = word.group(), match.start() + word.end()
        pieces.append(_quoted(token, match.lastgroup, names))
    return "".join(pieces) + text[position:]


def _quoted(token: str, kind: str | None, names: frozenset[str]) -> str:
    if kind == "quoted":
        return token
    if kind == "call":
        return f'"{token}"'
    if not token.isascii():  # Spot knows no such letters: it can only be a name
        return f'"{token}"'
    if token not in names or _is_operator(token):
        return token
    prefix = _PREFIX_OPERATORS.match(token)
    rest = token[prefix.end() :] if prefix else ""
    if prefix and rest in names:
        raise FormulaError(
            f"'{token}' may be the net's element or {' '.join(prefix.group())} {rest}",
            hint=f"write \"{token}\" in quotes, or a space between operator and '{rest}'",
        )
    return f'"{token}"'


def _is_operator(token: str) -> bool:
    return token in {"F", "G", "X", "U", "R", "W", "M", "V", "xor", "true", "false"}
