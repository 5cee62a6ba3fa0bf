"""The Python interface: ``check``, ``states``, ``info``, ``reduce`` and ``build_sog``.

Settings are keyword arguments, those of ``Settings``. The configuration file and the environment
are for the command line and play no part here.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, overload

from mpisog.budget import Budget, limit_memory
from mpisog.config import RunConfig, parse_setting
from mpisog.engines.state_space import StateFigures, explore
from mpisog.errors import nearest
from mpisog.executor.checks import check_all
from mpisog.formulas.properties import LOGICS, Property, from_texts
from mpisog.nets.load import load_net
from mpisog.nets.model import PetriNet
from mpisog.nets.structure import NetFacts, net_facts
from mpisog.verdict import Result

if TYPE_CHECKING:
    from mpisog.sog.whole import WholeGraph
    from mpisog.trace.explain import Explanation

NetLike = PetriNet | str | PathLike[str]
"""A net, or the path of its file."""


class Settings(TypedDict, total=False):
    """How a check runs; none of it changes a verdict that there is."""

    engine: str
    reduce: str
    emptiness: str
    backend: str
    aggregation: str
    forbid: int
    aggregate_nodes: int
    variant: str
    threads: int
    jobs: int
    parallel: str
    strategy: str
    placement: str
    digest: str
    log_dir: str
    timeout: float | None
    total_timeout: float | None
    memory: int | str | None
    shorten: float
    shortest: bool


@dataclass(frozen=True, repr=False)
class CheckResult(Result):
    """The outcome of checking one formula; in a notebook it shows the counterexample."""

    def __repr__(self) -> str:
        count = 0 if self.trace is None else len(self.trace.steps)
        steps = "" if self.trace is None else f", {count} step{'s' if count != 1 else ''}"
        reason = "" if self.reason is None else f", {self.reason}"
        return f"<{self.verdict} {self.formula!r} {self.seconds:.3f} s{steps}{reason}>"

    def __str__(self) -> str:
        """The text that the command line prints."""
        from mpisog.report.text import result_text

        return result_text(self, story=self.explain())

    def explain(self, *, ids: bool = False) -> Explanation | None:
        """What the counterexample shows; nothing without one."""
        from mpisog.trace.explain import explain

        if self.trace is None or self.bound is None:
            return None
        return explain(self.trace, self.bound, Budget(), ids=ids)

    def to_json(self) -> dict[str, object]:
        """The result as in the JSON report (docs/json.md)."""
        from mpisog.report.json_report import result_data

        return result_data(self, self.explain())

    def to_html(self) -> str:
        """A page of its own, as ``mpisog check --html`` writes it."""
        from mpisog.report.page import check_page

        story = self.explain()
        net = None if self.trace is None else self.trace.net
        if story is None or net is None:
            raise ValueError("there is no counterexample to look at")
        return check_page(net, "", [self], {self.name: story})

    def _repr_html_(self) -> str:
        story = self.explain()
        if story is None:
            return f"<code>{html.escape(repr(self))}</code>"
        from mpisog.report.page import figure

        return figure(self, story)


@dataclass(frozen=True)
class Reduced:
    """A net shrunk for a formula."""

    net: PetriNet
    formula: str
    rules: Mapping[str, int]
    """How often each rule was used."""


@dataclass(frozen=True, repr=False)
class Sog:
    """A whole symbolic observation graph."""

    figures: Mapping[str, int | None]
    aggregates: Sequence[Mapping[str, object]]
    edges: Sequence[Mapping[str, object]]
    _whole: WholeGraph[Any]

    def __repr__(self) -> str:
        return f"<SOG: {self.figures['aggregates']} aggregates, {self.figures['edges']} edges>"

    def to_dot(self) -> str:
        """For Graphviz."""
        from mpisog.report.sog_export import to_dot

        return to_dot(self._whole)

    def to_html(self) -> str:
        """A page, as ``mpisog sog --html`` writes it."""
        from mpisog.report.sog_page import sog_page

        return sog_page(self._whole, 0.0)


@overload
def check(
    net: NetLike, formula: str, logic: str = "ltl", **settings: Unpack[Settings]
) -> CheckResult: ...


@overload
def check(
    net: NetLike,
    formula: list[str] | tuple[str, ...],
    logic: str = "ltl",
    **settings: Unpack[Settings],
) -> list[CheckResult]: ...


def check(
    net: NetLike,
    formula: str | list[str] | tuple[str, ...],
    logic: str = "ltl",
    **settings: Unpack[Settings],
) -> CheckResult | list[CheckResult]:
    """Check an LTL formula: ``check("net.pnml", "G(p -> F q)", timeout=10)``.

    With ``logic="lrl"`` it is LRL: ``check("net.pnml", "E<> p", logic="lrl")``. The result has
    ``verdict`` (``Verdict.TRUE``, ``FALSE`` or ``UNKNOWN``), ``reason`` (of an UNKNOWN) and
    ``trace``: the replayed counterexample of a FALSE, or the replayed witness of an existential LRL
    formula that is TRUE (``trace_kind`` says which). A list of formulas gives a list of results;
    what the formulas share is built once.
    """
    if isinstance(formula, str):
        return check_many(net, [formula], logic, **settings)[0]
    return check_many(net, formula, logic, **settings)


def check_many(
    net: NetLike, formulas: Sequence[str], logic: str = "ltl", **settings: Unpack[Settings]
) -> list[CheckResult]:
    """Check several formulas on one net; what they share is built once."""
    if isinstance(formulas, str):  # it would be taken for a list of its letters
        raise TypeError(f"'{formulas}' is one formula, not a list of formulas: use check")
    if logic not in LOGICS:
        raise ValueError(f"no logic is called '{logic}': there are {', '.join(LOGICS)}")
    results = check_all(_net(net), from_texts(formulas, logic), _config(settings))
    return [_for_users(result) for result in results]


def states(
    net: NetLike,
    engine: str = "auto",
    timeout: float | None = None,
    memory: int | str | None = None,
    threads: int = 1,
) -> StateFigures:
    """Count markings, firings and dead markings; raises ``LimitReached`` at a limit."""
    config = _config({"timeout": timeout, "memory": memory, "threads": threads})
    budget = Budget(config.timeout, limit_memory(config.memory))
    return explore(_net(net), budget, engine, threads=config.threads)


def info(net: NetLike, seconds: float = 4.0) -> NetFacts:
    """Sizes, class, invariants and other facts that the structure of a net tells."""
    return net_facts(_net(net), seconds)


def reduce(net: NetLike, formula: str, level: str = "full") -> Reduced:
    """The net shrunk so that the formula keeps its verdict; ``level`` is ``safe`` or ``full``."""
    from mpisog.reductions.driver import reduce as shrink
    from mpisog.spotglue.ltl import bind, shown

    loaded = _net(net)
    reduction = shrink(loaded, bind(Property("formula", formula), loaded), level, Budget())
    return Reduced(reduction.net, shown(reduction.bound, reduction.net), dict(reduction.rules))


def build_sog(net: NetLike, formula: str | Sequence[str], **settings: Unpack[Settings]) -> Sog:
    """The whole symbolic observation graph of what the formulas observe."""
    from mpisog.engines.resources import NetResources, observe
    from mpisog.report.sog_export import figures, graph_data
    from mpisog.sog.graph import ObservationGraph
    from mpisog.sog.whole import explore_whole
    from mpisog.spotglue.ltl import bind

    loaded, config = _net(net), _config(settings)
    texts = [formula] if isinstance(formula, str) else formula
    bound = [bind(prop, loaded) for prop in from_texts(texts)]
    atoms = list(dict.fromkeys(atom for each in bound for atom in each.atoms))
    budget = Budget(config.timeout, limit_memory(config.memory))
    domain = NetResources(loaded).observing_domain(atoms, config, budget)
    whole = explore_whole(ObservationGraph(domain, observe(loaded, atoms, config)))
    graph: Mapping[str, Any] = graph_data(whole)
    return Sog(figures(whole), graph["aggregates"], graph["edges"], whole)


def _for_users(result: Result) -> CheckResult:
    return CheckResult(**{field.name: getattr(result, field.name) for field in fields(result)})


def _net(net: NetLike) -> PetriNet:
    return net if isinstance(net, PetriNet) else load_net(fspath(net))


def _config(settings: Mapping[str, object]) -> RunConfig:
    given = {name: value for name, value in settings.items() if value is not None}
    known = [field.name for field in fields(RunConfig)]
    if unknown := sorted(set(given) - set(known)):
        hint = nearest(unknown[0], known)
        raise TypeError(f"no setting is called '{unknown[0]}'" + (f" ({hint})" if hint else ""))
    return RunConfig(**{n: parse_setting(n, v, "the call") for n, v in given.items()})
