"""The engines by name."""

from __future__ import annotations

from collections.abc import Callable

from mpisog.budget import Budget
from mpisog.engines.auto import AutoEngine
from mpisog.engines.base import Engine
from mpisog.engines.dfs import DfsEngine
from mpisog.engines.explicit import ExplicitEngine
from mpisog.engines.mclcd import MclcdEngine
from mpisog.engines.sog import SogEngine
from mpisog.engines.symbolic import SymbolicEngine
from mpisog.engines.unfolding import UnfoldingEngine
from mpisog.errors import UsageError, nearest
from mpisog.spotglue.ltl import BoundFormula

ENGINES: dict[str, Callable[[], Engine]] = {
    AutoEngine.name: AutoEngine,
    ExplicitEngine.name: ExplicitEngine,
    MclcdEngine.name: MclcdEngine,
    DfsEngine.name: DfsEngine,
    SogEngine.name: SogEngine,
    SymbolicEngine.name: SymbolicEngine,
    UnfoldingEngine.name: UnfoldingEngine,
}


def choose_engine(name: str, bound: BoundFormula, budget: Budget) -> Engine:
    """The engine of that name, which must fit the formula."""
    if name not in ENGINES:
        hint = nearest(name, ENGINES) or "there are " + ", ".join(ENGINES)
        raise UsageError(f"no engine is called '{name}'", hint=hint)
    engine = ENGINES[name]()
    if reason := engine.unfit(bound, budget):
        raise UsageError(f"the engine '{name}' cannot check '{bound.text}': {reason}")
    return engine
