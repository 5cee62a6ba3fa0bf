"""``mpisog reduce``: the smaller net that answers the same formula."""

from __future__ import annotations

import argparse

from mpisog.cli.limited import limited
from mpisog.cli.parsing import NET_HELP, add_limits
from mpisog.config import load_config
from mpisog.nets.load import load_net, write_net
from mpisog.verdict import ExitCode


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``mpisog reduce``."""
    parser.add_argument("net", metavar="NET", help=NET_HELP)
    parser.add_argument(
        "-f", "--formula", required=True, metavar="LTL", help="what must keep its verdict"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write the net: .pnml or .net (Tina)"
    )
    parser.add_argument(
        "--reduce", default="full", metavar="LEVEL",
        help="safe (rules for any formula) or full (default: those for this formula)",
    )  # fmt: skip
    add_limits(parser)


def run(options: argparse.Namespace) -> ExitCode:
    """Reduce, tell what was done, and write the net."""
    from mpisog.formulas.properties import Property
    from mpisog.reductions.driver import reduce
    from mpisog.spotglue.ltl import bind, shown

    config = load_config({"timeout": options.timeout, "memory": options.memory}, None)
    net = load_net(options.net)
    bound = bind(Property("formula", options.formula), net)
    with limited(config) as budget:
        reduction = reduce(net, bound, options.reduce, budget)
    for title, shape in (("before", net), ("after", reduction.net)):
        print(f"{title}: {len(shape.places)} places, {len(shape.transitions)} transitions")
    for rule, times in reduction.rules.items():
        print(f"  {rule}: {times}")
    print(f"formula: {shown(reduction.bound, reduction.net)}")
    if options.output:
        write_net(reduction.net, options.output)
    return ExitCode.OK
