"""A net whose nodes are called p0, p1, ..., t0, t1, ...: names that every tool can read."""

from __future__ import annotations

from mpisog.nets.model import NetBuilder, PetriNet


def place(number: int) -> str:
    """The name of a place."""
    return f"p{number}"


def transition(number: int) -> str:
    """The name of a transition."""
    return f"t{number}"


def renamed(net: PetriNet) -> PetriNet:
    """The same net with plain names."""
    builder = NetBuilder("net")
    for number, tokens in enumerate(net.initial):
        builder.place(place(number), tokens)
    for number, found in enumerate(net.transitions):
        builder.transition(transition(number))
        for p, weight in found.pre:
            builder.arc(place(p), transition(number), weight)
        for p, weight in found.post:
            builder.arc(transition(number), place(p), weight)
    return builder.build()
