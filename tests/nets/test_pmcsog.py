"""The pmc-sog reader."""

from __future__ import annotations

import pytest

from mpisog.nets.model import make_net
from mpisog.nets.pmcsog import read_pmcsog

EXPECTED = make_net(
    "n", {"p": 3, "q": 0, "r": 1}, {"t": (["p", "p", "r"], ["q"]), "u": (["q"], ["p", "r"])}
)

PLAIN = """\
#place p mk(3<..>)
#place q
#place r mk(<..>)
#trans t
in {p:2<..>;r:<..>;}
out {q:1<..>;}
#endtr
#trans u
in {q:<..>;}
out {p:<..>;r:<..>;}
#endtr
"""

SPREAD = """\
# a comment
// another

  #place (0) p mk ( 3 * <. .> )
\t#place (2) q
#place r mk(1)   # one more
#trans t in { p : 2 * <..> ; r } out{q:1;} #endtr
#trans u
out {p;r;}
in {q:<..>}
#endtr"""


@pytest.mark.parametrize("text", [PLAIN, SPREAD, PLAIN.replace("\n", "\r\n")])
def test_a_small_net(text: str) -> None:
    assert read_pmcsog(text, "n") == EXPECTED


def test_transitions_may_lack_inputs_outputs_or_both() -> None:
    net = read_pmcsog("#place p\n#trans a\nout {p:<..>;}\n#endtr\n#trans b\nin {}\n#endtr\n")
    assert net == make_net("net", {"p": 0}, {"a": ([], ["p"]), "b": ([], [])})


def test_arcs_may_name_places_that_come_later() -> None:
    net = read_pmcsog("#trans t\nin {p:<..>;}\n#endtr\n#place p mk(<..>)\n", "n")
    assert net == make_net("n", {"p": 1}, {"t": (["p"], [])})


def test_keywords_are_names_where_a_name_is_due() -> None:
    net = read_pmcsog("#place in\n#place mk mk(2<..>)\n#trans out\nin {in:1;mk:2;}\n#endtr\n", "n")
    assert net == make_net("n", {"in": 0, "mk": 2}, {"out": (["in", "mk", "mk"], [])})
