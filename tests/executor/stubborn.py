"""mpisog with one rank that computes and never listens: ``stubborn.py RANK`` and the arguments."""

from __future__ import annotations

import sys
import time

from mpisog.cli.main import run
from mpisog.executor.worker import RemoteWorker
from mpisog.launcher import current


def never_end(*_arguments: object) -> None:
    while True:
        time.sleep(1)


def main() -> None:
    rank = int(sys.argv.pop(1))
    if current().rank == rank:
        RemoteWorker._outcome = never_end
    run()


if __name__ == "__main__":
    main()
