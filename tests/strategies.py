"""Hypothesis strategies that tests of all rooms share."""

from __future__ import annotations

from hypothesis import strategies as st

from mpisog.nets.model import NetBuilder, PetriNet

_AWKWARD = [
    "p.1",
    "a-b",
    "net",
    "tr",
    "pl",
    "in",
    "out",
    "{x}",
    "a\\b",
    "a b",
    "#1",
    "é",
    "<&>",
    '"',
]


def labels() -> st.SearchStrategy[str]:
    """Ids and names that every file format can hold, many of them awkward."""
    # No control characters, surrogates or unassigned ones: XML has no way to write them.
    alphabet = st.characters(exclude_categories=("Cc", "Cs", "Cn", "Co"))
    text = st.text(alphabet, min_size=1, max_size=6).filter(lambda s: s == s.strip())
    return st.one_of(st.sampled_from(_AWKWARD), text)


def arcs(places: int, max_weight: int) -> st.SearchStrategy[dict[int, int]]:
    """Some places with weights, possibly none: source and sink transitions are wanted."""
    if not places:
        return st.just({})
    return st.dictionaries(
        st.integers(0, places - 1), st.integers(1, max_weight), max_size=min(places, 3)
    )


@st.composite
def nets(
    draw: st.DrawFn,
    *,
    min_places: int = 1,
    max_places: int = 5,
    min_transitions: int = 1,
    max_transitions: int = 5,
    max_weight: int = 3,
    max_tokens: int = 3,
    awkward_names: bool = False,
) -> PetriNet:
    """Small P/T nets with weights, self-loops, source and sink transitions, isolated nodes.

    Places are ``p0, p1, ..`` and transitions ``t0, t1, ..`` unless ``awkward_names`` is set. The
    nets need not be bounded.
    """
    places = draw(st.integers(min_places, max_places))
    transitions = draw(st.integers(min_transitions, max_transitions))
    ids = [f"p{i}" for i in range(places)] + [f"t{i}" for i in range(transitions)]
    names = list(ids)
    if awkward_names:
        ids = draw(st.lists(labels(), min_size=len(ids), max_size=len(ids), unique=True))
        names = draw(st.lists(labels(), min_size=len(ids), max_size=len(ids)))
    builder = NetBuilder(draw(labels()) if awkward_names else "random")
    for id, name in zip(ids[:places], names[:places], strict=True):
        builder.place(id, draw(st.integers(0, max_tokens)), name)
    for id, name in zip(ids[places:], names[places:], strict=True):
        builder.transition(id, name)
        for place, weight in draw(arcs(places, max_weight)).items():
            builder.arc(ids[place], id, weight)
        for place, weight in draw(arcs(places, max_weight)).items():
            builder.arc(id, ids[place], weight)
    return builder.build()
