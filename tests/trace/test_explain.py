"""Explanations: truth of every part against a separate evaluator, reasons in words, notices."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
import spot

from mpisog import check
from mpisog.budget import Budget
from mpisog.errors import InternalError
from mpisog.formulas.properties import Property
from mpisog.nets.generators import generate
from mpisog.nets.model import NetBuilder, PetriNet, make_net
from mpisog.spotglue.ltl import BoundFormula, bind
from mpisog.spotglue.parts import Subformula, subformulas
from mpisog.spotglue.tables import TRUE, Tables, tabulate
from mpisog.spotglue.words import violations
from mpisog.trace.automaton_run import accepting_run
from mpisog.trace.explain import TOGETHER, Explanation, explain
from mpisog.trace.reasons import reasons
from mpisog.trace.truth import foreseen, truths
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


def random_formulas(chance: random.Random, count: int) -> Iterator[tuple[str, BoundFormula]]:
    for _ in range(count):
        seed, size = chance.randrange(10**6), chance.randint(3, 12)
        text = str(next(spot.randltl(ATOMS, seed=seed, tree_size=size)))
        yield text, bind(Property("f", text), NET)


def parts_of(bound: BoundFormula) -> list[Subformula]:
    return subformulas(bound, ["a0", "a1", "a2"][: len(bound.atoms)])


def test_the_truth_of_every_part_at_every_instant_is_that_of_the_definition():
    chance = random.Random(3)
    looked_at = 0
    for text, bound in random_formulas(chance, 1000):
        letters, start = random_word(chance, len(bound.atoms))
        parts = parts_of(bound)
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
    for text, bound in random_formulas(chance, 300):
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


WITH_A_DEAD_TRANSITION = make_net(
    "n",
    {"off": 1, "on": 0, "no": 0},
    {"up": (["off"], ["on"]), "down": (["on"], ["off"]), "none": (["no"], [])},
)


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
        ("!off U on", ["`off` holds at the start", "`on` does not hold at the start"]),
        (
            "F G off",
            [
                "`G off` never holds from the start on: `off` fails again and again",
                "`off` does not hold after step 1",
            ],
        ),
        (
            "F down -> F G !up",
            [
                "`down` fires at step 2",
                "`G !up` never holds from the start on: `!up` fails again and again",
                "`up` fires at step 1",
            ],
        ),
        ("F fire(none)", ["`none` never fires"]),
        ("X F fire(none)", ["`none` never fires after step 1"]),
        (
            "up U fire(none)",
            ["step 2 is `down`, not `up`", "`none` does not fire from step 1 to step 2"],
        ),
        ("0", ["no run can satisfy the formula"]),
        ("!G(up | down)", ["`down | up` holds from the start on, for ever"]),
        (
            "off U (on & off)",
            [
                "`off` does not hold after step 1",
                "`off & on` does not hold from the start to step 1",
            ],
        ),
        ("on R off", ["`off` does not hold after step 1", "`on` does not hold at the start"]),
        ("down R off", ["`off` does not hold after step 1", "step 1 is `up`, not `down`"]),
        ("on R on", ["`on` does not hold at the start"]),
        ("down <-> off", ["step 1 is `up`, not `down`", "`off` holds at the start"]),
        ("G(on -> G on)", ["`on` holds after step 1", "`on` does not hold after step 2"]),
        ("!(off U on)", ["`off` holds until step 1", "`on` holds after step 1"]),
        ("!G F on", ["`F on` holds from the start on, for ever"]),
        ("G(off -> X off)", ["`off` holds at the start", "`off` does not hold after step 1"]),
        ("down", ["step 1 is `up`, not `down`"]),
        ("G !up", ["`up` fires at step 1"]),
    ],
)
def test_reasons(text, said):
    net = WITH_A_DEAD_TRANSITION if "none" in text else toggle()
    assert why(net, text, shortest=True) == said


def test_reasons_of_all_alternatives():
    """Spot puts alternatives into the order in which this process has come across them."""
    said = why(WITH_A_DEAD_TRANSITION, "F(X fire(none) | F dead)", shortest=True)
    both = {"`none` never fires after step 1", "`dead` never holds from the start on"}
    assert set(said) == both
    assert len(said) == len(both)


def test_every_reason_is_true():
    """Of random formulas on random words: what a sentence claims is so by definition."""
    chance = random.Random(6)
    told = 0
    for text, bound in random_formulas(chance, 1000):
        letters, start = random_word(chance, len(bound.atoms))
        if by_definition(bound.formula, letters, start, 0):
            continue
        parts = parts_of(bound)
        said = reasons(parts, truths(parts, letters, start), start, Silent())
        assert said, text
        for reason in said:
            for claim in reason.text.split(": "):
                assert is_so(claim, letters, start), (text, letters, start, reason.text)
                assert claim != UNSATISFIABLE or spot.are_equivalent(text, "0")
                told += 1
    assert told > 500


def test_what_is_known_at_the_seal_holds_however_the_run_goes_on():
    """Truths and reasons told from the beginning of random words, on random ends of them."""
    chance = random.Random(7)
    known_truths = told = 0
    for text, bound in random_formulas(chance, 1000):
        parts = parts_of(bound)
        begin, _ = random_word(chance, len(bound.atoms))
        known = foreseen(parts, begin)
        end, back = random_word(chance, len(bound.atoms))
        whole, start = begin + end, len(begin) + back
        for part, truth in zip(parts, known, strict=True):
            for instant, value in enumerate(truth):
                if value is not None:
                    known_truths += 1
                    formula = spot.formula(part.text)
                    assert by_definition(formula, whole, start, instant) is value, (text, begin)
        if known[-1][0] is False:
            for reason in reasons(parts, known, len(begin), Silent()):
                told += 1
                assert is_so(reason.text, whole, start), (text, begin, end, reason.text)
    assert known_truths > 5_000
    assert told > 200


def test_what_the_steps_do_not_tell_is_open():
    """Up to the seal: a next step beyond it, an end that never came."""
    bound = bind(Property("f", "G(a -> X b) & F c"), NET)
    parts = subformulas(bound, ["a", "b", "c"])
    letters = [frozenset({0}), frozenset({0, 1}), frozenset[int]()]
    known = dict(zip((part.text for part in parts), foreseen(parts, letters), strict=True))
    assert known["X b"] == [True, False, None]
    assert known["a -> X b"] == [True, False, True]
    assert known["G(a -> X b)"] == [False, False, None]
    assert known["F c"] == [None, None, None]
    assert known[parts[-1].text] == [False, False, None]
    fired = dict(zip((part.text for part in parts), foreseen(parts, letters, {1}), strict=True))
    assert fired["b"] == [False, True, None]


UNSATISFIABLE = "no run can satisfy the formula"


class Silent:
    """Words for atoms of which nothing more is known."""

    def value(self, atom: int, instant: int) -> None:
        return None

    def fired(self, instant: int) -> None:
        return None

    def is_event(self, atom: int) -> bool:
        return False


def is_so(claim: str, letters, start: int) -> bool:
    if claim == UNSATISFIABLE:
        return True
    quoted = re.match(r"`([^`]*)` (.*)", claim)
    assert quoted, claim
    formula, rest = spot.formula(quoted[1]), quoted[2]
    size = len(letters)
    numbers = [int(number) for number in re.findall(r"step (\d+)", rest)]
    again = size - start if "of the next round" in rest else 0
    instant = numbers[0] + (again if len(numbers) == 1 else 0) if numbers else 0

    def at(where: int) -> bool:
        while where >= size:
            where -= size - start
        return by_definition(formula, letters, start, where)

    def later() -> list[int]:
        return [*range(instant, size), *range(start, min(instant, size))]

    spoken = re.sub(r"step \d+", "step", rest).replace(" of the next round", "")
    match spoken.replace("at the start", "after step"):
        case "holds after step":
            return at(instant)
        case "does not hold after step":
            return not at(instant)
        case "never holds from step on" | "never holds from the start on":
            return not any(map(at, later()))
        case "holds from step on, for ever" | "holds from the start on, for ever":
            return all(map(at, later()))
        case "fails again and again":
            return not all(map(at, range(start, size)))
        case "does not hold from step to step":
            return not any(map(at, range(numbers[0], numbers[1] + again + 1)))
        case "does not hold from the start to step":
            return not any(map(at, range(numbers[0] + again + 1)))
        case "holds until step":
            return at(instant - 1)
    raise AssertionError(claim)


def test_what_an_until_waits_for_is_told_too():
    """Why a part has not held is what a long run shows."""
    net = make_net("race", {"a": 1, "b": 0, "c": 0, "d": 0}, {
        "ab": (["a"], ["b"]), "bc": (["b"], ["c"]), "cd": (["c"], ["d"])
    })  # fmt: skip
    assert why(net, "c U G !d", shortest=True) == [
        "`c` does not hold at the start",
        "`d` holds after step 3",
    ]


def test_a_seal_that_no_part_explains_is_said():
    net = make_net("one", {"p": 1, "q": 0}, {"t": (["p"], ["q"]), "u": (["p"], ["p"])})
    told = story(net, "p U (!p & p & q)", shortest=True)
    assert told.lasso.sealed == 0
    assert told.reasons[0].text == TOGETHER
    assert TOGETHER not in why(net, "G p", shortest=True)


def test_a_seal_at_the_end_of_a_round_is_told_by_what_is_known_there():
    net = make_net("still", {"p": 1, "q": 0, "r": 0}, {"t": (["p"], ["p"]), "u": (["r"], ["q"])})
    assert story(net, "q M X r", shortest=True).lasso.sealed == 1
    assert why(net, "q M X r", shortest=True) == ["`r` does not hold after step 1"]


def test_what_comes_only_in_the_next_round_is_said_so():
    bound = bind(Property("f", "G(a -> G b)"), NET)
    parts = subformulas(bound, ["a", "b"])
    letters = [frozenset({1}), frozenset[int](), frozenset({0, 1})]
    assert [reason.text for reason in reasons(parts, truths(parts, letters, 0), 0, Silent())] == [
        "`a` holds after step 2",
        "`b` does not hold after step 1 of the next round",
    ]


def test_what_did_not_fire_before_a_dead_end_is_told_step_by_step():
    net = make_net("end", {"p": 1, "q": 0}, {"t": (["p"], []), "u": (["q"], [])})
    assert why(net, "p W fire(u)", shortest=True) == [
        "`p` does not hold after step 1",
        "step 1 is `t`, not `u`",
    ]


def test_a_dead_end_is_told():
    assert why(u_then_o(), "X X X F o")[-1] == "`o` never fires after step 2"


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
    assert why(net, '!"Eat_1 >= 2*Eat_2"') == [
        "`Eat_1 >= 2*Eat_2` holds at the start (Eat_1 = 0, 2*Eat_2 = 0)"
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
    assert "speaks of the start only" in check(net, "Eat_1 --> Think_2").notices[0]
    assert check(net, "Eat_1 -> F Think_2").notices != check(net, "Eat_1 -> Think_2").notices


def test_a_witness_is_explained_like_a_counterexample():
    result = check(generate("philosophers", 4), "E<> Eat_2", logic="lrl")
    assert result.trace_kind == "witness"
    assert result.trace is not None
    assert len(result.trace.steps) == 2
    told = result.explain()
    assert told is not None
    assert [reason.text for reason in told.reasons] == ["`Eat_2` holds after step 2"]
    assert "a run that shows it:" in str(result)
    assert "such a run was found" in str(result)
    assert "nothing left to explore" not in str(result)
    assert "nothing can help" not in str(result)


def test_what_has_no_run_to_show_says_how_it_was_decided():
    result = check(generate("philosophers", 4), 'E<> "Eat_2 >= 2"', logic="lrl")
    assert result.trace is None
    assert "how: " in str(result)
