"""Random nets and formulas checked under random settings, against the reference checker.

``python -m tests.engines.settings --checks 100000 --seed 1`` is a whole campaign: worker processes,
so that a crash is found too, and a summary with the seed of each pair that went wrong.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random

import mpisog
from mpisog import Verdict
from mpisog.engines.mclcd import VARIANTS
from mpisog.engines.registry import ENGINES
from mpisog.errors import UsageError
from mpisog.reductions.driver import LEVELS
from mpisog.spotglue.emptiness import ALGORITHMS
from mpisog.symbolic.protocol import DIGESTS
from mpisog.symbolic.registry import AUTO, BACKENDS
from mpisog.team.plan import PARALLEL, PLACEMENTS, STRATEGIES
from mpisog.unfolding.prefix import NotSafe
from mpisog.verdict import Result
from tests.helpers import to_mpisog
from tests.reductions.pairs import random_pair, state_formula
from tests.reference import ltl
from tests.reference.checker import Net, TooLarge, holds, is_counterexample, violated_nearby
from tests.reference.generate import (
    MOST_MARKINGS,
    free_net,
    random_formula,
    random_net,
    state_atom,
)

SETTINGS_PER_PAIR = 8
PAIRS_PER_WORKER = 50
NEARBY = 60
"""Markings of an unbounded net among which the reference looks for a violation."""
PATIENCE = 0.3
"""Seconds for a net that is, or may be, unbounded."""
LONGEST = 500
"""Steps of a counterexample that the reference replays too."""
HUNG = 1800
"""Seconds after which a worker counts as hung."""


def random_settings(rng: Random) -> dict[str, object]:
    """Any combination; limits are drawn seldom, since they leave many verdicts open."""
    return {
        "engine": rng.choice(list(ENGINES)),
        "reduce": rng.choice((*LEVELS, "full")),
        "emptiness": rng.choice(list(ALGORITHMS)),
        "backend": rng.choice([AUTO, *BACKENDS]),
        "aggregation": rng.choice(("precise", "static")),
        "forbid": rng.choice((0, 0, 0, 1, 2, 4)),
        "aggregate_nodes": rng.choice((None, None, None, 0, 2, 5, 9)),
        "variant": rng.choice(list(VARIANTS)),
        "threads": rng.choice((1, 1, 2, 3)),
        "parallel": rng.choice(PARALLEL),
        "strategy": rng.choice(STRATEGIES),
        "placement": rng.choice(PLACEMENTS),
        "digest": rng.choice(list(DIGESTS)),
        "timeout": rng.choice((*[None] * 12, 1e-4, 0.01, 0.3)),
        "total_timeout": rng.choice((*[None] * 12, 0.02)),
        "memory": rng.choice((*[None] * 12, 1 << 20, 1 << 28)),
    }


def draw(rng: Random) -> tuple[Net, list[ltl.Formula]]:
    """A net with one to three formulas, which are checked in one call."""
    kind = rng.random()
    if kind < 0.4:
        net, formula = random_pair(rng)
        return net, [formula]
    net = free_net(rng) if kind < 0.65 else random_net(rng)
    makers = [(random_formula, state_formula)] * 2 + [(lrl_formula,)]
    chosen = rng.choices(rng.choice(makers), k=rng.choice((1, 1, 2, 3)))
    return net, [maker(rng, net) for maker in chosen]


def lrl_formula(rng: Random, net: Net) -> ltl.Formula:
    """One of the forms that MCLCD takes."""
    p, q = (("ap", state_atom(rng, net)) for _ in range(2))
    always_leads = ("G", ("implies", p, ("F", q)))
    return rng.choice([("G", p), ("F", p), ("U", p, q), always_leads, ("G", ("F", p))])


def reference(net: Net, formula: ltl.Formula) -> bool | None:
    """The verdict; nothing where the net has too many markings and no violation is near."""
    try:
        return holds(net, formula, MOST_MARKINGS)
    except TooLarge:
        return False if violated_nearby(net, formula, NEARBY) else None


def compare(rng: Random, settings_per_pair: int = SETTINGS_PER_PAIR) -> Counter[str]:
    """One net under several settings; gives the number of checks by class."""
    net, formulas = draw(rng)
    expected = [reference(net, formula) for formula in formulas]
    try:
        net.markings(MOST_MARKINGS)
        finite = True
    except TooLarge:
        finite = False
    seen: Counter[str] = Counter()
    for _ in range(settings_per_pair):
        settings = random_settings(rng)
        if not finite:
            settings["timeout"] = settings["timeout"] or PATIENCE
        try:
            results = mpisog.check_many(to_mpisog(net), [*map(ltl.text, formulas)], **settings)
        except Exception as error:
            case = f"{net}\n{[*map(ltl.text, formulas)]}\n{settings}"
            if is_refusal(error, net):
                seen["unfit"] += 1
                continue
            raise AssertionError(case) from error
        for formula, result, verdict in zip(formulas, results, expected, strict=True):
            judge(net, formula, result, verdict, settings, finite)
            seen.update(["checks", str(result.verdict), f"engine {settings['engine']}"])
            seen.update([] if finite else ["unbounded", f"unbounded {result.verdict}"])
    return seen


def is_refusal(error: Exception, net: Net) -> bool:
    """Whether an engine says that it is not made for the formula, or the net, and is right."""
    if isinstance(error, NotSafe):
        return not is_safe(net)
    return isinstance(error, UsageError) and "cannot check" in str(error)


def is_safe(net: Net) -> bool:
    """Whether no place has two tokens, as far as that can be seen."""
    markings = net.nearest_markings(MOST_MARKINGS + 1)
    return len(markings) <= MOST_MARKINGS and all(max(m, default=0) <= 1 for m in markings)


def judge(
    net: Net,
    formula: ltl.Formula,
    result: Result,
    expected: bool | None,
    settings: dict[str, object],
    finite: bool,
) -> None:
    """The verdict is the reference's, or open for a reason; the counterexample is one."""
    case = f"{net}\n{ltl.text(formula)}\n{settings}\n{result}"
    if result.verdict is Verdict.UNKNOWN:
        limits = ("timeout", "total_timeout", "memory")
        limited = any(settings[name] is not None for name in limits)
        only_proofs = settings["engine"] == "symbolic" and expected is False
        huge = "more than 4 billion tokens" in (result.reason or "")
        # In a batch the others are checked.
        refused = settings["engine"] in ("sog", "mclcd") and "cannot check" in (result.reason or "")
        refused = refused or (settings["engine"] == "unfolding" and not is_safe(net))
        assert limited or only_proofs or huge or refused or not finite, case
        assert result.reason, case
    elif result.verdict is Verdict.TRUE:
        assert expected is not False, case
    else:
        assert expected is not True, case
        assert result.trace is not None, case
        lasso = result.trace.prefix_ids, result.trace.cycle_ids
        short = len(lasso[0]) + len(lasso[1]) <= LONGEST  # the reference takes its square
        assert not short or is_counterexample(net, formula, *lasso), (case, lasso)


def _work(seed: str, first: int, pairs: int) -> int:
    """A worker: prints what it has seen, and each pair that went wrong."""
    seen: Counter[str] = Counter()
    failed = 0
    for number in range(first, first + pairs):
        print(f"at {seed} {number}", flush=True)
        try:
            seen += compare(Random(f"{seed} {number}"))
        except Exception:
            failed += 1
            print(f"FAILED {seed} {number}\n{traceback.format_exc()}", flush=True)
    print("seen", dict(seen), flush=True)
    return 1 if failed else 0


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    """The worker's end, or what it has printed before it hung."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=HUNG)
    except subprocess.TimeoutExpired as hung:
        said = (hung.stdout or b"").decode()
        return subprocess.CompletedProcess(command, 1, said, "hung")


def _campaign(seed: str, checks: int, jobs: int, first: int) -> int:
    """Workers, one after the other on each of the jobs, until there are enough checks."""
    started = time.monotonic()
    seen: Counter[str] = Counter()
    bad: list[str] = []

    def run(job: int) -> None:
        number = first + job * PAIRS_PER_WORKER
        while seen["checks"] < checks:
            args = ["--worker", str(number), "--seed", seed]
            command = [sys.executable, "-Xfaulthandler", "-m", "tests.engines.settings", *args]
            done = _run(command)
            lines = done.stdout.splitlines()
            if lines and lines[-1].startswith("seen "):
                seen.update(eval(lines[-1][5:]))  # our own worker's dictionary
            if done.returncode:
                bad.append(f"{done.returncode}\n{done.stdout[-20000:]}\n{done.stderr[-5000:]}")
                print(bad[-1], flush=True)
            number += jobs * PAIRS_PER_WORKER
            print(f"{seen['checks']} {time.monotonic() - started:.0f} s", flush=True)

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(run, range(jobs)))
    print(dict(sorted(seen.items())), f"{time.monotonic() - started:.0f} s, {len(bad)} bad")
    return 1 if bad else 0


def _main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checks", type=int, default=100_000)
    parser.add_argument("--seed", default="campaign")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--worker", type=int)
    args = parser.parse_args()
    if args.worker is not None:
        return _work(args.seed, args.worker, PAIRS_PER_WORKER)
    return _campaign(args.seed, args.checks, args.jobs, args.first)


if __name__ == "__main__":
    sys.exit(_main())
