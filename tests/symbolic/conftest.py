"""Every test with one of these fixtures is part of the contract and runs on each backend.

Tests that put markings into sets that cannot be reached take ``backend``, all others
``every_backend``.
"""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from mpisog.symbolic.registry import BACKENDS

NEEDS = {"bdd": "dd"}

ONLY_REACHABLE = {"bits"}
"""Backends that know no other markings."""


@pytest.fixture(params=sorted(BACKENDS))
def every_backend(request: pytest.FixtureRequest) -> str:
    """The name of a backend."""
    return installed(request.param)


@pytest.fixture(params=sorted(BACKENDS.keys() - ONLY_REACHABLE))
def backend(request: pytest.FixtureRequest) -> str:
    """The name of a backend that takes any marking."""
    return installed(request.param)


def installed(name: str) -> str:
    """The name, unless the package behind it is missing."""
    if name in NEEDS and find_spec(NEEDS[name]) is None:
        pytest.skip(f"{NEEDS[name]} is missing")
    return name
