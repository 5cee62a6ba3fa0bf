"""Reader for the ``.net`` format of the pmc-sog tools.

    #place p mk(3<..>)
    #trans t
    in {p:2<..>;}
    out {q:<..>;}
    #endtr

A place may have a level ``#place (1) p``, which says nothing about behaviour. Queues, capacities,
inhibitor, reset and self-modifying arcs exist in the format but not in P/T nets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mpisog.errors import NetError, nearest
from mpisog.nets.model import PetriNet
from mpisog.nets.numbers import parse_count, shorten
from mpisog.nets.token_parser import Token, TokenParser

_KEYWORDS = ("#place", "#trans", "#endtr", "#queue")
_TOKEN = re.compile(
    r"""
      (?P<blank>\s+|//[^\n]*|\#(?=[\s#]|$)[^\n]*)
    | (?P<keyword>\#\w+)
    | (?P<token><\.\s*\.>)
    | (?P<word>[^\s{}():;<>*#/]+)
    | (?P<symbol>.)
    """,
    re.VERBOSE,
)


def read_pmcsog(text: str, name: str = "net") -> PetriNet:
    """Read a pmc-sog net; raises ``NetError`` with the line of what cannot be read."""
    return _Parser(_tokens(text), name).parse()


def _tokens(text: str) -> Iterator[Token]:
    line = 1
    for match in _TOKEN.finditer(text):
        if match.lastgroup != "blank":
            yield str(match.lastgroup), match[0], line
        line += match[0].count("\n")
    yield "end", "the end of the file", line


class _Parser(TokenParser):
    """Declarations of places and transitions."""

    def parse(self) -> PetriNet:
        """The whole file."""
        while self._kind != "end":
            line, keyword = self._line, self._take("keyword", "#place or #trans")
            if keyword == "#place":
                self._place()
            elif keyword == "#trans":
                self._transition()
            elif keyword == "#queue":
                raise self._unsupported("queue", f"#queue {self._text}")
            else:
                raise _bad_keyword(keyword, line)
        return self._builder.build()

    def _place(self) -> None:
        line = self._line
        if self._accept("("):
            self._take("word", "the level of a place")
            self._expect(")")
        place = self._take("word", "the name of a place")
        tokens: int | None = None
        while self._kind == "word":
            what = self._take("word", "mk(..)")
            if what != "mk":
                raise self._no_place_part(place, what)
            if tokens is not None:
                raise NetError(f"place '{place}' has mk(..) twice", line=line)
            self._expect("(")
            tokens = self._amount(f"initial marking of place '{place}'")
            self._expect(")")
        self._builder.place(place, tokens or 0, line=line)

    def _no_place_part(self, place: str, what: str) -> NetError:
        if what == "cp":
            return self._unsupported("capacity", f"place '{place}' has cp(..)")
        return self._unexpected(f"mk(..) after place '{place}'", what)

    def _transition(self) -> None:
        line = self._line
        transition = self._take("word", "the name of a transition")
        self._builder.transition(transition, line=line)
        while self._kind == "word":
            side = self._take("word", "in, out or #endtr")
            if side not in ("in", "out"):
                raise self._unexpected(f"in, out or #endtr in transition '{transition}'", side)
            self._arcs(transition, side == "in")
        if self._text != "#endtr":
            raise self._unexpected(f"in, out or #endtr in transition '{transition}'")
        self._advance()

    def _arcs(self, transition: str, inputs: bool) -> None:
        self._expect("{")
        while not self._accept("}"):
            line = self._line
            place = self._take("word", f"a place or '}}' in transition '{transition}'")
            ends = (place, transition) if inputs else (transition, place)
            weight = self._weight(*ends)
            self._builder.arc(*ends, weight, line)
            # The last arc of a list may go without its semicolon.
            if not self._accept(";") and self._text != "}":
                raise self._unexpected("';' or '}' after an arc")

    def _weight(self, source: str, target: str) -> int:
        arc = f"the arc from '{source}' to '{target}'"
        if self._text == "<":
            raise self._unsupported("inhibitor arc", arc)
        if not self._accept(":"):
            return 1
        if self._text == "<":
            raise self._unsupported("queue", arc)
        if self._text == "reset":
            raise self._unsupported("reset arc", arc)
        if self._kind == "word" and not re.match(r"[-+0-9]", self._text):
            raise self._unsupported("self-modifying arc", f"{arc} has weight '{self._text}'")
        return self._amount(f"weight of {arc}")

    def _amount(self, what: str) -> int:
        """``<..>``, ``3<..>``, ``3*<..>`` or just ``3``."""
        if self._kind == "token":
            self._advance()
            return 1
        line = self._line
        count = parse_count(self._take("word", f"the {what}"), what, line)
        self._accept("*")
        if self._kind == "token":
            self._advance()
        return count


def _bad_keyword(keyword: str, line: int) -> NetError:
    message = f"{shorten(keyword)} is out of place here"
    return NetError(message, line=line, hint=nearest(keyword, _KEYWORDS))
