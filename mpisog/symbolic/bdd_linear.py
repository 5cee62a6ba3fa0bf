"""Linear comparisons as decision diagrams."""

from __future__ import annotations

from collections.abc import Iterable

from mpisog.budget import Budget
from mpisog.symbolic.bdd_encoding import Encoding, Function, children, name
from mpisog.symbolic.protocol import Terms

FEW_STATES = 500
"""Partial sums that are worth making for a comparison whatever the set."""

_Weights = tuple[tuple[str, int], ...]
"""Variables with the weights they have in a sum, topmost first."""

_State = tuple[Function, int]
"""The rest of a set, and the part of the bound that the rest of the sum may use."""


class Comparisons:
    """Finds the markings in which a comparison holds."""

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        self._budget = Budget()
        self._known: dict[tuple[_Weights, int], Function] = {}

    def under(self, budget: Budget) -> Comparisons:
        """The same, ended by this budget."""
        self._budget = budget
        return self

    def forget(self) -> None:
        """Places have got more bits."""
        self._known.clear()

    def holding(self, terms: Terms, op: str, bound: int, states: Function) -> Function:
        """The states in which the comparison holds."""
        match op:
            case "<=":
                return states & self._at_most(terms, bound, states)
            case "<":
                return self.holding(terms, "<=", bound - 1, states)
            case ">=":
                return self.holding([(place, -c) for place, c in terms], "<=", -bound, states)
            case ">":
                return self.holding(terms, ">=", bound + 1, states)
            case "==":
                return self.holding(terms, ">=", bound, self.holding(terms, "<=", bound, states))
            case "!=":
                return states & ~self.holding(terms, "==", bound, states)
        raise ValueError(f"no comparison is written '{op}'")

    def _at_most(self, terms: Terms, bound: int, states: Function) -> Function:
        """For all markings where that is no more work than the set itself, else for the set."""
        weights = self._weights(terms)
        known = self._known.get((weights, bound))
        if known is None:
            limit = max(FEW_STATES, states.dag_size)
            known = self._make(weights, bound, self._encoding.true, limit)
            if known is None:
                return self._make(weights, bound, self._observed(weights, states), None)
            self._known[weights, bound] = known
        return known

    def _observed(self, weights: _Weights, states: Function) -> Function:
        """What a set says about the variables of a sum."""
        others = set(self._encoding.manager.support(states)) - {variable for variable, _ in weights}
        return self._encoding.manager.exist(others, states)

    def _weights(self, terms: Terms) -> _Weights:
        """Variables with the weights they have in the sum, topmost first."""
        total: dict[int, int] = {}
        for place, coefficient in terms:
            total[place] = total.get(place, 0) + coefficient
        return tuple(
            (name(place, bit), total[place] << bit)
            for place in sorted(total, key=self._encoding.level)
            for bit in reversed(range(self._encoding.bits[place]))
        )

    def _make(
        self, weights: _Weights, bound: int, care: Function, limit: int | None
    ) -> Function | None:
        """Level by level down over partial sums, then up; nothing when there are too many."""
        layers: list[set[_State]] = [{(care, bound)}]
        rests = _rests([weight for _, weight in weights])
        for (variable, weight), rest in zip(weights, rests, strict=False):
            self._budget.check()
            open_states = (state for state in layers[-1] if self._decided(state, rest) is None)
            layers.append({s for state in open_states for s in self._next(state, variable, weight)})
            if limit is not None and sum(map(len, layers)) > limit:
                return None
        made: dict[_State, Function] = {}
        for position in reversed(range(len(layers))):
            self._budget.check()
            edge = weights[position] if position < len(weights) else ("", 0)
            made = {s: self._join(s, edge, rests[position], made) for s in layers[position]}
        return made[(care, bound)]

    def _join(
        self,
        state: _State,
        edge: tuple[str, int],
        rest: tuple[int, int],
        below: dict[_State, Function],
    ) -> Function:
        decided = self._decided(state, rest)
        if decided is not None:
            return decided
        low, high = (below[s] for s in self._next(state, *edge))
        return self._encoding.manager.ite(self._encoding.manager.var(edge[0]), high, low)

    def _decided(self, state: _State, rest: tuple[int, int]) -> Function | None:
        node, left = state
        least, most = rest
        if left < least or node == self._encoding.false:
            return self._encoding.false
        return node if left >= most else None

    def _next(self, state: _State, variable: str, weight: int) -> tuple[_State, _State]:
        node, left = state
        low, high = node, node
        if node.var == variable:
            low, high = children(node)
        return (low, left), (high, left - weight)


def _rests(weights: Iterable[int]) -> list[tuple[int, int]]:
    """The least and the largest sum of the weights from each position on."""
    rests = [(0, 0)]
    for weight in reversed(list(weights)):
        least, most = rests[-1]
        rests.append((least + min(weight, 0), most + max(weight, 0)))
    return rests[::-1]
