# SPDX-License-Identifier: Apache-2.0
"""What the checks share: which files are sources, and C text without its comments and strings."""
import re

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def c_files(root, *folders):
    """C sources and headers below folders of the root, in order."""
    return sorted(file for folder in folders for file in (root / folder).rglob("*.[ch]"))


def code_only(text):
    """The same lines, with comments and the insides of strings blanked."""
    return TOKEN.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def report(faults):
    """Prints faults; what a check exits with."""
    for fault in faults:
        print(fault)
    print(f"{len(faults)} faults")
    return 1 if faults else 0
