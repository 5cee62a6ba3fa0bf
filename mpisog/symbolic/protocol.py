"""Sets of markings and the domain they live in: all that the engines ask of a backend.

A ``Domain`` belongs to one net and owns its sets. A ``StateSet`` is immutable and compares equal
to sets of the same domain with the same markings. Sets of different domains must not be mixed.
Operations that can take long raise ``LimitReached`` when time or memory runs out; the domain stays
usable. Markings are tuples in the order of the net's places, whatever order a backend uses inside.

Backends inherit from ``Domain``: what has a body there is done in general, or not at all, unless a
backend has a faster way.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol, Self, TypeVar

from mpisog.budget import Budget
from mpisog.errors import known_name
from mpisog.formulas.atoms import Comparison, Fireable, StateAtom
from mpisog.nets.model import Marking, PetriNet

Terms = Sequence[tuple[int, int]]
"""(place index, coefficient) pairs."""


Condition = tuple[StateAtom, bool]
"""An atom and the truth it must have."""

Conditions = tuple[Condition, ...]

T = TypeVar("T")


class Step(NamedTuple):
    """A transition of the net, allowed only while the extra guards hold before it fires.

    ``at_least`` and ``at_most`` are (place index, tokens) pairs, each place at most once.
    """

    transition: int
    at_least: tuple[tuple[int, int], ...] = ()
    at_most: tuple[tuple[int, int], ...] = ()


Steps = tuple[Step, ...]


class HashedOnce(tuple[T, ...]):
    """A tuple that is long and looked up again and again; its hash is computed once."""

    def __hash__(self) -> int:
        found: int | None = self.__dict__.get("hash")
        if found is None:
            found = self.__dict__["hash"] = super().__hash__()
        return found


class StateSet(Protocol):
    """A finite set of markings."""

    def __or__(self, other: Self) -> Self: ...
    def __and__(self, other: Self) -> Self: ...
    def __sub__(self, other: Self) -> Self: ...
    def __bool__(self) -> bool:
        """Whether there is any marking in it."""

    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...


S = TypeVar("S", bound=StateSet)

Classes = list[tuple[tuple[bool, ...], S]]
"""Sets of markings with their labels."""


class Domain(Protocol[S]):
    """The operations; ``steps`` are always a union."""

    name: str
    net: PetriNet
    budget: Budget
    """Ends operations that take too long; may be replaced between operations."""
    order: tuple[int, ...] = ()
    """The places from the top of the diagrams down; none where the backend has no order."""

    def empty(self) -> S:
        """No marking."""

    def singleton(self, marking: Marking) -> S:
        """One marking."""

    def image(self, states: S, steps: Sequence[Step]) -> S:
        """What one step leads to."""

    def preimage(self, states: S, steps: Sequence[Step]) -> S:
        """From where one step leads into the set."""

    def closure(self, states: S, steps: Sequence[Step], within: S | None = None) -> S:
        """Everything reachable by any number of steps; ``within``: without ever leaving it."""

    def backward_closure(self, states: S, steps: Sequence[Step], within: S) -> S:
        """Everything in ``within`` from which the set can be reached without leaving ``within``."""

    def filter(self, states: S, atom: StateAtom) -> S:
        """The markings in which the atom holds."""

    def count(self, states: S) -> int:
        """The exact number of markings."""

    def count_steps(self, states: S, steps: Sequence[Step]) -> int:
        """The exact number of pairs of a marking and a step enabled in it."""

    def largest_sum(self, states: S, terms: Terms) -> int:
        """The largest value of a linear form over a set that is not empty."""

    def largest_tokens(self, states: S) -> tuple[int, ...]:
        """For each place the most tokens it holds in a marking of the set."""

    def pick(self, states: S) -> Marking:
        """One marking of a set that is not empty; always the same one."""

    def markings(self, states: S) -> Iterator[Marking]:
        """Every marking once."""

    def contains(self, states: S, marking: Marking) -> bool:
        """Membership."""

    def serialise(self, states: S) -> bytes:
        """Canonical bytes: equal sets, and the same place order, give equal bytes anywhere."""

    def deserialise(self, data: bytes) -> S:
        """The set again; raises ``ValueError`` for bytes that are no set of this domain."""

    def nodes(self, states: S) -> int:
        """Size of the representation: a set has the same whenever, and wherever, it is asked."""

    def table_nodes(self) -> int | None:
        """Nodes that all diagrams have now, garbage included; nothing where there are none."""
        return None

    def fingerprint(self, states: S) -> bytes:
        """What tells the set from all others, on every rank."""
        return self.serialise(states)

    def split(self, states: S, atoms: Sequence[StateAtom]) -> Classes[S]:
        """The classes of markings that agree on every atom, none of them empty."""
        classes: Classes[S] = [((), states)] if states else []
        for atom in atoms:
            classes = [
                ((*label, truth), part)
                for label, whole in classes
                for truth, part in _halves(self, whole, atom)
                if part
            ]
        return classes

    def split_image(
        self, states: S, steps: Sequence[Step], atoms: Sequence[StateAtom]
    ) -> Classes[S]:
        """The same of what one step leads to."""
        return self.split(self.image(states, steps), atoms)

    def nearest(self, states: S, wished: Marking) -> Marking:
        """A marking of the set that is much like the wished one."""
        for place, tokens in enumerate(wished):
            states = self.filter(states, Comparison(((place, 1),), "==", tokens)) or states
        return self.pick(states)

    def close(
        self, states: S, steps: Steps, label: Conditions, leaving: Fireable
    ) -> tuple[S, S] | None:
        """What is reachable while the label stays, and where it ends; nothing: not at once.

        See ``sog.closure``.
        """
        return None

    def explicit_part(
        self, start: Marking, steps: Steps, label: Conditions, limit: int
    ) -> tuple[S, S, S] | None:
        """Some of what is reachable while the label stays; nothing: not marking by marking.

        See ``sog.closure``.
        """
        return None

    def explicit_path(
        self, target: Marking, steps: Steps, within: S, sources: S, at_once: bool
    ) -> tuple[Marking, tuple[int, ...]] | bool | None:
        """A short way to one marking, marking by marking; false: not known. See ``trace.paths``."""
        return False

    def explicit_cycle(self, states: S, steps: Steps, limit: int) -> Marking | bool | None:
        """A marking on a cycle; nothing: there is none; false: not known."""
        return False

    def explicit_lasso(
        self, starts: S, within: S, steps: Steps
    ) -> tuple[Marking, tuple[int, ...], tuple[int, ...]] | None:
        """A start, firings from it to a cycle, and the cycle's; nothing when none is found."""
        return None


DIGESTS: dict[str, Callable[[bytes], bytes]] = {
    "md5": lambda data: hashlib.md5(data, usedforsecurity=False).digest(),
    "xxh3": lambda data: _xxh3(data),
}
"""Ways to identify a set across processes by 16 bytes."""


def digest(domain: Domain[S], states: S, algorithm: str = "md5") -> bytes:
    """What identifies the set on every rank."""
    return DIGESTS[known_name("digest", algorithm, DIGESTS)](domain.fingerprint(states))


def with_label(
    domain: Domain[S], states: S, atoms: Sequence[StateAtom], label: Sequence[bool]
) -> S:
    """The markings in which every atom has the given truth."""
    for atom, truth in zip(atoms, label, strict=True):
        if not states:
            break
        holding = domain.filter(states, atom)
        states = holding if truth else states - holding
    return states


def of_markings(domain: Domain[S], markings: Iterable[Marking]) -> S:
    """The set of exactly these markings."""
    states = domain.empty()
    for marking in markings:
        states = states | domain.singleton(marking)
    return states


def all_steps(net: PetriNet) -> list[Step]:
    """Every transition, unguarded."""
    return [Step(index) for index in range(len(net.transitions))]


def _halves(domain: Domain[S], states: S, atom: StateAtom) -> list[tuple[bool, S]]:
    true = domain.filter(states, atom)
    return [(True, true), (False, states - true)]


def _xxh3(data: bytes) -> bytes:
    import xxhash

    return xxhash.xxh3_128_digest(data)
