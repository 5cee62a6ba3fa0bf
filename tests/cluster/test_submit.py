"""``mpisog submit`` and its settings, with batch systems that only tell what they were given."""

from __future__ import annotations

import sys

import pytest

from mpisog.cli.main import main
from mpisog.cluster.settings import SubmitConfig, load_submit_config
from mpisog.errors import UsageError
from tests.helpers import saved, toggle


@pytest.fixture
def submit(tmp_path, monkeypatch, capfd):
    """Runs ``mpisog submit`` in an empty folder; ``toggle.pnml`` is there."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "user"))
    folder = tmp_path / "work"
    folder.mkdir()
    saved(toggle(), folder)
    monkeypatch.chdir(folder)

    def call(*arguments):
        code = int(main(["submit", *arguments]))
        return code, *capfd.readouterr()

    call.folder = folder
    return call


@pytest.fixture
def batch_system(tmp_path, monkeypatch):
    """A program that shows its arguments and the script, and ends with a code."""

    def install(name, code=0):
        folder = tmp_path / "bin"
        folder.mkdir()
        program = folder / name
        program.write_text(
            f'#!/bin/bash\necho {name} "${{@:1:$#-1}}"; cat "${{@: -1}}"; exit {code}\n'
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(folder), prepend=":")

    return install


CHECK = ("--", "check", "toggle.pnml", "-f", "G F on")


@pytest.mark.parametrize(
    ("flag", "program", "first"),
    [("--slurm", "sbatch", "sbatch"), ("--oar", "oarsub", "oarsub -S")],
)
def test_a_script_is_submitted_and_kept(submit, batch_system, flag, program, first):
    batch_system(program)
    code, out, err = submit(flag, "--job-name", "mine", *CHECK)
    assert (code, err) == (0, "")
    line, script = out.split("\n", 1)
    assert line == first
    assert f"{sys.executable} -m mpisog check toggle.pnml -f 'G F on' &" in script
    (kept,) = submit.folder.glob("mine-*.sh")
    assert kept.read_text() == script
    assert kept.stat().st_mode & 0o100


def test_what_the_batch_system_refuses_is_not_kept(submit, batch_system):
    batch_system("sbatch", 1)
    assert submit("--slurm", *CHECK)[0] == 3
    assert not list(submit.folder.glob("*.sh"))


def test_a_dry_run_only_prints(submit):
    code, out, err = submit("--oar", "--nodes", "3", "--time", "0:20:00", "--dry-run", *CHECK)
    assert (code, err) == (0, "")
    assert "#OAR -l nodes=3,walltime=00:20:00\n" in out
    assert not list(submit.folder.glob("*.sh"))


@pytest.mark.parametrize(
    ("formula", "code", "verdict"), [("G F on", 0, "TRUE"), ("G on", 1, "FALSE")]
)
def test_on_this_machine_the_exit_code_comes_back(submit, formula, code, verdict):
    ended, out, _ = submit("--local", "--", "check", "toggle.pnml", "-f", formula)
    assert ended == code
    assert out.startswith(verdict)
    assert not list(submit.folder.glob("*.sh"))


def test_a_configuration_is_for_the_job_too(submit):
    (submit.folder / "other.toml").write_text("[check]\n")
    (submit.folder / "my.toml").write_text("[check]\ntimeout = 5\n[submit]\nthreads = 3\n")
    _, out, _ = submit("--config", "my.toml", "--dry-run", *CHECK)
    assert f"-f 'G F on' --config {submit.folder}/my.toml &" in out
    assert "#SBATCH --cpus-per-task=3\n" in out
    _, out, _ = submit("--config", "my.toml", "--dry-run", *CHECK, "--config", "other.toml")
    assert "-f 'G F on' --config other.toml &" in out
    _, out, _ = submit("--config", "my.toml", "--dry-run", "--", "info", "toggle.pnml")
    assert "info toggle.pnml &" in out


def test_the_users_own_configuration(submit, tmp_path):
    folder = tmp_path / "user" / "mpisog"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('[submit]\npartition = "long"\nscheduler = "oar"\n')
    _, out, _ = submit("--dry-run", *CHECK)
    assert "#OAR -q long\n" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--slurm"], "nothing to submit"),
        (["--slurm", "--"], "nothing to submit"),
        (["--slurm", "--oar", *CHECK], "not allowed with"),
        (["--slurm", "--", "chek", "toggle.pnml"], "did you mean 'check'?"),
        (["--slurm", "--", "check", "togle.pnml", "-f", "F on"], "togle.pnml: no such file"),
        (["--slurm", "--", "check", "toggle.pnml", "-F", "none"], "none: no such file"),
        (["--slurm", "--", "check", "toggle.pnml", "--fomula", "F on"], "did you mean '--formula"),
        (["--slurm", "--", "submit", "--slurm", *CHECK], "a job that submits a job"),
        (["--config", "gross", *CHECK], "gross: no such configuration file (did you mean 'gros'?)"),
        (["--config", "my", *CHECK], "(shipped: gros, laptop, magi, slurm)"),
        (["--oar", *CHECK], "oarsub is not here"),
    ],
    ids=lambda value: "" if isinstance(value, list) else value,
)
def test_mistakes_do_not_wait_in_a_queue(submit, monkeypatch, arguments, message):
    monkeypatch.setenv("PATH", "")
    code, out, err = submit(*arguments)
    assert (code, out) == (3, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nods = 2", "sets 'nods', which does not exist (did you mean 'nodes'"),
        ("nodes = 0", "sets nodes to '0' (a number, 1 or more)"),
        ("ranks-per-node = 1.5", "sets ranks-per-node to '1.5'"),
        ("time = 30", "sets time to '30' (hours:minutes:seconds"),
        ("time = '1:60:00'", "sets time to '1:60:00'"),
        ("time = '0:01:00'", "the warning comes 60 s before the end of a job of 60 s"),
        ("memory = 'much'", "a size such as 500M or 8G"),
        ("scheduler = 'pbs'", "slurm or oar or local"),
        ("partition = 'a b'", "sets partition to 'a b' (one word)"),
        ('partition = "a\\n#SBATCH -x"', "(one word)"),
        ("job-name = '../a'", "letters, digits, dots and dashes"),
        ("modules = 'gcc'", "a list of module names"),
        ("setup = [1]", "a list of shell lines"),
        ('options = ["-a\\nrm"]', "a list of options"),
    ],
)
def test_wrong_settings(tmp_path, text, message):
    path = tmp_path / "wrong.toml"
    path.write_text(f"[submit]\n{text}\n")
    with pytest.raises(UsageError) as caught:
        load_submit_config({}, path)
    assert message in str(caught.value)


def test_settings_and_flags(tmp_path):
    path = tmp_path / "right.toml"
    path.write_text(
        '[submit]\nnodes = 3\nranks-per-node = 2\ntime = "1-02:00:05"\nmemory = "2G"\n'
        'modules = ["a", "b"]\n'
    )
    config = load_submit_config({"nodes": "5", "threads": None}, path)
    assert config == SubmitConfig(
        nodes=5, ranks_per_node=2, time=26 * 3600 + 5, memory=2 * 2**30, modules=("a", "b")
    )
    assert config.ranks == 10
