"""``mpisog doctor``: whether everything is there that a run needs, here and on all ranks."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from mpisog import launcher
from mpisog.cli.outputs import STDOUT, OutputFile, output_files
from mpisog.cli.terminal import wants_colour
from mpisog.cluster.findings import Finding, Level, exit_code
from mpisog.verdict import ExitCode

_EPILOG = """\
exit code 1 when something fails, 0 otherwise (warnings included)

examples:
  mpisog doctor
  mpirun -n 4 mpisog doctor
  srun --mpi=pmix -n 4 mpisog doctor
"""
_COLOURS = {Level.OK: "32", Level.WARNING: "33", Level.FAILURE: "31"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``mpisog doctor``."""
    parser.epilog = _EPILOG
    parser.add_argument("--json", metavar="FILE", help="write a JSON report ('-': standard output)")
    parser.add_argument("--config", metavar="FILE", help="TOML file with settings")


def run(options: argparse.Namespace) -> ExitCode:
    """Every rank takes part, rank 0 reports."""
    from mpisog.config import load_config

    config = load_config({}, options.config)
    threads = config.threads
    launch = launcher.current()
    quiet = launch.rank > 0 or options.json == "-"
    findings = []
    with output_files([options.json if launch.rank == 0 else None]) as files:
        for finding in _examine(launch, threads):
            findings.append(finding)
            if not quiet:
                print(_line(finding), flush=True)
        if launch.rank == 0:
            _finish(findings, files.get(options.json))
    return exit_code(findings)


def _examine(launch: launcher.Launch, threads: int) -> Iterator[Finding]:
    from mpisog.cluster import local_checks, mpi_checks

    if launch.rank == 0:
        yield from local_checks.local_findings(launch, launcher.current_job())
    if not launch.parallel:
        yield from mpi_checks.alone()
    elif launch.connected or launch.size == 1:
        yield from mpi_checks.together(launch, threads)
    else:
        yield mpi_checks.unconnected(launch)


def _line(finding: Finding) -> str:
    level = f"{finding.level!s:<8}"
    if wants_colour():
        level = f"\033[1;{_COLOURS[finding.level]}m{level}\033[0m"
    advice = "" if finding.advice is None else f"\n{'':<9}-> {finding.advice}"
    return f"{level} {finding.name}: {finding.detail}{advice}"


def _finish(findings: Sequence[Finding], file: OutputFile | None) -> None:
    if file is not None:
        from mpisog.report.json_report import as_json, doctor_report

        file.write(as_json(doctor_report([_data(f) for f in findings], exit_code(findings))))
    if file is None or file.target != STDOUT:
        counts = [sum(f.level is level for f in findings) for level in Level]
        print("ok {}, warnings {}, failures {}".format(*counts))


def _data(finding: Finding) -> dict[str, object]:
    return {
        "name": finding.name,
        "level": str(finding.level),
        "detail": finding.detail,
        "advice": finding.advice,
    }
