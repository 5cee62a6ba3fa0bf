"""Counterexamples as readable text, JSON data and Tina scenarios."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mpisog.nets.model import Marking, PetriNet, Transition
from mpisog.report.trace_lines import Lines, View
from mpisog.trace.explain import Explanation
from mpisog.trace.lasso import Lasso
from mpisog.trace.truth import Truth

NOT_PROVEN = "  -- there may be counterexamples with fewer steps"
MOST_PARTS = 12
"""Parts of a formula whose truth is listed without ``-v``."""


def trace_text(lasso: Lasso, view: View | None = None) -> str:
    """Steps one a line with the places they change, without a formula."""
    return "\n".join(_run(Lines(lasso, view or View()), lasso))


def story_text(story: Explanation, view: View, *, verbose: bool = False) -> str:
    """Why the formula fails, the steps with the atoms they change, and what holds when."""
    lines = list(_why(story))
    lines += _run(Lines(story.lasso, view, story), story.lasso)
    parts = _parts(story)
    if verbose or len(parts) <= MOST_PARTS:
        lines += parts
    else:
        lines.append(f"  holds   {len(parts)} parts of the formula, listed with -v")
    return "\n".join(lines)


def _why(story: Explanation) -> Iterator[str]:
    label = "  why     "
    if story.conjunct is not None:
        yield f"{label}the conjunct `{story.parts[story.conjunct].text}` fails:"
        label = "          "
    for reason in story.reasons:
        yield label + reason.text
        label = "          "


def _run(lines: Lines, lasso: Lasso) -> Iterator[str]:
    split, markings = len(lasso.prefix), lines.markings
    truth = lines.truth(0)
    yield f"  start   {lines.marking(markings[0])}" + (f"   [{truth}]" if truth else "")
    if lasso.sealed is not None:
        yield from lines.steps(0, lasso.sealed)
        yield "  -- sealed: from here on nothing can help"
    else:
        yield from lines.steps(0, split)
        if lasso.ends_dead:
            yield f"  dead    {lines.marking(markings[-1])}"
            yield "          nothing is enabled: this marking stays for ever"
        else:
            yield "  -- from here on for ever:"
            yield from lines.steps(split, len(markings) - 1)
            yield "  -- back to where the cycle starts"
    if lasso.shortest is not None:
        yield "  -- no counterexample has fewer steps" if lasso.shortest else NOT_PROVEN


def _parts(story: Explanation) -> list[str]:
    """Where the parts of the formula hold, but for constants and the whole."""
    rows = [
        (part.text, intervals(truth, story))
        for part, truth in zip(story.parts[:-1], story.truths, strict=False)
        if part.operator not in ("true", "false")
    ]
    width = min(40, max((len(text) for text, _ in rows), default=0))
    label = "  holds   "
    lines = []
    for text, where in rows:
        lines.append(f"{label}{text:<{width}}  {where}")
        label = "          "
    return lines


def intervals(truth: Truth, story: Explanation) -> str:
    """The instants at which something holds, as ranges; ``...`` goes on for ever."""
    last = story.last_instant
    shown = truth[: last + 1]
    if all(shown):
        return "always" if all(truth) else f"0-{last}"
    ranges = [_range(first, end, story) for first, end in _ranges(shown)]
    return ", ".join(ranges) or "never"


def _range(first: int, end: int, story: Explanation) -> str:
    at_the_end = end == story.last_instant and story.lasso.ends_dead and story.lasso.sealed is None
    if at_the_end:
        return f"{first}-..."
    return str(first) if first == end else f"{first}-{end}"


def _ranges(truth: Sequence[bool]) -> Iterator[tuple[int, int]]:
    start: int | None = None
    for instant, holds in enumerate([*truth, False]):
        if holds and start is None:
            start = instant
        elif not holds and start is not None:
            yield start, instant - 1
            start = None


def trace_data(lasso: Lasso, story: Explanation | None = None) -> dict[str, object]:
    """Everything about a lasso as plain data; the schema is in docs/json.md."""
    markings = lasso.markings()
    split = len(lasso.prefix)
    return {
        "prefix": lasso.prefix_ids,
        "cycle": lasso.cycle_ids,
        "ends_dead": lasso.ends_dead,
        "sealed_at": lasso.sealed,
        "shortest": lasso.shortest,
        "initial_marking": _tokens(lasso.net, markings[0]),
        "cycle_marking": _tokens(lasso.net, markings[split]),
        "replayed": True,
        **({} if story is None else {"explanation": story_data(story)}),
    }


def story_data(story: Explanation) -> dict[str, object]:
    """An explanation as plain data."""
    names = story.atom_names
    return {
        "why": [reason.text for reason in story.reasons],
        "conjunct": None if story.conjunct is None else story.parts[story.conjunct].text,
        "atoms": names,
        "steps": list(_steps(story)),
        "holds": [
            {"formula": part.text, "at": [i for i, holds in enumerate(truth) if holds]}
            for part, truth in zip(story.parts, story.truths, strict=True)
        ],
    }


def _steps(story: Explanation) -> Iterator[dict[str, object]]:
    """What holds at each instant, and what fires then. A step costs what it changes."""
    lasso = story.lasso
    net, tokens = lasso.net, list(lasso.net.initial)
    firings = (*lasso.prefix, *lasso.cycle)
    for instant, letter in enumerate(story.letters):
        fired = net.transitions[firings[instant]] if instant < len(firings) else None
        yield {
            "fires": None if fired is None else fired.id,
            "atoms": sorted(letter),
            "automaton_state": story.states[instant],
            "changes": {} if fired is None else _fire(net, fired, tokens),
        }


def _fire(net: PetriNet, transition: Transition, tokens: list[int]) -> dict[str, list[int]]:
    """Change the tokens; what the places that change held before and hold now."""
    touched = sorted({place for place, _ in (*transition.pre, *transition.post)})
    before = {place: tokens[place] for place in touched}
    for place, weight in transition.pre:
        tokens[place] -= weight
    for place, weight in transition.post:
        tokens[place] += weight
    return {
        net.places[place].id: [held, tokens[place]]
        for place, held in before.items()
        if held != tokens[place]
    }


def trace_scenario(lasso: Lasso) -> str:
    """A Tina ``.scn`` scenario: the steps, with one round of the cycle."""
    return scenario_text(lasso.net, lasso.steps)


def scenario_text(net: PetriNet, firings: Sequence[int]) -> str:
    """A Tina ``.scn`` scenario of firings."""
    return " ".join(_tina_name(net.transitions[step].id) for step in firings) + "\n"


def _tina_name(name: str) -> str:
    plain = name.replace("_", "").replace("'", "")
    if plain.isalnum() and plain.isascii():
        return name
    escaped = name.replace("\\", "\\\\").replace("{", "\\{").replace("}", "\\}")
    return "{" + escaped + "}"


def _tokens(net: PetriNet, marking: Marking) -> dict[str, int]:
    return {net.places[i].id: tokens for i, tokens in enumerate(marking) if tokens}
