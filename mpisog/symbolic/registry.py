"""The backends by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mpisog.budget import Budget
from mpisog.errors import LimitReached, Unbounded, known_name
from mpisog.nets.model import PetriNet
from mpisog.symbolic.protocol import Domain

Order = Sequence[int] | None
"""Place indices, topmost first; ``None`` leaves the choice to the backend."""


def _mdd(net: PetriNet, order: Order, budget: Budget | None, workers: int) -> Domain[Any]:
    from mpisog.symbolic.mdd import MddDomain

    return MddDomain(net, order, budget, workers)


def _bdd(net: PetriNet, order: Order, budget: Budget | None, _workers: int) -> Domain[Any]:
    from mpisog.symbolic.bdd import BddDomain

    return BddDomain(net, order, budget)


def _bits(net: PetriNet, order: Order, budget: Budget | None, _workers: int) -> Domain[Any]:
    from mpisog.symbolic.bits import BitsDomain

    return BitsDomain(net, order, budget)


def _auto(net: PetriNet, order: Order, budget: Budget | None, workers: int) -> Domain[Any]:
    """``bits`` for a net with few markings, which a short enumeration finds out; else ``mdd``."""
    from mpisog.symbolic.bits import BitsDomain, TooManyMarkings

    found = (budget or Budget()).attempt(
        None, lambda _: BitsDomain(net, order, budget, most=FEW_MARKINGS, work=LITTLE_WORK)
    )
    if isinstance(found, TooManyMarkings | Unbounded):
        return _mdd(net, order, budget, workers)
    if isinstance(found, LimitReached):
        raise found
    return found


def _explicit(net: PetriNet, _order: Order, budget: Budget | None, _workers: int) -> Domain[Any]:
    from mpisog.symbolic.explicit import ExplicitDomain

    return ExplicitDomain(net, budget)


BACKENDS: dict[str, Callable[[PetriNet, Order, Budget | None, int], Domain[Any]]] = {
    "mdd": _mdd,
    "bdd": _bdd,
    "bits": _bits,
    "explicit": _explicit,
}
"""Each imports what it needs only when it is used."""

AUTO = "auto"
"""The name under which the net decides between ``bits`` and ``mdd``."""

FEW_MARKINGS = 200_000
"""Nets with more are for decision diagrams first."""

LITTLE_WORK = 8_000_000
"""What ``auto`` spends on an enumeration, in words written: less than 0.2 seconds."""


def known_backend(name: str) -> str:
    """The name, or a ``UsageError`` if there is no such backend."""
    return known_name("backend", name, [AUTO, *BACKENDS])


def open_domain(
    name: str,
    net: PetriNet,
    order: Order = None,
    budget: Budget | None = None,
    workers: int = 1,
) -> Domain[Any]:
    """A domain of the backend of that name, or of the one that ``auto`` chooses.

    ``workers`` threads do each operation together, where the backend can (``mdd``).
    """
    if name == AUTO:
        return _auto(net, order, budget, workers)
    return BACKENDS[known_backend(name)](net, order, budget, workers)
