"""mpisog whose schedule is one SOG, so that all workers but one are a team at once."""

from __future__ import annotations

from mpisog.cli.main import run
from mpisog.engines import batch
from mpisog.engines.schedule import Stage
from mpisog.engines.sog import Sog
from mpisog.engines.transformations import reduce


def main() -> None:
    batch.schedule = lambda config, net: (Stage("sog", Sog(), transformations=(reduce,), round=1),)
    run()


if __name__ == "__main__":
    main()
