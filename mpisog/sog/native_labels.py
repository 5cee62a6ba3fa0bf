"""How markings of each label move, compiled for the observation graph in native code.

What is compiled belongs to the domain and lives as long; native code points to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from mpisog import _native
from mpisog.errors import InternalError
from mpisog.formulas.atoms import Dead, Fireable
from mpisog.sog.divergence import repeating_steps
from mpisog.sog.observation import Label, Observation
from mpisog.symbolic.bits import BitsDomain
from mpisog.symbolic.mdd import MddDomain
from mpisog.symbolic.protocol import Domain, Step

NATIVE_BACKENDS = ("mdd", "bits")
"""Whose sets native code can work with."""


def open_graph(
    domain: Domain[Any], observation: Observation, tell_both: bool = False
) -> _native.SogGraph:
    """An empty graph of the observation over the domain's sets."""
    if isinstance(domain, MddDomain):
        return _mdd_graph(_MddLabels(domain, observation), tell_both)
    if isinstance(domain, BitsDomain):
        return _bits_graph(_BitsLabels(domain, observation), tell_both)
    raise InternalError(f"no native graph over the backend '{domain.name}'")


def _common(observation: Observation, tell_both: bool) -> dict[str, Any]:
    return {
        "says_dead": [isinstance(atom, Dead) for atom in observation.state_atoms],
        "precise": observation.precise,
        "tell_both": tell_both,
        "most_nodes": observation.aggregate_nodes,
        "most_markings": observation.aggregate_markings,
        "initial_label": observation.initial_label(),
    }


def _candidates(observation: Observation, label: Label, closer: bool) -> tuple[Step, ...]:
    """The silent steps that can be part of a cycle; fewer after a closer look."""
    steps = observation.cycle_steps(label)
    return repeating_steps(observation.net, steps) if closer else steps


class _MddLabels:
    """For decision diagrams."""

    def __init__(self, domain: MddDomain, observation: Observation) -> None:
        self.domain = domain
        self.observation = observation

    def describe(self, values: Sequence[bool]) -> _native.MddLabelSteps:
        """Called once for each label."""
        label = tuple(values)
        compiler, steps = self.domain.compiler, self.observation.steps(label)
        labelled = compiler.labelled(steps.inside, steps.kept) if steps.kept else None
        one_by_one = steps.one_by_one if self.observation.aggregate_nodes is not None else ()
        return _native.MddLabelSteps(
            free=self._events(steps.free),
            checked=self._events(steps.checked),
            inside=self._events(steps.inside),
            exits=self._events(steps.exits),
            postponed=self._events(steps.postponed),
            one_by_one=[compiler.steps(step) for step in one_by_one],
            leaving=compiler.firings(steps.leaving.transitions),
            labelled=labelled,
            too_complex=bool(steps.kept) and labelled is None,
            search_inside=self._search_inside(steps.inside, steps.kept),
            candidates=partial(self._cycle_candidates, label),
            when_dead=self.observation.dead_flipped(label),
        )

    def _events(self, steps: tuple[Step, ...]) -> _native.Events | None:
        return self.domain.compiler.steps(steps) if steps else None

    def _search_inside(self, steps: tuple[Step, ...], kept: Any) -> _native.SearchSteps | None:
        limited = self.observation.aggregate_markings is not None
        return self.domain.searches.steps(steps, kept) if limited else None

    def _cycle_candidates(
        self, label: Label, closer: bool
    ) -> tuple[_native.Events, _native.SearchSteps] | None:
        steps = _candidates(self.observation, label, closer)
        if not steps:
            return None
        return self.domain.compiler.steps(steps), self.domain.searches.steps(steps)


def _mdd_graph(labels: _MddLabels, tell_both: bool) -> _native.SogGraph:
    domain, observation = labels.domain, labels.observation
    compiler = domain.compiler
    return _native.mdd_graph(
        alive=domain,
        sets=domain.kernel,
        net=domain.searches.native_net,
        order=domain.order,
        all_steps=compiler.all_steps,
        atoms=compiler.atoms(observation.state_atoms),
        events=[compiler.firings((t,)) for t in observation.events],
        some_event=compiler.firings(observation.events),
        describe=labels.describe,
        **_common(observation, tell_both),
    )


class _BitsLabels:
    """For numbered markings."""

    def __init__(self, domain: BitsDomain, observation: Observation) -> None:
        self.domain = domain
        self.observation = observation

    def describe(self, values: Sequence[bool]) -> _native.BitsLabelSteps:
        """Called once for each label."""
        label = tuple(values)
        steps = self.observation.steps(label)
        one_by_one = steps.one_by_one if self.observation.aggregate_nodes is not None else ()
        return _native.BitsLabelSteps(
            free=self._steps(steps.free),
            checked=self._steps(steps.checked),
            inside=self._steps(steps.inside),
            exits=self._steps(steps.exits),
            postponed=self._steps(steps.postponed),
            one_by_one=[self.domain.compiled(step) for step in one_by_one],
            leaving=self.domain.truth(steps.leaving),
            kept=self.domain.everywhere(steps.kept) if steps.kept else None,
            candidates=partial(self._cycle_candidates, label),
            when_dead=self.observation.dead_flipped(label),
        )

    def _steps(self, steps: tuple[Step, ...]) -> _native.MarkingSteps | None:
        return self.domain.compiled(steps) if steps else None

    def _cycle_candidates(self, label: Label, closer: bool) -> _native.MarkingSteps | None:
        return self._steps(_candidates(self.observation, label, closer))


def _bits_graph(labels: _BitsLabels, tell_both: bool) -> _native.SogGraph:
    domain, observation = labels.domain, labels.observation
    return _native.bits_graph(
        alive=domain,
        reachable=domain.reachable,
        poll=domain.poll,
        atoms=[domain.truth(atom) for atom in observation.state_atoms],
        dead=domain.truth(Dead()),
        events=[domain.compiled((Step(t),)) for t in observation.events],
        event_enabled=[domain.truth(Fireable((t,))) for t in observation.events],
        some_event=domain.truth(observation.some_event),
        describe=labels.describe,
        **_common(observation, tell_both),
    )
