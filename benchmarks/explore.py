"""Explicit exploration on one thread: firings a second, and bytes a marking costs.

    python benchmarks/explore.py [NET.pnml ...]

Without arguments the contest's nets of the list below are taken from MPISOG_MCC_DIR, or from
../shared/mcc beside the clone.
"""

from __future__ import annotations

import sys
from pathlib import Path

from common import shared_data

from mpisog.budget import Budget
from mpisog.engines.state_space import explore
from mpisog.nets.load import load_net

NETS = ("Dekker-PT-015", "Peterson-PT-3", "Anderson-PT-05", "Railroad-PT-010")
REPETITIONS = 3


def contest_nets() -> list[Path]:
    folder = shared_data("MPISOG_MCC_DIR", "mcc")
    return [folder / name / "model.pnml" for name in NETS]


def main() -> None:
    paths = [Path(argument) for argument in sys.argv[1:]] or contest_nets()
    row = "{:<22} {:>12} {:>12} {:>8} {:>14} {:>14} {:>14}"
    print(
        row.format("net", "markings", "firings", "s", "firings/s", "packed bytes", "bytes beyond")
    )
    for path in paths:
        net = load_net(path)
        best = min(
            (explore(net, Budget(), "explicit") for _ in range(REPETITIONS)),
            key=lambda f: f.seconds,
        )
        beyond = best.bytes / best.states - best.packed_bytes_per_marking
        print(
            row.format(
                path.parent.name if path.name == "model.pnml" else path.stem,
                best.states,
                best.edges,
                f"{best.seconds:.2f}",
                f"{best.edges / best.seconds:,.0f}",
                best.packed_bytes_per_marking,
                f"{beyond:.1f}",
            )
        )


if __name__ == "__main__":
    main()
