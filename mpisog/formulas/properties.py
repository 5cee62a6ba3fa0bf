"""A property to check, and the plain-text sources of properties."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mpisog.errors import FormulaError
from mpisog.formulas.atoms import Atom
from mpisog.formulas.lrl import Lrl, parse_lrl

_LINE_END = re.compile(r"\r\n|\r|\n")
_NAMED_LINE = re.compile(r"([A-Za-z_][\w.-]*)\s*:(?![\]:])\s*(.*)")


@dataclass(frozen=True)
class Property:
    """A named formula: LTL in Spot's syntax, or LRL.

    ``bindings`` is none for text a person wrote; a property file gives the atoms of its
    formula's propositions there. ``lrl`` is there when the text is LRL.
    """

    name: str
    text: str
    bindings: Mapping[str, Atom] | None = None
    path: str | None = None
    line: int | None = None
    lrl: Lrl | None = None

    @property
    def existential(self) -> bool:
        """Whether some run is to satisfy it, rather than all."""
        return self.lrl is not None and self.lrl.existential


LOGICS: Mapping[str, Callable[[Property], Property]] = {
    "ltl": lambda prop: prop,
    "lrl": lambda prop: _as_lrl(prop),
}
"""How a property that was read as text becomes one of a logic."""


def from_texts(texts: Sequence[str], logic: str = "ltl") -> list[Property]:
    """Formulas of the command line, ``name: formula`` or named ``formula-1``, ``lrl-2``, ..."""
    stem = "formula" if logic == "ltl" else logic
    properties = (_named(text, f"{stem}-{i}") for i, text in enumerate(texts, start=1))
    return [LOGICS[logic](Property(name, text)) for name, text in properties]


def read_formula_file(path: str | Path, logic: str = "ltl") -> list[Property]:
    """One formula a line; ``#`` starts a comment line; ``name: formula`` names it."""
    lines = _LINE_END.split(read_text(path))  # not splitlines: it breaks at odd characters too
    properties = [
        LOGICS[logic](_property(path, number, line.strip()))
        for number, line in enumerate(lines, start=1)
        if line.strip() and not line.strip().startswith("#")
    ]
    if not properties:
        raise FormulaError("the file has no formula", path=path)
    return properties


def read_text(path: str | Path) -> str:
    """A text file's content, with the operating system's complaint as a ``FormulaError``."""
    try:
        return Path(path).read_text(encoding="utf-8-sig")  # some editors begin with a mark
    except OSError as error:
        raise FormulaError(error.strerror or str(error), path=path) from None
    except UnicodeDecodeError:
        raise FormulaError("the file is not UTF-8 text", path=path) from None


def _property(path: str | Path, number: int, line: str) -> Property:
    name, text = _named(line, f"{Path(path).name}-{number}")
    if not text:
        raise FormulaError(f"no formula after '{name}:'", path=path, line=number)
    return Property(name, text, path=str(path), line=number)


def _named(text: str, name: str) -> tuple[str, str]:
    """The name and the formula of ``name: formula``; of a formula alone, with the name given."""
    named = _NAMED_LINE.fullmatch(text.strip())
    return (named[1], named[2]) if named else (name, text)


def _as_lrl(prop: Property) -> Property:
    try:
        return replace(prop, lrl=parse_lrl(prop.text))
    except FormulaError as error:
        raise (error if prop.path is None else error.located(prop.path, prop.line)) from None
