"""``mpisog states``: figures of the whole reachability graph."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from mpisog.cli.limited import last_words, limited
from mpisog.cli.outputs import OutputFile, output_files, require_writable
from mpisog.cli.parsing import NET_HELP, add_limits, add_output
from mpisog.cli.record import Record
from mpisog.config import RunConfig, load_config
from mpisog.errors import LimitReached
from mpisog.nets.load import load_net
from mpisog.nets.model import PetriNet
from mpisog.sizes import format_bytes
from mpisog.verdict import ExitCode

if TYPE_CHECKING:
    from mpisog.engines.state_space import DeadMarking, StateFigures


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``mpisog states``."""
    parser.add_argument("net", metavar="NET", help=NET_HELP)
    parser.add_argument(
        "--engine",
        metavar="NAME",
        default="auto",
        help="explicit (marking by marking), symbolic (decision diagrams), or auto (default)",
    )
    parser.add_argument(
        "--dead", action="store_true", help="show a dead marking and how to get there"
    )
    parser.add_argument(
        "--shorten", metavar="S", help="seconds for looking for a nearer one (default 1)"
    )
    parser.add_argument(
        "--shortest", action="store_const", const=True, help="take up to 60 s for that"
    )
    parser.add_argument("--threads", metavar="N", help="threads of the explicit engine")
    add_order(parser)
    add_limits(parser)
    add_output(parser)


def add_order(parser: argparse.ArgumentParser) -> None:
    """The variable order of decision diagrams."""
    group = parser.add_argument_group("order of the places in decision diagrams")
    group.add_argument("--order", metavar="NAME", help="auto (default), force, rcm, sloan or file")
    group.add_argument(
        "--order-file",
        metavar="FILE",
        help="take the order from FILE, one place a line; with --order: write it there",
    )


def read_order(options: argparse.Namespace, net: PetriNet) -> list[int] | None:
    """The order that was asked for, or nothing."""
    from mpisog.nets.ordering import choose_order, load_order, save_order

    if options.order is None:
        return None if options.order_file is None else load_order(options.order_file, net)
    order = choose_order(net, options.order)
    if options.order_file is not None:
        save_order(options.order_file, net, order)
    return order


def run(options: argparse.Namespace) -> ExitCode:
    """Explore and report; UNKNOWN with its reason at a limit."""
    from mpisog.engines.state_space import require_explorer

    config = _settings(options)
    require_explorer(options.engine)
    record = Record(options, config)
    net = load_net(options.net)
    order = read_order(options, net)
    with output_files([options.json], [options.net]) as files:
        return _run(options, config, net, order, record, files)


def validate(options: argparse.Namespace) -> None:
    """Complain now about what would be wrong later: settings, file, net."""
    from mpisog.engines.state_space import require_explorer

    _settings(options)
    require_explorer(options.engine)
    require_writable(options.json)
    load_net(options.net)


def _settings(options: argparse.Namespace) -> RunConfig:
    names = ("threads", "timeout", "memory", "shorten", "shortest")
    return load_config({name: getattr(options, name) for name in names}, options.config)


def _run(
    options: argparse.Namespace,
    config: RunConfig,
    net: PetriNet,
    order: list[int] | None,
    record: Record,
    files: Mapping[str, OutputFile],
) -> ExitCode:
    from mpisog.engines.state_space import explore, find_dead
    from mpisog.report.progress import progress_line

    figures: StateFigures | None = None
    dead: DeadMarking | None = None
    reason = None

    def report(reason: str | None) -> dict[str, object]:
        from mpisog.report.json_report import states_report

        return states_report(net, options.net, figures, reason, dead, record.provenance())

    with progress_line(options.progress, net.name) as progress:
        words = last_words(options.json, report)
        try:
            with limited(config, progress, words) as budget:
                figures = explore(net, budget, options.engine, order, config.threads)
                if options.dead and figures.dead:
                    dead = find_dead(net, budget, order, config.shortening)
        except LimitReached as limit:
            reason = limit.reason
    if options.json:
        from mpisog.report.json_report import as_json

        files[options.json].write(as_json(report(reason)))
    if options.json != "-":
        _print(net, figures, dead, options)
    if reason is not None:
        print(f"mpisog: unknown: {reason}", file=sys.stderr)
    return ExitCode.OK if reason is None else ExitCode.UNKNOWN


def _print(
    net: PetriNet,
    figures: StateFigures | None,
    dead: DeadMarking | None,
    options: argparse.Namespace,
) -> None:
    if figures is None:
        return
    for name in ("states", "edges", "dead", "max_tokens_in_marking", "max_tokens_in_place"):
        print(f"{name.replace('_', ' ')}: {getattr(figures, name)}")
    if options.verbose:
        print(f"engine: {figures.engine}, {figures.seconds:.3f} s, {format_bytes(figures.bytes)}")
        if figures.nodes is not None:
            print(f"nodes: {figures.nodes}")
    if dead is not None:
        from mpisog.cli.terminal import style
        from mpisog.report.traces import trace_text
        from mpisog.trace.lasso import Lasso

        print(f"a {'shortest ' if dead.shortest else ''}way to a dead marking:")
        print(trace_text(Lasso(net, dead.path, ()), style=style(options.color)))
