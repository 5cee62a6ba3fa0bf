"""Which Spot this is."""

from __future__ import annotations

import spot


def spot_version() -> str:
    """The version of the library that is loaded."""
    return str(spot.version())
