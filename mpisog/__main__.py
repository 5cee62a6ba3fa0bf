"""``python -m mpisog``."""

from mpisog.cli.entry import run

run()
