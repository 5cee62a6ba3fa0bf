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


def since(instant: int) -> str:
    """From an instant on."""
    return "from the start on" if instant == 0 else f"from step {instant} on"


class _Speaker:
    """Instants from the number of letters on are those of the next round of the cycle."""

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
        formula, holds = self._parts[part], self._truth(part, instant)
        if formula.atom is not None:
            self._tell_atom(formula, instant, bool(holds))
        elif holds:
            self._tell_true(part, formula, instant)
        else:
            self._tell_false(formula, instant)

    def _at(self, instant: int) -> int:
        """The instant of the first round that is the same."""
        if instant < self._size or self._ends:
            return instant
        return self._start + (instant - self._start) % (self._size - self._start)

    def _truth(self, part: int, instant: int) -> bool | None:
        return self._truths[part][self._at(instant)]

    def _when(self, instant: int) -> str:
        """An instant in words: steps are firings, counted from 1."""
        return "at the start" if instant == 0 else f"after {self._step(instant)}"

    def _step(self, instant: int) -> str:
        """The step that leads to an instant."""
        if instant <= self._size:
            return f"step {instant}"
        return f"step {self._at(instant - 1) + 1} of the next round"

    def _say(self, text: str, *instants: int) -> None:
        reason = Reason(text, tuple(self._at(instant) for instant in instants))
        if reason not in self.said:
            self.said.append(reason)

    def _text(self, part: int) -> str:
        return f"`{self._parts[part].text}`"

    def _is_event(self, part: int) -> bool:
        atom = self._parts[part].atom
        return atom is not None and self._words.is_event(atom)

    def _never(self, part: int, instant: int) -> str:
        if self._is_event(part):
            after = f" after step {self._at(instant)}" if instant else ""
            return f"{self._text(part)} never fires{after}"
        return f"{self._text(part)} never holds {since(self._at(instant))}"

    def _always(self, part: int, instant: int) -> str:
        if self._is_event(part):
            after = f" after step {self._at(instant)}" if instant else ""
            return f"every step{after} is {self._text(part)}"
        return f"{self._text(part)} holds {since(self._at(instant))}, for ever"

    def _first(self, part: int, instant: int, truth: bool) -> int | None:
        later = range(instant, max(self._size, instant + self._size - self._start))
        return next((i for i in later if self._truth(part, i) is truth), None)

    def _tell_atom(self, formula: Subformula, instant: int, holds: bool) -> None:
        assert formula.atom is not None
        if self._words.is_event(formula.atom):
            self._tell_event(formula.text, instant, holds)
            return
        value = self._words.value(formula.atom, self._at(instant))
        detail = f" ({value})" if value else ""
        verb = "holds" if holds else "does not hold"
        self._say(f"`{formula.text}` {verb} {self._when(instant)}{detail}", instant)

    def _tell_event(self, text: str, instant: int, holds: bool) -> None:
        fired, step = self._words.fired(self._at(instant)), self._step(instant + 1)
        if holds:
            self._say(f"`{text}` fires at {step}", instant, instant + 1)
        elif fired is None:
            self._say(f"`{text}` does not fire: nothing can {self._when(instant)}", instant)
        else:
            self._say(f"{step} is `{fired}`, not `{text}`", instant, instant + 1)

    def _tell_false(self, formula: Subformula, instant: int) -> None:
        children = formula.children
        match formula.operator:
            case "!":
                self.tell(children[0], instant)
            case "&":
                failing = next(c for c in children if self._truth(c, instant) is False)
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
        needed, kept = (left, right) if operator in "RM" else (right, left)
        if operator in "UM" and not self._ends and self._first(needed, instant, True) is None:
            self._tell_never(needed, instant)
            return
        failing = self._first(kept, instant, False)
        assert failing is not None
        self.tell(kept, failing)
        self._tell_not_between(needed, instant, failing - (operator in "RM"))

    def _tell_not_between(self, part: int, first: int, last: int) -> None:
        """That a part holds at none of these instants."""
        if first > last or self._parts[part].operator == "false":
            return
        if self._is_event(part):  # what fires at an instant is the step after it
            first_step, last_step = first + 1, self._next(last)
            begin, verb = f"step {self._at(first) + 1}", "fire"
        else:
            first_step, last_step = first, last
            begin, verb = f"step {self._at(first)}" if first else "the start", "hold"
        if first_step >= last_step:
            self.tell(part, first)
            return
        text = f"{self._text(part)} does not {verb} from {begin} to {self._step(last_step)}"
        self._say(text, first, last)
        if self._parts[part].atom is None:
            self.tell(part, last)

    def _tell_never(self, part: int, instant: int) -> None:
        """That a part never holds; of something that should last, what ends it in the cycle."""
        formula = self._parts[part]
        match formula.operator:
            case "F" | "U":
                self._tell_never(formula.children[-1], instant)
            case "X":
                self._tell_never(formula.children[0], self._next(instant))
            case "|":
                for child in formula.children:
                    self._tell_never(child, instant)
            case "!":
                self._say(self._always(formula.children[0], instant), instant)
            case "G":
                self._tell_not_for_ever(part, formula.children[0], instant)
            case _:
                self._say(self._never(part, instant), instant)

    def _tell_not_for_ever(self, part: int, lasting: int, instant: int) -> None:
        self._say(
            f"{self._never(part, instant)}: {self._text(lasting)} fails again and again", instant
        )
        failing = self._first(lasting, max(instant, self._start), False)
        assert failing is not None
        self.tell(lasting, failing)

    def _tell_true(self, part: int, formula: Subformula, instant: int) -> None:
        children = formula.children
        match formula.operator:
            case "!":
                self.tell(children[0], instant)
            case "&":
                for child in children:
                    self.tell(child, instant)
            case "|":
                self.tell(next(c for c in children if self._truth(c, instant)), instant)
            case "->":
                holds = self._truth(children[1], instant)
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
                    until = f"holds until {self._step(reached)}"
                    self._say(f"{self._text(children[0])} {until}", reached)
                self.tell(children[1], reached)
            case _:
                self._say(f"{self._text(part)} holds {self._when(instant)}", instant)

    def _compare(self, children: tuple[int, ...], instant: int) -> None:
        for child in children:
            if self._parts[child].atom is not None:
                self.tell(child, instant)
                continue
            verb = "holds" if self._truth(child, instant) else "does not hold"
            self._say(f"{self._text(child)} {verb} {self._when(instant)}", instant)

    def _next(self, instant: int) -> int:
        """The instant after that; a cycle of one instant is not gone round."""
        return instant + (self._at(instant + 1) != self._at(instant))
