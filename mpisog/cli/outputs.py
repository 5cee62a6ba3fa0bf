"""Files that a command writes: opened before the work, so that nothing fails late."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from mpisog.errors import UsageError
from mpisog.nets.load import STDIN, format_of

STDOUT = "-"


class OutputFile:
    """A file that can be written; what it held stays until something is."""

    def __init__(self, target: str) -> None:
        self.target = target
        self._fresh = target != STDOUT and not Path(target).exists()
        self._written = False
        self._stream: IO[str] = sys.stdout
        self._is_plain = False
        if target != STDOUT:
            try:
                # Appending does not touch what is there; the file is emptied when it is written.
                self._stream = open(target, "a", encoding="utf-8")  # noqa: SIM115 - closed below
            except OSError as error:
                raise _unwritable(error, target) from None
            self._is_plain = Path(target).is_file()  # neither a pipe nor /dev/null

    def write(self, text: str) -> None:
        """The whole content."""
        self._written = True
        try:
            if self._is_plain:
                self._stream.truncate(0)
            self._stream.write(text)
            self._stream.flush()
        except OSError as error:
            raise _unwritable(error, self.target) from None

    def close(self) -> None:
        """Leaves no empty file behind where none was and nothing was written."""
        if self.target == STDOUT:
            return
        with suppress(OSError):  # what could not be written has been told
            self._stream.close()
        if self._fresh and not self._written:
            Path(self.target).unlink(missing_ok=True)


@contextmanager
def output_files(
    targets: Iterable[str | None], inputs: Iterable[str] = ()
) -> Iterator[dict[str, OutputFile]]:
    """The files by name, those that were asked for; only one may be standard output."""
    wanted = [target for target in targets if target is not None]
    if wanted.count(STDOUT) > 1:
        raise UsageError("only one output can go to standard output")
    if len({os.path.realpath(target) for target in wanted}) < len(wanted):
        raise UsageError("two outputs go to the same file")
    read = {os.path.realpath(path) for path in inputs if path != STDIN}
    for target in wanted:
        if target != STDOUT and os.path.realpath(target) in read:
            raise UsageError("the output would overwrite this input", path=target)
    files: dict[str, OutputFile] = {}
    try:
        for target in wanted:
            files[target] = OutputFile(target)
        yield files
    finally:
        for file in files.values():
            file.close()


def require_writable(target: str | None) -> None:
    """Complain now if a file cannot be written later; it stays as it is."""
    with output_files([target]):
        pass


def require_net_file(target: str | None) -> None:
    """The same of a file for a net, whose name must tell its format."""
    if target is not None and target != STDOUT:
        format_of(target)
        require_writable(target)


def output_folder(path: str) -> Path:
    """A folder that exists and can be written to."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".mpisog"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise _unwritable(error, folder) from None
    return folder


def _unwritable(error: OSError, path: str | Path) -> UsageError:
    shown = "standard output" if path == STDOUT else path
    return UsageError(f"cannot be written: {error.strerror or error}", path=shown)
