"""Runs are measured over all their processes, and ended with all of them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mpisog.bench.measure import Bounds, Stop, measure
from mpisog.bench.processes import parse_stat

MEGABYTE = 2**20


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_output_exit_code_and_wall_time(tmp_path):
    done = measure(
        python("import sys, time; time.sleep(0.3); print('x'); sys.exit(7)"), Bounds(30), tmp_path
    )
    assert (done.stdout, done.code, done.ended) == ("x\n", 7, None)
    assert done.wall >= 0.3


def test_memory_is_summed_over_processes(tmp_path):
    """Two children hold 60 MB each at the same time; no process of the run holds 120."""
    child = "import time; x = bytearray(60 << 20); time.sleep(1.5)"
    code = (
        "import subprocess, sys\n"
        f"both = [subprocess.Popen([sys.executable, '-c', {child!r}]) for _ in '12']\n"
        "[p.wait() for p in both]"
    )
    done = measure(python(code), Bounds(60), tmp_path)
    assert 120 * MEGABYTE <= done.peak_bytes < 250 * MEGABYTE
    assert done.processes == 3


def test_cpu_time_of_children_counts(tmp_path):
    child = "import time\nwhile time.process_time() < 0.7: pass"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    assert measure(python(code), Bounds(60), tmp_path).cpu >= 0.7


def alive(pid: int) -> bool:
    try:
        found = parse_stat(Path(f"/proc/{pid}/stat").read_text())
    except FileNotFoundError:
        return False
    return found is not None


@pytest.mark.parametrize("session", ["False", "True"])
def test_a_time_out_ends_the_whole_family(tmp_path, session):
    """Also a child that ignores SIGTERM, and one that has left the session."""
    child = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(100)"
    code = (
        "import subprocess, sys, time\n"
        f"p = subprocess.Popen([sys.executable, '-c', {child!r}], start_new_session={session})\n"
        "print(p.pid, flush=True); time.sleep(100)"
    )
    done = measure(python(code), Bounds(1.0), tmp_path)
    assert done.ended == "time"
    assert done.wall < 20
    assert not alive(int(done.stdout))


def test_memory_beyond_the_bound_ends_a_run(tmp_path):
    code = "import time; x = bytearray(200 << 20); time.sleep(100)"
    assert measure(python(code), Bounds(60, 100 * MEGABYTE), tmp_path).ended == "memory"


def test_what_outlives_its_run_is_ended(tmp_path):
    code = (
        "import subprocess, sys, time\n"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(100)'])\n"
        "print(p.pid, flush=True); time.sleep(0.5)"
    )
    done = measure(python(code), Bounds(60), tmp_path)
    assert done.ended is None
    assert not alive(int(done.stdout))


def test_stop(tmp_path):
    stop = Stop()
    stop.set()
    assert measure(python("import time; time.sleep(100)"), Bounds(60), tmp_path, stop=stop).ended


def test_a_run_ends_when_the_benchmark_is_killed(tmp_path):
    code = (
        "import sys; from pathlib import Path; from mpisog.bench.measure import *\n"
        'run = \'import os, time; open("pid", "w").write(str(os.getpid())); time.sleep(100)\'\n'
        f"measure([sys.executable, '-c', run], Bounds(100), Path({str(tmp_path)!r}))"
    )
    outer = subprocess.Popen(python(code))
    pid = tmp_path / "pid"
    deadline = time.monotonic() + 60
    while not (pid.exists() and pid.read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    outer.kill()
    outer.wait()
    while alive(int(pid.read_text())):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_odd_names_in_proc():
    found = parse_stat(
        f"12 (a ) b (c) S 1 12 9 0 -1 4 0 0 0 0 {os.sysconf('SC_CLK_TCK')} 0 0 0 20 0 1 0 77 0"
    )
    assert found is not None
    assert (found.pid, found.parent, found.session, found.seconds, found.born) == (
        12,
        1,
        9,
        1.0,
        77,
    )
