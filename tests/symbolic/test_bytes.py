"""The contract of bytes: canonical everywhere, and junk is refused."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mpisog.errors import UsageError
from mpisog.nets.generators import generate
from mpisog.nets.model import make_net
from mpisog.symbolic.protocol import Domain, all_steps, digest, of_markings
from mpisog.symbolic.registry import open_domain
from tests.helpers import PATIENCE, ROOT, environment

NET = make_net(
    "net", {"a": 3, "b": 0, "c": 1}, {"ab": (["a"], ["b"]), "bc": (["b", "c"], ["a", "c"])}
)
MARKINGS = [(3, 0, 1), (2, 1, 1), (0, 0, 0), (7, 0, 300), (1, 2, 0)]

SCRIPT = """
import sys
from mpisog.nets.generators import generate
from mpisog.symbolic.protocol import all_steps, digest
from mpisog.symbolic.registry import open_domain

net = generate("kanban", 2)
domain = open_domain(sys.argv[1], net)
initial = domain.singleton(net.initial)
if sys.argv[2] == "noisy":
    if domain.name != "bits":
        domain.singleton(tuple(range(1000, 1000 + len(net.places))))
    some = domain.image(initial, all_steps(net))
    domain.serialise(domain.preimage(some, all_steps(net)))
states = domain.closure(initial, all_steps(net))
print(digest(domain, states, "md5").hex(), digest(domain, states, "xxh3").hex())
"""


def digests(backend: str, how: str, seed: str) -> list[str]:
    """The digests of one set, made in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, backend, how],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=environment(PYTHONHASHSEED=seed),
        cwd=ROOT,
        check=True,
    )
    return done.stdout.split()


def test_digests_are_the_same_in_every_process(every_backend: str) -> None:
    net = generate("kanban", 2)
    domain = open_domain(every_backend, net)
    states = domain.closure(domain.singleton(net.initial), all_steps(net))
    here = [digest(domain, states, algorithm).hex() for algorithm in ("md5", "xxh3")]
    assert [len(text) for text in here] == [32, 32]
    assert digests(every_backend, "plain", "1") == digests(every_backend, "noisy", "2") == here


def test_no_such_digest(every_backend: str) -> None:
    domain = open_domain(every_backend, NET)
    with pytest.raises(UsageError, match="md5"):
        digest(domain, domain.empty(), "md4")


@pytest.fixture
def domain(backend: str) -> Domain[Any]:
    return open_domain(backend, NET)


def mutations(data: bytes) -> Iterator[bytes]:
    """Bytes cut short, made longer, and with each byte changed in several ways."""
    yield from (data[:length] for length in range(len(data)))
    yield from (data + tail for tail in (b"\0", b"\xff" * 4, b"\0" * 12, data))
    for index, byte in enumerate(data):
        for other in (0, 1, byte ^ 1, byte ^ 2, byte ^ 0x80, 0xFF):
            if other != byte:
                yield data[:index] + bytes([other]) + data[index + 1 :]


def refused_or_canonical(domain: Domain[Any], data: bytes) -> bool:
    """Whether bytes are refused; what is accepted must be what its set is written as."""
    try:
        states = domain.deserialise(data)
    except ValueError:
        return True
    assert domain.serialise(states) == data
    return False


def test_malformed_bytes_are_refused(domain: Domain[Any]) -> None:
    states = of_markings(domain, MARKINGS)
    data = domain.serialise(states)
    outcomes = [refused_or_canonical(domain, changed) for changed in mutations(data)]
    assert all(outcomes[: len(data)]), "no set may begin as another one does"
    assert domain.deserialise(data) == states
    assert set(domain.markings(states)) == set(MARKINGS)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=80))
def test_random_bytes_are_refused(domain: Domain[Any], data: bytes) -> None:
    refused_or_canonical(domain, data)


def test_bytes_of_a_net_with_more_places_are_refused(backend: str, domain: Domain[Any]) -> None:
    wider = make_net("wider", {"a": 1, "b": 0, "c": 1, "d": 2}, {})
    other = open_domain(backend, wider)
    data = other.serialise(other.singleton((1, 0, 1, 2)))
    assert refused_or_canonical(domain, data)


def test_bytes_do_not_depend_on_the_way(domain: Domain[Any]) -> None:
    data = domain.serialise(of_markings(domain, MARKINGS))
    much = domain.singleton((100_000, 100_000, 100_000))
    backwards = of_markings(domain, reversed(MARKINGS))
    assert domain.serialise((backwards | much) - much) == data
    assert domain.serialise(domain.empty()) != data
    assert domain.deserialise(data) == backwards
