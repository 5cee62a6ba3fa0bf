"""A property to check, and the plain-text sources of properties."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mpisog.errors import FormulaError
from mpisog.formulas.atoms import Atom

_NAMED_LINE = re.compile(r"([A-Za-z_][\w.-]*)\s*:(?![\]:])\s*(.*)")


@dataclass(frozen=True)
class Property:
    """A named LTL formula in Spot's syntax.

    ``bindings`` is none for text a person wrote; a property file gives the atoms of its
    formula's propositions there.
    """

    name: str
    text: str
    bindings: Mapping[str, Atom] | None = None
    path: str | None = None
    line: int | None = None


def from_texts(texts: Sequence[str]) -> list[Property]:
    """Formulas of the command line, named ``formula-1``, ``formula-2``, ..."""
    return [Property(f"formula-{i}", text) for i, text in enumerate(texts, start=1)]


def read_formula_file(path: str | Path) -> list[Property]:
    """One formula a line; ``#`` starts a comment line; ``name: formula`` names it."""
    lines = read_text(path).splitlines()
    properties = [
        _property(path, number, line.strip())
        for number, line in enumerate(lines, start=1)
        if line.strip() and not line.strip().startswith("#")
    ]
    if not properties:
        raise FormulaError("the file has no formula", path=path)
    return properties


def read_text(path: str | Path) -> str:
    """A text file's content, with the operating system's complaint as a ``FormulaError``."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise FormulaError(error.strerror or str(error), path=path) from None
    except UnicodeDecodeError:
        raise FormulaError("the file is not UTF-8 text", path=path) from None


def _property(path: str | Path, number: int, line: str) -> Property:
    named = _NAMED_LINE.fullmatch(line)
    name, text = named.groups() if named else (f"{Path(path).name}-{number}", line)
    if not text:
        raise FormulaError(f"no formula after '{name}:'", path=path, line=number)
    return Property(name, text, path=str(path), line=number)
