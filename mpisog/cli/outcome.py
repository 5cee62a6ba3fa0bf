"""Every error becomes one message and an exit code."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mpisog.errors import InputError, LimitReached
from mpisog.verdict import ExitCode

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What a device says that takes no more."""


def outcome(work: Callable[[], ExitCode]) -> ExitCode:
    """The exit code of some work, whatever happens in it."""
    try:
        code = work()
        sys.stdout.flush()
        return code
    except InputError as error:
        return _complain(str(error), ExitCode.BAD_INPUT)
    except LimitReached as limit:
        return _complain(f"unknown: {limit.reason}", ExitCode.UNKNOWN)
    except KeyboardInterrupt:
        return _complain("interrupted", ExitCode.UNKNOWN)
    except BrokenPipeError:
        # The reader has gone (``| head``): no news for anyone, and no second error at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.UNKNOWN
    except OSError as error:
        if error.errno not in _FULL:
            return _internal()
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _complain(f"the output cannot be written: {error.strerror}", ExitCode.BAD_INPUT)
    except MemoryError:
        return _complain("unknown: out of memory", ExitCode.UNKNOWN)
    except Exception:
        return _internal()


@contextmanager
def silent() -> Iterator[None]:
    """Nothing that is printed here is seen: another rank prints it."""
    out, err = sys.stdout, sys.stderr
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        sys.stdout = sys.stderr = nowhere
        try:
            yield
        finally:
            sys.stdout, sys.stderr = out, err


def _internal() -> ExitCode:
    traceback.print_exc()
    return _complain("internal error, please report it", ExitCode.INTERNAL)


def _complain(message: str, code: ExitCode) -> ExitCode:
    print(f"mpisog: {message}", file=sys.stderr)
    return code
