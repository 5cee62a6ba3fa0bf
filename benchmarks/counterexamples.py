"""Lengths of counterexamples on contest nets, as found (`--shorten 0`) and as shown by default.

One net of each family, both LTL examinations. The program replays every counterexample before it
shows it; here those of the reports are replayed again.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from common import shared_data

from mpisog import Lasso, PetriNet, load_net
from mpisog.budget import Budget
from mpisog.formulas.mcc_xml import read_mcc_properties
from mpisog.spotglue.ltl import bind
from mpisog.trace.replay import certify

NETS = (
    "Anderson-PT-05", "AutoFlight-PT-02a", "CircularTrains-PT-024", "Dekker-PT-010",
    "ERK-PT-000100", "Eratosthenes-PT-050", "FMS-PT-00010", "HouseConstruction-PT-00005",
    "IOTPpurchase-PT-C05M04P03D02", "Kanban-PT-00010", "Peterson-PT-3",
    "Philosophers-PT-000020", "Railroad-PT-010", "Referendum-PT-0020",
    "ResAllocation-PT-R003C003", "RobotManipulation-PT-00005", "SimpleLoadBal-PT-05",
    "Solitaire-PT-SqrNC5x5", "SwimmingPool-PT-02", "TokenRing-PT-010",
)  # fmt: skip
EXAMINATIONS = ("LTLCardinality", "LTLFireability")


@dataclass(frozen=True)
class Shown:
    """The counterexamples of one property file."""

    lengths: dict[str, int]
    seconds: float


def main() -> int:
    options = _options()
    folder = shared_data("MPISOG_MCC_DIR", "mcc")
    columns: dict[str, list[Shown]] = {"found": [], "shown": []}
    for net in options.nets or NETS:
        for examination in EXAMINATIONS:
            found = _run(folder / net, examination, ["--shorten", "0"], options)
            shown = _run(folder / net, examination, options.option, options)
            columns["found"].append(found)
            columns["shown"].append(shown)
            print(f"{net:<30} {examination:<15} {_line(found)}   ->   {_line(shown)}", flush=True)
    for name, runs in columns.items():
        _summarise(name, runs)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("nets", nargs="*", help=f"default: {len(NETS)} nets")
    parser.add_argument("--timeout", default="10", help="seconds for each formula")
    parser.add_argument("--option", action="append", default=[], help="for `mpisog check`")
    return parser.parse_args()


def _run(net: Path, examination: str, extra: Sequence[str], options: argparse.Namespace) -> Shown:
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch, "report.json")
        started = time.monotonic()
        subprocess.run(
            [sys.executable, "-m", "mpisog", "check", net / "model.pnml",
             "-x", net / f"{examination}.xml", "--mcc", "--no-progress", "--json", report,
             "--timeout", options.timeout, *extra],
            stdout=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        seconds = time.monotonic() - started
        results = json.loads(report.read_text())["results"]
    traces = {result["name"]: result["trace"] for result in results if result["trace"]}
    _replay(load_net(net / "model.pnml"), net / f"{examination}.xml", traces)
    return Shown({name: _length(trace) for name, trace in traces.items()}, seconds)


def _replay(net: PetriNet, xml: Path, traces: dict[str, dict[str, Any]]) -> None:
    """An error if one is no run of the net, satisfies its formula or is not sealed as it says."""
    number = {transition.id: n for n, transition in enumerate(net.transitions)}
    for prop in read_mcc_properties(xml, net):
        if (trace := traces.get(prop.name)) is not None:
            prefix, cycle = (
                tuple(number[step] for step in trace[part]) for part in ("prefix", "cycle")
            )
            certify(Lasso(net, prefix, cycle, trace.get("sealed_at")), bind(prop, net), Budget())


def _length(trace: dict[str, Any]) -> int:
    """Steps that are shown: up to where the verdict is sealed, or the whole lasso."""
    sealed = trace.get("sealed_at")
    whole = len(trace["prefix"]) + len(trace["cycle"])
    return whole if sealed is None else int(sealed)


def _line(shown: Shown) -> str:
    lengths = sorted(shown.lengths.values()) or [0]
    return (
        f"{len(shown.lengths):3d} traces, median {statistics.median(lengths):6.1f}, "
        f"longest {lengths[-1]:5d}, {shown.seconds:6.1f} s"
    )


def _summarise(name: str, runs: Sequence[Shown]) -> None:
    lengths = [length for run in runs for length in run.lengths.values()]
    under = sum(length < 100 for length in lengths) / len(lengths)
    print(
        f"{name}: {len(lengths)} counterexamples, all replayed, "
        f"median {statistics.median(lengths)} steps, {under:.1%} under 100, "
        f"longest {max(lengths)}, {sum(r.seconds for r in runs):.1f} s"
    )


if __name__ == "__main__":
    sys.exit(main())
