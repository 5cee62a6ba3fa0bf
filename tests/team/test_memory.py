"""Memory adds up: builders that have too little each decide together, and give work away in time.

The kernels are small so that the runs are short; nothing else limits memory here.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from mpisog.config import RunConfig
from mpisog.engines.sog import Sog
from mpisog.errors import LimitReached
from mpisog.formulas.properties import Property
from mpisog.nets.generators import generate
from mpisog.spotglue.ltl import bind
from mpisog.symbolic.mdd import MddDomain
from mpisog.team.messages import Deliver, Room, StolenWork
from mpisog.transport.message import decode
from mpisog.transport.transport import Loopback
from tests.engines.running import run_engine
from tests.team.loopback import loopback_team

NET = generate("robot_manipulation", 4)
BOUND = bind(Property("never both", 'G("r_moving >= 3" -> !"r_active >= 15")'), NET)
CONFIG = RunConfig(engine="sog", backend="mdd", aggregation="static", reduce="none")

ENOUGH = 2 << 20
"""Bytes with which one process decides, as the first test shows; half of it is too little."""

SCARCE = int(0.3 * 2**20)
"""With so much in each of four kernels, work must move."""


@pytest.fixture
def kernels_of(monkeypatch):
    def limit(size):
        monkeypatch.setattr(MddDomain, "_memory_budget", lambda self: size)

    return limit


@pytest.fixture
def sent(monkeypatch):
    """What kinds of messages are sent."""
    kinds = Counter()
    plain = Loopback.send

    def send(self, to, packet):
        kinds.update(type(message) for message in decode(packet)[1])
        plain(self, to, packet)

    monkeypatch.setattr(Loopback, "send", send)
    return kinds


def build(builders):
    """All of the graph, by so many builders or by this process."""
    team = loopback_team(builders, "finder", "eager", Random(builders)) if builders else None
    found = run_engine(Sog(), NET, BOUND, CONFIG, team=team)
    assert found.counterexample is None
    return found


@pytest.fixture(scope="module")
def aggregates():
    return build(0).statistics["aggregates"]


def test_memory_adds_up(kernels_of, aggregates):
    kernels_of(ENOUGH)
    assert build(0).statistics["aggregates"] == aggregates
    kernels_of(ENOUGH // 2)
    for alone in (0, 1):
        with pytest.raises(LimitReached, match="memory"):
            build(alone)
    assert build(4).statistics["aggregates"] == aggregates


def test_who_is_full_gives_entry_sets_and_aggregates_to_who_has_room(kernels_of, sent, aggregates):
    kernels_of(SCARCE)
    found = build(4)
    assert found.statistics["aggregates"] == aggregates
    assert min(sent[Room], sent[StolenWork], sent[Deliver]) > 0
    for report in found.ranks:
        assert 0 < report.node_bytes + report.cache_bytes <= SCARCE
        assert report.table_bytes > 0


@pytest.mark.parametrize("builders", [2, 3])
@pytest.mark.parametrize("size", [SCARCE // 2, 200 << 10, 220 << 10, 240 << 10])
def test_where_all_are_full_the_run_ends(builders, size, kernels_of):
    kernels_of(size)
    with pytest.raises(LimitReached, match=r"rank \d+ on .*: the memory limit"):
        build(builders)
