"""Units of NUPN sections: which sets of places they give, and that nothing of them is an error."""

from __future__ import annotations

import io

import pytest

from mpisog.nets.load import read_net
from mpisog.nets.nupn import read_units
from mpisog.nets.pnml_writer import write_pnml
from tests.helpers import toggle

PLACES = {name: index for index, name in enumerate("abcdef")}


def section(units: str, safe: str = "true") -> bytes:
    text = f'<structure units="3" root="r" safe="{safe}">{units}</structure>'
    return f'<x/><toolspecific tool="nupn" version="1.1">{text}</toolspecific><y/>'.encode()


def unit(name: str, places: str, subunits: str = "") -> str:
    return f'<unit id="{name}"><places>{places}</places><subunits>{subunits}</subunits></unit>'


def test_a_unit_without_subunits_is_a_set():
    flat = unit("r", "", "u v") + unit("u", "a b\n  c") + unit("v", "d e")
    assert read_units(section(flat), PLACES) == ((0, 1, 2), (3, 4))


def test_units_around_it_belong_to_the_set():
    nested = unit("r", "a", "u") + unit("u", "b", "v w") + unit("v", "c d") + unit("w", "e")
    assert read_units(section(nested), PLACES) == ((0, 1, 2, 3), (0, 1, 4))


@pytest.mark.parametrize(
    "content",
    [
        section(unit("r", "a b"), safe="false"),
        b"<pnml/>",
        b'<toolspecific tool="nupn" version="1.1"><structure safe="true">',
        b'<toolspecific tool="nupn"><structure safe="true"></toolspecific>',
        b'<toolspecific tool="nupn"></toolspecific>',
        section(unit("r", "a", "u") + unit("u", "b", "r")),
    ],
)
def test_other_sections_say_nothing(content):
    assert read_units(content, PLACES) == ()


def test_unknown_places_and_units_are_left_out():
    assert read_units(section(unit("r", "a nobody", "nothing") + unit("u", "b")), PLACES) == ((1,),)


def test_a_file_with_units():
    stream = io.BytesIO()
    write_pnml(toggle(), stream)
    text = stream.getvalue().replace(b"</page>", section(unit("r", "off on"))[4:-4] + b"</page>")
    net = read_net(io.BytesIO(text))
    assert net == toggle()
    assert net.units == ((0, 1),)
