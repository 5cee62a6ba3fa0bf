"""Units of a NUPN section: places that, the file says, hold at most one token together.

Tools that make nets of programs know the processes and write them into the file (``toolspecific``,
tool ``nupn``). What they say is a hint here and never a fact: who uses a set of places checks it
first. So a section that cannot be understood is no error.
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterator, Mapping

from lxml import etree

_SECTION = re.compile(rb"<toolspecific\s[^<>]*\btool\s*=\s*[\"']nupn[\"'][^<>]*>")
_END = b"</toolspecific>"

MOST_MEMBERS = 10
"""Places of all sets together, for each place of the net; deep nesting would make it many more."""

Units = tuple[tuple[int, ...], ...]


def read_units(content: bytes | mmap.mmap, places: Mapping[str, int]) -> Units:
    """A set for each unit without subunits: its places and those of the units around it."""
    section = _section(content)
    structure = None if section is None else section.find("structure")
    if structure is None or structure.get("safe") != "true":
        return ()
    local, parents, outer = {}, {}, set()
    for unit in structure.iterfind("unit"):
        name = unit.get("id")
        local[name] = [places[p] for p in _words(unit, "places") if p in places]
        for child in _words(unit, "subunits"):
            parents[child] = name
            outer.add(name)
    found: list[tuple[int, ...]] = []
    left = MOST_MEMBERS * len(places)
    for leaf in local.keys() - outer:
        members = {place for unit in _with_ancestors(leaf, parents) for place in local[unit]}
        left -= len(members)
        if left < 0:
            return ()
        found.append(tuple(sorted(members)))
    return tuple(sorted(found))


def _section(content: bytes | mmap.mmap) -> etree._Element | None:
    start = _SECTION.search(content)
    end = content.find(_END, start.end()) if start else -1
    if start is None or end < 0:
        return None
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    try:
        return etree.fromstring(content[start.start() : end + len(_END)], parser)
    except etree.XMLSyntaxError:
        return None


def _words(unit: etree._Element, part: str) -> list[str]:
    return (unit.findtext(part) or "").split()


def _with_ancestors(unit: str, parents: Mapping[str, str]) -> Iterator[str]:
    """Each once, even where the file makes a unit part of itself."""
    seen: set[str] = set()
    at: str | None = unit
    while at is not None and at not in seen:
        seen.add(at)
        yield at
        at = parents.get(at)
