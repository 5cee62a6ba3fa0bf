"""From the text of an atom to the atom: names are looked up in a net.

Ids are matched first, then names. Inside an atom a name may stand in braces, ``{odd name}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from mpisog.errors import FormulaError, nearest
from mpisog.formulas.atoms import Atom, Comparison, Dead, Fire, Fireable
from mpisog.formulas.linear import OPERATOR, bare, mask_braces, parse_comparison
from mpisog.nets.model import SHARED, PetriNet

_CALL = re.compile(r"(fire|fireable)\s*\((.*)\)", re.DOTALL)


def resolve_atom(text: str, net: PetriNet) -> Atom:
    """The atom that a proposition of a formula stands for."""
    text = text.strip()
    if text == "dead" and text not in net.element_names:
        return Dead()
    if text in net.element_names:
        return _element_atom(text, net)
    if call := _CALL.fullmatch(text):
        return _call_atom(call.group(1), call.group(2), net)
    if OPERATOR.search(mask_braces(text)):
        return parse_comparison(text, net.element_names, lambda name: place_index(name, net))
    if text != bare(text):
        return _element_atom(bare(text), net, in_braces=True)
    raise _unknown(text, "place or transition", net.element_names)


def place_index(name: str, net: PetriNet) -> int:
    """The place of that id or name."""
    return _lookup(name, net.place_index, net.place_names, "place")


def transition_index(name: str, net: PetriNet) -> int:
    """The transition of that id or name."""
    return _lookup(name, net.transition_index, net.transition_names, "transition")


def _element_atom(name: str, net: PetriNet, in_braces: bool = False) -> Atom:
    if name == "dead" and not in_braces:
        raise FormulaError(
            "'dead' is both the atom and an element of the net",
            hint='write "{dead} >= 1" or "fire({dead})" for the element; rename it to use the atom',
        )
    is_place, is_transition = _kinds(name, net)
    if is_place and is_transition:
        raise FormulaError(
            f"'{name}' is both a place and a transition",
            hint=f'write "{name} >= 1" for the place, "fire({name})" for the transition',
        )
    if is_transition:
        return Fire(transition_index(name, net))
    return Comparison(((place_index(name, net), 1),), ">=", 1)


def _kinds(name: str, net: PetriNet) -> tuple[bool, bool]:
    """Whether the text means a place, and whether a transition; an id outranks a name."""
    by_id = name in net.place_index, name in net.transition_index
    return by_id if any(by_id) else (name in net.place_names, name in net.transition_names)


def _call_atom(kind: str, arguments: str, net: PetriNet) -> Atom:
    transitions = [transition_index(name, net) for name in _split_names(arguments, net)]
    if not transitions:
        raise FormulaError(f"{kind}(...) needs a transition")
    if kind == "fireable":
        return Fireable(tuple(sorted(set(transitions))))
    if len(transitions) > 1:
        raise FormulaError(
            f"fire(...) takes one transition, not {len(transitions)}",
            hint='write "fire(t1)" | "fire(t2)"',
        )
    return Fire(transitions[0])


def _split_names(arguments: str, net: PetriNet) -> list[str]:
    """Names between commas; a name that has commas itself stands in braces or alone."""
    stripped = arguments.strip()
    if stripped in net.element_names:
        return [stripped]
    parts = re.findall(r"\{[^{}]*\}|[^,{}]+", stripped)
    return [bare(part) for part in parts if part.strip()]


def _lookup(name: str, ids: Mapping[str, int], names: Mapping[str, int], kind: str) -> int:
    index = ids.get(name, names.get(name))
    if index is None:
        raise _unknown(name, kind, {**ids, **names})
    if index == SHARED:
        raise FormulaError(f"several {kind}s are named '{name}'", hint="use the id", about=name)
    return index


_OTHER_SPELLINGS = (
    (re.compile(r"deadlock(ed)?|isdead", re.IGNORECASE), "write dead"),
    (re.compile(r"(?:is-?)?(?:enabled|fireable)\b.*", re.IGNORECASE), 'write "fireable(t)"'),
    (re.compile(r"(?:fired|fires|occurs)\b.*", re.IGNORECASE), 'write "fire(t)"'),
    (re.compile(r"(?:tokens?(?:-count)?|marking|m)\s*\(.*", re.IGNORECASE), 'write "p >= 2"'),
    (re.compile(r"[AE][FGX]+"), "CTL is not LTL: write G, F, X without A or E"),
)
"""What other tools call atoms and operators."""


def other_spelling(name: str) -> str | None:
    """How to write here what another tool calls so."""
    return next((hint for other, hint in _OTHER_SPELLINGS if other.fullmatch(name)), None)


def _unknown(name: str, kind: str, known: Iterable[str]) -> FormulaError:
    hint = nearest(name, known) or other_spelling(name)
    return FormulaError(f"the net has no {kind} '{name}'", hint=hint, about=name)
