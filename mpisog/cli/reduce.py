"""``mpisog reduce``: the smaller net that answers the same formula."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from mpisog.cli.limited import limited
from mpisog.cli.outputs import STDOUT, require_net_file
from mpisog.cli.parsing import NET_HELP, add_limits
from mpisog.config import RunConfig, load_config
from mpisog.nets.load import load_net, write_net
from mpisog.nets.model import PetriNet
from mpisog.verdict import ExitCode

if TYPE_CHECKING:
    from mpisog.spotglue.ltl import BoundFormula


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``mpisog reduce``."""
    parser.add_argument("net", metavar="NET", help=NET_HELP)
    parser.add_argument(
        "-f", "--formula", required=True, metavar="LTL", help="what must keep its verdict"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE",
        help="write the net: .pnml, .net (Tina) or .lola, with .gz or .xz; - is PNML on stdout",
    )  # fmt: skip
    parser.add_argument(
        "--reduce", default="full", metavar="LEVEL",
        help="safe (rules for any formula) or full (default: those for this formula)",
    )  # fmt: skip
    add_limits(parser)


def run(options: argparse.Namespace) -> ExitCode:
    """Reduce, tell what was done, and write the net."""
    from mpisog.reductions.driver import reduce
    from mpisog.spotglue.ltl import shown

    config = _settings(options)
    net, bound = _read(options)
    require_net_file(options.output)
    with limited(config) as budget:
        reduction = reduce(net, bound, options.reduce, budget)
    # A net that goes to standard output goes there alone.
    told = sys.stderr if options.output == STDOUT else sys.stdout
    for title, shape in (("before", net), ("after", reduction.net)):
        size = f"{len(shape.places)} places, {len(shape.transitions)} transitions"
        print(f"{title}: {size}", file=told)
    for rule, times in reduction.rules.items():
        print(f"  {rule}: {times}", file=told)
    print(f"formula: {shown(reduction.bound, reduction.net)}", file=told)
    if options.output:
        write_net(reduction.net, options.output)
    return ExitCode.OK


def validate(options: argparse.Namespace) -> None:
    """Complain now about what would be wrong later: settings, file, net, formula."""
    from mpisog.reductions.driver import check_level

    _settings(options)
    check_level(options.reduce)
    require_net_file(options.output)
    _read(options)


def _settings(options: argparse.Namespace) -> RunConfig:
    return load_config({"timeout": options.timeout, "memory": options.memory}, None)


def _read(options: argparse.Namespace) -> tuple[PetriNet, BoundFormula]:
    from mpisog.formulas.properties import Property
    from mpisog.spotglue.ltl import bind

    net = load_net(options.net)
    return net, bind(Property("formula", options.formula), net)
