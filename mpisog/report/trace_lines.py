"""The steps of a counterexample as lines that align; repeated parts are folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from mpisog.formulas.wording import Wording
from mpisog.nets.model import Marking
from mpisog.report.style import PLAIN, Style, padded, visible
from mpisog.trace.explain import Explanation
from mpisog.trace.lasso import Lasso

LARGE = 50
"""Places of a net whose markings are shown whole, and of any marking, unless more is asked for."""
MOST_LINES = 100
"""Longer parts are cut, but not where an atom changes."""
LONGEST_BLOCK = 20
"""Lines of a part that may be found to repeat."""
WIDEST = 36
"""Characters of a column before the last."""

SHOWS = ("all", "changed", "observed")


@dataclass(frozen=True)
class View:
    """What is shown of a counterexample."""

    show: str | None = None
    """Of the markings: all, what changes on the way, or what the formula observes."""
    ids: bool = False

    def of(self, places: int) -> str:
        """What is shown of a net with so many places."""
        return self.show or ("observed" if places > LARGE else "all")


@dataclass(frozen=True)
class Line:
    """One line, for one step or several; or a remark in the place of many."""

    first: int
    last: int
    matters: bool = False
    """Whether it must not be left out."""
    turns: bool = False
    """Whether an atom changes."""
    remark: str | None = None


class Lines:
    """The lines of a run; without an explanation there are no atoms."""

    def __init__(
        self, lasso: Lasso, view: View, story: Explanation | None = None, style: Style = PLAIN
    ) -> None:
        self._lasso = lasso
        self._style = style
        self._story = story
        self._wording = Wording(lasso.net, view.ids)
        # `dead` observes all places: what is left out by default must not depend on the atoms.
        self._most = None if view.show else LARGE
        self._firings = (*lasso.prefix, *lasso.cycle)
        self.markings = story.markings if story else lasso.markings()
        self._show = view.of(len(lasso.net.places)) if story else (view.show or "all")
        self._places = self._shown_places()

    def _shown_places(self) -> frozenset[int] | None:
        """The places that are shown; nothing: all."""
        if self._show == "all":
            return None
        observed = self._story.observed if self._story else frozenset()
        if self._show == "observed":
            return observed
        steps = set(self._lasso.steps)
        transitions = [self._lasso.net.transitions[step] for step in steps]
        return observed | {p for t in transitions for p, _ in (*t.pre, *t.post)}

    def marking(self, marking: Marking) -> str:
        """The places of a marking that are shown."""
        if self._places is not None and not any(marking[place] for place in self._places):
            return "(no token in observed places)" if self._places else "(no place is observed)"
        return self._wording.marking(marking, self._places, self._most)

    def truth(self, instant: int) -> str:
        """The atoms that hold at an instant."""
        if self._story is None:
            return ""
        true = self._story.letters[instant] - self._story.events
        return ", ".join(self._story.atom_names[atom] for atom in sorted(true))

    def sections(self, *instants: int) -> list[list[str]]:
        """The firings between each two of these as lines, all aligned; few of many are written."""
        rows = [list(self._rows(*ends)) for ends in pairwise(instants)]
        lines = iter(_aligned([row for section in rows for row in section], self._style))
        return [list(islice(lines, len(section))) for section in rows]

    def _rows(self, start: int, end: int) -> Iterator[tuple[str, ...]]:
        groups = list(self._groups(start, end))
        numbers: dict[object, int] = {}
        keys = [numbers.setdefault(self._key(*group), len(numbers)) for group in groups]
        lines = [Line(*group, self._matters(*group), self._turns(group[1])) for group in groups]
        for line in _cut(list(_folded(lines, keys))):
            yield (line.remark,) if line.remark else self._cells(line)

    def _groups(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """(first, one past the last) of each run of one transition in which no atom changes."""
        while start < end:
            last = start + 1
            while (
                last < end and self._firings[last] == self._firings[start] and not self._turns(last)
            ):
                last += 1
            yield start, last
            start = last

    def _turns(self, instant: int) -> bool:
        """Whether an atom changes at an instant."""
        return self._story is not None and bool(self._story.turned(instant))

    def _turned(self, instant: int) -> str:
        """What the step to an instant does to atoms: ``+`` now true, ``-`` now false, events."""
        story = self._story
        if story is None or not instant:
            return ""
        names, paint = story.atom_names, self._style.paint
        fired = [f"{names[event]} fires" for event in story.letters[instant - 1] & story.events]
        return ", ".join(
            [paint(text, "yellow") for text in fired]
            + [
                paint("+" + names[atom], "green") if truth else paint("-" + names[atom], "red")
                for atom, truth in story.turned(instant)
                if atom not in story.events
            ]
        )

    def _key(self, first: int, last: int) -> object:
        """Equal for lines that say the same, but for the number of the step."""
        if self._story is None:
            return self._firings[first], last - first, self._changes(first, last)
        return self._firings[first], last - first, self._story.states[last], self._turned(last)

    def _matters(self, first: int, last: int) -> bool:
        if self._story is None:
            return False
        key = self._story.key_instants
        return any(instant in key for instant in range(first + 1, last + 1))

    def _cells(self, line: Line) -> tuple[str, ...]:
        first, last = line.first, line.last
        times = f" x{last - first}" if last - first > 1 else ""
        cells = [f"{last:>6}", self._wording.transition(self._firings[first]) + times]
        if self._story is not None:
            cells += [f"q{self._story.states[last]}", self._turned(last)]
        return (*cells, self._changes(first, last))

    def _changes(self, first: int, last: int) -> str:
        fired = self._lasso.net.transitions[self._firings[first]]
        touched = sorted({place for place, _ in (*fired.pre, *fired.post)})
        shown = [place for place in touched if self._places is None or place in self._places]
        before, after = self.markings.tokens(first, shown), self.markings.tokens(last, shown)
        changed = [
            f"{self._wording.place(place)} {held}->{holds}"
            for place, held, holds in zip(shown, before, after, strict=True)
            if held != holds
        ]
        nothing = "" if self._show == "observed" else "(no place changes)"
        return ", ".join(changed) or nothing


def _folded(lines: Sequence[Line], keys: Sequence[int]) -> Iterator[Line]:
    """Each repeated block once, then how often it comes again."""
    at = 0
    while at < len(lines):
        block, times = _repetition(keys, at)
        if times < 3:
            yield lines[at]
            at += 1
            continue
        yield from lines[at : at + block]
        last = lines[at + block * times - 1].last
        remark = f"... the last {block} lines {times - 1} times more, up to step {last} ..."
        yield Line(lines[at + block].first, last, True, remark=remark)
        at += block * times


def _repetition(keys: Sequence[int], at: int) -> tuple[int, int]:
    """The length of the block that repeats here, and how often: the one that saves most."""
    best = (1, 1)
    for block in range(1, LONGEST_BLOCK + 1):
        if at + block >= len(keys) or keys[at] != keys[at + block]:
            continue
        times, first = 1, keys[at : at + block]
        while keys[at + block * times : at + block * (times + 1)] == first:
            times += 1
        if block * (times - 1) > best[0] * (best[1] - 1):
            best = (block, times)
    return best


def _cut(lines: list[Line]) -> list[Line]:
    if len(lines) <= MOST_LINES:
        return lines
    part = MOST_LINES // 3
    kept: list[Line] = []
    left_out = 0
    for number, line in enumerate(lines):
        near = number < part or number >= len(lines) - part
        if near or line.matters or (line.turns and len(kept) < 2 * part):
            if left_out:
                kept.append(_more(left_out))
            left_out = 0
            kept.append(line)
        else:
            left_out += line.last - line.first
    return kept


def _more(steps: int) -> Line:
    return Line(0, 0, remark=f"... {steps} more steps, all with --json or --html ...")


def _aligned(rows: Sequence[tuple[str, ...]], style: Style) -> list[str]:
    """Columns as wide as they need to be; the last is free."""
    columns = max((len(row) for row in rows), default=0)
    widths = [
        min(WIDEST, max((visible(row[i]) for row in rows if len(row) == columns), default=0))
        for i in range(columns - 1)
    ]
    hang = 2 + sum(widths) + 2 * len(widths)
    return [
        style.fit(_row(row, widths), hang) if len(row) == columns else f"          {row[0]}"
        for row in rows
    ]


def _row(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [padded(cell, width) for cell, width in zip(row, widths, strict=False)]
    return "  " + "  ".join([*cells, row[-1]]).rstrip()
