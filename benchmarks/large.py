"""Nets of 47,000 places: loading and the first verdict, 16 easy and 16 harder formulas.

Every figure is of processes as a user starts them: `mpisog check` on a PNML file of up to 40 MB.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from large_formulas import FAMILIES, Case, LargeFamily

from mpisog import _native
from mpisog.budget import Budget
from mpisog.engines.dfs import Order
from mpisog.engines.resources import NetResources
from mpisog.formulas.native import native_atom
from mpisog.formulas.properties import from_texts
from mpisog.nets.generators import generate
from mpisog.nets.load import write_net
from mpisog.nets.model import PetriNet
from mpisog.spotglue.automata import counterexample_automaton
from mpisog.spotglue.ltl import bind
from mpisog.spotglue.tables import native_automaton, tabulate

SECONDS = 10
"""For each formula."""


def main() -> None:
    """Print a row a family."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", help="some families only")
    parser.add_argument("--kind", choices=["rate", "first", "easy", "harder"], help="one kind only")
    parser.add_argument("--program", help="another mpisog to measure")
    parser.add_argument("-v", "--verbose", action="store_true", help="a line a formula")
    options = parser.parse_args()
    chosen = [f for f in FAMILIES if not options.families or f.name in options.families]
    with tempfile.TemporaryDirectory() as folder:
        for family in chosen:
            _measure(family, Path(folder), options)


def _measure(family: LargeFamily, folder: Path, options: argparse.Namespace) -> None:
    net = generate(family.name, family.size)
    path = folder / f"{family.name}.pnml"
    write_net(net, path)
    size = path.stat().st_size / 1e6
    title = f"{family.name}: {len(net.places):,} places, {len(net.transitions):,} transitions"
    print(f"{title}, {size:.0f} MB", flush=True)
    if options.kind in (None, "rate"):
        _rate(net, next(f for f, holds in family.harder(family.size) if holds and f[:3] == 'G "'))
    easy, harder = family.easy(family.size), family.harder(family.size)
    runs = {"first": easy[1:2], "easy": easy, "harder": harder}
    for kind, cases in runs.items():
        if options.kind in (None, kind):
            _run(kind, path, cases, options)
    path.unlink()


def _rate(net: PetriNet, formula: str) -> None:
    """Searches that find nothing, in every order: how fast they fire, and what markings cost."""
    shared, (prop,) = NetResources(net), from_texts([formula])
    bound = bind(prop, net)
    automaton = counterexample_automaton(bound, Budget())
    tables, atoms = native_automaton(tabulate(automaton)), [*map(native_atom, bound.atoms)]
    for order in (Order.forward, Order.backward, Order.random):
        budget = Budget(2.0)
        walk = _native.ProductWalk(
            shared.flat_net, atoms, tables, order, 1, False, 0, 0, budget.poll
        )
        started = time.process_time()
        walk.run()
        rate = walk.edges / (time.process_time() - started)
        each = walk.bytes / max(1, walk.markings)
        print(
            f"  {order.name}: {rate:,.0f} firings a second, {each:.0f} bytes a marking", flush=True
        )


def _run(kind: str, path: Path, cases: Sequence[Case], options: argparse.Namespace) -> None:
    report = path.with_suffix(".json")
    command = [options.program] if options.program else [sys.executable, "-m", "mpisog"]
    command += ["check", str(path), "--no-trace", "--no-progress", "--timeout", str(SECONDS)]
    command += ["--json", str(report)]
    for formula, _ in cases:
        command += ["-f", formula]
    started = time.monotonic()
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - started
    results = json.loads(report.read_text())["results"]
    decided = [r for r in results if r["verdict"] != "UNKNOWN"]
    expected = {formula: str(truth).upper() for formula, truth in cases}
    wrong = [r["formula"] for r in decided if r["verdict"] != expected[r["formula"]]]
    checking = sum(r["seconds"] for r in results)
    print(
        f"  {kind}: {len(decided)} of {len(cases)} in {seconds:.1f} s,"
        f" {seconds - checking:.1f} s of it before the first formula"
        + (f"; WRONG: {wrong}" if wrong else ""),
        flush=True,
    )
    if options.verbose:
        for result in results:
            print(
                f"    {result['verdict']:8}{result['seconds']:6.2f} s  {result['formula']}"
                f"  [{result['statistics'].get('phases', '')}]",
                flush=True,
            )


if __name__ == "__main__":
    main()
