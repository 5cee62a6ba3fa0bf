"""LRL by plain CTL fixpoints over all markings: slow, separate from mpisog, obviously right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.reference import ltl
from tests.reference.checker import Marking, Net, true_atom
from tests.reference.ltl import Formula

FORMS = ("E<>", "A<>", "E[]", "A[]", "A[]<>", "E U", "A U", "-->", "==>")


@dataclass(frozen=True)
class Lrl:
    """A form with its conditions; ψ is not used by those with one condition."""

    form: str
    psi: Formula
    phi: Formula

    @property
    def existential(self) -> bool:
        return self.form.startswith("E")

    def text(self) -> str:
        psi, phi = ltl.text(self.psi), ltl.text(self.phi)
        if self.form in ("-->", "==>"):
            return f"({psi}) {self.form} ({phi})"
        if self.form.endswith("U"):
            return f"{self.form[0]}(({psi}) U ({phi}))"
        return f"{self.form} ({phi})"

    def as_ltl(self) -> Formula:
        """For all runs; of an existential formula, the negation."""
        forms: dict[str, Formula] = {
            "E<>": ("not", ("F", self.phi)),
            "A<>": ("F", self.phi),
            "E[]": ("not", ("G", self.phi)),
            "A[]": ("G", self.phi),
            "A[]<>": ("G", ("F", self.phi)),
            "E U": ("not", ("U", self.psi, self.phi)),
            "A U": ("U", self.psi, self.phi),
            "-->": ("G", ("implies", self.psi, ("F", self.phi))),
            "==>": ("G", ("implies", self.psi, ("F", self.phi))),
        }
        return forms[self.form]


def holds(net: Net, formula: Lrl, most: int) -> bool:
    """Whether the initial marking satisfies the formula; a dead marking repeats for ever."""
    graph = _Graph(net, most)
    every = set(graph.after)
    psi, phi = graph.where(formula.psi), graph.where(formula.phi)
    satisfying = {
        "E<>": lambda: graph.until(every, phi, any),
        "A<>": lambda: graph.until(every, phi, all),
        "E[]": lambda: every - graph.until(every, every - phi, all),
        "A[]": lambda: every - graph.until(every, every - phi, any),
        "E U": lambda: graph.until(psi, phi, any),
        "A U": lambda: graph.until(psi, phi, all),
        "A[]<>": lambda: graph.always_leads(every, phi),
        "-->": lambda: graph.always_leads(psi, phi),
        "==>": lambda: graph.always_leads(psi, phi),
    }[formula.form]()
    return net.freeze(net.initial) in satisfying


class _Graph:
    def __init__(self, net: Net, most: int) -> None:
        self._net = net
        self.after: dict[Marking, list[Marking]] = {}
        for marking in net.markings(most):
            thawed = net.thaw(marking)
            fired = [net.freeze(net.fire(name, thawed)) for name in net.enabled(thawed)]
            self.after[marking] = fired or [marking]

    def where(self, condition: Formula) -> set[Marking]:
        return {m for m in self.after if self._true(condition, m)}

    def until(
        self, psi: set[Marking], phi: set[Marking], quantifier: Callable[..., bool]
    ) -> set[Marking]:
        """The least set with φ, and ψ where one or all successors are in it."""
        found = set(phi)
        while True:
            more = {m for m in psi - found if quantifier(s in found for s in self.after[m])}
            if not more:
                return found
            found |= more

    def always_leads(self, psi: set[Marking], phi: set[Marking]) -> set[Marking]:
        every = set(self.after)
        bad = psi - self.until(every, phi, all)
        return every - self.until(every, bad, any)

    def _true(self, condition: Formula, marking: Marking) -> bool:
        head, *parts = condition
        if head == "ap":
            return true_atom(parts[0], self._net, self._net.thaw(marking), None)
        values = [self._true(part, marking) for part in parts]
        return {
            "true": lambda: True,
            "false": lambda: False,
            "not": lambda: not values[0],
            "and": lambda: all(values),
            "or": lambda: any(values),
            "implies": lambda: not values[0] or values[1],
        }[head]()
