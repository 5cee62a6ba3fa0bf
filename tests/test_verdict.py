"""Verdicts and the exit codes that scripts rely on."""

from __future__ import annotations

import pytest

from mpisog.verdict import ExitCode, Verdict, exit_code

T, F, U = Verdict.TRUE, Verdict.FALSE, Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [([], 0), ([T], 0), ([T, T], 0), ([T, F], 1), ([U, F, T], 1), ([T, U], 2), ([U], 2)],
)
def test_a_violation_outweighs_an_unknown_which_outweighs_success(verdicts, code):
    assert exit_code(verdicts) == code


def test_the_numbers_are_a_promise():
    assert {code.name: int(code) for code in ExitCode} == {
        "OK": 0,
        "VIOLATED": 1,
        "UNKNOWN": 2,
        "BAD_INPUT": 3,
        "INTERNAL": 4,
    }


def test_a_verdict_prints_as_its_name():
    assert [str(verdict) for verdict in (T, F, U)] == ["TRUE", "FALSE", "UNKNOWN"]
