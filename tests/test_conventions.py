"""What types cannot say: no optional member is looked up by name, no cache goes by address."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import mpisog

ROOT = Path(mpisog.__file__).parent
ROOMS = ("symbolic", "sog", "trace", "state_equation", "reductions", "team", "engines", "executor")


def calls(path: Path, *names: str) -> list[ast.Call]:
    found = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    return [call for call in found if isinstance(call.func, ast.Name) and call.func.id in names]


@pytest.mark.parametrize("room", ROOMS)
def test_members_and_caches(room):
    for path in (ROOT / room).glob("*.py"):
        assert not calls(path, "id", "hasattr"), path
        # A loop over all fields of a dataclass is another thing.
        by_name = [
            call for call in calls(path, "getattr") if isinstance(call.args[1], ast.Constant)
        ]
        assert not by_name, path
