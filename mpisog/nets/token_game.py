"""The token game as a person plays it: fire, take back, fire at random, follow a scenario."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from mpisog.errors import NetError, UsageError, nearest
from mpisog.nets.model import SHARED, Marking, PetriNet
from mpisog.nets.semantics import enabled, fire

_WORD = re.compile(r"\{((?:\\.|[^\\{}])*)\}|(\S+)")


class TokenGame:
    """A marking and how it was reached."""

    def __init__(self, net: PetriNet, seed: int | None = None) -> None:
        self.net = net
        self.firings: list[int] = []
        self._markings: list[Marking] = [net.initial]
        self._chance = random.Random(seed)

    @property
    def marking(self) -> Marking:
        """The marking now."""
        return self._markings[-1]

    def enabled(self) -> list[int]:
        """The transitions that can fire."""
        transitions = enumerate(self.net.transitions)
        return [index for index, t in transitions if enabled(t, self.marking)]

    def fire(self, index: int) -> None:
        """Fire a transition, or a ``UsageError`` that says which tokens are missing."""
        transition = self.net.transitions[index]
        if not enabled(transition, self.marking):
            lacking = [
                f"{self.net.places[place].name} has {self.marking[place]} of {weight}"
                for place, weight in transition.pre
                if self.marking[place] < weight
            ]
            raise UsageError(f"'{transition.name}' is not enabled: {', '.join(lacking)}")
        self._markings.append(fire(transition, self.marking))
        self.firings.append(index)

    def undo(self, steps: int = 1) -> int:
        """Take steps back, as many as there are."""
        steps = min(steps, len(self.firings))
        if steps:
            del self.firings[-steps:]
            del self._markings[-steps:]
        return steps

    def random(self, steps: int) -> int:
        """Fire at random; fewer steps when a marking is dead."""
        for done in range(steps):
            choice = self.enabled()
            if not choice:
                return done
            self.fire(self._chance.choice(choice))
        return steps

    def follow(self, names: Sequence[str]) -> None:
        """Fire these in order; the steps before one that cannot fire stay."""
        for number, name in enumerate(names, start=1):
            try:
                self.fire(self.find(name))
            except UsageError as error:
                raise UsageError(f"step {number}: {error.message}", hint=error.hint) from None

    def find(self, name: str) -> int:
        """The transition of that id or name."""
        net = self.net
        index = net.transition_index.get(name, net.transition_names.get(name))
        if index is None:
            hint = nearest(name, [*net.transition_index, *net.transition_names])
            raise UsageError(f"the net has no transition '{name}'", hint=hint)
        if index == SHARED:
            raise UsageError(f"several transitions are named '{name}'", hint="use the id")
        return index


def read_scenario(path: str) -> list[str]:
    """The transitions of a Tina ``.scn`` file, as ``mpisog check --trace-dir`` writes it."""
    try:
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise NetError(reason, path=path) from None
    return [
        re.sub(r"\\(.)", r"\1", braced) if braced else word for braced, word in _WORD.findall(text)
    ]
