"""Options, commands and files that do not exist; help; the layers of settings."""

from __future__ import annotations

import os

import pytest

from mpisog import __version__
from mpisog.cli.main import COMMANDS
from mpisog.nets.generators import FAMILIES
from tests.helpers import saved, u_then_o


@pytest.fixture
def net(tmp_path):
    return saved(u_then_o(), tmp_path)


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        ([], "see 'mpisog --help'"),
        (["chek", "x"], "did you mean 'check'?"),
        (["--verison"], "mpisog"),
        (["check"], "NET"),
        (["check", "NET", "-f"], "expected one argument"),
        (["check", "NET", "-f", "a", "--timeot", "3"], "did you mean '--timeout'"),
        (["check", "NET", "-f", "a", "--time", "3"], "--time"),  # no abbreviations
        (["check", "NET", "-f", "a", "--timeout", "soon"], "a positive number of seconds"),
        (["check", "NET", "-f", "a", "--timeout", "0"], "a positive number of seconds"),
        (["check", "NET", "-f", "a", "--memory", "much"], "a size such as 500M"),
        (["check", "NET", "-f", "a", "--engine", "explict"], "did you mean 'explicit'?"),
        (["check", "NET", "-f", "a", "--engine", "zzz"], "there are auto, explicit"),
        (["check", "NET", "-f", "a", "--emptiness", "cou98"], "did you mean 'cou99'"),
        (["check", "NET", "-f", "F o", "--backend", "mdds"], "did you mean 'mdd'"),
        (["check", "NET", "-f", "F o", "--aggregation", "sttic"], "did you mean 'static'"),
        (["check", "NET", "-f", "a", "--trace-format", "tna"], "did you mean 'tina'?"),
        (["check", "NET", "-F", "none.ltl"], "none.ltl: No such file"),
        (["check", "NET", "-x", "none.xml"], "none.xml: No such file"),
        (["check", "none.pnml", "-f", "a"], "none.pnml: cannot be read: No such file"),
        (["check", "NET", "-f", "a", "--config", "none.toml"], "none.toml: No such file"),
        (["states", "none.pnml"], "none.pnml: cannot be read: No such file"),
        (["states", "NET", "--emptiness", "cou99"], "unrecognized arguments"),
        (["info", "none.pnml"], "none.pnml: cannot be read: No such file"),
        (["info", "NET", "-f", "F nope"], "no place or transition 'nope'"),
        (["convert", "none.pnml", "x.net"], "none.pnml: cannot be read: No such file"),
        (["convert", "NET", "x.dot"], "cannot tell the net format from the suffix '.dot'"),
        (["gen", "philosopher", "3"], "did you mean 'philosophers'"),
        (["gen", "zzz", "3"], "known: philosophers"),
        (["gen", "philosophers", "three"], "N must be a whole number, not 'three'"),
        (["gen", "philosophers", "-3"], "-3"),
        (["gen", "philosophers", "1"], "takes a number from 2"),
        (["gen", "philosophers", "9" * 18], "takes a number from 2"),
        (["gen", "philosophers", "9" * 30], "N must be a whole number"),
    ],
)
def test_usage_errors(cli, net, tmp_path, monkeypatch, arguments, fragment):
    monkeypatch.chdir(tmp_path)
    outcome = cli(*(net if argument == "NET" else argument for argument in arguments))
    assert (outcome.code, outcome.out) == (3, "")
    assert fragment in outcome.err
    assert outcome.err.startswith("mpisog: ")
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize("command", ["check", "states", "info"])
def test_a_directory_as_a_net(cli, tmp_path, command):
    outcome = cli(command, tmp_path, *(["-f", "a"] if command == "check" else []))
    assert outcome.code == 3
    assert "Is a directory" in outcome.err


@pytest.mark.parametrize("command", ["check", "states", "info"])
def test_a_json_target_that_cannot_be_written(cli, net, tmp_path, command):
    arguments = ["-f", "fire(u)"] if command == "check" else []
    outcome = cli(command, net, *arguments, "--json", tmp_path / "no" / "such" / "r.json")
    assert outcome.code == 3
    assert "No such file or directory" in outcome.err


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command(cli, command):
    outcome = cli(command, "--help")
    assert (outcome.code, outcome.err) == (0, "")
    assert f"usage: mpisog {command}" in outcome.out


def test_help_names_commands_and_exit_codes(cli):
    outcome = cli("--help")
    assert outcome.code == 0
    assert all(command in outcome.out for command in COMMANDS)
    assert "exit codes:" in outcome.out


def test_help_of_gen_names_the_families(cli):
    assert all(family in cli("gen", "--help").out for family in FAMILIES)


def test_version(cli):
    assert cli("--version").out == f"mpisog {__version__}\n"


def test_layers_of_settings(cli, net, tmp_path, monkeypatch):
    """A wrong name in a layer is seen only where no later layer replaces it."""
    config = tmp_path / "settings.toml"
    config.write_text('[check]\nengine = "from-file"\n')
    check = ("check", net, "-f", "fire(u)", "--config", config)
    assert "no engine is called 'from-file'" in cli(*check).err
    monkeypatch.setitem(os.environ, "MPISOG_ENGINE", "from-environment")
    assert "no engine is called 'from-environment'" in cli(*check).err
    assert "no engine is called 'from-flag'" in cli(*check, "--engine", "from-flag").err
    assert cli(*check, "--engine", "explicit").code == 0
