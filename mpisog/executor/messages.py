"""All that travels between who hands out units of work and the workers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mpisog.engines.base import Finding
from mpisog.engines.unit import Undecided, Why
from mpisog.errors import LimitReached, MessageError, UsageError
from mpisog.nets.model import PetriNet
from mpisog.team.statistics import RankReport
from mpisog.trace.lasso import Lasso
from mpisog.transport.codec import Reader, Record, Value, Writer, register
from mpisog.transport.message import Message

NONE = -1
"""Stands for a number that is not there."""

BUILD, CHECK = "build", "check"
"""What ranks are to do: build graphs for rank 0, or run units of work."""


@register
@dataclass(frozen=True)
class Figures(Record):
    """Statistics by name."""

    items: Mapping[str, Value]

    @property
    def statistics(self) -> dict[str, int | float | str]:
        """As engines give them: none of them is missing."""
        return {name: value for name, value in self.items.items() if value is not None}

    def write(self, out: Writer) -> None:
        """Its bytes."""
        out.values(self.items)

    @classmethod
    def read(cls, data: Reader) -> Figures:
        """From its bytes."""
        return cls(data.values())


@register
@dataclass(frozen=True)
class Trace(Record):
    """A lasso of the net that all know, or none."""

    found: bool = False
    prefix: tuple[int, ...] = ()
    cycle: tuple[int, ...] = ()
    sealed: int = NONE
    shortest: int = NONE

    @classmethod
    def of(cls, lasso: Lasso | None) -> Trace:
        """Without the net."""
        if lasso is None:
            return cls()
        sealed = NONE if lasso.sealed is None else lasso.sealed
        shortest = NONE if lasso.shortest is None else int(lasso.shortest)
        return cls(True, lasso.prefix, lasso.cycle, sealed, shortest)

    def lasso(self, net: PetriNet) -> Lasso | None:
        """With the net again."""
        if not self.found:
            return None
        if any(not 0 <= step < len(net.transitions) for step in (*self.prefix, *self.cycle)):
            raise MessageError("the message has a transition of no net")
        sealed = None if self.sealed == NONE else self.sealed
        shortest = None if self.shortest == NONE else bool(self.shortest)
        return Lasso(net, self.prefix, self.cycle, sealed, shortest)


@dataclass(frozen=True)
class Configure(Message):
    """Rank 0 to all: the settings of the run, and what they are to do in it."""

    tag = 32
    role: str
    """``BUILD`` or ``CHECK``."""
    config: bytes


@dataclass(frozen=True)
class StartBatch(Message):
    """Rank 0 to all workers: net, formulas and settings."""

    tag = 33
    body: bytes


@dataclass(frozen=True)
class RunUnit(Message):
    """Rank 0 to a worker: one stage for one task."""

    tag = 34
    number: int
    task: int
    stage: int
    sharing: int
    """Tasks that share what is left."""
    left: float
    """Seconds for the property, or ``NONE``."""
    builders: tuple[int, ...] = ()
    """Workers that build its graph."""


@dataclass(frozen=True)
class Polish(Message):
    """Rank 0 to a worker: shorten a counterexample, or look whether a proof is trivial."""

    tag = 35
    number: int
    property: int
    task: int
    """The conjunct that is violated, or ``NONE``."""
    trace: Trace
    seconds: float
    """That the verdict took."""
    left: float


@dataclass(frozen=True)
class Cancel(Message):
    """Rank 0 to a worker: the unit is not needed any more. It ends all the same."""

    tag = 36
    number: int


@dataclass(frozen=True)
class Found(Message):
    """Worker to rank 0: the unit has decided its task."""

    tag = 37
    number: int
    seconds: float
    trace: Trace
    figures: Figures
    engine: str
    ranks: tuple[RankReport, ...]

    @classmethod
    def of(cls, number: int, seconds: float, finding: Finding) -> Found:
        """For the finding of a unit."""
        trace, figures = Trace.of(finding.counterexample), Figures(finding.statistics)
        return cls(number, seconds, trace, figures, finding.engine or "", finding.ranks)

    def finding(self, net: PetriNet) -> Finding:
        """What was found."""
        engine = self.engine or None
        return Finding(self.trace.lasso(net), self.figures.statistics, engine, self.ranks)


@dataclass(frozen=True)
class Ended(Message):
    """Worker to rank 0: the unit has ended without a verdict."""

    tag = 38
    number: int
    seconds: float
    why: str
    """A ``Why``, or ``limit``: one of the property, or that it was cancelled."""
    reason: str
    figures: Figures
    unusable: bool
    """The net is not for this engine."""

    @classmethod
    def of(cls, number: int, seconds: float, outcome: Undecided | LimitReached) -> Ended:
        """For what a unit came to."""
        figures = Figures(outcome.statistics)
        if isinstance(outcome, LimitReached):
            return cls(number, seconds, "limit", outcome.reason, figures, False)
        unusable = outcome.error is not None
        return cls(number, seconds, outcome.why.value, outcome.reason, figures, unusable)

    def outcome(self) -> Undecided | LimitReached:
        """What it came to."""
        if self.why == "limit":
            limit = LimitReached(self.reason)
            limit.statistics = self.figures.statistics
            return limit
        error = UsageError(self.reason) if self.unusable else None
        return Undecided(Why(self.why), self.reason, self.figures.statistics, error)


@dataclass(frozen=True)
class Polished(Message):
    """Worker to rank 0: the shorter counterexample, or what is trivial."""

    tag = 39
    number: int
    seconds: float
    trace: Trace
    notices: tuple[str, ...]


@dataclass(frozen=True)
class Broken(Message):
    """Worker to rank 0: the unit has ended in a bug of ours."""

    tag = 40
    number: int
    seconds: float
    reason: str
    traceback: str


@dataclass(frozen=True)
class Report(Message):
    """Worker to rank 0, now and then: what it counts in its unit."""

    tag = 41
    number: int
    counts: Figures
    memory: int


@dataclass(frozen=True)
class JoinTeam(Message):
    """Rank 0 to a worker: build the graph of a unit until that is cancelled."""

    tag = 42
    number: int
    members: tuple[int, ...]
    """The worker that has the unit, then all builders."""
    left: float


@dataclass(frozen=True)
class LeftTeam(Message):
    """Worker to rank 0: it builds no longer."""

    tag = 43
    number: int
    seconds: float
    """In which it built."""
