"""What only a process of its own shows: limits, signals, pipes, terminals, imports."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys

import pytest

from mpisog.nets.generators import generate
from tests.helpers import PATIENCE, command, environment, mpisog, pump, saved, toggle, u_then_o

HUGE_AND_TRUE = "G !(Eat_1 & Eat_2)"
"""Neighbours share a fork. To know it, an explicit search must see 3^20 markings."""
EXPLICIT = ("--engine", "explicit")
"""The engine that can be kept busy: with decision diagrams nothing here takes long."""
SHORT = "Think_1"
"""Decided at the initial marking."""


@pytest.fixture(scope="module")
def huge(tmp_path_factory):
    return saved(generate("philosophers", 20), tmp_path_factory.mktemp("net"))


@pytest.fixture(scope="module")
def vast(tmp_path_factory):
    """A thousand swimmers: too many markings for any way of counting them."""
    return saved(generate("swimming_pool", 50), tmp_path_factory.mktemp("net"))


def untimed(text):
    """The lines without the seconds at their end."""
    return [line.split("  (")[0].split(" (")[0] for line in text.splitlines()]


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return saved(u_then_o(), tmp_path_factory.mktemp("net"))


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        (["--timeout", "2"], "time limit of 2 s reached"),
        (["--total-timeout", "3"], "total time limit of 3 s reached"),
        (["--memory", "150M"], "memory limit of 150 MB reached"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_limit_gives_unknown_and_a_quiet_end(huge, limit, reason):
    done = mpisog("check", huge, *EXPLICIT, "-f", SHORT, "-f", HUGE_AND_TRUE, *limit)
    assert done.returncode == 2
    lines = untimed(done.stdout)
    assert [line for line in lines if not line.startswith(("  how", "  notice"))][:3] == [
        f"TRUE    formula-1: {SHORT}",
        f"UNKNOWN formula-2: {HUGE_AND_TRUE}",
        f"  reason: {reason}",
    ]
    assert done.stderr == ""


def test_a_timeout_is_for_each_formula_and_a_total_for_all(huge):
    formulas = ("-f", HUGE_AND_TRUE, "-f", SHORT)
    each = mpisog("check", huge, *EXPLICIT, *formulas, "--timeout", "2", "--mcc")
    assert [line.split()[2] for line in each.stdout.splitlines()] == ["CANNOT_COMPUTE", "TRUE"]
    both = mpisog("check", huge, *EXPLICIT, *formulas, "--total-timeout", "0.3", "--mcc")
    assert [line.split()[2] for line in both.stdout.splitlines()] == ["CANNOT_COMPUTE"] * 2


@pytest.mark.parametrize("limit", [["--timeout", "0.3"], ["--memory", "40M"]])
def test_states_at_a_limit(vast, limit):
    done = mpisog("states", vast, *limit, "--json", "-")
    assert done.returncode == 2
    report = json.loads(done.stdout)
    assert report["complete"] is False
    assert report["states"] is None
    assert "limit of" in report["reason"]
    assert done.stderr == f"mpisog: unknown: {report['reason']}\n"


def test_limits_from_the_environment(huge):
    done = mpisog("check", huge, *EXPLICIT, "-f", HUGE_AND_TRUE, MPISOG_TIMEOUT="0.3")
    assert done.returncode == 2
    assert "time limit of 0.3 s reached" in done.stdout


def test_a_formula_that_cannot_be_translated_in_time(small):
    """Sixteen strong fairness conditions, far more than Spot translates in the time given."""
    atoms = [f'"a + {i}*b >= {i}"' for i in range(1, 17)]
    formula = "!(" + " & ".join(f"(GF {a} -> GF !{a})" for a in atoms) + ")"
    formula = f"({formula}) U X({formula})"
    done = mpisog("check", small, "-f", formula, "--timeout", "0.5")
    assert done.returncode == 2
    assert "time limit of 0.5 s reached" in done.stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGUSR1])
def test_a_signal_gives_what_is_known(huge, number):
    arguments = ("check", huge, *EXPLICIT, "-f", SHORT, "-f", HUGE_AND_TRUE, "-f", SHORT)
    with subprocess.Popen(
        command(*arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        first = process.stdout.readline()  # flushed while the second is being worked on
        assert process.poll() is None
        process.send_signal(number)
        rest, errors = process.communicate(timeout=PATIENCE)
    assert untimed(first) == [f"TRUE    formula-1: {SHORT}"]
    # How the first was decided may be lost between readline and communicate.
    lines = [line for line in untimed(rest) if line and not line.startswith("  how")]
    assert lines[:2] == [f"UNKNOWN formula-2: {HUGE_AND_TRUE}", "  reason: interrupted"]
    assert lines[-2:] == [
        "3 properties: 1 hold, 2 unknown",
        "interrupted: 1 more were not checked",
    ]
    assert not any(line.startswith("UNKNOWN formula-3") for line in lines)
    assert (process.returncode, errors) == (2, "")


def test_a_signal_during_states(vast):
    with subprocess.Popen(
        [*command("states", vast), "--timeout", "60"],
        stderr=subprocess.PIPE,
        text=True,
        env=environment(PYTHONVERBOSE="1"),
    ) as process:
        # The exploration's module is the last thing imported before the work begins.
        assert any("mpisog.engines.state_space" in line for line in process.stderr)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert "Traceback" not in errors


def test_a_broken_pipe_is_quiet(small):
    formulas = [part for _ in range(300) for part in ("-f", "F dead")]
    with subprocess.Popen(
        command("check", small, *formulas),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        assert untimed(process.stdout.readline()) == ["TRUE    formula-1: F dead"]
        process.stdout.close()
        errors = process.stderr.read()
        process.wait(timeout=PATIENCE)
    assert errors == ""
    assert process.returncode == 2


@pytest.mark.parametrize("options", [[], ["--mcc"], ["--json", "-"]])
def test_a_full_device_is_told(small, options):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command("check", small, "-f", "F dead", *options),
            stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=environment(),
        )  # fmt: skip
    assert done.returncode == 3
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_closed_streams_are_no_error(small, closed, tmp_path):
    report = tmp_path / "report.json"
    given = command("check", small, "-f", "F dead", "--json", report)
    done = subprocess.run(
        ["sh", "-c", f'"$@" {closed}', "sh", *given],
        capture_output=True, text=True, check=False, env=environment(),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(report.read_text())["results"][0]["verdict"] == "TRUE"


def test_an_unbounded_net_ends(tmp_path):
    done = mpisog("check", saved(pump(), tmp_path), "-f", 'G F "tank >= 3"')
    assert done.returncode == 2
    assert "the net is unbounded" in done.stdout


def test_no_progress_in_a_pipe(huge):
    done = mpisog("check", huge, *EXPLICIT, "-f", HUGE_AND_TRUE, "--timeout", "1")
    assert done.stderr == ""


def _on_a_terminal(arguments: list[str]) -> str:
    """What a terminal at standard error receives."""
    reader, terminal = pty.openpty()
    with subprocess.Popen(
        arguments,
        stdout=subprocess.DEVNULL,
        stderr=terminal,
        env=environment(TERM="xterm", COLUMNS="200"),
    ) as process:
        os.close(terminal)
        seen = b""
        while True:
            try:
                chunk = os.read(reader, 4096)
            except OSError:  # Linux's way to say that the other end is closed
                break
            if not chunk:
                break
            seen += chunk
        process.wait(timeout=PATIENCE)
    os.close(reader)
    return seen.decode()


def test_progress_of_a_check_on_a_terminal(huge):
    seen = _on_a_terminal(command("check", huge, *EXPLICIT, "-f", HUGE_AND_TRUE, "--timeout", "3"))
    for part in ("formula-1", "markings", "firings", "/s", "MB"):
        assert part in seen


def test_progress_of_states_on_a_terminal(vast):
    seen = _on_a_terminal(command("states", vast, "--timeout", "4"))
    assert "/s" in seen
    assert "MB" in seen


def test_no_progress_when_not_wanted(huge):
    arguments = command(
        "check", huge, *EXPLICIT, "-f", HUGE_AND_TRUE, "--timeout", "1", "--no-progress"
    )
    assert _on_a_terminal(arguments) == ""


def _modules_after(code: str) -> set[str]:
    program = f"{code}\nimport sys\nprint(*sys.modules, sep='\\n', file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=environment(),
        check=True,
    )
    return set(done.stderr.split())


def test_importing_mpisog_is_cheap():
    loaded = _modules_after("import mpisog")
    assert "mpisog" in loaded
    assert not {"spot", "mpi4py", "rich", "scipy", "lxml", "numpy", "mpisog._native"} & loaded


def test_a_tiny_check_imports_no_more_than_it_needs(small):
    code = f"from mpisog.cli.main import main; main(['check', {small!r}, '-f', 'F dead'])"
    loaded = _modules_after(code)
    assert "spot" in loaded
    assert not {"mpi4py", "rich", "scipy", "numpy"} & loaded


def test_states_needs_no_spot(small):
    loaded = _modules_after(f"from mpisog.cli.main import main; main(['states', {small!r}])")
    assert not {"spot", "mpi4py", "rich", "scipy"} & loaded


def test_standard_input_is_a_net(tmp_path):
    path = saved(toggle(), tmp_path)
    with open(path, "rb") as stream:
        done = subprocess.run(
            command("check", "-", "-f", "G F on"),
            stdin=stream,
            capture_output=True,
            timeout=PATIENCE,
            env=environment(),
            check=False,
        )
    assert done.returncode == 0


def test_names_that_the_terminal_cannot_show(tmp_path):
    path = tmp_path / "n.net"
    path.write_text("tr t {b\u00e9} -> q\npl {b\u00e9} (1)\n", encoding="utf-8")
    done = mpisog("check", str(path), "-f", 'G "b\u00e9"', PYTHONIOENCODING="ascii")
    assert done.returncode == 1
    assert r"b\xe9 1->0" in done.stdout
