"""Nets for native code."""

from __future__ import annotations

from mpisog import _native
from mpisog.nets.model import PetriNet


def native_net(net: PetriNet) -> _native.Net:
    """The net as native code takes it: indices and numbers."""
    return _native.Net(
        net.initial,
        [transition.pre for transition in net.transitions],
        [transition.post for transition in net.transitions],
    )
