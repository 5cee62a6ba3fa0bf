"""The shipped Slurm script through Slurm itself: verdicts, exit codes and signals come back."""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

import pytest

from mpisog.bench.results import read_results
from mpisog.nets.generators import generate
from tests.helpers import PATIENCE, command, environment, saved, toggle
from tests.slurm.local_slurm import PARTITION, LocalSlurm, why_not

pytest.importorskip("mpi4py", reason="no MPI beside this Python (pip install 'mpisog[mpi]')")

SETTINGS = f"""\
[submit]
scheduler = "slurm"
partition = "{PARTITION}"
memory = "1500M"
time = "0:05:00"
mpi = "{{mpi}}"
"""


@pytest.fixture(scope="module")
def slurm():
    """Daemons for the tests of this file, or a skip with the reason."""
    reason = why_not()
    if reason is not None:
        pytest.skip(reason)
    with tempfile.TemporaryDirectory(prefix="slurm-") as folder:  # a socket's path must be short
        cluster = LocalSlurm(Path(folder))
        try:
            with cluster:
                _require_pmix(cluster)
                yield cluster
        except Exception as error:
            error.add_note(cluster.logs())
            raise


def _require_pmix(cluster: LocalSlurm) -> None:
    """Debian's Slurm looks for a file of PMIx that only the development package has."""
    try:
        cluster.ask("srun", "--mpi=pmix", "true")
    except RuntimeError as error:
        if "PMIx library" in str(error):
            pytest.skip("no PMIx for Slurm (Debian: apt-get install libpmix-dev)")
        raise


class Submitted:
    """A job of ours."""

    def __init__(self, slurm: LocalSlurm, folder: Path, number: str) -> None:
        self.slurm, self.number = slurm, number
        self._output = folder / f"mpisog-{number}.out"

    def output(self) -> str:
        """What it has written so far."""
        return self._output.read_text() if self._output.exists() else ""

    def ended(self) -> tuple[str, str]:
        """Its state and exit code, once it has ended."""
        job = self.slurm.wait(self.number)
        return job["JobState"], job["ExitCode"]


@pytest.fixture
def submit(slurm, tmp_path):
    """Submits a command of mpisog with ``mpisog submit``, as a user would."""

    def call(*work: str, ranks: int = 1, mpi: str = "pmix") -> Submitted:
        config = tmp_path / "settings.toml"
        config.write_text(SETTINGS.format(mpi=mpi))
        options = ("--config", str(config), "--ranks-per-node", str(ranks))
        said = slurm.ask(
            *command("submit", *options, "--", *work),
            folder=tmp_path,
            environment=environment(),
        )
        return Submitted(slurm, tmp_path, said.split()[-1])

    return call


def test_verdicts_come_back_as_exit_codes(submit, tmp_path):
    net, report = saved(toggle(), tmp_path), tmp_path / "report.json"
    holds = submit("check", net, "-f", "G F on", "--json", str(report))
    fails = submit("check", net, "-f", "G on")
    assert holds.ended() == ("COMPLETED", "0:0"), holds.output()
    assert holds.output().startswith("TRUE    formula-1: G F on  (")
    assert fails.ended() == ("FAILED", "1:0"), fails.output()
    assert fails.output().startswith("FALSE   formula-1: G on  (")
    job = json.loads(report.read_text())["provenance"]["job"]
    assert (job["scheduler"], job["id"], job["memory_mb"]) == ("slurm", holds.number, 1500)


def test_ranks_meet_under_srun(submit, tmp_path):
    net = saved(toggle(), tmp_path)
    doctor = submit("doctor", ranks=3)
    check = submit("check", net, "-f", "G on", "--engine", "sog", ranks=3)
    assert doctor.ended() == ("COMPLETED", "0:0"), doctor.output()
    assert "ok       ranks: 3, started by srun\n" in doctor.output()
    assert "ok       ring: a message went round 3 ranks" in doctor.output()
    assert f"batch job: slurm job {doctor.number}," in doctor.output()
    assert check.ended() == ("FAILED", "1:0"), check.output()
    assert check.output().count("FALSE   formula-1: G on  (") == 1


def test_ranks_that_do_not_meet_are_noticed(submit):
    job = submit("doctor", ranks=2, mpi="none")
    assert job.ended() == ("FAILED", "1:0"), job.output()
    assert "failure  ranks: srun started 2 programs that do not know of each other" in job.output()


@pytest.mark.parametrize("ranks", [1, 2])
def test_the_warning_before_the_end(slurm, submit, tmp_path, ranks):
    """Slurm sends it to the script, as ``--signal=B:USR1@60`` does a minute before the end."""
    net = saved(generate("philosophers", 20), tmp_path)
    slow = ("-f", "Think_1", "-f", "G !(Eat_1 & Eat_2)", "--engine", "explicit")
    job = submit("check", net, *slow, ranks=ranks)
    deadline = time.monotonic() + PATIENCE
    while "TRUE    formula-1" not in job.output():
        assert time.monotonic() < deadline, job.output()
        time.sleep(0.2)
    slurm.ask("scancel", "--batch", "--signal=USR1", job.number)
    assert job.ended() == ("FAILED", "2:0"), job.output()
    assert "UNKNOWN formula-2: G !(Eat_1 & Eat_2)  (" in job.output()
    assert "  reason: interrupted\n" in job.output()


SUITE = """\
title = "Two nets, two engines"
[[nets]]
family = "philosophers"
sizes = [2, 3]
[formulas.random]
count = 3
[[configurations]]
name = "auto"
[[configurations]]
name = "two builders"
options = ["--engine", "sog"]
ranks = 3
"""


def test_a_suite_as_an_array_of_jobs(slurm, tmp_path):
    (tmp_path / "pair.toml").write_text(SUITE)
    (tmp_path / "settings.toml").write_text(SETTINGS.format(mpi="pmix"))
    options = ("--config", "settings.toml", "--parts", "2", "--out", "results")
    said = slurm.ask(
        *command("bench", "submit", "pair.toml", *options),
        folder=tmp_path,
        environment=environment(),
    )
    number = said.split()[-1]
    jobs = [slurm.wait(f"{number}_{task}") for task in (1, 2)]
    outputs = [path.read_text() for path in sorted(tmp_path.glob("mpisog-*.out"))]
    assert [(job["JobState"], job["ExitCode"]) for job in jobs] == [("COMPLETED", "0:0")] * 2, (
        outputs
    )
    results = read_results(tmp_path / "results")
    assert len(results.sessions) == 2
    assert {session["provenance"]["job"]["scheduler"] for session in results.sessions} == {"slurm"}
    assert len(results.runs) == 12
    assert {r["verdict"] for run in results.runs.values() for r in run["results"]} <= {
        "TRUE",
        "FALSE",
    }
    slurm.ask(*command("bench", "report", "results"), folder=tmp_path, environment=environment())
    assert "Disagreements: none." in (tmp_path / "results" / "report" / "index.html").read_text()
