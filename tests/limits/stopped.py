"""Thousands of checks in one process that limits stop: ``stopped.py CHECKS SEED``.

Prints the resident megabytes after each tenth of the checks.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random

import pycryptosat  # noqa: F401 - loaded now, not when some check first gets as far as that
import scipy.optimize  # noqa: F401 - 50 MB

import mpisog
from mpisog.budget import resident_bytes
from mpisog.engines.registry import ENGINES
from mpisog.errors import UsageError
from mpisog.spotglue.emptiness import ALGORITHMS
from mpisog.unfolding.prefix import NotSafe
from tests.helpers import to_mpisog
from tests.reference import ltl
from tests.reference.generate import free_net, random_formula

SECONDS = (1e-4, 1e-3, 0.005, 0.02)


def check(rng: Random) -> str:
    """The verdict of one check, most of which end before they are done."""
    net = free_net(rng)
    settings = {
        "engine": rng.choice((*ENGINES, "explicit", "explicit")),
        "emptiness": rng.choice(list(ALGORITHMS)),
        "reduce": rng.choice(("none", "full")),
        "timeout": rng.choice(SECONDS),
        "memory": "800M",
    }
    try:
        formula = ltl.text(random_formula(rng, net))
        return str(mpisog.check(to_mpisog(net), formula, **settings).verdict)
    except (UsageError, NotSafe):  # not for this engine
        return "unfit"


def main() -> None:
    checks, seed = int(sys.argv[1]), sys.argv[2]
    rng = Random(seed)
    seen: Counter[str] = Counter()
    for number in range(1, checks + 1):
        seen[check(rng)] += 1
        if number % (checks // 10) == 0:
            print(resident_bytes() >> 20, dict(seen), flush=True)


if __name__ == "__main__":
    main()
