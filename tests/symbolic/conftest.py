"""Every test with the fixture ``backend`` is part of the contract and runs on each backend."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from mpisog.symbolic.registry import BACKENDS

NEEDS = {"ldd": "mpisog.symbolic.ldd", "bdd": "dd", "explicit": "mpisog.symbolic.explicit"}


@pytest.fixture(params=sorted(BACKENDS))
def backend(request: pytest.FixtureRequest) -> str:
    """The name of a backend."""
    name: str = request.param
    if find_spec(NEEDS[name]) is None:
        pytest.skip(f"{NEEDS[name]} is missing")
    return name
