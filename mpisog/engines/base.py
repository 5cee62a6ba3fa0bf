"""What an engine is: it takes a problem, shared resources and a budget, and finds out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from mpisog.budget import Budget
from mpisog.team.statistics import RankReport
from mpisog.trace.lasso import Lasso

if TYPE_CHECKING:
    from mpisog.engines.problem import Problem
    from mpisog.engines.resources import Resources

Statistics = Mapping[str, int | float | str]


@dataclass(frozen=True)
class Finding:
    """No counterexample means that the formula holds; a doubt is raised, never returned."""

    counterexample: Lasso | None
    statistics: Statistics = field(default_factory=dict)
    engine: str | None = None
    """The engine that did the work, where it is not the one that was asked."""
    ranks: tuple[RankReport, ...] = ()
    """What each builder did, where there were several threads or ranks."""


class Engine(Protocol):
    """A frozen value: how it works is in its fields."""

    @property
    def name(self) -> str:
        """What reports call it."""

    def run(self, problem: Problem, resources: Resources, budget: Budget) -> Finding:
        """Decide the problem, or raise ``LimitReached``."""
