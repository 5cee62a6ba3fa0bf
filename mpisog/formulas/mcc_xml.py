"""Property files of the Model Checking Contest (LTLCardinality.xml, LTLFireability.xml)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mpisog.errors import FormulaError, NetError, nearest
from mpisog.formulas.atoms import Atom, Dead, Fireable
from mpisog.formulas.linear import CONSTANT, comparison
from mpisog.formulas.names import place_index, transition_index
from mpisog.formulas.properties import Property
from mpisog.nets.compressed import read_bytes
from mpisog.nets.model import MAX_TOKENS, PetriNet
from mpisog.nets.numbers import shorten

_Element = Any  # lxml's elements have no precise public type
_PARTS = ("id", "description", "tags", "formula", "expected-result")
_UNARY = {"negation": "!", "next": "X", "finally": "F", "globally": "G"}
_NARY = {
    "conjunction": "&",
    "disjunction": "|",
    "exclusive-disjunction": "xor",
    "implication": "->",
    "equivalence": "<->",
}
_COMPARISONS = {
    "integer-le": "<=",
    "integer-ge": ">=",
    "integer-lt": "<",
    "integer-gt": ">",
    "integer-eq": "==",
    "integer-ne": "!=",
}


def read_mcc_properties(
    path: str | Path, net: PetriNet, wanted: Sequence[str] = ()
) -> list[Property]:
    """The file's properties in order, or those whose id or number is in ``wanted``."""
    root = _parse(path)
    found = _only(root, ("property",), path) if _tag(root) == "property-set" else []
    if not found:
        raise FormulaError("this is no MCC property file (<property-set>)", path=path)
    named = [(_child_text(element, "id", path), element) for element in found]
    chosen = _select(named, wanted, path)
    return [_property(name, element, path, net) for name, element in chosen]


def _parse(path: str | Path) -> _Element:
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        # Read first: lxml reports a wrong encoding as if the file could not be opened.
        root = etree.fromstring(read_bytes(path), parser)
    except OSError as error:
        raise FormulaError(error.strerror or "cannot read the file", path=path) from None
    except NetError as error:  # of compressed files
        raise FormulaError(error.message, path=path) from None
    except etree.XMLSyntaxError as error:
        raise FormulaError(
            f"not well-formed XML: {error.msg}", path=path, line=error.lineno
        ) from None
    if root.getroottree().docinfo.doctype:
        raise FormulaError("a document type declaration is not allowed", path=path)
    return root


def _select(
    named: list[tuple[str, _Element]], wanted: Sequence[str], path: str | Path
) -> list[tuple[str, _Element]]:
    """By full id, or by the number at its end (``03`` or ``3``)."""
    if not wanted:
        return named
    chosen: set[int] = set()
    for want in wanted:
        matches = [i for i, (name, _) in enumerate(named) if _matches(name, want)]
        if not matches:
            known = [name for name, _ in named]
            raise FormulaError(
                f"no property '{want}'",
                path=path,
                hint=nearest(want, known) or f"there are {known[0]} to {known[-1]}",
            )
        chosen.update(matches)
    return [named[i] for i in sorted(chosen)]


def _matches(name: str, want: str) -> bool:
    tail = name.rsplit("-", 1)[-1]
    return name == want or (want.isdecimal() and tail.isdecimal() and int(tail) == int(want))


def _property(name: str, element: _Element, path: str | Path, net: PetriNet) -> Property:
    formulas = [child for child in _only(element, _PARTS, path) if _tag(child) == "formula"]
    if len(formulas) != 1:
        count = "no formula" if not formulas else f"{len(formulas)} formulas"
        raise FormulaError(f"property '{name}' has {count}", path=path, line=element.sourceline)
    reader = _FormulaReader(path, net)
    text = reader.outermost(formulas[0])
    return Property(name, text, reader.bindings(), str(path), element.sourceline)


class _FormulaReader:
    """Turns one formula element into text over propositions ``x0, x1, ...``."""

    def __init__(self, path: str | Path, net: PetriNet) -> None:
        self._path = path
        self._net = net
        self._atoms: dict[Atom, str] = {}

    def bindings(self) -> dict[str, Atom]:
        """The atoms by the propositions that stand for them."""
        return {name: atom for atom, name in self._atoms.items()}

    def outermost(self, formula: _Element) -> str:
        """The formula under ``all-paths``, which LTL properties have outermost."""
        (child,) = self._children(formula, 1)
        if _tag(child) != "all-paths":
            raise self._error(child, f"<{_tag(child)}> where <all-paths> is needed: not LTL")
        return self._text(*self._children(child, 1))

    def _text(self, element: _Element) -> str:
        tag = _tag(element)
        if tag in _UNARY:
            return f"{_UNARY[tag]}({self._text(*self._children(element, 1))})"
        if tag in _NARY:
            parts = [self._text(child) for child in self._children(element)]
            return "(" + f" {_NARY[tag]} ".join(f"({part})" for part in parts) + ")"
        if tag == "until":
            before, reach = self._children(element, 2)
            left, right = self._side(before, "before"), self._side(reach, "reach")
            return f"(({left}) U ({right}))"
        if tag in {"true", "false"}:
            self._leaf(element)
            return tag
        return self._proposition(self._atom(element))

    def _side(self, element: _Element, tag: str) -> str:
        self._require(element, tag)
        return self._text(*self._children(element, 1))

    def _proposition(self, atom: Atom) -> str:
        return self._atoms.setdefault(atom, f"x{len(self._atoms)}")

    def _atom(self, element: _Element) -> Atom:
        tag = _tag(element)
        if tag == "is-fireable":
            names = [self._name(child, "transition") for child in self._children(element)]
            return Fireable(tuple(sorted({self._transition(n, element) for n in names})))
        if tag in _COMPARISONS:
            left, right = self._children(element, 2)
            difference = self._sum(left)
            difference.subtract(self._sum(right))
            return comparison(difference, _COMPARISONS[tag])
        if tag == "deadlock":
            self._leaf(element)
            return Dead()
        raise self._error(element, f"<{tag}> is not supported in an LTL property")

    def _sum(self, element: _Element) -> Counter[int]:
        tag = _tag(element)
        if tag == "integer-constant":
            return Counter({CONSTANT: self._number(element)})
        total: Counter[int] = Counter()
        if tag == "tokens-count":
            for child in self._children(element):
                total[self._place(self._name(child, "place"), child)] += 1
        elif tag == "integer-sum":
            for child in self._children(element):
                total.update(self._sum(child))
        else:
            raise self._error(element, f"<{tag}> is not supported in a comparison")
        return total

    def _number(self, element: _Element) -> int:
        text = self._leaf(element)
        if not text.isdecimal() or len(text) > 10 or int(text) > MAX_TOKENS:
            raise self._error(element, f"'{text}' is not a number from 0 to {MAX_TOKENS}")
        return int(text)

    def _name(self, element: _Element, tag: str) -> str:
        self._require(element, tag)
        return self._leaf(element)

    def _require(self, element: _Element, tag: str) -> None:
        if _tag(element) != tag:
            raise self._error(element, f"<{_tag(element)}> where <{tag}> is needed")

    def _leaf(self, element: _Element) -> str:
        """The text of an element that has nothing but text."""
        for child in element:
            raise self._error(child, f"<{_tag(child)}> inside <{_tag(element)}> is out of place")
        self._refuse_attributes(element)
        return (element.text or "").strip()

    def _place(self, name: str, element: _Element) -> int:
        try:
            return place_index(name, self._net)
        except FormulaError as error:
            raise error.located(self._path, element.sourceline) from None

    def _transition(self, name: str, element: _Element) -> int:
        try:
            return transition_index(name, self._net)
        except FormulaError as error:
            raise error.located(self._path, element.sourceline) from None

    def _children(self, element: _Element, count: int | None = None) -> list[_Element]:
        children = [child for child in element if isinstance(child.tag, str)]
        if not children or (count is not None and len(children) != count):
            wanted = "at least one part" if count is None else f"{count} part{'s' * (count > 1)}"
            raise self._error(element, f"<{_tag(element)}> needs {wanted}, it has {len(children)}")
        self._refuse_attributes(element)
        for text in (element.text, *(child.tail for child in element)):
            if text and text.strip():
                message = f"the text {shorten(text.strip())} in <{_tag(element)}> is not known"
                raise self._error(element, message)
        return children

    def _refuse_attributes(self, element: _Element) -> None:
        """The contest's formulas have none: one that is there may be meant to change something."""
        for name in element.keys():  # noqa: SIM118 (an element's iterator gives its children)
            raise self._error(element, f"the attribute '{name}' of <{_tag(element)}> is not known")

    def _error(self, element: _Element, message: str) -> FormulaError:
        return FormulaError(message, path=self._path, line=element.sourceline)


def _only(element: _Element, known: Sequence[str], path: str | Path) -> list[_Element]:
    """The parts of an element; a part of another name is an error, it may be a misspelt one."""
    parts = list(element)
    for part in parts:
        if _tag(part) not in known:
            message = f"<{_tag(part)}> inside <{_tag(element)}> is not known"
            hint = nearest(_tag(part), known)
            raise FormulaError(message, path=path, line=part.sourceline, hint=hint)
    return parts


def _tag(element: _Element) -> str:
    """The name without its namespace."""
    return str(element.tag).rsplit("}", 1)[-1]


def _child_text(element: _Element, tag: str, path: str | Path) -> str:
    for child in element:
        if _tag(child) == tag and (child.text or "").strip():
            return str(child.text).strip()
    raise FormulaError(f"a property has no <{tag}>", path=path, line=element.sourceline)
