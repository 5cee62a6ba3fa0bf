"""``mpisog gen``: nets of parametric families."""

from __future__ import annotations

import argparse
from pathlib import Path

from mpisog.cli.outputs import require_net_file, require_writable
from mpisog.errors import UsageError
from mpisog.nets.generators import (
    BOARD_FAMILIES,
    FAMILIES,
    Formulas,
    formulas_of,
    generate,
    generate_board,
)
from mpisog.nets.load import write_net
from mpisog.nets.model import PetriNet
from mpisog.verdict import ExitCode


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``mpisog gen``."""
    families = [f"  {f.name:<20}{f.description} (N: {f.parameter})" for f in FAMILIES.values()]
    families += [
        f"  {f.name:<20}{f.description} (N: a file, or {', '.join(f.boards)})"
        for f in BOARD_FAMILIES.values()
    ]
    parser.epilog = "\n".join(["families:", *families])
    parser.add_argument("family", metavar="FAMILY", help="one of the families below")
    parser.add_argument("size", metavar="N", help="the family's parameter")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default="-",
        help=".pnml, .net or .lola, with .gz or .xz (default: PNML to stdout)",
    )
    parser.add_argument(
        "--formulas",
        metavar="FILE",
        help="also write the LRL formulas of the paper that has the family, for check -L",
    )


def run(options: argparse.Namespace) -> ExitCode:
    """Generate and write."""
    net, formulas = _generated(options.family.replace("-", "_"), options)
    require_net_file(options.output)
    require_writable(options.formulas)
    write_net(net, options.output)
    if options.formulas is not None:
        _write_formulas(formulas, options.formulas)
    return ExitCode.OK


def _generated(family: str, options: argparse.Namespace) -> tuple[PetriNet, Formulas]:
    if family in BOARD_FAMILIES:
        return generate_board(family, options.size)
    size = options.size
    if not size.isdecimal() or len(size) > 18:
        raise UsageError(f"N must be a whole number, not '{size}'")
    net = generate(family, int(size))
    return net, () if options.formulas is None else formulas_of(family, int(size))


def _write_formulas(formulas: Formulas, path: str) -> None:
    text = "".join(f"{name}: {formula}\n" for name, formula in formulas)
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(error.strerror or str(error), path=path) from None
