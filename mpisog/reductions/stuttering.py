"""Rules that keep words up to stuttering, for formulas that are stutter-invariant, without events.

Words are compared with repeated letters merged. A run that does nothing visible for ever and one
that ends in a dead marking look the same, unless the formula has ``dead``.
"""

from __future__ import annotations

from collections.abc import Collection

from mpisog.nets.model import MAX_TOKENS
from mpisog.reductions.endless import may_run_on
from mpisog.reductions.working import Bag, WorkingNet

MORE_TRANSITIONS = 2
"""How many more transitions there may be after a place has been agglomerated."""

LONGEST_WORD = 2_000
"""Firings of the original net that one transition may stand for."""


def post_agglomeration(net: WorkingNet) -> int:
    """Fire what takes from a place together with what puts tokens there.

    Conditions on the place p, its makers H and its takers F, which are disjoint: each f needs p and
    nothing else, all of them the same number of tokens there, and is invisible; each h gives a
    multiple of that. With several f no h gives enough for two, and p has not enough for one at
    first; a single f fires at first as often as it can (not if the formula has ``dead``, which
    could be true only after that).

    Sound: once h has fired nothing stops an f. In a run, move each f to right after the h it takes
    from, and add one where it is missing: f is invisible and needs nothing else, so what is in
    between still fires and looks the same. F alone has no run without end. In a dead marking p has
    not enough for f, so ``dead`` is kept too.
    """
    done = 0
    watched = net.watched_places()
    for place in list(net.tokens):
        if _postable(net, place, watched):
            _fire_at_first(net, place)
            _agglomerate(net, place)
            done += 1
    return done


def _postable(net: WorkingNet, place: int, watched: Collection[int]) -> bool:
    makers, takers = net.makers[place], net.takers[place]
    if not _worthwhile(net, place):
        return False
    weight = net.pre[min(takers)][place]
    given = max((net.post[h][place] for h in makers), default=0)
    single = given <= weight and net.tokens[place] < weight
    return (
        all(net.pre[f] == {place: weight} and net.invisible(f, watched) for f in takers)
        and all(net.post[h][place] % weight == 0 for h in makers)
        and (single or len(takers) == 1)
        and (net.tokens[place] < weight or not net.atoms.dead)
        and _short_enough(net, place, max(given, net.tokens[place]) // weight)
    )


def pre_agglomeration(net: WorkingNet) -> int:
    """Fire what puts tokens into a place only together with what takes them.

    Conditions on the place p, its makers H and its takers F, which are disjoint: all arcs of p have
    the same weight, and p has less than that at first; each h gives tokens to p and nowhere else,
    needs something, and is invisible. And either each f needs p and nothing else; or the formula
    has no ``dead`` and no other transition takes from an input of an h.

    Sound: in a run, move each h to right before the f that takes from it, and leave it out where
    there is none; nothing else needs what h gives. H alone has no run without end, as each h takes
    from places that none adds to. Dead markings: if each f needs p only, none has enough in p, and
    h is enabled where h and f are. Otherwise leaving h out gives tokens back that no other
    transition takes, so nothing becomes enabled; and where h and f together are dead, the original
    fires h until it cannot, invisibly.
    """
    done = 0
    watched = net.watched_places()
    for place in list(net.tokens):
        if _preable(net, place, watched):
            _agglomerate(net, place)
            done += 1
    return done


def _preable(net: WorkingNet, place: int, watched: Collection[int]) -> bool:
    makers, takers = net.makers[place], net.takers[place]
    if not makers or not _worthwhile(net, place):
        return False
    weight = net.pre[min(takers)][place]
    return (
        net.tokens[place] < weight
        and all(net.pre[f][place] == weight for f in takers)
        and all(net.post[h] == {place: weight} and net.pre[h] for h in makers)
        and all(net.invisible(h, watched) for h in makers)
        and (_take_alone(net, place) or (not net.atoms.dead and _undisturbed(net, makers)))
        and _short_enough(net, place, 1)
    )


def _take_alone(net: WorkingNet, place: int) -> bool:
    return all(len(net.pre[f]) == 1 for f in net.takers[place])


def _undisturbed(net: WorkingNet, makers: Collection[int]) -> bool:
    return all(net.takers[input] == {h} for h in makers for input in net.pre[h])


def _worthwhile(net: WorkingNet, place: int) -> bool:
    """Some f, no transition on both sides, and not many more transitions than before."""
    makers, takers = net.makers[place], net.takers[place]
    if not takers or not makers.isdisjoint(takers):
        return False
    more = len(makers) * len(takers) - len(makers) - len(takers)
    return more <= MORE_TRANSITIONS


def _short_enough(net: WorkingNet, place: int, times: int) -> bool:
    words = [len(net.words[f]) for f in net.takers[place]]
    makers = [len(net.words[h]) for h in net.makers[place]]
    weights = [w for f in net.takers[place] for w in net.post[f].values()]
    return (
        max(makers, default=0) + times * max(words) <= LONGEST_WORD
        and (times + 1) * max(weights, default=0) + max(net.tokens.values()) <= MAX_TOKENS
    )


def _fire_at_first(net: WorkingNet, place: int) -> None:
    """Let the only taker fire as often as it can."""
    (taker, *others) = net.takers[place]
    times = net.tokens[place] // net.pre[taker][place]
    if not times:
        return
    assert not others
    net.first += net.words[taker] * times
    for touched, change in net.effect[taker].items():
        net.tokens[touched] += times * change


def _agglomerate(net: WorkingNet, place: int) -> None:
    makers, takers = sorted(net.makers[place]), sorted(net.takers[place])
    for h in makers:
        both = [_joined(net, place, h, f) for f in takers]
        net.remove_transition(h, heir=both[0])
    for f in takers:
        net.remove_transition(f)
    net.settle_place(place, net.tokens[place])


def _joined(net: WorkingNet, place: int, h: int, f: int) -> int:
    """A transition that does what h does and then f, as often as there are tokens for it."""
    times = net.post[h][place] // net.pre[f][place]
    pre = _sum(net.pre[h], _without(net.pre[f], place), 1)
    post = _sum(_without(net.post[h], place), net.post[f], times)
    return net.add(pre, post, net.words[h] + net.words[f] * times)


def _without(bag: Bag, place: int) -> Bag:
    return {other: weight for other, weight in bag.items() if other != place}


def _sum(bag: Bag, added: Bag, times: int) -> Bag:
    total = dict(bag)
    for place, weight in added.items():
        total[place] = total.get(place, 0) + times * weight
    return total


def irrelevant_transitions(net: WorkingNet) -> int:
    """Remove transitions that neither touch what is observed, nor feed what does, nor run on.

    Conditions: the formula has no ``dead``. Kept are the transitions that change an observed place,
    those that atoms ask about, those that might fire for ever among the others, and, again and
    again, whatever changes an input of one that is kept.

    Sound: those removed change no input of those kept, so a run without them is still one. They
    have no run without end of their own, so a run without end keeps infinitely many steps; and
    where all that is kept is dead, the original ends soon after, looking the same.
    """
    if net.atoms.dead:
        return 0
    observed = net.watched_places() | net.atoms.factors.keys()
    asked = net.atoms.enabling
    kept = _cone(net, observed, asked)
    if len(kept) == len(net.pre):
        return 0
    kept = _cone(net, observed, asked | may_run_on(net, net.pre.keys() - kept))
    removed = net.pre.keys() - kept
    for transition in removed:
        net.remove_transition(transition)
    return len(removed)


def _cone(net: WorkingNet, places: Collection[int], seeds: Collection[int]) -> set[int]:
    """The seeds, what changes the places, and what changes an input of either."""
    kept = set(seeds)
    todo = [*places, *(place for t in seeds for place in net.pre[t])]
    seen = set(todo)
    while todo:
        place = todo.pop()
        for transition in net.changes[place]:
            if transition not in kept:
                kept.add(transition)
                fresh = net.pre[transition].keys() - seen
                seen |= fresh
                todo.extend(fresh)
    return kept
