"""Lines that say how work stands."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from mpisog._native import MclcdPhase
from mpisog.budget import Budget, Counts
from mpisog.engines import enumeration
from mpisog.executor.checks import Status
from mpisog.report import progress
from mpisog.report.progress import Progress, progress_line, status_text

CLEARED = (("cleared (clearing, round 3)", 1_200), ("markings", 5_000))


def test_a_rate_is_that_of_the_first_count_and_names_no_phase():
    status = Status(1, 3, [(0, "f, mclcd", CLEARED), (2, "g, dfs", ())], None)
    _, first, second = status_text(status, 2.0, "\n").splitlines()
    assert first == "f, mclcd, 1,200 cleared (clearing, round 3), 5,000 markings, 600 cleared/s"
    assert second == "worker 2: g, dfs"


@pytest.mark.parametrize(("choice", "lines"), [("plain", 2), ("auto", 2), ("none", 0)])
def test_plain_lines_where_there_is_no_terminal(choice, lines, capsys, monkeypatch):
    monkeypatch.setattr(progress, "PLAIN_EVERY", 0.0)
    monkeypatch.setattr(Progress, "DELAY", 0.0)
    with progress_line(choice, "ring") as line:
        line.show(CLEARED)
        line.show((("events", 7),))
    err = capsys.readouterr().err.splitlines()
    assert len(err) == lines
    assert all(text.startswith("mpisog: ring: ") for text in err)
    assert "7 events" in "".join(err[1:]) or not lines


def test_phases_of_mclcd():
    shown: list[Counts] = []
    poll = enumeration.progress(Budget(show=shown.append), phases=True)
    for phase in (MclcdPhase.forward, MclcdPhase.clearing, MclcdPhase.collecting):
        poll(SimpleNamespace(phase=phase, rounds=3, cleared=2, states=9, edges=20))
    assert shown == [
        (("markings (forward)", 9), ("firings", 20)),
        (("cleared (clearing, round 3)", 2), ("markings", 9)),
        (("cleared (collecting, round 3)", 2), ("markings", 9)),
    ]
