"""Entry point: parse and dispatch."""

from __future__ import annotations

import argparse
import gc
import io
import logging
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from importlib import import_module
from types import ModuleType
from typing import NoReturn

from mpisog import __version__
from mpisog.cli import last_resort
from mpisog.cli.entry import end_at_once
from mpisog.cli.guard import guarded
from mpisog.cli.outcome import outcome, silent
from mpisog.cli.parsing import Parser
from mpisog.config import unknown_variables
from mpisog.launcher import current
from mpisog.verdict import ExitCode

COMMANDS = {
    "check": "check LTL properties of a net",
    "sog": "build the whole symbolic observation graph of formulas, show or export it",
    "simulate": "play the token game: fire, undo, random steps, scenarios",
    "states": "count markings, firings and dead markings",
    "unfold": "build the complete prefix of a net, or the tableau of a formula, and export it",
    "reduce": "shrink a net for a formula that keeps its verdict",
    "info": "tell a net's sizes and structural facts",
    "convert": "translate a net between formats",
    "gen": "write a net of a parametric family",
    "examples": "list nets with properties, or write one",
    "completion": "print what a shell needs to complete commands, or the manual page",
    "doctor": "look whether everything a run needs is there, on all ranks",
    "submit": "run a command as a batch job of Slurm or OAR",
    "bench": "run suites of benchmarks, compare tools, write reports with plots",
}

_EPILOG = """\
exit codes:
  0  every property holds, or the command has done its work
  1  at least one property is violated (doctor: something fails)
  2  none is violated, at least one is unknown (time, memory, interrupt, unbounded net)
  3  a file, formula or option cannot be used
  4  internal error

examples:
  mpisog check net.pnml -f 'G(request -> F grant)'
  mpisog check net.pnml -x LTLFireability.xml --timeout 60 --json report.json
  mpisog gen philosophers 10 -o philosophers.pnml
  mpirun -n 4 mpisog doctor
"""

FEW_COLLECTIONS = 100_000
"""Objects between two looks for cycles: graphs have many objects and hardly any cycle."""


def main(arguments: Sequence[str] | None = None) -> ExitCode:
    """Run one command and return its exit code; never raises but ``SystemExit`` for --help."""
    gc.set_threshold(FEW_COLLECTIONS)
    if isinstance(sys.stdout, io.TextIOWrapper):  # names that the terminal cannot show are no error
        sys.stdout.reconfigure(errors="backslashreplace")
    launch = current()
    for complaint in unknown_variables(os.environ) if launch.rank == 0 else ():
        print(f"mpisog: warning: {complaint}", file=sys.stderr)
    if launch.size > 1 and not _is_for_every_rank(arguments):
        from mpisog.cli.ranks import run_on_ranks

        return run_on_ranks(launch, lambda: _load(arguments))
    with silent() if launch.rank > 0 else nullcontext():
        return outcome(lambda: _run(*_load(arguments)))


def _run(command: ModuleType, options: argparse.Namespace) -> ExitCode:
    code: ExitCode = command.run(options)
    return code


def _load(arguments: Sequence[str] | None) -> tuple[ModuleType, argparse.Namespace]:
    options = parse(arguments)
    return import_module(f"mpisog.cli.{options.command}"), options


def _is_for_every_rank(arguments: Sequence[str] | None) -> bool:
    """Whether all ranks are to run the command; most run on rank 0, which may let others help."""
    return list(sys.argv[1:] if arguments is None else arguments)[:1] == ["doctor"]


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of a command line, and itself for reports; or a ``UsageError``."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = _parser(given).parse_args(given)
    options.command_line = ["mpisog", *given]
    return options


def run() -> NoReturn:
    """The console script."""
    launch = current()
    if launch.size > 1:  # ranks wait for each other as they end
        sys.exit(guarded(launch, _watched))
    code = _watched()
    logging.shutdown()
    end_at_once(code)


def _watched() -> ExitCode:
    last_resort.start()
    return main()


def whole_parser() -> argparse.ArgumentParser:
    """The parser with the arguments of all commands."""
    return _parser(list(COMMANDS))


def _parser(given: Sequence[str]) -> argparse.ArgumentParser:
    """The whole parser, with the arguments of the one command that is asked for."""
    parser = Parser(
        prog="mpisog",
        description="Exact LTL model checking of Petri nets.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"mpisog {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        sub = commands.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if name in given:
            import_module(f"mpisog.cli.{name}").add_arguments(sub)
    return parser
