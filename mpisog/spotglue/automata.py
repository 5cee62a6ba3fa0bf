"""Formulas to automata, within limits.

Translation can take exponential time inside Spot, which neither releases the GIL nor can be
interrupted. A formula that is not small is therefore translated in a forked child that is killed
when the time is over or the user has had enough.
"""

from __future__ import annotations

import operator
import os
import resource
import select
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import reduce
from typing import Any

import spot
from spot import buddy

from mpisog.budget import Budget, reserved_bytes, resident_bytes
from mpisog.errors import InternalError, LimitReached
from mpisog.machine import die_with_parent
from mpisog.spotglue.ltl import BoundFormula, SpotFormula

Automaton = Any
"""A ``spot.twa_graph``; SWIG gives it no type."""

Cube = Sequence[tuple[int, bool]]
"""Numbers of atoms with their truth values, all at once."""

LEAST_MEMORY = 1 << 24
"""Bytes that a child may use in any case."""

SMALL_FORMULA = 16
"""Up to this length (Spot's measure) translation is instant and needs no child process."""

SMALL_AUTOMATON = 12
"""Up to so many states the same goes for changing an automaton's acceptance."""

_STUTTER_INVARIANT: dict[str, bool] = {}
"""Answers so far: reductions and engines ask about the same formula."""


def counterexample_automaton(bound: BoundFormula, budget: Budget) -> Automaton:
    """An automaton of the words that violate the formula, with generalised Büchi acceptance."""
    return translate(spot.formula.Not(bound.formula), "tgba", budget)


def delayed(automaton: Automaton) -> Automaton:
    """A copy that begins one instant later, for graphs with an extra root."""
    later = spot.make_twa_graph(automaton, spot.twa_prop_set.all())
    first = later.new_state()
    later.new_edge(first, automaton.get_init_state_number(), buddy.bddtrue)
    later.set_init_state(first)
    later.prop_reset()
    return later


def has_violation(
    bound: BoundFormula, first: Cube, endings: Sequence[Cube], budget: Budget
) -> bool:
    """Whether a word violates the formula that begins so and keeps one of the endings, if any."""
    kept = [spot.formula.F(spot.formula.G(_conjunction(ending))) for ending in endings]
    ending = spot.formula.Or(kept) if kept else spot.formula.tt()
    words = spot.formula.And([spot.formula.Not(bound.formula), _conjunction(first), ending])
    return not translate(words, "tgba", budget).is_empty()


def _conjunction(cube: Cube) -> SpotFormula:
    literals = [spot.formula.ap(f"a{number}") for number, _ in cube]
    return spot.formula.And(
        [
            literal if truth else spot.formula.Not(literal)
            for literal, (_, truth) in zip(literals, cube, strict=True)
        ]
    )


def translate(formula: SpotFormula, kind: str, budget: Budget) -> Automaton:
    """Spot's translation; raises ``LimitReached`` when the budget ends it."""
    budget.check()
    text = str(formula)  # Spot would write the simplified formula into the object that it is given
    if spot.length(formula) <= SMALL_FORMULA:
        return spot.translate(text, kind, "small")
    return from_hoa(in_child(lambda: to_hoa(spot.translate(text, kind, "small")), budget))


def monitor(bound: BoundFormula, budget: Budget) -> Automaton:
    """Deterministic: a word that has no edge any more cannot become one that satisfies the formula.

    As soon as that is so: every state accepts some word.
    """
    budget.check()
    text = str(bound.formula)
    if spot.length(bound.formula) <= SMALL_FORMULA:
        return spot.translate(text, "monitor", "det")
    return from_hoa(in_child(lambda: to_hoa(spot.translate(text, "monitor", "det")), budget))


def says_nothing(monitor: Automaton) -> bool:
    """Whether no word falls off the monitor: the formula has no safety part."""
    return monitor.num_states() == 1 and any(e.cond == buddy.bddtrue for e in monitor.edges())


def state_based(automaton: Automaton, budget: Budget) -> Automaton:
    """A Büchi automaton of the same words in which states accept."""
    budget.check()
    if automaton.num_states() <= SMALL_AUTOMATON:
        return spot.postprocess(automaton, "Buchi", "SBAcc", "small")
    return from_hoa(
        in_child(lambda: to_hoa(spot.postprocess(automaton, "Buchi", "SBAcc", "small")), budget)
    )


def may_count_instants(bound: BoundFormula) -> bool:
    """Whether a look at the operators leaves it open that the formula sees repeated letters."""
    return not bound.formula.is_syntactic_stutter_invariant()


def is_stutter_invariant(bound: BoundFormula, budget: Budget) -> bool:
    """Whether the formula cannot see repeated letters, as Spot decides it."""
    if not may_count_instants(bound):
        return True
    text = str(bound.formula)
    if text not in _STUTTER_INVARIANT:
        _STUTTER_INVARIANT[text] = _asked_about_stuttering(bound.formula, text, budget)
    return _STUTTER_INVARIANT[text]


def _asked_about_stuttering(formula: SpotFormula, text: str, budget: Budget) -> bool:
    if spot.length(formula) <= SMALL_FORMULA:
        return bool(spot.is_stutter_invariant(formula))
    return in_child(lambda: str(int(spot.is_stutter_invariant(spot.formula(text)))), budget) == "1"


def to_hoa(automaton: Automaton) -> str:
    """The automaton as text that every process reads alike."""
    return str(automaton.to_str("hoa"))


def from_hoa(text: str) -> Automaton:
    """The automaton of such a text."""
    return spot.automaton(text)


def stutter_closure(automaton: Automaton, budget: Budget) -> Automaton:
    """All words that differ from accepted ones only in how often letters repeat."""
    return from_hoa(in_child(lambda: to_hoa(_closed_under_stuttering(automaton)), budget))


def _closed_under_stuttering(automaton: Automaton) -> Automaton:
    return spot.postprocess(spot.closure(spot.sl(automaton)), "tgba", "small")


def violations_survive_shortening(bound: BoundFormula, budget: Budget) -> bool:
    """Whether a word that violates the formula still does without some of its repeated letters."""
    text = str(bound.formula)
    return in_child(lambda: str(int(_closed_under_shortening(f"!({text})"))), budget) == "1"


def _closed_under_shortening(text: str) -> bool:
    formula = spot.formula(text)
    outside = spot.translate(spot.formula.Not(formula))
    return bool(spot.otf_product(spot.closure(spot.translate(formula)), outside).is_empty())


def accepting_all(automaton: Automaton) -> frozenset[int]:
    """The states that plainly accept every word: those with an accepting loop for all letters."""
    accepting = automaton.acc()
    return frozenset(
        edge.src
        for edge in automaton.edges()
        if edge.src == edge.dst and edge.cond == buddy.bddtrue and accepting.accepting(edge.acc)
    )


def accepts_for_ever(
    automaton: Automaton,
    letter: Sequence[bool],
    states: Iterable[int] | None = None,
    apart_from: frozenset[int] = frozenset(),
) -> bool:
    """Whether some of the states, or any, accepts the word that repeats this letter of atoms.

    States that the word leads to ``apart_from`` only do not count.
    """
    condition = letter_condition(automaton, letter)
    loops = spot.make_twa_graph(automaton.get_dict())
    loops.copy_acceptance_of(automaton)
    loops.new_states(automaton.num_states() + 1)
    start = automaton.num_states()  # leads to all that are to be looked at
    for state in range(automaton.num_states()) if states is None else states:
        loops.new_edge(start, state, buddy.bddtrue)
    for edge in automaton.edges():
        if edge.dst not in apart_from and edge.cond & condition != buddy.bddfalse:
            loops.new_edge(edge.src, edge.dst, buddy.bddtrue, edge.acc)
    loops.set_init_state(start)
    return not loops.is_empty()


def can_start(automaton: Automaton, letters: Iterable[Sequence[bool]]) -> bool:
    """Whether the automaton can read any of the letters first."""
    conditions = [letter_condition(automaton, letter) for letter in letters]
    edges = list(automaton.out(automaton.get_init_state_number()))
    return any(e.cond & c != buddy.bddfalse for e in edges for c in conditions)


def letter_condition(automaton: Automaton, letter: Sequence[bool]) -> Any:
    """A letter as Spot's condition over ``a0, a1, ...``."""
    condition = buddy.bddtrue
    for index, truth in enumerate(letter):
        variable = automaton.register_ap(f"a{index}")
        condition = condition & (buddy.bdd_ithvar if truth else buddy.bdd_nithvar)(variable)
    return condition


def without_letters(automaton: Automaton, impossible: Callable[[Cube], bool]) -> Automaton:
    """The automaton without what only impossible letters can do."""
    numbers = {automaton.register_ap(ap): int(ap.ap_name()[1:]) for ap in automaton.ap()}
    left = spot.make_twa_graph(automaton, spot.twa_prop_set.all())
    for edge in left.edges():
        cubes = [cube for cube in _cubes(edge.cond) if not impossible(_literals(cube, numbers))]
        edge.cond = reduce(operator.or_, cubes, buddy.bddfalse)
    left.prop_reset()
    left.merge_edges()  # drops those without a letter
    return spot.scc_filter(left, True)


def without_staying(automaton: Automaton, atoms: Sequence[int], budget: Budget) -> Automaton:
    """Without the words in which all of these atoms are true from some instant on."""
    staying = spot.formula.F(spot.formula.G(_conjunction([(number, True) for number in atoms])))
    return spot.product(automaton, translate(spot.formula.Not(staying), "tgba", budget))


def _cubes(condition: Any) -> Iterator[Any]:
    found = spot.minato_isop(condition)
    while (cube := found.next()) != buddy.bddfalse:
        yield cube


def _literals(cube: Any, numbers: Mapping[int, int]) -> Cube:
    literals = []
    while cube != buddy.bddtrue:
        positive = buddy.bdd_low(cube) == buddy.bddfalse
        literals.append((numbers[buddy.bdd_var(cube)], positive))
        cube = buddy.bdd_high(cube) if positive else buddy.bdd_low(cube)
    return literals


def in_child(compute: Callable[[], str], budget: Budget) -> str:
    """Run a computation in a forked child and give the text it returns."""
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover - runs in the child
        os.close(receive)
        _child(compute, send, budget.memory)
    os.close(send)
    try:
        return _collect(receive, budget)
    finally:
        os.close(receive)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _child(compute: Callable[[], str], send: int, memory: int | None) -> None:
    """Never returns; writes ``=`` and the result, ``!`` and the error, or dies."""
    try:
        die_with_parent()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1):
            signal.signal(number, signal.SIG_IGN)  # the parent decides
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # Spot's last words when memory runs out
        if memory is not None:  # decision diagrams of the parent may have reserved much more
            limit = reserved_bytes() + max(LEAST_MEMORY, memory - resident_bytes())
            resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
        try:
            message = "=" + compute()
        except MemoryError:
            message = ""
        except Exception as error:
            message = f"!{type(error).__name__}: {error}"
        with os.fdopen(send, "w", encoding="utf-8") as pipe:
            pipe.write(message)
    finally:
        os._exit(0)


def _collect(receive: int, budget: Budget) -> str:
    chunks: list[bytes] = []
    while True:
        ready, _, _ = select.select([receive], [], [], 0.05)
        if not ready:
            budget.check()
            continue
        chunk = os.read(receive, 1 << 16)
        if not chunk:
            break
        chunks.append(chunk)
    text = b"".join(chunks).decode()
    if text.startswith("="):
        return text[1:]
    if text.startswith("!"):
        raise InternalError(f"Spot failed on the formula: {text[1:]}")
    raise LimitReached("translating the formula ran out of memory")
