"""Where a formula can tell whether a run stays in an aggregate for ever."""

from __future__ import annotations

from collections.abc import Sequence

from mpisog.formulas.atoms import Atom, Fire, StateAtom
from mpisog.sog.observation import Label
from mpisog.spotglue.automata import accepting_all, accepts_for_ever, from_hoa


class Stuttering:
    """What the automaton of counterexamples makes of a label that repeats for ever."""

    def __init__(self, hoa: str, atoms: Sequence[Atom], state_atoms: Sequence[StateAtom]) -> None:
        self._automaton = from_hoa(hoa)
        self._atoms = tuple(atoms)
        self._state_atoms = tuple(state_atoms)
        # Once the automaton accepts whatever follows, it makes no difference how a run goes on. But
        # with event atoms it matters whether a run can wait at all.
        has_events = any(isinstance(atom, Fire) for atom in atoms)
        self._accepting_all = frozenset() if has_events else accepting_all(self._automaton)
        self._known: dict[Label, bool] = {}

    def matters(self, label: Label) -> bool:
        """Whether some state accepts that, which would not accept everything."""
        if label not in self._known:
            letter = self._letter(label)
            found = accepts_for_ever(self._automaton, letter, apart_from=self._accepting_all)
            self._known[label] = found
        return self._known[label]

    def may_end(self, label: Label) -> bool:
        """Whether a run may be taken to stay there without asking whether it can."""
        return bool(self._accepting_all) and not self.matters(label)

    def staying(self, label: Label) -> tuple[bool, bool]:
        """Both."""
        return self.matters(label), self.may_end(label)

    def _letter(self, label: Label) -> list[bool]:
        """What an instant without an event looks like to the formula."""
        truth = dict(zip(self._state_atoms, label, strict=True))
        return [not isinstance(atom, Fire) and truth[atom] for atom in self._atoms]
