"""A prefix of an unfolding for people and other tools: dot, SVG, JSON, and PEP's ``.ll_net``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath

from mpisog.errors import UsageError, nearest
from mpisog.report.graphviz import drawn, quoted, require_graphviz
from mpisog.unfolding.prefix import Prefix

DRAWABLE = 300
"""Events of the largest prefix that is still drawn."""

AUTOMATON = "automaton"
"""What the place of the automaton's token is called."""


@dataclass(frozen=True)
class Condition:
    """A condition; one without a producer is part of the initial marking."""

    number: int
    place: str
    producer: int | None


@dataclass(frozen=True)
class Event:
    """An event; nothing is built behind a cut-off, which repeats its companion's marking."""

    number: int
    transition: str
    inputs: tuple[int, ...]
    states: tuple[int, int] | None
    """Of the automaton, before and after."""
    cutoff: bool
    companion: int | None


@dataclass(frozen=True)
class OccurrenceNet:
    """The prefix in plain numbers; events count from 1 in the order in which they were found."""

    name: str
    conditions: tuple[Condition, ...]
    events: tuple[Event, ...]
    figures: Mapping[str, int | float | str]


def occurrence_net(prefix: Prefix) -> OccurrenceNet:
    """What was built so far."""
    net = prefix.net
    sources = [f"{t.id} can fire" for t in net.transitions if not t.pre]
    places = [*(place.id for place in net.places), AUTOMATON, *sources]
    found = prefix.native.events()
    numbers = {event[0]: number for number, event in enumerate(found, 1)}
    conditions = tuple(
        Condition(
            number,
            places[place],
            None if producer is None else numbers[producer],
        )
        for number, (place, producer) in enumerate(prefix.native.conditions(), 1)
    )
    events = tuple(
        Event(
            numbers[number],
            net.transitions[transition].id,
            tuple(condition + 1 for condition in inputs),
            states,
            cutoff,
            None if companion is None else numbers.get(companion, 0),
        )
        for number, transition, inputs, states, cutoff, companion in found
    )
    return OccurrenceNet(net.name, conditions, events, prefix.figures)


def to_json(net: OccurrenceNet) -> str:
    """All of it; a companion 0 is the initial marking."""
    data = {
        "net": net.name,
        "figures": dict(net.figures),
        "conditions": [
            {"id": c.number, "place": c.place, "producer": c.producer} for c in net.conditions
        ],
        "events": [
            {
                "id": e.number,
                "transition": e.transition,
                "inputs": list(e.inputs),
                "automaton": None if e.states is None else list(e.states),
                "cutoff": e.cutoff,
                "companion": e.companion,
            }
            for e in net.events
        ],
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def to_dot(net: OccurrenceNet) -> str:
    """Graphviz text; cut-offs are dashed."""
    lines = ["digraph prefix {", '  node [fontname="sans-serif"]']
    for c in net.conditions:
        lines.append(f"  c{c.number} [shape=circle, label={quoted(c.place)}]")
        if c.producer is not None:
            lines.append(f"  e{c.producer} -> c{c.number}")
    for e in net.events:
        style = ", style=dashed" if e.cutoff else ""
        lines.append(f"  e{e.number} [shape=box, label={quoted(_label(e))}{style}]")
        lines += [f"  c{condition} -> e{e.number}" for condition in e.inputs]
    return "\n".join([*lines, "}", ""])


def to_svg(net: OccurrenceNet) -> str:
    """A picture, drawn by Graphviz; a ``UsageError`` when that is not there or the net is big."""
    if len(net.events) > DRAWABLE:
        raise UsageError(
            f"a prefix of {len(net.events)} events is too big for a picture",
            hint=f"at most {DRAWABLE}; a file .dot can have any size",
        )
    return drawn(to_dot(net), "prefix")


def to_ll_net(net: OccurrenceNet) -> str:
    """The low-level net format of PEP, which Mole and its relatives read."""
    lines = ["PEP", "PTNet", "FORMAT_N", "PL"]
    for c in net.conditions:
        lines.append(f'{c.number}"{_plain(c.place)}#{c.number}"0@0{_initial(c)}')
    lines.append("TR")
    lines += [f'{e.number}"{_plain(e.transition)}#{e.number}"0@0' for e in net.events]
    lines.append("TP")
    lines += [f"{c.producer}<{c.number}" for c in net.conditions if c.producer is not None]
    lines.append("PT")
    lines += [f"{condition}>{e.number}" for e in net.events for condition in e.inputs]
    return "\n".join([*lines, ""])


FORMATS: Mapping[str, Callable[[OccurrenceNet], str]] = {
    ".dot": to_dot,
    ".json": to_json,
    ".ll_net": to_ll_net,
    ".svg": to_svg,
}
"""By the ending of the file's name."""


def choose_format(path: str) -> Callable[[OccurrenceNet], str]:
    """How to write a file of that name, or a ``UsageError``."""
    suffix = PurePath(path).suffix
    if suffix not in FORMATS:
        hint = nearest(suffix, FORMATS) or "known: " + ", ".join(FORMATS)
        raise UsageError(f"prefixes cannot be written as '{suffix or path}'", hint=hint)
    if suffix == ".svg":
        require_graphviz()
    return FORMATS[suffix]


def _label(event: Event) -> str:
    if event.states is None:
        return event.transition
    return f"{event.transition}\n{event.states[0]} to {event.states[1]}"


def _initial(condition: Condition) -> str:
    return "M1" if condition.producer is None else ""


def _plain(name: str) -> str:
    """A name that can stand between double quotes on one line."""
    return "".join(c if c.isprintable() and c != '"' else "_" for c in name)
