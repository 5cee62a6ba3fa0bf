"""Benchmarks: suites of runs, measured as processes, kept as JSON lines, shown as a report."""
