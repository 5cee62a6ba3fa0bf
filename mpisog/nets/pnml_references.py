"""Reference nodes of PNML: aliases by which one page speaks of a node on another."""

from __future__ import annotations

from mpisog.errors import NetError, nearest

_Reference = tuple[str, str, int | None]
"""(id it refers to, kind it must have, line)."""


class References:
    """Knows all nodes and aliases of a net, and who an alias stands for."""

    def __init__(self) -> None:
        self._kinds: dict[str, str] = {}
        self._references: dict[str, _Reference] = {}
        self._resolved: dict[str, str] = {}
        self._expected: list[_Reference] = []

    def node(self, id: str, kind: str, line: int | None) -> None:
        """Remember a real node; the builder is the one that refuses ids used twice."""
        if id in self._references:
            raise NetError(f"the id '{id}' is used twice", line=line)
        self._kinds[id] = kind

    def reference(self, id: str, target: str, kind: str, line: int | None) -> None:
        """Remember an alias of a place or transition; its target may come later in the file."""
        if id in self._kinds or id in self._references:
            raise NetError(f"the id '{id}' is used twice", line=line)
        self._references[id] = (target, kind, line)

    def expect(self, id: str, kind: str, line: int | None) -> None:
        """Remember that an id must be one of a place or transition; it may come later."""
        self._expected.append((id, kind, line))

    def resolve(self, id: str) -> str:
        """The real node behind an id; an id that is no alias stands for itself."""
        if id not in self._references:
            return id
        if id not in self._resolved:
            chain, end = self._follow(id)
            self._resolved.update(dict.fromkeys(chain, end))
        return self._resolved[id]

    def check(self) -> None:
        """Raise for aliases that lead nowhere, also where no arc uses them."""
        for id in self._references:
            self.resolve(id)
        for id, kind, line in self._expected:
            found = self._kinds.get(self.resolve(id), kind)
            if found != kind:
                raise NetError(f"'{id}' is a {found}, but it must be a {kind} here", line=line)

    def _follow(self, id: str) -> tuple[list[str], str]:
        chain: dict[str, None] = {}
        line = self._references[id][2]
        while id in self._references and id not in self._resolved:
            if id in chain:
                raise NetError(f"reference node '{id}' refers to itself in a circle", line=line)
            chain[id] = None
            id, _, line = self._references[id]
        end = self._resolved.get(id, id)
        for alias in chain:
            self._check_end(alias, end)
        return list(chain), end

    def _check_end(self, alias: str, end: str) -> None:
        _, kind, line = self._references[alias]
        found = self._kinds.get(end)
        if found is None:
            message = f"reference {kind} '{alias}' refers to '{end}', which does not exist"
            raise NetError(message, line=line, hint=nearest(end, self._kinds))
        if found != kind:
            message = f"reference {kind} '{alias}' refers to '{end}', which is a {found}"
            raise NetError(message, line=line)
