"""``mpisog convert``: one net format to another."""

from __future__ import annotations

import argparse

from mpisog.nets.load import load_net, write_net
from mpisog.verdict import ExitCode


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``mpisog convert``."""
    parser.add_argument("source", metavar="A", help="the net to read, its format told by content")
    parser.add_argument("target", metavar="B", help="the file to write: .pnml or .net (Tina)")


def run(options: argparse.Namespace) -> ExitCode:
    """Read, then write."""
    write_net(load_net(options.source), options.target)
    return ExitCode.OK
