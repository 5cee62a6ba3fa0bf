"""What a worker needs to know of a run, as bytes: net, formulas, settings.

Only who has read the files has these. No other process reads a file or a setting.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from itertools import count

from mpisog.config import RunConfig
from mpisog.engines.batch import Batch, own_team
from mpisog.engines.task import Task
from mpisog.errors import MessageError
from mpisog.formulas.properties import Property
from mpisog.nets.model import PetriNet
from mpisog.spotglue.ltl import BoundFormula, parse
from mpisog.team.net_bytes import read_atoms, read_net, write_atoms, write_net
from mpisog.transport.codec import Reader, Value, Writer


def write_batch(batch: Batch) -> bytes:
    """Its bytes."""
    out = Writer()
    out.values(_settings(batch.config))
    write_net(out, batch.net, names=True)
    out.u32(len(batch.properties))
    for prop, bound, tasks in zip(batch.properties, batch.bounds, batch.tasks, strict=True):
        out.text(prop.name)
        _write_bound(out, bound)
        out.u32(len(tasks))
        for task in tasks:
            out.u8(task.conjunct)
            if task.conjunct:
                _write_bound(out, task.bound)
    return bytes(out.data)


def read_batch(body: bytes) -> Batch:
    """From its bytes; ``MessageError`` for others."""
    data = Reader(body)
    config, net = _config(data.values()), read_net(data)
    properties: list[Property] = []
    bounds: list[BoundFormula] = []
    tasks: list[list[Task]] = []
    numbers = count()
    for number in range(data.u32()):
        name, bound = data.text(), _read_bound(data, net)
        properties.append(Property(name, bound.text))
        bounds.append(bound)
        tasks.append(
            [_read_task(data, net, next(numbers), number, bound) for _ in range(data.u32())]
        )
    return Batch(net, properties, bounds, [None] * len(bounds), tasks, config, own_team(config))


def _read_task(
    data: Reader, net: PetriNet, number: int, property: int, whole: BoundFormula
) -> Task:
    conjunct = bool(data.u8())
    bound = _read_bound(data, net) if conjunct else whole
    return Task(number, property, bound, conjunct)


def write_config(config: RunConfig) -> bytes:
    """The settings alone."""
    out = Writer()
    out.values(_settings(config))
    return bytes(out.data)


def read_config(body: bytes) -> RunConfig:
    """The settings again."""
    return _config(Reader(body).values())


def _settings(config: RunConfig) -> dict[str, Value]:
    return {field.name: getattr(config, field.name) for field in fields(config)}


def _config(settings: Mapping[str, Value]) -> RunConfig:
    if {*settings} != {field.name for field in fields(RunConfig)}:
        raise MessageError("the message has settings of another version of mpisog")
    return RunConfig(**settings)  # type: ignore[arg-type]  # their types travelled with them


def _write_bound(out: Writer, bound: BoundFormula) -> None:
    out.text(bound.text)
    out.text(str(bound.formula))
    write_atoms(out, bound.atoms)


def _read_bound(data: Reader, net: PetriNet) -> BoundFormula:
    text, formula = data.text(), parse(data.text())
    return BoundFormula(text, formula, read_atoms(data, net))
