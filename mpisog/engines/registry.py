"""The engines by name, and ``auto``, which picks the one that fits."""

from __future__ import annotations

from collections.abc import Callable

from mpisog.engines.base import Engine
from mpisog.engines.explicit import ExplicitEngine
from mpisog.engines.sog import SogEngine
from mpisog.errors import UsageError, nearest
from mpisog.limits import Watch
from mpisog.spotglue.ltl import BoundFormula

ENGINES: dict[str, Callable[[], Engine]] = {
    ExplicitEngine.name: ExplicitEngine,
    SogEngine.name: SogEngine,
}


def choose_engine(name: str, bound: BoundFormula, watch: Watch) -> Engine:
    """The engine of that name, which must fit the formula; ``auto`` never fails."""
    if name == "auto":
        return ENGINES["explicit"]()
    if name not in ENGINES:
        known = ["auto", *ENGINES]
        hint = nearest(name, known) or "there are " + ", ".join(known)
        raise UsageError(f"no engine is called '{name}'", hint=hint)
    engine = ENGINES[name]()
    if reason := engine.unfit(bound, watch):
        raise UsageError(f"the engine '{name}' cannot check '{bound.text}': {reason}")
    return engine
