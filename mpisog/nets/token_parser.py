"""What the readers of textual net formats share."""

from __future__ import annotations

from collections.abc import Iterator

from mpisog.errors import NetError, UnsupportedFeature
from mpisog.nets.model import NetBuilder
from mpisog.nets.numbers import shorten

Token = tuple[str, str, int]
"""(kind, text, line); the last one has the kind ``end``."""


class TokenParser:
    """Recursive descent with one token of look-ahead."""

    def __init__(self, tokens: Iterator[Token], name: str) -> None:
        self._tokens = tokens
        self._builder = NetBuilder(name)
        self._advance()

    def _advance(self) -> None:
        self._kind, self._text, self._line = next(self._tokens)

    def _accept(self, symbol: str) -> bool:
        if self._kind != "symbol" or self._text != symbol:
            return False
        self._advance()
        return True

    def _expect(self, symbol: str) -> None:
        if not self._accept(symbol):
            raise self._unexpected(f"'{symbol}'")

    def _take(self, kind: str, wanted: str) -> str:
        """The text of the next token, which must be of this kind."""
        if self._kind != kind:
            raise self._unexpected(wanted)
        text = self._text
        self._advance()
        return text

    def _unexpected(self, wanted: str, found: str | None = None) -> NetError:
        text = shorten(self._text if found is None else found)
        return NetError(f"expected {wanted}, found {text}", line=self._line)

    def _unsupported(self, feature: str, where: str) -> UnsupportedFeature:
        message = f"{feature}: {where}, but only P/T nets can be checked"
        return UnsupportedFeature(message, line=self._line)
