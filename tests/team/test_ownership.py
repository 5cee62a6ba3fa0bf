"""What ranks that find the same tell each other, message by message."""

from __future__ import annotations

import pytest

from mpisog.sog.expansion import WAITING
from mpisog.symbolic.registry import open_domain
from mpisog.team.messages import (
    INITIAL,
    AskInitial,
    AskSuccessors,
    BuiltElsewhere,
    Claim,
    ClaimConflict,
    Found,
    Node,
    Register,
    Registered,
    StolenWork,
    Successors,
)
from mpisog.team.ownership import ClaimListener, OwnershipDirectory
from mpisog.team.plan import CHECKER, Plan
from tests.team.test_builder import FORMS, NET, Stepped, new_builder

LABEL = (False, False)
"""Of the initial marking."""

NODE = Node(b"i" * 16, 1, False, (True, False), ())


def key_of(owner, builders):
    """A key of that rank."""
    return next(k for i in range(100) if Plan(1, builders).owner(k := bytes([i] * 16)) == owner)


def new_claims(rank, builders):
    """The ownership of a rank, what it sends, and what its builder hears."""
    outbox, heard = [], []
    listener = ClaimListener(
        lambda *what: heard.append(("wanted", *what)),
        lambda *what: heard.append(("taken", *what)),
        lambda *what: heard.append(("found", *what)),
    )
    return OwnershipDirectory(Plan(rank, builders), outbox, listener), outbox, heard


def test_the_owner_says_nothing_to_the_first_and_refers_the_second_to_it():
    ownership, outbox, heard = new_claims(rank=1, builders=3)
    key = key_of(owner=1, builders=3)
    ownership.receive(2, Claim(key, urgent=False))
    ownership.receive(2, Claim(key, urgent=True))
    assert not outbox
    ownership.receive(3, Claim(key, urgent=True))
    assert outbox == [(2, ClaimConflict(key, 3, urgent=True))]
    assert not ownership.claim(key, urgent=False)
    assert outbox[1:] == [(2, ClaimConflict(key, 1, urgent=False))]
    assert not heard


def test_an_owner_that_builds_hears_itself_what_others_want():
    ownership, outbox, heard = new_claims(rank=1, builders=2)
    key = key_of(owner=1, builders=2)
    assert ownership.claim(key, urgent=False)
    ownership.receive(2, Claim(key, urgent=True))
    assert heard == [("wanted", key, 2, True)]
    assert not outbox


def test_who_does_not_own_a_key_goes_on_until_it_hears_otherwise():
    ownership, outbox, heard = new_claims(rank=1, builders=2)
    key = key_of(owner=2, builders=2)
    assert ownership.claim(key, urgent=False)
    assert outbox == [(2, Claim(key, urgent=False))]
    ownership.receive(2, BuiltElsewhere(key))
    ownership.receive(2, Found(key, NODE))
    assert heard == [("taken", key), ("found", key, NODE)]


def asked(new):
    """One of two builders, asked for the initial aggregate, whose entry set the other one owns."""
    for rank in (1, 2):
        builder = new(Plan(rank, 2, "on-demand"))
        builder.receive(CHECKER, AskInitial())
        ownership = [(to, m) for to, m in builder.take_messages() if isinstance(m, Claim)]
        if ownership:
            ((other, claim),) = ownership
            return builder, other, claim.key
    raise AssertionError("nobody owns it")


@pytest.fixture(params=FORMS)
def asked_builder(request):
    return asked(lambda plan: Stepped(request.param, plan))


def test_what_another_rank_builds_is_left_to_it_and_answered_when_it_tells(asked_builder):
    builder, other, key = asked_builder
    builder.receive(other, BuiltElsewhere(key))
    assert not builder.pool.waiting
    assert builder.take_messages() == [(other, Claim(key, urgent=True))]
    builder.receive(other, Found(key, NODE))
    assert builder.take_messages() == [(CHECKER, Successors(INITIAL, WAITING, (), (NODE,)))]


def test_what_has_begun_is_not_left():
    builder, other, key = asked(lambda plan: new_builder("on-demand", plan))
    task = builder.tasks.take()
    builder.receive(other, BuiltElsewhere(key))
    assert not builder.take_messages()
    task.done(task.compute())
    (answer,) = [m for to, m in builder.take_messages() if to == CHECKER]
    assert answer.identity == INITIAL
    builder.receive(other, Found(key, NODE))  # too late
    assert not builder.take_messages()


def test_whoever_wants_what_is_built_here_is_told(asked_builder):
    builder, other, key = asked_builder
    builder.receive(other, ClaimConflict(key, other, urgent=False))
    assert builder.take_messages() == [(other, BuiltElsewhere(key))]
    builder.run()
    (found,) = [m for m in dict(builder.take_messages()).values() if isinstance(m, Found)]
    builder.receive(other, ClaimConflict(key, other, urgent=False))
    assert builder.take_messages() == [(other, found)]


def test_work_that_is_known_here_is_not_done_twice_for_who_gives_it(asked_builder):
    builder, other, key = asked_builder
    domain = open_domain("bits", NET)
    states = domain.serialise(domain.singleton(NET.initial))
    builder.receive(other, StolenWork(key, LABEL, False, states))
    builder.run()
    assert builder.built == 1
    assert [m.key for to, m in builder.take_messages() if isinstance(m, Found)] == [key]


def test_what_another_rank_holds_is_asked_of_that_rank(asked_builder):
    builder, other, _ = asked_builder
    builder.run()
    messages = builder.take_messages()
    (answer,) = [m for to, m in messages if to == CHECKER]
    (node,) = answer.nodes
    assert node.holder != other
    builder.receive(CHECKER, AskSuccessors(node.identity, WAITING))
    builder.receive(other, Registered(node.identity, other))
    assert builder.held == 0
    assert (other, AskSuccessors(node.identity, WAITING)) in builder.take_messages()
    builder.run()
    assert not builder.take_messages()
    builder.receive(CHECKER, AskSuccessors(node.identity, WAITING))
    assert builder.take_messages() == [(other, AskSuccessors(node.identity, WAITING))]


def test_an_owner_speaks_up_only_where_another_was_first(asked_builder):
    builder, other, _ = asked_builder
    builder.run()
    builder.take_messages()
    builder.receive(other, Register(b"j" * 16))
    assert not builder.take_messages()
    third = 3
    builder.receive(third, Register(b"j" * 16))
    assert builder.take_messages() == [(third, Registered(b"j" * 16, other))]
