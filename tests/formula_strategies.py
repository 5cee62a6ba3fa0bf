"""Hypothesis strategies for the texts of formulas, atoms and property files, good and broken."""

from __future__ import annotations

from hypothesis import strategies as st

_WORDS = [
    *"FGXUWRMV!&|()<>=+-*{}[]\"\\,;:.@'#~^01",
    "p", "q", "t", "Fork1", "a-b", "x.y", "zz", "dead", "true", "false", "xor", "->", "<->", "=>",
    "-->", "&&", "||", "<>", "[]", "X[!]", "F[2:3]", "[*]", "|->", "!=", "<=", ">=", "==", "fire(",
    "fireable(", '"p >= 2"', '"fire(t)"', '"dead"', '"', " ", "\n", "\t", "\0", "é", "∀",
    "99999999999999999999",
]  # fmt: skip


def formula_texts() -> st.SearchStrategy[str]:
    """Mostly tokens of formulas in any order, sometimes any characters."""
    tokens = st.lists(st.sampled_from(_WORDS), max_size=14)
    return st.one_of(tokens.map("".join), tokens.map(" ".join), st.text(max_size=30))


_TAGS = [
    "property-set", "property", "id", "description", "formula", "all-paths", "exists-path",
    "globally", "finally", "next", "until", "before", "reach", "negation", "conjunction",
    "disjunction", "implication", "equivalence", "exclusive-disjunction",
    "is-fireable", "transition",
    "integer-le", "integer-constant", "tokens-count", "place", "integer-sum", "deadlock",
    "true", "false", "x:y",
]  # fmt: skip
_TEXTS = [
    "",
    "p",
    "t",
    "1",
    "-1",
    "99999999999",
    "&amp;",
    "&lt;",
    "&nope;",
    "<!-- c -->",
    "<?pi?>",
    "]]>",
]


def _element(tag: str, text: str, children: list[str]) -> str:
    return f"<{tag}>{text}{''.join(children)}</{tag}>"


def xml_formulas() -> st.SearchStrategy[str]:
    """Trees of the elements that property files have, put together at random."""
    tags, texts = st.sampled_from(_TAGS), st.sampled_from(_TEXTS)
    return st.recursive(
        st.builds(_element, tags, texts, st.just([])),
        lambda inner: st.builds(_element, tags, texts, st.lists(inner, max_size=3)),
        max_leaves=8,
    )


def property_files() -> st.SearchStrategy[bytes]:
    """A property file around a random formula, or the formula alone, or cut short, or noise."""
    head = "<property-set><property><id>a</id><formula><all-paths>"
    tail = "</all-paths></formula></property></property-set>"
    whole = xml_formulas().map(lambda body: (head + body + tail).encode())
    cut = st.builds(lambda data, keep: data[: len(data) * keep // 100], whole, st.integers(0, 99))
    return st.one_of(whole, xml_formulas().map(str.encode), cut, st.binary(max_size=40))
