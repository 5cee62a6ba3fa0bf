"""Streaming reader for PNML place/transition nets.

Elements are dropped as soon as they are read, so memory follows the net and not the file. Features
that a P/T net does not have are refused by name: reading on would give wrong verdicts.
"""

from __future__ import annotations

import re
from typing import IO, Any

from mpisog.errors import NetError, UnsupportedFeature
from mpisog.nets import pnml_features as features
from mpisog.nets.model import NetBuilder, PetriNet
from mpisog.nets.numbers import parse_count, shorten
from mpisog.nets.pnml_features import Element, Parts, label_text, local_name
from mpisog.nets.pnml_references import References

_TAGS = (
    "net",
    "place",
    "transition",
    "arc",
    "referencePlace",
    "referenceTransition",
    "toolspecific",
    "declaration",
)

# PNML has no use for a DTD, and entities are how XML bombs and file thefts are made.
_DOCTYPE = re.compile(rb"(?:\xef\xbb\xbf)?(?>\s+|<\?.*?\?>|<!--.*?-->)*+<!DOCTYPE", re.DOTALL)
_DOCTYPE_REFUSED = "the file has a DOCTYPE or entity declaration, which is refused"
_PROLOG_SIZE = 64 * 1024


def read_pnml(stream: IO[bytes], name: str = "net") -> PetriNet:
    """Read the only net of a seekable PNML file; ``name`` is used when the net has no id.

    Raises ``NetError`` with a line for anything that is not a well-formed PNML P/T net.
    """
    # Start-up time: nothing but PNML needs lxml.
    from lxml import etree

    _refuse_doctype_in(stream.read(_PROLOG_SIZE))
    stream.seek(0)
    reader = _Reader(name)
    events = etree.iterparse(
        stream,
        events=("end",),
        tag=[f"{{*}}{tag}" for tag in _TAGS],
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=True,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        for _, element in events:
            reader.handle(element)
    except etree.XMLSyntaxError as error:
        raise _not_well_formed(error, events.error_log) from None
    return reader.finish(events.root)


def _not_well_formed(error: Any, log: Any) -> NetError:
    # The log has the first trouble with its line where the exception may have neither.
    for entry in log:
        return NetError(f"not well-formed XML: {entry.message.strip()}", line=entry.line or None)
    return NetError(f"not well-formed XML: {error.msg}", line=error.lineno or None)


class _Reader:
    """Turns the interesting elements, each when it is complete, into a net."""

    def __init__(self, name: str) -> None:
        self._builder = NetBuilder(name)
        self._references = References()
        self._arcs: list[tuple[str, str, int, int | None]] = []
        self._net: Element = None
        self._container: Element = None
        self._priorities = features.Priorities()
        self._checked_prolog = False
        self._content = {
            "place": self._place,
            "transition": self._transition,
            "arc": self._arc,
            "referencePlace": self._reference,
            "referenceTransition": self._reference,
            "declaration": features.refuse_declaration,
        }

    def handle(self, element: Element) -> None:
        """One complete element."""
        if not self._checked_prolog:
            _refuse_doctype(element)
            self._checked_prolog = True
        tag = local_name(element)
        if tag == "toolspecific":
            element.clear(keep_tail=False)
        elif tag == "net":
            self._enter_net(element)
        elif self._is_content(element):
            features.refuse_undeclared_prefix(tag, element)
            self._content[tag](element, features.parts(element))
            _forget(element)

    def finish(self, root: Element) -> PetriNet:
        """The net, once the file has been read to its end."""
        if not self._checked_prolog and root is not None:
            _refuse_doctype(root)
        if self._net is None:
            raise NetError(f"not a PNML file: {_root_story(root)}")
        for source, target, weight, line in self._arcs:
            self._builder.arc(
                self._references.resolve(source), self._references.resolve(target), weight, line
            )
        self._arcs.clear()
        self._references.check()
        return self._builder.build()

    def _is_content(self, element: Element) -> bool:
        """Whether the element is part of the net, and not of some tool's own data inside it."""
        parent = element.getparent()
        if parent is not self._container:
            net = _net_around(element)
            if net is None:
                return False
            self._enter_net(net)
            self._container = parent
        return True

    def _enter_net(self, net: Element) -> None:
        parent = net.getparent()
        if net is self._net or parent is None or local_name(parent) != "pnml":
            return
        net_id = net.get("id", "").strip()
        if self._net is not None:
            first = self._net.get("id", "").strip()
            message = f"the file has several nets, '{first}' and '{net_id}'; only one is allowed"
            raise NetError(message, line=net.sourceline)
        features.check_net_type(net, net_id)
        self._net = net
        self._builder.name = net_id or self._builder.name

    def _place(self, element: Element, parts: Parts) -> None:
        id = _required(element, "id")
        features.check_place(parts, id)
        tokens = 0
        if "initialMarking" in parts:
            tokens = _count(parts["initialMarking"], f"initial marking of place '{id}'")
        self._references.node(id, "place", element.sourceline)
        self._builder.place(id, tokens, _name(parts), element.sourceline)

    def _transition(self, element: Element, parts: Parts) -> None:
        id = _required(element, "id")
        features.check_transition(parts, id)
        self._priorities.check(parts, id)
        self._references.node(id, "transition", element.sourceline)
        self._builder.transition(id, _name(parts), element.sourceline)

    def _arc(self, element: Element, parts: Parts) -> None:
        source, target = _required(element, "source"), _required(element, "target")
        features.check_arc(element, parts)
        weight = 1
        if "inscription" in parts:
            what = f"weight of the arc from '{source}' to '{target}'"
            weight = _count(parts["inscription"], what)
        self._arcs.append((source, target, weight, element.sourceline))

    def _reference(self, element: Element, parts: Parts) -> None:
        kind = "place" if local_name(element) == "referencePlace" else "transition"
        id, target = _required(element, "id"), _required(element, "ref")
        self._references.reference(id, target, kind, element.sourceline)


def _name(parts: Parts) -> str | None:
    return label_text(parts["name"]) if "name" in parts else None


def _count(element: Element, what: str) -> int:
    return parse_count(label_text(element) or "", what, element.sourceline)


def _required(element: Element, attribute: str) -> str:
    value: str = element.get(attribute, "").strip()
    if not value:
        tag, id = local_name(element), element.get("id", "")
        which = f"{tag} '{id}'" if id.strip() else f"a {tag}"
        raise NetError(f"{which} has no attribute '{attribute}'", line=element.sourceline)
    return value


def _net_around(element: Element) -> Element | None:
    """The net whose pages lead down to the element; nothing inside a tool's own data.

    Anywhere else is an error: dropping an element silently would give another net.
    """
    ancestors = list(element.iterancestors())
    tags = [local_name(ancestor) for ancestor in ancestors]
    if "toolspecific" in tags:
        return None
    place = next((i for i, tag in enumerate(tags) if tag != "page"), None)
    if place is None or tags[place] != "net":
        where = "outside a net" if place is None else f"inside <{tags[place]}>"
        raise NetError(f"<{local_name(element)}> {where} is out of place", line=element.sourceline)
    return ancestors[place]


def _forget(element: Element) -> None:
    """Free the element and everything before it, which keeps memory flat on large files."""
    element.clear(keep_tail=False)
    parent = element.getparent()
    while element.getprevious() is not None:
        del parent[0]


def _refuse_doctype_in(head: bytes) -> None:
    """Refuse a DOCTYPE before the parser can act on it, where the encoding lets us see it."""
    found = _DOCTYPE.match(head)
    if found:
        raise UnsupportedFeature(_DOCTYPE_REFUSED, line=found[0].count(b"\n") + 1)


def _refuse_doctype(element: Element) -> None:
    if element.getroottree().docinfo.internalDTD is not None:
        raise UnsupportedFeature(_DOCTYPE_REFUSED)


def _root_story(root: Element) -> str:
    if root is None:
        return "it has no content"
    tag = local_name(root)
    return "it has no <net>" if tag == "pnml" else f"its root element is {shorten(tag)}"
