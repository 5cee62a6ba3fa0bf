"""Orders of the places for decision diagrams: they decide everything.

``auto`` makes several candidates in native code and keeps the one that cheap figures prefer. A
``--order-file`` has one place id a line, topmost first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from mpisog import _native
from mpisog.budget import Budget
from mpisog.errors import UsageError, known_name, nearest
from mpisog.nets.model import PetriNet
from mpisog.nets.native import native_net

ORDERS: dict[str, Callable[[_native.Structure], list[int]]] = {
    "auto": _native.order_auto,
    "force": _native.order_force,
    "rcm": _native.order_rcm,
    "sloan": _native.order_sloan,
}

SHARE = 0.25
"""Of the time, for looking for an order."""

FEW_TOKENS = 3
"""With more in a place the native choice tries both directions of an order out."""


def choose_order(net: PetriNet, name: str = "auto", seconds: float | None = None) -> list[int]:
    """Place indices, topmost first; ``file`` keeps the order of the net.

    ``auto`` looks for a good one for as long as ``seconds`` allow.
    """
    if name == "file":
        return list(range(len(net.places)))
    known_name("order", name, [*ORDERS, "file"])
    structure = _native.Structure(native_net(net))
    if name == "auto":
        return _native.order_auto(structure, seconds)
    return list(ORDERS[name](structure))


def order_within(net: PetriNet, budget: Budget) -> list[int]:
    """The order of choice, for which some of the time that is left may be spent."""
    left = budget.remaining
    order = choose_order(net, seconds=None if left is None else SHARE * left)
    budget.check()
    return order


def observing_order(
    net: PetriNet, order: Sequence[int], observed: Collection[int]
) -> Sequence[int]:
    """The order, upside down if that brings the observed places nearer to the top.

    Sets of markings that differ in what is observed then share most of what is below. Where there
    are many tokens the direction makes a difference of its own.
    """
    if max(net.initial, default=0) > FEW_TOKENS:
        return order
    heights = [height for height, place in enumerate(order) if place in observed]
    return order[::-1] if 2 * sum(heights) > len(heights) * (len(order) - 1) else order


def load_order(path: str | Path, net: PetriNet) -> list[int]:
    """An order from a file; it must name every place once."""
    try:
        names = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"cannot be read: {reason}", path=path) from None
    order = [
        _place(name.strip(), number, path, net) for number, name in enumerate(names, 1) if name
    ]
    missing = set(range(len(net.places))) - set(order)
    if missing or len(order) != len(net.places):
        twice = next((p for p in order if order.count(p) > 1), None)
        message = (
            f"place '{net.places[twice].id}' stands in it twice"
            if twice is not None
            else f"place '{net.places[min(missing)].id}' is missing"
        )
        raise UsageError(message, path=path)
    return order


def save_order(path: str | Path, net: PetriNet, order: Sequence[int]) -> None:
    """Write an order for ``load_order``."""
    try:
        Path(path).write_text(_order_text(net, order), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot be written: {error.strerror}", path=path) from None


def digest_of_order(net: PetriNet, order: Sequence[int]) -> str:
    """The first digits of the SHA-256 of what ``save_order`` writes."""
    return hashlib.sha256(_order_text(net, order).encode()).hexdigest()[:12]


def _order_text(net: PetriNet, order: Sequence[int]) -> str:
    return "".join(f"{net.places[place].id}\n" for place in order)


def _place(name: str, line: int, path: str | Path, net: PetriNet) -> int:
    index = net.place_index.get(name)
    if index is None:
        hint = nearest(name, net.place_index)
        raise UsageError(f"the net has no place '{name}'", path=path, line=line, hint=hint)
    return index
