"""Batch scripts: rendered from templates that extend each other, and handed to the batch system."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from jinja2 import (
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
)

from mpisog.cluster.settings import SubmitConfig
from mpisog.errors import UsageError, nearest

TEMPLATES = Path(__file__).with_name("templates")
"""What is shipped; in a clone also ``slurm/``."""
_SUFFIX = ".sh.j2"
_SUBMIT = {"slurm": ("sbatch",), "oar": ("oarsub", "-S"), "local": ("bash",)}


def own_command() -> list[str]:
    """How this very mpisog is started on another host that sees the same files."""
    return [sys.executable, "-m", "mpisog"]


def own_mpirun() -> str:
    """The launcher of this installation's MPI, or the one that will be found."""
    beside = Path(sys.executable).with_name("mpirun")
    return str(beside) if beside.exists() else "mpirun"


def render(
    config: SubmitConfig,
    command: Sequence[str],
    folder: Path,
    mpirun: str,
    own_templates: Path | None = None,
) -> str:
    """The script that runs ``command`` in ``folder``; ``own_templates`` go before the shipped."""
    folders = [path for path in (own_templates, TEMPLATES) if path is not None]
    environment = Environment(
        loader=ChoiceLoader([FileSystemLoader(path) for path in folders]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # shell, not HTML: the filter below quotes
    )
    environment.filters |= {"quote": shlex.quote, "hms": _hms, "megabytes": _megabytes}
    name = config.template or config.scheduler
    values = {**asdict(config), "ranks": config.ranks}
    try:
        template = environment.get_template(f"{name}{_SUFFIX}")
        return template.render(values, command=command, folder=str(folder), mpirun=mpirun)
    except TemplateNotFound as error:
        known = [path.name.removesuffix(_SUFFIX) for f in folders for path in f.glob(f"*{_SUFFIX}")]
        missing = str(error.name).removesuffix(_SUFFIX)
        raise UsageError(f"no template '{missing}'", hint=nearest(missing, known)) from None
    except TemplateError as error:
        raise UsageError(f"template '{name}': {error}") from None


def require_scheduler(scheduler: str) -> None:
    """Raise when the program that takes scripts is not here."""
    program = _SUBMIT[scheduler][0]
    if shutil.which(program) is None:
        raise UsageError(
            f"{program} is not here", hint="submit on a cluster's front end, or look with --dry-run"
        )


def submit(script: Path, scheduler: str) -> int:
    """Hand a script to the batch system, which says itself what it has done; its exit code."""
    program, *options = _SUBMIT[scheduler]
    return subprocess.run([program, *options, str(script)], check=False).returncode


def _hms(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _megabytes(size: int) -> int:
    return size // 2**20
