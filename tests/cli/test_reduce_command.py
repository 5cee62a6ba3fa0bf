"""``mpisog reduce``: what it prints, what it writes, what it refuses."""

from __future__ import annotations

import io

import mpisog
from mpisog.nets.load import read_net
from mpisog.nets.model import make_net
from tests.helpers import mpisog as in_a_process
from tests.helpers import saved


def chain():
    """``a``, ``b`` and ``c`` in a row and back to ``a``."""
    return make_net(
        "chain",
        {"a": 1, "b": 0, "c": 0},
        {"t": (["a"], ["b"]), "u": (["b"], ["c"]), "v": (["c"], ["a"])},
    )


def test_it_tells_what_it_did(cli, tmp_path):
    outcome = cli("reduce", saved(chain(), tmp_path), "-f", "G F a")
    assert outcome.code == 0
    assert outcome.out.splitlines() == [
        "before: 3 places, 3 transitions",
        "after: 2 places, 2 transitions",
        "  post-agglomeration: 1",
        'formula: GF"a >= 1"',
    ]


def test_the_net_it_writes_has_the_same_verdict_for_the_formula_it_prints(cli, tmp_path):
    target = tmp_path / "small.pnml"
    outcome = cli("reduce", saved(chain(), tmp_path), "-f", "G(a -> F !a)", "-o", target)
    printed = outcome.out.splitlines()[-1].removeprefix("formula: ")
    small = mpisog.load_net(target)
    assert len(small.places) == 2
    assert mpisog.check(small, printed).verdict is mpisog.Verdict.TRUE
    assert mpisog.check(chain(), "G(a -> F !a)").verdict is mpisog.Verdict.TRUE


def test_a_net_on_stdout_is_alone(tmp_path):
    done = in_a_process("reduce", saved(chain(), tmp_path), "-f", "G F a", "-o", "-")
    assert len(read_net(io.BytesIO(done.stdout.encode())).places) == 2
    assert done.stderr.startswith("before: 3 places")


def test_safe_leaves_what_only_stuttering_allows(cli, tmp_path):
    outcome = cli("reduce", saved(chain(), tmp_path), "-f", "G F a", "--reduce", "safe")
    assert "after: 3 places, 3 transitions" in outcome.out


def test_a_formula_is_needed(cli, tmp_path):
    outcome = cli("reduce", saved(chain(), tmp_path))
    assert outcome.code == 3
    assert "-f" in outcome.err


def test_an_unknown_level(cli, tmp_path):
    outcome = cli("reduce", saved(chain(), tmp_path), "-f", "a", "--reduce", "save")
    assert outcome.code == 3
    assert "'safe'" in outcome.err


def test_an_unknown_place(cli, tmp_path):
    outcome = cli("reduce", saved(chain(), tmp_path), "-f", "G aa")
    assert outcome.code == 3
    assert "'aa'" in outcome.err
