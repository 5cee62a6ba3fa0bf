"""Numbers as net files write them, shared by all readers."""

from __future__ import annotations

import re

from mpisog.errors import NetError
from mpisog.nets.model import MAX_TOKENS

_INTEGER = re.compile(r"[+-]?[0-9]+")
_LONGEST = 18
"""More digits than any number that fits; keeps ``int`` away from megabytes of digits."""


def parse_count(text: str, what: str, line: int | None = None) -> int:
    """An integer, or a ``NetError`` about ``what``. The sign is left for the model to judge."""
    digits = text.strip()
    if not _INTEGER.fullmatch(digits):
        raise NetError(f"the {what} is {shorten(digits)}, which is not an integer", line=line)
    if len(digits.lstrip("+-0")) > _LONGEST:
        relation = "smaller than 0" if digits.startswith("-") else f"larger than {MAX_TOKENS}"
        raise NetError(f"the {what} is {relation}", line=line)
    return int(digits)


def shorten(text: str, limit: int = 40) -> str:
    """Foreign text made fit for one line of a message."""
    return repr(text if len(text) <= limit else text[: limit - 3] + "...")
