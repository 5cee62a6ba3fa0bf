"""All contest nets are read, and come through both writers unchanged."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from mpisog.nets.load import load_net, read_net, write_net
from mpisog.nets.structure import net_facts
from tests.nets.exploring import reachable

SMALL = 3_000
"""Most markings that plain Python is asked to explore here."""


@pytest.fixture(scope="module")
def oracle(mcc_dir: Path) -> dict[str, dict[str, str]]:
    """The contest's published facts by net."""
    with (mcc_dir / "oracle_states.tsv").open() as file:
        return {row["model"]: row for row in csv.DictReader(file, delimiter="\t")}


def test_all_are_read_and_written_alike(mcc_dir: Path) -> None:
    paths = sorted(mcc_dir.glob("*/model.pnml"))
    assert len(paths) == 88
    for path in paths:
        net = load_net(path)
        assert net.name == path.parent.name
        for format in ("pnml", "tina"):
            stream = io.BytesIO()
            write_net(net, stream, format)
            stream.seek(0)
            assert read_net(stream) == net


def test_small_ones_have_the_published_markings(
    mcc_dir: Path, oracle: dict[str, dict[str, str]]
) -> None:
    small = [name for name, row in oracle.items() if row["states"].isdigit()]
    small = [name for name in small if int(oracle[name]["states"]) <= SMALL]
    assert len(small) >= 10
    for name in small:
        net = load_net(mcc_dir / name / "model.pnml")
        markings = reachable(net)
        row = oracle[name]
        assert len(markings) == int(row["states"])
        assert max(map(sum, markings)) == int(row["max_token_per_marking"])
        assert max(map(max, markings)) == int(row["max_token_in_place"])


@pytest.mark.slow
def test_one_safe_by_structure_is_never_wrong(
    mcc_dir: Path, oracle: dict[str, dict[str, str]]
) -> None:
    for name, row in oracle.items():
        one_safe = net_facts(load_net(mcc_dir / name / "model.pnml")).one_safe
        assert row["one_safe"] not in ("TRUE", "FALSE") or one_safe in (
            None,
            row["one_safe"] == "TRUE",
        )
