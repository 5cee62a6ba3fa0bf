"""Reader for Tina's textual ``.net`` format, as far as it describes P/T nets.

    net example
    tr t1 : label [0,w[ p1 p2*3 -> {a place}
    pl p1 (2K)

Declarations add up: a node may be declared several times, and need not be declared at all where an
arc mentions it. Tina's names become ids and its labels names, as in Tina's own PNML export. Names
with characters other than letters, digits, ``_``, ``'`` and dots need braces: ``a^2`` is no place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mpisog.errors import NetError
from mpisog.nets.model import PetriNet
from mpisog.nets.numbers import parse_count, shorten
from mpisog.nets.token_parser import Token, TokenParser

_TOKEN = re.compile(
    r"""
      (?P<blank>[^\S\n]+|\n)
    | (?P<comment>\#[^\n]*)
    | (?P<quoted>\{(?:[^{}\\]|\\.)*\})
    | (?P<arrow>->)
    | (?P<interval>[\[\]][^\[\]\n]*[\[\]])
    | (?P<word>[\w.']+)
    | (?P<symbol>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_FACTORS = {"k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "p": 10**15, "e": 10**18}
_ARC_KINDS = {"?": "read arc", "?-": "inhibitor arc"}
_ARC_KINDS |= {"!": "stopwatch arc", "!-": "stopwatch-inhibitor arc"}
KEYWORDS = frozenset({"net", "tr", "pl", "lb", "pr", "nt"})


def read_tina(text: str, name: str = "net") -> PetriNet:
    """Read a Tina net; raises ``NetError`` with the line of what cannot be read."""
    return _Parser(text, name).parse()


def _tokens(text: str) -> Iterator[Token]:
    line, fresh = 1, True
    for match in _TOKEN.finditer(text):
        kind, token = str(match.lastgroup), match[0]
        if kind not in ("blank", "comment"):
            # Keywords open a declaration only where a line begins: elsewhere they are names.
            keyword = fresh and kind == "word" and token in KEYWORDS
            yield "keyword" if keyword else kind, token, line
            fresh = False
        if token == "\n":
            fresh = True
        line += token.count("\n")
    yield "end", "the end of the file", line


class _Parser(TokenParser):
    """Collects nodes by name first: several declarations may speak of the same node."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__(_tokens(text), name)
        self._marking: dict[str, int] = {}
        self._transitions: dict[str, None] = {}
        self._labels: dict[str, str] = {}
        self._labelled: dict[str, int] = {}
        self._lines: dict[str, int] = {}

    def parse(self) -> PetriNet:
        """The whole file."""
        declarations = {
            "net": self._net,
            "tr": self._tr,
            "pl": self._pl,
            "lb": self._lb,
            "nt": self._nt,
            "pr": self._pr,
        }
        while self._kind != "end":
            if self._kind != "keyword":
                raise self._unexpected("a declaration (net, tr, pl, lb, nt)")
            keyword = self._text
            self._advance()
            declarations[keyword]()
        return self._build()

    def _build(self) -> PetriNet:
        for node, line in self._labelled.items():
            if node not in self._lines:
                raise NetError(f"lb names '{node}', which does not exist", line=line)
        for place, tokens in self._marking.items():
            self._builder.place(place, tokens, self._labels.get(place), self._lines[place])
        for transition in self._transitions:
            label = self._labels.get(transition)
            self._builder.transition(transition, label, self._lines[transition])
        return self._builder.build()

    def _net(self) -> None:
        self._builder.name = self._name("the name of the net")

    def _tr(self) -> None:
        transition = self._transition(self._name("the name of a transition"))
        self._label(transition)
        self._interval(transition)
        self._arcs(transition, is_place=False)

    def _pl(self) -> None:
        place = self._place(self._name("the name of a place"))
        self._label(place)
        if self._accept("("):
            self._marking[place] += self._number(f"initial marking of place '{place}'")
            self._expect(")")
        self._arcs(place, is_place=True)

    def _lb(self) -> None:
        line, node = self._line, self._name("the name of a place or transition")
        self._labels[node] = self._name("a label")
        self._labelled.setdefault(node, line)

    def _nt(self) -> None:
        for part in ("the name of a note", "0 or 1", "the text of a note"):
            self._name(part)

    def _pr(self) -> None:
        raise self._unsupported("priority", f"pr {shorten(self._text)[1:-1]}")

    def _label(self, node: str) -> None:
        if self._accept(":"):
            self._labels[node] = self._name("a label")

    def _interval(self, transition: str) -> None:
        if self._kind != "interval":
            return
        if "".join(self._text.split()) != "[0,w[":
            raise self._unsupported("time", f"transition '{transition}' has {self._text}")
        self._advance()

    def _arcs(self, node: str, is_place: bool) -> None:
        """``inputs -> outputs`` of a node; both may be empty, and so may the whole."""
        inputs = self._arc_list(node, is_place, outgoing=False)
        if self._kind == "arrow":
            self._advance()
            self._arc_list(node, is_place, outgoing=True)
        elif inputs:
            raise self._unexpected(f"'->' among the arcs of '{node}'")

    def _arc_list(self, node: str, is_place: bool, outgoing: bool) -> int:
        count = 0
        while self._kind in ("word", "quoted"):
            self._arc(node, is_place, outgoing)
            count += 1
        return count

    def _arc(self, node: str, is_place: bool, outgoing: bool) -> None:
        line = self._line
        name = self._name("a node")
        other = self._transition(name) if is_place else self._place(name)
        ends = (node, other) if outgoing else (other, node)
        self._builder.arc(*ends, self._weight(*ends), line)

    def _weight(self, source: str, target: str) -> int:
        arc = f"the arc from '{source}' to '{target}'"
        if self._accept("*"):
            return self._number(f"weight of {arc}")
        if self._kind == "symbol" and self._text in ("?", "!"):
            kind = self._text
            self._advance()
            raise self._unsupported(_ARC_KINDS[kind + "-" * self._accept("-")], arc)
        return 1

    def _number(self, what: str) -> int:
        sign = "-" if self._accept("-") else ""
        line, digits = self._line, self._take("word", f"the {what}")
        factor = _FACTORS.get(digits[-1:].lower(), 0)
        if factor:
            digits = digits[:-1]
        return parse_count(sign + digits, what, line) * (factor or 1)

    def _place(self, name: str) -> str:
        self._marking.setdefault(name, 0)
        self._lines.setdefault(name, self._line)
        return name

    def _transition(self, name: str) -> str:
        self._transitions.setdefault(name)
        self._lines.setdefault(name, self._line)
        return name

    def _name(self, wanted: str) -> str:
        if self._kind == "quoted":
            return _ESCAPE.sub(r"\1", self._take("quoted", wanted)[1:-1])
        return self._take("word", wanted)
