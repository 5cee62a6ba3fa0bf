"""mpisog: exact LTL model checking of Petri nets.

>>> import mpisog
>>> result = mpisog.check("net.pnml", "G(p -> F q)")     # doctest: +SKIP
>>> result.verdict, result.trace                          # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module

# Not typing's: until the program has its signal handlers, a signal ends in a traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mpisog.api import (
        CheckResult,
        Settings,
        build_sog,
        check,
        check_many,
        info,
        reduce,
        states,
    )
    from mpisog.errors import InputError, MpisogError
    from mpisog.nets.load import load_net
    from mpisog.nets.model import NetBuilder, PetriNet, make_net
    from mpisog.trace.lasso import Lasso
    from mpisog.verdict import Result, Verdict

__version__ = "0.1.0"

# Imported when first used: the command line must not pay for what it does not need.
_HOMES = {
    "CheckResult": "mpisog.api",
    "InputError": "mpisog.errors",
    "Lasso": "mpisog.trace.lasso",
    "MpisogError": "mpisog.errors",
    "NetBuilder": "mpisog.nets.model",
    "PetriNet": "mpisog.nets.model",
    "Result": "mpisog.verdict",
    "Verdict": "mpisog.verdict",
    "Settings": "mpisog.api",
    "build_sog": "mpisog.api",
    "check": "mpisog.api",
    "check_many": "mpisog.api",
    "info": "mpisog.api",
    "load_net": "mpisog.nets.load",
    "make_net": "mpisog.nets.model",
    "reduce": "mpisog.api",
    "states": "mpisog.api",
}

__all__ = [
    "CheckResult",
    "InputError",
    "Lasso",
    "MpisogError",
    "NetBuilder",
    "PetriNet",
    "Result",
    "Settings",
    "Verdict",
    "build_sog",
    "check",
    "check_many",
    "info",
    "load_net",
    "make_net",
    "reduce",
    "states",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'mpisog' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *_HOMES]
