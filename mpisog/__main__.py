"""``python -m mpisog``."""

from mpisog.cli.main import run

run()
