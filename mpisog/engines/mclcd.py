"""``mclcd``: all markings, in parallel, with lazy cycle detection (docs/mclcd.md).

For LRL and the LTL formulas that say the same. Forward, threads explore; backward, they clear
markings from which φ is inevitable; a cycle is what stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mpisog import _native
from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines.base import Finding
from mpisog.engines.enumeration import memory_left, out_of_memory, progress
from mpisog.engines.problem import Problem
from mpisog.engines.resources import Resources
from mpisog.errors import InternalError, LimitReached, Unbounded, known_name
from mpisog.formulas.native import native_atom
from mpisog.nets.model import PetriNet
from mpisog.nets.semantics import unbounded_reason
from mpisog.spotglue.lazy import Form, recognise
from mpisog.spotglue.ltl import BoundFormula
from mpisog.spotglue.tables import tabulate_conditions
from mpisog.trace.lasso import Lasso

VARIANTS: Mapping[str, _native.MclcdVariant] = {
    "auto": _native.MclcdVariant.automatic,
    "rg": _native.MclcdVariant.rg,
    "rpg": _native.MclcdVariant.rpg,
    "no-graph": _native.MclcdVariant.no_graph,
}

_FORMS = {
    Form.EXISTS_UNTIL: _native.MclcdForm.exists_until,
    Form.ALL_UNTIL: _native.MclcdForm.all_until,
    Form.LEADS_TO: _native.MclcdForm.leads_to,
}
_VARIANT_NAMES = {variant: name for name, variant in VARIANTS.items()}


@dataclass(frozen=True)
class Mclcd:
    """Parallel explicit search, forward and backward."""

    name = "mclcd"

    def run(self, problem: Problem, resources: Resources, budget: Budget) -> Finding:
        """Look for a run of the form that violates the formula."""
        config = resources.config
        lazy = recognise(problem.bound.formula)
        if lazy is None:
            raise InternalError("a reduction made a formula that is not LRL")
        nodes, (psi, phi) = tabulate_conditions([lazy.psi, lazy.phi])
        check = _native.MclcdCheck(
            resources.of(problem.net, budget).native_net,
            [native_atom(atom) for atom in problem.bound.atoms],
            _FORMS[lazy.form],
            nodes,
            psi,
            phi,
            known_variant(config.variant),
            config.threads,
            memory_left(budget),
            progress(budget, phases=True),
        )
        outcome = check.run()
        return _finding(check, outcome, problem.net, config, budget)


def unfit(bound: BoundFormula) -> str | None:
    """Why the formula is not one of the few that it is for, or nothing."""
    if bound.has_events:
        return "it speaks of firings, not only of markings"
    if recognise(bound.formula) is None:
        return "it is neither LRL nor LTL of the forms G p, F p, p U q, G(p -> F q), G F p"
    return None


def known_variant(name: str) -> _native.MclcdVariant:
    """The variant of that name, or a ``UsageError``."""
    return VARIANTS[known_name("variant", name, VARIANTS)]


def _finding(
    check: _native.MclcdCheck,
    outcome: _native.MclcdOutcome,
    net: PetriNet,
    config: RunConfig,
    budget: Budget,
) -> Finding:
    statistics = _statistics(check.figures, config)
    match outcome:
        case _native.MclcdOutcome.found:
            lasso = Lasso(net, tuple(check.prefix), tuple(check.cycle))
            return Finding(lasso, statistics, "mclcd")
        case _native.MclcdOutcome.none:
            return Finding(None, statistics, "mclcd")
        case _native.MclcdOutcome.unbounded:
            limit: LimitReached = Unbounded(unbounded_reason(net, check.unbounded_place))
        case _native.MclcdOutcome.out_of_memory:
            limit = LimitReached(out_of_memory(budget))
        case _:
            if budget.stopped is None:
                raise InternalError("the check stopped without a reason")
            limit = budget.stopped
    limit.statistics = statistics
    raise limit


def _statistics(figures: _native.MclcdFigures, config: RunConfig) -> dict[str, int | float | str]:
    forward: dict[str, int | float | str] = {
        "markings": figures.states,
        "firings": figures.edges,
        "threads": config.threads,
        "steals": figures.steals,
        "forward_seconds": round(figures.forward_seconds, 6),
        "bytes": figures.peak_bytes,
    }
    if not figures.rounds:
        return forward
    return {
        **forward,
        "variant": _VARIANT_NAMES[figures.variant],
        "rounds": figures.rounds,
        "cleared": figures.cleared,
        "recomputed": figures.recomputed,
        "clearing_seconds": round(figures.clearing_seconds, 6),
        "collecting_seconds": round(figures.collecting_seconds, 6),
    }
