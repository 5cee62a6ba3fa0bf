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
    """Why the last part is false at the first instant."""
    speaker = _Speaker(parts, truths, cycle_start, words)
    speaker.tell(len(parts) - 1, 0)
    return speaker.said[:MOST_REASONS]


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
        self._start = cycle_start
        self._size = len(truths[-1])
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
            self._tell_atom(formula, instant, self._truths[part][instant])
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
                failing = next(c for c in children if not self._truths[c][instant])
                self.tell(failing, instant)
            case "|" | "->":
                for child in children:
                    self.tell(child, instant)
            case "<->" | "xor":
                self._compare(children, instant)
            case "X":
                self.tell(children[0], self._next(instant))
            case "F":
                self._say(f"{self._text(children[0])} never holds {since(instant)}", instant)
            case "G":
                failing_at = self._first(children[0], instant, False)
                assert failing_at is not None
                self.tell(children[0], failing_at)
            case "U" | "M" | "W" | "R":
                self._tell_until_false(formula.operator, children, instant)

    def _tell_until_false(self, operator: str, children: tuple[int, ...], instant: int) -> None:
        left, right = children
        if operator in "RM":  # the right part must hold up to where the left one does
            if (released := self._first(left, instant, True)) is None and operator == "M":
                self._say(f"{self._text(left)} never holds {since(instant)}", instant)
            failing = self._first(right, instant, False)
            if failing is not None and not self._comes_before(instant, released, failing):
                self._say(f"{self._text(left)} has not held before", failing)
                self.tell(right, failing)
            return
        reached = self._first(right, instant, True)
        if reached is None and operator == "U":
            self._say(f"{self._text(right)} never holds {since(instant)}", instant)
            return
        failing = self._first(left, instant, False)
        assert failing is not None
        self._say(f"{self._text(right)} has not held by then", failing)
        self.tell(left, failing)

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
                self._say(f"{self._text(children[0])} holds {since(instant)}, for ever", instant)
            case "U":
                reached = self._first(children[1], instant, True)
                assert reached is not None
                if reached != instant:
                    self._say(f"{self._text(children[0])} holds until then", reached)
                self.tell(children[1], reached)
            case _:
                self._say(f"{self._text(part)} holds {when(instant)}", instant)

    def _compare(self, children: tuple[int, ...], instant: int) -> None:
        for child in children:
            verb = "holds" if self._truths[child][instant] else "does not hold"
            self._say(f"{self._text(child)} {verb} {when(instant)}", instant)

    def _next(self, instant: int) -> int:
        return instant + 1 if instant + 1 < self._size else self._start
