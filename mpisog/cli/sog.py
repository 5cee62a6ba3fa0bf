"""``mpisog sog``: the whole symbolic observation graph of what formulas observe."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mpisog.cli.last_resort import LastWords
from mpisog.cli.limited import last_words, limited
from mpisog.cli.outputs import OutputFile, output_files
from mpisog.cli.parsing import NET_HELP, SOG_SETTINGS, add_limits, add_output, add_sog
from mpisog.cli.record import Record, input_files
from mpisog.config import RunConfig, load_config
from mpisog.errors import LimitReached, UsageError
from mpisog.formulas.atoms import Atom, describe
from mpisog.formulas.properties import from_texts, read_formula_file
from mpisog.nets.load import load_net
from mpisog.nets.model import PetriNet
from mpisog.verdict import ExitCode

if TYPE_CHECKING:
    from mpisog.sog.whole import WholeGraph


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``mpisog sog``."""
    parser.add_argument("net", metavar="NET", help=NET_HELP)
    what = parser.add_argument_group("what is observed: the atoms of all formulas together")
    what.add_argument(
        "-f", "--formula", action="append", default=[], metavar="LTL",
        help="an LTL formula (may be repeated)",
    )  # fmt: skip
    what.add_argument(
        "-F", "--formula-file", action="append", default=[], metavar="FILE",
        help="one formula a line, '#' comments, optional 'name:'",
    )  # fmt: skip
    add_sog(parser)
    add_limits(parser)
    output = add_output(parser)
    output.add_argument("--html", metavar="FILE", help="write a page with the graph")
    output.add_argument("--dot", metavar="FILE", help="write the graph for Graphviz")
    output.add_argument("--svg", metavar="FILE", help="draw a small graph (needs Graphviz)")
    output.add_argument(
        "--hoa", metavar="FILE", help="write the Kripke structure as an automaton for Spot and Owl"
    )


def run(options: argparse.Namespace) -> ExitCode:
    """Build, report and export; UNKNOWN with its reason at a limit."""
    config = _settings(options)
    _check_outputs(options)
    record = Record(options, config)
    net = load_net(options.net)
    atoms = _atoms(options, net)
    with output_files(_targets(options), input_files(options)) as files:
        return _run(options, config, net, atoms, record, files)


def validate(options: argparse.Namespace) -> None:
    """Complain now about what would be wrong later: settings, files, net, formulas."""
    _settings(options)
    _check_outputs(options)
    with output_files(_targets(options), input_files(options)):
        pass
    _atoms(options, load_net(options.net))


def _settings(options: argparse.Namespace) -> RunConfig:
    from mpisog.sog.observation import known_aggregation
    from mpisog.symbolic.registry import known_backend

    names = (*SOG_SETTINGS, "timeout", "memory")
    config = load_config({name: getattr(options, name) for name in names}, options.config)
    known_backend(config.backend)
    known_aggregation(config.aggregation)
    return config


def _run(
    options: argparse.Namespace,
    config: RunConfig,
    net: PetriNet,
    atoms: list[Atom],
    record: Record,
    files: Mapping[str, OutputFile],
) -> ExitCode:
    started = time.monotonic()
    whole: WholeGraph[Any] | None = None
    reason = None

    def report(reason: str | None) -> dict[str, object]:
        from mpisog.report.json_report import sog_report

        settings = {
            "atoms": [describe(atom, net) for atom in atoms],
            **{name: getattr(config, name) for name in SOG_SETTINGS},
            **({} if whole is None else {"backend": whole.graph.domain.name}),
        }
        seconds = time.monotonic() - started
        return sog_report(net, options.net, settings, whole, seconds, reason, record.provenance())

    try:
        whole = _build(net, atoms, config, options, last_words(options.json, report))
    except LimitReached as limit:
        reason = limit.reason
    seconds = time.monotonic() - started
    if options.json:
        from mpisog.report.json_report import as_json

        files[options.json].write(as_json(report(reason)))
    if whole is None:
        print(f"mpisog: unknown: {reason}", file=sys.stderr)
        return ExitCode.UNKNOWN
    if "-" not in _targets(options):
        _print(whole, seconds)
    _export(whole, seconds, options, files)
    return ExitCode.OK


def _targets(options: argparse.Namespace) -> list[str]:
    named = (options.json, options.dot, options.svg, options.hoa, options.html)
    return [target for target in named if target is not None]


def _check_outputs(options: argparse.Namespace) -> None:
    """What can be said against the request before any work."""
    if not (options.formula or options.formula_file):
        raise UsageError("nothing to observe", hint="give -f 'LTL' or -F FILE")
    if options.svg is not None:
        from mpisog.report.graphviz import require_graphviz

        require_graphviz()


def _atoms(options: argparse.Namespace, net: PetriNet) -> list[Atom]:
    """The atoms of all formulas, each once, in the order of their appearance."""
    from mpisog.spotglue.ltl import bind

    properties = from_texts(options.formula)
    for path in options.formula_file:
        properties += read_formula_file(path)
    return list(dict.fromkeys(atom for prop in properties for atom in bind(prop, net).atoms))


def _build(
    net: PetriNet,
    atoms: list[Atom],
    config: RunConfig,
    options: argparse.Namespace,
    words: LastWords,
) -> WholeGraph[Any]:
    from mpisog.engines.resources import NetResources, observe
    from mpisog.report.progress import progress_line
    from mpisog.sog.graph import ObservationGraph
    from mpisog.sog.whole import explore_whole

    with (
        progress_line(options.progress, net.name) as progress,
        limited(config, progress, words) as budget,
    ):
        domain = NetResources(net).observing_domain(atoms, config, budget)
        return explore_whole(ObservationGraph(domain, observe(net, atoms, config)))


def _print(whole: WholeGraph[Any], seconds: float) -> None:
    from mpisog.report.sog_export import figures

    found = figures(whole)
    for name in ("aggregates", "edges", "dead", "divergent"):
        print(f"{name}: {found[name]}")
    for name in ("markings", "nodes"):
        least, most = found[f"smallest_{name}"], found[f"largest_{name}"]
        print(f"{name} in an aggregate: {least} to {most}")
    if found["peak_nodes"] is not None:
        print(f"peak nodes: {found['peak_nodes']}")
    print(f"seconds: {seconds:.3f}")


def _export(
    whole: WholeGraph[Any],
    seconds: float,
    options: argparse.Namespace,
    files: Mapping[str, OutputFile],
) -> None:
    from mpisog.report.sog_export import to_dot, to_hoa, to_svg

    for target, export in (
        (options.dot, to_dot),
        (options.hoa, to_hoa),
        (options.svg, to_svg),
    ):
        if target is not None:
            files[target].write(export(whole))
    if options.html is not None:
        from mpisog.report.sog_page import sog_page

        files[options.html].write(sog_page(whole, seconds))
