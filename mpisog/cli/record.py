"""What a JSON report needs from the beginning of a run: digests of its inputs before the work."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mpisog.config import RunConfig

_FILES = ("net", "formula_file", "lrl_file", "xml")


class Record:
    """Begun before the inputs are read, asked when the report is written; nothing without one."""

    def __init__(self, options: argparse.Namespace, config: RunConfig | None = None) -> None:
        self._command_line = options.command_line
        self._config = config
        self._inputs: list[dict[str, object]] = []
        if options.json:
            from mpisog.report.provenance import input_digests

            self._inputs = input_digests(input_files(options))

    def provenance(self, hosts: Sequence[str] | None = None) -> dict[str, object]:
        """The report's account of its making; ``hosts`` are those of all ranks."""
        from mpisog.report.provenance import provenance

        return provenance(self._command_line, self._inputs, self._config, hosts)


def input_files(options: argparse.Namespace) -> list[str]:
    """The files that a command reads."""
    files: list[str] = []
    for name in _FILES:
        value = getattr(options, name, None)
        files += value if isinstance(value, list) else [] if value is None else [value]
    return files
