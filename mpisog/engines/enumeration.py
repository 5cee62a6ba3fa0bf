"""All markings, one by one, in native code: what ``states``, first looks and ``mclcd`` share."""

from __future__ import annotations

from collections.abc import Callable

from mpisog import _native
from mpisog.budget import Budget, resident_bytes
from mpisog.errors import LimitReached, Unbounded
from mpisog.nets.model import PetriNet
from mpisog.nets.semantics import unbounded_reason
from mpisog.sizes import format_bytes

_NO_LIMIT = 1 << 46
_CONSTANTS = [(0, 0, 0), (0, 1, 1)]
_Phase = _native.MclcdPhase


def count_markings(
    net: PetriNet, native: _native.Net, budget: Budget, threads: int = 1
) -> _native.MclcdFigures | None:
    """Visit every marking; nothing when the budget ends it, ``Unbounded`` when that is found."""
    check = _native.MclcdCheck(
        native,
        [],
        _native.MclcdForm.count,
        _CONSTANTS,
        0,
        0,
        _native.MclcdVariant.automatic,
        threads,
        memory_left(budget),
        progress(budget),
    )
    match check.run():
        case _native.MclcdOutcome.none:
            return check.figures
        case _native.MclcdOutcome.unbounded:
            raise Unbounded(unbounded_reason(net, check.unbounded_place))
        case _native.MclcdOutcome.out_of_memory:
            raise LimitReached(out_of_memory(budget))
    return None


def memory_left(budget: Budget) -> int:
    """Bytes that native code may take."""
    return _NO_LIMIT if budget.memory is None else max(0, budget.memory - resident_bytes())


def out_of_memory(budget: Budget) -> str:
    """The reason, when native code could not take what it needed."""
    if budget.memory is None:
        return "out of memory"
    return f"memory limit of {format_bytes(budget.memory)} reached"


def progress(budget: Budget, phases: bool = False) -> Callable[[_native.MclcdFigures], bool]:
    """The heartbeat, which says what phase is going on, if there are several."""
    first = "markings (forward)" if phases else "markings"

    def poll(figures: _native.MclcdFigures) -> bool:
        if figures.phase in (_Phase.clearing, _Phase.collecting):
            budget.units = (f"cleared ({figures.phase.name}, round {figures.rounds})", "markings")
            return budget.poll(figures.cleared, figures.states)
        budget.units = (first, "firings")
        return budget.poll(figures.states, figures.edges)

    return poll
