"""mpisog with one builder that fails: ``failing.py KIND RANK`` and the arguments of mpisog."""

from __future__ import annotations

import sys

from mpisog.cli.main import run
from mpisog.executor import rank as rank_module
from mpisog.launcher import current
from mpisog.team import native_pool
from mpisog.team.builder_rank import BuilderRank


def fail(*_arguments: object) -> None:
    raise RuntimeError("a builder that fails on purpose")


def main() -> None:
    kind, rank = sys.argv[1], int(sys.argv[2])
    del sys.argv[1:3]
    if current().rank == rank:
        match kind:
            case "thread":
                native_pool.Stuttering.matters = fail
            case "messages":
                BuilderRank.step = fail
            case "memory":
                rank_module.limit_memory = lambda given: 1 << 20
    run()


if __name__ == "__main__":
    main()
