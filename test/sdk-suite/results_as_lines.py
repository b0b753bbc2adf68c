"""A plugin of pytest that writes one line of JSON for each step of a test that says something about it."""

import json
import os


def _error_of(report):
    crash = getattr(report.longrepr, "reprcrash", None)
    return f"{crash.message}\n{report.longreprtext}" if crash else report.longreprtext


def _write(report):
    line = {"id": report.nodeid, "outcome": report.outcome, "error": _error_of(report)}
    with open(os.environ["RESULTS_FILE"], "a", encoding="utf-8") as results:
        results.write(json.dumps(line) + "\n")


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        _write(report)


def pytest_collectreport(report):
    if report.outcome == "failed":
        _write(report)
