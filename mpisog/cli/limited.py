"""Work of a command under the limits and signals that end it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mpisog.budget import Budget, limit_memory
from mpisog.cli import last_resort
from mpisog.cli.last_resort import LastWords
from mpisog.cli.signals import stopped_by_signals
from mpisog.config import RunConfig

if TYPE_CHECKING:
    from mpisog.report.progress import Progress


def last_words(target: str | None, report: Callable[[str], dict[str, object]]) -> LastWords:
    """The JSON report of a command that has to be ended by force, if one was asked for."""
    if target is None:
        return LastWords()
    return LastWords(files={target: json.dumps(report(last_resort.REASON), indent=2) + "\n"})


@contextmanager
def limited(
    config: RunConfig,
    progress: Progress | None = None,
    words: LastWords | None = None,
) -> Iterator[Budget]:
    """A budget with the limits of the command line; what it says when it is ended by force."""
    memory = limit_memory(config.memory)
    budget = Budget(config.timeout, memory, progress.show if progress else None)
    last_resort.expect(config.timeout, memory, words)
    try:
        with stopped_by_signals(budget):
            yield budget
    finally:
        last_resort.expect(None)
