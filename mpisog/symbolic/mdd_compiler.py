"""Steps and conditions as a kernel of the ``mdd`` backend takes them: by level, each made once.

Native code points to events and atoms, so none is ever replaced or thrown away.
"""

from __future__ import annotations

from collections.abc import Sequence

from mpisog import _native
from mpisog.budget import Budget
from mpisog.formulas.atoms import Comparison, Dead, Fireable, StateAtom
from mpisog.nets.model import Marking, PetriNet
from mpisog.symbolic.protocol import Condition, HashedOnce, Step, Terms, all_steps

LabelledSteps = tuple[tuple[Step, ...], tuple[Condition, ...]]
"""Steps, and the label they must keep."""

STEPS_BETWEEN_LOOKS = 4096
"""At the budget, while steps are compiled."""

_COMPARISONS = {
    "<=": _native.SetComparison.le,
    ">=": _native.SetComparison.ge,
    "==": _native.SetComparison.eq,
    "!=": _native.SetComparison.ne,
    "<": _native.SetComparison.lt,
    ">": _native.SetComparison.gt,
}


class MddCompiler:
    """What one kernel knows of a net whose places have this order."""

    def __init__(
        self, net: PetriNet, order: tuple[int, ...], kernel: _native.Sets, budget: Budget
    ) -> None:
        self.budget = budget
        """Ends the compilation of many steps."""
        self._net = net
        self._order = order
        self._kernel = kernel
        self._level = {place: level for level, place in enumerate(order)}
        self._levels_of_places = [self._level[place] for place in range(len(order))]
        self._event: dict[Step, _native.Event] = {}
        self._events: dict[tuple[Step, ...], _native.Events] = {}
        self._atoms: dict[tuple[StateAtom, ...], _native.Atoms] = {}
        self._fireable: dict[tuple[int, ...], _native.Events] = {}
        self._labelled: dict[LabelledSteps, _native.LabelledEvents | None] = {}
        """Nothing where that is too complex for the kernel."""
        self._all_steps = HashedOnce(all_steps(net))

    def by_level(self, terms: Terms) -> list[tuple[int, int]]:
        """A linear form."""
        return [(self._level[place], coefficient) for place, coefficient in terms]

    def to_levels(self, marking: Marking) -> list[int]:
        """A marking."""
        return list(map(marking.__getitem__, self._order))

    def to_marking(self, values: Sequence[int]) -> Marking:
        """The marking again."""
        return tuple(map(values.__getitem__, self._levels_of_places))

    def comparison(
        self, atom: Comparison
    ) -> tuple[list[tuple[int, int]], _native.SetComparison, int]:
        """Linear form, operator and bound."""
        return self.by_level(atom.terms), _COMPARISONS[atom.op], atom.bound

    def atoms(self, atoms: tuple[StateAtom, ...]) -> _native.Atoms:
        """Atoms to split by."""
        if atoms not in self._atoms:
            self._atoms.setdefault(atoms, self._compile_atoms(atoms))
        return self._atoms[atoms]

    def _compile_atoms(self, atoms: tuple[StateAtom, ...]) -> _native.Atoms:
        compiled = _native.Atoms(self._kernel)
        for atom in atoms:
            match atom:
                case Comparison():
                    compiled.compare(*self.comparison(atom))
                case Fireable(transitions):
                    compiled.fireable(self.firings(transitions))
                case Dead():
                    compiled.dead(self.all_steps)
        return compiled

    def firings(self, transitions: tuple[int, ...]) -> _native.Events:
        """Transitions without further guards."""
        if transitions not in self._fireable:
            self._fireable[transitions] = self.steps([Step(t) for t in transitions])
        return self._fireable[transitions]

    @property
    def all_steps(self) -> _native.Events:
        """All transitions of the net."""
        return self.steps(self._all_steps)

    def labelled(
        self, steps: tuple[Step, ...], label: tuple[Condition, ...]
    ) -> _native.LabelledEvents | None:
        """Steps that keep a label; nothing where that is too complex."""
        key = (steps, label)
        if key not in self._labelled:
            self._labelled[key] = self._labelled_events(steps, label)
        return self._labelled[key]

    def give_up(self, steps: tuple[Step, ...], label: tuple[Condition, ...]) -> None:
        """These turned out to be too complex."""
        self._labelled[steps, label] = None

    def _labelled_events(
        self, steps: tuple[Step, ...], label: tuple[Condition, ...]
    ) -> _native.LabelledEvents | None:
        comparisons = [
            (*self.comparison(atom), truth) for atom, truth in label if isinstance(atom, Comparison)
        ]
        enabled = [
            (self.firings(atom.transitions), truth)
            for atom, truth in label
            if isinstance(atom, Fireable)
        ]
        return self._kernel.labelled(self.steps(steps), comparisons, enabled)

    def steps(self, steps: Sequence[Step]) -> _native.Events:
        """Steps in their order."""
        key = steps if isinstance(steps, tuple) else tuple(steps)
        if key not in self._events:
            for number, step in enumerate(set(key).difference(self._event)):
                if number % STEPS_BETWEEN_LOOKS == 0:
                    self.budget.check()
                self._event[step] = self._compile(step)
            events = _native.Events(self._kernel, [self._event[step] for step in key])
            self._events.setdefault(key, events)
        return self._events[key]

    def _compile(self, step: Step) -> _native.Event:
        """(level, at least, at most, change) for every place the step looks at or changes."""
        transition = self._net.transitions[step.transition]
        pre, post = dict(transition.pre), dict(transition.post)
        lower, upper = dict(step.at_least), dict(step.at_most)
        return _native.Event(
            [
                (
                    self._level[place],
                    max(pre.get(place, 0), lower.get(place, 0)),
                    upper.get(place),
                    post.get(place, 0) - pre.get(place, 0),
                )
                for place in {*pre, *post, *lower, *upper}
            ]
        )
