"""The bridge: a native graph becomes a Kripke structure that Spot pulls on the fly.

Spot's Python classes cannot be subclassed into one, but its LTSmin loader opens a shared library
with the SpinS interface. ``pins.spins`` is such a library; it forwards to the graph whose hooks
are bound. One graph is bound at a time.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import spot
import spot.ltsmin

from mpisog import _native

STOP = "stop"
"""The proposition that is true once a graph has stopped early."""

Kripke = Any
"""A ``spot.kripke``; SWIG gives it no type."""

_one_at_a_time = threading.Lock()


@contextmanager
def bound_kripke(hooks_address: int, atom_count: int) -> Iterator[Kripke]:
    """The graph behind the hooks as a Kripke structure over ``a0, a1, ...``.

    Only valid inside the ``with``; so are products, states and runs made from it.
    """
    library, path = _shim()
    with _one_at_a_time:
        library.mpisog_pins_bind(ctypes.c_void_p(hooks_address))
        try:
            model = spot.ltsmin.load(path)
            atoms = [*(f"a{i}" for i in range(atom_count)), STOP]
            # Dead markings have their loop already: Spot must not add or drop anything.
            yield model.kripke(atoms, dead=spot.formula.ff(), compress=0)
        finally:
            library.mpisog_pins_bind(None)


def keep_answering() -> None:
    """The graph that is bound no longer stops: Spot is to go over what it has seen once more."""
    library, _ = _shim()
    library.mpisog_pins_settle()


@cache
def _shim() -> tuple[ctypes.CDLL, str]:
    path = str(Path(_native.__file__).with_name("pins.spins"))
    return ctypes.CDLL(path), path
