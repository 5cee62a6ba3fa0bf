"""``mpisog completion``: what a shell needs to complete commands, and the manual page."""

from __future__ import annotations

import argparse

from mpisog.verdict import ExitCode

_EPILOG = """\
examples:
  mpisog completion bash > ~/.local/share/bash-completion/completions/mpisog
  mpisog completion man > ~/.local/share/man/man1/mpisog.1
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``mpisog completion``."""
    parser.epilog = _EPILOG
    parser.add_argument("kind", choices=["bash", "zsh", "tcsh", "man"], help="what to print")


def run(options: argparse.Namespace) -> ExitCode:
    """Print it."""
    from mpisog.cli.main import whole_parser

    parser = whole_parser()
    if options.kind == "man":
        print(manual(parser), end="")
        return ExitCode.OK
    import shtab

    print(shtab.complete(parser, shell=options.kind))
    return ExitCode.OK


def manual(parser: argparse.ArgumentParser) -> str:
    """The help of all commands as a manual page."""
    commands = next(a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    parts = [
        '.TH MPISOG 1 "" "mpisog"',
        ".SH NAME",
        "mpisog \\- exact LTL model checking of Petri nets",
        *_literal("DESCRIPTION", parser.format_help()),
    ]
    for name, sub in commands.choices.items():
        parts += _literal(f"MPISOG {name.upper()}", sub.format_help())
    return "\n".join(parts) + "\n"


def _literal(title: str, text: str) -> list[str]:
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("\n.", "\n\\&.")
    return [f".SH {title}", ".nf", escaped.rstrip(), ".fi"]
