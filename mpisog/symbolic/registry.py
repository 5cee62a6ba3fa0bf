"""The backends by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mpisog.errors import UsageError, nearest
from mpisog.limits import Watch
from mpisog.nets.model import PetriNet
from mpisog.symbolic.protocol import Domain

Order = Sequence[int] | None
"""Place indices, topmost first; ``None`` leaves the choice to the backend."""


def _ldd(net: PetriNet, order: Order, watch: Watch | None) -> Domain[Any]:
    from mpisog.symbolic.ldd import LddDomain

    return LddDomain(net, order, watch)


def _bdd(net: PetriNet, order: Order, watch: Watch | None) -> Domain[Any]:
    from mpisog.symbolic.bdd import BddDomain

    return BddDomain(net, order, watch)


def _explicit(net: PetriNet, _order: Order, watch: Watch | None) -> Domain[Any]:
    from mpisog.symbolic.explicit import ExplicitDomain

    return ExplicitDomain(net, watch)


BACKENDS: dict[str, Callable[[PetriNet, Order, Watch | None], Domain[Any]]] = {
    "ldd": _ldd,
    "bdd": _bdd,
    "explicit": _explicit,
}
"""Each imports what it needs only when it is used."""


def open_domain(
    name: str, net: PetriNet, order: Order = None, watch: Watch | None = None
) -> Domain[Any]:
    """A domain of the backend of that name."""
    if name not in BACKENDS:
        hint = nearest(name, BACKENDS) or "there are " + ", ".join(BACKENDS)
        raise UsageError(f"no backend is called '{name}'", hint=hint)
    return BACKENDS[name](net, order, watch)
