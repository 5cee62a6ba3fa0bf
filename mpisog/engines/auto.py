"""``auto``: the observation graph where the formula allows it, else marking by marking."""

from __future__ import annotations

from dataclasses import replace

from mpisog.config import RunConfig
from mpisog.engines.base import Engine, Finding
from mpisog.engines.explicit import ExplicitEngine
from mpisog.engines.session import Session
from mpisog.engines.sog import SogEngine
from mpisog.limits import Watch
from mpisog.spotglue.ltl import BoundFormula


class AutoEngine:
    """Picks an engine for each formula."""

    name = "auto"
    summary = "sog where the formula is stutter-invariant, else explicit"

    def unfit(self, bound: BoundFormula, watch: Watch) -> str | None:
        """There is an engine for every formula."""
        return None

    def check(
        self, session: Session, bound: BoundFormula, config: RunConfig, watch: Watch
    ) -> Finding:
        """Let the engine that fits decide."""
        sog = SogEngine()
        engine: Engine = sog if sog.unfit(bound, watch) is None else ExplicitEngine()
        return replace(engine.check(session, bound, config, watch), engine=engine.name)
