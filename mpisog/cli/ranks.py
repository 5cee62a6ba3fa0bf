"""The ranks of a job: rank 0 runs the command, the others build for it, if it wants that.

Every rank reads the command line; what is wrong with it is said by rank 0 only.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable

from mpisog.cli.logs import log_to
from mpisog.cli.outcome import outcome
from mpisog.cli.signals import BATCH_SIGNALS
from mpisog.config import RunConfig
from mpisog.dist.crew import RankCrew
from mpisog.dist.mpi import join, report_crash
from mpisog.dist.plan import CHECKER, Plan
from mpisog.dist.serving import BuilderRank
from mpisog.launcher import Launch
from mpisog.limits import memory_budget
from mpisog.verdict import ExitCode


def run_on_ranks(
    launch: Launch, config: RunConfig, work: Callable[[RankCrew], ExitCode]
) -> ExitCode:
    """Rank 0 does the work with the crew of the others; all end with the same exit code."""
    ranks = _Ranks(launch, config)
    log_to(config.log_dir, launch)
    if not ranks.checks:
        return ranks.build()
    code = outcome(lambda: work(ranks.crew))
    ranks.dismiss(code)
    return code


class _Ranks:
    """Where a rank stands in its job."""

    def __init__(self, launch: Launch, config: RunConfig) -> None:
        self._config = config
        plan = Plan(launch.rank, launch.size - 1, config.strategy, config.placement, config.digest)
        self._plan = plan
        self._transport = join(launch)
        self.crew = RankCrew(self._transport)

    @property
    def checks(self) -> bool:
        """Whether this is the rank that runs the command."""
        return self._transport.rank == CHECKER

    def dismiss(self, code: ExitCode) -> None:
        """At the end of the command: all others end too, with the same exit code."""
        sys.stdout.flush()
        self.crew.quit(int(code))

    def build(self) -> ExitCode:
        """Serve the checker until it is done."""
        # The launcher sends its signals to all ranks; what they mean is decided by rank 0.
        for number in (signal.SIGINT, *BATCH_SIGNALS):
            signal.signal(number, signal.SIG_IGN)
        memory = memory_budget(self._config.memory)
        try:
            rank = BuilderRank(self._transport, self._plan, self._config.threads, memory)
            return ExitCode(rank.serve())
        except BaseException:
            report_crash(self._transport, ExitCode.INTERNAL)
            raise
