"""Batch scripts: what is rendered, and what they do with exit codes and signals."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from mpisog.cluster.scripts import render
from mpisog.cluster.settings import CONFIGS, SubmitConfig, find_config, load_submit_config
from mpisog.config import load_config
from mpisog.errors import UsageError
from tests.helpers import PATIENCE, ROOT

GOLDEN = Path(__file__).with_name("golden")
SHIPPED = ("laptop", "slurm", "magi", "gros")


def script(config, command, folder=Path("/home/me/nets"), **more):
    return render(config, command, folder, "/opt/bin/mpirun", **more)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_configurations(name):
    config = load_submit_config({}, find_config(name))
    command = ["/opt/bin/mpisog", "check", "net.pnml", "-f", "F p", "--config", f"{name}.toml"]
    assert script(config, command) == (GOLDEN / f"{name}.sh").read_text()


def test_every_shipped_configuration_is_tested_and_can_be_used():
    assert {path.stem for path in CONFIGS.glob("*.toml")} == set(SHIPPED)
    for path in CONFIGS.glob("*.toml"):
        assert load_config({}, str(path)).timeout == 600


def test_the_folders_of_a_clone_are_those_that_are_shipped():
    assert (ROOT / "configs" / "magi.toml").samefile(CONFIGS / "magi.toml")
    assert (ROOT / "slurm" / "base.sh.j2").is_file()


def test_one_rank_needs_no_launcher():
    for scheduler in ("slurm", "oar", "local"):
        text = script(SubmitConfig(scheduler=scheduler), ["mpisog", "doctor"])
        assert "\nmpisog doctor &\n" in text
        assert "srun" not in text
        assert "mpirun" not in text


def test_optional_lines_of_slurm():
    config = SubmitConfig(
        nodes=2,
        mpi="mpirun",
        account="project",
        modules=("python/3.12", "gcc"),
        setup=("ulimit -l unlimited",),
        options=("--constraint=ib",),
    )
    lines = script(config, ["mpisog", "doctor"]).splitlines()
    assert "#SBATCH --account=project" in lines
    assert "#SBATCH --constraint=ib" in lines
    setup = [lines.index(line) for line in ("module load python/3.12", "module load gcc")]
    assert lines.index("ulimit -l unlimited") == setup[1] + 1 == setup[0] + 2
    assert "/opt/bin/mpirun -n 2 --map-by ppr:1:node --bind-to none \\" in lines
    assert not any("srun" in line for line in lines)


def test_optional_lines_of_oar():
    config = SubmitConfig(scheduler="oar", partition="night", account="project")
    lines = script(config, ["mpisog", "doctor"]).splitlines()
    assert "#OAR -q night" in lines
    assert "#OAR --project project" in lines


def test_an_own_template_extends_a_shipped_one(tmp_path):
    (tmp_path / "mine.sh.j2").write_text(
        '{% extends "slurm.sh.j2" %}{% block cluster_directives %}\n#SBATCH --mine\n{% endblock %}'
    )
    config = SubmitConfig(template="mine")
    text = script(config, ["mpisog", "doctor"], own_templates=tmp_path)
    assert "#SBATCH --no-requeue\n#SBATCH --mine\n" in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "no template 'mine'"),
        ('{% extends "slurmm.sh.j2" %}', "no template 'slurmm' (did you mean 'slurm'?)"),
        ("{{ partitions }}", "template 'mine': 'partitions' is undefined"),
        ("{% if %}", "template 'mine': Expected an expression"),
    ],
)
def test_a_wrong_template(tmp_path, text, message):
    if text is not None:
        (tmp_path / "mine.sh.j2").write_text(text)
    with pytest.raises(UsageError) as caught:
        script(SubmitConfig(template="mine"), ["mpisog"], own_templates=tmp_path)
    assert message in str(caught.value)


AWKWARD = ["printf", "%s\\n", "it's", 'G "a b >= 1"', "$HOME `id` \\", "*"]


@pytest.fixture
def run(tmp_path):
    """Renders a script for this machine, one rank, and starts it; its output is a pipe."""
    folder = tmp_path / "a folder"
    folder.mkdir()

    def start(*command: str) -> subprocess.Popen[str]:
        path = tmp_path / "script.sh"
        path.write_text(script(SubmitConfig(scheduler="local"), command, folder))
        return subprocess.Popen(["bash", path], stdout=subprocess.PIPE, text=True)

    return start


def test_arguments_arrive_as_they_are(run):
    out, _ = run(*AWKWARD).communicate(timeout=PATIENCE)
    assert out.splitlines() == AWKWARD[2:]


def test_the_folder_and_the_threads(run):
    out, _ = run("bash", "-c", "pwd; echo $MPISOG_THREADS").communicate(timeout=PATIENCE)
    folder, threads = out.splitlines()
    assert folder.endswith("/a folder")
    assert threads == "1"


@pytest.mark.parametrize("code", [0, 1, 2, 3, 4])
def test_the_exit_code_is_the_commands(run, code):
    with run("bash", "-c", f"exit {code}") as process:
        assert process.wait(timeout=PATIENCE) == code


@pytest.mark.parametrize(
    ("number", "name"), [(signal.SIGUSR1, "USR1"), (signal.SIGTERM, "TERM")], ids=["USR1", "TERM"]
)
def test_a_signal_is_passed_on_and_the_exit_code_awaited(run, number, name):
    """The command needs its time after the signal; the script must not end before it."""
    slow = f"sleep 60 & trap 'kill $!; sleep 0.3; exit 2' {name}; echo on; wait"
    with run("bash", "-c", slow) as process:
        assert process.stdout.readline() == "on\n"
        process.send_signal(number)
        assert process.wait(timeout=PATIENCE) == 2


def test_a_second_signal_does_not_hide_the_exit_code(run):
    slow = (
        "sleep 60 & trap 'kill $!; echo first; sleep 0.5; exit 2' USR1; trap '' TERM; echo on; wait"
    )
    with run("bash", "-c", slow) as process:
        assert process.stdout.readline() == "on\n"
        process.send_signal(signal.SIGUSR1)
        assert process.stdout.readline() == "first\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=PATIENCE) == 2


def test_mpirun_gets_the_nodes_of_oar(tmp_path):
    launcher = tmp_path / "mpirun"
    launcher.write_text('#!/bin/bash\nprintf "%s\\n" "$@"\nexit 1\n')
    launcher.chmod(0o755)
    config = load_submit_config({}, find_config("gros"))
    path = tmp_path / "script.sh"
    path.write_text(render(config, ["mpisog", "doctor"], tmp_path, str(launcher)))
    done = subprocess.run(
        ["bash", path],
        env={**os.environ, "OAR_NODEFILE": "/var/lib/oar/my nodes"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 1
    arguments = done.stdout.splitlines()
    assert arguments[arguments.index("--hostfile") + 1] == "/var/lib/oar/my nodes"
    assert arguments[-2:] == ["mpisog", "doctor"]
