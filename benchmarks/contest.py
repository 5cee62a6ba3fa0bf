"""The contest's LTL examinations: `mpisog check --mcc` on every net, beside the known verdicts.

One process a property file, one formula after the other. Rows go to a TSV file as they come; files
whose rows are there already are not run again, so a run can be taken up after a break.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from fnmatch import fnmatch
from pathlib import Path

from common import shared_data

from mpisog import load_net
from mpisog.budget import Budget
from mpisog.formulas.mcc_xml import read_mcc_properties
from mpisog.spotglue.automata import is_stutter_invariant
from mpisog.spotglue.ltl import bind

EXAMINATIONS = ("LTLCardinality", "LTLFireability")
REFERENCE = "verifypn, 10 s a formula on one core of such a machine: 2690 of 2799 decided"


@dataclass(frozen=True)
class Row:
    """One formula: what was found and what is known."""

    model: str
    examination: str
    formula: str
    expected: str
    verdict: str
    seconds: float
    engine: str
    phases: str
    wall: float
    """Seconds of the whole process, the same in every row of a property file."""
    peak_mb: int

    @property
    def is_decided(self) -> bool:
        """Whether there is a verdict, right or wrong."""
        return self.verdict in ("TRUE", "FALSE")

    @property
    def is_wrong(self) -> bool:
        """Whether it contradicts the known one."""
        return self.is_decided and self.verdict != self.expected


def main() -> int:
    options = _options()
    folder = shared_data("MPISOG_MCC_DIR", "mcc")
    expected = _expected(folder)
    done = _read(options.rows)
    finished = {(row.model, row.examination) for row in done}
    chosen = [m for m in expected if any(fnmatch(m, pattern) for pattern in options.nets)]
    if options.invariant:
        expected = {model: _invariant(folder, model, expected[model]) for model in chosen}
    rows = [row for row in done if row.model in chosen and row.examination in options.examination]
    for model in chosen:
        for examination in options.examination:
            if (model, examination) not in finished:
                found = list(_run(folder, model, examination, expected[model], options))
                _append(options.rows, found)
                rows += found
        _print_line(model, [row for row in rows if row.model == model])
    _summarise(rows)
    return 1 if any(row.is_wrong for row in rows) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="contest", description=__doc__.splitlines()[0])
    parser.add_argument("nets", nargs="*", default=["*"], help="patterns of nets (default: all)")
    parser.add_argument("--timeout", type=float, default=10, help="seconds for each formula")
    parser.add_argument("--memory", default="6G", help="resident memory of a process")
    parser.add_argument("--rows", type=Path, default=Path("build/contest.tsv"), help="TSV file")
    parser.add_argument("--examination", action="append", choices=EXAMINATIONS)
    parser.add_argument(
        "--invariant", action="store_true", help="stutter-invariant formulas only, for engine sog"
    )
    parser.add_argument("--option", action="append", default=[], help="for `mpisog check`")
    options = parser.parse_args()
    options.examination = options.examination or EXAMINATIONS
    return options


def _expected(folder: Path) -> dict[str, dict[str, str]]:
    """The known verdict of each formula, by net."""
    known: dict[str, dict[str, str]] = defaultdict(dict)
    with (folder / "oracle_ltl.tsv").open(newline="", encoding="utf-8") as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            known[row["model"]][row["formula_id"]] = row["verdict"]
    return known


def _invariant(folder: Path, model: str, known: dict[str, str]) -> dict[str, str]:
    """Those of the formulas that do not change when letters are repeated."""
    net = load_net(folder / model / "model.pnml")
    properties = [
        prop
        for examination in EXAMINATIONS
        if (path := folder / model / f"{examination}.xml").is_file()
        for prop in read_mcc_properties(path, net)
    ]
    return {
        prop.name: known[prop.name]
        for prop in properties
        if prop.name in known and is_stutter_invariant(bind(prop, net), Budget())
    }


def _run(
    folder: Path, model: str, examination: str, known: dict[str, str], options: argparse.Namespace
) -> Iterator[Row]:
    """The rows of one property file; what the process leaves out is undecided."""
    formulas = {name: verdict for name, verdict in known.items() if f"-{examination}-" in name}
    if not formulas:
        return
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch, "report.json")
        command = _command(folder / model, examination, report, options)
        if options.invariant:
            command += [word for name in formulas for word in ("--property", name)]
        lines, wall, peak = _measured(command)
        details = json.loads(report.read_text())["results"] if report.is_file() else []
    printed = {words[1]: words[2] for words in map(str.split, lines) if words[0] == "FORMULA"}
    by_name = {result["name"]: result for result in details}
    for name, verdict in formulas.items():
        result = by_name.get(name, {})
        phases = result.get("statistics", {}).get("phases", "")
        yield Row(
            model, examination, name, verdict, printed.get(name, "MISSING"),
            result.get("seconds", 0.0), result.get("engine", ""), phases,
            round(wall, 3), peak >> 10,
        )  # fmt: skip


def _command(
    net: Path, examination: str, report: Path, options: argparse.Namespace
) -> list[str | Path]:
    return [
        sys.executable, "-m", "mpisog", "check", net / "model.pnml",
        "-x", net / f"{examination}.xml", "--mcc", "--no-progress", "--json", report,
        "--timeout", str(options.timeout), "--memory", options.memory, *options.option,
    ]  # fmt: skip


def _measured(command: Sequence[str | Path]) -> tuple[list[str], float, int]:
    """Output lines, seconds and peak kilobytes of a process."""
    started = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = [line for line in process.stdout if line.strip()]
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return lines, time.monotonic() - started, usage.ru_maxrss


def _read(path: Path) -> list[Row]:
    if not path.is_file():
        return []
    with path.open(newline="", encoding="utf-8") as stream:
        return [
            Row(**{**row, "seconds": float(row["seconds"]), "wall": float(row["wall"]),
                   "peak_mb": int(row["peak_mb"])})
            for row in csv.DictReader(stream, delimiter="\t")
        ]  # fmt: skip


def _append(path: Path, rows: Iterable[Row]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = not path.is_file()
    with path.open("a", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, delimiter="\t")
        if fresh:
            writer.writerow(field.name for field in fields(Row))
        writer.writerows(astuple(row) for row in rows)


def _print_line(model: str, rows: Sequence[Row]) -> None:
    """One net: decided, undecided, wrong, seconds."""
    decided = sum(row.is_decided for row in rows)
    wrong = sum(row.is_wrong for row in rows)
    seconds = sum({row.examination: row.wall for row in rows}.values())
    peak = max((row.peak_mb for row in rows), default=0)
    print(
        f"{model:<32} decided {decided:3d}  undecided {len(rows) - decided:3d}  wrong {wrong}"
        f"  {seconds:7.1f} s  {peak:5d} MB",
        flush=True,
    )


def _summarise(rows: Sequence[Row]) -> None:
    print()
    for examination in EXAMINATIONS:
        for verdict in ("TRUE", "FALSE"):
            part = [r for r in rows if (r.examination, r.expected) == (examination, verdict)]
            print(f"{examination} {verdict:<5} {_share(part)}")
    quick = sum(row.is_decided and row.seconds <= 1 for row in rows)
    print(f"all                  {_share(rows)}, {quick} within a second")
    print(f"wrong                {sum(row.is_wrong for row in rows)}")
    left = Counter(row.model for row in rows if not row.is_decided)
    print("undecided            " + ", ".join(f"{m} {n}" for m, n in left.most_common()))
    print(f"reference            {REFERENCE}")
    for row in rows:
        if row.is_wrong:
            print(f"WRONG {row.formula}: {row.verdict}, known is {row.expected}")


def _share(rows: Sequence[Row]) -> str:
    return f"{sum(row.is_decided for row in rows):5d} of {len(rows):5d}"


if __name__ == "__main__":
    sys.exit(main())
