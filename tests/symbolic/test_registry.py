"""The registry of backends."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mpisog.errors import UsageError
from mpisog.limits import Watch
from mpisog.symbolic.registry import BACKENDS, open_domain
from tests.helpers import PATIENCE, ROOT, environment, toggle


def test_backends_carry_their_names(backend: str) -> None:
    net = toggle()
    domain = open_domain(backend, net, order=[1, 0], watch=Watch())
    assert domain.name == backend
    assert domain.net is net


def test_there_are_three() -> None:
    assert set(BACKENDS) == {"ldd", "bdd", "explicit"}


@pytest.mark.parametrize(
    ("name", "hint"), [("lld", "'ldd'"), ("explict", "'explicit'"), ("zzz", "ldd, bdd, explicit")]
)
def test_a_misspelt_name_gets_a_hint(name: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        open_domain(name, toggle())
    assert hint in str(caught.value)


def test_packages_are_loaded_only_when_used() -> None:
    script = (
        "import sys, mpisog.symbolic.registry\n"
        "print({'dd', 'mpisog.symbolic.ldd', 'mpisog.symbolic.bdd'}.intersection(sys.modules))"
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
