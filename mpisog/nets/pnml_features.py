"""What PNML files may say that a P/T net cannot mean: each is refused by feature and element."""

from __future__ import annotations

from mpisog.nets import pnml_tapaal as tapaal
from mpisog.nets.numbers import shorten
from mpisog.nets.pnml_names import (
    Element,
    Parts,
    described,
    label_text,
    local_name,
    number_text,
    unsupported,
)

_COLOURED_TYPES = ("symmetricnet", "highlevelnet", "pt-hlpng", "hlnet", "hlpn")
_NORMAL_ARCS = ("normal", "arc", "default")
_PLAIN_PARTS = frozenset({"inscription", "graphics", "toolspecific", "name", "arcpath"})
_TIMED_ARCS = ("timed", "transport")
"""TAPAAL's words: whether there is a time in them is up to their inscription."""


def check_net_type(element: Element, net_id: str) -> None:
    """Refuse nets whose type says that they are coloured."""
    net_type = element.get("type", "").strip()
    if net_type.lower().rpartition("/")[2] in _COLOURED_TYPES:
        raise unsupported("coloured net", f"net '{net_id}' has type {shorten(net_type)}", element)


def check_declaration(element: Element, parts: Parts) -> None:
    """Refuse a declaration of sorts or variables; an empty one, or of dots, does no harm."""
    if "structure" in parts and not tapaal.declares_dots(parts["structure"]):
        raise unsupported("coloured net", "the net has a declaration of sorts", element)


def check_place(element: Element, parts: Parts, id: str) -> None:
    """Refuse coloured places, places with a capacity, and places that limit the age of tokens."""
    if "type" in parts and not tapaal.is_dot(parts["type"]):
        raise unsupported("coloured net", f"place '{id}' has <type>", parts["type"])
    # PIPE writes capacity 0 for "none".
    if "capacity" in parts and number_text(parts["capacity"]) not in ("0", ""):
        raise unsupported("capacity", f"place '{id}' has <capacity>", parts["capacity"])
    if element.get("capacity", "0").strip() != "0":
        raise unsupported("capacity", f"place '{id}' has a capacity", element)
    tapaal.check_invariant(element, id)


def check_transition(element: Element, parts: Parts, id: str) -> None:
    """Refuse guards and time."""
    if "condition" in parts:
        found = parts["condition"]
        raise unsupported("coloured net", f"transition '{id}' has <condition>", found)
    for name in ("interval", "delay"):
        if name in parts and not _is_any_time(parts[name]):
            raise unsupported("time", f"transition '{id}' has <{name}>", parts[name])
    if "timed" in parts and number_text(parts["timed"]).lower() != "false":
        raise unsupported("time", f"transition '{id}' has <timed>", parts["timed"])
    tapaal.check_transition(element, id)


def check_arc(element: Element, parts: Parts) -> None:
    """Refuse arcs that do more than move tokens."""
    kind = element.get("type", "normal")
    if kind == "normal" and _PLAIN_PARTS.issuperset(parts):
        return
    _check_kind(kind, element)
    for name in ("type", "arctype", "arcType"):
        if name in parts:
            for kind in _arc_kinds(parts[name]):
                _check_kind(kind, element)
    if "tagged" in parts and number_text(parts["tagged"]).lower() != "false":
        raise unsupported("tagged arc", described(element), element)


def _check_kind(kind: str, element: Element) -> None:
    kind = kind.strip() or "unknown"
    if kind in _TIMED_ARCS:
        tapaal.require_interval(element, kind)
    elif kind.lower() not in _NORMAL_ARCS:
        raise unsupported(f"{shorten(kind)[1:-1]} arc", described(element), element)


def _arc_kinds(element: Element) -> list[str]:
    """All that is said: PIPE and Tina write ``value="inhibitor"``, ProM a ``<text>``."""
    said = [element.get("value"), label_text(element), (element.text or "").strip() or None]
    return [kind for kind in said if kind is not None] or ["unknown"]


def _is_any_time(element: Element) -> bool:
    """Tina's ``<delay>`` with the interval ``[0, infty[`` in MathML."""
    if len(element) != 1:
        return False
    interval = element[0]
    bounds = [(local_name(bound), (bound.text or "").strip()) for bound in interval]
    return (
        local_name(interval) == "interval"
        and interval.get("closure") == "closed-open"
        and bounds == [("cn", "0"), ("ci", "infty")]
    )


class Priorities:
    """Priorities do no harm as long as all transitions have the same one, or none has any.

    What a transition has that says nothing differs from tool to tool: 0, 1, or the lowest.
    """

    def __init__(self) -> None:
        self._first: tuple[str, str | None] | None = None
        """A transition and its priority."""

    def check(self, element: Element, parts: Parts, id: str) -> None:
        """Refuse a priority that differs from those before it."""
        value = element.get("priority")
        if "priority" in parts:
            value = number_text(parts["priority"])
        if self._first is None:
            self._first = id, value
        elif value != self._first[1]:
            where = f"transition '{id}' has not the priority of '{self._first[0]}'"
            raise unsupported("priority", where, element)
