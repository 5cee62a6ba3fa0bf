"""Formulas to automata, within limits.

Translation can take exponential time inside Spot, which neither releases the GIL nor can be
interrupted. A formula that is not small is therefore translated in a forked child that is killed
when the time is over or the user has had enough.
"""

from __future__ import annotations

import os
import resource
import select
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import spot

from mpisog.errors import InternalError, LimitReached
from mpisog.limits import Watch
from mpisog.spotglue.ltl import BoundFormula, SpotFormula

Automaton = Any
"""A ``spot.twa_graph``; SWIG gives it no type."""

SMALL_FORMULA = 16
"""Up to this length (Spot's measure) translation is instant and needs no child process."""


def counterexample_automaton(
    bound: BoundFormula, watch: Watch, *, delayed: bool, single_acceptance: bool
) -> Automaton:
    """An automaton of the words that violate the formula.

    ``delayed`` starts one instant later (for graphs with an extra root), ``single_acceptance``
    asks for a Büchi automaton where generalised acceptance will not do.
    """
    negation = spot.formula.Not(bound.formula)
    if delayed:
        negation = spot.formula.X(negation)
    kind = "buchi" if single_acceptance else "tgba"
    return translate(negation, kind, watch)


def translate(formula: SpotFormula, kind: str, watch: Watch) -> Automaton:
    """Spot's translation; raises ``LimitReached`` when the watch ends it."""
    watch.check()
    if spot.length(formula) <= SMALL_FORMULA:
        return spot.translate(formula, kind, "small")
    text = str(formula)
    hoa = in_child(lambda: spot.translate(text, kind, "small").to_str("hoa"), watch)
    return spot.automaton(hoa)


def is_stutter_invariant(bound: BoundFormula, watch: Watch) -> bool:
    """Whether the formula cannot see repeated letters, as Spot decides it."""
    if bound.formula.is_syntactic_stutter_invariant():
        return True
    text = str(bound.formula)
    return in_child(lambda: str(int(spot.is_stutter_invariant(spot.formula(text)))), watch) == "1"


def in_child(compute: Callable[[], str], watch: Watch) -> str:
    """Run a computation in a forked child and give the text it returns."""
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover - runs in the child
        os.close(receive)
        _child(compute, send, watch.memory)
    os.close(send)
    try:
        return _collect(receive, watch)
    finally:
        os.close(receive)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _child(compute: Callable[[], str], send: int, memory: int | None) -> None:
    """Never returns; writes ``=`` and the result, ``!`` and the error, or dies."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
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


def _collect(receive: int, watch: Watch) -> str:
    chunks: list[bytes] = []
    while True:
        ready, _, _ = select.select([receive], [], [], 0.05)
        if not ready:
            watch.check()
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
