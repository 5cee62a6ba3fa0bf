"""TAPAAL's two dialects of PNML, as far as they describe P/T nets without time.

The engine format has ``<inputArc>``, ``<outputArc>`` and ``<transportArc>``; the ``.tapn`` of the
editor has components, shared nodes, constants and queries. In both, markings and weights are
attributes, and whatever speaks of time or players is accepted only where it says nothing.
"""

from __future__ import annotations

import re

from mpisog.errors import NetError
from mpisog.nets.pnml_names import (
    Element,
    Parts,
    described,
    local_name,
    unsupported,
)

_ANY_AGE = re.compile(r"\[\s*0\s*,\s*inf\s*\)(?::\s*[0-9]+)?")
_NO_INVARIANT = re.compile(r"<\s*inf")
_TIME = re.compile(r"[\[(].*,")


def check_invariant(element: Element, id: str) -> None:
    """Refuse a limit on the age of tokens."""
    invariant = element.get("invariant")
    if invariant is not None and not _NO_INVARIANT.fullmatch(invariant.strip()):
        raise unsupported("time", f"place '{id}' has the invariant {invariant.strip()}", element)


def check_transition(element: Element, id: str) -> None:
    """Refuse urgency, time and the opponent's transitions of a game."""
    for name, harmless, feature in (
        ("urgent", "false", "urgent transition"),
        ("timed", "false", "time"),
        ("player", "0", "game"),
    ):
        value = element.get(name, harmless).strip()
        if value != harmless:
            raise unsupported(feature, f"transition '{id}' has {name}={value}", element)


def require_interval(element: Element, kind: str) -> None:
    """A timed or transport arc says of which age its tokens must be: any."""
    if element.get("inscription") is None:
        raise unsupported("time", f"{described(element)} is {kind} without its interval", element)


def weight_text(element: Element, inscription: str | None, constants: dict[str, str]) -> str:
    """The weight of an arc: the attribute, or the text of its ``<inscription>``, or 1.

    The attribute ``inscription`` is an interval of time; of output arcs, it is 1 whatever the
    weight.
    """
    given, weight = element.get("inscription"), element.get("weight")
    if given is None and weight is None:
        return "1" if inscription is None else constants.get(inscription, inscription)
    if given is not None and not _ANY_AGE.fullmatch(given.strip()):
        if _TIME.match(given.strip()):
            raise unsupported("time", f"{described(element)} has the interval {given}", element)
        if given.strip() not in ("1", weight, inscription):
            message = f"{described(element)} has the inscription '{given.strip()}'"
            raise NetError(message, line=element.sourceline, hint="weights are in 'weight'")
    texts = [text.strip() for text in (weight, inscription) if text is not None]
    texts = [constants.get(text, text) for text in texts]
    if len(set(texts)) > 1:
        message = f"{described(element)} has two weights, {texts[0]} and {texts[1]}"
        raise NetError(message, line=element.sourceline)
    return texts[0] if texts else "1"


def check_dots(element: Element, parts: Parts, label: str, count: int) -> None:
    """TAPAAL says the same again as a coloured net of dots: refuse other colours and numbers."""
    if label not in parts:
        return
    dots = _dots(parts[label])
    if dots is None:
        raise unsupported("coloured net", f"{described(element)} has <{label}>", parts[label])
    if dots != count:
        message = f"{described(element)} has {count} and, in <{label}>, {dots}"
        raise NetError(message, line=parts[label].sourceline)


def is_dot(element: Element) -> bool:
    """Whether a place's type is the one of tokens without colour."""
    structures = [child for child in element if local_name(child) == "structure"]
    sorts = [sort for structure in structures for sort in structure.iter()][1:]
    return [(local_name(s), s.get("declaration")) for s in sorts] == [("usersort", "dot")]


def declares_dots(structure: Element) -> bool:
    """Whether a declaration declares nothing but that type."""
    elements = list(structure.iter())
    names = [local_name(element) for element in elements]
    return names == ["structure", "declarations", "namedsort", "dot"] and (
        elements[2].get("id") == "dot"
    )


def _dots(label: Element) -> int | None:
    """The number of dots in an expression such as ``2'dot + 1'dot``, or none for anything else."""
    structures = [child for child in label if local_name(child) == "structure"]
    return _term(structures[0]) if len(structures) == 1 else None


def _term(element: Element) -> int | None:
    tag, children = local_name(element), list(element)
    if tag in ("structure", "add", "subterm"):
        terms = [_term(child) for child in children]
        return None if not terms or None in terms else sum(term or 0 for term in terms)
    if tag == "numberof" and [local_name(child) for child in children] == ["subterm", "subterm"]:
        numbers = [(local_name(c), c.get("value", "")) for c in children[0]]
        number = numbers[0][1] if [name for name, _ in numbers] == ["numberconstant"] else ""
        is_number = re.fullmatch("[0-9]{1,9}", number) is not None
        return int(number) if is_number and _is_dot_constant(children[1]) else None
    return None


def _is_dot_constant(subterm: Element) -> bool:
    names = [local_name(child) for child in subterm.iter()]
    colour = [child.get("declaration") for child in subterm]
    return names == ["subterm", "dotconstant"] or (
        names == ["subterm", "useroperator"] and colour == ["dot"]
    )
