"""Rules that keep every word: any LTL formula, with X, events and ``dead``, has the same verdict.

After each of them the runs of the net are, step by step and letter by letter, those of before.
A marking is dead exactly where it was.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from math import inf

from mpisog.reductions.endless import may_run_on
from mpisog.reductions.implicit import implies
from mpisog.reductions.working import Bag, WorkingNet


def dead_transitions(net: WorkingNet) -> int:
    """Remove transitions that can never fire.

    Sound: a place that no transition that may fire adds to never holds more than at first; what
    needs more cannot be the next to fire, and so never fires.
    """
    dead = net.pre.keys() - _may_fire(net)
    for transition in dead:
        net.remove_transition(transition)
    return len(dead)


def _may_fire(net: WorkingNet) -> set[int]:
    most: dict[int, float] = dict(net.tokens)
    missing = {
        t: sum(most[place] < weight for place, weight in pre.items()) for t, pre in net.pre.items()
    }
    todo = [t for t, number in missing.items() if not number]
    found = set(todo)
    while todo:
        for place, change in net.effect[todo.pop()].items():
            if change < 0 or most[place] == inf:
                continue
            for taker in net.takers[place]:
                missing[taker] -= net.pre[taker][place] > most[place]
                if not missing[taker] and taker not in found:
                    found.add(taker)
                    todo.append(taker)
            most[place] = inf
    return found


def constant_places(net: WorkingNet) -> int:
    """Remove places whose tokens never change, and what needs more than they have.

    Sound: all that is left has enough tokens there, always; comparisons get the number.
    """
    constant = [place for place, changes in net.changes.items() if not changes]
    for place in constant:
        for taker in list(net.takers[place]):
            if net.pre[taker][place] > net.tokens[place]:
                net.remove_transition(taker)
        net.settle_place(place, net.tokens[place])
    return len(constant)


def sink_places(net: WorkingNet) -> int:
    """Remove places that no comparison has, that only gain tokens and have enough at first.

    Sound: they never keep a transition from firing. A place that may gain for ever stays: that the
    net is unbounded is to be found out.
    """
    sinks = [place for place in net.tokens if _only_gains(net, place)]
    if sinks:
        endless = may_run_on(net, net.pre)
        sinks = [place for place in sinks if net.changes[place].keys().isdisjoint(endless)]
    for place in sinks:
        net.remove_place(place)
    return len(sinks)


def _only_gains(net: WorkingNet, place: int) -> bool:
    return (
        place not in net.atoms.factors
        and min(net.changes[place].values(), default=0) >= 0
        and all(net.pre[t][place] <= net.tokens[place] for t in net.takers[place])
    )


def parallel_places(net: WorkingNet) -> int:
    """Remove a place that changes as another does and always has enough when that one has.

    Sound: the difference of the two is constant; comparisons get the other place and it.
    """
    alike: dict[frozenset[tuple[int, int]], list[int]] = defaultdict(list)
    removed = 0
    for place in list(net.tokens):
        group = alike[frozenset(net.changes[place].items())]
        for other in group:
            spare, kept = (place, other) if implies(net, {other: 1}, place) else (other, place)
            if implies(net, {kept: 1}, spare):
                net.atoms.express(spare, kept, net.tokens[spare] - net.tokens[kept])
                net.remove_place(spare)
                group[group.index(other)] = kept
                removed += 1
                break
        else:
            group.append(place)
    return removed


def dominated_transitions(net: WorkingNet) -> int:
    """Remove a transition when another does the same and needs no more.

    Sound: neither is an event, so the letter is the same whichever of the two fires. A transition
    that an atom asks about goes only when the other needs exactly the same.
    """
    alike: dict[frozenset[tuple[int, int]], list[int]] = defaultdict(list)
    asked = net.atoms.enabling
    removed = 0
    for transition in sorted(net.pre, key=lambda t: (sum(net.pre[t].values()), t)):
        if transition in net.atoms.events:
            continue
        group = alike[frozenset(net.effect[transition].items())]
        heir = _that_dominates(net, transition, group, exactly=transition in asked)
        if heir is None:
            group.append(transition)
        else:
            net.remove_transition(transition, heir)
            removed += 1
    return removed


def _that_dominates(
    net: WorkingNet, transition: int, group: Iterable[int], exactly: bool
) -> int | None:
    pre = net.pre[transition]
    return next((o for o in group if _at_most(net.pre[o], pre, exactly)), None)


def _at_most(small: Bag, large: Bag, exactly: bool) -> bool:
    if exactly:
        return small == large
    return all(weight <= large.get(place, 0) for place, weight in small.items())
