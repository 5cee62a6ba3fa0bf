"""Streaming reader for PNML place/transition nets.

Elements are dropped as soon as they are read, so memory follows the net and not the file. Features
that a P/T net does not have are refused by name: reading on would give wrong verdicts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import IO, Any

from mpisog.errors import NetError, UnsupportedFeature
from mpisog.nets import pnml_features as features
from mpisog.nets import pnml_tapaal as tapaal
from mpisog.nets.model import NetBuilder, PetriNet
from mpisog.nets.numbers import shorten
from mpisog.nets.pnml_names import (
    CHILDREN,
    SKIPPED,
    SPACE,
    Element,
    check_attributes,
    described,
    local_name,
    parts,
    refuse_child,
    refuse_undeclared_prefix,
    unsupported,
)
from mpisog.nets.pnml_references import References
from mpisog.nets.pnml_values import arc_weight, display_name, initial_marking, required

# The parser compares every element with all of these: frequent ones first, and no more than needed.
_TAGS = (
    *("arc", "transition", "place", "net", "toolspecific", "inputArc", "outputArc"),
    *("transportArc", "referencePlace", "referenceTransition"),
)

# PNML has no use for a DTD, and entities are how XML bombs and file thefts are made.
_DOCTYPE = re.compile(rb"(?:\xef\xbb\xbf)?(?>\s+|<\?.*?\?>|<!--.*?-->)*+<!DOCTYPE", re.DOTALL)
_BARE_ARC = frozenset({"id", "source", "target"})
_BARE_NODE = ["id"]
_PLAIN_NODE = frozenset({"name", "graphics", "toolspecific"})
_PLAIN_PLACE = _PLAIN_NODE | {"initialMarking"}
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
        return NetError(
            f"not well-formed XML: {entry.message.strip(SPACE)}", line=entry.line or None
        )
    return NetError(f"not well-formed XML: {error.msg}", line=error.lineno or None)


class _Reader:
    """Turns the interesting elements, each when it is complete, into a net."""

    def __init__(self, name: str) -> None:
        self._builder = NetBuilder(name)
        self._references = References()
        self._arcs: list[tuple[str, str, int, int | None]] = []
        self._net: Element = None
        self._container: Element = None
        self._is_in_net = False
        """Whether what stands in the container belongs to the net."""
        self._priorities = features.Priorities()
        self._constants: dict[str, str] = {}
        self._shared: dict[str, tuple[int, int | None]] = {}
        self._checked_prolog = False
        self._tags: dict[str, str] = {}
        """The kinds of what is read, by name with namespace."""
        self._content: dict[str, Callable[[Element], None]] = {
            "place": self._place,
            "transition": self._transition,
            "arc": self._arc,
            "inputArc": self._engine_arc,
            "outputArc": self._engine_arc,
            "transportArc": self._engine_arc,
            "referencePlace": self._reference,
            "referenceTransition": self._reference,
        }
        self._unread: dict[str, Callable[[Element], None]] = {
            "declaration": self._declaration,
            "inhibitorArc": _refuse_inhibitor,
            "constant": self._constant,
            "shared-place": self._shared_place,
            "shared-transition": self._shared_transition,
            "feature": self._feature,
        }
        """What is looked at when what comes after it is read."""

    def handle(self, element: Element) -> None:
        """One complete element."""
        if not self._checked_prolog:
            _refuse_doctype(element)
            self._checked_prolog = True
        tag = self._tags.get(element.tag) or self._kind(element)
        if tag == "toolspecific":
            element.clear(keep_tail=False)
        elif tag == "net":
            self._leave_net(element)
        elif self._is_content(element):
            if tag not in self._content:
                refuse_undeclared_prefix(tag, element)
            self._content[tag](element)
            self._forget(element)

    def _kind(self, element: Element) -> str:
        tag = local_name(element)
        if tag in self._content:
            self._tags[element.tag] = tag
        return tag

    def finish(self, root: Element) -> PetriNet:
        """The net, once the file has been read to its end."""
        if not self._checked_prolog and root is not None:
            _refuse_doctype(root)
        if root is not None and local_name(root) == "pnml":
            self._check_rest(root)
        if self._net is None:
            raise NetError(f"not a PNML file: {_root_story(root)}")
        for source, target, weight, line in self._arcs:
            self._builder.arc(
                self._references.resolve(source), self._references.resolve(target), weight, line
            )
        self._arcs.clear()
        self._references.check()
        net = self._builder.build()
        self._check_shared(net)
        return net

    def _is_content(self, element: Element) -> bool:
        """Whether the element is part of the net, and not of some tool's own data inside it."""
        parent = element.getparent()
        if parent is not self._container:
            net = _net_around(element)
            self._is_in_net = net is not None and self._enter_net(net)
            self._container = parent
        return self._is_in_net

    def _leave_net(self, net: Element) -> None:
        if not _stands_in(net, "pnml"):
            return
        check_attributes(net, "net")
        if self._enter_net(net):
            self._check_rest(net)

    def _enter_net(self, net: Element) -> bool:
        """Whether the net is the one to read; TAPAAL's inactive components are not."""
        if net is self._net:
            return True
        parent = net.getparent()
        if parent is None or local_name(parent) != "pnml" or net.get("active") == "false":
            return False
        net_id = net.get("id", "").strip(SPACE)
        if self._net is not None:
            first = self._net.get("id", "").strip(SPACE)
            message = f"the file has several nets, '{first}' and '{net_id}'; only one is allowed"
            raise NetError(message, line=net.sourceline)
        features.check_net_type(net, net_id)
        self._net = net
        self._builder.name = net_id or self._builder.name
        for before in reversed(list(net.itersiblings(preceding=True))):
            self._check_child(before, parent)
        return True

    def _forget(self, element: Element) -> None:
        """Free the element and everything before it, which keeps memory flat on large files."""
        element.clear(keep_tail=False)
        before = element.getprevious()
        while before is not None:
            if before.tag not in self._tags:
                self._check_child(before, self._container)
            self._container.remove(before)
            before = element.getprevious()

    def _check_child(self, child: Element, parent: Element) -> None:
        """Refuse what has not been read and may change the meaning."""
        name = local_name(child)
        if name not in CHILDREN[local_name(parent)]:
            refuse_child(child, parent)
        if name in self._unread:
            self._unread[name](child)
        elif name == "page":
            self._check_rest(child)

    def _check_rest(self, container: Element) -> None:
        """The same for what is left in a container and its pages, which may be nested deeply."""
        waiting = [container]
        while waiting:
            element = waiting.pop()
            if local_name(element) != "pnml":
                check_attributes(element, local_name(element))
            for child in element:
                if local_name(child) == "page":
                    waiting.append(child)
                else:
                    self._check_child(child, element)

    def _place(self, element: Element) -> None:
        id, found = required(element, "id"), parts(element, "place")
        if element.keys() != _BARE_NODE or not _PLAIN_PLACE.issuperset(found):
            features.check_place(element, found, id)
        tokens = initial_marking(element, found, id)
        self._references.node(id, "place", element.sourceline)
        self._builder.place(id, tokens, display_name(element, found), element.sourceline)

    def _transition(self, element: Element) -> None:
        id, found = required(element, "id"), parts(element, "transition")
        if element.keys() != _BARE_NODE or not _PLAIN_NODE.issuperset(found):
            features.check_transition(element, found, id)
        self._priorities.check(element, found, id)
        self._references.node(id, "transition", element.sourceline)
        self._builder.transition(id, display_name(element, found), element.sourceline)

    def _arc(self, element: Element) -> None:
        source, target = required(element, "source"), required(element, "target")
        weight = 1  # most arcs say no more than where they go
        if len(element) or element.text or not _BARE_ARC.issuperset(element.keys()):
            weight = arc_weight(element, parts(element, "arc"), self._constants)
        self._arcs.append((source, target, weight, element.sourceline))

    def _engine_arc(self, element: Element) -> None:
        """``<inputArc>`` and its kin."""
        tag, line = local_name(element), element.sourceline
        source, target = required(element, "source"), required(element, "target")
        weight = arc_weight(element, parts(element, tag), self._constants)
        if tag == "transportArc":
            middle = required(element, "transition")
            arcs = [(source, middle), (middle, target)]
        else:
            arcs = [(source, target)]
        for start, end in arcs:
            is_input = start is source and tag != "outputArc"
            self._references.expect(start, "place" if is_input else "transition", line)
            self._references.expect(end, "transition" if is_input else "place", line)
            self._arcs.append((start, end, weight, line))

    def _reference(self, element: Element) -> None:
        tag = local_name(element)
        parts(element, tag)
        kind = "place" if tag == "referencePlace" else "transition"
        id, target = required(element, "id"), required(element, "ref")
        self._references.reference(id, target, kind, element.sourceline)

    def _declaration(self, element: Element) -> None:
        features.check_declaration(element, parts(element, "declaration"))

    def _constant(self, element: Element) -> None:
        check_attributes(element, "constant")
        self._constants[required(element, "name")] = required(element, "value")

    def _shared_place(self, element: Element) -> None:
        name, found = required(element, "name"), parts(element, "shared-place")
        features.check_place(element, found, name)
        self._shared[name] = initial_marking(element, found, name), element.sourceline

    def _shared_transition(self, element: Element) -> None:
        check_attributes(element, "shared-transition")
        tapaal.check_transition(element, required(element, "name"))

    def _feature(self, element: Element) -> None:
        if element.get("isStochastic") == "true":
            raise unsupported("time", "the net is stochastic", element)

    def _check_shared(self, net: PetriNet) -> None:
        """What is said of a shared place is said again in each component: it must be the same."""
        for place in net.places:
            tokens, line = self._shared.get(place.id, (place.initial, None))
            if tokens != place.initial:
                message = f"the shared place '{place.id}' has {tokens} tokens, and {place.initial}"
                raise NetError(message, line=line)


def _refuse_inhibitor(element: Element) -> None:
    raise unsupported("inhibitor arc", described(element), element)


def _stands_in(element: Element, tag: str) -> bool:
    parent = element.getparent()
    return parent is not None and local_name(parent) == tag


def _net_around(element: Element) -> Element | None:
    """The net whose pages lead down to the element; nothing inside a tool's own data.

    Anywhere else is an error: dropping an element silently would give another net.
    """
    ancestors = list(element.iterancestors())
    tags = [local_name(ancestor) for ancestor in ancestors]
    if not SKIPPED.isdisjoint(tags):
        return None
    place = next((i for i, tag in enumerate(tags) if tag != "page"), None)
    if place is None or tags[place] != "net":
        where = "outside a net" if place is None else f"inside <{tags[place]}>"
        raise NetError(f"<{local_name(element)}> {where} is out of place", line=element.sourceline)
    return ancestors[place]


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
    if any(local_name(child) == "net" for child in root):
        return "all its components are inactive"
    return "it has no <net>" if tag == "pnml" else f"its root element is {shorten(tag)}"
