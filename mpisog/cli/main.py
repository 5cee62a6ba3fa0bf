"""Entry point: parse, dispatch, and turn every error into one message and an exit code."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from mpisog import __version__
from mpisog.cli.parsing import Parser
from mpisog.errors import InputError, LimitReached
from mpisog.verdict import ExitCode

COMMANDS = {
    "check": "check LTL properties of a net",
    "sog": "build the whole symbolic observation graph of formulas, show or export it",
    "states": "count markings, firings and dead markings",
    "reduce": "shrink a net for a formula that keeps its verdict",
    "info": "tell a net's sizes and structural facts",
    "convert": "translate a net between formats",
    "gen": "write a net of a parametric family",
}

_EPILOG = """\
exit codes:
  0  every property holds, or the command has done its work
  1  at least one property is violated
  2  none is violated, at least one is unknown (time, memory, interrupt, unbounded net)
  3  a file, formula or option cannot be used
  4  internal error

examples:
  mpisog check net.pnml -f 'G(request -> F grant)'
  mpisog check net.pnml -x LTLFireability.xml --timeout 60 --json report.json
  mpisog gen philosophers 10 -o philosophers.pnml
"""


def main(arguments: Sequence[str] | None = None) -> ExitCode:
    """Run one command and return its exit code; never raises but ``SystemExit`` for --help."""
    # A batch system's SIGTERM means the same as Ctrl-C: say what is known and end.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        options = _parser(arguments).parse_args(arguments)
        command = import_module(f"mpisog.cli.{options.command}")
        code: ExitCode = command.run(options)
        sys.stdout.flush()
        return code
    except InputError as error:
        return _complain(str(error), ExitCode.BAD_INPUT)
    except LimitReached as limit:
        return _complain(f"unknown: {limit.reason}", ExitCode.UNKNOWN)
    except KeyboardInterrupt:
        return _complain("interrupted", ExitCode.UNKNOWN)
    except BrokenPipeError:
        # The reader has gone (``| head``): no news for anyone, and no second error at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.UNKNOWN
    except MemoryError:
        return _complain("unknown: out of memory", ExitCode.UNKNOWN)
    except Exception:
        traceback.print_exc()
        return _complain("internal error, please report it", ExitCode.INTERNAL)


def run() -> NoReturn:
    """The console script."""
    sys.exit(int(main()))


def _complain(message: str, code: ExitCode) -> ExitCode:
    print(f"mpisog: {message}", file=sys.stderr)
    return code


def _parser(arguments: Sequence[str] | None) -> argparse.ArgumentParser:
    """The whole parser, with the arguments of the one command that is asked for."""
    given = list(sys.argv[1:] if arguments is None else arguments)
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
