"""TAPAAL's ``verifypn``: the PNML net and a property file of the contest."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lxml import etree

from mpisog.bench.measure import Measured
from mpisog.bench.peers.base import PeerProblem, Unfit
from mpisog.bench.peers.renamed import place, renamed, transition
from mpisog.formulas.atoms import Atom, Comparison, Dead, Fireable
from mpisog.nets.load import write_net
from mpisog.spotglue.dialects import plain_operators
from mpisog.spotglue.parts import Subformula, subformulas

_UNARY = {"G": "globally", "F": "finally", "X": "next", "!": "negation"}
_NARY = {"&": "conjunction", "|": "disjunction"}


class Tapaal:
    """The winner of the contest's LTL category."""

    name = "verifypn"
    programs = ("verifypn",)
    version_option = "--version"

    def commands(self, problem: PeerProblem, folder: Path) -> list[list[str]]:
        """Reductions and searches are the tool's defaults."""
        write_net(renamed(problem.net), folder / "plain.pnml")
        (folder / "query.xml").write_bytes(query(problem))
        return [["verifypn", "-x", "1", "plain.pnml", "query.xml"]]

    def verdict(self, last: Measured) -> str | None:
        """It prints ``Query is NOT satisfied``."""
        if "Query is NOT satisfied" in last.stdout:
            return "FALSE"
        return "TRUE" if "Query is satisfied" in last.stdout else None


def query(problem: PeerProblem) -> bytes:
    """The property file."""
    plain = plain_operators(problem.bound)
    parts = subformulas(plain, [f"a{n}" for n in range(len(plain.atoms))])
    formula = etree.Element("formula")
    formula.append(_node("all-paths", [_part(parts[-1], parts, plain.atoms)]))
    prop = _node("property", [_node("id", text="property-00"), formula])
    return bytes(etree.tostring(_node("property-set", [prop]), pretty_print=True))


def _part(part: Subformula, parts: Sequence[Subformula], atoms: Sequence[Atom]) -> etree._Element:
    children = [_part(parts[child], parts, atoms) for child in part.children]
    if part.operator == "atom":
        return _atom(atoms[part.atom or 0])
    if part.operator in ("true", "false"):
        order = ("0", "1") if part.operator == "true" else ("1", "0")
        return _node("integer-le", [_node("integer-constant", text=text) for text in order])
    if part.operator in _UNARY:
        return _node(_UNARY[part.operator], children)
    if part.operator in _NARY:
        return _node(_NARY[part.operator], children)
    assert part.operator == "U", part.operator
    return _node("until", [_node("before", children[:1]), _node("reach", children[1:])])


def _atom(atom: Atom) -> etree._Element:
    match atom:
        case Comparison(terms, op, bound):
            return _comparison(terms, op, bound)
        case Fireable(transitions):
            names = [_node("transition", text=transition(t)) for t in transitions]
            return _node("is-fireable", names)
        case Dead():
            return _node("deadlock")
        case _:
            raise Unfit("the tool knows no events")


def _comparison(terms: Sequence[tuple[int, int]], op: str, bound: int) -> etree._Element:
    """As ``left <= right`` and Boolean operators: the contest's files have no others."""
    left = [p for p, factor in terms for _ in range(factor) if factor > 0]
    right = [p for p, factor in terms for _ in range(-factor) if factor < 0]
    small, large = (left, -min(bound, 0)), (right, max(bound, 0))
    below, above = _le(small, large), _le(large, small)
    match op:
        case "<=":
            return below
        case ">=":
            return above
        case "<":
            return _node("negation", [above])
        case ">":
            return _node("negation", [below])
        case "==":
            return _node("conjunction", [below, above])
        case _:
            return _node("negation", [_node("conjunction", [below, above])])


def _le(left: tuple[list[int], int], right: tuple[list[int], int]) -> etree._Element:
    return _node("integer-le", [_sum(*left), _sum(*right)])


def _sum(places: Sequence[int], constant: int) -> etree._Element:
    """A place with a factor is counted as often."""
    counts = [_node("tokens-count", [_node("place", text=place(p))]) for p in places]
    if constant or not counts:
        counts.append(_node("integer-constant", text=str(constant)))
    return counts[0] if len(counts) == 1 else _node("integer-sum", counts)


def _node(
    name: str, children: Sequence[etree._Element] = (), text: str | None = None
) -> etree._Element:
    node = etree.Element(name)
    node.text = text
    node.extend(children)
    return node
