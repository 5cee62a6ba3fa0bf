"""The registry of backends."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from mpisog.budget import Budget
from mpisog.errors import LimitReached, UsageError
from mpisog.nets.generators import generate
from mpisog.symbolic.bits import BitsDomain, TooManyMarkings
from mpisog.symbolic.registry import BACKENDS, LITTLE_WORK, open_domain
from tests.helpers import PATIENCE, ROOT, environment, pump, toggle


def test_backends_carry_their_names(every_backend: str) -> None:
    net = toggle()
    domain = open_domain(every_backend, net, order=[1, 0], budget=Budget())
    assert domain.name == every_backend
    assert domain.net is net


def test_there_are_four() -> None:
    assert set(BACKENDS) == {"mdd", "bdd", "bits", "explicit"}


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("mmd", "'mdd'"),
        ("explict", "'explicit'"),
        ("atuo", "'auto'"),
        ("zzz", "auto, mdd, bdd, bits, explicit"),
    ],
)
def test_a_misspelt_name_gets_a_hint(name: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        open_domain(name, toggle())
    assert hint in str(caught.value)


def test_the_net_decides_what_auto_is() -> None:
    small, large = generate("philosophers", 5), generate("philosophers", 12)
    assert open_domain("auto", small).name == "bits"
    assert open_domain("auto", large).name == "mdd"
    assert open_domain("auto", pump(), order=[0, 1]).name == "mdd"


def test_auto_gives_up_soon() -> None:
    """Wide markings take longer than narrow ones, so their number alone is no limit."""
    net = generate("philosophers", 200)
    started = time.process_time()
    with pytest.raises(TooManyMarkings):
        BitsDomain(net, work=LITTLE_WORK)
    assert time.process_time() - started < 2


def test_a_limit_reached_while_auto_looks_is_a_limit() -> None:
    budget = Budget()
    budget.interrupt()
    with pytest.raises(LimitReached, match="interrupted"):
        open_domain("auto", generate("philosophers", 200), budget=budget)


def test_packages_are_loaded_only_when_used() -> None:
    script = (
        "import sys, mpisog.symbolic.registry\n"
        "print({'dd', 'mpisog.symbolic.mdd', 'mpisog.symbolic.bdd'}.intersection(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=environment(),
        cwd=ROOT,
        check=True,
    )
    assert done.stdout.strip() == "set()"
