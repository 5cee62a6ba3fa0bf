"""``mpisog gen``: nets of parametric families."""

from __future__ import annotations

import argparse

from mpisog.errors import UsageError
from mpisog.nets.generators import FAMILIES, generate
from mpisog.nets.load import write_net
from mpisog.verdict import ExitCode


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``mpisog gen``."""
    families = [f"  {f.name:<20}{f.description} (N: {f.parameter})" for f in FAMILIES.values()]
    parser.epilog = "\n".join(["families:", *families])
    parser.add_argument("family", metavar="FAMILY", help="one of the families below")
    parser.add_argument("size", metavar="N", help="the family's parameter")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default="-",
        help=".pnml or .net (default: PNML to stdout)",
    )


def run(options: argparse.Namespace) -> ExitCode:
    """Generate and write."""
    size = options.size
    if not size.isdecimal() or len(size) > 18:
        raise UsageError(f"N must be a whole number, not '{size}'")
    write_net(generate(options.family.replace("-", "_"), int(size)), options.output)
    return ExitCode.OK
