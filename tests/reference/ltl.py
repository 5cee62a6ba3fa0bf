"""LTL as nested tuples: ``("U", ("ap", atom), ("true",))``, written for Spot or judged on a word.

Atoms are ``("cmp", ((coefficient, place), ...), operator, constant)``, ``("fireable", (t, ...))``,
``("dead",)`` and ``("fire", t)``. A letter is the set of the atoms that are true.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Formula = tuple
Atom = tuple
Letter = frozenset

TRUE: Formula = ("true",)
UNARY = ("not", "X", "F", "G")
BINARY = ("and", "or", "implies", "iff", "xor", "U", "W", "R", "M")
_SPOT = {"not": "!", "and": "&", "or": "|", "implies": "->", "iff": "<->", "xor": "xor"}


def atom_text(atom: Atom) -> str:
    """The atom as a user of mpisog writes it."""
    kind = atom[0]
    if kind == "cmp":
        _, terms, operator, constant = atom
        total = " + ".join(f"{factor}*{place}" for factor, place in terms)
        return f'"{total} {operator} {constant}"'
    if kind == "dead":
        return "dead"
    return f'"{kind}({",".join(atom[1]) if kind == "fireable" else atom[1]})"'


def text(formula: Formula) -> str:
    """The formula in Spot's syntax, every part in parentheses."""
    head, *parts = formula
    if head == "ap":
        return atom_text(parts[0])
    if head in ("true", "false"):
        return head
    sign = _SPOT.get(head, head)
    shown = [f"({text(part)})" for part in parts]
    return sign + shown[0] if len(shown) == 1 else f"{shown[0]} {sign} {shown[1]}"


def subformulas(formula: Formula) -> Iterator[Formula]:
    """The formula and all its parts, parts first."""
    if formula[0] != "ap":
        for part in formula[1:]:
            yield from subformulas(part)
    yield formula


def atoms(formula: Formula) -> set[Atom]:
    """The atoms that occur."""
    return {part[1] for part in subformulas(formula) if part[0] == "ap"}


def core(formula: Formula) -> Formula:
    """The same formula with nothing but true, atoms, not, and, X and U."""
    head, *rest = formula
    if head in ("ap", "true"):
        return formula
    if head == "false":
        return negation(TRUE)
    parts = [core(part) for part in rest]
    return _CORE[head](*parts)


def negation(formula: Formula) -> Formula:
    """Not, without doubling it."""
    return formula[1] if formula[0] == "not" else ("not", formula)


def _or(left: Formula, right: Formula) -> Formula:
    return negation(("and", negation(left), negation(right)))


def _iff(left: Formula, right: Formula) -> Formula:
    return _or(("and", left, right), ("and", negation(left), negation(right)))


def _release(left: Formula, right: Formula) -> Formula:
    return negation(("U", negation(left), negation(right)))


# Textbook equivalences. W: right releases left-or-right. M: until, with both at the end.
_CORE = {
    "not": negation,
    "and": lambda left, right: ("and", left, right),
    "or": _or,
    "implies": lambda left, right: _or(negation(left), right),
    "iff": _iff,
    "xor": lambda left, right: negation(_iff(left, right)),
    "X": lambda part: ("X", part),
    "F": lambda part: ("U", TRUE, part),
    "G": lambda part: negation(("U", TRUE, negation(part))),
    "U": lambda left, right: ("U", left, right),
    "R": _release,
    "W": lambda left, right: _release(right, _or(left, right)),
    "M": lambda left, right: ("U", right, ("and", left, right)),
}


def satisfies(prefix: Sequence[Letter], cycle: Sequence[Letter], formula: Formula) -> bool:
    """Whether the word ``prefix cycle cycle ...`` satisfies the formula, straight by definition."""
    return _truth([*prefix, *cycle], len(prefix), formula)[0]


def _truth(letters: Sequence[Letter], loop: int, formula: Formula) -> list[bool]:
    """The formula's truth at each position; after the last comes position ``loop``."""
    head, *rest = formula
    size = len(letters)
    if head == "ap":
        return [rest[0] in letter for letter in letters]
    if head in ("true", "false"):
        return [head == "true"] * size
    parts = [_truth(letters, loop, part) for part in rest]
    if head in _POINTWISE:
        return [_POINTWISE[head](*values) for values in zip(*parts, strict=True)]
    following = [*range(1, size), loop]
    return [
        _temporal(head, parts, [*range(i, size), *range(loop, i)], following[i])
        for i in range(size)
    ]


_POINTWISE = {
    "not": lambda a: not a,
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "implies": lambda a, b: not a or b,
    "iff": lambda a, b: a == b,
    "xor": lambda a, b: a != b,
}


def _temporal(head: str, parts: Sequence[list[bool]], future: Sequence[int], after: int) -> bool:
    """``future`` is every position from now on, in order of first visit."""
    left, right = parts[0], parts[-1]
    if head == "X":
        return left[after]
    if head == "F":
        return any(left[j] for j in future)
    if head == "G":
        return all(left[j] for j in future)
    # The first position where the right (for R and M: the left) side lets go of the other.
    kept, freed = (left, right) if head in ("U", "W") else (right, left)
    for j in future:
        if head in ("R", "M") and not kept[j]:
            return False
        if freed[j]:
            return True
        if not kept[j]:
            return False
    return head in ("W", "R")
