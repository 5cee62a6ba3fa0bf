"""The names that PNML files and their dialects use: what is read or checked, what is harmless.

Whatever has another name may change what the net means, so it is refused, not skipped.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeAlias

from mpisog.errors import NetError, UnsupportedFeature, nearest
from mpisog.nets.numbers import shorten

Element: TypeAlias = Any
"""An lxml element; lxml comes without type information."""

Parts: TypeAlias = dict[str, Element]
"""The children of a place, transition or arc, by local name."""

SPACE = " \t\r\n"
"""What XML takes for blank; Python strips more, which may be part of a name."""

_DRAWN = frozenset({"graphics", "toolspecific", "name"})
_TAPAAL_DRAWN = frozenset(
    {
        "displayName",
        "nameOffsetX",
        "nameOffsetY",
        "positionX",
        "positionY",
        "markingOffsetX",
        "markingOffsetY",
        "angle",
        "startX",
        "startY",
        "endX",
        "endY",
    }
)
_STOCHASTIC = frozenset(
    {
        "distribution",
        "a",
        "b",
        "rate",
        "mean",
        "stddev",
        "value",
        "shape",
        "scale",
        "weight",
        "firingMode",
        "infiniteServer",
    }
)

ENGINE_ARCS = frozenset({"inputArc", "outputArc", "transportArc", "inhibitorArc"})
CONTENT = (
    frozenset({"place", "transition", "arc", "referencePlace", "referenceTransition"}) | ENGINE_ARCS
)
SKIPPED = frozenset({"toolspecific", "finalmarkings", "query", "graphics", "labels"})
"""Where other elements of a net stand that do not belong to it."""

CHILDREN: dict[str, frozenset[str]] = {
    "pnml": _DRAWN
    | {"net", "declaration", "finalmarkings", "constant", "shared-place", "shared-transition"}
    | {"query", "k-bound", "bound", "feature"},
    "net": CONTENT | _DRAWN | {"page", "declaration", "finalmarkings", "labels", "token"},
    "page": CONTENT | _DRAWN | {"page", "declaration", "labels"},
    "place": _DRAWN | {"initialMarking", "capacity", "type", "hlinitialMarking", "label"},
    "transition": _DRAWN
    | frozenset(
        {
            "label",
            "orientation",
            "rate",
            "timed",
            "infiniteServer",
            "priority",
            "delay",
            "interval",
            "condition",
        }
    ),
    "arc": _DRAWN
    | frozenset(
        {"inscription", "hlinscription", "type", "arctype", "arcType", "tagged", "arcpath"}
    ),
    "referencePlace": _DRAWN,
    "referenceTransition": _DRAWN,
    "shared-place": frozenset({"type", "hlinitialMarking"}),
    "declaration": _DRAWN | {"structure", "text"},
}
"""Elements that may stand in an element."""

_ARC = _TAPAAL_DRAWN | {"id", "source", "target", "type", "inscription", "weight", "tagged"}
ATTRIBUTES: dict[str, frozenset[str]] = {
    "net": frozenset({"id", "type", "active", "name"}),
    "page": frozenset({"id", "name"}),
    "place": _TAPAAL_DRAWN | {"id", "name", "initialMarking", "invariant", "capacity"},
    "transition": _TAPAAL_DRAWN
    | _STOCHASTIC
    | {"id", "name", "priority", "urgent", "player", "timed"},
    "arc": _ARC | {"transportID"},
    "transportArc": _ARC | {"transition"},
    "referencePlace": frozenset({"id", "ref", "name"}),
    "referenceTransition": frozenset({"id", "ref", "name"}),
    "shared-place": frozenset({"id", "name", "initialMarking", "invariant"}),
    "shared-transition": _STOCHASTIC | {"id", "name", "urgent", "player"},
    "constant": frozenset({"name", "value"}),
}
"""Attributes that an element may have."""

for _kind in ENGINE_ARCS:
    CHILDREN[_kind] = CHILDREN["arc"]
    ATTRIBUTES.setdefault(_kind, _ARC)

_ONCE = frozenset(
    {"initialMarking", "inscription", "type", "arctype", "arcType", "capacity", "priority"}
    | {"hlinitialMarking", "hlinscription", "structure", "timed", "tagged", "delay", "interval"}
)
_HARMLESS_NAMESPACES = (
    "{http://www.w3.org/XML/1998/namespace}",
    "{http://www.w3.org/2001/XMLSchema-instance}",
)
_NO_NAMES: frozenset[str] = frozenset()
_LABEL = frozenset({"text", "value", "graphics", "toolspecific"})


def local_name(element: Element) -> str:
    """The tag without its namespace: files with the old, the new or no namespace are all read."""
    return _local(element.tag)


@lru_cache(maxsize=256)
def _local(tag: object) -> str:
    return str(tag).rpartition("}")[2]


def parts(element: Element, tag: str) -> Parts:
    """An element's children by local name; attributes and children of other names are refused."""
    check_attributes(element, tag)
    refuse_loose_text(element)
    named: Parts = {}
    known = CHILDREN.get(tag, _NO_NAMES)
    for child in element:
        name = local_name(child)
        if name not in known:
            refuse_child(child, element)
        if name in named and name in _ONCE:
            raise NetError(f"{described(element)} has <{name}> twice", line=child.sourceline)
        named[name] = child
    return named


def check_attributes(element: Element, tag: str) -> None:
    """Refuse attributes that are not known."""
    known = ATTRIBUTES.get(tag, _NO_NAMES)
    names = element.keys()
    if known.issuperset(names):
        return
    for name in names:
        if name not in known and not name.startswith(_HARMLESS_NAMESPACES):
            message = f"the attribute '{name}' of {described(element)}"
            raise _unknown(message, name, known, element)


def refuse_child(child: Element, parent: Element) -> None:
    """Refuse an element that is not known where it stands."""
    name = local_name(child)
    refuse_undeclared_prefix(name, child)
    known = CHILDREN.get(local_name(parent), _NO_NAMES)
    raise _unknown(f"<{name}> in {described(parent)}", name, known, child)


def refuse_undeclared_prefix(name: str, element: Element) -> None:
    """The parser lets ``<x:place>`` without a declaration of ``x`` pass; its meaning is lost."""
    if ":" in name:
        raise NetError(f"the namespace prefix of <{name}> is not declared", line=element.sourceline)


def refuse_loose_text(element: Element) -> None:
    """Refuse text between the children of an element: a number there is nobody's."""
    for text in (element.text, *(child.tail for child in element)):
        if text and text.strip(SPACE):
            where = f"in <{local_name(element)}> is not known in {dialect(element)}"
            message = f"the text {shorten(text.strip(SPACE))} {where}"
            hint = "what a label says stands in <text>"
            raise NetError(message, line=element.sourceline, hint=hint)


def label_text(element: Element) -> str | None:
    """Text of a label: ``<text>`` as in the standard, or the older tools' ``<value>``."""
    for child in element:
        if local_name(child) in ("text", "value"):
            return (child.text or "").strip(SPACE)
    return None


def number_text(element: Element) -> str:
    """Text of a label that matters: nothing but one ``<text>`` or ``<value>`` may be in it."""
    refuse_loose_text(element)
    if len(element) == 1 and not element.keys():  # as it mostly is
        child = element[0]
        if local_name(child) in ("text", "value") and not len(child):
            return (child.text or "").strip(SPACE)
    found: Element = None
    for child in element:
        name = local_name(child)
        if name not in _LABEL:
            raise _unknown(f"<{name}> in <{local_name(element)}>", name, _LABEL, child)
        if name in ("text", "value"):
            if found is not None or len(child):
                message = f"<{local_name(element)}> has more than one text"
                raise NetError(message, line=child.sourceline)
            found = child
    for name in element.keys():  # noqa: SIM118 (an element's iterator gives its children)
        raise _unknown(f"the attribute '{name}' of <{local_name(element)}>", name, (), element)
    return "" if found is None else (found.text or "").strip(SPACE)


def described(element: Element) -> str:
    """What a message calls an element: its kind, and its id or name where it has one."""
    tag = local_name(element)
    if tag == "arc" or tag in ENGINE_ARCS:
        return f"the arc from '{element.get('source')}' to '{element.get('target')}'"
    id = (element.get("id") or element.get("name") or "").strip(SPACE)
    return f"{tag} '{id}'" if id else f"a {tag}" if tag != "pnml" else "<pnml>"


def unsupported(feature: str, where: str, element: Element) -> UnsupportedFeature:
    """The refusal of a feature that P/T nets do not have."""
    return UnsupportedFeature(
        f"{feature}: {where}, but only P/T nets can be checked", line=element.sourceline
    )


def dialect(element: Element) -> str:
    """What a file with this element is called in messages."""
    around = [element, *element.iterancestors()]
    if any(each.get("active") is not None for each in around):
        return "TAPAAL's .tapn format"
    tags = {local_name(each) for each in around}
    if tags & ENGINE_ARCS or any(each.get("initialMarking") is not None for each in around):
        return "TAPAAL's engine format"
    return "PNML"


def _unknown(what: str, name: str, known: Any, element: Element) -> UnsupportedFeature:
    message = f"{shorten(what, 200)[1:-1]} is not known in {dialect(element)}"
    hint = nearest(name, known) or "it may change what the net means"
    return UnsupportedFeature(message, line=element.sourceline, hint=hint)
