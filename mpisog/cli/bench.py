"""``mpisog bench``: suites of measured runs, their results and reports."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from mpisog.cli.submit import add_batch_options, submit_work
from mpisog.errors import UsageError
from mpisog.verdict import ExitCode

if TYPE_CHECKING:
    from mpisog.bench.suite import Suite

_EPILOG = """\
examples:
  mpisog bench list
  mpisog bench run smoke && mpisog bench report
  mpisog bench run pmc-sog-fig3 --formulas 8 --timeout 60 --out fig3
  mpisog bench run pmc-sog-fig3 --formulas 100 --timeout 60 --out fig3 --resume
  mpisog bench submit pmc-sog-fig3 --slurm --parts 2 --nodes 1 --threads 16 --time 8:00:00
exit codes of run: 0 done, 1 two configurations disagree, 2 stopped (--resume goes on)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``mpisog bench``."""
    parser.epilog = _EPILOG
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    actions.add_parser("list", help="show suites, and peers that are installed")
    run = actions.add_parser("run", help="run a suite, or what is left of it")
    _add_run(run)
    submit = actions.add_parser("submit", help="run a suite as an array of batch jobs")
    _add_run(submit)
    submit.add_argument(
        "--parts", metavar="N", default="8", help="jobs that share the work (default 8)"
    )
    add_batch_options(submit)
    report = actions.add_parser("report", help="write a page and plots of results")
    report.add_argument("folder", metavar="DIR", nargs="?", help="default: the latest results")
    report.add_argument("-o", "--output", metavar="DIR", help="default: DIR/report")


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("suite", metavar="SUITE", help="one of 'mpisog bench list', or a TOML file")
    parser.add_argument("--out", metavar="DIR", help="results (default: mpisog-bench/SUITE)")
    parser.add_argument(
        "--jobs", metavar="N", default="1", help="runs at a time (they disturb each other)"
    )
    parser.add_argument("--timeout", metavar="S", help="seconds of each formula")
    parser.add_argument("--tools", metavar="NAME,...", default="", help="some configurations only")
    parser.add_argument("--nets", metavar="PATTERN,...", default="", help="some nets only")
    parser.add_argument("--formulas", metavar="N", help="random formulas of each net")
    parser.add_argument("--resume", action="store_true", help="go on with results that are there")
    parser.add_argument("--part", metavar="I/N", help="the I-th of N parts, as array jobs run them")


def run(options: argparse.Namespace) -> ExitCode:
    """Do what was asked for."""
    actions = {"list": _list, "run": _run, "submit": _submit, "report": _report}
    return actions[options.action](options)


def _run(options: argparse.Namespace) -> ExitCode:
    from mpisog.bench.plan import parse_part
    from mpisog.bench.session import ROOT, Request, run_suite
    from mpisog.bench.suite import find_suite, load_suite, reduced

    path = find_suite(options.suite)
    suite = reduced(
        load_suite(path),
        formulas=_number(options.formulas, "formulas"),
        timeout=_seconds(options.timeout),
    )
    folder = (Path(options.out) if options.out else ROOT / suite.name).absolute()
    jobs = _number(options.jobs, "jobs") or 1
    part = None if options.part is None else parse_part(options.part)
    return run_suite(
        Request(
            suite, path, folder, _words(options.tools), _words(options.nets), jobs, part,
            options.resume, options.command_line,
        )
    )  # fmt: skip


def _submit(options: argparse.Namespace) -> ExitCode:
    """Every job runs its part into the same folder; ``report`` collects them."""
    from mpisog.bench.session import ROOT
    from mpisog.bench.suite import find_suite, load_suite, suite_names

    path = find_suite(options.suite)
    load_suite(path)
    name = options.suite if options.suite in suite_names() else str(path.resolve())
    folder = (Path(options.out) if options.out else ROOT / path.stem).absolute()
    parts = _number(options.parts, "parts") or 1
    work = ["bench", "run", name, "--out", str(folder), "--resume", "--part", f"job/{parts}"]
    for option in ("jobs", "timeout", "tools", "nets", "formulas"):
        if value := getattr(options, option):
            work += [f"--{option}", value]
    if not options.dry_run:
        folder.mkdir(parents=True, exist_ok=True)
    return submit_work(options, work, array=parts)


def _report(options: argparse.Namespace) -> ExitCode:
    from mpisog.bench.report import write_report

    folder = _latest() if options.folder is None else Path(options.folder)
    target = folder / "report" if options.output is None else Path(options.output)
    page = write_report(folder, target)
    print(page)
    return ExitCode.OK


def _latest() -> Path:
    from mpisog.bench.session import ROOT

    found = [path.parent for path in ROOT.glob("*/results*.jsonl")]
    if not found:
        raise UsageError("no results here", hint="mpisog bench run SUITE, or give their folder")
    return max(found, key=lambda folder: folder.stat().st_mtime)


def _list(options: argparse.Namespace) -> ExitCode:
    from mpisog.bench.peers import PEERS
    from mpisog.bench.peers.base import missing_programs, peer_version
    from mpisog.bench.suite import find_suite, load_suite, suite_names

    for name in suite_names():
        suite = load_suite(find_suite(name))
        print(f"{name:<16} {suite.title}")
        tools = ", ".join(tool.name for tool in suite.configurations)
        print(f"{'':<16}   {_nets(suite)}; {tools}")
    print("\npeers")
    for peer in PEERS.values():
        missing = missing_programs(peer)
        state = f"absent ({', '.join(missing)} not found)" if missing else peer_version(peer)
        print(f"{peer.name:<16} {state}")
    return ExitCode.OK


def _nets(suite: Suite) -> str:
    """How many, or the pattern that they are found by."""
    from mpisog.bench.cases import net_names

    names = net_names(suite)
    patterns = [name for name in names if "*" in name]
    return f"nets {', '.join(patterns)}" if patterns else f"{len(names)} nets"


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _number(text: str | None, what: str) -> int | None:
    if text is None:
        return None
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(f"--{what} is '{text}'", hint="a whole number, 1 or more")
    return int(text)


def _seconds(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise UsageError(f"--timeout is '{text}'", hint="a number of seconds")
    return seconds
