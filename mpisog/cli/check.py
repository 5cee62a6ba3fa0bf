"""``mpisog check``: verdicts in input order, each printed as soon as it is known."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from mpisog.cli.logs import log_to
from mpisog.cli.parsing import (
    PARALLEL_SETTINGS,
    SOG_SETTINGS,
    add_limits,
    add_output,
    add_parallel,
    add_sog,
)
from mpisog.cli.record import Record
from mpisog.cli.signals import stopped_by_signals
from mpisog.cli.terminal import wants_colour
from mpisog.config import RunConfig, load_config
from mpisog.errors import UsageError
from mpisog.formulas.properties import Property, from_texts, read_formula_file
from mpisog.launcher import current
from mpisog.nets.load import load_net
from mpisog.nets.model import PetriNet
from mpisog.verdict import ExitCode, Result, exit_code

if TYPE_CHECKING:
    from mpisog.dist.crew import Crew

_EPILOG = """\
formulas are LTL in Spot's syntax: ! & | -> <-> xor X F G U W R M
atoms:
  p                        place p has a token
  "p + 2*q <= 3"           a linear comparison (<= >= == != < >), places in {braces} if need be
  "fireable(t1,t2)"        one of the transitions is enabled
  dead                     no transition is enabled
  t, "fire(t)"             transition t fires now
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``mpisog check``."""
    parser.epilog = _EPILOG
    parser.add_argument("net", metavar="NET", help="PNML, pmc-sog .net or Tina .net file")
    what = parser.add_argument_group("properties")
    what.add_argument("-f", "--formula", action="append", default=[], metavar="LTL")
    what.add_argument(
        "-F", "--formula-file", action="append", default=[], metavar="FILE",
        help="one formula a line, '#' comments, optional 'name:'",
    )  # fmt: skip
    what.add_argument(
        "-x", "--xml", action="append", default=[], metavar="FILE",
        help="property file of the Model Checking Contest",
    )  # fmt: skip
    what.add_argument(
        "--property", action="append", default=[], metavar="ID",
        help="only this property of the XML file (id or number; may be repeated)",
    )  # fmt: skip
    how = parser.add_argument_group("engine")
    how.add_argument(
        "--engine", metavar="NAME", help="auto (default), explicit, search, sog or symbolic"
    )
    how.add_argument(
        "--reduce", metavar="LEVEL",
        help="shrink the net first: none, safe (rules for any formula) or full (default)",
    )  # fmt: skip
    how.add_argument(
        "--emptiness", metavar="NAME",
        help="Spot's emptiness check: cou99 (default), cvwy90, se05, gv04, tau03, tau03-opt",
    )  # fmt: skip
    add_sog(parser)
    add_parallel(parser)
    add_limits(parser)
    parser.add_argument("--total-timeout", metavar="S", help="seconds for the whole run")
    output = add_output(parser)
    output.add_argument(
        "--reuse", action="store_true", help="say how many formulas found their graph ready"
    )
    output.add_argument("--mcc", action="store_true", help="print the contest's FORMULA lines only")
    output.add_argument("--no-trace", action="store_true", help="do not print counterexamples")
    output.add_argument(
        "--trace-format", choices=["text", "tina"], default="text",
        help="how counterexamples are printed (tina: .scn scenario)",
    )  # fmt: skip
    output.add_argument(
        "--trace-dir", metavar="DIR", help="write each counterexample to DIR/<name>.scn"
    )


def settings(options: argparse.Namespace) -> RunConfig:
    """How the check is to run, here and on all other ranks."""
    limits = ("timeout", "total_timeout", "memory")
    names = ("engine", "reduce", "emptiness", *SOG_SETTINGS, *PARALLEL_SETTINGS, *limits)
    return load_config({name: getattr(options, name) for name in names}, options.config)


def run(options: argparse.Namespace, crew: Crew | None = None) -> ExitCode:
    """Check everything that was asked for; ``crew`` are the other ranks, if there are any."""
    config = settings(options)
    if not (options.formula or options.formula_file or options.xml):
        raise UsageError("nothing to check", hint="give -f 'LTL', -F FILE or -x FILE.xml")
    if crew is None:
        log_to(config.log_dir, current())
    record = Record(options, config)
    net = load_net(options.net)
    properties = _properties(options, net)
    results = _check(net, properties, config, options, crew)
    if options.json:
        from mpisog.report.json_report import check_report, write_report

        hosts = sorted({report.host for result in results for report in result.ranks})
        origin = record.provenance(hosts or None)
        write_report(check_report(net, options.net, results, origin), options.json)
    if options.reuse:
        reused = sum(bool(result.statistics.get("reused")) for result in results)
        print(f"observation graphs reused: {reused} of {len(results)} formulas", file=sys.stderr)
    return exit_code(result.verdict for result in results)


def _properties(options: argparse.Namespace, net: PetriNet) -> list[Property]:
    properties = from_texts(options.formula)
    for path in options.formula_file:
        properties += read_formula_file(path)
    if options.property and not options.xml:
        raise UsageError("--property selects from an XML file", hint="give -x FILE.xml")
    for path in options.xml:
        from mpisog.formulas.mcc_xml import read_mcc_properties

        properties += read_mcc_properties(path, net, options.property)
    return properties


def _check(
    net: PetriNet,
    properties: list[Property],
    config: RunConfig,
    options: argparse.Namespace,
    crew: Crew | None,
) -> list[Result]:
    from mpisog.engines.checking import check_all, total_watch
    from mpisog.report.progress import progress_line

    results: list[Result] = []
    total = total_watch(config)
    with progress_line(not options.no_progress) as progress, stopped_by_signals(total):
        labels = iter([*(prop.name for prop in properties), ""])
        if progress:
            progress.start(next(labels))
        show = progress.show if progress else None
        for result in check_all(net, properties, config, show, total, crew):
            if progress:
                progress.clear()
            _print(result, options)
            results.append(result)
            if progress:
                progress.start(next(labels))
    if len(results) > 1 and not options.mcc and options.json != "-":
        print(_summary(results))
    return results


def _print(result: Result, options: argparse.Namespace) -> None:
    if options.trace_dir and result.trace is not None:
        _write_scenario(result, Path(options.trace_dir))
    if options.mcc:
        from mpisog.report.mcc import result_line

        print(result_line(result), flush=True)
    elif options.json != "-":
        print(_text(result, options), flush=True)


def _text(result: Result, options: argparse.Namespace) -> str:
    from mpisog.report.text import result_text
    from mpisog.report.traces import trace_scenario

    tina = options.trace_format == "tina" and not options.no_trace
    text = result_text(
        result,
        colour=wants_colour(),
        trace=not (options.no_trace or tina),
        verbose=options.verbose,
    )
    return text + ("\n" + trace_scenario(result.trace).rstrip() if tina and result.trace else "")


def _write_scenario(result: Result, folder: Path) -> None:
    from mpisog.report.traces import trace_scenario

    assert result.trace is not None
    safe = "".join(c if c.isalnum() or c in "-_." else "_" for c in result.name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{safe}.scn").write_text(trace_scenario(result.trace), encoding="utf-8")
    except OSError as error:
        raise UsageError(error.strerror or str(error), path=folder) from None


def _summary(results: Iterable[Result]) -> str:
    verdicts = [str(result.verdict) for result in results]
    parts = [
        f"{verdicts.count(verdict)} {word}"
        for verdict, word in (("TRUE", "hold"), ("FALSE", "violated"), ("UNKNOWN", "unknown"))
        if verdict in verdicts
    ]
    return f"{len(verdicts)} properties: {', '.join(parts)}"
