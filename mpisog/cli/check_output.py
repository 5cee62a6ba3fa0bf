"""What ``mpisog check`` shows: each result as soon as it is known, then a summary and the files."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mpisog.budget import Budget
from mpisog.cli.outputs import STDOUT, OutputFile
from mpisog.cli.terminal import style
from mpisog.errors import LimitReached, UsageError
from mpisog.nets.model import PetriNet
from mpisog.verdict import Result

if TYPE_CHECKING:
    from mpisog.cli.record import Record
    from mpisog.executor.workload import WorkerLoad
    from mpisog.report.json_report import CheckReport
    from mpisog.trace.explain import Explanation

FORCED_TABLE = 100
"""Results of which a table is printed where work is ended by force."""

LONGEST_NAME = 200
"""Bytes of a scenario's file name, of 255 that file systems allow."""

EXPLAIN_SECONDS = 5.0
"""For the explanation of one counterexample: without one, only its steps are shown."""


class CheckOutput:
    """Knows the options; ``show`` each result, then ``finish``."""

    def __init__(
        self,
        options: argparse.Namespace,
        net: PetriNet,
        files: Mapping[str, OutputFile],
        folder: Path | None,
        record: Record,
        *,
        parallel: bool,
    ) -> None:
        self._record = record
        self._parallel = parallel
        self._options = options
        self._net = net
        self._files = files
        self._folder = folder
        self._quiet = STDOUT in files
        self._style = style(options.color)
        self._not_checked = 0
        self._interrupted = False
        self.results: list[Result] = []
        self._stories: dict[str, Explanation] = {}
        self._loads: Sequence[WorkerLoad] = ()
        self._scenarios: set[str] = set()
        """Files that have been written."""
        self._lines: dict[str, tuple[Result, str | None]] = {}
        """What to say of a result without its trace."""

    def show(self, result: Result) -> None:
        """One result, now."""
        self.results.append(result)
        self._explain(result)
        if self._folder is not None and result.trace is not None:
            self._write_scenario(result, self._folder)
        if not self._is_left_over(result) and (line := self._line(result)) is not None:
            print(line, flush=True)

    def _write_scenario(self, result: Result, folder: Path) -> None:
        from mpisog.report.traces import trace_scenario

        assert result.trace is not None
        safe = "".join(c if c.isalnum() or c in "-_." else "_" for c in result.name)
        name = short = safe.encode()[:LONGEST_NAME].decode(errors="ignore")
        number = 1
        while name in self._scenarios:
            number += 1
            name = f"{short}-{number}"
        self._scenarios.add(name)
        try:
            (folder / f"{name}.scn").write_text(trace_scenario(result.trace), encoding="utf-8")
        except OSError as error:
            raise UsageError(error.strerror or str(error), path=folder) from None

    @property
    def shown(self) -> int:
        """How many results have been given to ``show``."""
        return len(self.results)

    def finish(self, loads: Sequence[WorkerLoad] = ()) -> None:
        """The summary and the reports; ``loads`` is what each worker has done."""
        self._loads = loads
        if loads and self._options.verbose and not (self._quiet or self._options.mcc):
            from mpisog.report.text import load_lines

            print("\n".join(load_lines(loads)))
        if (text := self._summary(self.results)) is not None:
            print(text)
        if self._not_checked:
            print(f"interrupted: {self._not_checked} more were not checked")
        if self._options.json:
            self._files[self._options.json].write(self._json(self.results))
        if self._options.html:
            from mpisog.report.page import check_page

            page = check_page(
                self._net, self._options.net, self.results, self._stories, ids=self._options.ids
            )
            self._files[self._options.html].write(page)

    def forced_end(self, everything: Sequence[Result]) -> tuple[str, dict[str, str]]:
        """What to print if the work has to be ended by force, and the JSON report, if wanted.

        What is known but not shown yet is told without its trace. Asked for after every result, so
        lines are made once, and a table that many results would fill is left out.
        """
        lines = [self._line_at_the_end(result) for result in everything[self.shown :]]
        lines.append(self._summary(everything, table=len(everything) <= FORCED_TABLE))
        text = "".join(f"{line}\n" for line in lines if line is not None)
        target = self._options.json
        return text, {target: self._json(everything)} if target else {}

    def _line_at_the_end(self, result: Result) -> str | None:
        known, line = self._lines.get(result.name, (None, None))
        if known is not result:
            line = self._line(result, trace=False)
            self._lines[result.name] = (result, line)
        return line

    def _line(self, result: Result, *, trace: bool = True) -> str | None:
        """What standard output gets of a result, with its run if that is wanted."""
        if self._options.mcc:
            from mpisog.report.mcc import result_line

            return result_line(result, parallel=self._parallel)
        return None if self._quiet else self._text(result, trace and not self._options.no_trace)

    def _summary(self, results: Sequence[Result], *, table: bool = True) -> str | None:
        from mpisog.report.text import summary, total

        if len(results) < 2 or self._options.mcc or self._quiet:
            return None
        return summary(results, self._style) if table else total(results)

    def _is_left_over(self, result: Result) -> bool:
        """Whether it was not begun any more: these are counted, the first is shown."""
        left_over = self._interrupted and result.reason == "interrupted" and not self._options.mcc
        self._interrupted = self._interrupted or result.reason == "interrupted"
        self._not_checked += left_over
        return left_over

    @property
    def _explains(self) -> bool:
        """Whether anybody will read explanations: of a long run they take long."""
        options = self._options
        printed = not options.mcc and not self._quiet and options.trace_format == "text"
        return options.html or (not options.no_trace and (options.json or printed))

    def _explain(self, result: Result) -> None:
        if result.trace is None or result.bound is None or not self._explains:
            return
        from mpisog.trace.explain import explain

        trace, bound, ids = result.trace, result.bound, self._options.ids
        with suppress(RecursionError):  # nested too deeply
            story = Budget().attempt(EXPLAIN_SECONDS, lambda b: explain(trace, bound, b, ids=ids))
            if not isinstance(story, LimitReached):
                self._stories[result.name] = story

    def _text(self, result: Result, trace: bool) -> str:
        from mpisog.report.text import result_text
        from mpisog.report.trace_lines import View
        from mpisog.report.traces import trace_scenario, trace_text

        view = View(self._options.show, self._options.ids)
        tina = self._options.trace_format == "tina"
        story = self._stories.get(result.name) if trace and not tina else None
        text = result_text(
            result, style=self._style, story=story, view=view, verbose=self._options.verbose
        )
        if result.trace is None or story is not None or not trace:
            return text
        if tina:
            return f"{text}\n{trace_scenario(result.trace).rstrip()}"
        return f"{text}\n{trace_text(result.trace, view, self._style)}"

    def _json(self, results: Sequence[Result]) -> str:
        hosts = sorted({report.host for result in results for report in result.ranks})
        origin = self._record.provenance(hosts or None)
        return self._report.text(results, origin, self._stories, self._loads)

    @cached_property
    def _report(self) -> CheckReport:
        from mpisog.report.json_report import CheckReport

        return CheckReport(self._net, self._options.net)


def unique_names(names: Sequence[str]) -> None:
    """Two properties of one name could not be told apart in any report."""
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise UsageError(f"two properties are called '{twice}'", hint="give them different names")
