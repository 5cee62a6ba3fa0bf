"""Spot's emptiness checks over the on-the-fly product of a graph and an automaton."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import spot
from spot import buddy

from mpisog.errors import known_name
from mpisog.spotglue.automata import Automaton
from mpisog.spotglue.pins import STOP, Kripke, keep_answering

ALGORITHMS = {
    "cou99": ("Cou99", "Couvreur's on-the-fly SCC search (default)"),
    "cvwy90": ("CVWY90", "nested depth-first search"),
    "se05": ("SE05", "nested depth-first search, Schwoon and Esparza"),
    "gv04": ("GV04", "SCC search, Geldenhuys and Valmari"),
    "tau03": ("Tau03", "Tauriainen's generalised nested search"),
    "tau03-opt": ("Tau03_opt", "Tauriainen's, optimised"),
}
"""The user's name, Spot's name and a line of help."""


@dataclass(frozen=True)
class KripkeRun:
    """An accepting run: (graph state, choice) pairs, as the graph numbers them."""

    prefix: tuple[tuple[int, int], ...]
    cycle: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Emptiness:
    """What the check found, and how much of the product it visited."""

    run: KripkeRun | None
    product_states: int
    product_transitions: int


def needs_single_acceptance(algorithm: str) -> bool:
    """Whether the algorithm works on plain Büchi automata only."""
    return int(_instantiator(algorithm).max_sets()) <= 1


def find_run(
    kripke: Kripke, automaton: Automaton, algorithm: str, stopped: Callable[[], bool]
) -> Emptiness | None:
    """Search the product for an accepting run; nothing when the graph has stopped early."""
    instantiator = _instantiator(algorithm)
    # A copy: who answers the search may ask the formula's own automaton meanwhile.
    automaton = spot.make_twa_graph(automaton, spot.twa_prop_set.all())
    if automaton.num_sets() > instantiator.max_sets():
        automaton = spot.degeneralize_tba(automaton)
    if automaton.num_sets() < instantiator.min_sets():
        _accept_everywhere(automaton)
    _accept_stop(automaton)
    check = instantiator.instantiate(spot.otf_product(kripke, automaton))
    result = check.check()
    if stopped():
        return None
    keep_answering()  # looking for the run asks the graph again
    run = None if result is None else _project(result.accepting_run(), kripke)
    if stopped():
        return None
    return Emptiness(run, *_visited(check))


def _accept_stop(automaton: Automaton) -> None:
    """From every state, accept a graph that has stopped: that ends the search."""
    variable = automaton.register_ap(STOP)
    running, stopped = buddy.bdd_nithvar(variable), buddy.bdd_ithvar(variable)
    for edge in automaton.edges():
        edge.cond = edge.cond & running
    sink = automaton.new_state()
    for state in range(sink + 1):
        automaton.new_edge(state, sink, stopped, automaton.acc().all_sets())
    automaton.prop_reset()  # weak, deterministic, ...: no longer known


def _accept_everywhere(automaton: Automaton) -> None:
    """Every infinite run is accepted, said with an acceptance set."""
    automaton.set_buchi()
    for edge in automaton.edges():
        edge.acc = spot.mark_t([0])


def _visited(check: Any) -> tuple[int, int]:
    """States and transitions; SWIG leaves Spot's statistics opaque, so they are read as text."""
    stream = spot.ostringstream()
    check.print_stats(stream)
    text = stream.str()
    found = [
        re.search(rf"(\d+) {what}", text)
        for what in ("(?:unique states|distinct nodes)", "transitions")
    ]
    states, transitions = (int(match.group(1)) if match else 0 for match in found)
    return states, transitions


def _instantiator(algorithm: str) -> Any:
    known_name("emptiness check", algorithm, ALGORITHMS)
    instantiator, _ = spot.make_emptiness_check_instantiator(ALGORITHMS[algorithm][0])
    return instantiator


def _project(run: Any, kripke: Kripke) -> KripkeRun:
    projected = run.project(kripke)  # keep it: its steps are borrowed
    prefix = tuple(_position(kripke, step.s) for step in projected.prefix)
    cycle = tuple(_position(kripke, step.s) for step in projected.cycle)
    return KripkeRun(prefix, cycle)


def _position(kripke: Kripke, state: Any) -> tuple[int, int]:
    """State text is ``marking=3, choice=0, a0=1, ...``; the first two variables say where."""
    first, second, *_ = kripke.format_state(state).split(", ")
    return int(first.split("=")[1]), int(second.split("=")[1])
