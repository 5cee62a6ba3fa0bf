"""``mpisog states``: figures of the whole reachability graph."""

from __future__ import annotations

import argparse
import sys

from mpisog.cli.parsing import add_limits, add_output
from mpisog.config import load_config
from mpisog.errors import LimitReached
from mpisog.nets.load import load_net
from mpisog.sizes import format_bytes
from mpisog.verdict import ExitCode


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``mpisog states``."""
    parser.add_argument("net", metavar="NET", help="PNML, pmc-sog .net or Tina .net file")
    add_limits(parser)
    add_output(parser)


def run(options: argparse.Namespace) -> ExitCode:
    """Explore and report; UNKNOWN with its reason at a limit."""
    from mpisog.engines.exploring import StateFigures, explore
    from mpisog.limits import Watch, default_memory
    from mpisog.report.progress import progress_line

    config = load_config({"timeout": options.timeout, "memory": options.memory}, options.config)
    net = load_net(options.net)
    figures: StateFigures | None = None
    reason = None
    with progress_line(not options.no_progress) as progress:
        if progress:
            progress.start(net.name)
        memory = config.memory if config.memory is not None else default_memory()
        watch = Watch(config.timeout, memory, progress.show if progress else None)
        try:
            figures = explore(net, watch)
        except LimitReached as limit:
            reason = limit.reason
    if options.json:
        from mpisog.report.json_report import states_report, write_report

        write_report(states_report(net, options.net, figures, reason), options.json)
    if options.json != "-" and figures is not None:
        _print(figures, options.verbose)
    if reason is not None:
        print(f"mpisog: unknown: {reason}", file=sys.stderr)
    return ExitCode.OK if figures is not None else ExitCode.UNKNOWN


def _print(figures: object, verbose: bool) -> None:
    from mpisog.engines.exploring import StateFigures

    assert isinstance(figures, StateFigures)
    for name in ("states", "edges", "dead", "max_tokens_in_marking", "max_tokens_in_place"):
        print(f"{name.replace('_', ' ')}: {getattr(figures, name)}")
    if verbose:
        rate = figures.edges / max(figures.seconds, 1e-9)
        print(f"time: {figures.seconds:.3f} s, {rate:,.0f} firings a second")
        print(f"memory: {format_bytes(figures.bytes)}")
