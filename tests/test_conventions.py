"""What types cannot say.

No optional member is looked up by name, no cache goes by address, one place swallows a limit.
"""

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


LIMITS = {"LimitReached", "Unbounded", "Interrupted"}


def names(node: ast.AST | None) -> set[str]:
    """All names in an expression, with or without the module's."""
    parts = [] if node is None else [*ast.walk(node)]
    return {part.id for part in parts if isinstance(part, ast.Name)} | {
        part.attr for part in parts if isinstance(part, ast.Attribute)
    }


def test_one_place_swallows_a_limit():
    """Who else catches one raises it again; commands turn it into an exit code."""
    places = []
    for path in ROOT.rglob("*.py"):
        tree = ast.parse(path.read_text())
        for node in ast.walk(tree):
            if isinstance(node, ast.ExceptHandler) and names(node.type) & LIMITS:
                places += [path] if not isinstance(node.body[-1], ast.Raise) else []
        places += [path for call in calls(path, "suppress") if names(call) & LIMITS]
    assert {path.parent.name for path in places} <= {"cli", ROOT.name}
    assert [path.name for path in places if path.parent == ROOT] == ["budget.py"]
