"""Streaming PNML writer: what it writes, ``read_pnml`` reads back as the same net."""

from __future__ import annotations

from typing import IO, Any

from mpisog.errors import NetError
from mpisog.nets.model import PetriNet, Place, Transition

NAMESPACE = "http://www.pnml.org/version-2009/grammar/pnml"
NET_TYPE = "http://www.pnml.org/version-2009/grammar/ptnet"


def write_pnml(net: PetriNet, stream: IO[bytes]) -> None:
    """Write a net as a one-page PNML file in UTF-8.

    Raises ``NetError`` for ids and names with characters that XML cannot hold.
    """
    # Start-up time: nothing but PNML needs lxml.
    from lxml import etree

    with etree.xmlfile(stream, encoding="utf-8") as xml:
        xml.write_declaration()
        try:
            _Writer(xml).net(net)
        except ValueError as error:
            raise NetError(f"the net cannot be written as PNML: {error}") from None
    stream.write(b"\n")


class _Writer:
    """Writes the parts of a net to an open lxml ``xmlfile``."""

    def __init__(self, xml: Any) -> None:
        self._xml = xml
        self._arcs = 0

    def net(self, net: PetriNet) -> None:
        """The whole file."""
        with (
            self._xml.element("pnml", nsmap={None: NAMESPACE}),
            self._xml.element("net", id=net.name, type=NET_TYPE),
            self._xml.element("page", id="page0"),
        ):
            for place in net.places:
                self._place(place)
            for transition in net.transitions:
                self._transition(transition)
            for transition in net.transitions:
                self._transition_arcs(transition, net.places)

    def _place(self, place: Place) -> None:
        self._xml.write("\n  ")
        with self._xml.element("place", id=place.id):
            self._label("name", place.name)
            if place.initial:
                self._label("initialMarking", str(place.initial))

    def _transition(self, transition: Transition) -> None:
        self._xml.write("\n  ")
        with self._xml.element("transition", id=transition.id):
            self._label("name", transition.name)

    def _transition_arcs(self, transition: Transition, places: tuple[Place, ...]) -> None:
        for place, weight in transition.pre:
            self._arc(places[place].id, transition.id, weight)
        for place, weight in transition.post:
            self._arc(transition.id, places[place].id, weight)

    def _arc(self, source: str, target: str, weight: int) -> None:
        self._arcs += 1
        self._xml.write("\n  ")
        with self._xml.element("arc", id=f"arc{self._arcs}", source=source, target=target):
            if weight != 1:
                self._label("inscription", str(weight))

    def _label(self, tag: str, text: str) -> None:
        with self._xml.element(tag), self._xml.element("text"):
            self._xml.write(text)
