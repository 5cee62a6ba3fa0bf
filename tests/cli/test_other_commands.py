"""``states``, ``info``, ``gen`` and ``convert`` on nets small enough to count by hand."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys

import pytest

import mpisog
from mpisog.cli.main import COMMANDS
from mpisog.nets.model import make_net
from tests.helpers import pump, saved, toggle, u_then_o


def test_states_of_a_net_counted_by_hand(cli, tmp_path):
    """Two tokens that go from p to q one by one: 3 markings in a row, the last dead."""
    net = make_net("two", {"p": 2, "q": 0}, {"t": (["p"], ["q", "q"])})
    outcome = cli("states", saved(net, tmp_path))
    assert outcome.code == 0
    assert outcome.out.splitlines() == [
        "states: 3",
        "edges: 2",
        "dead: 1",
        "max tokens in marking: 4",
        "max tokens in place: 4",
    ]


def test_parallel_transitions_are_two_edges(cli, tmp_path):
    net = make_net("par", {"p": 1, "q": 0}, {"t": (["p"], ["q"]), "u": (["p"], ["q"])})
    assert cli("states", saved(net, tmp_path)).out.splitlines()[:3] == [
        "states: 2",
        "edges: 2",
        "dead: 1",
    ]


def test_states_verbose(cli, tmp_path):
    net = saved(toggle(), tmp_path)
    plain, verbose = cli("states", net).out, cli("states", net, "-v").out
    assert verbose.startswith(plain)
    assert " s, " in verbose.removeprefix(plain)


def test_states_of_an_unbounded_net(cli, tmp_path):
    outcome = cli("states", saved(pump(), tmp_path))
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == "mpisog: unknown: the net is unbounded: tokens pile up in place 'tank'\n"


def test_unbounded_where_a_source_transition_feeds(cli, tmp_path):
    net = make_net("source", {"p": 0}, {"make": ([], ["p"]), "eat": (["p"], [])})
    assert cli("states", saved(net, tmp_path)).code == 2


def test_a_large_weight_is_not_unbounded(cli, tmp_path):
    net = mpisog.NetBuilder("weights")
    net.place("p", 3)
    net.place("q")
    net.transition("t")
    net.arc("p", "t")
    net.arc("t", "q", 1_000_000_000)
    outcome = cli("states", saved(net.build(), tmp_path))
    assert outcome.code == 0
    assert "max tokens in place: 3000000000" in outcome.out


def test_info(cli, tmp_path):
    outcome = cli("info", saved(toggle(), tmp_path), "-f", 'G(fire(up) -> X "on >= 1")')
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[:3] == [
        "net: toggle",
        "size: 2 places, 2 transitions, 4 arcs",
        "initial tokens: 1",
    ]
    assert "1-safe by structure: yes" in lines
    assert "observed_places: ['on']" in lines
    assert "observed_transitions: ['up']" in lines
    assert "stutter_invariant: False" in lines


@pytest.mark.parametrize(
    ("formula", "invariant"), [("G F on", True), ("X on", False), ("F(on & X !on)", True)]
)
def test_info_asks_spot_about_stuttering(cli, tmp_path, formula, invariant):
    outcome = cli("info", saved(toggle(), tmp_path), "-f", formula)
    assert f"stutter_invariant: {invariant}" in outcome.out.splitlines()


def test_gen_to_a_file_and_to_stdout(cli, tmp_path, monkeypatch):
    path = tmp_path / "p.pnml"
    assert cli("gen", "philosophers", "2", "-o", path).code == 0
    # Two forks, either first: each philosopher thinks, holds left, holds right or eats.
    assert "dead: 2" in cli("states", path).out
    buffer = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(buffer))
    cli("gen", "philosophers", "2")
    sys.stdout.flush()
    assert buffer.getvalue() == path.read_bytes()


def test_gen_takes_dashes_for_underscores(cli, tmp_path):
    assert cli("gen", "token-ring", "2", "-o", tmp_path / "r.net").code == 0


@pytest.mark.parametrize("suffix", [".pnml", ".net", ".lola", ".pnml.gz", ".net.xz", ".lola.gz"])
def test_convert_there_and_back(cli, tmp_path, suffix):
    source = saved(u_then_o(), tmp_path)
    there, back = tmp_path / f"there{suffix}", tmp_path / "back.pnml"
    assert cli("convert", source, there).code == 0
    assert cli("convert", there, back).code == 0
    assert mpisog.load_net(back).transitions == u_then_o().transitions
    assert mpisog.load_net(back).initial == (1, 0, 0)


def test_convert_to_a_place_that_cannot_be_written(cli, tmp_path):
    source = saved(u_then_o(), tmp_path)
    outcome = cli("convert", source, tmp_path / "no" / "x.pnml")
    assert outcome.code == 3
    assert "cannot be written" in outcome.err


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion_of_a_shell(cli, shell):
    script = cli("completion", shell).out
    assert all(command in script for command in COMMANDS)
    if shell == "tcsh":  # shtab knows no options of subcommands there
        return
    assert "--shorten" in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True)


def test_bash_completes_what_is_begun(cli):
    script = cli("completion", "bash").out
    ask = "COMP_WORDS=(mpisog sim); COMP_CWORD=1; _shtab_mpisog; echo ${COMPREPLY[@]}"
    done = subprocess.run(
        ["bash"], input=f"{script}\n{ask}\n", capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["simulate"]


def test_the_manual_page_has_every_command(cli):
    page = cli("completion", "man").out
    assert page.startswith(".TH MPISOG 1")
    for command in COMMANDS:
        assert f"\n.SH MPISOG {command.upper()}\n" in page
    if shutil.which("man"):
        done = subprocess.run(
            ["man", "-l", "-"], input=page, capture_output=True, text=True, check=True
        )
        assert "--shorten" in done.stdout.replace("\b", "")


def test_examples_are_listed_and_written(cli, tmp_path):
    names = [line.split()[0] for line in cli("examples").out.splitlines()]
    assert names == ["cache", "cell", "mutex", "protocol", "railway", "workflow"]
    assert cli("examples", "mutex", "-o", tmp_path).code == 0
    net, formulas = tmp_path / "mutex.net", tmp_path / "mutex.ltl"
    assert cli("check", net, "-F", formulas, "--no-trace").code in (0, 1)
    assert cli("examples", "mutex", "-o", tmp_path).code == 0
    (tmp_path / "mutex.ltl").write_text("mine: G crit_1\n")
    outcome = cli("examples", "mutex", "-o", tmp_path)
    assert outcome.code == 3
    assert "mutex.ltl: it is there, with other content" in outcome.err
    assert (tmp_path / "mutex.ltl").read_text() == "mine: G crit_1\n"
    outcome = cli("examples", "mutx")
    assert outcome.code == 3
    assert "did you mean 'mutex'" in outcome.err
