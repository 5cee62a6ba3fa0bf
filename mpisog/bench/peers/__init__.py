"""Other tools, measured side by side where they are installed: each an adapter of a page.

Spin's is tried against the tool itself. The others were not at hand: their input and what is made
of their output is tested, the tools themselves were never run.
"""

from __future__ import annotations

from mpisog.bench.peers.base import Peer
from mpisog.bench.peers.its import ItsLtl
from mpisog.bench.peers.lola import Lola
from mpisog.bench.peers.ltsmin import Ltsmin, LtsminSymbolic
from mpisog.bench.peers.nusmv import NuSmv, NuXmv
from mpisog.bench.peers.pmcsog import PmcSog
from mpisog.bench.peers.spin import Spin
from mpisog.bench.peers.tapaal import Tapaal

_ALL: tuple[Peer, ...] = (
    Spin(), NuSmv(), NuXmv(), Ltsmin(), LtsminSymbolic(), Tapaal(), ItsLtl(), Lola(), PmcSog(),
)  # fmt: skip
PEERS: dict[str, Peer] = {peer.name: peer for peer in _ALL}
"""All peers by name."""

__all__ = ["PEERS", "Peer"]
