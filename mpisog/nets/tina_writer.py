"""Writer for Tina's textual ``.net`` format: ``read_tina`` reads back the same net."""

from __future__ import annotations

import re
from typing import IO

from mpisog.nets.model import Arcs, PetriNet, Place, Transition
from mpisog.nets.tina import KEYWORDS

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_']*")
_SPECIAL = re.compile(r"([{}\\])")


def write_tina(net: PetriNet, stream: IO[str]) -> None:
    """Write a net; all places come first, so that their order is kept."""
    stream.write(f"net {_quote(net.name)}\n")
    stream.writelines(_place(place) for place in net.places)
    stream.writelines(_transition(transition, net.places) for transition in net.transitions)


def _place(place: Place) -> str:
    marking = f" ({place.initial})" if place.initial else ""
    return f"pl {_quote(place.id)}{_label(place)}{marking}\n"


def _transition(transition: Transition, places: tuple[Place, ...]) -> str:
    head = f"tr {_quote(transition.id)}{_label(transition)}"
    return f"{head}{_arcs(transition.pre, places)} ->{_arcs(transition.post, places)}\n"


def _label(node: Place | Transition) -> str:
    return "" if node.name == node.id else f" : {_quote(node.name)}"


def _arcs(arcs: Arcs, places: tuple[Place, ...]) -> str:
    return "".join(
        f" {_quote(places[place].id)}" + (f"*{weight}" if weight != 1 else "")
        for place, weight in arcs
    )


def _quote(name: str) -> str:
    if _PLAIN.fullmatch(name) and name not in KEYWORDS:
        return name
    return "{" + _SPECIAL.sub(r"\\\1", name) + "}"
