"""What an engine is: it takes a problem and a budget, and finds out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines.session import Session
from mpisog.spotglue.ltl import BoundFormula
from mpisog.team.statistics import RankReport
from mpisog.trace.lasso import Lasso

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
    """Decides one formula at a time; ``session`` keeps what several formulas share."""

    name: str
    summary: str
    reduces: bool
    """Whether it reduces nets itself, when it sees fit; the others are given a reduced one."""

    def unfit(self, bound: BoundFormula, budget: Budget) -> str | None:
        """Why this engine must not be used for the formula, or nothing."""

    def check(
        self, session: Session, bound: BoundFormula, config: RunConfig, budget: Budget
    ) -> Finding:
        """Decide, or raise ``LimitReached``."""
