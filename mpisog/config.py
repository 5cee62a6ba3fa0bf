"""The settings of a run: defaults, then a TOML file, then the environment, then flags.

The TOML file is the one given with ``--config``, or ``mpisog/config.toml`` in the user's
configuration folder; its ``[check]`` table has the names below. The environment variables are
``MPISOG_`` and the name in capitals.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from mpisog.errors import UsageError, nearest
from mpisog.sizes import parse_bytes

SHORTEN_SECONDS = 1.0
SHORTEST_SECONDS = 60.0

MOST_SECONDS = 10**9
"""Thirty years. Clocks count nanoseconds in 64 bits, which are three hundred."""
MOST_WORKERS = 1024
"""Threads, or processes of one machine."""
MOST_COUNT = 2**31 - 1
"""Of things that native code counts."""

TABLES = frozenset({"check", "submit"})
"""Of a configuration file."""

OTHER_VARIABLES = frozenset(
    f"MPISOG_{name}"
    for name in ("MCC_DIR", "YARDSTICK_DIR", "WERROR", "FUZZ_EXAMPLES", "RANDOM_PAIRS", "MANY_JOBS")
)
"""Variables that are no settings: where nets are, how native code is built, how much is tested."""


@dataclass(frozen=True)
class RunConfig:
    """Everything that can change how a check runs, but not what is checked."""

    engine: str = "auto"
    reduce: str = "full"
    """Which reductions of the net come first."""
    emptiness: str = "cou99"
    backend: str = "auto"
    """How the SOG keeps sets of markings."""
    aggregation: str = "precise"
    """What the SOG takes for silent."""
    forbid: int = 0
    """How many transitions the SOG leaves out of its aggregates, to keep them small."""
    aggregate_nodes: int | None = None
    """Nodes (of the backend ``explicit``: markings) above which an aggregate grows no further."""
    variant: str = "auto"
    """How MCLCD goes backwards."""
    threads: int = 1
    """Threads that build the SOG, in each process that does, or explore."""
    jobs: int = 1
    """Worker processes of this machine that check properties, or stages of one, side by side."""
    parallel: str = "aggregates"
    """Whether threads build an aggregate each, or do the operations of one together."""
    strategy: str = "eager"
    """Whether builders run ahead of the checker."""
    placement: str = "finder"
    """Which rank holds an aggregate."""
    digest: str = "md5"
    """What identifies an aggregate among ranks."""
    log_dir: str | None = None
    """A folder in which every rank writes a log."""
    timeout: float | None = None
    """Seconds for each formula."""
    total_timeout: float | None = None
    """Seconds for the whole run."""
    memory: int | None = None
    """Bytes of resident memory; by default most of what the machine has free."""
    shorten: float | None = None
    """Seconds for making a counterexample shorter; by default 1, or 60 for the shortest."""
    shortest: bool = False
    """Whether the shortest counterexample is wanted, with proof where that can be had."""

    @property
    def shortening(self) -> float:
        """Seconds for making a counterexample shorter."""
        if self.shorten is not None:
            return self.shorten
        return SHORTEST_SECONDS if self.shortest else SHORTEN_SECONDS


def _seconds(value: object) -> float:
    seconds = float(str(value))
    if not 0 < seconds <= MOST_SECONDS:
        raise ValueError("not a positive number of seconds")
    return seconds


def _seconds_or_none_at_all(value: object) -> float:
    seconds = float(str(value))
    if not 0 <= seconds <= MOST_SECONDS:
        raise ValueError("not a number of seconds")
    return seconds


def _flag(value: object) -> bool:
    words = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    try:
        return words[str(value).lower()]
    except KeyError:
        raise ValueError("neither yes nor no") from None


def _size(value: object) -> int:
    return parse_bytes(str(value))


def _count(value: object) -> int:
    count = int(str(value))
    if not 0 <= count <= MOST_COUNT:
        raise ValueError("a negative number, or too large")
    return count


def _workers(value: object) -> int:
    count = int(str(value))
    if not 1 <= count <= MOST_WORKERS:
        raise ValueError("none, or too many")
    return count


_PARSERS: Mapping[str, Callable[[object], Any]] = {
    "engine": str,
    "reduce": str,
    "emptiness": str,
    "backend": str,
    "aggregation": str,
    "forbid": _count,
    "aggregate_nodes": _count,
    "variant": str,
    "threads": _workers,
    "jobs": _workers,
    "parallel": str,
    "strategy": str,
    "placement": str,
    "digest": str,
    "log_dir": str,
    "timeout": _seconds,
    "total_timeout": _seconds,
    "memory": _size,
    "shorten": _seconds_or_none_at_all,
    "shortest": _flag,
}


def load_config(flags: Mapping[str, object], config_file: str | None = None) -> RunConfig:
    """The layered configuration; a flag that is ``None`` was not given."""
    config = RunConfig()
    for source, values in (
        (_file_name(config_file), _file_values(config_file)),
        ("the environment", _environment()),
        ("the command line", {k: v for k, v in flags.items() if v is not None}),
    ):
        config = replace(config, **{k: parse_setting(k, v, source) for k, v in values.items()})
    return config


def parse_setting(name: str, value: object, source: str) -> Any:
    """One setting from text or a value; ``source`` is for the message."""
    known = [field.name for field in fields(RunConfig)]
    if name not in known:
        raise UsageError(f"{source} sets '{name}', which does not exist", hint=nearest(name, known))
    try:
        return _PARSERS[name](value)
    except ValueError:
        raise UsageError(
            f"{source} sets {name.replace('_', '-')} to '{value}'", hint=_wanted(name)
        ) from None


def _wanted(name: str) -> str:
    if _PARSERS[name] is _count:
        return f"a number from 0 to {MOST_COUNT}"
    if _PARSERS[name] is _workers:
        return f"a number from 1 to {MOST_WORKERS}"
    if _PARSERS[name] is _flag:
        return "true or false"
    if _PARSERS[name] is _seconds_or_none_at_all:
        return f"a number of seconds from 0 to {MOST_SECONDS}"
    if name == "memory":
        return "a size such as 500M or 8G"
    return f"a positive number of seconds, up to {MOST_SECONDS}"


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """Complaints about variables that look like settings and are none."""
    known = {f"MPISOG_{field.name.upper()}" for field in fields(RunConfig)} | OTHER_VARIABLES
    unknown = [name for name in environment if name.startswith("MPISOG_") and name not in known]
    hints = {name: nearest(name, known, beyond="MPISOG_") for name in unknown}
    return [
        f"the environment variable {name} means nothing"
        + (f" ({hints[name]})" if hints[name] else "")
        for name in sorted(unknown)
    ]


def _environment() -> dict[str, object]:
    names = [field.name for field in fields(RunConfig)]
    return {n: os.environ[v] for n in names if (v := f"MPISOG_{n.upper()}") in os.environ}


def _file_name(config_file: str | None) -> str:
    return config_file or "the configuration file"


def _file_values(config_file: str | None) -> dict[str, object]:
    path = users_file() if config_file is None else Path(config_file)
    return {} if path is None else read_table(path, "check")


def read_table(path: Path, name: str) -> dict[str, object]:
    """One table of a TOML file; dashes in its keys become underscores."""
    import tomllib

    try:
        with path.open("rb") as stream:
            tables = tomllib.load(stream)
    except OSError as error:
        raise UsageError(error.strerror or str(error), path=path) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"not a TOML file: {error}", path=path) from None
    for unknown in tables.keys() - TABLES:
        hint = nearest(unknown, TABLES) or "there are [check] and [submit]"
        raise UsageError(f"[{unknown}] means nothing", path=path, hint=hint)
    table = tables.get(name, {})
    if not isinstance(table, dict):
        raise UsageError(f"[{name}] must be a table", path=path)
    return {key.replace("-", "_"): value for key, value in table.items()}


def users_file() -> Path | None:
    """The user's own configuration file, where there is one."""
    from platformdirs import user_config_path

    path = user_config_path("mpisog") / "config.toml"
    return path if path.is_file() else None
