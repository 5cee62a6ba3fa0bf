"""Messages come back from their bytes as they were."""

from __future__ import annotations

import random
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpisog.errors import MessageError
from mpisog.formulas.atoms import Comparison, Dead, Fire, Fireable
from mpisog.nets.model import PetriNet, Transition, make_net
from mpisog.team.job_spec import JobSpec
from mpisog.team.messages import (
    AskInitial,
    AskSuccessors,
    BuiltElsewhere,
    Claim,
    ClaimConflict,
    Deliver,
    Ended,
    Failure,
    Found,
    Node,
    NoWork,
    Progress,
    Quit,
    RaisePriority,
    Register,
    Registered,
    Room,
    Start,
    StealRequest,
    StolenWork,
    Successors,
    Terminate,
)
from mpisog.team.statistics import RankReport
from mpisog.transport.codec import Reader, Writer
from mpisog.transport.message import Message, decode, encode

NUMBERS = st.integers(-(2**63), 2**63 - 1)
IDENTITIES = st.binary(min_size=16, max_size=16)
NODES = st.builds(
    Node,
    IDENTITIES,
    st.integers(1, 1000),
    st.booleans(),
    st.lists(st.booleans(), max_size=20).map(tuple),
    st.lists(NUMBERS, max_size=3).map(tuple),
)
REPORTS = st.builds(
    RankReport,
    rank=NUMBERS,
    host=st.text(),
    built=NUMBERS,
    elapsed=st.floats(allow_nan=False),
    busy=st.lists(st.floats(allow_nan=False), max_size=4).map(tuple),
)
NET = make_net("n", {"p0": 2, "p1": 0}, {"t0": (["p0", "p0"], ["p1"]), "t1": (["p1"], [])})
ATOMS = (Comparison(((0, 2), (1, -3)), "<=", -4), Fireable((0, 1)), Dead(), Fire(1))
JOB = JobSpec(NET, "mdd", (0, 1), (), "")
JOBS = st.builds(
    JobSpec,
    st.just(NET),
    st.sampled_from(["mdd", "bits"]),
    st.sampled_from([(), (0, 1), (1, 0)]),
    st.lists(st.sampled_from(ATOMS), unique=True).map(tuple),
    st.text(),
    st.sampled_from(["precise", "static"]),
    st.frozensets(st.integers(0, 1)),
    st.none() | st.integers(0, 2**40),
)
MESSAGES = st.one_of(
    st.builds(Start, JOBS),
    st.just(AskInitial()),
    st.builds(AskSuccessors, IDENTITIES, NUMBERS),
    st.builds(
        Successors,
        IDENTITIES,
        NUMBERS,
        st.lists(NUMBERS, max_size=3).map(tuple),
        st.lists(NODES, max_size=4).map(tuple),
    ),
    st.builds(Deliver, IDENTITIES, st.binary()),
    st.builds(Register, IDENTITIES),
    st.builds(Registered, IDENTITIES, NUMBERS),
    st.builds(Claim, IDENTITIES, st.booleans()),
    st.builds(ClaimConflict, IDENTITIES, NUMBERS, st.booleans()),
    st.builds(BuiltElsewhere, IDENTITIES),
    st.builds(Found, IDENTITIES, NODES),
    st.builds(RaisePriority, IDENTITIES),
    st.just(StealRequest()),
    st.builds(
        StolenWork,
        IDENTITIES,
        st.lists(st.booleans(), max_size=20).map(tuple),
        st.booleans(),
        st.binary(max_size=100),
    ),
    st.just(NoWork()),
    st.builds(Room, NUMBERS),
    st.builds(Progress, REPORTS),
    st.builds(Failure, st.booleans(), st.text()),
    st.just(Terminate()),
    st.builds(Ended, REPORTS),
    st.builds(Quit, st.integers(0, 4)),
)


def alike(a: Message, b: Message) -> bool:
    """Names of places and transitions stay behind; all else is equal."""
    if not isinstance(a, Start):
        return a == b
    assert isinstance(b, Start)
    first, second = a.job_spec, b.job_spec
    arcs = [(t.pre, t.post) for t in first.net.transitions]
    assert arcs == [(t.pre, t.post) for t in second.net.transitions]
    assert first.net.initial == second.net.initial
    rest = ("backend", "order", "atoms", "hoa", "aggregation", "forbidden", "aggregate_nodes")
    return all(getattr(first, name) == getattr(second, name) for name in rest)


@given(st.integers(0, 2**32 - 1), st.lists(MESSAGES, max_size=5))
def test_packets_come_back(job, messages):
    number, found = decode(encode(job, messages))
    assert number == job
    assert len(found) == len(messages)
    assert all(alike(a, b) for a, b in zip(messages, found, strict=True))


def test_tags_are_different():
    kinds = Message.__subclasses__()
    assert len({kind.tag for kind in kinds}) == len(kinds)


def test_a_packet_that_was_cut_off_is_noticed():
    packet = encode(1, [Failure(True, "reason")])
    for length in range(5, len(packet)):
        with pytest.raises(MessageError, match="shorter"):
            decode(packet[:length])


def tampered(dice: random.Random, packet: bytes) -> bytes:
    """A packet with bytes changed, cut or put in; lengths become huge, numbers negative."""
    data = bytearray(packet)
    for _ in range(dice.randint(1, 4)):
        start = dice.randint(0, len(data))
        end = start + dice.choice((0, 1, 1, 4, 8, 30))
        data[start:end] = dice.choice(
            (b"", dice.randbytes(1), dice.randbytes(4), b"\xff" * 4, b"\xff" * 8, bytes(4))
        )
    return bytes(data)


SAMPLES = [
    Start(JobSpec(NET, "mdd", (1, 0), ATOMS, "HOA: v1", "static", frozenset({1}), 7)),
    AskInitial(),
    AskSuccessors(bytes(range(16)), 2),
    Successors(bytes(16), 1, (0, 1), (Node(bytes(16), 1, True, (True, False) * 5, (3,)),) * 3),
    Deliver(bytes(16), b"body"),
    Found(bytes(16), Node(bytes(16), 1, False, (), ())),
    StolenWork(bytes(16), (True,) * 9, True, b"states"),
    Progress(RankReport(host="h\u00f6st", busy=(1.0, 2.0))),
    Failure(False, "reason"),
    Quit(3),
]


def decode_tampered(count: int, seed: str) -> int:
    """How many of so many hostile packets were refused; each by one kind of error, at once."""
    dice = random.Random(seed)
    refused = 0
    for _ in range(count):
        packet = tampered(dice, encode(1, dice.sample(SAMPLES, dice.randint(1, 3))))
        start = time.process_time()
        try:
            decode(packet)
        except MessageError:
            refused += 1
        assert time.process_time() - start < 0.5
    return refused


def test_hostile_bytes_end_in_one_kind_of_error():
    assert decode_tampered(3_000, "few") > 1_000


@pytest.mark.slow
def test_many_more_hostile_bytes():
    assert decode_tampered(50_000, "many") > 15_000


@pytest.mark.parametrize(
    "packet",
    [
        b"",
        b"\1\0\0",
        encode(1, []) + b"\xc8",
        encode(1, [AskInitial()]) + b"\0",
        encode(1, [Failure(True, "")])[:-4] + b"\1\0\0\0\xff",
        encode(1, [StolenWork(bytes(16), (), True, b"")])[:21] + b"\xff" * 4,
    ],
    ids=["empty", "short", "unknown", "zero", "latin", "label"],
)
def test_bytes_that_are_no_message(packet):
    with pytest.raises(MessageError):
        decode(packet)


@pytest.mark.parametrize(
    "wrong",
    [
        replace(JOB, order=(0, 0)),
        replace(JOB, order=(0,)),
        replace(JOB, atoms=(Fire(2),)),
        replace(JOB, atoms=(Fireable((0, -1)),)),
        replace(JOB, atoms=(Comparison(((2, 1),), "<", 0),)),
        replace(JOB, forbidden=frozenset({2})),
        replace(JOB, aggregation="other"),
        replace(JOB, net=PetriNet("n", NET.places, (Transition("t", "t", ((2, 1),), ()),))),
        replace(JOB, net=PetriNet("n", NET.places, (Transition("t", "t", ((0, 0),), ()),))),
    ],
)
def test_native_code_never_sees_indices_of_another_net(wrong):
    with pytest.raises(MessageError):
        decode(encode(1, [Start(wrong)]))


def test_a_long_label_is_read_at_once():
    out = Writer()
    out.bits([True, False] * 500_000)
    start = time.process_time()
    assert Reader(bytes(out.data)).bits()[:3] == (True, False, True)
    assert time.process_time() - start < 1


def test_truth_values_take_a_bit_each():
    out = Writer()
    out.bits([True] * 16)
    assert len(out.data) == 4 + 2
    assert Reader(bytes(out.data)).bits() == (True,) * 16
