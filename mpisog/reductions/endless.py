"""What may fire for ever."""

from __future__ import annotations

from collections.abc import Iterable

from mpisog.reductions.working import WorkingNet


def may_run_on(net: WorkingNet, transitions: Iterable[int]) -> set[int]:
    """Those that are not shown to fire only finitely often when only these transitions fire.

    A transition that takes from a place that none of the rest adds to is shown.
    """
    rest = set(transitions)
    gains = {place: _number_of_gains(net, place, rest) for place in net.tokens}
    todo = [place for place, number in gains.items() if not number]
    while todo:
        place = todo.pop()
        ended = [t for t, change in net.changes[place].items() if change < 0 and t in rest]
        rest.difference_update(ended)
        for transition in ended:
            for fed, change in net.effect[transition].items():
                if change > 0:
                    gains[fed] -= 1
                    if not gains[fed]:
                        todo.append(fed)
    return rest


def _number_of_gains(net: WorkingNet, place: int, transitions: set[int]) -> int:
    return sum(change > 0 and t in transitions for t, change in net.changes[place].items())
