"""Signals at random moments: the program ends soon, says what is known, leaves nobody behind."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from uuid import uuid4

import pytest

from mpisog.nets.generators import generate
from tests.cluster.launching import mpirun, mpirun_environment
from tests.helpers import PATIENCE, ROOM, ROOT, command, environment, is_busy, saved
from tests.limits.running import processes_with, verdicts

ENDS_WITHIN = 4

FORMULAS = ("-f", "Think_1", "-f", "G !(Eat_1 & Eat_2)", "-f", "G(Think_1 -> F Eat_1)")
ENGINES = ("auto", "explicit", "dfs", "sog", "symbolic")


@pytest.fixture(scope="module")
def net(tmp_path_factory):
    """Large enough to keep every engine busy for a while."""
    return saved(generate("philosophers", 25), tmp_path_factory.mktemp("net"))


def _signalled(
    arguments: list[str], env: dict[str, str], after: float, number: int
) -> tuple[int, str, str]:
    """Exit code and output of a run that gets a signal; it ends soon and leaves nobody behind."""
    mark = uuid4().hex
    with subprocess.Popen(
        arguments,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**env, "MPISOG_TEST_MARK": mark},
    ) as process:
        time.sleep(after)
        process.send_signal(number)
        signalled = time.monotonic()
        out, err = process.communicate(timeout=PATIENCE)
        seconds = time.monotonic() - signalled
    what = (after, number, process.returncode, out, err)
    assert seconds < ENDS_WITHIN + (ROOM if is_busy() else 0), what
    # Before the first line of mpisog the interpreter says what it likes.
    assert "Traceback" not in err or str(ROOT / "mpisog") not in err, what
    deadline = time.monotonic() + ROOM
    while (left := processes_with(mark)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left, what
    return process.returncode, out, err


def _moments(seed: str, count: int, longest: float) -> list[tuple[float, int, str]]:
    choose = random.Random(seed)
    numbers = (signal.SIGINT, signal.SIGTERM)
    return [
        (choose.uniform(0, longest), choose.choice(numbers), choose.choice(ENGINES))
        for _ in range(count)
    ]


@pytest.mark.parametrize(
    "moments",
    [
        pytest.param(_moments("few", 12, 1.5), id="few"),
        pytest.param(_moments("many", 300, 2.5), id="many", marks=pytest.mark.slow),
    ],
)
def test_one_process(net, moments):
    for after, number, engine in moments:
        arguments = command("check", net, "--engine", engine, *FORMULAS)
        code, out, err = _signalled(arguments, environment(), after, number)
        # Before Python can take care of signals, the system does.
        assert code in (0, 1, 2, -number), (code, out, err)
        assert "ended by force" not in err or is_busy()
        # One line stands for those that were not checked.
        names = [line.split()[0] for line in verdicts(out)]
        assert names == [f"formula-{i}" for i in range(1, len(names) + 1)]


@pytest.mark.parametrize(
    "moments",
    [
        pytest.param(_moments("few ranks", 3, 4), id="few"),
        pytest.param(_moments("many ranks", 60, 5), id="many", marks=pytest.mark.slow),
    ],
)
def test_ranks(net, moments):
    for after, number, engine in moments:
        program = command("check", net, "--engine", engine, *FORMULAS)
        _signalled([mpirun(), "-n", "3", *program], mpirun_environment(), after, number)
