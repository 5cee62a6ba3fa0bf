"""``mpisog convert``: one net format to another."""

from __future__ import annotations

import argparse

from mpisog.cli.outputs import require_net_file
from mpisog.cli.parsing import NET_HELP
from mpisog.nets.load import load_net, write_net
from mpisog.verdict import ExitCode

_EPILOG = """\
The format of A is told by its content, that of B by its suffix. What B cannot say is an error.

examples:
  mpisog convert model.tapn model.pnml
  mpisog convert model.pnml.gz model.lola
  mpisog convert model.net model.pnml.xz
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``mpisog convert``."""
    parser.epilog = _EPILOG
    parser.add_argument("source", metavar="A", help=f"the net to read: {NET_HELP}")
    parser.add_argument(
        "target",
        metavar="B",
        help="the file to write: .pnml, .net (Tina) or .lola, with .gz or .xz",
    )


def run(options: argparse.Namespace) -> ExitCode:
    """Read, then write."""
    require_net_file(options.target)
    write_net(load_net(options.source), options.target)
    return ExitCode.OK
