"""What PNML files may say that a P/T net cannot mean: each is refused by feature and element."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeAlias

from mpisog.errors import NetError, UnsupportedFeature
from mpisog.nets.numbers import shorten

Element: TypeAlias = Any
"""An lxml element; lxml comes without type information."""

Parts: TypeAlias = dict[str, Element]
"""The children of a place, transition or arc, by local name."""

_COLOURED_TYPES = ("symmetricnet", "highlevelnet", "pt-hlpng", "hlnet", "hlpn")
_NORMAL_ARCS = ("", "normal", "arc", "default")


def local_name(element: Element) -> str:
    """The tag without its namespace: files with the old, the new or no namespace are all read."""
    return _local(element.tag)


@lru_cache(maxsize=256)
def _local(tag: object) -> str:
    return str(tag).rpartition("}")[2]


def parts(element: Element) -> Parts:
    """An element's children by local name; of several with one name the last."""
    named: Parts = {}
    for child in element:
        name = local_name(child)
        if ":" in name:
            refuse_undeclared_prefix(name, child)
        named[name] = child
    return named


def refuse_undeclared_prefix(name: str, element: Element) -> None:
    """The parser lets ``<x:place>`` without a declaration of ``x`` pass; its meaning is lost."""
    if ":" in name:
        raise NetError(f"the namespace prefix of <{name}> is not declared", line=element.sourceline)


def label_text(element: Element) -> str | None:
    """Text of a label: ``<text>`` as in the standard, or the older tools' ``<value>``."""
    for child in element:
        if local_name(child) in ("text", "value"):
            return (child.text or "").strip()
    return None


def check_net_type(element: Element, net_id: str) -> None:
    """Refuse nets whose type says that they are coloured."""
    net_type = element.get("type", "").strip()
    if net_type.lower().rpartition("/")[2] in _COLOURED_TYPES:
        raise _unsupported("coloured net", f"net '{net_id}' has type {shorten(net_type)}", element)


def refuse_declaration(element: Element, parts: Parts) -> None:
    """Refuse a declaration of sorts or variables; an empty one does no harm."""
    if "structure" in parts:
        raise _unsupported("coloured net", "the net has a declaration of sorts", element)


def check_place(parts: Parts, id: str) -> None:
    """Refuse coloured places and places with a capacity."""
    for name in ("hlinitialMarking", "type"):
        if name in parts:
            raise _unsupported("coloured net", f"place '{id}' has <{name}>", parts[name])
    # PIPE writes capacity 0 for "none".
    if "capacity" in parts and label_text(parts["capacity"]) not in ("0", "", None):
        raise _unsupported("capacity", f"place '{id}' has <capacity>", parts["capacity"])


def check_transition(parts: Parts, id: str) -> None:
    """Refuse guards and time."""
    if "condition" in parts:
        found = parts["condition"]
        raise _unsupported("coloured net", f"transition '{id}' has <condition>", found)
    for name in ("interval", "delay"):
        if name in parts:
            raise _unsupported("time", f"transition '{id}' has <{name}>", parts[name])
    if "timed" in parts and (label_text(parts["timed"]) or "").lower() == "true":
        raise _unsupported("time", f"transition '{id}' has <timed>", parts["timed"])


def check_arc(element: Element, parts: Parts) -> None:
    """Refuse arcs that do more than move tokens."""
    if "hlinscription" in parts:
        found = parts["hlinscription"]
        raise _unsupported("coloured net", f"{_arc(element)} has <hlinscription>", found)
    kind = element.get("type", "")
    for name in ("type", "arctype", "arcType"):
        if name in parts:
            kind = _arc_kind(parts[name])
    if kind.strip().lower() not in _NORMAL_ARCS:
        raise _unsupported(f"{shorten(kind.strip())[1:-1]} arc", _arc(element), element)


def _arc(element: Element) -> str:
    return f"the arc from '{element.get('source')}' to '{element.get('target')}'"


def _arc_kind(element: Element) -> str:
    return str(element.get("value") or label_text(element) or element.text or "")


class Priorities:
    """Priorities do no harm as long as all transitions have the same one."""

    def __init__(self) -> None:
        self._first: str | None = None

    def check(self, parts: Parts, id: str) -> None:
        """Refuse a priority that differs from those before it."""
        if "priority" not in parts:
            return
        value = label_text(parts["priority"]) or ""
        if self._first is None:
            self._first = value
        elif value != self._first:
            found = parts["priority"]
            raise _unsupported("priority", f"transition '{id}' has a priority of its own", found)


def _unsupported(feature: str, where: str, element: Element) -> UnsupportedFeature:
    return UnsupportedFeature(
        f"{feature}: {where}, but only P/T nets can be checked", line=element.sourceline
    )
