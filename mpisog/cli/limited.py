"""Work of a command under the limits and signals that end it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mpisog.cli import last_resort
from mpisog.cli.last_resort import LastWords
from mpisog.cli.signals import stopped_by_signals
from mpisog.config import RunConfig
from mpisog.limits import Watch, limit_memory

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
) -> Iterator[Watch]:
    """A watch with the limits of the command line; what it says when it is ended by force."""
    memory = limit_memory(config.memory)
    watch = Watch(config.timeout, memory, progress.show if progress else None)
    last_resort.expect(config.timeout, memory, words)
    try:
        with stopped_by_signals(watch):
            yield watch
    finally:
        last_resort.expect(None)
