"""Other tools, measured side by side where they are installed: each an adapter of a page."""

from __future__ import annotations

from collections.abc import Mapping

from mpisog.bench.peers.base import Peer
from mpisog.bench.peers.spin import Spin

PEERS: Mapping[str, Peer] = {peer.name: peer for peer in (Spin(),)}
"""All peers by name."""

__all__ = ["PEERS", "Peer"]
