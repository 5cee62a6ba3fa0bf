"""``mpisog examples``: nets with properties and their verdicts, to read and to try."""

from __future__ import annotations

import argparse
from importlib import resources
from pathlib import Path

from mpisog.errors import UsageError, known_name
from mpisog.verdict import ExitCode

_SUFFIXES = (".net", ".ltl")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``mpisog examples``."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="write NAME.net and NAME.ltl")
    parser.add_argument(
        "-o", "--output", metavar="DIR", default=".", help="where to (default: this folder)"
    )


def run(options: argparse.Namespace) -> ExitCode:
    """List them, or write one."""
    known = names()
    if options.name is None:
        width = max(map(len, known))
        for name in known:
            print(f"{name:<{width}}  {_text(name, '.net').splitlines()[0].lstrip('# ')}")
        return ExitCode.OK
    known_name("example", options.name, known)
    folder = Path(options.output)
    for suffix in _SUFFIXES:
        target = folder / (options.name + suffix)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if target.exists() and target.read_bytes() != _text(options.name, suffix).encode():
                hint = "-o DIR takes another folder"
                raise UsageError("it is there, with other content", path=target, hint=hint)
            target.write_text(_text(options.name, suffix), encoding="utf-8")
        except OSError as error:
            raise UsageError(error.strerror or str(error), path=target) from None
        print(target)
    return ExitCode.OK


def names() -> list[str]:
    """The examples that have properties."""
    files = [file.name for file in resources.files("mpisog").joinpath("examples").iterdir()]
    return sorted(name.removesuffix(".ltl") for name in files if name.endswith(".ltl"))


def _text(name: str, suffix: str) -> str:
    file = resources.files("mpisog").joinpath("examples", name + suffix)
    return file.read_text(encoding="utf-8")
