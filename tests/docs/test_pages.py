"""Pages: commands print what is shown, links lead somewhere, the site and the notebook work."""

from __future__ import annotations

import contextlib
import io
import json
import re
import subprocess
import sys

import pytest

from mpisog.cli.examples import names
from tests.docs.consoles import can_run, examples, run, untimed
from tests.helpers import ROOT, environment

TRIED = ("README.md", "docs/tutorial.md", "docs/cookbook.md")
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
LINK = re.compile(r"\]\((?!https?://|#)([^)#\s]+)(#[^)\s]*)?\)")


@pytest.mark.parametrize("page", TRIED)
def test_commands_print_what_the_page_shows(page, tmp_path):
    tried = 0
    for example in examples(ROOT / page):
        if not can_run(example.command):
            continue
        done = run(example.command, tmp_path)
        assert done.returncode in (0, 1), (example.command, done.stdout)
        assert untimed(done.stdout) == untimed(example.shown), example.command
        tried += 1
    assert tried >= 2


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target, _ in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_the_site_builds_without_warnings(tmp_path):
    pytest.importorskip("mkdocs", reason="pip install 'mpisog[docs]'")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT, env=environment(NO_MKDOCS_2_WARNING="1"), capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    page = (tmp_path / "site" / "api.html").read_text(encoding="utf-8")
    assert "no truth value" in page or "CheckResult" in page


def test_the_notebook_runs(capsys):
    """Cell by cell in one namespace; what a cell ends with is shown as a notebook would."""
    notebook = json.loads((ROOT / "docs" / "notebook.ipynb").read_text(encoding="utf-8"))
    space: dict[str, object] = {}
    shown: list[str] = []
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        *body, last = cell["source"].split("\n")
        try:
            value = compile(last, "cell", "eval") if not last.startswith((" ", ")")) else None
        except SyntaxError:
            value = None
        exec("\n".join(body if value else [*body, last]), space)
        if value is not None:
            result = eval(value, space)
            html = getattr(result, "_repr_html_", None)
            shown.append(html() if html else repr(result))
    assert any(text.startswith("<iframe srcdoc=") for text in shown)
    assert "why     `wait_1` holds after step" in capsys.readouterr().out


@pytest.mark.parametrize("name", names())
def test_examples_have_the_verdicts_that_they_promise(name, tmp_path):
    folder = ROOT / "mpisog" / "examples"
    expected = re.findall(
        r"^# (TRUE|FALSE): .*\n(\w+): ", (folder / f"{name}.ltl").read_text(), re.MULTILINE
    )
    assert len(expected) >= 3
    report = tmp_path / "report.json"
    from mpisog.cli.main import main

    with contextlib.redirect_stdout(io.StringIO()):
        main(["check", str(folder / f"{name}.net"), "-F", str(folder / f"{name}.ltl"),
              "--json", str(report)])  # fmt: skip
    results = json.loads(report.read_text())["results"]
    assert [(result["verdict"], result["name"]) for result in results] == expected


def test_there_are_six_examples():
    assert names() == ["cache", "cell", "mutex", "protocol", "railway", "workflow"]


def test_one_version_number():
    from mpisog import __version__

    project = (ROOT / "pyproject.toml").read_text()
    assert __version__ not in project
    citation = (ROOT / "CITATION.cff").read_text()
    assert not re.search(r"^version:", citation, re.MULTILINE)
