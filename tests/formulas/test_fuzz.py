"""Whatever is written, only ``FormulaError`` comes back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, example, given, settings

from mpisog.errors import FormulaError
from mpisog.formulas.mcc_xml import read_mcc_properties
from mpisog.formulas.names import resolve_atom
from mpisog.formulas.properties import Property, read_formula_file
from mpisog.nets.model import NetBuilder
from mpisog.spotglue.ltl import bind
from tests.formula_strategies import formula_texts, property_files

thorough = settings(
    max_examples=400,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@contextmanager
def only_formula_errors(mentioned: str = "") -> Iterator[None]:
    """Success and ``FormulaError`` with a message are fine; anything else comes through."""
    message = None
    try:
        yield
    except FormulaError as error:
        message = str(error)
    assert message is None or (message and mentioned in message)


@pytest.fixture(scope="module")
def net():
    builder = NetBuilder()
    for place in ("p", "q", "Fork1", "ork1", "a-b", "x.y", "{", '"'):
        builder.place(place)
    for transition in ("t", "u,v"):
        builder.transition(transition)
    return builder.build()


@thorough
@given(text=formula_texts())
@example(text="(" * 3000 + "p" + ")" * 3000)
@example(text="!" * 3000 + "p")
@example(text="X" * 3000 + " p")
@example(text='"')
@example(text='"\\')
@example(text="p\nU")
def test_formulas(text, net):
    with only_formula_errors():
        bind(Property("fuzz", text), net)


@thorough
@given(text=formula_texts())
@example(text="٣ >= 1")
@example(text="² >= 1")
@example(text="p >= ٣")
@example(text="--p >= 1")
@example(text="{}>={}")
def test_atoms(text, net):
    with only_formula_errors():
        resolve_atom(text, net)


@thorough
@given(data=property_files())
def test_property_files(data, net, tmp_path):
    path = tmp_path / "LTL.xml"
    path.write_bytes(data)
    with only_formula_errors("LTL.xml"):
        for prop in read_mcc_properties(path, net):
            bind(prop, net)


@thorough
@given(text=formula_texts())
def test_formula_files(text, net, tmp_path):
    path = tmp_path / "some.ltl"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with only_formula_errors("some.ltl"):
        for prop in read_formula_file(path):
            bind(prop, net)
