# SPDX-License-Identifier: Apache-2.0
"""What the truth programs share: running the command, reading its JSON report, and counting what held.

A truth program compares numbers found without callgauge with the command's answer. It prints one line
a group, then every failure (file, what, wanted, got), then "N passed, N failed", and exits 1 on failures.
Without its captures it says "NAME: not run: ..." and exits with SKIPPED.
"""
import concurrent.futures
import glob
import json
import os
import subprocess
import sys

SKIPPED = 77  # the exit status by which ctest knows a test that could not run
LINE_KINDS = ("event_lines", "continuation_lines", "table_lines", "notice_lines", "foreign_lines", "unread_lines")


class Answer:
    """What the command said of one capture: exit status, report (None without one), its error text."""

    def __init__(self, status, report, error):
        self.status, self.report, self.error = status, report, error

    def rows(self):
        """{name: (calls, errors)} of the names that were called."""
        return {row["name"]: (row["calls"], row["errors"]) for row in self.calls() if row["calls"] > 0}

    def unreturned(self):
        """{name: unreturned} of the names with calls that never returned."""
        return {row["name"]: row["unreturned"] for row in self.calls() if row["unreturned"] > 0}

    def calls(self):
        return self.report["calls"] if self.report else []

    def call(self, name):
        """The row of a call; empty when there is none."""
        return next((row for row in self.calls() if row["name"] == name), {})

    def totals(self):
        return self.report["totals"] if self.report else {}

    def captures(self):
        return self.report["captures"] if self.report else []

    def sum_of(self, key):
        """A number of the captures, added up; None without a report."""
        return sum(capture[key] for capture in self.captures()) if self.report else None


def run(command, files, options=()):
    """Runs `callgauge COMMAND --format json` on the files of one capture."""
    words = [os.environ.get("CALLGAUGE", "callgauge"), command, "--format", "json", *options, "--", *files]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    error = done.stderr.decode("utf-8", "replace").rstrip("\n")
    try:
        report = json.loads(done.stdout) if done.stdout.strip() else None
    except ValueError as fault:
        return Answer(done.returncode, None, f"no JSON: {fault}; {error}")
    return Answer(done.returncode, report, error)


def run_all(command, captures):
    """Answers for {name: (files, options)}, two processes at a time."""
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        answers = pool.map(lambda capture: run(command, *capture), captures.values())
        return dict(zip(captures, answers))


def summary(files, options=()):
    """Runs `callgauge summary --format json` on the files of one capture."""
    return run("summary", files, options)


def summaries(captures):
    """Answers for {name: files}, two processes at a time."""
    return run_all("summary", {name: (files, ()) for name, files in captures.items()})


class Checks:
    """Counts what held, in groups."""

    def __init__(self):
        self.groups, self.failures = [], []

    def group(self, title):
        self.groups.append([title, 0, 0])

    def equal(self, file, what, wanted, got):
        held = wanted == got
        self.groups[-1][1 if held else 2] += 1
        if not held:
            self.failures.append(f"{file}: {what}: wanted {wanted}, got {got}")
        return held

    def holds(self, file, what, held, got):
        """For what is no equality: `what` says what should be true."""
        return self.equal(file, what, True, True if held else got)

    def equal_rows(self, file, wanted, got):
        """Both ways: every wanted row is there and no other; each name is a check of its own."""
        for name in sorted(set(wanted) | set(got)):
            self.equal(file, name, wanted.get(name, "no such row"), got.get(name, "no such row"))

    def finish(self):
        """Prints the groups, the failures and the last line; gives the exit status."""
        for title, passed, failed in self.groups:
            print(f"{title}: {passed} passed, {failed} failed")
        for failure in self.failures:
            print(f"FAILED {failure}")
        passed = sum(group[1] for group in self.groups)
        failed = sum(group[2] for group in self.groups)
        print(f"{passed} passed, {failed} failed")
        return 1 if failed else 0


def check_read(checks, file, answer, unread=0):
    """The command succeeded, and as many lines as wanted stayed unread."""
    if checks.equal(file, "exit status", 0, answer.status if answer.report else f"{answer.status}: {answer.error}"):
        checks.equal(file, "unread lines", unread, answer.sum_of("unread_lines"))


def check_sums(checks, file, answer, lines=None, size=None):
    """Every line is accounted for: the six kinds add up, and lines and bytes are the file's own."""
    for capture in answer.captures():
        checks.equal(file, "sum of the line kinds", capture["lines"], sum(capture[kind] for kind in LINE_KINDS))
    if answer.report and lines is not None:
        checks.equal(file, "lines", lines, answer.sum_of("lines"))
        checks.equal(file, "bytes", size, answer.sum_of("bytes"))


def parse_rows(text):
    """{name: (calls, errors, unreturned)} of "name calls[/errors[/unreturned]]" words."""
    words = text.split()
    rows = {}
    for name, numbers in zip(words[::2], words[1::2]):
        numbers = [int(number) for number in numbers.split("/")]
        rows[name] = tuple(numbers + [0] * (3 - len(numbers)))
    return rows


def check_rows(checks, file, wanted, answer):
    """Calls, errors and unreturned calls of every name; `wanted` as parse_rows() gives it."""
    got = {row["name"]: (row["calls"], row["errors"], row["unreturned"]) for row in answer.calls()}
    checks.equal_rows(file, wanted, {name: numbers for name, numbers in got.items() if numbers != (0, 0, 0)})


def files_under(folder, *patterns):
    """Paths relative to `folder` that match a pattern, sorted."""
    found = {path for pattern in patterns for path in glob.glob(pattern, root_dir=folder, recursive=True)}
    return sorted(path for path in found if os.path.isfile(os.path.join(folder, path)))


def shared_folder(name):
    """The folder of captures beside the source tree that argv[1] names; None, with a word said, without it."""
    folder = os.path.join(sys.argv[1] if len(sys.argv) > 1 else ".", "..", "shared", name)
    if os.path.isdir(folder):
        return os.path.normpath(folder)
    print(f"{name}: not run: ../shared/{name} is not here")
    return None
