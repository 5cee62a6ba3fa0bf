"""Atoms and elements of a net in the words of the user: names where the file has them."""

from __future__ import annotations

from dataclasses import dataclass

from mpisog.formulas.atoms import Atom, Comparison, Dead, Fire, Fireable, quote, written
from mpisog.nets.model import Marking, PetriNet

MANY = 4
"""Transitions or terms of an atom that are spelt out when it is shortened."""


@dataclass(frozen=True)
class Wording:
    """How elements are called: by names that are unique, or all by their ids."""

    net: PetriNet
    ids: bool = False

    def place(self, index: int) -> str:
        """A place."""
        place = self.net.places[index]
        unique = self.net.place_names[place.name] == index
        return place.name if unique and not self.ids else place.id

    def transition(self, index: int) -> str:
        """A transition."""
        transition = self.net.transitions[index]
        unique = self.net.transition_names[transition.name] == index
        return transition.name if unique and not self.ids else transition.id

    def atom(self, atom: Atom, *, short: bool = False) -> str:
        """The atom as one would write it in a formula; a long one may be cut."""
        match atom:
            case Comparison(((place, 1),), ">=", 1):
                return self.place(place)
            case Comparison(terms, op, bound):
                return written(
                    terms,
                    op,
                    bound,
                    lambda place: quote(self.place(place)),
                    lambda parts: _cut(parts, short),
                )
            case Fireable(transitions):
                parts = [quote(self.transition(t)) for t in transitions]
                return f"fireable({','.join(_cut(parts, short))})"
            case Dead():
                return "dead"
            case Fire(transition):
                return self.transition(transition)

    def value(self, atom: Atom, marking: Marking) -> str | None:
        """What a comparison compares, in a marking; nothing where the atom says it all."""
        if not isinstance(atom, Comparison) or not atom.terms:
            return None
        total = sum(factor * marking[place] for place, factor in atom.terms)
        if self.atom(atom) == self.place(atom.terms[0][0]) and total <= 1:
            return None
        sides = ([term for term in atom.terms if term[1] * sign > 0] for sign in (1, -1))
        return ", ".join(self._sum(side, marking) for side in sides if side)

    def marking(
        self, marking: Marking, only: frozenset[int] | None = None, most: int | None = None
    ) -> str:
        """The places that have tokens; ``most`` of them are spelt out."""
        marked = [
            f"{self.place(place)}={tokens}"
            for place, tokens in enumerate(marking)
            if tokens and (only is None or place in only)
        ]
        if most is not None and len(marked) > most:
            marked[most:] = [f"… {len(marked) - most} more"]
        return ", ".join(marked) or "(empty)"

    def _sum(self, terms: list[tuple[int, int]], marking: Marking) -> str:
        parts = [self._term(place, abs(factor)) for place, factor in terms]
        total = sum(abs(factor) * marking[place] for place, factor in terms)
        return f"{' + '.join(_cut(parts, True))} = {total}"

    def _term(self, place: int, factor: int) -> str:
        name = quote(self.place(place))
        return name if factor == 1 else f"{factor}*{name}"


def _cut(parts: list[str], short: bool) -> list[str]:
    if not short or len(parts) <= MANY + 1:
        return parts
    return [*parts[:MANY], f"… {len(parts) - MANY} more"]
