"""Which rules there are, when they may be used, and their fixpoint."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mpisog.errors import UsageError, nearest
from mpisog.limits import Watch
from mpisog.nets.model import PetriNet
from mpisog.reductions.exact import (
    constant_places,
    dead_transitions,
    dominated_transitions,
    parallel_places,
    sink_places,
)
from mpisog.reductions.implicit import implicit_places
from mpisog.reductions.reduction import Reduction, finished, unreduced
from mpisog.reductions.stuttering import (
    irrelevant_transitions,
    post_agglomeration,
    pre_agglomeration,
)
from mpisog.reductions.working import WorkingNet
from mpisog.spotglue.automata import is_stutter_invariant
from mpisog.spotglue.ltl import BoundFormula

LEVELS = ("none", "safe", "full")

SECONDS = 2.0
"""What reducing may take; the rules applied until then count."""


@dataclass(frozen=True)
class Rule:
    """Applied wherever it can be; says how often that was."""

    name: str
    apply: Callable[[WorkingNet], int]
    stuttering: bool
    """Only for formulas that are stutter-invariant and have no events."""
    costly: bool = False


RULES = (
    Rule("dead transitions", dead_transitions, stuttering=False),
    Rule("constant places", constant_places, stuttering=False),
    Rule("sink places", sink_places, stuttering=False),
    Rule("parallel places", parallel_places, stuttering=False),
    Rule("dominated transitions", dominated_transitions, stuttering=False),
    Rule("irrelevant transitions", irrelevant_transitions, stuttering=True),
    Rule("post-agglomeration", post_agglomeration, stuttering=True),
    Rule("pre-agglomeration", pre_agglomeration, stuttering=True),
    Rule("implicit places", implicit_places, stuttering=False, costly=True),
)


def reduce(
    net: PetriNet,
    bound: BoundFormula,
    level: str,
    watch: Watch,
    rules: Sequence[Rule] = RULES,
) -> Reduction:
    """Apply the rules that keep the formula's verdict, as far as the level allows."""
    check_level(level)
    if level == "none":
        return unreduced(net, bound)
    if level == "safe" or bound.has_events or not is_stutter_invariant(bound, watch):
        rules = [rule for rule in rules if not rule.stuttering]
    return _fixpoint(net, bound, watch, rules)


def shorten(
    net: PetriNet, bound: BoundFormula, watch: Watch, rules: Sequence[Rule] = RULES
) -> Reduction:
    """Apply all rules: some words lose repeated letters, none gets more.

    Each word of the original net has one here that is the same or shorter, and each word here has
    one there that is the same or longer.
    """
    return _fixpoint(net, bound, watch, rules)


def _fixpoint(net: PetriNet, bound: BoundFormula, watch: Watch, rules: Sequence[Rule]) -> Reduction:
    """Apply rules again and again until none does anything or the time is over."""
    slice = Watch(SECONDS, within=watch)
    work = WorkingNet(net, bound.atoms, slice.beat)
    applied: Counter[str] = Counter()
    while not slice.beat() and _round(work, rules, applied):
        pass
    watch.check()
    used = {name: times for name, times in applied.items() if times}
    return finished(net, bound, work, used) if used else unreduced(net, bound)


def _round(work: WorkingNet, rules: Sequence[Rule], applied: Counter[str]) -> bool:
    """Apply each rule once; the costly ones when the others have nothing left to do."""
    before = applied.total()
    for rule in rules:
        if not rule.costly or applied.total() == before:
            applied[rule.name] += rule.apply(work)
    return applied.total() > before


def check_level(level: str) -> None:
    """An unknown level is an input error."""
    if level not in LEVELS:
        hint = nearest(level, LEVELS) or "there are " + ", ".join(LEVELS)
        raise UsageError(f"no level of reduction is called '{level}'", hint=hint)
