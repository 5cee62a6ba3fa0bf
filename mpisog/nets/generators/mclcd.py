"""The philosophers and token rings of the MCLCD paper, with the formulas of its Figure 11."""

from __future__ import annotations

from collections.abc import Sequence

from mpisog.nets.model import PetriNet, make_net

Formulas = Sequence[tuple[str, str]]
"""(name, LRL) pairs."""

_Transitions = dict[str, tuple[Sequence[str], Sequence[str]]]


def ph(count: int) -> PetriNet:
    """A philosopher takes both forks, each hand on its own, and has no state for eating."""
    places: dict[str, int] = {}
    transitions: _Transitions = {}
    for i in range(1, count + 1):
        places |= {f"idle_{i}": 1, f"wl_{i}": 0, f"wr_{i}": 0}
        places |= {f"gl_{i}": 0, f"gr_{i}": 0, f"fork_{i}": 1}
        left, right = f"fork_{i}", f"fork_{i % count + 1}"
        transitions[f"ask_{i}"] = ([f"idle_{i}"], [f"wl_{i}", f"wr_{i}"])
        transitions[f"left_{i}"] = ([f"wl_{i}", left], [f"gl_{i}"])
        transitions[f"right_{i}"] = ([f"wr_{i}", right], [f"gr_{i}"])
        transitions[f"release_{i}"] = ([f"gl_{i}", f"gr_{i}"], [f"idle_{i}", left, right])
    return make_net(f"PH-{count}", places, transitions)


def ph_formulas(count: int) -> Formulas:
    """Whether the first philosopher eats; two neighbours never do."""
    return (
        ("may-eat", "E<> (gr_1 /\\ gl_1)"),
        ("will-eat", "A<> (gr_1 /\\ gl_1)"),
        ("may-starve", "E[] -(gr_1 /\\ gl_1)"),
        ("exclusion", "A[] -((gr_1 /\\ gl_1) /\\ (gr_2 /\\ gl_2))"),
        ("no-starvation", "(wl_1 /\\ wr_1) ==> (gl_1 /\\ gr_1)"),
    )


def tk(count: int) -> PetriNet:
    """A token goes round; a station that has it may pass it on even when it waits for it."""
    return _token_ring(f"TK-{count}", count, modest=True)


def tk_m(count: int) -> PetriNet:
    """The same, but only idle stations pass the token on: nobody starves."""
    return _token_ring(f"TK_M-{count}", count, modest=False)


def _token_ring(name: str, count: int, modest: bool) -> PetriNet:
    places: dict[str, int] = {}
    transitions: _Transitions = {}
    for i in range(1, count + 1):
        idle, wait, cs, token, sent = (f"{s}_{i}" for s in ("idle", "wait", "cs", "token", "sent"))
        places |= {idle: 1, wait: 0, cs: 0, token: int(i == 1), sent: 0}
        needed = [] if modest else [idle]
        transitions[f"request_{i}"] = ([idle], [wait])
        transitions[f"enter_{i}"] = ([wait, token], [cs])
        transitions[f"leave_{i}"] = ([cs], [idle, sent])
        transitions[f"pass_{i}"] = ([*needed, token], [*needed, sent])
        transitions[f"arrive_{i}"] = ([sent], [f"token_{i % count + 1}"])
    return make_net(name, places, transitions)


def tk_formulas(count: int) -> Formulas:
    """Starvation, mutual exclusion, and a run without any critical section."""
    inside = " + ".join(f"cs_{i}" for i in range(1, count + 1))
    return (
        ("no-starvation", "wait_1 ==> cs_1"),
        ("exclusion", f'A[] -"{inside} > 1"'),
        ("nobody-enters", f'E[] "{inside} == 0"'),
    )
