"""Tasks, stages and courses: conjuncts, formulas that an engine is not for, how deep calls go."""

from __future__ import annotations

import inspect
from collections import Counter
from random import Random

import pytest

import mpisog
from mpisog import Verdict
from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines import explicit, sog
from mpisog.engines.base import Finding
from mpisog.engines.batch import prepare
from mpisog.engines.course import Course, PropertyCourse
from mpisog.engines.dfs import Dfs
from mpisog.engines.endings import Endings
from mpisog.engines.resources import LARGE, NetResources, Resources
from mpisog.engines.schedule import ENGINES, Slice, Stage, schedule
from mpisog.engines.task import Task, split, tasks
from mpisog.engines.transformations import shorten, simplify, stutter_close
from mpisog.engines.unit import SKIPPED, Undecided, Why, run_unit
from mpisog.errors import InternalError, UsageError
from mpisog.formulas.properties import Property
from mpisog.nets.generators import generate
from mpisog.spotglue.emptiness import find_run
from mpisog.spotglue.ltl import bind
from mpisog.team.plan import Plan
from mpisog.team.team import ThreadTeam
from tests.helpers import pump, to_mpisog, toggle
from tests.reference import ltl
from tests.reference.checker import holds, is_counterexample
from tests.reference.generate import MOST_MARKINGS, random_formula, random_net

MOST_FRAMES = 8
SAMPLE = 60


def bound(net, formula):
    return bind(Property("f", formula), net)


def test_a_conjunction_is_violated_as_soon_as_one_conjunct_is():
    """Nine conjuncts, whose automaton takes Spot many seconds."""
    net = generate("philosophers", 5)
    pairs = [(i, j) for i in (1, 2, 3) for j in (1, 2, 3)]
    formula = " & ".join(f"G(Catch1_{i} -> F Eat_{j})" for i, j in pairs)
    result = mpisog.check(net, formula, timeout=5)
    assert result.verdict is Verdict.FALSE
    assert result.conjunct in {f"G(Catch1_{i} -> F Eat_{j})" for i, j in pairs}
    assert str(result.statistics["phases"]).count("formula") == 1
    assert mpisog.check(net, "G(Catch1_1 -> F Eat_1)").conjunct is None


@pytest.mark.parametrize("engine", ["auto", *ENGINES])
def test_a_conjunction_holds_when_all_conjuncts_do(engine):
    for formula, verdict in (
        ("G F on & G F off", Verdict.TRUE),
        ("!(F G on | F G off)", Verdict.TRUE),
        ("G F on & F G on", Verdict.FALSE),
    ):
        if engine == "mclcd" and "F G on" in formula:
            continue
        result = mpisog.check(toggle(), formula, engine=engine)
        expected = Verdict.UNKNOWN if (engine, verdict) == ("symbolic", Verdict.FALSE) else verdict
        assert result.verdict is expected, formula


def test_conjuncts_have_their_own_atoms_and_count_instants_together():
    net = toggle()
    parts = split(bound(net, "G F on & F dead"), net)
    assert sorted((part.text, len(part.atoms)) for part in parts) == [
        ("Fdead", 1),
        ('GF"on >= 1"', 1),
    ]
    assert len(split(bound(net, "X on & F dead"), net)) == 1
    numbered = tasks(net, [bound(net, "G F on & F dead"), bound(net, "F on")])
    assert [(t.number, t.property, t.conjunct) for t in numbered] == [
        (0, 0, True), (1, 0, True), (2, 1, False),
    ]  # fmt: skip


def test_random_conjunctions_agree_with_the_reference():
    seen: Counter[object] = Counter()
    for number in range(SAMPLE):
        rng = Random(f"conjunction {number}")
        net = random_net(rng)
        formula = ("and", random_formula(rng, net), random_formula(rng, net))
        expected = holds(net, formula, MOST_MARKINGS)
        engine = rng.choice(["auto", "explicit", "dfs"])
        result = mpisog.check(to_mpisog(net), ltl.text(formula), engine=engine)
        case = f"{engine}\n{net}\n{ltl.text(formula)}"
        assert result.verdict is (Verdict.TRUE if expected else Verdict.FALSE), case
        if result.trace is not None:
            trace = result.trace
            assert is_counterexample(net, formula, trace.prefix_ids, trace.cycle_ids), case
        seen[expected] += 1
        seen["conjunct"] += result.conjunct is not None
    assert min(seen[True], seen[False], seen["conjunct"]) >= 5


@pytest.mark.parametrize("net", [toggle(), generate("process_ring", LARGE)], ids=["small", "large"])
@pytest.mark.parametrize("engine", ["auto", *ENGINES])
def test_nothing_asks_about_the_formula_once_its_words_have_changed(net, engine):
    """Both look at the formula, not at the automaton that other words have been put into."""
    for stage in schedule(RunConfig(engine=engine, threads=2), net):
        steps = stage.transformations
        changing = [steps.index(step) for step in (shorten, stutter_close) if step in steps]
        assert not changing or not isinstance(stage.engine, Endings), stage
        assert simplify not in steps[min(changing, default=len(steps)) :], stage


def test_a_batch_checks_what_the_engine_can_check():
    first, second = mpisog.check_many(toggle(), ["X on", "G F on"], engine="sog")
    assert (first.verdict, second.verdict) == (Verdict.UNKNOWN, Verdict.TRUE)
    assert "not stutter-invariant" in first.reason
    with pytest.raises(UsageError, match="not stutter-invariant"):
        mpisog.check(toggle(), "X on", engine="sog")


def test_markings_are_not_numbered_while_a_team_waits(monkeypatch):
    monkeypatch.setattr(NetResources, "enumerate", lambda *_: pytest.fail("it is numbered"))
    team = ThreadTeam(1, Plan())
    batch = prepare(toggle(), [Property("f", "G F on")], RunConfig(engine="sog"), team)
    numbered = [stage for stage in batch.stages if stage.name.endswith("numbered")]
    assert numbered
    for stage in numbered:
        assert run_unit(batch.tasks[0][0], stage, batch.resources(), Budget()) is SKIPPED


def test_a_batch_on_a_net_that_is_not_safe(monkeypatch):
    net = generate("kanban", 2)
    place = net.places[0].id
    found = mpisog.check_many(net, ["F dead", f'G "{place} <= 9"'], engine="unfolding")
    assert {result.verdict for result in found} == {Verdict.UNKNOWN}
    assert all("token" in result.reason for result in found)


@pytest.mark.parametrize(("engine", "module"), [("explicit", explicit), ("sog", sog)])
def test_few_frames_are_between_the_loop_over_properties_and_spot(monkeypatch, engine, module):
    depths = []

    def noted(*arguments):
        names = [frame.function for frame in inspect.stack()]
        depths.append(names.index("_check") - 1)  # without this one, which stands for Spot
        return find_run(*arguments)

    monkeypatch.setattr(module, "find_run", noted)
    assert mpisog.check(generate("philosophers", 4), "G F Think_1", engine=engine).trace
    assert depths
    assert max(depths) <= MOST_FRAMES


def test_stages_have_names_of_their_own_and_the_same_place_everywhere():
    for engine in ("auto", *ENGINES):
        config = RunConfig(engine=engine, threads=2)
        stages = schedule(config, toggle())
        assert [stage.name for stage in stages] == [s.name for s in schedule(config, toggle())]
        assert len({stage.name for stage in stages}) == len(stages)
        assert [stage.round for stage in stages] == sorted(stage.round for stage in stages)


def test_an_unbounded_net_ends_without_a_limit_too():
    """Only a lasso could decide: the searches for one come in a single round."""
    result = mpisog.check(pump(), "F dead")
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason.endswith("no counterexample found with few tokens in every place")
    assert "round 1" in result.statistics["phases"]
    assert "round 2" not in result.statistics["phases"]


def staged(*rounds):
    return [Stage(f"stage {i}", Dfs(), Slice(), round=r) for i, r in enumerate(rounds)]


def test_a_round_is_repeated_only_if_more_time_may_help():
    task = Task(0, 0, bound(toggle(), "F on"))
    late, gave_up = Undecided(Why.TIME, "late"), Undecided(Why.GAVE_UP, "no")
    for outcome, more in ((late, True), (gave_up, False), (SKIPPED, False)):
        course = Course(task, staged(0, 1, 2))
        for expected in (0, 1):
            assert course.next() == expected
            course.note(expected, SKIPPED if expected == 0 else outcome, 0.0)
        assert course.is_open == more
        assert course.next() == (2 if more else None)


def test_a_round_waits_for_the_one_before():
    course = Course(Task(0, 0, bound(toggle(), "F on")), staged(1, 1, 2))
    assert (course.next(), course.next(), course.next()) == (0, 1, None)
    course.note(0, Undecided(Why.TIME, "late"), 0.0)
    assert course.next() is None
    course.note(1, Undecided(Why.GAVE_UP, "no"), 0.0)
    assert course.next() == 2


def test_a_property_needs_all_its_conjuncts():
    net = toggle()
    parts = tasks(net, [bound(net, "G F on & G F off")])
    course = PropertyCourse(parts, staged(0))
    units = [course.next(), course.next()]
    assert [task.number for task, _ in units] == [0, 1]
    course.note(0, 0, Finding(None), 0.0)
    assert course.finding is None
    course.note(1, 0, Finding(None), 0.0)
    assert course.finding.counterexample is None


def test_a_run_that_is_no_counterexample_is_a_bug_of_an_engine(monkeypatch):
    net = toggle()
    right = Dfs().run

    def wrong(self, problem, resources, budget):
        """A counterexample of another formula."""
        task = Task(0, 0, bound(net, "G off"))
        return right(task.problem((), resources, budget), resources, budget)

    monkeypatch.setattr(Dfs, "run", wrong)
    task = Task(0, 0, bound(net, "G F on"))
    with pytest.raises(InternalError, match="does not violate"):
        run_unit(task, Stage("dfs", Dfs()), Resources(net), Budget())
