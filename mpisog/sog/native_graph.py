"""The observation graph in native code: Python says how each label moves, and sees no aggregate.

``native/sog`` builds, expands and identifies aggregates, with a pool of threads if that is wanted,
and gives Spot the Kripke structure. It does what ``aggregate``, ``expansion``, ``divergence`` and
``kripke`` of this room do, which remain the readable form and serve the other backends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

from mpisog import _native
from mpisog.budget import memory_limit_reached
from mpisog.errors import InternalError, LimitReached, Unbounded
from mpisog.formulas.atoms import Atom, Fire
from mpisog.sog.native_labels import open_graph
from mpisog.sog.observation import Label, Observation
from mpisog.symbolic.protocol import Domain

T = TypeVar("T")

Staying = Callable[[Label], tuple[bool, bool]]
"""Of a label: whether it matters that a run stays there, and whether it may be taken to stay."""


def _always_asked(_label: Label) -> tuple[bool, bool]:
    return True, False


class NativeGraph:
    """Aggregates by number, in order of discovery; ``begin`` comes before anything is asked.

    ``tell_both``: dead markings are sought even where there is a silent cycle, for reports.
    """

    def __init__(
        self, domain: Domain[Any], observation: Observation, tell_both: bool = False
    ) -> None:
        self.domain = domain
        self.observation = observation
        self.native = open_graph(domain, observation, tell_both)
        self.pull: _native.SogKripke | None = None

    def begin(
        self,
        atoms: Sequence[Atom] | None = None,
        staying: Staying = _always_asked,
        threads: int = 1,
        run_ahead: bool = True,
    ) -> _native.SogKripke:
        """The structure of a formula with these atoms, for Spot; ``close`` ends its threads."""
        places = {atom: index for index, atom in enumerate(self.observation.state_atoms)}
        events = {t: index for index, t in enumerate(self.observation.events)}
        found = [
            (True, events[atom.transition]) if isinstance(atom, Fire) else (False, places[atom])
            for atom in (self.observation.atoms if atoms is None else atoms)
        ]
        if self.pull is not None:
            self.pull.close()
        self.pull = _native.SogKripke(
            self.native,
            found,
            partial(_ask_about, staying),
            threads,
            run_ahead and threads > 1,
        )
        return self.pull

    @contextmanager
    def opened(
        self, atoms: Sequence[Atom], staying: Staying, threads: int, run_ahead: bool
    ) -> Iterator[None]:
        """Builds for a formula meanwhile; afterwards what it has built can still be asked for."""
        pull = self.begin(atoms, staying, threads, run_ahead)
        try:
            yield
        finally:
            pull.close()

    @property
    def size(self) -> int:
        """Aggregates so far."""
        return self.native.size

    @property
    def edges(self) -> int:
        """Edges between them so far."""
        return self.native.edges

    @property
    def work(self) -> tuple[int, float, float, list[float]]:
        """Entry sets built for the last formula; seconds of building, expanding, by thread."""
        return self._begun.figures

    def initial(self) -> int:
        """The aggregate of the initial marking."""
        return self._asked(self._begun.initial)

    def targets(self, number: int, mode: int) -> list[int]:
        """The aggregates that follow when one is left in that mode."""
        return self._asked(self._begun.targets, number, mode)

    def label(self, number: int) -> Label:
        """Of all markings of the aggregate."""
        return tuple(self.native.label(number))

    def can_stutter(self, number: int) -> bool:
        """Whether there is a run that never leaves the aggregate."""
        return self.native.can_stutter(number)

    def ready_events(self, number: int) -> tuple[int, ...]:
        """The observed transitions that can fire at once on entry."""
        return tuple(self.observation.events[mode - 1] for mode in self.native.ready_modes(number))

    def waited_events(self, number: int) -> tuple[int, ...]:
        """The observed transitions that can fire after waiting, once ``targets`` were asked for."""
        modes = [mode for mode, _ in self.native.ways(number) if mode < 0]
        return tuple(self.observation.events[-mode - 1] for mode in modes)

    @property
    def hooks_address(self) -> int:
        """For Spot."""
        return self._begun.hooks_address

    def stopped(self) -> bool:
        """Whether the work ended early: then what Spot says of it is void."""
        return self._begun.stopped

    def failure(self) -> BaseException:
        """Why it did."""
        try:
            self._asked(self._begun.raise_failure)
        except BaseException as failure:
            return failure
        return InternalError("the search stopped without a reason")

    @property
    def _begun(self) -> _native.SogKripke:
        return self.pull or self.begin()

    def _asked(self, question: Callable[..., T], *arguments: int) -> T:
        return ask_native(self.domain, question, *arguments)


def ask_native(domain: Domain[Any], question: Callable[..., T], *arguments: Any) -> T:
    """What native code over the domain's sets throws becomes our errors."""
    try:
        return question(*arguments)
    except _native.OutOfMemory:
        raise LimitReached("the memory limit of the decision diagrams is reached") from None
    except MemoryError:
        raise memory_limit_reached() from None
    except (_native.Cancelled, _native.Stopped):
        stopped = domain.budget.stopped
        raise stopped or InternalError("stopped without a reason") from None
    except _native.ValueOverflow:
        raise Unbounded("a place holds more than 4 billion tokens") from None


def _ask_about(staying: Staying, label: list[bool]) -> tuple[bool, bool]:
    return staying(tuple(label))
