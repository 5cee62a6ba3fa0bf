"""The nets of a suite as files, and formulas as they are given to ``mpisog check``."""

from __future__ import annotations

import csv
import hashlib
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from mpisog.bench.suite import NetSpec, Suite
from mpisog.errors import UsageError, nearest
from mpisog.nets.generators import BOARD_FAMILIES, FAMILIES, formulas_of, generate, generate_board
from mpisog.nets.load import write_net
from mpisog.nets.model import PetriNet

CONTEST_VARIABLE = "MPISOG_MCC_DIR"
_LETTERS = {"T": "TRUE", "F": "FALSE", "-": None}
_NAMED = re.compile(r"([A-Za-z_][\w.-]*)\s*:(?![\]:])\s*(.*)")


@dataclass(frozen=True)
class Formula:
    """A formula, the option it is given with, and the verdict that is known beforehand."""

    name: str
    text: str
    logic: str
    """``ltl``, ``lrl``, ``xml`` (the text is the property's id), or ``none`` for a net alone."""
    source: str | None = None
    """The XML file."""
    expected: str | None = None

    @property
    def options(self) -> list[str]:
        """What ``mpisog check`` gets."""
        if self.logic == "xml":
            return ["-x", str(self.source), "--property", self.text]
        return [{"ltl": "-f", "lrl": "-l"}[self.logic], self.text]


NO_FORMULA = Formula("net", "", "none")


@dataclass(frozen=True)
class Case:
    """A net, and the formulas that are no random ones."""

    net: str
    path: Path
    digest: str
    formulas: tuple[Formula, ...]
    size: float | None = None
    """The family's parameter, for pictures of growth."""


def cases(suite: Suite, folder: Path, patterns: Sequence[str] = ()) -> list[Case]:
    """All nets of a suite, written to the folder where they are generated."""
    found = [
        case
        for spec in suite.nets
        for case in _cases(spec, suite, folder)
        if not patterns or any(fnmatch(case.net, pattern) for pattern in patterns)
    ]
    if not found:
        raise UsageError(f"no net of suite '{suite.name}' is called {' or '.join(patterns)}")
    return found


def net_names(suite: Suite) -> list[str]:
    """What the nets are called, as far as that is known without making them."""
    return [
        name
        for spec in suite.nets
        for name in ([_name(spec, size) for size in spec.sizes] or [*spec.contest, *spec.files])
    ]


def _cases(spec: NetSpec, suite: Suite, folder: Path) -> Iterator[Case]:
    for size in spec.sizes:
        yield _generated(spec, size, suite, folder)
    for path in _contest_nets(spec.contest, suite):
        known = _oracle(path.parent.parent, suite.oracle)
        written = _judged(_own(spec, suite), spec.expected)
        formulas = [*written, *_xml_formulas(path.parent, suite.formulas.xml, known)]
        yield _case(path.parent.name, path, formulas)
    for pattern in spec.files:
        for path in _files(pattern):
            written = _judged(_own(spec, suite), spec.expected)
            formulas = [*written, *_xml_formulas(path.parent, suite.formulas.xml, {})]
            yield _case(path.stem, path, formulas)


def _generated(spec: NetSpec, size: int | str, suite: Suite, folder: Path) -> Case:
    name = _name(spec, size)
    path = folder / f"{name.replace(' ', '-').replace('/', '-')}.pnml"
    family = str(spec.family)
    if family in BOARD_FAMILIES:
        net, lrl = generate_board(family, str(size))
    else:
        net = generate(family, int(size))
        has_formulas = suite.formulas.family and FAMILIES[family].formulas is not None
        lrl = formulas_of(family, int(size)) if has_formulas else ()
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _write_at_once(net, path)
    formulas = [Formula(n, text, "lrl") for n, text in lrl] if suite.formulas.family else []
    parameter = float(size) if isinstance(size, int) else None
    return _case(name, path, _judged([*formulas, *_own(spec, suite)], spec.expected), parameter)


def _write_at_once(net: PetriNet, path: Path) -> None:
    """Jobs of an array share the folder: none may see half a net."""
    with tempfile.TemporaryDirectory(dir=path.parent) as scratch:
        whole = Path(scratch, path.name)
        write_net(net, whole)
        whole.replace(path)


def _name(spec: NetSpec, size: int | str) -> str:
    return spec.name.format(family=spec.family, size=size)


def _case(name: str, path: Path, formulas: Sequence[Formula], size: float | None = None) -> Case:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Case(name, path.resolve(), digest, tuple(formulas), size)


def _own(spec: NetSpec, suite: Suite) -> list[Formula]:
    """The formulas that are written in the suite's file."""
    found = []
    for logic, texts in (("ltl", (*suite.formulas.fixed, *spec.formulas)), ("lrl", spec.lrl)):
        for number, text in enumerate(texts, start=1):
            named = _NAMED.fullmatch(text)
            name, bare = named.groups() if named else (f"{logic}-{number}", text)
            found.append(Formula(name, bare, logic))
    return found


def _judged(formulas: Sequence[Formula], letters: str) -> list[Formula]:
    """With the verdicts that a paper gives, one letter a formula."""
    if not letters:
        return list(formulas)
    if len(letters) != len(formulas):
        raise UsageError(f"expected = '{letters}', but there are {len(formulas)} formulas")
    return [
        Formula(f.name, f.text, f.logic, f.source, _LETTERS[letter])
        for f, letter in zip(formulas, letters, strict=True)
    ]


def contest_folder() -> Path | None:
    """Where the contest's nets are: a folder for each, with ``model.pnml`` in it."""
    for text in (os.environ.get(CONTEST_VARIABLE), "../shared/mcc"):
        if text and Path(text).is_dir():
            return Path(text).resolve()
    return None


def _contest_nets(patterns: Sequence[str], suite: Suite) -> list[Path]:
    if not patterns:
        return []
    folder = contest_folder()
    if folder is None:
        raise UsageError(
            f"suite '{suite.name}' needs the contest's nets",
            hint=f"set {CONTEST_VARIABLE} to a folder with one folder a net",
        )
    names = sorted(path.parent.name for path in folder.glob("*/model.pnml"))
    found: list[str] = []
    for pattern in patterns:
        matches = [name for name in names if fnmatch(name, pattern)]
        if not matches:
            raise UsageError(f"no net '{pattern}' in {folder}", hint=nearest(pattern, names))
        found += [name for name in matches if name not in found]
    return [folder / name / "model.pnml" for name in found]


def _files(pattern: str) -> list[Path]:
    path = Path(pattern)
    found = sorted(path.parent.glob(path.name)) if not path.is_file() else [path]
    if not found:
        raise UsageError("no such net", path=pattern)
    return found


def _xml_formulas(
    folder: Path, examinations: Sequence[str], known: Mapping[str, str]
) -> Iterator[Formula]:
    from lxml import etree

    for examination in examinations:
        path = folder / f"{examination}.xml"
        if path.is_file():
            for node in etree.parse(str(path)).iter("{*}id"):
                name = str(node.text).strip()
                yield Formula(name, name, "xml", str(path), known.get(name))


def _oracle(folder: Path, name: str | None) -> Mapping[str, str]:
    """Known verdicts by the property's id."""
    known: dict[str, str] = {}
    if name is not None and (folder / name).is_file():
        with (folder / name).open(newline="", encoding="utf-8") as stream:
            for row in csv.DictReader(stream, delimiter="\t"):
                if row["verdict"] in ("TRUE", "FALSE"):
                    known[row["formula_id"]] = row["verdict"]
    return known
