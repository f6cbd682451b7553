"""A plugin of pytest that writes what became of each test, and which lines of a directory ran. CAUSAL_TESTS names the file, CAUSAL_ROOT the directory."""

import json
import os
import sys
import threading

import causal_record

lines = causal_record.Lines(os.environ["CAUSAL_ROOT"])
out = open(os.environ["CAUSAL_TESTS"], "a", encoding="utf-8")
told = set()


def tell(**what):
    out.write(json.dumps(what) + "\n")
    out.flush()


def pytest_sessionstart(session):
    sys.settrace(lines)
    threading.settrace(lines)


def pytest_collectreport(report):
    if report.failed:
        tell(node=report.nodeid, failed=str(report.longrepr)[-2000:], collected=False)


def pytest_runtest_logreport(report):
    if report.failed:
        tell(node=report.nodeid, failed=str(report.longrepr)[-2000:], collected=True)
    elif report.when == "call" and report.passed:
        tell(node=report.nodeid, passed=True)


def pytest_runtest_logfinish(nodeid, location):
    new = [line for line in lines.take() if line not in told]
    told.update(new)
    if new:
        tell(lines=new)
    if sys.gettrace() is None:
        sys.settrace(lines)


def pytest_sessionfinish(session, exitstatus):
    sys.settrace(None)
    new = [line for line in lines.take() if line not in told]
    tell(lines=new)
