"""Formula files: one a line, comments, names."""

from __future__ import annotations

import pytest

from mpisog.errors import FormulaError
from mpisog.formulas.properties import from_texts, read_formula_file


def read(tmp_path, content):
    path = tmp_path / "some.ltl"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return [(prop.name, prop.text, prop.line) for prop in read_formula_file(path)]


def test_names_comments_and_blank_lines(tmp_path):
    content = "# comment\n\nG p\n  # another\nsafe: G !(p & q)\n  live.1-a :  F q  \r\n"
    assert read(tmp_path, content) == [
        ("some.ltl-3", "G p", 3),
        ("safe", "G !(p & q)", 5),
        ("live.1-a", "F q", 6),
    ]


def test_a_byte_order_mark_is_no_formula(tmp_path):
    assert read(tmp_path, "\ufeffsafe: G p\r\n") == [("safe", "G p", 1)]


def test_a_colon_inside_a_formula_is_no_name(tmp_path):
    assert read(tmp_path, '"p:1 >= 1" U q\n')[0][1] == '"p:1 >= 1" U q'
    assert read(tmp_path, "F[1:2] p\n")[0][1] == "F[1:2] p"


@pytest.mark.parametrize(
    ("content", "fragment"),
    [
        ("", "the file has no formula"),
        ("# only\n\n# comments", "the file has no formula"),
        ("a: F p\nb:\n", ":2: no formula after 'b:'"),
        (b"F \xff", "not UTF-8"),
    ],
)
def test_unusable_files(tmp_path, content, fragment):
    with pytest.raises(FormulaError) as caught:
        read(tmp_path, content)
    assert fragment in str(caught.value)
    assert "some.ltl" in str(caught.value)


def test_a_missing_file_and_a_directory(tmp_path):
    for path in (tmp_path / "none.ltl", tmp_path):
        with pytest.raises(FormulaError) as caught:
            read_formula_file(path)
        assert caught.value.path == path


def test_formulas_of_the_command_line_are_numbered():
    assert [(p.name, p.text) for p in from_texts(["G p", "F q"])] == [
        ("formula-1", "G p"),
        ("formula-2", "F q"),
    ]
