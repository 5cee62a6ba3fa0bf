"""How text looks where it is read: colours, and lines that end where the terminal does."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ESCAPE = re.compile(r"\033\[[\d;]*m")
_WORD = re.compile(r"\s*\S+")
_CODES = {"bold": "1", "dim": "2", "red": "1;31", "green": "1;32", "yellow": "1;33"}


@dataclass(frozen=True)
class Style:
    """No colours and lines as long as they come, unless somebody looks."""

    colour: bool = False
    width: int | None = None
    """Columns of the terminal."""

    def paint(self, text: str, look: str) -> str:
        """The text in bold, dim, red, green or yellow."""
        return f"\033[{_CODES[look]}m{text}\033[0m" if self.colour and text else text

    def fit(self, line: str, hang: int) -> str:
        """The line, broken between words where it is too long; what follows is indented."""
        if self.width is None or visible(line) <= self.width:
            return line
        indent = " " * min(hang, self.width // 3)
        lines = [""]
        for word in _WORD.findall(line):
            if lines[-1].strip() and visible(lines[-1] + word) > self.width:
                lines.append(indent + word.lstrip())
            else:
                lines[-1] += word
        return "\n".join(lines)


PLAIN = Style()


def visible(text: str) -> int:
    """Columns that a text takes."""
    return len(_ESCAPE.sub("", text))


def padded(text: str, width: int) -> str:
    """The text followed by blanks up to a width."""
    return text + " " * (width - visible(text))


def cut(text: str, width: int) -> str:
    """The text, or its beginning and its end."""
    if len(text) <= width:
        return text
    end = width // 4
    return f"{text[: width - end - 3]}...{text[-end:]}"
