"""What the units of a net's file exclude: sets of places that no firing adds to.

A sum of such sets is a weighting as ``program.py`` looks for one, without a program to solve. Sets
that some firing does add to are left out, whatever the file says.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from mpisog.nets.model import PetriNet
from mpisog.nets.semiflows import effects
from mpisog.state_equation.systems import Row, System


class Units:
    """Questions about one net."""

    def __init__(self, net: PetriNet) -> None:
        self._net = net

    def exclude(self, system: System) -> bool:
        """Whether the sets show that no reachable marking solves the system."""
        if not self._net.units:
            return False
        return any(self._too_much(rows) for rows in self._choices(system))

    def _choices(self, system: System) -> Iterator[Sequence[Row]]:
        """Rows to add up: each alone, those about one set, and all that are about sets."""
        covered = [row for row in system if all(p in self._sets_of for p in _positive(row))]
        by_set: dict[int, list[Row]] = defaultdict(list)
        for row in covered:
            yield [row]
            for number in self._sets_about(row):
                by_set[number].append(row)
        yield from by_set.values()
        yield covered

    def _sets_about(self, row: Row) -> set[int]:
        """The sets that hold all of its places, or else one for each."""
        sets = [set(self._sets_of[place]) for place in _positive(row)]
        if not sets:
            return set()
        return set.intersection(*sets) or {min(numbers) for numbers in sets}

    def _too_much(self, rows: Sequence[Row]) -> bool:
        """The rows added up ask for more than the sets that hold their places ever have."""
        asked: Counter[int] = Counter()
        for terms, _ in rows:
            for place, factor in terms:
                asked[place] += factor
        wanted = {place: count for place, count in asked.items() if count > 0}
        available = sum(
            times * self._tokens(number) for number, times in self._cover(wanted).items()
        )
        return sum(bound for _, bound in rows) > available

    def _cover(self, wanted: Mapping[int, int]) -> Mapping[int, int]:
        """How often each set is taken so that every place is in as many as is wanted of it."""
        taken: dict[int, int] = {}
        for place in sorted(wanted, key=lambda place: len(self._sets_of[place])):
            sets = self._sets_of[place]
            number = next((s for s in sets if s in taken), sets[0])
            taken[number] = max(taken.get(number, 0), wanted[place])
        return taken

    def _tokens(self, number: int) -> int:
        return sum(self._net.initial[place] for place in self._net.units[number])

    @cached_property
    def _sets_of(self) -> Mapping[int, Sequence[int]]:
        """By place, the numbers of the sets that it is in and that no firing adds to."""
        every: dict[int, list[int]] = defaultdict(list)
        for number, places in enumerate(self._net.units):
            for place in places:
                every[place].append(number)
        growing = set(self._growing(every))
        sound = {p: [s for s in sets if s not in growing] for p, sets in every.items()}
        return {place: sets for place, sets in sound.items() if sets}

    def _growing(self, sets_of: Mapping[int, Sequence[int]]) -> Iterator[int]:
        for change in effects(self._net):
            gains: Counter[int] = Counter()
            for place, tokens in change.items():
                for number in sets_of.get(place, ()):
                    gains[number] += tokens
            yield from (number for number, gain in gains.items() if gain > 0)


def _positive(row: Row) -> Iterable[int]:
    return [place for place, factor in row[0] if factor > 0]
