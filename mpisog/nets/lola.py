"""Reader for place/transition nets of LoLA.

    PLACE idle; SAFE 2: busy, done;       { SAFE: what the tool may count on, no capacity }
    MARKING idle: 2;
    TRANSITION work CONSUME idle; PRODUCE busy: 1, done;

Fairness assumptions exclude runs and are refused, as are LoLA 1's high-level nets. LoLA takes all
between the first and the last brace of a line for a comment: a line where that matters is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from mpisog.errors import NetError, nearest
from mpisog.nets.model import PetriNet
from mpisog.nets.numbers import parse_count
from mpisog.nets.token_parser import Token, TokenParser

_TOKEN = re.compile(
    r"""
      (?P<blank>\s+|/\*(?>.*?\*/))
    | (?P<unclosed>/\*)
    | (?P<comment>\{[^{}\n\r]*\})
    | (?P<word>[^\s,;:(){}]+)
    | (?P<symbol>.)
    """,
    re.VERBOSE | re.DOTALL,
)
KEYWORDS = frozenset(
    {"PLACE", "SAFE", "MARKING", "TRANSITION", "CONSUME", "PRODUCE", "FAIR", "STRONG", "WEAK"}
)
_HIGH_LEVEL = frozenset({"SORT", "FUNCTION", "VAR", "GUARD"})
START = re.compile(r"\s*+(?:/\*|\{|(?:PLACE|SORT|FUNCTION)(?![^\s,;:(){}]))")
"""How a LoLA file begins, and no file of another format."""


def read_lola(text: str, name: str = "net") -> PetriNet:
    """Read a LoLA net; raises ``NetError`` with the line of what cannot be read."""
    return _Parser(text, name).parse()


def _tokens(text: str) -> Iterator[Token]:
    line, comment_line = 1, 0
    for match in _TOKEN.finditer(text):
        kind, token = str(match.lastgroup), match[0]
        if kind == "comment" or token == "}":
            if comment_line == line:
                message = "LoLA takes all from the first to the last brace of a line for a comment"
                raise NetError(message, line=line, hint="write each comment on its own line")
            comment_line = line
        if kind == "unclosed":
            raise NetError("the comment is not closed", line=line)
        if kind in ("word", "symbol"):
            keyword = kind == "word" and token in KEYWORDS
            yield "keyword" if keyword else kind, token, line
        line += token.count("\n")
    yield "end", "the end of the file", line


class _Parser(TokenParser):
    """Places, their marking, transitions."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__(_tokens(text), name)
        self._marking: dict[str, int] = {}
        self._lines: dict[str, int] = {}

    def parse(self) -> PetriNet:
        """The whole file."""
        self._keyword("PLACE")
        self._places()
        self._keyword("MARKING")
        self._list(self._token_count)
        for place, tokens in self._marking.items():
            self._builder.place(place, tokens, line=self._lines[place])
        while self._kind != "end":
            self._keyword("TRANSITION")
            self._transition()
        return self._builder.build()

    def _places(self) -> None:
        """Lists of places, each with its own SAFE or none."""
        while True:
            if self._text == "SAFE" and self._kind == "keyword":
                self._advance()
                if self._kind == "word":
                    self._number("number after SAFE")
                self._expect(":")
            self._list(self._place)
            if self._kind == "keyword" and self._text != "SAFE":
                return
            if self._kind not in ("word", "keyword"):
                raise self._unexpected("a place or MARKING")

    def _place(self) -> None:
        line, place = self._line, self._node("the name of a place")
        if place in self._marking:
            raise NetError(f"the id '{place}' is used twice", line=line)
        self._marking[place] = 0
        self._lines[place] = line

    def _token_count(self) -> None:
        line, place = self._line, self._known_place()
        what = f"initial marking of place '{place}'"
        count = self._number(what) if self._accept(":") else 1
        if count < 0:
            raise NetError(f"the {what} is {count}, it must be at least 0", line=line)
        self._marking[place] += count

    def _transition(self) -> None:
        line, transition = self._line, self._node("the name of a transition")
        self._builder.transition(transition, line=line)
        if self._text in ("WEAK", "STRONG") and self._kind == "keyword":
            assumption = f"transition '{transition}' is {self._text} FAIR"
            raise self._unsupported("fairness", assumption)
        self._keyword("CONSUME")
        self._list(lambda: self._arc(transition, consume=True))
        self._keyword("PRODUCE")
        self._list(lambda: self._arc(transition, consume=False))

    def _arc(self, transition: str, consume: bool) -> None:
        line, place = self._line, self._known_place()
        ends = (place, transition) if consume else (transition, place)
        what = f"weight of the arc from '{ends[0]}' to '{ends[1]}'"
        self._builder.arc(*ends, self._number(what) if self._accept(":") else 1, line)

    def _list(self, item: Callable[[], None]) -> None:
        """Items between commas, or none, and a semicolon."""
        if self._accept(";"):
            return
        item()
        while self._accept(","):
            item()
        self._expect(";")

    def _known_place(self) -> str:
        line, place = self._line, self._node("a place")
        if place not in self._marking:
            hint = nearest(place, self._marking)
            raise NetError(f"the place '{place}' does not exist", line=line, hint=hint)
        return place

    def _node(self, wanted: str) -> str:
        if self._kind != "word":
            raise self._unexpected(wanted)
        text = self._text
        self._advance()
        return text

    def _number(self, what: str) -> int:
        line = self._line
        return parse_count(self._node(f"the {what}"), what, line)

    def _keyword(self, wanted: str) -> None:
        if self._kind != "keyword" or self._text != wanted:
            if self._text in _HIGH_LEVEL:
                raise self._unsupported("coloured net", f"the file has {self._text}")
            raise self._unexpected(wanted)
        self._advance()

    def _unexpected(self, wanted: str, found: str | None = None) -> NetError:
        return super()._unexpected(f"{wanted} of a LoLA net", found)
