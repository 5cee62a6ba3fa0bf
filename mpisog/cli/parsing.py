"""An argument parser whose errors are ``UsageError`` and know the nearest right spelling."""

from __future__ import annotations

import argparse
import re
from typing import Any, NoReturn

from mpisog.cli.terminal import COLOUR_CHOICES
from mpisog.errors import UsageError, nearest

NET_HELP = "PNML, TAPAAL, LoLA, pmc-sog or Tina net, also compressed (.gz, .xz); - is stdin"


class Parser(argparse.ArgumentParser):
    """No abbreviations, so that a script keeps its meaning when options are added."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"allow_abbrev": False, **kwargs})

    def error(self, message: str) -> NoReturn:
        """One message and exit code 3, instead of argparse's usage dump and code 2."""
        hint = self._hint(message) or f"see '{self.prog} --help'"
        if command := re.match(r"argument COMMAND: invalid choice: ('[^']*')", message):
            message = f"no command {command[1]}"
        raise UsageError(message, hint=hint)

    def _hint(self, message: str) -> str | None:
        if found := re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)", message):
            choices = [choice.strip("' ") for choice in found.group(2).split(",")]
            return nearest(found.group(1), choices)
        if found := re.search(r"unrecognized arguments: (\S+)", message):
            return nearest(found.group(1), self._all_options())
        return None

    def _all_options(self) -> list[str]:
        options = [text for action in self._actions for text in action.option_strings]
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                for sub in action.choices.values():
                    options += sub._all_options()
        return options


def add_limits(parser: argparse.ArgumentParser) -> None:
    """The limits that every long command has."""
    group = parser.add_argument_group("limits (what exceeds them is UNKNOWN, never wrong)")
    group.add_argument("--timeout", metavar="S", help="seconds for each formula or exploration")
    group.add_argument(
        "--memory", metavar="SIZE", help="resident memory, such as 500M or 8G (default: most of it)"
    )


SOG_SETTINGS = ("backend", "aggregation", "forbid", "aggregate_nodes")
"""The settings behind the options of ``add_sog``."""


def add_sog(parser: argparse.ArgumentParser) -> None:
    """How symbolic observation graphs are built; it makes no difference to verdicts."""
    group = parser.add_argument_group("symbolic observation graph (verdicts stay the same)")
    group.add_argument(
        "--backend",
        metavar="NAME",
        help="sets of markings: auto (default), bits, mdd, bdd or explicit",
    )
    group.add_argument(
        "--aggregation",
        metavar="NAME",
        help="what is silent: precise (default), or static as in the papers",
    )
    group.add_argument(
        "--forbid", metavar="N", help="leave N transitions out of aggregates, to keep them small"
    )
    group.add_argument(
        "--aggregate-nodes", metavar="N", help="let no aggregate grow beyond N nodes"
    )


PARALLEL_SETTINGS = ("jobs", "threads", "parallel", "strategy", "placement", "digest", "log_dir")
"""The settings behind the options of ``add_parallel``."""


def add_parallel(parser: argparse.ArgumentParser) -> None:
    """Threads and ranks; they make no difference to verdicts either."""
    group = parser.add_argument_group("processes, threads, and ranks under mpirun or srun")
    group.add_argument(
        "--jobs", metavar="N", help="worker processes of this machine (check; without MPI)"
    )
    group.add_argument("--threads", metavar="N", help="threads of each building process")
    group.add_argument(
        "--parallel",
        metavar="NAME",
        help="threads build one aggregate each: aggregates (default), or all one: operations",
    )
    group.add_argument(
        "--strategy",
        metavar="NAME",
        help="builders run ahead of the checker: eager (default), or wait for it: on-demand",
    )
    group.add_argument(
        "--placement",
        metavar="NAME",
        help="which rank holds an aggregate: finder (default), or canonical as in the paper",
    )
    group.add_argument("--digest", metavar="NAME", help="identities: md5 (default) or xxh3")
    group.add_argument("--log-dir", metavar="DIR", help="every rank writes DIR/rank-<n>.log")


def add_progress(parser: argparse._ActionsContainer) -> None:
    """Whether and how progress is shown."""
    parser.add_argument(
        "--progress", choices=["auto", "plain", "none"], default="auto",
        help="auto: live on a terminal, else a line every 30 s; plain: that line; none",
    )  # fmt: skip
    parser.add_argument(
        "--no-progress", dest="progress", action="store_const", const="none",
        help="the same as --progress none",
    )  # fmt: skip


def add_output(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """The output options that reporting commands share."""
    group = parser.add_argument_group("output")
    group.add_argument("--json", metavar="FILE", help="write a JSON report ('-': standard output)")
    group.add_argument("-v", "--verbose", action="store_true", help="show engines and figures")
    add_progress(group)
    group.add_argument("--config", metavar="FILE", help="TOML file with settings")
    group.add_argument(
        "--color", choices=COLOUR_CHOICES, default="auto",
        help="colours: on a terminal (auto, also NO_COLOR and FORCE_COLOR), always or never",
    )  # fmt: skip
    return group
