"""The ranks of a job: rank 0 runs the command, the others work for it, if it wants that.

Rank 0 alone reads the command line, files and settings; the others do what it sends them. They wait
for it also when something is wrong with the command line: a rank that ended first would make the
launcher end rank 0 before it can say what.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from types import ModuleType

from mpisog.cli import last_resort
from mpisog.cli.logs import log_to
from mpisog.cli.outcome import outcome, silent
from mpisog.cli.signals import BATCH_SIGNALS
from mpisog.config import RunConfig
from mpisog.errors import InputError, UsageError
from mpisog.executor.checks import Helpers
from mpisog.executor.job import write_config
from mpisog.executor.messages import BUILD, CHECK, Configure
from mpisog.executor.rank import serve
from mpisog.launcher import Launch
from mpisog.team.messages import Leave, Quit
from mpisog.team.plan import CHECKER, plan_of
from mpisog.team.team import RankTeam
from mpisog.transport.message import Message, decode, encode
from mpisog.transport.mpi import MpiTransport, join, report_crash
from mpisog.verdict import ExitCode

Load = Callable[[], tuple[ModuleType, argparse.Namespace]]
"""Reads the command line: the module of the command, and its options."""

GRACE = 1.0
"""Seconds in which rank 0 says that ranks cannot meet, before the others end."""

STOP_WITHIN = 1.8
"""Seconds in which the others end once all is said: a watchdog would end them after two."""

STOP_WITHIN_UNLIMITED = 5.0
"""The same where no watchdog does. One that loads a library cannot listen, and on a busy machine
that takes some seconds."""


def run_on_ranks(launch: Launch, load: Load) -> ExitCode:
    """Rank 0 does the work with the help of the others; all end with the same exit code."""
    if launch.rank == CHECKER:
        return outcome(lambda: _lead(join(launch), launch, load))
    with silent():
        try:
            transport = join(launch)
        except InputError:
            time.sleep(GRACE)
            return ExitCode.BAD_INPUT
        return _follow(transport, launch)


def _lead(transport: MpiTransport, launch: Launch, load: Load) -> ExitCode:
    code, within = ExitCode.OK, STOP_WITHIN

    def configured(config: RunConfig) -> None:
        nonlocal within
        if config.timeout is None and config.total_timeout is None:
            within = STOP_WITHIN_UNLIMITED

    try:
        code = outcome(lambda: _command(load, transport, launch, configured))
    finally:  # also after --help, which exits
        sys.stdout.flush()
        # All is said. A launcher that sees another rank end first may tell this one to end too.
        _ignore_signals()
        _post(transport, Quit(int(code)))
        if staying := _staying(transport, within):
            ranks = ", ".join(map(str, sorted(staying)))
            print(f"mpisog: ended by force: rank {ranks} did not stop", file=sys.stderr, flush=True)
            transport.abort(int(code))
    return code


def _staying(transport: MpiTransport, within: float) -> set[int]:
    """The ranks that do not end by themselves.

    MPI waits for every rank as it ends. One that computes and asks no budget would hear of nothing.
    """
    staying = set(range(1, transport.size))
    deadline = time.monotonic() + within
    while staying and time.monotonic() < deadline:
        transport.wait(deadline - time.monotonic())
        for rank, packet in transport.receive():
            if any(isinstance(message, Leave) for message in decode(packet)[1]):
                staying.discard(rank)
    return staying


def _command(
    load: Load,
    transport: MpiTransport,
    launch: Launch,
    configured: Callable[[RunConfig], None],
) -> ExitCode:
    command, options = load()
    code: ExitCode
    if not hasattr(command, "settings"):
        code = command.run(options)
        return code
    config = command.settings(options)
    if config.jobs > 1:
        raise UsageError(
            f"{launch.launcher} has started {launch.size} ranks, and --jobs is for one process",
            hint="leave --jobs out: the ranks are the workers",
        )
    configured(config)
    log_to(config.log_dir, launch)
    code = command.run(options, _helpers(transport, config))
    return code


def _helpers(transport: MpiTransport, config: RunConfig) -> Helpers:
    """With ``sog`` the others build one graph after the other, as in the papers."""
    plan = plan_of(config, transport)  # a wrong name is an input error too
    builds = config.engine == "sog"
    _post(transport, Configure(BUILD if builds else CHECK, write_config(config)))
    if not builds:
        return Helpers(workers=transport)
    team = RankTeam(transport)
    if plan.eager:
        team.expect_answers_ahead()
    return Helpers(team=team)


def _post(transport: MpiTransport, message: Message) -> None:
    packet = encode(0, [message])
    for rank in range(1, transport.size):
        transport.send(rank, packet)


def _follow(transport: MpiTransport, launch: Launch) -> ExitCode:
    """Do what rank 0 wants until it is done."""
    _ignore_signals()  # the launcher sends them to all ranks; what they mean is up to rank 0
    try:
        configured = partial(_configured, launch)
        code = ExitCode(serve(transport, configured, last_resort.expect))
        transport.send(CHECKER, encode(0, [Leave()]))
        return code
    except BaseException:
        report_crash(transport, ExitCode.INTERNAL)
        raise


def _configured(launch: Launch, config: RunConfig) -> None:
    log_to(config.log_dir, launch)


def _ignore_signals() -> None:
    for number in (signal.SIGINT, *BATCH_SIGNALS):
        signal.signal(number, signal.SIG_IGN)
