"""The error tree. Every error a user can cause carries the data its message is made of.

``InputError`` and below end a run with exit code 3, ``LimitReached`` becomes the verdict UNKNOWN,
``InternalError`` is a bug of ours and ends with exit code 4.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any


class MpisogError(Exception):
    """Root of all errors raised on purpose."""


class InputError(MpisogError):
    """The user's input cannot be used: one clear message, exit code 3."""

    def __init__(
        self,
        message: str,
        *,
        path: str | Path | None = None,
        line: int | None = None,
        hint: str | None = None,
        excerpt: tuple[str, int] | None = None,
    ) -> None:
        super().__init__(message)
        self.excerpt = excerpt
        """A text and the position in it that the message is about."""
        self.message = message
        self.path = path
        self.line = line
        self.hint = hint

    def located(self, path: str | Path, line: int | None = None) -> InputError:
        """The same error with a place added where it has none."""
        self.path = self.path if self.path is not None else path
        self.line = self.line if self.line is not None else line
        return self

    def __str__(self) -> str:
        where = "" if self.path is None else f"{self.path}:"
        if self.line is not None:
            where += f"{self.line}:" if where else f"line {self.line}:"
        text = f"{where} {_shortened(self.message)}" if where else _shortened(self.message)
        text = printable(f"{text} ({self.hint})" if self.hint else text)
        return text if self.excerpt is None else f"{text}\n{_pointed_out(*self.excerpt)}"


WIDTH = 76
"""Characters of a text around a position that are shown."""


def _pointed_out(text: str, position: int) -> str:
    """The line around the position, with a caret under it."""
    begin = max(0, position - WIDTH // 2)
    before, after = ("..." if begin else ""), ("..." if len(text) > begin + WIDTH else "")
    line = "".join(c if c.isprintable() else " " for c in text[begin : begin + WIDTH])
    return f"  {before}{line}{after}\n  {' ' * (len(before) + position - begin)}^"


class UsageError(InputError):
    """The command line or configuration asks for something that does not exist."""


class NetError(InputError):
    """A net cannot be read or is not well formed."""


class UnsupportedFeature(NetError):
    """The net uses a feature (colours, inhibitor arcs, time) that P/T nets do not have."""


class FormulaError(InputError):
    """A formula or property file cannot be read, or names something the net does not have."""

    def __init__(self, message: str, *, about: str | None = None, **data: Any) -> None:
        super().__init__(message, **data)
        self.about = about
        """The words of the formula that the message is about."""

    def pointing(self, text: str, within: str) -> FormulaError:
        """The same error with the formula and where in it the words are, if that is clear."""
        begin = max(0, text.find(within))
        word = re.compile(rf"(?<!\w){re.escape(self.about or within)}(?!\w)")
        if self.excerpt is None and (found := word.search(text, begin)):
            self.excerpt = (text, found.start())
        return self


class LimitReached(MpisogError):
    """Time or memory ran out, or the run was stopped: the verdict is UNKNOWN with this reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.statistics: dict[str, int | float | str] = {}
        """What was done until then."""


class Unbounded(LimitReached):
    """The net has infinitely many reachable markings."""


class InternalError(MpisogError):
    """A bug in mpisog, never a verdict: exit code 4."""


class MessageError(InternalError):
    """Bytes from another rank that are no message."""


_MANY = 1000
_LONGEST = 2000


def printable(text: str) -> str:
    """Text from outside made fit for a terminal: what is not printable becomes an escape."""
    return text if text.isprintable() else "".join(map(_escaped, text))


def _escaped(character: str) -> str:
    return character if character.isprintable() else ascii(character)[1:-1]


def _shortened(text: str) -> str:
    """A message that quotes megabytes is no message."""
    return (
        text if len(text) <= _LONGEST else text[: _LONGEST // 2] + " ... " + text[-_LONGEST // 4 :]
    )


def known_name(what: str, name: str, names: Iterable[str]) -> str:
    """The name, or a ``UsageError`` if there is no such thing."""
    names = list(names)
    if name not in names:
        hint = nearest(name, names) or "there are " + ", ".join(names)
        raise UsageError(f"no {what} is called '{name}'", hint=hint)
    return name


def nearest(name: str, known: Iterable[str], limit: int = 3, beyond: str = "") -> str | None:
    """A hint with the known names closest to a misspelt one, or nothing.

    What all begin with, ``beyond``, makes nothing alike.
    """
    name, candidates = name.removeprefix(beyond), [each.removeprefix(beyond) for each in known]
    if len(candidates) > _MANY:  # matching is slow: keep to names of that length and start
        alike = [k for k in candidates if abs(len(k) - len(name)) < 3 and k[:1] == name[:1]]
        candidates = alike[:_MANY]
    matches = difflib.get_close_matches(name, candidates, n=limit, cutoff=0.6)
    if not matches:
        return None
    return "did you mean " + " or ".join(f"'{beyond}{match}'" for match in matches) + "?"
