"""The experiments of the MC-SOG paper (2008), Tables 1 and 2, side by side with its figures.

    python benchmarks/table1.py [ROW ...] [--formulas N] [--seed N] [--timeout S] [--engines A,B]
                                [--forbid N] [--aggregate-nodes N]

A row is a family and a parameter, such as fms:2 or philo:20; without any, the small ones are run.
Each net is checked against random formulas without X of size 8 over its places. The paper's
formulas are not known, so the numbers to compare are orders of magnitude. Nodes are those that the
decision diagrams hold after a formula, the most over all formulas; the paper's are BDD nodes.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from typing import Any

from mpisog.budget import Budget, default_memory
from mpisog.config import RunConfig
from mpisog.engines.base import Engine
from mpisog.engines.explicit import Explicit
from mpisog.engines.problem import Problem
from mpisog.engines.resources import Resources
from mpisog.engines.sog import Sog
from mpisog.engines.state_space import explore
from mpisog.errors import LimitReached
from mpisog.formulas.properties import Property
from mpisog.nets.generators import generate
from mpisog.nets.model import PetriNet
from mpisog.sog.whole import table_nodes
from mpisog.spotglue.ltl import BoundFormula, bind
from mpisog.spotglue.random_formulas import random_formulas

SIZE = 8
SMALL = ("fms:2", "fms:3", "kanban:2", "kanban:3", "philo:4", "philo:6", "philo:8", "ring:3")
# Markings; formulas that hold; NuSMV: nodes, s; MC-SOG: nodes, states, transitions, s;
# CheckPN: states, transitions, s.
PAPER = """
fms:2     3444    26  801536    4.0  23207   762  1249   0.9    15522    50037   0.2
fms:3     48590   24  803790    9.2  23328  1359  2897   6.8    92942   346783   1.8
fms:4     438600  24  849616   25.7  51282  2617  7074  93.2   641853  2665186  15.2
fms:5     2.8e6   24  863802   48.6  91254  4917 15652 677.7  3391134 14956669  98.5
kanban:2  4600    31  772640    2.9  16715   871  1450   0.4    19014   108284   0.4
kanban:3  58400   30  770249    6.3  19185  1473  3183   0.7   196986  1437346   5.8
kanban:4  454475  30  783286   19.1  51451  2686  7121   2.9  1405537 11603892 328.0
kanban:5  2.5e6   30  810446   47.0  94913  4721 14317   7.5        -        -     -
kanban:6  1.1e7   30  825585  124.4 178021  7911 26247  18.9        -        -     -
philo:4   466     26  735463    4.2  11946   527   631   0.5     4709    12736   0.1
philo:6   10054   25  745489   11.6  18119   521   683   1.1    62250   293668   2.1
philo:8   216994  22  792613   32.3  24180   552   730   2.2        -        -     -
philo:10  4.7e6   23  845180   98.7  30316   546   724   4.0        -        -     -
philo:20  2.2e13  23 4743606 2585.5  59689   587   916  41.5        -        -     -
ring:3    504     43  828719   10.8  11450  1621  4388   1.3     7541    24421   0.2
ring:4    5136    40  910641   66.6  18027  1922  4066  15.2    59145   295414   1.5
ring:5    53856   39  983840  438.0  69680  9682 29638 612.8   807737  4946514 181.2
"""
LIMITED = """
fms:5     2.8e6   24  863802   48.6   91254 10882  25989  52.1 3391134 14956669  98.5
fms:6     1.5e7   24  885576  147.6  293518 17104  45246 182.2       -        -     -
ring:5    53856   39  983840  438.0  102668 56187 329075 239.3  807737  4946514 181.2
"""
LINE = "  {:<18} {:>6} {:>8} {:>10} {:>12} {:>11} {:>9} {:>8}"


@dataclass
class Totals:
    """Over all formulas of a row."""

    holds: int = 0
    unknown: int = 0
    product_states: int = 0
    product_transitions: int = 0
    aggregates: int = 0
    nodes: int = 0
    seconds: float = 0.0
    verdicts: list[bool | None] = field(default_factory=list)

    def count(self, statistics: Any) -> None:
        """Add what one check has visited."""
        self.product_states += statistics.get("product_states", 0)
        self.product_transitions += statistics.get("product_transitions", 0)
        self.aggregates += statistics.get("aggregates", 0)

    def line(self, name: str) -> str:
        """A row of the table."""
        return LINE.format(
            name,
            self.holds,
            self.unknown,
            self.product_states,
            self.product_transitions,
            self.aggregates or "-",
            self.nodes or "-",
            f"{self.seconds:.1f}",
        )


def measure(
    net: PetriNet, formulas: list[BoundFormula], engine: Engine, config: RunConfig
) -> Totals:
    """Check every formula on its own, so that nothing is shared between them."""
    totals = Totals()
    for bound in formulas:
        resources = Resources(net, config)
        shared = resources.of(net, Budget())
        started = time.monotonic()
        if engine.name == "sog":
            shared.domain(config.backend, Budget())
            if totals.verdicts:  # the order of the places is the net's: it counts once
                started = time.monotonic()
        holds = None
        try:
            budget = Budget(config.timeout, default_memory())
            finding = engine.run(Problem(net, bound), resources, budget)
            holds = finding.counterexample is None
            totals.count(finding.statistics)
        except LimitReached:
            totals.unknown += 1
        totals.seconds += time.monotonic() - started
        totals.holds += holds is True
        totals.verdicts.append(holds)
        if engine.name == "sog":
            nodes = table_nodes(shared.domain(config.backend, Budget()))
            totals.nodes = max(totals.nodes, nodes or 0)
    return totals


def run(row: str, options: argparse.Namespace) -> None:
    family, parameter = row.split(":")
    net = generate(family, int(parameter))
    names = [place.id for place in net.places]
    texts = random_formulas(names, options.formulas, SIZE, options.seed)
    formulas = [bind(Property("random", text), net) for text in texts]
    markings = explore(net, Budget(), "symbolic").states
    limited = bool(options.forbid or options.aggregate_nodes is not None)
    paper = (known(LIMITED).get(row) if limited else None) or known(PAPER).get(row, ["-"] * 11)
    print(f"{row}: {markings:.6g} markings (paper: {paper[0]}), {len(formulas)} formulas")
    print(
        LINE.format(
            "", "hold", "unknown", "states", "transitions", "aggregates", "nodes", "seconds"
        )
    )
    verdicts = []
    for name, engine, config in settings(options):
        totals = measure(net, formulas, engine, config)
        verdicts.append(totals.verdicts)
        print(totals.line(name), flush=True)
    print(LINE.format("paper: MC-SOG", paper[1], "", paper[5], paper[6], "", paper[4], paper[7]))
    print(LINE.format("paper: CheckPN", paper[1], "", paper[8], paper[9], "", "", paper[10]))
    print(LINE.format("paper: NuSMV", paper[1], "", "", "", "", paper[2], paper[3]))
    for column in zip(*verdicts, strict=True):
        assert len({verdict for verdict in column if verdict is not None}) <= 1, "engines disagree"


def known(table: str) -> dict[str, list[str]]:
    rows = [line.split() for line in table.strip().splitlines()]
    return {name: figures for name, *figures in rows}


def settings(options: argparse.Namespace) -> list[tuple[str, Engine, RunConfig]]:
    limits: Any = {
        "backend": "mdd",
        "forbid": options.forbid,
        "aggregate_nodes": options.aggregate_nodes,
    }
    found: dict[str, tuple[Engine, RunConfig]] = {
        "static": (Sog(), RunConfig(aggregation="static", timeout=options.timeout, **limits)),
        "precise": (Sog(), RunConfig(timeout=options.timeout, **limits)),
        "explicit": (Explicit(), RunConfig(timeout=options.timeout)),
    }
    return [
        (name if name == "explicit" else f"sog {name}", *found[name])
        for name in options.engines.split(",")
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Tables 1 and 2 of the MC-SOG paper.")
    parser.add_argument("rows", metavar="ROW", nargs="*", default=list(SMALL))
    parser.add_argument("--formulas", type=int, default=100)
    parser.add_argument("--seed", type=int, default=2008)
    parser.add_argument("--timeout", type=float, help="seconds for each formula")
    parser.add_argument("--engines", default="static,precise,explicit")
    parser.add_argument("--forbid", type=int, default=0)
    parser.add_argument("--aggregate-nodes", type=int)
    options = parser.parse_args()
    for row in options.rows:
        run(row, options)


if __name__ == "__main__":
    main()
