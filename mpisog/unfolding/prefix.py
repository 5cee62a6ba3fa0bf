"""Prefixes of unfoldings in native code: of a net alone, or of a net with an automaton."""

from __future__ import annotations

from dataclasses import dataclass

from mpisog import _native
from mpisog.budget import Budget, memory_limit_reached, resident_bytes
from mpisog.errors import InternalError, NetError
from mpisog.formulas.native import native_atom
from mpisog.nets.model import PetriNet
from mpisog.nets.native import native_net
from mpisog.spotglue.automata import Automaton, state_based
from mpisog.spotglue.ltl import BoundFormula
from mpisog.spotglue.tables import native_automaton, tabulate
from mpisog.unfolding.visibility import Mode, Role, choose_roles

Outcome = _native.UnfoldingOutcome

LEAST_MEMORY = 1 << 24
"""Bytes that a prefix may use in any case."""
UNLIMITED = 1 << 62

UNITS = ("events", "conditions", "cut-offs", "queued")
"""What native code counts, in all phases."""


class NotSafe(NetError):
    """A place can hold two tokens."""


@dataclass(frozen=True)
class Synchronisation:
    """What a net is unfolded together with: an automaton over a formula's atoms."""

    bound: BoundFormula
    automaton: Automaton
    """Of the words that are looked for."""
    mode: Mode


class Prefix:
    """A prefix that is built under a budget: raises ``LimitReached``, or ``NotSafe``."""

    def __init__(
        self,
        net: PetriNet,
        synchronised: Synchronisation | None,
        budget: Budget,
        native: _native.Net | None = None,
    ) -> None:
        self.net = net
        self.synchronised = synchronised
        self._budget = budget
        atoms = synchronised.bound.atoms if synchronised else ()
        self.roles = _roles(net, synchronised)
        self._native: _native.UnfoldingChecker | None = _native.UnfoldingChecker(
            native or native_net(net),
            [native_atom(atom) for atom in atoms],
            _native_automaton(synchronised, budget),
            self.roles,
            _available_bytes(budget),
            budget.poll,
        )

    @property
    def native(self) -> _native.UnfoldingChecker:
        """What native code knows of it, until it is closed."""
        assert self._native is not None
        return self._native

    def close(self) -> None:
        """Give the memory back: a budget keeps its limit, whose traceback keeps this."""
        self._native = None

    def build(self) -> bool:
        """The complete prefix, or the tableau of net and automaton; true when a cycle was found."""
        self._name_phase("" if self.synchronised is None else "tableau")
        return self._found(self.native.build_tableau())

    def search_livelocks(self) -> bool:
        """Whether the tableau, once built, leads to a cycle that the automaton does not see."""
        self._name_phase("livelocks")
        return self._found(self.native.search_livelocks())

    def may_end_dead(self) -> bool:
        """Whether there are clauses to solve about dead markings."""
        self._name_phase("dead markings")
        return self._found(self.native.ask_for_deadlocks())

    def _name_phase(self, phase: str) -> None:
        """For the progress that is shown."""
        first, *others = UNITS
        self._budget.units = (f"{first} ({phase})" if phase else first, *others)

    @property
    def figures(self) -> dict[str, int | float | str]:
        """Of the prefix, and of the search for livelocks if there was one."""
        events, conditions, cutoffs, _ = self.native.figures
        counts = {"events": events, "conditions": conditions, "cutoffs": cutoffs}
        if self.synchronised is None:
            return {**counts, "bytes": self.native.peak_bytes}
        return {
            "mode": self.synchronised.mode.value,
            **counts,
            "checkpoints": self.native.checkpoints,
            "livelock_events": self.native.livelock_figures[0],
            "bytes": self.native.peak_bytes,
        }

    def _found(self, outcome: Outcome) -> bool:
        match outcome:
            case Outcome.found:
                return True
            case Outcome.complete:
                return False
            case Outcome.unsafe:
                raise self._not_safe()
            case Outcome.out_of_memory:
                raise memory_limit_reached()
            case _:
                raise self._budget.stopped or InternalError("stopped without a reason")

    def _not_safe(self) -> NotSafe:
        place, *makers = self.native.unsafe
        names = [
            "the initial marking" if t is None else f"'{self.net.transitions[t].id}'"
            for t in makers
        ]
        by = f"{names[0]} alone" if names[0] == names[1] else " and ".join(names)
        return NotSafe(
            "the net is not 1-safe: "
            f"place '{self.net.places[place].id}' can hold two tokens, from {by}",
            hint="unfoldings are for 1-safe nets, use another engine",
        )


def _roles(net: PetriNet, synchronised: Synchronisation | None) -> list[Role]:
    if synchronised is None:
        return [Role.invisible] * len(net.transitions)
    return choose_roles(net, synchronised.bound.atoms, synchronised.mode)


def _native_automaton(
    synchronised: Synchronisation | None, budget: Budget
) -> _native.ProductAutomaton | None:
    if synchronised is None:
        return None
    return native_automaton(tabulate(state_based(synchronised.automaton, budget)))


def _available_bytes(budget: Budget) -> int:
    """What a prefix may use of the memory budget."""
    if budget.memory is None:
        return UNLIMITED
    return max(LEAST_MEMORY, budget.memory - resident_bytes())
