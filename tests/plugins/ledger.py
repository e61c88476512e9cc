"""Ties tests to rows of features.toml: `@pytest.mark.feature("F003-02", via="unit")`.

A mark that names no row is a collection error. What marked tests did is recorded per suite; tests marked `client` or
`shared` belong to the suite `clients`, all others to `fast`. A full run replaces the record and must prove every row
that claims to be done; a partial run only updates the tests it ran. A second run of what failed (`--last-failed`) is
judged with the record that it updates.
"""

import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tools import ledger

COLLECTED = "ledger.collected"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "feature(row, via): the row that this test proves, by unit, cli or client")
    config.pluginmanager.register(Recorder(config), "ledger-recorder")


def find_suite(item: pytest.Item) -> str:
    """The suite that runs `item`."""
    return "clients" if item.get_closest_marker("client") or item.get_closest_marker("shared") else "fast"


def find_function(nodeid: str) -> str:
    """The test function of a node: parameters often hold text that differs between machines."""
    return nodeid.split("[", 1)[0]


class Recorder:
    """Collects outcomes. Under xdist the workers see the marks and the controller sees the reports."""

    def __init__(self, config: pytest.Config) -> None:
        self.root = config.rootpath
        self.rows = ledger.read_rows(self.root / "features.toml")
        self.worker_output: dict[str, Any] | None = getattr(config, "workeroutput", None)
        self.again = bool(config.getoption("lf", None))
        self.whole = not self.again and is_whole_tree(config)
        self.collected: dict[str, list[str]] | None = None
        self.collection_failed = False
        self.reports: dict[str, tuple[str, list[list[str]], dict[str, str]]] = {}
        self.lines: list[str] = []

    # --- collecting: in the only process, or in each worker -------------------------------------------------------

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        report = yield
        problems = [line for node in report.result or () if isinstance(node, pytest.Item) for line in self._check(node)]
        if problems:
            report.outcome = "failed"
            report.longrepr = "\n".join(problems)
            report.result = []
        return report

    def _check(self, item: pytest.Item) -> list[str]:
        driven = item.get_closest_marker("client") is not None
        wrong = [ledger.check_mark(self.rows, mark.args, mark.kwargs, driven) for mark in item.iter_markers("feature")]
        return [f"{item.nodeid}: {line}" for line in wrong if line]

    @pytest.hookimpl(tryfirst=True)  # before -k and -m deselect, so that a partial run is known as one
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        collected: dict[str, list[str]] = {suite: [] for suite in ledger.SUITES}
        for item in items:
            collected[find_suite(item)].append(item.nodeid)
        self.collected = collected
        if self.worker_output is not None:
            self.worker_output[COLLECTED] = collected

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        marks = [[mark.args[0], mark.kwargs["via"]] for mark in item.iter_markers("feature")]
        report.ledger = [find_suite(item), sorted(marks)]  # type: ignore[attr-defined]
        return report

    # --- recording: in the only process, or in the controller -----------------------------------------------------

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.collected = getattr(node, "workeroutput", {}).get(COLLECTED, self.collected)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.collection_failed = self.collection_failed or report.failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        marked = getattr(report, "ledger", None)
        if marked is None:
            return
        suite, marks = marked
        # A rerun reports every phase again, so the last attempt is what stays.
        phases = self.reports.get(report.nodeid, ("", [], {}))[2]
        phases[report.when] = "xfail" if hasattr(report, "wasxfail") else report.outcome
        self.reports[report.nodeid] = (suite, marks, phases)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.worker_output is not None:
            return
        for suite in ledger.SUITES:
            run = self._build_run(suite)
            full = self._is_full(suite)
            path = ledger.find_run(self.root, suite)
            known = run if full else {**ledger.read_run(path), **run}
            if full or run:
                ledger.write_run(path, known)
            if full or (self.again and any(its == suite for its, *_ in self.reports.values())):
                self._judge(session, suite, known)

    def _build_run(self, suite: str) -> ledger.Run:
        run: ledger.Run = {}
        for nodeid, (its_suite, marks, phases) in self.reports.items():
            if its_suite != suite or not marks:
                continue
            test, outcome = find_function(nodeid), join_phases(phases)
            if test in run:  # another parameter of the same function: the worst counts, a skip least
                outcome = max(outcome, run[test].outcome, key=("skipped", "passed", "failed").index)
            seen = set(run[test].marks) if test in run else set()
            run[test] = ledger.Outcome(outcome, tuple(sorted(seen | {(row, via) for row, via in marks})))
        return run

    def _is_full(self, suite: str) -> bool:
        if not self.whole or self.collection_failed or self.collected is None:
            return False
        expected = self.collected[suite]
        return bool(expected) and set(expected) <= set(self.reports)

    def _judge(self, session: pytest.Session, suite: str, run: ledger.Run) -> None:
        unproven, skipped = ledger.check_done(self.rows, run, suite)
        if os.environ.get("CI") == "true":
            unproven, skipped = unproven + skipped, []
        if unproven and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        self.lines += [f"FAILED {line}" for line in unproven] + [f"note: {line}" for line in skipped]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.lines:
            terminalreporter.section("feature ledger")
            for line in self.lines:
                terminalreporter.line(line)


def is_whole_tree(config: pytest.Config) -> bool:
    """Whether this run was asked to look at every test file."""
    asked = {(config.invocation_params.dir / arg).resolve() for arg in config.args}
    everything = {(config.rootpath / folder).resolve() for folder in config.getini("testpaths")}
    narrowed = config.getoption("ignore", None) or config.getoption("ignore_glob", None)
    return not narrowed and (asked == everything or asked == {Path(config.rootpath).resolve()})


def join_phases(phases: dict[str, str]) -> str:
    """How a test ended, from its setup, call and teardown."""
    if set(phases.values()) == {"passed"} and "call" in phases:
        return "passed"
    return "skipped" if "failed" not in phases.values() and "skipped" in phases.values() else "failed"
