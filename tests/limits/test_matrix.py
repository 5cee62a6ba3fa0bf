"""Every command, engine and backend on large nets: limits are kept, and not by force.

Times have room for a busy machine in the default run; the whole matrix is slow and strict.
"""

from __future__ import annotations

import pytest

from mpisog.symbolic.registry import BACKENDS
from tests.helpers import ROOM, is_busy
from tests.limits.nets import FAMILIES, FORMULA, written
from tests.limits.running import Run, watched

LIMITS = ("--timeout", "5", "--memory", "500M")
SIZES = (5_000, 20_000, 100_000)
SECONDS, MEGABYTES = 8, 550

VARIANTS: dict[str, tuple[str, ...]] = {
    **{
        f"check-{engine}-{level}": ("check", "--engine", engine, "--reduce", level, "-f", FORMULA)
        for engine in ("auto", "explicit", "dfs", "sog", "symbolic", "unfolding")
        for level in ("full", "none")
    },
    **{
        f"check-{engine}-{backend}": (
            "check", "--engine", engine, "--backend", backend, "--reduce", "none", "-f", FORMULA,
        )
        for engine in ("sog", "symbolic")
        for backend in BACKENDS
    },
    **{
        f"check-mclcd-{variant}": (
            "check", "--engine", "mclcd", "--variant", variant, "--threads", "2", "--reduce",
            "none", "-l", "p1 --> p2",
        )
        for variant in ("auto", "rg", "rpg", "no-graph")
    },
    "states-threads": ("states", "--engine", "explicit", "--threads", "2"),
    "check-next": ("check", "-f", "G F(p1 & X !dead)"),
    **{f"states-{engine}": ("states", "--engine", engine) for engine in
       ("auto", "explicit", "symbolic")},
    **{f"sog-{backend}": ("sog", "--backend", backend, "-f", FORMULA) for backend in BACKENDS},
    "sog": ("sog", "-f", FORMULA),
    "info": ("info", "-f", FORMULA),
    "reduce": ("reduce", "-f", FORMULA),
}  # fmt: skip

SAMPLE = (
    ("chain", 20_000, "states-symbolic"),
    ("chain", 20_000, "check-sog-mdd"),
    ("chain", 20_000, "check-next"),
    ("loops", 20_000, "check-explicit-none"),
    ("loops", 20_000, "check-sog-bits"),
    ("fork", 20_000, "check-sog-none"),
    ("fork", 20_000, "check-next"),
    ("wide", 20_000, "check-auto-full"),
    ("million", 5_000, "check-sog-none"),
    ("heavy", 5_000, "check-symbolic-none"),
    ("star", 20_000, "check-sog-bdd"),
    ("fork", 20_000, "check-mclcd-auto"),
    ("loops", 20_000, "check-mclcd-rg"),
    ("star", 20_000, "check-mclcd-no-graph"),
    ("star", 5_000, "check-sog-bdd"),
    ("wide", 5_000, "check-symbolic-bdd"),
    ("loops", 5_000, "check-sog-explicit"),
    ("million", 5_000, "check-dfs-none"),
    ("ring", 20_000, "check-symbolic-bits"),
    ("heavy", 100_000, "states-auto"),
    ("loops", 100_000, "states-symbolic"),
    ("chain", 100_000, "sog-mdd"),
)


def run(net: str, variant: str) -> Run:
    command, *rest = VARIANTS[variant]
    return watched(command, net, *rest, *LIMITS)


@pytest.mark.parametrize(("family", "size", "variant"), SAMPLE)
def test_limits_are_kept_on_large_nets(tmp_path, family, size, variant):
    done = run(written(family, size, tmp_path), variant)
    assert done.code in range(4), done.err
    assert not done.forced or is_busy()
    assert done.seconds < SECONDS + ROOM
    assert done.megabytes <= MEGABYTES


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("family", FAMILIES)
def test_the_whole_matrix(tmp_path, family, size):
    net = written(family, size, tmp_path)
    broken = {}
    for variant in VARIANTS:
        done = run(net, variant)
        if done.code not in range(4) or done.forced:
            broken[variant] = done
        if done.seconds > SECONDS or done.megabytes > MEGABYTES:
            broken[variant] = done
    assert not broken


def conjuncts(number: int) -> str:
    return " & ".join(f"G(p{i} -> F p{i + 1})" for i in range(number))


def nested(depth: int) -> str:
    formula = "p0"
    for i in range(depth):
        formula = f"(p{i} U {formula})" if i % 2 else f"(G {formula})"
    return formula


def wide_sum(atoms: int) -> str:
    return "F (" + " | ".join(f'"p{i} + p{i + 1} >= 2"' for i in range(atoms)) + ")"


def wide_group(transitions: int) -> str:
    names = ",".join(f"t{i}" for i in range(transitions))
    return f'G F "fireable({names})" & G(p1 -> X "fireable({names})")'


@pytest.mark.parametrize("engine", ["auto", "explicit", "dfs", "sog", "symbolic"])
@pytest.mark.parametrize(
    "formula",
    [conjuncts(25), nested(30), wide_sum(500), wide_group(2_744)],
    ids=["25 conjuncts", "30 nested operators", "500 atoms", "fireable of 2,744 transitions"],
)
def test_limits_are_kept_with_large_formulas(tmp_path, engine, formula):
    net = written("ring", 3_000, tmp_path)
    done = watched("check", net, "--engine", engine, "-f", formula, *LIMITS)
    assert done.code in range(4), done.err
    assert not done.forced or is_busy()
    assert done.seconds < SECONDS + ROOM
    assert done.megabytes <= MEGABYTES
