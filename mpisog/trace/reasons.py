"""Why a formula fails on a word, in words: down from the whole formula to the atoms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from mpisog.spotglue.parts import Subformula
from mpisog.trace.truth import Truth

MOST_REASONS = 12


class Vocabulary(Protocol):
    """What sentences need to know of the run."""

    def value(self, atom: int, instant: int) -> str | None:
        """What a comparison compares, such as ``p = 0``."""

    def fired(self, instant: int) -> str | None:
        """The transition that fires at an instant."""

    def is_event(self, atom: int) -> bool:
        """Whether the atom speaks of a firing."""


@dataclass(frozen=True)
class Reason:
    """A sentence and the instants that it speaks of."""

    text: str
    instants: tuple[int, ...]


def reasons(
    parts: Sequence[Subformula], truths: Sequence[Truth], cycle_start: int, words: Vocabulary
) -> list[Reason]:
    """Why the last part is false at the first instant.

    Words whose truths end before the cycle starts are told by what is known up to there.
    """
    speaker = _Speaker(parts, truths, cycle_start, words)
    speaker.tell(len(parts) - 1, 0)
    return speaker.said[:MOST_REASONS] or [Reason("no run can satisfy the formula", (0,))]


def when(instant: int) -> str:
    """An instant in words: steps are firings, counted from 1."""
    return "at the start" if instant == 0 else f"after step {instant}"


def since(instant: int) -> str:
    """From an instant on."""
    return "from the start on" if instant == 0 else f"from step {instant} on"


class _Speaker:
    def __init__(
        self,
        parts: Sequence[Subformula],
        truths: Sequence[Truth],
        cycle_start: int,
        words: Vocabulary,
    ) -> None:
        self._parts = parts
        self._truths = truths
        self._size = len(truths[-1])
        self._start = min(cycle_start, self._size)
        self._ends = cycle_start >= self._size
        self._words = words
        self.said: list[Reason] = []
        self._told: set[tuple[int, int]] = set()

    def tell(self, part: int, instant: int) -> None:
        """Why the part has the truth value that it has at the instant."""
        if (part, instant) in self._told or len(self.said) >= MOST_REASONS:
            return
        self._told.add((part, instant))
        formula = self._parts[part]
        if formula.atom is not None:
            self._tell_atom(formula, instant, bool(self._truths[part][instant]))
        elif self._truths[part][instant]:
            self._tell_true(part, formula, instant)
        else:
            self._tell_false(formula, instant)

    def _say(self, text: str, *instants: int) -> None:
        reason = Reason(text, instants)
        if reason not in self.said:
            self.said.append(reason)

    def _text(self, part: int) -> str:
        return f"`{self._parts[part].text}`"

    def _is_event(self, part: int) -> bool:
        atom = self._parts[part].atom
        return atom is not None and self._words.is_event(atom)

    def _never(self, part: int, instant: int) -> str:
        if self._is_event(part):
            return f"{self._text(part)} never fires" + (f" after step {instant}" if instant else "")
        return f"{self._text(part)} never holds {since(instant)}"

    def _always(self, part: int, instant: int) -> str:
        if self._is_event(part):
            return f"every step{f' after step {instant}' if instant else ''} is {self._text(part)}"
        return f"{self._text(part)} holds {since(instant)}, for ever"

    def _not_yet(self, part: int, word: str) -> str:
        return f"{self._text(part)} has not {'fired' if self._is_event(part) else 'held'} {word}"

    def _after(self, instant: int) -> list[int]:
        """The instants from this one on, each once, in the order of the run."""
        return [*range(instant, self._size), *range(self._start, min(instant, self._size))]

    def _first(self, part: int, instant: int, truth: bool) -> int | None:
        later = self._after(instant)
        return next((i for i in later if self._truths[part][i] is truth), None)

    def _tell_atom(self, formula: Subformula, instant: int, holds: bool) -> None:
        assert formula.atom is not None
        if self._words.is_event(formula.atom):
            fired = self._words.fired(instant)
            if holds:
                self._say(f"`{formula.text}` fires at step {instant + 1}", instant, instant + 1)
            elif fired is None:
                self._say(f"`{formula.text}` does not fire: nothing can {when(instant)}", instant)
            else:
                step = instant + 1
                self._say(f"step {step} is `{fired}`, not `{formula.text}`", instant, step)
            return
        value = self._words.value(formula.atom, instant)
        detail = f" ({value})" if value else ""
        verb = "holds" if holds else "does not hold"
        self._say(f"`{formula.text}` {verb} {when(instant)}{detail}", instant)

    def _tell_false(self, formula: Subformula, instant: int) -> None:
        children = formula.children
        match formula.operator:
            case "!":
                self.tell(children[0], instant)
            case "&":
                failing = next(c for c in children if self._truths[c][instant] is False)
                self.tell(failing, instant)
            case "|" | "->":
                for child in children:
                    self.tell(child, instant)
            case "<->" | "xor":
                self._compare(children, instant)
            case "X":
                self.tell(children[0], self._next(instant))
            case "F":
                self._tell_never(children[0], instant)
            case "G":
                failing_at = self._first(children[0], instant, False)
                assert failing_at is not None
                self.tell(children[0], failing_at)
            case "U" | "M" | "W" | "R":
                self._tell_until_false(formula.operator, children, instant)

    def _tell_until_false(self, operator: str, children: tuple[int, ...], instant: int) -> None:
        left, right = children
        if operator in "RM":  # the right part must hold up to where the left one does
            released = self._first(left, instant, True)
            if released is None and operator == "M" and not self._ends:
                self._tell_never(left, instant)
            failing = self._first(right, instant, False)
            if failing is not None and not self._comes_before(instant, released, failing):
                self.tell(right, failing)
                self._say(self._not_yet(left, "before"), failing)
            return
        reached = self._first(right, instant, True)
        if reached is None and operator == "U" and not self._ends:
            self._tell_never(right, instant)
            return
        failing = self._first(left, instant, False)
        assert failing is not None
        self.tell(left, failing)
        self._say(self._not_yet(right, "by then"), failing)

    def _tell_never(self, part: int, instant: int) -> None:
        """That a part never holds; of something that should last, what ends it in the cycle."""
        formula = self._parts[part]
        if formula.operator != "G":
            self._say(self._never(part, instant), instant)
            return
        lasting = formula.children[0]
        self._say(
            f"{self._never(part, instant)}: {self._text(lasting)} fails again and again", instant
        )
        failing = self._first(lasting, max(instant, self._start), False)
        assert failing is not None
        self.tell(lasting, failing)

    def _comes_before(self, instant: int, first: int | None, second: int) -> bool:
        order = self._after(instant)
        return first is not None and order.index(first) < order.index(second)

    def _tell_true(self, part: int, formula: Subformula, instant: int) -> None:
        children = formula.children
        match formula.operator:
            case "!":
                self.tell(children[0], instant)
            case "&":
                for child in children:
                    self.tell(child, instant)
            case "|":
                self.tell(next(c for c in children if self._truths[c][instant]), instant)
            case "->":
                holds = self._truths[children[1]][instant]
                self.tell(children[1] if holds else children[0], instant)
            case "<->" | "xor":
                self._compare(children, instant)
            case "X":
                self.tell(children[0], self._next(instant))
            case "F":
                reached = self._first(children[0], instant, True)
                assert reached is not None
                self.tell(children[0], reached)
            case "G":
                self._say(self._always(children[0], instant), instant)
            case "U":
                reached = self._first(children[1], instant, True)
                assert reached is not None
                if reached != instant:
                    self._say(f"{self._text(children[0])} holds until step {reached}", reached)
                self.tell(children[1], reached)
            case _:
                self._say(f"{self._text(part)} holds {when(instant)}", instant)

    def _compare(self, children: tuple[int, ...], instant: int) -> None:
        for child in children:
            verb = "holds" if self._truths[child][instant] else "does not hold"
            self._say(f"{self._text(child)} {verb} {when(instant)}", instant)

    def _next(self, instant: int) -> int:
        return instant + 1 if instant + 1 < self._size else self._start
