"""``mpisog submit``: a batch job for Slurm or OAR that runs another command of mpisog."""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from mpisog.config import users_file
from mpisog.errors import UsageError
from mpisog.verdict import ExitCode

_EPILOG = """\
--config names a file, or one of the shipped: laptop, slurm, magi, gros. Its [submit] table says how
the job is submitted, its [check] table how it runs. The job ends with the exit code of mpisog.

examples:
  mpisog submit --slurm --nodes 2 --threads 8 -- check net.pnml -f 'G(request -> F grant)'
  mpisog submit --config gros --dry-run -- check net.pnml -x LTLFireability.xml --json report.json
"""
_SETTINGS = (
    "scheduler", "job_name", "nodes", "ranks_per_node", "threads", "time", "memory", "partition",
    "account",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``mpisog submit``."""
    parser.epilog = _EPILOG
    add_batch_options(parser)
    parser.add_argument(
        "work",
        metavar="-- COMMAND",
        nargs=argparse.REMAINDER,
        help="such as check net.pnml -f 'F p'",
    )


def add_batch_options(parser: argparse.ArgumentParser) -> None:
    """Where a job runs, and with how much of what."""
    where = parser.add_mutually_exclusive_group()
    for name, text in (
        ("slurm", "submit with sbatch"),
        ("oar", "submit with oarsub"),
        ("local", "run on this machine now"),
    ):
        where.add_argument(
            f"--{name}", dest="scheduler", action="store_const", const=name, help=text
        )
    parser.add_argument("--config", metavar="FILE", help="TOML file with settings, or a cluster")
    parser.add_argument("--dry-run", action="store_true", help="print the script, submit nothing")
    how = parser.add_argument_group("settings (before the file's)")
    how.add_argument("--job-name", metavar="NAME")
    how.add_argument("--nodes", metavar="N")
    how.add_argument("--ranks-per-node", metavar="N")
    how.add_argument("--threads", metavar="N", help="of each rank")
    how.add_argument("--time", metavar="H:MM:SS")
    how.add_argument("--memory", metavar="SIZE", help="a node, such as 60G")
    how.add_argument("--partition", metavar="NAME")
    how.add_argument("--account", metavar="NAME")
    how.add_argument(
        "--batch-option", action="append", default=[], metavar="OPTION",
        help="more for the batch system, such as --batch-option=--constraint=ib",
    )  # fmt: skip


def run(options: argparse.Namespace) -> ExitCode:
    """Render, and submit unless it is a dry run."""
    return submit_work(options, options.work)


def submit_work(options: argparse.Namespace, work: list[str], array: int | None = None) -> ExitCode:
    """A command of mpisog as a batch job, or as an array of so many."""
    from mpisog.cluster.scripts import (
        own_command,
        own_mpirun,
        render,
        require_scheduler,
        submit,
    )
    from mpisog.cluster.settings import find_config, load_submit_config

    file = users_file() if options.config is None else find_config(options.config).resolve()
    config = load_submit_config({name: getattr(options, name) for name in _SETTINGS}, file)
    more = (*_array_options(config.scheduler, array), *_batch_options(options.batch_option))
    config = replace(config, options=(*config.options, *more))
    command = [*own_command(), *_work(work, file)]
    beside = None if file is None else file.parent
    script = render(config, command, Path.cwd(), own_mpirun(), beside)
    if options.dry_run:
        print(script, end="")
        return ExitCode.OK
    require_scheduler(config.scheduler)
    path = _saved(script, config.job_name)
    code = submit(path, config.scheduler)
    if code or config.scheduler == "local":
        path.unlink()  # it is not read again
    if config.scheduler == "local":
        return ExitCode(code) if code in set(ExitCode) else ExitCode.INTERNAL
    return ExitCode.BAD_INPUT if code else ExitCode.OK  # the batch system has said why


def _saved(script: str, name: str) -> Path:
    """The script in a new file here: OAR reads it when the job starts, you may later."""
    folder = Path.cwd()
    try:
        stamp = time.strftime("%Y%m%d-%H%M%S")
        number, path = tempfile.mkstemp(prefix=f"{name}-{stamp}-", suffix=".sh", dir=folder)
        with open(number, "w", encoding="utf-8") as stream:
            stream.write(script)
        os.chmod(path, 0o755)
    except OSError as error:
        raise UsageError(error.strerror or str(error), path=folder) from None
    return Path(path)


def _work(given: list[str], config: Path | None) -> list[str]:
    """The command for the job, looked at now: a mistake should not wait in a queue."""
    from mpisog.cli.main import parse

    work = given[1:] if given[:1] == ["--"] else given
    if not work:
        raise UsageError("nothing to submit", hint="... -- check NET -f 'LTL'")
    options = parse(work)
    if options.command == "submit":
        raise UsageError("a job that submits a job")
    if config is not None and getattr(options, "config", "") is None:
        work = [*work, "--config", str(config)]
        options = parse(work)
    files = [getattr(options, "net", None), *getattr(options, "formula_file", ())]
    for name in [*files, *getattr(options, "xml", ())]:
        if name is not None and not Path(name).is_file():
            raise UsageError("no such file", path=name)
    command = import_module(f"mpisog.cli.{options.command}")
    if hasattr(command, "validate"):
        command.validate(options)
    return work


def _array_options(scheduler: str, array: int | None) -> list[str]:
    if array is None:
        return []
    if scheduler == "local":
        raise UsageError("arrays of jobs need a batch system", hint="--slurm or --oar")
    return [f"--array=1-{array}" if scheduler == "slurm" else f"--array {array}"]


def _batch_options(given: list[str]) -> list[str]:
    for option in given:
        if "\n" in option or not option.startswith("-"):
            raise UsageError(f"'{option}' is no option", hint="--batch-option=--constraint=ib")
    return given
