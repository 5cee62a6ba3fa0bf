"""Suites: TOML files that say which nets, formulas and configurations are measured."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from mpisog.errors import UsageError, nearest
from mpisog.sizes import parse_bytes

SUITES = Path(__file__).with_name("suites")
"""What is shipped; in a clone also ``benchmarks/suites``."""
COMMANDS = ("check", "states", "unfold")
PLOTS = ("scatter", "cactus", "speedup", "balance", "phases", "growth")


@dataclass(frozen=True)
class NetSpec:
    """Nets of a family by ``sizes``, of the contest by patterns, or files by patterns."""

    family: str | None = None
    sizes: tuple[int | str, ...] = ()
    contest: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    name: str = "{family} {size}"
    """How the nets of a family are called."""
    formulas: tuple[str, ...] = ()
    """LTL formulas for these nets only; ``name: formula`` names one."""
    lrl: tuple[str, ...] = ()
    expected: str = ""
    """A letter a formula, T or F, or - where nothing is known: what a paper says."""


@dataclass(frozen=True)
class RandomSpec:
    """Random formulas without X by Spot, of exactly ``size``."""

    count: int = 0
    """Formulas as they come; or else, with ``hold`` and ``fail``, so many of each verdict."""
    hold: int = 0
    fail: int = 0
    size: int = 8
    seed: int = 1
    atoms: int = 0
    """Places they speak of, chosen with the seed; 0: all."""
    elements: str = "places"
    """``places``, ``transitions`` or ``both``."""
    reference: tuple[str, ...] = ()
    """Options of ``mpisog check`` for the run that decides what holds."""
    reference_timeout: float = 10.0

    @property
    def is_filtered(self) -> bool:
        """Whether verdicts decide which formulas are taken."""
        return bool(self.hold or self.fail)


@dataclass(frozen=True)
class FormulaSpec:
    """Where formulas come from; several sources add up."""

    fixed: tuple[str, ...] = ()
    xml: tuple[str, ...] = ()
    """Examinations of the contest: ``LTLCardinality`` is ``LTLCardinality.xml`` beside the net."""
    family: bool = False
    """The LRL formulas that the family's paper has."""
    random: RandomSpec | None = None


@dataclass(frozen=True)
class Configuration:
    """One way to run: options of a mpisog command, or a peer."""

    name: str
    command: str = "check"
    options: tuple[str, ...] = ()
    ranks: int = 1
    peer: str | None = None
    nets: tuple[str, ...] = ("*",)
    """Patterns of the nets that it is for."""


@dataclass(frozen=True)
class Limits:
    """Of each formula: seconds, and memory of a process."""

    timeout: float = 60.0
    memory: int | None = None
    repeat: int = 1
    """Runs of each; reports take the median."""


@dataclass(frozen=True)
class Plot:
    """A picture: what kind, and of which configurations."""

    kind: str
    title: str = ""
    x: str = ""
    y: str = ""
    configurations: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    """Figures stacked on each other, in seconds."""


@dataclass(frozen=True)
class Scores:
    """What a competition has published."""

    name: str
    of: int
    """The most that a tool could have."""
    points: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Suite:
    """Everything a suite's file says."""

    name: str
    title: str
    text: str = ""
    """What the paper did, and how this differs."""
    nets: tuple[NetSpec, ...] = ()
    formulas: FormulaSpec = FormulaSpec()
    configurations: tuple[Configuration, ...] = ()
    limits: Limits = Limits()
    batch: bool = False
    """One process checks all formulas of a net."""
    oracle: str | None = None
    """A table of known verdicts, beside the contest's nets."""
    columns: tuple[str, ...] = ()
    """Figures of results that the table shows."""
    plots: tuple[Plot, ...] = ()
    published: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    """By net, then by tool: the paper's figures."""
    scores: Scores | None = None
    notes: tuple[str, ...] = ()

    def configuration(self, name: str) -> Configuration:
        """The one of that name."""
        return next(c for c in self.configurations if c.name == name)


def suite_names() -> list[str]:
    """The shipped suites."""
    return sorted(path.stem for path in SUITES.glob("*.toml"))


def find_suite(name: str) -> Path:
    """A file, or the shipped suite of that name."""
    path, shipped = Path(name), SUITES / f"{name}.toml"
    if path.suffix == ".toml" and path.is_file():
        return path
    if shipped.is_file():
        return shipped
    hint = nearest(name, suite_names()) or "see 'mpisog bench list'"
    raise UsageError(f"there is no suite '{name}'", hint=hint)


def load_suite(path: Path, name: str | None = None) -> Suite:
    """Read and check a suite; its mistakes are ``UsageError`` with the file's name."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(error.strerror or str(error), path=path) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"no TOML: {error}", path=path) from None
    try:
        return parse_suite(table, name or path.stem)
    except UsageError as error:
        raise error.located(path) from None


def parse_suite(table: Mapping[str, Any], name: str) -> Suite:
    """A suite from its table."""
    suite: Suite = _made(Suite, {"name": name, **table}, "the suite")
    names = [c.name for c in suite.configurations]
    if not suite.nets or not names:
        raise UsageError("a suite needs [[nets]] and [[configurations]]")
    if len(set(names)) < len(names):
        raise UsageError("two configurations have the same name")
    if suite.limits.repeat < 1 or not suite.limits.timeout > 0:
        raise UsageError("[limits] needs a positive 'timeout' and 'repeat'")
    for configuration in suite.configurations:
        _one_of(configuration.command, COMMANDS, "command")
    for plot in suite.plots:
        _one_of(plot.kind, PLOTS, "plot")
        for wanted in (plot.x, plot.y, *plot.configurations):
            if wanted:
                _one_of(wanted, names, "configuration")
    return suite


def reduced(suite: Suite, *, formulas: int | None, timeout: float | None) -> Suite:
    """The suite with fewer formulas and another time limit, as options of the command ask."""
    if timeout is not None:
        suite = replace(suite, limits=replace(suite.limits, timeout=timeout))
    random = suite.formulas.random
    if formulas is not None and random is not None:
        counts: dict[str, Any] = {"count": formulas}
        if random.is_filtered:
            share = formulas / (random.hold + random.fail)
            counts = {kind: round(getattr(random, kind) * share) for kind in ("hold", "fail")}
        random = replace(random, **counts)
        suite = replace(suite, formulas=replace(suite.formulas, random=random))
    return suite


def _one_of(word: str, known: Sequence[str], what: str) -> None:
    if word not in known:
        hint = nearest(word, known) or f"known: {', '.join(known)}"
        raise UsageError(f"there is no {what} '{word}'", hint=hint)


_PARTS: Mapping[str, type] = {
    "nets": NetSpec,
    "configurations": Configuration,
    "plots": Plot,
    "formulas": FormulaSpec,
    "random": RandomSpec,
    "limits": Limits,
    "scores": Scores,
}


def _made(kind: type, table: Mapping[str, Any], where: str) -> Any:
    """A dataclass from a table: lists become tuples, tables the classes they stand for."""
    known = {f.name: f for f in fields(kind)}
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in known:
            raise UsageError(f"{where} has no '{key}'", hint=nearest(key, known))
        values[key] = _value(kind, key, value)
        if not _fits(values[key], str(known[key].type)):
            raise UsageError(f"{where} sets '{key}' to {value!r}, which is of the wrong kind")
    missing = [n for n in ("name", "title", "kind") if n in known and _required(known[n], values)]
    if missing:
        raise UsageError(f"{where} needs '{missing[0]}'")
    return kind(**values)


def _required(found: Any, values: Mapping[str, Any]) -> bool:
    from dataclasses import MISSING

    return found.default is MISSING and found.name not in values


def _value(kind: type, key: str, value: Any) -> Any:
    part = _PARTS.get(key)
    if part is not None and isinstance(value, list) and all(isinstance(v, dict) for v in value):
        return tuple(_made(part, entry, f"[[{key}]]") for entry in value)
    if part is not None and isinstance(value, dict):
        return _made(part, value, f"[{key}]")
    if kind is Limits and key == "memory":
        try:
            return parse_bytes(str(value))
        except ValueError:
            raise UsageError(f"'{value}' is no size", hint="such as 500M or 8G") from None
    return tuple(value) if isinstance(value, list) else value


def _fits(value: Any, kind: str) -> bool:
    """Whether a value is of the annotated kind, as far as a suite's file can be wrong."""
    if kind.startswith("tuple[str"):
        return isinstance(value, tuple) and all(isinstance(v, str) for v in value)
    if kind.startswith("tuple"):
        return isinstance(value, tuple)
    words: dict[str, type | tuple[type, ...]] = {
        "str": str, "int": int, "bool": bool, "float": (int, float),
    }  # fmt: skip
    wanted = words.get(kind.removesuffix(" | None"))
    return wanted is None or (value is None or isinstance(value, wanted))
