"""Searches marking by marking inside sets of the ``mdd`` backend.

Images of large sets cost more than a look at some thousand markings, so the way to one marking, a
cycle, or a part of what is reachable is looked for in native code that only asks the kernel whether
a marking is in a set.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from mpisog import _native
from mpisog.formulas.native import native_atom
from mpisog.nets.model import Marking, PetriNet
from mpisog.nets.native import native_net
from mpisog.symbolic.protocol import Condition, Conditions, Steps

EXPLICIT_SEARCH = 100_000
"""Markings a search looks at before it leaves the task to sets, at most."""

CYCLE_WORK, PATH_WORK = 3_000_000, 10_000_000
"""What it may cost, in places and steps looked at: some seconds."""


class MarkingSearches:
    """The searches of one kernel, by its own sets; they throw what the kernel throws."""

    def __init__(self, net: PetriNet, order: Sequence[int], kernel: _native.Sets) -> None:
        self._net = net
        self._order = order
        self._kernel = kernel
        self._compiled: dict[tuple[Steps, Conditions], _native.SearchSteps] = {}

    def part(
        self, start: Marking, steps: Steps, label: tuple[Condition, ...], limit: int
    ) -> _native.GrownPart:
        """Some of what is reachable while the label stays, depth first; see ``sog.closure``."""
        compiled = self.steps(steps, label)
        return _native.grow(self._kernel, self.native_net, self._order, compiled, start, limit)

    def path(
        self,
        target: Marking,
        near: Marking,
        steps: Steps,
        within: _native.Set,
        sources: _native.Set,
        at_once: bool,
    ) -> tuple[Marking, tuple[int, ...]] | bool | None:
        """A short way to one marking; ``near`` is the source to try first, see ``trace.paths``."""
        found = _native.find_path(
            self._kernel,
            self.native_net,
            self._order,
            target,
            near,
            self.steps(steps),
            within,
            sources,
            at_once,
            self._affordable(EXPLICIT_SEARCH, steps, PATH_WORK),
        )
        return (tuple(found[0]), tuple(found[1])) if isinstance(found, tuple) else found

    def cycle(
        self, starts: _native.Set, within: _native.Set, steps: Steps, limit: int = EXPLICIT_SEARCH
    ) -> tuple[list[int], list[int], list[int], list[int]] | bool | None:
        """A start, firings from it to a cycle, a marking there, and the cycle's firings."""
        return _native.find_cycle(
            self._kernel,
            self.native_net,
            self._order,
            self.steps(steps),
            starts,
            within,
            self._affordable(limit, steps, CYCLE_WORK),
        )

    def _affordable(self, markings: int, steps: Steps, work: int) -> int:
        return min(markings, work // max(1, len(self._order) + len(steps)) + 1)

    def steps(self, steps: Steps, kept: tuple[Condition, ...] = ()) -> _native.SearchSteps:
        """Steps, and what they must keep, for native code."""
        key = (steps, kept)
        if key not in self._compiled:
            tuples = [(step.transition, step.at_least, step.at_most) for step in steps]
            atoms = [native_atom(atom) for atom, _ in kept]
            made = _native.SearchSteps(tuples, atoms, [truth for _, truth in kept])
            self._compiled.setdefault(key, made)  # native code points to it
        return self._compiled[key]

    @cached_property
    def native_net(self) -> _native.Net:
        """The net for native code."""
        return native_net(self._net)
