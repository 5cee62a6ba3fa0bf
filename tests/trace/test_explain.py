"""Explanations: truth of every part against a separate evaluator, reasons in words, notices."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
import spot

from mpisog import check
from mpisog.budget import Budget
from mpisog.errors import InternalError
from mpisog.formulas.properties import Property
from mpisog.nets.generators import generate
from mpisog.nets.model import NetBuilder, PetriNet, make_net
from mpisog.spotglue.ltl import bind
from mpisog.spotglue.parts import subformulas
from mpisog.spotglue.tables import TRUE, Tables, tabulate
from mpisog.spotglue.words import violations
from mpisog.trace.automaton_run import accepting_run
from mpisog.trace.explain import Explanation, explain
from mpisog.trace.truth import truths
from tests.helpers import toggle, u_then_o

ATOMS = ["a", "b", "c"]
NET = make_net("atoms", dict.fromkeys(ATOMS, 0), {"t": (["a"], ["b"])})


def by_definition(formula, letters, start, instant) -> bool:
    """Truth by unrolling the definitions over all instants that can come; shares nothing."""
    size = len(letters)
    later = [*range(instant, size), *range(start, min(instant, size))]
    kind = str(formula.kindstr())

    def at(part, where):
        return by_definition(part, letters, start, where)

    if kind in ("tt", "ff"):
        return kind == "tt"
    if kind == "ap":
        return int(formula.ap_name()[1:]) in letters[instant]
    if kind in ("And", "Or"):
        values = [at(part, instant) for part in formula]
        return all(values) if kind == "And" else any(values)
    first, last = formula[0], formula[formula.size() - 1]
    match kind:
        case "Not":
            return not at(first, instant)
        case "Implies":
            return at(last, instant) if at(first, instant) else True
        case "Equiv":
            return at(first, instant) is at(last, instant)
        case "Xor":
            return at(first, instant) is not at(last, instant)
        case "X":
            return at(first, instant + 1 if instant + 1 < size else start)
        case "F":
            return any(at(first, i) for i in later)
        case "G":
            return all(at(first, i) for i in later)
    until = any(
        at(last, there) and all(at(first, i) for i in later[:number])
        for number, there in enumerate(later)
    )
    released = any(
        at(first, there) and all(at(last, i) for i in later[: number + 1])
        for number, there in enumerate(later)
    )
    match kind:
        case "U":
            return until
        case "W":
            return until or all(at(first, i) for i in later)
        case "M":
            return released
        case "R":
            return released or all(at(last, i) for i in later)
    raise AssertionError(kind)


def test_the_truth_of_every_part_at_every_instant_is_that_of_the_definition():
    chance = random.Random(3)
    looked_at = 0
    for _ in range(1000):
        seed, size = chance.randrange(10**6), chance.randint(3, 12)
        text = str(next(spot.randltl(ATOMS, seed=seed, tree_size=size)))
        bound = bind(Property("f", text), NET)
        names = ["a0", "a1", "a2"][: len(bound.atoms)]
        letters, start = random_word(chance, len(bound.atoms))
        parts = subformulas(bound, names)
        for part, truth in zip(parts, truths(parts, letters, start), strict=True):
            formula = spot.formula(part.text)
            expected = [by_definition(formula, letters, start, i) for i in range(len(letters))]
            assert truth == expected, (text, part.text, letters, start)
            looked_at += len(letters)
    assert looked_at > 10_000


def random_word(chance: random.Random, atoms: int) -> tuple[list[frozenset[int]], int]:
    length = chance.randint(1, 7)
    letters = [frozenset(n for n in range(atoms) if chance.random() < 0.5) for _ in range(length)]
    return letters, chance.randrange(length)


def is_edge(automaton: Tables, state: int, letter: frozenset[int], target: int) -> bool:
    def holds(condition: int) -> bool:
        if condition <= TRUE:
            return condition == TRUE
        atom, low, high = automaton.nodes[condition]
        return holds(high if atom in letter else low)

    return any(e.target == target and holds(e.condition) for e in automaton.edges[state])


def test_the_run_of_the_automaton_is_one_that_accepts():
    chance = random.Random(4)
    violated = 0
    for _ in range(300):
        seed, size = chance.randrange(10**6), chance.randint(3, 12)
        text = str(next(spot.randltl(ATOMS, seed=seed, tree_size=size)))
        bound = bind(Property("f", text), NET)
        letters, start = random_word(chance, len(bound.atoms))
        automaton = tabulate(violations(bound, Budget()))
        if by_definition(bound.formula, letters, start, 0):
            with pytest.raises(InternalError):
                accepting_run(automaton, letters, start)
            continue
        violated += 1
        states = accepting_run(automaton, letters, start)
        assert states[0] == automaton.initial
        assert len(states) == len(letters) + 1
        for letter, state, target in zip(letters, states, states[1:], strict=False):
            assert is_edge(automaton, state, letter, target), text
        accepting_run(replace(automaton, initial=states[-1]), letters[start:], 0)  # goes on well
    assert violated > 50


def story(net: PetriNet, text: str, **settings: object) -> Explanation:
    result = check(net, text, **settings)
    assert result.trace is not None
    assert result.bound is not None
    return explain(result.trace, result.bound, Budget())


def why(net: PetriNet, text: str, **settings: object) -> list[str]:
    return [reason.text for reason in story(net, text, **settings).reasons]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("on", ["`on` does not hold at the start"]),
        ("G off", ["`off` does not hold after step 1"]),
        ("F(on & off)", ["`off & on` never holds from the start on"]),
        ("X off", ["`off` does not hold after step 1"]),
        ("off -> on", ["`off` holds at the start", "`on` does not hold at the start"]),
        ("!off", ["`off` holds at the start"]),
        ("!F on", ["`on` holds after step 1"]),
        ("off <-> on", ["`off` holds at the start", "`on` does not hold at the start"]),
        ("!off U on", ["`on` has not held by then", "`off` holds at the start"]),
        ("off U (on & off)", ["`off & on` never holds from the start on"]),
        ("on R off", ["`on` has not held before", "`off` does not hold after step 1"]),
        ("!G F on", ["`F on` holds from the start on, for ever"]),
        ("G(off -> X off)", ["`off` holds at the start", "`off` does not hold after step 1"]),
        ("down", ["step 1 is `up`, not `down`"]),
        ("G !up", ["`up` fires at step 1"]),
    ],
)
def test_reasons(text, said):
    assert why(toggle(), text, shortest=True) == said


def test_a_dead_end_is_told():
    assert why(u_then_o(), "X X X F o")[-1] == "`o` never holds from step 2 on"


def test_the_conjunct_that_fails_is_named():
    told = story(toggle(), "X F on & G off & G F off")  # checked whole, because of X
    assert told.conjunct is not None
    assert told.parts[told.conjunct].text == "G off"


def test_values_of_comparisons_are_told():
    net = generate("philosophers", 3)
    assert why(net, '"Think_1 + Think_2 + Think_3 <= 2"') == [
        "`Think_1 + Think_2 + Think_3 <= 2` does not hold at the start"
        " (Think_1 + Think_2 + Think_3 = 3)"
    ]


def test_the_automaton_is_where_the_word_leads_it():
    told = story(toggle(), "F G off")
    assert len(told.states) == len(told.letters) + 1
    assert told.states[0] == told.automaton.initial


def test_the_automaton_enters_its_loop_where_the_violation_begins():
    told = story(generate("philosophers", 3), "G(Catch1_1 -> F Eat_1)")
    holds = [told.atom_names.index("Catch1_1") in letter for letter in told.letters]
    begins = holds.index(True)
    assert len(told.states) > begins + 2
    assert {*told.states[: begins + 1]} == {told.automaton.initial}
    assert told.automaton.initial not in told.states[begins + 1 :]


def test_names_of_the_file_are_used_unless_ids_are_wanted():
    builder = NetBuilder("named")
    builder.place("p1", 1, name="idle")
    builder.place("p2", 0, name="busy")
    builder.transition("t1", name="start")
    builder.arc("p1", "t1")
    builder.arc("t1", "p2")
    net = builder.build()
    result = check(net, "G idle")
    assert result.trace is not None
    assert result.bound is not None
    assert explain(result.trace, result.bound, Budget()).reasons[0].text.startswith("`idle`")
    with_ids = explain(result.trace, result.bound, Budget(), ids=True)
    assert with_ids.reasons[0].text.startswith("`p1`")


def test_a_formula_is_not_changed_by_translating_it():
    result = check(toggle(), "G(off -> X off)")
    assert result.bound is not None
    assert "->" in str(result.bound.formula)


def test_notices_of_formulas_that_hold_for_a_trivial_reason():
    net = generate("philosophers", 3)
    implied = check(net, 'G("Eat_1 + Eat_2 >= 2" -> F dead)')
    assert [n for n in implied.notices if "never occurs" in n and "Eat_1 + Eat_2 >= 2" in n]
    assert check(net, 'G F "Eat_1 <= 1"').notices == ("`Eat_1 <= 1` is true in every marking",)
    assert check(net, 'G "Eat_1 <= 1"').notices == ()
    assert check(net, "G(Eat_1 -> !Eat_2)").notices == ()


def test_a_witness_is_explained_like_a_counterexample():
    result = check(generate("philosophers", 4), "E<> Eat_2", logic="lrl")
    assert result.trace_kind == "witness"
    assert result.trace is not None
    assert len(result.trace.steps) == 2
    told = result.explain()
    assert told is not None
    assert [reason.text for reason in told.reasons] == ["`Eat_2` holds after step 2"]
    assert "a run that shows it:" in str(result)
