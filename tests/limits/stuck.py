"""mpisog whose search never asks: ``stuck.py KIND`` and the arguments of mpisog."""

from __future__ import annotations

import sys

from mpisog.cli.main import run
from mpisog.engines.explicit import Explicit


def never_ends(*_arguments: object) -> None:
    """In the interpreter, which holds its lock all the time."""
    print("stuck", file=sys.stderr, flush=True)
    sum(iter(int, 1))


def fills_memory(*_arguments: object) -> None:
    hoard = []
    while True:
        hoard.append(bytearray(b"x" * (1 << 16)))


def main() -> None:
    kind = sys.argv.pop(1)
    works = Explicit.run
    stuck = {"time": never_ends, "memory": fills_memory}[kind]

    def search(engine, problem, *rest):
        return works(engine, problem, *rest) if "quick" in problem.bound.text else stuck()

    Explicit.run = search
    run()


if __name__ == "__main__":
    main()
