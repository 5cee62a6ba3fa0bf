"""``mpisog info``: a net's facts, and what formulas would observe."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import asdict

from mpisog.budget import Budget
from mpisog.cli.limited import limited
from mpisog.cli.outputs import output_files
from mpisog.cli.parsing import NET_HELP, add_limits
from mpisog.cli.record import Record
from mpisog.config import load_config
from mpisog.nets.load import load_net
from mpisog.nets.model import PetriNet
from mpisog.nets.structure import Invariant, NetFacts, net_facts
from mpisog.verdict import ExitCode

SECONDS = 4.0
"""What facts may take altogether; what does not fit is left out."""

_SHOWN = 8
"""How many invariants or ids are listed before the rest is only counted."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``mpisog info``."""
    parser.add_argument("net", metavar="NET", help=NET_HELP)
    parser.add_argument(
        "-f", "--formula", action="append", default=[], metavar="LTL",
        help="also tell which elements this formula observes",
    )  # fmt: skip
    parser.add_argument("--json", metavar="FILE", help="write a JSON report ('-': standard output)")
    parser.add_argument(
        "--all", action="store_true", help="list every invariant and node, not just the first few"
    )
    add_limits(parser)


def run(options: argparse.Namespace) -> ExitCode:
    """Gather and print."""
    record = Record(options)
    config = load_config({"timeout": options.timeout, "memory": options.memory}, None)
    net = load_net(options.net)
    with output_files([options.json], [options.net]) as files:
        with limited(config) as budget:
            observations = [_observation(text, net, budget) for text in options.formula]
            left = budget.remaining
            facts = net_facts(net, SECONDS if left is None else min(SECONDS, left))
        if options.json:
            from mpisog.report.json_report import as_json, info_report

            report = info_report(net, options.net, asdict(facts), observations, record.provenance())
            files[options.json].write(as_json(report))
    if options.json != "-":
        print("\n".join(_lines(facts, None if options.all else _SHOWN)))
        for observation in observations:
            print("\n".join(f"{name}: {value}" for name, value in observation.items()))
    return ExitCode.OK


def _observation(text: str, net: PetriNet, budget: Budget) -> dict[str, object]:
    from mpisog.formulas.atoms import Fire, describe, observed_places
    from mpisog.formulas.properties import Property
    from mpisog.spotglue.automata import is_stutter_invariant
    from mpisog.spotglue.ltl import bind

    bound = bind(Property("formula", text), net)
    places = sorted(set().union(*(observed_places(atom, net) for atom in bound.atoms)))
    events = sorted(atom.transition for atom in bound.atoms if isinstance(atom, Fire))
    return {
        "formula": text,
        "atoms": [describe(atom, net) for atom in bound.atoms],
        "observed_places": [net.places[place].id for place in places],
        "observed_transitions": [net.transitions[t].id for t in events],
        "stutter_invariant": is_stutter_invariant(bound, budget),
    }


def _lines(facts: NetFacts, limit: int | None) -> Iterator[str]:
    yield f"net: {facts.name}"
    yield f"size: {facts.places} places, {facts.transitions} transitions, {facts.arcs} arcs"
    yield f"initial tokens: {facts.tokens}"
    yield f"largest arc weight: {facts.largest_weight}, self-loops: {facts.self_loops}"
    yield f"class: {facts.net_class}"
    yield f"1-safe by structure: {_tristate(facts.one_safe)}"
    yield f"conservative: {_tristate(facts.conservative)}" + (
        " (the number of tokens never changes)" if facts.token_sum_constant else ""
    )
    yield f"structurally bounded: {_tristate(facts.structurally_bounded)}"
    for name in ("source_places", "sink_places", "source_transitions", "sink_transitions"):
        if ids := getattr(facts, name):
            yield f"{name.replace('_', ' ')}: {_listed(ids, limit)}"
    if facts.isolated:
        yield f"isolated: {_listed(facts.isolated, limit)}"
    yield from _invariant_lines("place invariants", facts.place_invariants, limit)
    yield from _invariant_lines("transition invariants", facts.transition_invariants, limit)


def _tristate(value: bool | None) -> str:
    return "not known" if value is None else "yes" if value else "no"


def _listed(ids: tuple[str, ...], limit: int | None) -> str:
    rest = f" and {len(ids) - limit} more" if limit is not None and len(ids) > limit else ""
    return ", ".join(ids[:limit]) + rest


def _invariant_lines(
    title: str, invariants: tuple[Invariant, ...] | None, limit: int | None
) -> Iterable[str]:
    if invariants is None:
        return [f"{title}: not cheap to compute"]
    shown = [f"  {_invariant(invariant)}" for invariant in invariants[:limit]]
    more = len(invariants) - len(shown)
    return [f"{title}: {len(invariants)}", *shown, *([f"  and {more} more"] if more else [])]


def _invariant(invariant: Invariant) -> str:
    terms = (f"{w}*{id}" if w != 1 else id for id, w in invariant.weights)
    constant = "" if invariant.constant is None else f" = {invariant.constant}"
    return " + ".join(terms) + constant
