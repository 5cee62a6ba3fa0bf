"""Counterexamples as readable text, JSON data and Tina scenarios."""

from __future__ import annotations

from collections.abc import Iterator

from mpisog.nets.model import Marking, PetriNet
from mpisog.trace.lasso import Lasso

MAX_TEXT_STEPS = 200
"""Longer parts are shortened in the middle; JSON and scenario files have every step."""


def trace_text(lasso: Lasso) -> str:
    """Steps one a line with the places they change; a repeated firing is one line."""
    markings = lasso.markings()
    split = len(lasso.prefix)
    lines = [f"  start   {_marked(lasso.net, markings[0])}"]
    lines += _steps(lasso, 0, split, markings)
    if lasso.ends_dead:
        lines.append(f"  dead    {_marked(lasso.net, markings[-1])}")
        lines.append("          nothing is enabled: this marking stays for ever")
    else:
        lines.append("  -- from here on for ever:")
        lines += _steps(lasso, split, len(markings) - 1, markings)
        lines.append("  -- back to where the cycle starts")
    return "\n".join(lines)


def trace_data(lasso: Lasso) -> dict[str, object]:
    """Everything about a lasso as plain data; the schema is in docs/json.md."""
    markings = lasso.markings()
    split = len(lasso.prefix)
    return {
        "prefix": lasso.prefix_ids,
        "cycle": lasso.cycle_ids,
        "ends_dead": lasso.ends_dead,
        "initial_marking": _tokens(lasso.net, markings[0]),
        "cycle_marking": _tokens(lasso.net, markings[split]),
        "replayed": True,
    }


def trace_scenario(lasso: Lasso) -> str:
    """A Tina ``.scn`` scenario: the firing sequence, with one round of the cycle."""
    steps = [*lasso.prefix_ids, *lasso.cycle_ids]
    return " ".join(_tina_name(step) for step in steps) + "\n"


def _tina_name(name: str) -> str:
    plain = name.replace("_", "").replace("'", "")
    if plain.isalnum() and plain.isascii():
        return name
    escaped = name.replace("\\", "\\\\").replace("{", "\\{").replace("}", "\\}")
    return "{" + escaped + "}"


def _steps(lasso: Lasso, start: int, end: int, markings: list[Marking]) -> Iterator[str]:
    firings = (*lasso.prefix, *lasso.cycle)
    groups = list(_groups(firings, start, end))
    for shown, (first, last) in _shortened(groups):
        if shown:
            transition = lasso.net.transitions[firings[first]].id
            times = f" x{last - first}" if last - first > 1 else ""
            change = _changes(lasso.net, markings[first], markings[last])
            yield f"  {last:>6}  {transition}{times}    {change}"
        else:
            yield f"          ... {first} more steps, all with --json or --trace-format tina ..."


def _groups(firings: tuple[int, ...], start: int, end: int) -> Iterator[tuple[int, int]]:
    """(first, one past the last) of each run of the same transition."""
    while start < end:
        last = start + 1
        while last < end and firings[last] == firings[start]:
            last += 1
        yield start, last
        start = last


def _shortened(
    groups: list[tuple[int, int]],
) -> Iterator[tuple[bool, tuple[int, int]]]:
    half = MAX_TEXT_STEPS // 2
    if len(groups) <= MAX_TEXT_STEPS:
        yield from ((True, group) for group in groups)
        return
    yield from ((True, group) for group in groups[:half])
    left_out = sum(last - first for first, last in groups[half:-half])
    yield False, (left_out, 0)
    yield from ((True, group) for group in groups[-half:])


def _changes(net: PetriNet, before: Marking, after: Marking) -> str:
    changed = [
        f"{net.places[i].id} {old}->{new}"
        for i, (old, new) in enumerate(zip(before, after, strict=True))
        if old != new
    ]
    return ", ".join(changed) or "(no place changes)"


def _marked(net: PetriNet, marking: Marking) -> str:
    return ", ".join(f"{id}={tokens}" for id, tokens in _tokens(net, marking).items()) or "(empty)"


def _tokens(net: PetriNet, marking: Marking) -> dict[str, int]:
    return {net.places[i].id: tokens for i, tokens in enumerate(marking) if tokens}
