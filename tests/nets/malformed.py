"""Files no reader may accept, each with what its message must say."""

from __future__ import annotations

import gzip
import lzma
from dataclasses import dataclass

HEAD = '<?xml version="1.0"?>\n<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">\n'
NET = '<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">'
PLACE, TRANSITION = '<place id="p"/>', '<transition id="t"/>'
ARC = '<arc id="a" source="p" target="t"/>'
BOMB = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 12))


@dataclass(frozen=True)
class Malformed:
    """A bad file, a part of the message it must give, and the line where that is certain."""

    name: str
    data: bytes
    fragment: str
    line: int | None = None
    unsupported: bool = False


def pnml(content: str, net: str = NET) -> bytes:
    """A PNML file with ``content`` in its net, on line 4 and below."""
    return f"{HEAD}{net}\n{content}\n</net>\n</pnml>\n".encode()


def _bad_pnml(name: str, content: str, fragment: str, line: int | None = 4) -> Malformed:
    return Malformed(f"{name}.pnml", pnml(content), fragment, line)


def _feature(name: str, content: str, fragment: str) -> Malformed:
    return Malformed(f"{name}.pnml", pnml(content), fragment, 4, unsupported=True)


def _typed(kind: str) -> Malformed:
    net = f'<net id="n" type="http://www.pnml.org/version-2009/grammar/{kind}">'
    return Malformed(f"type-{kind}.pnml", pnml(PLACE, net), "coloured net", 3, unsupported=True)


def _text(
    name: str, text: str, fragment: str, line: int | None, unsupported: bool = False
) -> Malformed:
    return Malformed(f"{name}.net", text.encode(), fragment, line, unsupported)


def _no_text(name: str, text: str, fragment: str, line: int) -> Malformed:
    return _text(name, text, fragment, line, unsupported=True)


def _arc(content: str) -> str:
    return f"<arc source='p' target='t'>{content}</arc>"


def _inputs(arcs: str) -> str:
    return f"#place p\n#trans t\nin {{{arcs}}}\n#endtr"


def _doctype(name: str, declarations: str, body: str = PLACE) -> Malformed:
    text = (
        f'<?xml version="1.0"?>\n<!DOCTYPE pnml [{declarations}]>\n<pnml>{NET}{body}</net></pnml>'
    )
    return Malformed(f"{name}.pnml", text.encode(), "DOCTYPE", unsupported=True)


def _weight(text: str) -> str:
    label = f"<inscription><text>{text}</text></inscription>"
    return f"{PLACE}{TRANSITION}<arc source='p' target='t'>{label}</arc>"


def _marking(text: str) -> str:
    return f'<place id="p"><initialMarking><text>{text}</text></initialMarking></place>'


XML = [
    Malformed("truncated.pnml", pnml(PLACE)[:-20], "not well-formed XML"),
    Malformed("mismatched.pnml", pnml("<place id='p'></arc>"), "not well-formed XML", 4),
    Malformed("junk-after.pnml", pnml(TRANSITION) + b"junk", "not well-formed XML"),
    Malformed("undefined-entity.pnml", pnml("<place id='p'>&x;</place>"), "not well-formed XML", 4),
    Malformed(
        "bad-utf8.pnml",
        pnml("<place id='\0'/>".replace("\0", "@")).replace(b"@", b"\xff"),
        "not well-formed XML",
        4,
    ),
    Malformed(
        "wrong-encoding.pnml",
        pnml(PLACE).replace(b'"1.0"', b'"1.0" encoding="utf-16"'),
        "not well-formed XML",
    ),
    Malformed(
        "unknown-encoding.pnml",
        pnml(PLACE).replace(b'"1.0"', b'"1.0" encoding="klingon"'),
        "not well-formed XML",
        1,
    ),
    Malformed("html.pnml", b"<html><body>404</body></html>", "its root element is 'html'"),
    Malformed("no-net.pnml", HEAD.encode() + b"</pnml>", "it has no <net>"),
    Malformed("outside-net.pnml", b"<pnml><place id='p'/></pnml>", "inside <pnml> is out of place"),
    Malformed("less-than.pnml", b"<", "not well-formed XML"),
    Malformed("only-a-bom.pnml", b"\xff\xfe", "not well-formed XML"),
    _doctype(
        "bomb", '<!ENTITY e0 "ha">' + BOMB, "<place id='p'><name><text>&e11;</text></name></place>"
    ),
    _doctype(
        "external-entity", '<!ENTITY x SYSTEM "file:///etc/passwd">', "<place id='p'>&x;</place>"
    ),
    _doctype("parameter-entity", '<!ENTITY % x SYSTEM "http://localhost/x.dtd"> %x;'),
    Malformed(
        "external-dtd.pnml",
        b'<!DOCTYPE pnml SYSTEM "http://localhost/x.dtd">\n' + pnml(PLACE)[22:],
        "DOCTYPE",
        unsupported=True,
    ),
    Malformed(
        "attribute-bomb.pnml",
        f'<!DOCTYPE pnml [<!ENTITY e0 "ha">{BOMB}]><pnml><net id="&e11;"/></pnml>'.encode(),
        "DOCTYPE",
    ),
]

PNML = [
    _bad_pnml("no-place-id", "<place/>", "a place has no attribute 'id'"),
    _bad_pnml("empty-id", "<transition id=' '/>", "a transition has no attribute 'id'"),
    _bad_pnml("duplicate-id", PLACE + "\n" + '<transition id="p"/>', "the id 'p' is used twice", 5),
    _bad_pnml(
        "duplicate-reference", PLACE + '<referencePlace id="p" ref="p"/>', "'p' is used twice"
    ),
    _bad_pnml(
        "reference-then-place", '<referencePlace id="p" ref="q"/>' + PLACE, "'p' is used twice"
    ),
    _bad_pnml(
        "arc-to-nowhere",
        f"{PLACE}{TRANSITION}<arc source='p' target='tt'/>",
        "ends at 'tt', which does not exist (did you mean 't'?)",
    ),
    _bad_pnml(
        "arc-without-target",
        f"{PLACE}<arc id='a' source='p'/>",
        "arc 'a' has no attribute 'target'",
    ),
    _bad_pnml(
        "arc-between-places",
        f"{PLACE}<place id='q'/><arc source='p' target='q'/>",
        "joins two places",
    ),
    _bad_pnml("word-weight", _weight("two"), "is 'two', which is not an integer"),
    _bad_pnml("empty-weight", _weight(""), "is '', which is not an integer"),
    _bad_pnml("fraction-weight", _weight("1.5"), "is '1.5', which is not an integer"),
    _bad_pnml("zero-weight", _weight("0"), "is 0, it must be at least 1"),
    _bad_pnml("negative-weight", _weight("-2"), "is -2, it must be at least 1"),
    _bad_pnml("huge-weight", _weight("99999999999"), "larger than 2147483647"),
    _bad_pnml("negative-marking", _marking("-1"), "is -1, it must be at least 0"),
    _bad_pnml("astronomic-marking", _marking("9" * 10_000), "larger than 2147483647"),
    _bad_pnml("astronomic-negative", _marking("-" + "9" * 10_000), "smaller than 0"),
    _bad_pnml("arabic-digits", _marking("٣"), "which is not an integer"),
    _bad_pnml(
        "reference-to-nowhere", '<referencePlace id="r" ref="x"/>', "'x', which does not exist"
    ),
    _bad_pnml(
        "reference-circle",
        '<referencePlace id="r" ref="s"/><referencePlace id="s" ref="r"/>',
        "refers to itself in a circle",
    ),
    _bad_pnml(
        "reference-to-other-kind",
        TRANSITION + '<referencePlace id="r" ref="t"/>',
        "which is a transition",
    ),
    _bad_pnml("reference-without-ref", '<referencePlace id="r"/>', "has no attribute 'ref'"),
    _bad_pnml("two-nets", f"{TRANSITION}</net><net id='m'>{PLACE}", "several nets, 'n' and 'm'"),
    _bad_pnml("undeclared-prefix", "<x:place id='p'/>", "the namespace prefix of <x:place>"),
    _bad_pnml("second-prefix", PLACE + "<x:place id='q'/>", "the namespace prefix of <x:place>"),
    _bad_pnml("prefix-inside", "<place id='p'><x:y/></place>", "the namespace prefix of <x:y>"),
    _bad_pnml("place-in-place", "<foo><place id='p'/></foo>", "<place> inside <foo>"),
    _bad_pnml("empty-net", "", "no places and no transitions", None),
    _bad_pnml("no-transitions", PLACE, "the net has no transitions", None),
]

FEATURES = [
    *map(_typed, ("symmetricnet", "highlevelnet", "pt-hlpng")),
    _feature("declaration", "<declaration><structure/></declaration>", "coloured net"),
    _feature(
        "coloured-marking",
        "<place id='p'><hlinitialMarking/></place>",
        "place 'p' has <hlinitialMarking>",
    ),
    _feature(
        "sort", "<place id='p'><type><text>dot</text></type></place>", "coloured net: place 'p'"
    ),
    _feature(
        "guard", "<transition id='t'><condition/></transition>", "transition 't' has <condition>"
    ),
    _feature("hlinscription", _arc("<hlinscription/>"), "from 'p' to 't' has <hlinscription>"),
    _feature(
        "inhibitor", _arc("<type value='inhibitor'/>"), "inhibitor arc: the arc from 'p' to 't'"
    ),
    _feature("reset", _arc("<type><text>reset</text></type>"), "reset arc"),
    _feature("read", _arc("<arctype><text>read</text></arctype>"), "read arc"),
    _feature("typed-arc", "<arc source='p' target='t' type='test'/>", "test arc"),
    _feature(
        "interval",
        "<transition id='t'><interval/></transition>",
        "time: transition 't' has <interval>",
    ),
    _feature(
        "delay", "<transition id='t'><delay/></transition>", "time: transition 't' has <delay>"
    ),
    _feature(
        "two-delays",
        "<transition id='t'><delay>"
        "<interval closure='closed-open'><cn>0</cn><ci>infty</ci></interval>"
        "<interval closure='closed'><cn>1</cn><cn>2</cn></interval></delay></transition>",
        "time: transition 't' has <delay>",
    ),
    _feature("timed", "<transition id='t'><timed><value>true</value></timed></transition>", "time"),
    _feature(
        "capacity",
        "<place id='p'><capacity><value>3</value></capacity></place>",
        "capacity: place 'p'",
    ),
    _feature(
        "priority",
        "<transition id='t'><priority><value>1</value></priority></transition>"
        "<transition id='u'><priority><value>2</value></priority></transition>",
        "priority: transition 'u'",
    ),
    _feature(
        "priority-of-one",
        "<transition id='t'/><transition id='u'><priority><value>2</value></priority></transition>",
        "priority: transition 'u' has not the priority of 't'",
    ),
    _feature(
        "priority-of-the-other",
        "<transition id='t' priority='2'/><transition id='u'/>",
        "priority: transition 'u' has not the priority of 't'",
    ),
]

PMCSOG = [
    _text("pmc-twice", "#place p mk(2<..>)\nmk(3<..>)\n", "place 'p' has mk(..) twice", 1),
    _text("pmc-number", "#place p mk(x<..>)\n", "is 'x', which is not an integer", 1),
    _text("pmc-negative", "#place p\n#place q mk(-1<..>)\n", "is -1, it must be at least 0", 2),
    _text("pmc-huge", "#place p mk(99999999999<..>)\n", "larger than 2147483647", 1),
    _text("pmc-unclosed-mk", "#place p mk(3<..>\n#place q", "expected ')'", 2),
    _text("pmc-no-endtr", "#place p\n#trans t\nin {p:<..>;}\n", "#endtr in transition 't'", 4),
    _text("pmc-unclosed-arcs", "#place p\n#trans t\nin {p:<..>;\n#endtr", "a place or '}'", 4),
    _text("pmc-no-semicolon", _inputs("p:1 q:1"), "expected ';' or '}'", 3),
    _text("pmc-keyword", "#place p\n#tran t\n", "did you mean '#trans'", 2),
    _text("pmc-stray-endtr", "#place p\n#endtr\n", "'#endtr' is out of place", 2),
    _text("pmc-nowhere", _inputs("q:<..>;"), "'q', which does not exist", 3),
    _text("pmc-duplicate", "#place p\n#place p\n", "the id 'p' is used twice", 2),
    _text("pmc-no-name", "#place\n", "expected the name of a place", 2),
    _text("pmc-other-part", "#place p xy(3)\n", "expected mk(..) after place 'p'", 1),
    _no_text("pmc-queue", "#place p\n#queue f\n", "queue: #queue f", 2),
    _no_text("pmc-capacity", "#place p mk(<..>) cp(3)\n", "capacity: place 'p'", 1),
    _no_text("pmc-inhibitor", _inputs("p<2;"), "inhibitor arc: the arc from 'p' to 't'", 3),
    _no_text("pmc-reset", _inputs("p:reset;"), "reset arc", 3),
    _no_text("pmc-self-modifying", _inputs("p:q;"), "self-modifying arc", 3),
    _no_text("pmc-queue-arc", _inputs("p:<.2.>;"), "queue: the arc", 3),
]

TINA = [
    _no_text("tina-time", "net n\ntr t [1,3] p -> q\n", "time: transition 't' has [1,3]", 2),
    _no_text("tina-open-time", "tr t ]0,w[ p -> q\n", "time: transition 't'", 1),
    _no_text("tina-read", "tr t p?1 -> q\n", "read arc: the arc from 'p' to 't'", 1),
    _no_text("tina-inhibitor", "tr t p?-1 -> q\n", "inhibitor arc: the arc from 'p' to 't'", 1),
    _no_text("tina-stopwatch", "tr t p!1 -> q\n", "stopwatch arc", 1),
    _no_text("tina-stopwatch-inhibitor", "tr t p!-1 -> q\n", "stopwatch-inhibitor arc", 1),
    _no_text("tina-priority", "tr t p -> q\npr t > u\n", "priority: pr t", 2),
    _text("tina-no-arrow", "tr t p\npl p\n", "expected '->' among the arcs of 't'", 2),
    _text("tina-two-arrows", "tr t p -> q -> r\n", "expected a declaration", 1),
    _text("tina-unclosed-brace", "net n\ntr {t p -> q\n", "expected the name of a transition", 2),
    _text("tina-unclosed-marking", "pl p (3\n", "expected ')'", 2),
    _text("tina-marking-word", "pl p (x)\n", "is 'x', which is not an integer", 1),
    _text("tina-negative", "pl p (-3)\n", "is -3, it must be at least 0", 1),
    _text("tina-huge", "pl p (3G)\n", "larger than 2147483647", 1),
    _text("tina-weight-zero", "tr t p*0 -> q\n", "is 0, it must be at least 1", 1),
    _text("tina-both-kinds", "tr t p -> q\ntr p q ->\n", "the id 'p' is used twice", None),
    _text("tina-caret", "pl p (1)\ntr t p^2 -> q\n", "'->' among the arcs of 't', found '^'", 2),
    _text("tina-equals", "pl p (1)\ntr t p=2 -> q\n", "'->' among the arcs of 't', found '='", 2),
    _text("tina-semicolon", "pl p (1)\ntr t p -> q;r\n", "expected a declaration", 2),
    _text("tina-label", "tr t p -> q\nlb x y\n", "lb names 'x', which does not exist", 2),
    _text("tina-no-transitions", "pl p (1)\n", "the net has no transitions", None),
]

_LOLA = "PLACE p, q;\nMARKING p: 1;\n"


def _lola(name: str, text: str, fragment: str, line: int, unsupported: bool = False) -> Malformed:
    return Malformed(f"lola-{name}.lola", text.encode(), fragment, line, unsupported)


LOLA = [
    _lola(
        "weak", _LOLA + "TRANSITION t WEAK FAIR CONSUME p; PRODUCE q;", "fairness: tran", 3, True
    ),
    _lola("strong", _LOLA + "TRANSITION t\nSTRONG FAIR CONSUME;", "is STRONG FAIR", 4, True),
    _lola("sorts", "SORT s = BOOLEAN;\nPLACE p: s;", "coloured net: the file has SORT", 1, True),
    _lola("no-marking", "PLACE p;\nTRANSITION t", "expected MARKING of a LoLA net", 2),
    _lola("no-semicolon", "PLACE p, q\nMARKING p;", "expected ';'", 2),
    _lola("no-consume", _LOLA + "TRANSITION t\nPRODUCE q;", "expected CONSUME", 4),
    _lola("no-produce", _LOLA + "TRANSITION t CONSUME p;\nTRANSITION u", "expected PRODUCE", 4),
    _lola("nowhere", _LOLA + "TRANSITION t CONSUME pp; PRODUCE;", "'pp' does not exist", 3),
    _lola("mark-nowhere", "PLACE p;\nMARKING\nx: 1;", "the place 'x' does not exist", 3),
    _lola("twice", "PLACE p,\np; MARKING;", "the id 'p' is used twice", 2),
    _lola("both", _LOLA + "TRANSITION p CONSUME; PRODUCE;", "the id 'p' is used twice", 3),
    _lola("weight", _LOLA + "TRANSITION t CONSUME p: x; PRODUCE;", "is 'x', which is not", 3),
    _lola("weight-zero", _LOLA + "TRANSITION t CONSUME p: 0; PRODUCE;", "at least 1", 3),
    _lola("marking", "PLACE p;\nMARKING p: -1;", "is -1, it must be at least 0", 2),
    _lola("huge", "PLACE p;\nMARKING p: 99999999999;", "larger than 2147483647", 1),
    _lola("comments", "{ a } PLACE p; { b }\nMARKING;", "from the first to the last brace", 1),
    _lola("open-comment", "/* PLACE p;\nMARKING;", "the comment is not closed", 1),
    _lola("open-brace", "PLACE { p;\nMARKING;", "expected the name of a place", 1),
    _lola("keyword", "PLACE SAFE;\nMARKING;", "expected ':'", 1),
    _lola("formula", _LOLA + "TRANSITION t CONSUME; PRODUCE;\nFORMULA p = 1", "expected TRANS", 4),
]

OTHER = [
    Malformed("empty.pnml", b"", "the file is empty"),
    Malformed("blank.net", b" \n\t\n", "the file is empty"),
    Malformed("bom.net", b"\xef\xbb\xbf", "the file is empty"),
    Malformed("binary.net", b"\x7fELF\0\0\0\1pl p (1)\n", "not a net in a known format"),
    Malformed("prose.net", b"Dear reader,\nthis is no net.\n", "not a net in a known format"),
    Malformed("latin1.net", "pl p\npl caf\u00e9 (1)\n".encode("latin-1"), "not UTF-8", 2),
    Malformed("comments.net", b"# nothing\n# here\n", "not a net in a known format"),
    Malformed("cut.net.gz", gzip.compress(b"tr t p ->")[:-3], "cannot be unpacked: it ends too"),
    Malformed("junk.net.gz", gzip.compress(b"tr t p ->") + b"junk", "something else follows it"),
    Malformed("bad.net.xz", lzma.compress(b"tr t p ->")[:-9] + b"123456789", "cannot be unpacked"),
    Malformed(
        "twice.gz", gzip.compress(gzip.compress(b"tr t p ->")), "not a net in a known format"
    ),
    Malformed("wrong.net.gz", gzip.compress(b"net n\ntr t [1,3] p -> q\n"), "time: transition", 2),
]

MALFORMED = [*XML, *PNML, *FEATURES, *PMCSOG, *TINA, *LOLA, *OTHER]
