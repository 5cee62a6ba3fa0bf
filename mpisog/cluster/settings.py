"""The ``[submit]`` table of a configuration file: which batch system, and how much of what."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from mpisog.config import read_table
from mpisog.errors import UsageError, nearest
from mpisog.sizes import parse_bytes

CONFIGS = Path(__file__).with_name("configs")
"""What is shipped; in a clone also ``configs/``."""
SCHEDULERS = ("slurm", "oar", "local")


@dataclass(frozen=True)
class SubmitConfig:
    """How a job is submitted; ranks are ``nodes`` times ``ranks_per_node``."""

    scheduler: str = "slurm"
    template: str | None = None
    """The batch script's template, by default the scheduler's: a shipped one, or a file beside the
    configuration file."""
    job_name: str = "mpisog"
    nodes: int = 1
    ranks_per_node: int = 1
    threads: int = 1
    """Of each rank."""
    time: int = 3600
    """Seconds; written ``1:00:00`` or ``2-12:00:00``."""
    warning: int = 60
    """Seconds before the end at which mpisog is told to say what is known."""
    memory: int | None = None
    """Bytes a node."""
    partition: str | None = None
    """OAR: the queue."""
    account: str | None = None
    """OAR: the project."""
    mpi: str = "pmix"
    """What ``srun --mpi`` gets; ``mpirun`` starts the ranks without srun."""
    modules: tuple[str, ...] = ()
    """Loaded first."""
    setup: tuple[str, ...] = ()
    """Shell lines, after the modules."""
    options: tuple[str, ...] = ()
    """More options for the batch system, such as ``--constraint=ib``."""

    @property
    def ranks(self) -> int:
        """All of them."""
        return self.nodes * self.ranks_per_node


def _word(value: object) -> str:
    text = str(value)
    if not re.fullmatch(r"[\w.,:@%+=/-]+", text):
        raise ValueError("one word")
    return text


def _name(value: object) -> str:
    text = str(value)
    if not re.fullmatch(r"[\w.-]+", text):
        raise ValueError("a file's name")
    return text


def _positive(value: object) -> int:
    number = int(str(value))
    if number < 1:
        raise ValueError("a number, 1 or more")
    return number


def _lines(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) and "\n" not in v for v in value):
        raise ValueError("a list of lines")
    return tuple(value)


def _duration(value: object) -> int:
    found = re.fullmatch(r"(?:(\d+)-)?(\d+):([0-5]\d):([0-5]\d)", str(value))
    if found is None:
        raise ValueError("hours:minutes:seconds")
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds


def _scheduler(value: object) -> str:
    if value not in SCHEDULERS:
        raise ValueError("a scheduler")
    return str(value)


_PARSERS: Mapping[str, tuple[Callable[[object], Any], str]] = {
    "scheduler": (_scheduler, " or ".join(SCHEDULERS)),
    "job_name": (_name, "letters, digits, dots and dashes"),
    "nodes": (_positive, "a number, 1 or more"),
    "ranks_per_node": (_positive, "a number, 1 or more"),
    "threads": (_positive, "a number, 1 or more"),
    "time": (_duration, "hours:minutes:seconds, such as 1:30:00"),
    "warning": (_positive, "a number of seconds, 1 or more"),
    "memory": (lambda value: parse_bytes(str(value)), "a size such as 500M or 8G"),
    "modules": (_lines, "a list of module names"),
    "setup": (_lines, "a list of shell lines"),
    "options": (_lines, "a list of options"),
}
_A_WORD = (_word, "one word")


def load_submit_config(flags: Mapping[str, object], file: Path | None) -> SubmitConfig:
    """The file's table, overridden by flags; a flag that is ``None`` was not given."""
    table = {} if file is None else read_table(file, "submit")
    given = {name: value for name, value in flags.items() if value is not None}
    config = SubmitConfig()
    for source, values in ((str(file), table), ("the command line", given)):
        config = replace(config, **{n: _parse(n, v, source) for n, v in values.items()})
    if config.warning >= config.time:
        raise UsageError(
            f"the warning comes {config.warning} s before the end of a job of {config.time} s",
            hint="set time to more, or warning to less",
        )
    return config


def find_config(name: str) -> Path:
    """A file, or the shipped one of that name."""
    path, shipped = Path(name), CONFIGS / f"{name}.toml"
    if path.is_file():
        return path
    if shipped.is_file():
        return shipped
    known = sorted(file.stem for file in CONFIGS.glob("*.toml"))
    hint = nearest(name, known) or f"shipped: {', '.join(known)}"
    raise UsageError("no such configuration file", path=name, hint=hint)


def _parse(name: str, value: object, source: str) -> Any:
    known = [field.name for field in fields(SubmitConfig)]
    if name not in known:
        raise UsageError(f"{source} sets '{name}', which does not exist", hint=nearest(name, known))
    parse, wanted = _PARSERS.get(name, _A_WORD)
    try:
        return parse(value)
    except ValueError:
        shown = name.replace("_", "-")
        raise UsageError(f"{source} sets {shown} to '{value}'", hint=wanted) from None
