"""Small things that tests of several rooms need."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from mpisog.nets.load import write_net
from mpisog.nets.model import NetBuilder, PetriNet, make_net
from tests.reference.checker import Net

ROOT = Path(__file__).resolve().parent.parent
MCC_DIR = Path(os.environ.get("MPISOG_MCC_DIR", ROOT.parent / "shared" / "mcc"))
"""Where the contest's nets are; needed when tests are collected, before any fixture."""

PATIENCE = 120
"""Seconds after which a program under test counts as hung; nothing is measured with it."""

ROOM = 30
"""Seconds more than on an idle machine, where a test says that something ends in time."""


def is_busy() -> bool:
    """Whether so many processes want to run that the load decides when one gets its turn."""
    return os.getloadavg()[0] > 2 * (os.cpu_count() or 1)


def to_mpisog(net: Net) -> PetriNet:
    """A reference net as mpisog's own."""
    builder = NetBuilder("random")
    for place, tokens in net.initial.items():
        builder.place(place, tokens)
    for name, (takes, gives) in net.transitions.items():
        builder.transition(name)
        for place, weight in takes.items():
            builder.arc(place, name, weight)
        for place, weight in gives.items():
            builder.arc(name, place, weight)
    return builder.build()


def u_then_o() -> PetriNet:
    """``a --u--> b --o--> c``, then dead."""
    return make_net(
        "u_then_o", {"a": 1, "b": 0, "c": 0}, {"u": (["a"], ["b"]), "o": (["b"], ["c"])}
    )


def toggle() -> PetriNet:
    """A token that goes to and fro between ``off`` and ``on`` for ever."""
    return make_net(
        "toggle", {"off": 1, "on": 0}, {"up": (["off"], ["on"]), "down": (["on"], ["off"])}
    )


def pump() -> PetriNet:
    """Unbounded: ``fill`` puts ever more tokens into ``tank``."""
    return make_net("pump", {"run": 1, "tank": 0}, {"fill": (["run"], ["run", "tank"])})


def saved(net: PetriNet, folder: Path) -> str:
    """The path of the net as a PNML file."""
    path = folder / f"{net.name}.pnml"
    write_net(net, path)
    return str(path)


def environment(**extra: str) -> dict[str, str]:
    """The environment without anything that would configure mpisog."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("MPISOG_")}
    return {**clean, "XDG_CONFIG_HOME": os.devnull, **extra}


def command(*arguments: str) -> list[str]:
    """The command line as a list for ``subprocess``."""
    return [sys.executable, "-m", "mpisog", *arguments]


def mpisog(*arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
    """Run the program in a process of its own; ``extra`` goes to its environment."""
    return subprocess.run(
        command(*arguments),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=environment(**extra),
        check=False,
    )
