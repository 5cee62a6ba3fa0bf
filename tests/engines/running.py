"""One engine on one net and formula, without a schedule."""

from __future__ import annotations

from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines.base import Engine, Finding
from mpisog.engines.problem import Problem
from mpisog.engines.resources import Resources
from mpisog.nets.model import PetriNet
from mpisog.spotglue.ltl import BoundFormula
from mpisog.team.team import Team


def run_engine(
    engine: Engine,
    net: PetriNet,
    bound: BoundFormula,
    config: RunConfig | None = None,
    budget: Budget | None = None,
    team: Team | None = None,
) -> Finding:
    """What the engine finds, with resources of its own."""
    problem, resources = Problem(net, bound), Resources(net, config, team)
    return engine.run(problem, resources, budget or Budget())
