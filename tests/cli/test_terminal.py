"""What a user of a terminal sees: colours, tables, errors with a caret, early complaints."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
from pathlib import Path

import pytest

from mpisog.cli.terminal import wants_colour
from mpisog.nets.generators import generate
from tests.helpers import command, environment, saved, toggle

ESCAPE = "\033["


@pytest.fixture
def net(tmp_path):
    return saved(toggle(), tmp_path)


def on_a_terminal(arguments, **extra):
    """What a terminal at standard output receives."""
    reader, terminal = pty.openpty()
    with subprocess.Popen(arguments, stdout=terminal, env=environment(**extra)) as process:
        os.close(terminal)
        chunks = []
        while True:
            try:
                chunk = os.read(reader, 1 << 16)
            except OSError:  # the other end is closed
                break
            if not chunk:
                break
            chunks.append(chunk)
        process.wait(timeout=60)
    os.close(reader)
    return b"".join(chunks).decode()


def test_colours_on_a_terminal_only(net):
    arguments = command("check", net, "-f", "G off", "-f", "F off", "--no-progress")
    assert f"{ESCAPE}1;31mFALSE" in on_a_terminal(arguments, TERM="xterm")
    assert ESCAPE not in on_a_terminal(arguments, TERM="xterm", NO_COLOR="1")
    piped = subprocess.run(arguments, capture_output=True, text=True, env=environment())
    assert ESCAPE not in piped.stdout


def test_what_decides_about_colours(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    assert not wants_colour()
    assert wants_colour("always")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert wants_colour()
    assert not wants_colour("never")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_colour()


def test_color_is_an_option(cli, net):
    assert ESCAPE in cli("check", net, "-f", "G off", "--color", "always").out
    assert ESCAPE not in cli("check", net, "-f", "G off", "--color", "never").out


def test_a_batch_ends_with_a_table_whose_columns_align(cli, net):
    out = cli("check", net, "-f", "G off", "-f", "F off", "--no-trace").out.splitlines()
    head = next(i for i, line in enumerate(out) if line.startswith("verdict"))
    table = out[head : head + 3]
    assert len({line.index(word) for line, word in zip(
        table, ("name", "formula-1", "formula-2"), strict=True)}) == 1  # fmt: skip
    assert re.fullmatch(r"2 properties: 1 hold, 1 violated \(\d+\.\d+ s\)", out[-1])


def test_the_table_of_a_terminal_breaks_no_word(cli, net, tmp_path, monkeypatch):
    """However narrow: what does not fit makes the table wider than the terminal."""
    monkeypatch.setenv("COLUMNS", "50")
    names = [f"a_name_that_needs_more_than_half_a_line_{n}" for n in (1, 2)]
    formulas = ["G(off -> F(on & !off))", 'F G "off + on + off + on >= 4"']
    file = tmp_path / "two.ltl"
    file.write_text("".join(f"{n}: {f}\n" for n, f in zip(names, formulas, strict=True)))
    out = cli("check", net, "-F", file, "--no-trace", "--color", "always").out
    plain = re.sub(r"\033\[[\d;]*m", "", out)
    table = plain[plain.index("verdict ") : plain.index("2 properties")]
    assert out.count("\033[1;31mFALSE") == 2  # in the line of the result, and in the table
    steps = {"0", "1", "2", "verdict", "name", "time", "steps", "TRUE", "FALSE", "s"}
    known = {*names, *" ".join(formulas).split(), *steps, "..."}
    words = [word for word in table.split() if not re.fullmatch(r"[\d.]+|─+", word)]
    assert len(words) > 15
    assert set(words) <= known


def test_a_long_formula_is_cut_in_the_middle(cli, net):
    formula = "F on & " * 40 + "F off"
    (line,) = cli("check", net, "-f", formula, "--no-trace").out.splitlines()[:1]
    assert line.startswith("TRUE    formula-1: F on & F on & ")
    assert "..." in line
    assert "& F off  (" in line
    assert len(line) < len(formula)
    assert f"formula-1: {formula}  (" in cli("check", net, "-f", formula, "-v").out


def test_every_verdict_has_its_seconds(cli, net):
    out = cli("check", net, "-f", "G off", "-f", "F off", "--no-trace").out.splitlines()
    verdicts = [line for line in out if re.match(r"(TRUE|FALSE) +formula-\d:", line)]
    assert len(verdicts) == 2
    assert all(re.search(r"\(\d+\.\d{3} s\)$", line) for line in verdicts)


def test_formulas_are_shown_as_written(cli, net):
    out = cli("check", net, "-f", "[]  off  &&  (<> on)", "--no-trace").out.splitlines()
    assert re.fullmatch(r"FALSE +formula-1: \[\]  off  &&  \(<> on\)  \(\d\.\d+ s\)", out[0])
    assert out[1] == "  violated conjunct: []  off"


def test_an_error_points_at_the_formula(cli, net):
    err = cli("check", net, "-f", "G(off -> )").err.splitlines()
    assert err[1:] == ["  G(off -> )", "           ^"]
    long = "F off & " * 40 + "F )"
    err = cli("check", net, "-f", long).err.splitlines()
    assert err[1].lstrip().startswith("...")
    assert err[1][err[2].index("^")] == ")"


@pytest.mark.parametrize(
    ("formula", "word"),
    [
        ("G(off -> F onn)", "onn"),
        ("G onnn | F on & onn", "onn"),
        ('off & F "onn + off >= 1"', "onn"),
        ('F "fireable(up,dwn)"', "dwn"),
        ('on U "on >= "', "on >= "),
        ("F deadlock", "deadlock"),
    ],
)
def test_an_error_points_at_the_name(cli, net, formula, word):
    err = cli("check", net, "-f", formula).err.splitlines()
    assert err[1] == f"  {formula}"
    assert err[1][err[2].index("^") :].startswith(word)


def test_formulas_have_names_where_they_are_given_one(cli, net):
    out = cli("check", net, "-f", "mine: G off", "-f", "F off", "--no-trace").out.splitlines()
    assert out[0].startswith("FALSE   mine: G off  (")
    assert out[1].startswith("TRUE    formula-2: F off  (")
    again = cli("check", net, "-f", "mine: G off", "-f", "mine: F off")
    assert again.code == 3
    assert "two properties are called 'mine'" in again.err


def test_nothing_is_wider_than_the_terminal(net):
    """Verdicts, reasons, steps and the table, with words as they are when nobody looks."""
    formula = 'G("on + off + on + off >= 1" -> F("on + off + on >= 1" & F(on & F off)) & F G off)'
    arguments = command("check", net, "-f", f"a_long_name: {formula}", "-f", "F off")
    seen = re.sub(r"\033\[[\d;]*m", "", on_a_terminal(arguments, TERM="xterm", COLUMNS="72"))
    assert max(map(len, seen.splitlines())) <= 72
    piped = subprocess.run(arguments, capture_output=True, text=True, env=environment()).stdout
    story = piped[: piped.index("verdict ")].split()
    written = [word.strip("()") for word in story if not re.fullmatch(r"\(?[\d.]+", word)]
    shown = [word.strip("()") for word in seen.split()]
    assert len(story) > 100
    assert not {*written} - {*shown} - {"a_long_name:"}


@pytest.mark.parametrize(
    ("formula", "hint"),
    [
        ("AG off", "every run is meant, so write G, F, X, U without A"),
        ("A G off", "CTL"),
        ("E F on", "CTL"),
        ("EF(on)", "of some run ask with -l 'E<> p'"),
        ("A(off U on)", "CTL"),
        ("F deadlock", "write dead"),
        ('F "enabled(up)"', 'write "fireable(t)"'),
        ("F enabled(up)", 'write "fireable(t)"'),
        ("E<> on", "-l"),
        ("always off", "write G for 'always'"),
        ("off and on", "write & for 'and'"),
        ("not on", "write ! for 'not'"),
        ('F "tokens(on) >= 1"', ""),
    ],
)
def test_other_spellings_get_a_hint(cli, net, formula, hint):
    outcome = cli("check", net, "-f", formula)
    assert outcome.code == 3
    assert hint in outcome.err


def test_output_files_are_opened_before_the_check(cli, tmp_path):
    huge = saved(generate("philosophers", 60), tmp_path)
    for option in ("--json", "--html"):
        outcome = cli("check", huge, "-f", "G F Eat_1", option, tmp_path / "no" / "where")
        assert outcome.code == 3
        assert outcome.out == ""
    (tmp_path / "file").touch()
    outcome = cli("check", huge, "-f", "F Eat_1", "--trace-dir", tmp_path / "file")
    assert (outcome.code, outcome.out) == (3, "")


@pytest.mark.parametrize(
    "work",
    [
        ("states", "NET", "--json", "FILE"),
        ("sog", "NET", "-f", "Eat_1", "--json", "FILE"),
        ("unfold", "NET", "-o", "FILE.json"),
        ("unfold", "NET", "-f", "G F Eat_1", "-o", "FILE.dot", "-o", "FILE.json"),
        ("reduce", "NET", "-f", "G F Eat_1", "-o", "FILE.pnml"),
        ("reduce", "NET", "-f", "G F Eat_1", "-o", "x.dot"),
        ("info", "NET", "--json", "FILE"),
        ("doctor", "--json", "FILE"),
        ("gen", "tk", "3", "--formulas", "FILE"),
        ("convert", "NET", "FILE.lola"),
    ],
    ids=lambda work: " ".join(work[:1] + work[-2:]),
)
def test_every_command_opens_its_files_first(cli, tmp_path, work):
    """It has said nothing else by then: figures and nets are printed after the work."""
    names = {"NET": saved(generate("philosophers", 60), tmp_path)}
    outcome = cli(*(names.get(w, w.replace("FILE", str(tmp_path / "no" / "where"))) for w in work))
    assert (outcome.code, outcome.out) == (3, "")
    assert "cannot be written" in outcome.err or "cannot tell the net format" in outcome.err


def test_files_that_were_only_looked_at_are_left_as_they_were(cli, tmp_path):
    net = saved(generate("dpd", 14), tmp_path)
    fresh, kept = tmp_path / "fresh.json", tmp_path / "kept.dot"
    kept.write_text("old")
    assert cli("unfold", net, "-o", fresh, "-o", kept, "--timeout", "0.2").code == 2
    assert not fresh.exists()
    assert kept.read_text() == "old"


def test_what_a_file_held_stays_when_the_work_fails(cli, net, tmp_path):
    report = tmp_path / "report.json"
    report.write_text("old")
    assert cli("check", net, "-f", "G nothing", "--json", report).code == 3
    assert report.read_text() == "old"
    fresh = tmp_path / "fresh.json"
    assert cli("check", net, "-f", "G nothing", "--json", fresh).code == 3
    assert not fresh.exists()
    assert cli("check", net, "-f", "F off", "--json", report).code == 0
    assert json.loads(report.read_text())["exit_code"] == 0


def test_what_is_no_plain_file_is_written_too(cli, net):
    outcome = cli("check", net, "-f", "F off", "--json", "/dev/null")
    assert (outcome.code, outcome.err) == (0, "")
    outcome = cli("check", net, "-f", "F off", "--json", "/dev/full")
    assert outcome.code == 3
    assert outcome.err == "mpisog: /dev/full: cannot be written: No space left on device\n"


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("check", ["-f", "F off", "--html"]),
        ("sog", ["-f", "F off", "--dot"]),
        ("info", ["--json"]),
        ("simulate", ["--html"]),
    ],
)
def test_no_output_overwrites_the_net(cli, net, name, options):
    before = Path(net).read_bytes()
    outcome = cli(name, net, *options, net)
    assert outcome.code == 3
    assert "the output would overwrite this input" in outcome.err
    assert Path(net).read_bytes() == before


def test_two_outputs_cannot_share_a_file(cli, net, tmp_path):
    target = tmp_path / "both"
    outcome = cli("check", net, "-f", "F off", "--json", target, "--html", target)
    assert outcome.code == 3
    assert "same file" in outcome.err
    again = f"{tmp_path}/./both"
    assert "same file" in cli("check", net, "-f", "F off", "--json", target, "--html", again).err
    assert cli("check", net, "-f", "F off", "--json", "-", "--html", "-").code == 3


def test_duplicate_names_are_an_error(cli, net, tmp_path):
    file = tmp_path / "two.ltl"
    file.write_text("same: F off\nsame: F on\n")
    outcome = cli("check", net, "-F", file)
    assert outcome.code == 3
    assert "two properties are called 'same'" in outcome.err


def test_unknown_variables_are_told(cli, net, monkeypatch):
    monkeypatch.setenv("MPISOG_TIMEOOUT", "3")
    outcome = cli("check", net, "-f", "F off")
    assert outcome.code == 0
    assert "MPISOG_TIMEOOUT means nothing (did you mean 'MPISOG_TIMEOUT'" in outcome.err


@pytest.mark.parametrize(
    ("work", "complaint"),
    [
        (("-f", "G nothing"), "no place or transition 'nothing'"),
        (("-f", "G("), "cannot read"),
        (("-f", "F off", "--engine", "quantum"), "quantum"),
        (("-f", "F off", "--timeout", "soon"), "timeout"),
        (("-f", "F off", "--reduce", "most"), "most"),
        (("-f", "F off", "--backend", "quantum"), "quantum"),
        (("-f", "F off", "--html", "/no/where"), "/no/where: cannot be written"),
    ],
)
def test_submit_looks_at_the_whole_command(cli, net, work, complaint):
    outcome = cli("submit", "--slurm", "--dry-run", "--", "check", net, *work)
    assert outcome.code == 3
    assert complaint in outcome.err


@pytest.mark.parametrize(
    ("command", "work", "complaint"),
    [
        ("states", ("--threads", "few"), "threads"),
        ("states", ("--engine", "quantum"), "quantum"),
        ("sog", ("-f", "G nothing"), "no place or transition 'nothing'"),
        ("unfold", ("-f", "G nothing"), "no place or transition 'nothing'"),
        ("unfold", ("-o", "x.dott"), "did you mean '.dot'"),
        ("reduce", ("-f", "G("), "cannot read"),
        ("reduce", ("-f", "F off", "--reduce", "most"), "most"),
        ("reduce", ("-f", "F off", "-o", "/no/where.pnml"), "cannot be written"),
        ("states", ("--json", "/no/where"), "cannot be written"),
        ("sog", ("-f", "off", "--json", "/no/where"), "cannot be written"),
        ("sog", ("-f", "off", "--timeout", "soon"), "timeout"),
        ("sog", ("-f", "off", "--aggregation", "some"), "some"),
        ("unfold", ("-o", "/no/where.json"), "cannot be written"),
    ],
)
def test_submit_looks_at_every_command(cli, net, command, work, complaint):
    outcome = cli("submit", "--slurm", "--dry-run", "--", command, net, *work)
    assert outcome.code == 3
    assert complaint in outcome.err


def test_submit_takes_options_for_the_batch_system(cli, net):
    flags = ("--batch-option=--constraint=ib", "--batch-option=--exclusive")
    outcome = cli("submit", "--slurm", "--dry-run", *flags, "--", "check", net, "-f", "F off")
    assert "#SBATCH --constraint=ib\n#SBATCH --exclusive\n" in outcome.out
    wrong = cli(
        "submit", "--slurm", "--dry-run", "--batch-option=x", "--", "check", net, "-f", "F off"
    )
    assert wrong.code == 3
