"""Property files of the contest: every operator, selection, and everything that can be wrong."""

from __future__ import annotations

import pytest

from mpisog.errors import FormulaError
from mpisog.formulas.atoms import Comparison, Dead, Fireable
from mpisog.formulas.mcc_xml import read_mcc_properties
from mpisog.nets.model import make_net
from mpisog.spotglue.ltl import bind, parse

NET = make_net("n", {"p": 1, "q": 0}, {"t": (["p"], ["q"]), "u": (["q"], ["p"])})

P_FIRST = "<is-fireable><transition>t</transition></is-fireable>"
TWO = "<integer-constant>2</integer-constant>"
TOKENS = "<tokens-count><place>p</place><place>q</place></tokens-count>"
AT_MOST = f"<integer-le>{TWO}{TOKENS}</integer-le>"


def properties(*bodies, names=None):
    names = names or [f"N-PT-1-LTLCardinality-{i:02}" for i in range(len(bodies))]
    inner = "".join(
        f"<property>\n<id>{name}</id><description>x</description>\n<formula>{body}</formula></property>"
        for name, body in zip(names, bodies, strict=True)
    )
    return (
        f'<?xml version="1.0"?>\n<property-set xmlns="http://mcc.lip6.fr/">{inner}</property-set>'
    )


@pytest.fixture
def read(tmp_path):
    def reader(content, *wanted):
        path = tmp_path / "LTL.xml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_mcc_properties(path, NET, wanted)

    return reader


def all_paths(body):
    return f"<all-paths>{body}</all-paths>"


@pytest.mark.parametrize(
    ("body", "formula"),
    [
        (P_FIRST, "x0"),
        (f"<negation>{P_FIRST}</negation>", "!x0"),
        (f"<next>{P_FIRST}</next>", "X x0"),
        (f"<finally>{P_FIRST}</finally>", "F x0"),
        (f"<globally>{P_FIRST}</globally>", "G x0"),
        (f"<until><before>{P_FIRST}</before><reach>{AT_MOST}</reach></until>", "x0 U x1"),
        (f"<conjunction>{P_FIRST}{AT_MOST}<deadlock/></conjunction>", "x0 & x1 & x2"),
        (f"<disjunction>{P_FIRST}{AT_MOST}</disjunction>", "x0 | x1"),
        (f"<exclusive-disjunction>{P_FIRST}{AT_MOST}</exclusive-disjunction>", "x0 xor x1"),
        (f"<implication>{P_FIRST}{AT_MOST}</implication>", "x0 -> x1"),
        (f"<equivalence>{P_FIRST}{AT_MOST}</equivalence>", "x0 <-> x1"),
        ("<true/>", "true"),
        (f"<conjunction><false/>{P_FIRST}</conjunction>", "false"),
        (f"<!-- said --><finally>{P_FIRST}<!-- done --></finally>", "F x0"),
    ],
)
def test_operators(read, body, formula):
    (prop,) = read(properties(all_paths(body)))
    assert parse(prop.text) == parse(formula)


@pytest.mark.parametrize(
    ("body", "atom"),
    [
        (P_FIRST, Fireable((0,))),
        (
            "<is-fireable><transition>u</transition><transition>t</transition></is-fireable>",
            Fireable((0, 1)),
        ),
        (AT_MOST, Comparison(((0, 1), (1, 1)), ">=", 2)),
        (f"<integer-le>{TOKENS}{TWO}</integer-le>", Comparison(((0, 1), (1, 1)), "<=", 2)),
        (f"<integer-ge>{TOKENS}{TWO}</integer-ge>", Comparison(((0, 1), (1, 1)), ">=", 2)),
        (f"<integer-lt>{TOKENS}{TWO}</integer-lt>", Comparison(((0, 1), (1, 1)), "<", 2)),
        (f"<integer-gt>{TOKENS}{TWO}</integer-gt>", Comparison(((0, 1), (1, 1)), ">", 2)),
        (f"<integer-eq>{TOKENS}{TWO}</integer-eq>", Comparison(((0, 1), (1, 1)), "==", 2)),
        (f"<integer-ne>{TOKENS}{TWO}</integer-ne>", Comparison(((0, 1), (1, 1)), "!=", 2)),
        (
            f"<integer-le><integer-sum>{TWO}{TOKENS}</integer-sum>{TOKENS}</integer-le>",
            Comparison((), "<=", -2),
        ),
        (
            "<integer-le><tokens-count><place>p</place></tokens-count>"
            "<tokens-count><place>q</place></tokens-count></integer-le>",
            Comparison(((0, 1), (1, -1)), "<=", 0),
        ),
        ("<deadlock/>", Dead()),
    ],
)
def test_atoms(read, body, atom):
    (prop,) = read(properties(all_paths(body)))
    assert list(prop.bindings.values()) == [atom]


def test_equal_atoms_are_one_and_the_text_spells_them_out(read):
    body = f"<implication>{P_FIRST}<finally>{P_FIRST}</finally></implication>"
    (prop,) = read(properties(all_paths(body)))
    bound = bind(prop, NET)
    assert bound.atoms == (Fireable((0,)),)
    assert bound.text == '"fireable(t)" -> F"fireable(t)"'


def test_selection_by_id_and_number_keeps_the_file_order(read):
    content = properties(*[all_paths("<true/>")] * 12)
    names = [prop.name for prop in read(content, "N-PT-1-LTLCardinality-11", "3", "03")]
    assert names == ["N-PT-1-LTLCardinality-03", "N-PT-1-LTLCardinality-11"]


def test_selection_of_what_is_not_there(read):
    with pytest.raises(FormulaError, match="no property 'N-PT-1-LTLCardinality-1'") as caught:
        read(properties(all_paths("<true/>")), "N-PT-1-LTLCardinality-1")
    assert "did you mean 'N-PT-1-LTLCardinality-00'" in str(caught.value)


BOMB = (
    '<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    "<property-set><property><id>&b;</id></property></property-set>"
)
OUTSIDE = (
    '<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
    "<property-set><property><id>&x;</id></property></property-set>"
)

MALFORMED = {
    "not xml": ("G p", "not well-formed XML"),
    "empty": ("", "not well-formed XML"),
    "truncated": (properties(all_paths("<true/>"))[:-20], "not well-formed XML"),
    "bytes": (b"\xff\xfe\x00\x01", "not well-formed XML"),
    "wrong encoding": (b'<?xml version="1.0" encoding="utf-8"?><a>\xff</a>', "not well-formed XML"),
    "entity bomb": (BOMB, "document type declaration is not allowed"),
    "external entity": (OUTSIDE, "document type declaration is not allowed"),
    "wrong root": ("<pnml><net/></pnml>", "no MCC property file"),
    "property as root": ("<property><id>a</id></property>", "no MCC property file"),
    "no property": ("<property-set/>", "no MCC property file"),
    "no id": ("<property-set>\n<property/></property-set>", "LTL.xml:2: a property has no <id>"),
    "no formula": (
        "<property-set>\n\n<property><id>a</id></property></property-set>",
        "LTL.xml:3: property 'a' has no formula",
    ),
    "empty formula": (properties(""), "<formula> needs 1 part, it has 0"),
    "not LTL": (properties("<exists-path><true/></exists-path>"), "where <all-paths> is needed"),
    "two parts": (properties(all_paths("<true/><true/>")), "<all-paths> needs 1 part, it has 2"),
    "nested paths": (properties(all_paths(all_paths("<true/>"))), "<all-paths> is not supported"),
    "unknown operator": (properties(all_paths("<weak/>")), "<weak> is not supported"),
    "no operand": (properties(all_paths("<finally/>")), "<finally> needs 1 part, it has 0"),
    "until without reach": (
        properties(all_paths("<until><before><true/></before></until>")),
        "<until> needs 2 parts, it has 1",
    ),
    "attribute": (
        properties(all_paths('\n<finally bound="3"><true/></finally>')),
        "LTL.xml:5: the attribute 'bound' of <finally> is not known",
    ),
    "attribute of a leaf": (
        properties(all_paths(f"<integer-le>{TWO}"
                             '<integer-constant base="2">10</integer-constant></integer-le>')),
        "the attribute 'base' of <integer-constant> is not known",
    ),
    "text beside parts": (
        properties(all_paths("<finally>not <true/></finally>")),
        "the text 'not' in <finally> is not known",
    ),
    "no transition": (properties(all_paths("<is-fireable/>")), "needs at least one part"),
    "unknown transition": (
        properties(all_paths("\n\n<is-fireable><transition>tt</transition></is-fireable>")),
        "LTL.xml:6: the net has no transition 'tt' (did you mean 't'?)",
    ),
    "unknown place": (
        properties(
            all_paths(f"<integer-le>{TWO}\n<tokens-count><place>z</place></tokens-count></integer-le>")
        ),
        "LTL.xml:5: the net has no place 'z'",
    ),
    "a transition for a place": (
        properties(all_paths(f"<integer-le>{TWO}<tokens-count><transition>t</transition>"
                             "</tokens-count></integer-le>")),
        "<transition> where <place> is needed",
    ),
    "one side": (properties(all_paths(f"<integer-le>{TWO}</integer-le>")), "needs 2 parts"),
    "a formula as a number": (
        properties(all_paths(f"<integer-le>{TWO}<true/></integer-le>")),
        "<true> is not supported in a comparison",
    ),
    **{
        f"constant {number[:6]!r}": (
            properties(all_paths(f"<integer-le>{TWO}<integer-constant>{number}</integer-constant>"
                                 "</integer-le>")),
            "is not a number from 0 to",
        )
        for number in ("", "-1", "1.5", "x", "2147483648", "9" * 5000)
    },
}  # fmt: skip


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed(read, case):
    content, fragment = MALFORMED[case]
    with pytest.raises(FormulaError) as caught:
        read(content)
    assert fragment in str(caught.value)
    assert "LTL.xml" in str(caught.value)
    assert len(str(caught.value)) < 6000


def test_a_missing_file(tmp_path):
    with pytest.raises(FormulaError, match=r"none\.xml"):
        read_mcc_properties(tmp_path / "none.xml", NET)


def test_deep_nesting_is_an_error_not_a_crash(read):
    body = "<negation>" * 5000 + "<true/>" + "</negation>" * 5000
    with pytest.raises(FormulaError):
        [bind(prop, NET) for prop in read(properties(all_paths(body)))]
