"""Counterexamples as readable text, JSON data and Tina scenarios."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mpisog.nets.model import Marking, PetriNet, Transition
from mpisog.report.style import PLAIN, Style, cut, padded
from mpisog.report.trace_lines import Lines, View
from mpisog.spotglue.parts import Subformula
from mpisog.trace.explain import Explanation
from mpisog.trace.lasso import Lasso
from mpisog.trace.truth import Truth

NOT_PROVEN = "  -- there may be such runs with fewer steps"
LABEL = 8
"""Columns of the words before the text: why, start, holds."""
LONG_PART = 48
"""Characters of a part that are shown without ``-v``."""
MOST_RANGES = 20
MOST_PARTS = 12
"""Parts of a formula whose truth is listed without ``-v``."""


def trace_text(lasso: Lasso, view: View | None = None, style: Style = PLAIN) -> str:
    """Steps one a line with the places they change, without a formula."""
    return "\n".join(_run(Lines(lasso, view or View(), None, style), lasso, style))


def story_text(
    story: Explanation, view: View, *, verbose: bool = False, style: Style = PLAIN
) -> str:
    """Why the formula fails, the steps with the atoms they change, and what holds when."""
    lines = _why(story, style)
    lines += _run(Lines(story.lasso, view, story, style), story.lasso, style)
    lines += _parts(story, verbose, style)
    return "\n".join(lines)


def _why(story: Explanation, style: Style) -> list[str]:
    conjunct = None if story.conjunct is None else story.parts[story.conjunct].text
    named = [] if conjunct is None else [f"the conjunct `{conjunct}` fails:"]
    return _labelled("why", [*named, *(reason.text for reason in story.reasons)], style)


def _labelled(label: str, texts: Sequence[str], style: Style) -> list[str]:
    """Texts one below the other, the label before the first."""
    labels = [label, *[""] * len(texts)]
    return [
        style.fit(f"  {padded(style.paint(name, 'bold'), LABEL)}{text}", 2 + LABEL)
        for name, text in zip(labels, texts, strict=False)
    ]


def _run(lines: Lines, lasso: Lasso, style: Style) -> Iterator[str]:
    split, markings = len(lasso.prefix), lines.markings
    truth = lines.truth(0)
    start = lines.marking(markings[0]) + (f"   [{truth}]" if truth else "")
    yield from _labelled("start", [start], style)
    if lasso.sealed is not None:
        yield from lines.sections(0, lasso.sealed)[0]
        yield style.paint("  -- sealed: from here on nothing can change the verdict", "bold")
    else:
        prefix, cycle = lines.sections(0, split, len(markings) - 1)
        yield from prefix
        if lasso.ends_dead:
            stays = "nothing is enabled: this marking stays for ever"
            yield from _labelled("dead", [lines.marking(markings[-1]), stays], style)
        else:
            yield style.paint("  -- from here on for ever:", "bold")
            yield from cycle
            yield style.paint("  -- back to where the cycle starts", "bold")
    if lasso.shortest is not None:
        yield "  -- no such run has fewer steps" if lasso.shortest else NOT_PROVEN


def _parts(story: Explanation, verbose: bool, style: Style) -> list[str]:
    """Where the parts of the formula hold, but for constants and the whole."""
    rows = [
        (part.text if verbose else cut(part.text, LONG_PART), _where(part, truth, story))
        for part, truth in zip(story.parts[:-1], story.known, strict=False)
        if part.operator not in ("true", "false")
    ]
    if len(rows) > MOST_PARTS and not verbose:
        texts = [f"{len(rows)} parts of the formula, listed with -v"]
    else:
        width = min(LONG_PART, max((len(text) for text, _ in rows), default=0))
        texts = [f"{text:<{width}}  {where}" for text, where in rows]
    return _labelled("holds", texts, style)


def _where(part: Subformula, truth: Truth, story: Explanation) -> str:
    """The instants at which a part holds; of an event the steps."""
    if part.atom not in story.events:
        return intervals(truth, story)
    fired = [value is True for value in truth[: story.lasso.sealed]]
    if fired and all(fired):
        return "every step"
    steps = _list([False, *fired])
    return f"step{'' if steps.isdecimal() else 's'} {steps}" if steps else _nowhere(story)


def intervals(truth: Truth, story: Explanation) -> str:
    """The instants at which something holds, and those at which that is open, as ranges."""
    shown = truth[: story.last_instant + 1]
    if all(shown) and story.lasso.sealed is None:
        return "always"
    dead = story.last_instant if story.lasso.ends_dead and story.lasso.sealed is None else None
    holds = _list([value is True for value in shown], dead)
    if None not in shown:
        return holds or _nowhere(story)
    open_at = f"open at {_list([value is None for value in shown])}"
    return f"{holds}; {open_at}" if holds else open_at


def _nowhere(story: Explanation) -> str:
    """Beyond the seal nothing is shown."""
    return "never" if story.lasso.sealed is None else "not so far"


def _list(truth: Sequence[bool], dead: int | None = None) -> str:
    """The first ranges; what holds at the instant ``dead`` holds for ever: ``...``."""
    ranges = [_range(first, end, end == dead) for first, end in _ranges(truth)]
    more = [f"... {len(ranges) - MOST_RANGES} more"] if len(ranges) > MOST_RANGES else []
    return ", ".join([*ranges[:MOST_RANGES], *more])


def _range(first: int, end: int, for_ever: bool) -> str:
    if for_ever:
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
