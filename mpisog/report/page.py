"""A page to look at: one HTML file with everything in it, no network."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import resources

from mpisog.formulas.atoms import Atom, Comparison, Dead, Fire, Fireable, observed_places
from mpisog.formulas.wording import Wording
from mpisog.nets.model import PetriNet
from mpisog.nets.positions import read_positions
from mpisog.nets.semiflows import place_semiflows
from mpisog.report.layout import Node, lay_out, neighbourhood
from mpisog.report.text import remarks
from mpisog.report.traces import trace_data, trace_scenario
from mpisog.spotglue.tables import condition_text
from mpisog.trace.explain import Explanation
from mpisog.verdict import Result

SCRIPTS = ("game.js", "drawing.js", "lanes.js", "app.js")
MOST_LANES = 30
MOST_INVARIANTS = 300
"""The page shows lanes of those that matter to a trace."""
INVARIANT_SECONDS = 1.0


def check_page(
    net: PetriNet,
    net_path: str,
    results: Sequence[Result],
    stories: Mapping[str, Explanation],
    *,
    ids: bool = False,
) -> str:
    """All results, each with its counterexample."""
    picture = _Picture(net, net_path)
    data = {
        **_net_data(net, Wording(net, ids)),
        "title": f"mpisog: {net.name}",
        "results": [_result(result, stories.get(result.name), picture) for result in results],
    }
    return filled_page(f"mpisog: {net.name}", "check.html", data)


def simulation_page(
    net: PetriNet, net_path: str, atoms: Sequence[Atom], *, ids: bool = False
) -> str:
    """The token game without a trace, with atoms to watch."""
    wording = Wording(net, ids)
    result = {
        "name": net.name,
        "formula": f"{len(net.places)} places, {len(net.transitions)} transitions",
        "verdict": "",
        "seconds": 0,
        "remarks": ["click a transition to fire it"],
        "atoms": [_atom(atom, wording) for atom in atoms],
        "layout": _Picture(net, net_path).around(range(len(net.transitions)), ()),
        "observed": sorted(set().union(*(observed_places(atom, net) for atom in atoms))),
        "trace": None,
    }
    data = {
        **_net_data(net, wording),
        "title": f"mpisog simulate: {net.name}",
        "results": [result],
    }
    return filled_page(f"mpisog: {net.name}", "check.html", data)


def figure(result: Result, story: Explanation) -> str:
    """The page of one result, as a frame for a notebook."""
    page = check_page(story.lasso.net, "", [result], {result.name: story})
    return (
        f'<iframe srcdoc="{html.escape(page)}" style="width:100%;height:640px;border:0" '
        f'title="{html.escape(result.name)}"></iframe>'
    )


def asset(name: str) -> str:
    """A file that is shipped with the pages."""
    return resources.files("mpisog.report").joinpath("assets", name).read_text(encoding="utf-8")


def fill(template: str, values: Mapping[str, str]) -> str:
    """The template with ``@NAME@`` replaced, in one pass: values are not looked into."""
    pieces = [template]
    for name, value in values.items():
        marker = f"@{name}@"
        pieces = [
            part
            for piece in pieces
            for part in (_around(piece, marker, value) if piece is not value else [piece])
        ]
    return "".join(pieces)


def _around(piece: str, marker: str, value: str) -> list[str]:
    before, found, after = piece.partition(marker)
    return [before, value, after] if found else [piece]


def filled_page(
    title: str, body: str, data: Mapping[str, object], scripts: Sequence[str] = SCRIPTS
) -> str:
    """A page of the data, with the scripts that show it."""
    # "</script>" inside a string would end the script.
    text = json.dumps(data, separators=(",", ":")).replace("</", "<\\/").replace("<!--", "<\\!--")
    content = fill(asset(body), {"DATA": text, "SCRIPT": "\n".join(map(asset, scripts))})
    values = {"TITLE": html.escape(title), "STYLE": asset("page.css"), "BODY": content}
    return fill(asset("page.html"), values)


class _Picture:
    """Positions of a net's nodes."""

    def __init__(self, net: PetriNet, path: str) -> None:
        self._net = net
        self._known = read_positions(path) if path else {}
        self._made: dict[tuple[Node, ...], list[dict[str, object]]] = {}

    def around(self, steps: Iterable[int], observed: Iterable[int]) -> list[dict[str, object]]:
        """The part of the net that is drawn for these steps; equal parts are laid out once."""
        nodes = tuple(neighbourhood(self._net, steps, observed))
        if nodes not in self._made:
            self._made[nodes] = lay_out(self._net, nodes, self._known)
        return self._made[nodes]


def _net_data(net: PetriNet, wording: Wording) -> dict[str, object]:
    return {
        "net": {
            "places": [
                {"id": place.id, "name": wording.place(p), "initial": place.initial}
                for p, place in enumerate(net.places)
            ],
            "transitions": [
                {"id": t.id, "name": wording.transition(n), "pre": t.pre, "post": t.post}
                for n, t in enumerate(net.transitions)
            ],
        },
        "invariants": _processes(net),
    }


def _processes(net: PetriNet) -> list[dict[str, object]]:
    """Place invariants with one token: a process is in one of these places."""
    flows = place_semiflows(net, INVARIANT_SECONDS) or ()
    safe = [
        dict(flow)
        for flow in flows
        if sum(w * net.places[p].initial for p, w in flow) == 1 and len(flow) > 1
    ]
    return [{"places": sorted(flow)} for flow in sorted(safe, key=len)[:MOST_INVARIANTS]]


def _result(result: Result, story: Explanation | None, picture: _Picture) -> dict[str, object]:
    steps = () if story is None else story.lasso.steps
    observed = frozenset[int]() if story is None else story.observed
    return {
        "name": result.name,
        "formula": result.formula,
        "verdict": str(result.verdict),
        "seconds": round(result.seconds, 3),
        "remarks": remarks(result),
        "atoms": [],
        "layout": picture.around(steps, observed),
        "observed": sorted(observed),
        "trace": None if story is None else _trace(story),
    }


def _trace(story: Explanation) -> dict[str, object]:
    lasso, count = story.lasso, len(story.letters)
    shown = len(lasso.steps)
    parts = [
        {
            "text": part.text,
            "truth": "".join("?" if value is None else "01"[value] for value in truth),
            "event": part.atom in story.events,
        }
        for part, truth in zip(story.parts, story.known, strict=True)
        if part.operator not in ("true", "false")
    ]
    return {
        "firings": lasso.steps,
        "last": shown,
        "split": len(lasso.prefix),
        "sealed": lasso.sealed,
        "dead": lasso.ends_dead,
        "why": [_reason(reason.text, reason.instants, shown) for reason in story.reasons],
        "atoms": [_atom(atom, story.wording) for atom in story.bound.atoms],
        "letters": [sorted(letter) for letter in story.letters],
        "states": [story.states[i] for i in range(count + 1)],
        "parts": parts[-MOST_LANES:],
        "automaton": {"edges": _automaton(story)},
        "scenario": trace_scenario(lasso),
        "json": trace_data(replace(lasso), story),
    }


def _reason(text: str, instants: Sequence[int], last: int) -> dict[str, object]:
    return {"text": text, "instants": [min(instant, last) for instant in instants]}


def _automaton(story: Explanation) -> list[list[dict[str, object]]]:
    tables = story.automaton
    return [
        [
            {
                "to": edge.target,
                "label": condition_text(tables, edge.condition, story.atom_names),
                "marked": edge.marks & tables.all_marks == tables.all_marks,
            }
            for edge in out
        ]
        for out in tables.edges
    ]


def _atom(atom: Atom, wording: Wording) -> dict[str, object]:
    text = wording.atom(atom, short=True)
    match atom:
        case Comparison(terms, op, bound):
            return {"kind": "comparison", "text": text, "terms": terms, "op": op, "bound": bound}
        case Fireable(transitions):
            return {"kind": "fireable", "text": text, "transitions": transitions}
        case Dead():
            return {"kind": "dead", "text": text}
        case Fire(transition):
            return {"kind": "fire", "text": text, "transition": transition}
