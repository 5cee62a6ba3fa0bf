"""Writer for LoLA nets: ``read_lola`` reads back the same net, but for its names.

LoLA knows one name for a node, which is its id here, and none for the net.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import IO

from mpisog.errors import NetError
from mpisog.nets.lola import KEYWORDS
from mpisog.nets.model import Arcs, PetriNet, Place, Transition

_PLAIN = re.compile(r"(?!/\*)[^\s,;:(){}\x00-\x1f\x7f]+")


def write_lola(net: PetriNet, stream: IO[str]) -> None:
    """Write a net; raises ``NetError`` where LoLA could not read it."""
    if not net.places or not net.transitions:
        raise NetError("a LoLA net has at least one place and one transition")
    for id in (*net.place_index, *net.transition_index):
        _check(id)
    marked = [f"{place.id}: {place.initial}" for place in net.places if place.initial]
    stream.write(f"PLACE\n  {_lines(place.id for place in net.places)};\n\n")
    stream.write(f"MARKING\n  {_lines(marked)};\n")
    stream.writelines(_transition(transition, net.places) for transition in net.transitions)


def _check(id: str) -> None:
    if not _PLAIN.fullmatch(id) or id in KEYWORDS:
        raise NetError(f"the net cannot be written as LoLA: '{id}' is no name there")


def _lines(items: Iterable[str]) -> str:
    return ",\n  ".join(items)


def _transition(transition: Transition, places: tuple[Place, ...]) -> str:
    return (
        f"\nTRANSITION {transition.id}\n"
        f"  CONSUME {_arcs(transition.pre, places)};\n"
        f"  PRODUCE {_arcs(transition.post, places)};\n"
    )


def _arcs(arcs: Arcs, places: tuple[Place, ...]) -> str:
    return ", ".join(f"{places[place].id}: {weight}" for place, weight in arcs)
