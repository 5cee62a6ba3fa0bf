"""The values of places, transitions and arcs in PNML files and their dialects."""

from __future__ import annotations

from mpisog.errors import NetError
from mpisog.nets import pnml_features as features
from mpisog.nets import pnml_tapaal as tapaal
from mpisog.nets.numbers import parse_count
from mpisog.nets.pnml_names import (
    SPACE,
    Element,
    Parts,
    described,
    label_text,
    local_name,
    number_text,
)


def arc_weight(element: Element, parts: Parts, constants: dict[str, str]) -> int:
    """From the inscription, or from TAPAAL's attribute."""
    features.check_arc(element, parts)
    inscription = None
    if "inscription" in parts:
        inscription = _plain(number_text(parts["inscription"]))
    text = tapaal.weight_text(element, inscription, constants)
    weight = _small(text)
    if weight is None:
        weight = parse_count(text, f"weight of {described(element)}", element.sourceline)
    tapaal.check_dots(element, parts, "hlinscription", weight)
    return weight


def initial_marking(element: Element, parts: Parts, id: str) -> int:
    """The label of the standard, or the attribute of TAPAAL."""
    label, given = parts.get("initialMarking"), element.get("initialMarking")
    tokens = 0 if label is None else _tokens(_plain(number_text(label)), id, label)
    if given is not None:
        count = _tokens(given.strip(SPACE), id, element)
        if label is not None and count != tokens:
            message = f"the initial marking of place '{id}' is {count} and {tokens}"
            raise NetError(message, line=label.sourceline)
        tokens = count
    if "hlinitialMarking" in parts:
        tapaal.check_dots(element, parts, "hlinitialMarking", -1 if given is None else tokens)
    return tokens


def _tokens(text: str, id: str, element: Element) -> int:
    tokens = _small(text)
    if tokens is None:
        return parse_count(text, f"initial marking of place '{id}'", element.sourceline)
    return tokens


def _small(text: str) -> int | None:
    """Numbers as they mostly are."""
    return int(text) if len(text) < 10 and text.isascii() and text.isdigit() else None


def _plain(text: str) -> str:
    """PIPE names the colour of its tokens, ``Default,1``, also where there is only one."""
    return text[len("Default,") :] if text.startswith("Default,") else text


def display_name(element: Element, parts: Parts) -> str | None:
    """The label of the standard, or the attribute of TAPAAL."""
    return label_text(parts["name"]) if "name" in parts else element.get("name")


def required(element: Element, attribute: str) -> str:
    """An attribute without which the element means nothing."""
    value: str = element.get(attribute, "").strip(SPACE)
    if not value:
        tag, id = local_name(element), element.get("id", "")
        which = f"{tag} '{id}'" if id.strip(SPACE) else f"a {tag}"
        raise NetError(f"{which} has no attribute '{attribute}'", line=element.sourceline)
    return value
