"""The ranks of a job: rank 0 runs the command, the others build for it, if it wants that.

The others wait for what rank 0 says in any case, also when something is wrong with the command
line: a rank that ended first would make the launcher end rank 0 before it can say what.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Callable
from types import ModuleType

from mpisog.budget import limit_memory
from mpisog.cli.logs import log_to
from mpisog.cli.outcome import outcome, silent
from mpisog.cli.signals import BATCH_SIGNALS
from mpisog.config import RunConfig
from mpisog.errors import InputError
from mpisog.launcher import Launch
from mpisog.team.builder_rank import BuilderRank
from mpisog.team.plan import CHECKER, Plan
from mpisog.team.team import RankTeam
from mpisog.transport.mpi import MpiTransport, join, report_crash
from mpisog.verdict import ExitCode

Load = Callable[[], tuple[ModuleType, argparse.Namespace]]
"""Reads the command line: the module of the command, and its options."""

GRACE = 1.0
"""Seconds in which rank 0 says that ranks cannot meet, before the others end."""


def run_on_ranks(launch: Launch, load: Load) -> ExitCode:
    """Rank 0 does the work with the team of the others; all end with the same exit code."""
    if launch.rank == CHECKER:
        return outcome(lambda: _check(join(launch), launch, load))
    with silent():
        try:
            transport = join(launch)
        except InputError:
            time.sleep(GRACE)
            return ExitCode.BAD_INPUT
        return _build(transport, launch, load)


def _check(transport: MpiTransport, launch: Launch, load: Load) -> ExitCode:
    team = RankTeam(transport)
    code = ExitCode.OK
    try:
        code = outcome(lambda: _command(load, team, launch))
    finally:  # also after --help, which exits
        sys.stdout.flush()
        # All is said. A launcher that sees another rank end first may tell this one to end too.
        _ignore_signals()
        team.quit(int(code))
    return code


def _command(load: Load, team: RankTeam, launch: Launch) -> ExitCode:
    command, options = load()
    code: ExitCode
    if hasattr(command, "settings"):
        config = command.settings(options)
        if _plan(config, launch).eager:  # a wrong name is an input error too
            team.expect_answers_ahead()
        log_to(config.log_dir, launch)
        code = command.run(options, team)
    else:
        code = command.run(options)
    return code


def _build(transport: MpiTransport, launch: Launch, load: Load) -> ExitCode:
    """Serve the checker until it is done."""
    _ignore_signals()  # the launcher sends them to all ranks; what they mean is up to rank 0
    try:
        config = _settings(load)
        plan = _plan(config, launch)
        log_to(config.log_dir, launch)
        memory = limit_memory(config.memory)
    except InputError:  # rank 0 has found it too
        plan, config, memory = Plan(), RunConfig(), None
    try:
        return ExitCode(BuilderRank(transport, plan, config.threads, memory).serve())
    except BaseException:
        report_crash(transport, ExitCode.INTERNAL)
        raise


def _ignore_signals() -> None:
    for number in (signal.SIGINT, *BATCH_SIGNALS):
        signal.signal(number, signal.SIG_IGN)


def _settings(load: Load) -> RunConfig:
    try:
        command, options = load()
    except SystemExit:  # --help
        return RunConfig()
    config: RunConfig = command.settings(options) if hasattr(command, "settings") else RunConfig()
    return config


def _plan(config: RunConfig, launch: Launch) -> Plan:
    return Plan(launch.rank, launch.size - 1, config.strategy, config.placement, config.digest)
