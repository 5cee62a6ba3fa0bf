"""The PNML reader and writer."""

from __future__ import annotations

import io

import pytest
from hypothesis import given

from mpisog.errors import NetError
from mpisog.nets.model import PetriNet, make_net
from mpisog.nets.pnml import read_pnml
from mpisog.nets.pnml_writer import write_pnml
from tests.nets.malformed import HEAD, NET, pnml
from tests.strategies import nets

CYCLE = make_net("n", {"p": 1, "q": 0}, {"t": (["p"], ["q", "q"])})


def read(content: str) -> PetriNet:
    return read_pnml(io.BytesIO(pnml(content)))


def test_a_small_net() -> None:
    net = read(
        """
        <place id="p"><initialMarking><text> 1
        </text></initialMarking></place> <place id="q"/> <transition id="t"/>
        <arc id="a" source="p" target="t"/>
        <arc id="b" source="t" target="q"><inscription><text>2</text></inscription></arc>
        """
    )
    assert net == CYCLE


def test_arcs_and_nodes_come_in_any_order_on_nested_pages() -> None:
    net = read(
        """
        <arc source="p" target="t"/>
        <page id="outer"><name><text>Page</text></name>
          <place id="p"><initialMarking><text>1</text></initialMarking></place>
          <page id="inner"><arc source="t" target="q"/><transition id="t"/></page>
          <place id="q"/><arc source="t" target="q"/>
        </page>
        """
    )
    assert net == CYCLE


@pytest.mark.parametrize("namespace", ["", ' xmlns="http://elsewhere.org/pnml"'])
def test_the_namespace_does_not_matter(namespace: str) -> None:
    text = f"<pnml{namespace}><net id='n'><transition id='t'/></net></pnml>"
    assert read_pnml(io.BytesIO(text.encode())) == make_net("n", {}, {"t": ([], [])})


def test_a_prefixed_namespace() -> None:
    text = "<x:pnml xmlns:x='u'><x:net id='n'><x:transition id='t'/></x:net></x:pnml>"
    assert read_pnml(io.BytesIO(text.encode())) == make_net("n", {}, {"t": ([], [])})


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1"])
def test_encodings(encoding: str) -> None:
    text = (
        f"<?xml version='1.0' encoding='{encoding}'?><pnml><net id='é'><place id='ü'/></net></pnml>"
    )
    net = read_pnml(io.BytesIO(text.encode(encoding)))
    assert (net.name, net.places[0].id) == ("é", "ü")


def test_names_are_optional_and_stripped() -> None:
    net = read(
        '<place id="p"><name><graphics/><text>\n A place \n</text></name></place>'
        '<transition id="t.1-x"><name><text/></name></transition>'
    )
    assert net.places[0].name == "A place"
    assert (net.transitions[0].id, net.transitions[0].name) == ("t.1-x", "t.1-x")


def test_only_the_blanks_of_xml_are_stripped() -> None:
    net = read('<place id=" p\t"/><place id="\u00a0p"><name><text>\u2003n </text></name></place>')
    assert [(place.id, place.name) for place in net.places] == [("p", "p"), ("\u00a0p", "\u2003n")]


def test_a_net_without_id_takes_the_name_given() -> None:
    text = "<pnml><net><transition id='t'/></net></pnml>"
    assert read_pnml(io.BytesIO(text.encode()), "file").name == "file"


def test_references_are_followed_through_chains() -> None:
    net = read(
        """
        <page id="1"><place id="p"><initialMarking><text>1</text></initialMarking></place>
          <place id="q"/><referenceTransition id="rt" ref="t"/>
          <arc source="rt" target="q"/></page>
        <page id="2"><referencePlace id="rr" ref="rp"/><transition id="t"/>
          <arc source="rr" target="t"/><arc source="rt" target="q"/></page>
        <page id="3"><referencePlace id="rp" ref="p"/></page>
        """
    )
    assert net == CYCLE


def test_a_chain_of_references_of_the_wrong_kind_is_refused() -> None:
    with pytest.raises(NetError, match="reference transition 's' refers to 'p'"):
        read(
            '<place id="p"/><referencePlace id="r" ref="s"/><referenceTransition id="s" ref="p"/>'
            '<transition id="t"/><arc source="r" target="t"/>'
        )


def test_tool_specific_parts_are_skipped_wherever_they_are() -> None:
    tool = (
        '<toolspecific tool="x" version="1"><size places="9"/><page id="z"><place id="p"/>'
        '<arc source="no" target="where"/></page><net id="m"/></toolspecific>'
    )
    net = read(
        f"""
        {tool}<page id="g">{tool}<place id="p">{tool}
        <initialMarking>{tool}<text>1</text></initialMarking>{tool}</place><place id="q"/>
        <transition id="t">{tool}</transition><arc source="p" target="t">{tool}</arc>
        <arc source="t" target="q"><inscription><text>2</text></inscription>{tool}</arc></page>
        """
    )
    assert net == CYCLE


def test_self_loops_sources_and_sinks() -> None:
    net = read(
        '<place id="p"/><transition id="loop"/><transition id="source"/><transition id="sink"/>'
        '<arc source="p" target="loop"/><arc source="loop" target="p"/>'
        '<arc source="source" target="p"/><arc source="p" target="sink"/>'
    )
    assert [(t.pre, t.post) for t in net.transitions] == [
        (((0, 1),), ((0, 1),)),
        ((), ((0, 1),)),
        (((0, 1),), ()),
    ]


def test_comments_inside_numbers_and_between_elements() -> None:
    net = read(
        '<!-- c --><place id="p"><initialMarking><text>1<!-- c -->2</text></initialMarking></place>'
    )
    assert net.initial == (12,)


def test_harmless_extras_of_other_tools_are_read() -> None:
    net = read(
        '<place id="p"><capacity><value>0</value></capacity>'
        "<initialMarking><value>3</value></initialMarking></place>"
        '<transition id="t"><timed><value>false</value></timed><rate><value>1.0</value></rate>'
        "<priority><value>1</value></priority></transition>"
        '<transition id="u"><priority><value>1</value></priority></transition>'
        '<arc source="p" target="t"><type value="normal"/></arc>'
        "<declaration/><name><text>n</text></name>"
    )
    assert (net.initial, net.transitions[0].pre) == ((3,), ((0, 1),))


def test_lines_are_told_far_into_a_file() -> None:
    # Beyond line 65,535 libxml2 goes by the neighbouring nodes.
    padding = "\n" * 100_000
    with pytest.raises(NetError) as caught:
        read(f"{padding}<place id='p'/>\n<place id='p'/>")
    assert caught.value.line in (100_004, 100_005, 100_006)


def test_a_second_net_is_refused_even_when_empty() -> None:
    text = f"{HEAD}{NET}<transition id='t'/></net><net id='m'/></pnml>"
    with pytest.raises(NetError, match="'n' and 'm'"):
        read_pnml(io.BytesIO(text.encode()))


def written(net: PetriNet) -> bytes:
    stream = io.BytesIO()
    write_pnml(net, stream)
    return stream.getvalue()


@given(nets(min_places=0, min_transitions=0, awkward_names=True))
def test_what_is_written_is_read_back(net: PetriNet) -> None:
    assert read_pnml(io.BytesIO(written(net))) == net


def test_ids_with_line_breaks_survive() -> None:
    net = make_net("a\tb", {"p\n1": 2**31 - 1}, {"t": (["p\n1"], [])})
    assert read_pnml(io.BytesIO(written(net))) == net


def test_what_xml_cannot_hold_is_an_error() -> None:
    with pytest.raises(NetError, match="cannot be written as PNML"):
        written(make_net("n", {"p\x00": 0}, {}))
