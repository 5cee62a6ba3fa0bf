"""``mpisog unfold``: the complete prefix of a net, or the tableau of a formula."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from mpisog.budget import Budget
from mpisog.cli.limited import limited
from mpisog.cli.outputs import output_files, require_writable
from mpisog.cli.parsing import NET_HELP, add_limits, add_progress
from mpisog.config import RunConfig, load_config
from mpisog.errors import LimitReached
from mpisog.nets.load import load_net
from mpisog.nets.model import PetriNet
from mpisog.verdict import ExitCode

if TYPE_CHECKING:
    from mpisog.unfolding.prefix import Prefix, Synchronisation


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``mpisog unfold``."""
    parser.add_argument("net", metavar="NET", help=NET_HELP + "; 1-safe")
    parser.add_argument(
        "-f", "--formula", metavar="LTL",
        help="unfold together with an automaton of the formula's violations: the tableau",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--output", action="append", default=[], metavar="FILE",
        help=".dot, .json, .ll_net (PEP, Mole) or .svg, a picture of a small one",
    )  # fmt: skip
    add_limits(parser)
    add_progress(parser)
    parser.add_argument("--config", metavar="FILE", help="TOML file with settings")


def run(options: argparse.Namespace) -> ExitCode:
    """Unfold, tell the figures, write files; UNKNOWN with its reason at a limit."""
    from mpisog.report.prefix_export import choose_format, occurrence_net

    config = _settings(options)
    writers = {path: choose_format(path) for path in options.output}
    net = load_net(options.net)
    with output_files(options.output, [options.net]) as files:
        started = time.monotonic()
        try:
            prefix, found = _build(net, config, options)
        except LimitReached as limit:
            _print_figures(limit.statistics)
            print(f"mpisog: unknown: {limit.reason}", file=sys.stderr)
            return ExitCode.UNKNOWN
        _print(prefix, found, time.monotonic() - started)
        for path, write in writers.items():
            files[path].write(write(occurrence_net(prefix)))
    return ExitCode.OK


def validate(options: argparse.Namespace) -> None:
    """Complain now about what would be wrong later: settings, files, net, formula."""
    from mpisog.formulas.properties import Property
    from mpisog.report.prefix_export import choose_format
    from mpisog.spotglue.ltl import bind

    _settings(options)
    for path in options.output:
        choose_format(path)
        require_writable(path)
    net = load_net(options.net)
    if options.formula is not None:
        bind(Property("formula", options.formula), net)


def _settings(options: argparse.Namespace) -> RunConfig:
    limits = {name: getattr(options, name) for name in ("timeout", "memory")}
    return load_config(limits, options.config)


def _print(prefix: Prefix, found: bool, seconds: float) -> None:
    _print_figures(prefix.figures)
    if found:
        print("a cycle that violates the formula was found, the tableau ends there")
    print(f"seconds: {seconds:.3f}")


def _print_figures(figures: Mapping[str, int | float | str]) -> None:
    for name, figure in figures.items():
        print(f"{name.replace('_', ' ')}: {figure}")


def _build(net: PetriNet, config: RunConfig, options: argparse.Namespace) -> tuple[Prefix, bool]:
    from mpisog.report.progress import progress_line
    from mpisog.unfolding.prefix import Prefix

    with (
        progress_line(options.progress, net.name) as progress,
        limited(config, progress) as budget,
    ):
        prefix = Prefix(net, _synchronised(net, options.formula, budget), budget)
        try:
            return prefix, prefix.build()
        except LimitReached as limit:
            limit.statistics = prefix.figures
            raise


def _synchronised(net: PetriNet, formula: str | None, budget: Budget) -> Synchronisation | None:
    if formula is None:
        return None
    from mpisog.formulas.properties import Property
    from mpisog.spotglue.automata import counterexample_automaton
    from mpisog.spotglue.ltl import bind
    from mpisog.unfolding.prefix import Synchronisation
    from mpisog.unfolding.visibility import choose_mode

    bound = bind(Property("formula", formula), net)
    automaton = counterexample_automaton(bound, budget)
    return Synchronisation(bound, automaton, choose_mode(bound, budget))
