"""``mpisog check``: verdicts in input order, each printed as soon as it is known."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mpisog.budget import limit_memory
from mpisog.cli import last_resort
from mpisog.cli.check_output import CheckOutput, unique_names
from mpisog.cli.last_resort import LastWords
from mpisog.cli.logs import log_to
from mpisog.cli.outputs import STDOUT, output_files, output_folder
from mpisog.cli.parsing import (
    NET_HELP,
    PARALLEL_SETTINGS,
    SOG_SETTINGS,
    add_limits,
    add_output,
    add_parallel,
    add_sog,
)
from mpisog.cli.record import Record, input_files
from mpisog.cli.signals import stopped_by_signals
from mpisog.config import RunConfig, load_config
from mpisog.errors import UsageError
from mpisog.formulas.properties import Property, from_texts, read_formula_file
from mpisog.launcher import current
from mpisog.nets.load import load_net
from mpisog.nets.model import PetriNet
from mpisog.verdict import ExitCode, Result, Verdict, results_code

if TYPE_CHECKING:
    from mpisog.executor.checks import Helpers, Run

_EPILOG = """\
formulas are LTL in Spot's syntax: ! & | -> <-> xor X F G U W R M
or LRL (-l): E<> p, A<> p, E[] p, A[] p, A[]<> p, E(p U q), A(p U q), p --> q; ! and - negate
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
    parser.add_argument("net", metavar="NET", help=NET_HELP)
    _add_properties(parser)
    _add_engine(parser)
    add_sog(parser)
    add_parallel(parser)
    add_limits(parser)
    parser.add_argument("--total-timeout", metavar="S", help="seconds for the whole run")
    _add_output(parser)


def _add_properties(parser: argparse.ArgumentParser) -> None:
    what = parser.add_argument_group("properties")
    what.add_argument(
        "-f", "--formula", action="append", default=[], metavar="LTL",
        help="an LTL formula, or 'name: formula' (may be repeated)",
    )  # fmt: skip
    what.add_argument(
        "-F", "--formula-file", action="append", default=[], metavar="FILE",
        help="one formula a line, '#' comments, optional 'name:'",
    )  # fmt: skip
    what.add_argument(
        "-l", "--lrl", action="append", default=[], metavar="LRL",
        help="an LRL formula, or 'name: formula' (may be repeated)",
    )  # fmt: skip
    what.add_argument(
        "-L", "--lrl-file", action="append", default=[], metavar="FILE",
        help="the same with LRL formulas",
    )  # fmt: skip
    what.add_argument(
        "-x", "--xml", action="append", default=[], metavar="FILE",
        help="property file of the Model Checking Contest",
    )  # fmt: skip
    what.add_argument(
        "--property", action="append", default=[], metavar="ID",
        help="only this property of the XML file (id or number; may be repeated)",
    )  # fmt: skip


def _add_engine(parser: argparse.ArgumentParser) -> None:
    how = parser.add_argument_group("engine")
    how.add_argument(
        "--engine", metavar="NAME",
        help="auto (default), dfs, explicit, mclcd, sog, symbolic or unfolding",
    )  # fmt: skip
    how.add_argument(
        "--variant", metavar="NAME",
        help="how mclcd goes backwards: auto (default), rg, rpg or no-graph",
    )  # fmt: skip
    how.add_argument(
        "--reduce", metavar="LEVEL",
        help="shrink the net first: none, safe (rules for any formula) or full (default)",
    )  # fmt: skip
    how.add_argument(
        "--emptiness", metavar="NAME",
        help="Spot's emptiness check: cou99 (default), cvwy90, se05, gv04, tau03, tau03-opt",
    )  # fmt: skip


def _add_output(parser: argparse.ArgumentParser) -> None:
    output = add_output(parser)
    output.add_argument(
        "--reuse", action="store_true", help="say how many formulas found their graph ready"
    )
    output.add_argument("--mcc", action="store_true", help="print the contest's FORMULA lines only")
    output.add_argument(
        "--shorten", metavar="S", help="seconds for making a counterexample shorter (default 1)"
    )
    output.add_argument(
        "--shortest", action="store_const", const=True,
        help="look for the shortest counterexample (up to 60 s, or S) and say whether it is",
    )  # fmt: skip
    output.add_argument(
        "--html", metavar="FILE", help="write a page with all results and their counterexamples"
    )
    output.add_argument(
        "--show", choices=["all", "changed", "observed"],
        help="places shown along a counterexample: all (default for up to 50 places), those that "
        "change on the way, or those the formula observes (default for larger nets)",
    )  # fmt: skip
    output.add_argument("--ids", action="store_true", help="show ids of elements, not names")
    output.add_argument(
        "--no-trace",
        action="store_true",
        help="print no counterexamples and witnesses; --json has their steps without explanation",
    )
    output.add_argument(
        "--trace-format", choices=["text", "tina"], default="text",
        help="how counterexamples are printed (tina: .scn scenario)",
    )  # fmt: skip
    output.add_argument(
        "--trace-dir", metavar="DIR", help="write each counterexample to DIR/<name>.scn"
    )


def settings(options: argparse.Namespace) -> RunConfig:
    """How the check is to run, here and on all other ranks."""
    limits = ("timeout", "total_timeout", "memory", "shorten", "shortest")
    names = ("engine", "variant", "reduce", "emptiness", *SOG_SETTINGS, *PARALLEL_SETTINGS, *limits)
    config = load_config({name: getattr(options, name) for name in names}, options.config)
    # The contest's lines have no counterexample that could be short.
    is_seen = not options.mcc or options.json or options.html or options.trace_dir
    return config if is_seen else replace(config, shorten=0.0, shortest=False)


def run(options: argparse.Namespace, helpers: Helpers | None = None) -> ExitCode:
    """Check everything that was asked for; ``helpers`` are the other ranks, if there are any."""
    config = settings(options)
    _require_something(options)
    if helpers is None:
        log_to(config.log_dir, current())
    record = Record(options, config)
    net = load_net(options.net)
    properties = read_properties(options, net)
    folder = None if options.trace_dir is None else output_folder(options.trace_dir)
    with output_files(_outputs(options), input_files(options)) as files:
        parallel = helpers is not None or max(config.jobs, config.threads) > 1
        output = CheckOutput(options, net, files, folder, record, parallel=parallel)
        done = _check(net, properties, config, options, helpers, output)
        output.finish(done.loads)
    results = output.results
    if options.reuse:
        reused = sum(bool(result.statistics.get("reused")) for result in results)
        print(f"observation graphs reused: {reused} of {len(results)} formulas", file=sys.stderr)
    return results_code(results)


def _outputs(options: argparse.Namespace) -> list[str | None]:
    """Where what is written goes; the contest's lines have standard output to themselves."""
    return [options.json, options.html, STDOUT if options.mcc else None]


def _require_something(options: argparse.Namespace) -> None:
    sources = ("formula", "formula_file", "lrl", "lrl_file", "xml")
    if not any(getattr(options, source) for source in sources):
        raise UsageError(
            "nothing to check", hint="give -f 'LTL', -F FILE, -l 'LRL', -L FILE or -x FILE.xml"
        )


def validate(options: argparse.Namespace) -> None:
    """Complain now about what would be wrong later: settings, files, net, formulas, engine."""
    from mpisog.executor.checks import check_all

    config = settings(options)
    _require_something(options)
    with output_files(_outputs(options), input_files(options)):
        pass
    net = load_net(options.net)
    check_all(net, read_properties(options, net), config)  # results come when asked for


def read_properties(options: argparse.Namespace, net: PetriNet) -> list[Property]:
    """The properties that the options ask for."""
    properties = from_texts(options.formula)
    for path in options.formula_file:
        properties += read_formula_file(path)
    properties += from_texts(options.lrl, "lrl")
    for path in options.lrl_file:
        properties += read_formula_file(path, "lrl")
    if options.property and not options.xml:
        raise UsageError("--property selects from an XML file", hint="give -x FILE.xml")
    for path in options.xml:
        from mpisog.formulas.mcc_xml import read_mcc_properties

        properties += read_mcc_properties(path, net, options.property)
    unique_names([prop.name for prop in properties])
    return properties


def _check(
    net: PetriNet,
    properties: list[Property],
    config: RunConfig,
    options: argparse.Namespace,
    helpers: Helpers | None,
    output: CheckOutput,
) -> Run:
    from mpisog.executor.checks import Observer, check_all, total_budget
    from mpisog.report.progress import progress_of

    prepared: dict[tuple[int, int], LastWords] = {}
    unchecked = [
        Result(prop.name, prop.text, Verdict.UNKNOWN, config.engine, last_resort.REASON)
        for prop in properties
    ]

    def expect(seconds: float | None, known: Sequence[Result | None]) -> None:
        key = (output.shown, sum(result is not None for result in known))
        if key not in prepared:  # putting the words together takes a moment
            prepared.clear()
            pairs = zip(known, unchecked, strict=True)
            everything = [left if result is None else result for result, left in pairs]
            prepared[key] = LastWords(*output.forced_end(everything), results_code(everything))
        last_resort.expect(seconds, memory, prepared[key])

    total = total_budget(config)
    memory = limit_memory(config.memory)
    with progress_of(options.progress) as progress, stopped_by_signals(total):
        observer = Observer(progress.show, expect, _warn)
        run = check_all(net, properties, config, total, helpers, observer, keep_going=True)
        for result in run:
            progress.clear()
            if result.error is not None:
                _report_error(result)
            limits = [s for s in (config.timeout, total.remaining) if s is not None]
            expect(min(limits, default=None), run.known)  # explaining must not cost the verdict
            output.show(result)
        last_resort.expect(None)
    return run


def _warn(message: str) -> None:
    print(f"mpisog: warning: {message}", file=sys.stderr, flush=True)


def _report_error(result: Result) -> None:
    """A bug of ours: the other formulas keep their verdicts, but it must not be overlooked."""
    print(result.error, file=sys.stderr, end="")
    message = f"internal error in {result.name}, please report it"
    print(f"mpisog: {message}", file=sys.stderr, flush=True)
    logging.getLogger("mpisog").error("%s\n%s", message, result.error)
