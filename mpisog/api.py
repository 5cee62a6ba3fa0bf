"""The Python interface: ``check`` one formula, ``check_many``, count ``states``.

Settings are the fields of ``RunConfig`` as keyword arguments; the configuration file and the
environment are for the command line and play no part here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from os import PathLike, fspath
from typing import Any

from mpisog.config import RunConfig, parse_setting
from mpisog.engines.checking import check_all
from mpisog.engines.exploring import StateFigures, explore
from mpisog.formulas.properties import from_texts
from mpisog.limits import Watch, memory_budget
from mpisog.nets.load import load_net
from mpisog.nets.model import PetriNet
from mpisog.verdict import Result

NetLike = PetriNet | str | PathLike[str]


def check(net: NetLike, formula: str, **settings: Any) -> Result:
    """Check one LTL formula: ``check("net.pnml", "G(p -> F q)", engine="explicit")``.

    The result has ``verdict`` (``Verdict.TRUE``, ``FALSE`` or ``UNKNOWN``), ``reason`` (of an
    UNKNOWN) and ``trace`` (the certified counterexample of a FALSE).
    """
    return check_many(net, [formula], **settings)[0]


def check_many(net: NetLike, formulas: Sequence[str], **settings: Any) -> list[Result]:
    """Check several formulas on one net; what they share is built once."""
    return list(check_all(_net(net), from_texts(formulas), _config(settings)))


def states(
    net: NetLike,
    engine: str = "auto",
    timeout: float | None = None,
    memory: int | str | None = None,
) -> StateFigures:
    """Count markings, firings and dead markings; raises ``LimitReached`` at a limit."""
    config = _config({"timeout": timeout, "memory": memory})
    watch = Watch(config.timeout, memory_budget(config.memory))
    return explore(_net(net), watch, engine)


def _net(net: NetLike) -> PetriNet:
    return net if isinstance(net, PetriNet) else load_net(fspath(net))


def _config(settings: dict[str, Any]) -> RunConfig:
    given = {name: value for name, value in settings.items() if value is not None}
    unknown = set(given) - {field.name for field in fields(RunConfig)}
    if unknown:
        raise TypeError(f"unknown setting {', '.join(sorted(unknown))}")
    return RunConfig(**{n: parse_setting(n, v, "the call") for n, v in given.items()})
