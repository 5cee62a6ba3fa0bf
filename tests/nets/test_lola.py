"""The LoLA reader and writer."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given

from mpisog.errors import NetError
from mpisog.nets.load import write_net
from mpisog.nets.lola import read_lola
from mpisog.nets.lola_writer import write_lola
from mpisog.nets.model import PetriNet, make_net
from tests.strategies import nets


def written(net: PetriNet) -> str:
    stream = io.StringIO()
    write_lola(net, stream)
    return stream.getvalue()


@given(nets(min_places=1, min_transitions=1))
def test_what_is_written_is_read_back(net: PetriNet) -> None:
    assert read_lola(written(net), net.name) == net


def test_the_whole_syntax() -> None:
    net = read_lola(
        "PLACE SAFE: 1; SAFE 3: a.b, c-d; x[1]'; MARKING 1:2,1, c-d; TRANSITION t CONSUME 1:2,a.b;"
        "PRODUCE; TRANSITION 7 CONSUME;PRODUCE x[1]',x[1]':2;"
    )
    assert net == make_net(
        "net",
        {"1": 3, "a.b": 0, "c-d": 1, "x[1]'": 0},
        {"t": (["1", "1", "a.b"], []), "7": ([], ["x[1]'"] * 3)},
    )


def test_no_marking_and_no_arcs() -> None:
    assert read_lola("PLACE p; MARKING ; TRANSITION t CONSUME ; PRODUCE ;") == make_net(
        "net", {"p": 0}, {"t": ([], [])}
    )


@pytest.mark.parametrize("id", ["a b", "a,b", "a:b", "{a}", "PLACE", "FAIR", "/*x", "a\u2028b"])
def test_ids_that_lola_cannot_read_are_not_written(id: str) -> None:
    with pytest.raises(NetError, match="is no name there"):
        written(make_net("n", {id: 1}, {"t": ([id], [])}))


def test_a_net_that_cannot_be_written_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(NetError, match="is no name there"):
        write_net(make_net("n", {"a b": 1}, {"t": (["a b"], [])}), tmp_path / "n.lola.gz")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("net", [make_net("n", {}, {"t": ([], [])}), make_net("n", {"p": 1}, {})])
def test_lola_needs_a_place_and_a_transition(net: PetriNet) -> None:
    with pytest.raises(NetError, match="at least one place and one transition"):
        written(net)
