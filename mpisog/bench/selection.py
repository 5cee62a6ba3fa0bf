"""Random formulas of a net: as they come, or so many that hold and so many that do not."""

from __future__ import annotations

import hashlib
import json
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path

from mpisog.bench.cases import Case, Formula
from mpisog.bench.commands import run_mpisog
from mpisog.bench.measure import Stop
from mpisog.bench.results import Record
from mpisog.bench.suite import Configuration, Limits, RandomSpec
from mpisog.errors import UsageError
from mpisog.nets.load import load_net
from mpisog.spotglue.random_formulas import endless_formulas

_AT_ONCE = 20
"""Candidates that one process decides."""
_MOST = 100
"""Candidates for each formula that is wanted, after which there are no more."""


@dataclass
class Selection:
    """What the reference has said about the first candidates of a net."""

    tried: int = 0
    hold: list[str] = field(default_factory=list)
    fail: list[str] = field(default_factory=list)

    def formulas(self, spec: RandomSpec) -> list[Formula]:
        """So many of each kind, with their verdicts; a longer selection keeps the same first."""
        kinds = (
            ("holds", self.hold[: spec.hold], "TRUE"),
            ("fails", self.fail[: spec.fail], "FALSE"),
        )
        return [
            Formula(f"{kind}-{number}", text, "ltl", expected=verdict)
            for kind, texts, verdict in kinds
            for number, text in enumerate(texts, start=1)
        ]

    def is_enough(self, spec: RandomSpec) -> bool:
        """Whether both kinds are complete, or further search is in vain."""
        complete = len(self.hold) >= spec.hold and len(self.fail) >= spec.fail
        return complete or self.tried >= _MOST * (spec.hold + spec.fail)


def unfiltered(case: Case, spec: RandomSpec) -> list[Formula]:
    """The first formulas of the seed."""
    return [
        Formula(f"random-{number}", text, "ltl")
        for number, text in enumerate(islice(_candidates(case, spec), spec.count), start=1)
    ]


def select(case: Case, spec: RandomSpec, known: Record | None, folder: Path, stop: Stop) -> Record:
    """Formulas of both verdicts by the reference configuration; goes on where ``known`` ended."""
    found = _continued(known, spec)
    candidates = islice(_candidates(case, spec), found.tried, None)
    while not found.is_enough(spec) and not stop:
        texts = list(islice(candidates, _AT_ONCE))
        for text, verdict in zip(texts, _verdicts(case, spec, texts, folder, stop), strict=True):
            kind = {"TRUE": found.hold, "FALSE": found.fail}.get(verdict)
            if kind is not None:
                kind.append(text)
        found.tried += len(texts)
    return {"type": "selection", "net": case.net, "spec": _identity(spec), **asdict(found)}


def selected(record: Record, spec: RandomSpec) -> list[Formula]:
    """The formulas of a selection that was written down."""
    return Selection(record["tried"], record["hold"], record["fail"]).formulas(spec)


def _continued(known: Record | None, spec: RandomSpec) -> Selection:
    if known is None or known["spec"] != _identity(spec):
        return Selection()
    return Selection(known["tried"], list(known["hold"]), list(known["fail"]))


def _identity(spec: RandomSpec) -> str:
    """Everything but how many are wanted."""
    values = {k: v for k, v in asdict(spec).items() if k not in ("count", "hold", "fail")}
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]


def _candidates(case: Case, spec: RandomSpec) -> Iterator[str]:
    return endless_formulas(_names(case, spec), spec.size, spec.seed)


def _names(case: Case, spec: RandomSpec) -> Sequence[str]:
    net = load_net(case.path)
    places = [place.id for place in net.places]
    transitions = [f"fire({{{t.id}}})" for t in net.transitions]
    kinds = {"places": places, "transitions": transitions, "both": [*places, *transitions]}
    if spec.elements not in kinds:
        raise UsageError(f"there are no formulas about '{spec.elements}'", hint=" or ".join(kinds))
    names = kinds[spec.elements]
    if not spec.atoms or spec.atoms >= len(names):
        return names
    return sorted(random.Random(spec.seed).sample(names, spec.atoms), key=names.index)


def _verdicts(
    case: Case, spec: RandomSpec, texts: Sequence[str], folder: Path, stop: Stop
) -> list[str]:
    formulas = [Formula(f"candidate-{n}", text, "ltl") for n, text in enumerate(texts)]
    reference = Configuration("reference", options=spec.reference)
    limits = Limits(timeout=spec.reference_timeout)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        _, answers = run_mpisog(reference, case.path, formulas, limits, Path(scratch), stop)
    unfit = next((a for a in answers if a["verdict"] in ("UNFIT", "ERROR")), None)
    if unfit is not None:
        raise UsageError(f"the reference cannot decide formulas of {case.net}: {unfit['reason']}")
    return [answer["verdict"] for answer in answers]
