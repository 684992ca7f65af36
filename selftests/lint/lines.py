#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# lines.py - prints how many lines of code the module has, neither blank ones nor comments,
# next to those of the first release; the share of comments; and the largest directory.
# Prints a line that begins with "fault: " if the code has grown beyond MOST, or the share of
# comments has fallen below that of the first release. Status 1 if there is any.
import os
import re
import subprocess
import sys

FIRST_RELEASE = 15902
GOAL = 11500
FIRST_COMMENTS = 22.8  # percent of the lines that are not blank

# Lines of code in this tree without what serves models: places of threads, marks of verdicts.
# A change that deletes code lowers it; none raises it.
WITHOUT_MODELS = 15959
# MODELS is what that takes, at most MODELS_MOST.
MODELS_MOST = 250
MODELS = 49
MOST = WITHOUT_MODELS + MODELS

top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")


def count_lines(text):
    """Return lines of code, and lines of nothing but a comment."""
    bare = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S)
    bare = re.sub(r"//[^\n]*", "", bare)
    code = sum(1 for line in bare.split("\n") if line.strip())
    filled = sum(1 for line in text.split("\n") if line.strip())
    return code, filled - code


def main():
    names = subprocess.run(["git", "ls-files", "kmod/*.[ch]"], cwd=top, check=True,
                           capture_output=True, text=True).stdout.split()
    code = comments = 0
    directory = {}
    for name in names:
        with open(os.path.join(top, name), encoding="utf-8") as file:
            lines, about = count_lines(file.read())
        code += lines
        comments += about
        folder = os.path.dirname(name)
        directory[folder] = directory.get(folder, 0) + lines
    share = 100 * comments / (code + comments)
    largest = max(directory, key=directory.get)
    print(f"kmod: {code} lines of code, {FIRST_RELEASE} in the first release, {GOAL} wanted")
    print(f"comments: {share:.1f} % of the lines, {FIRST_COMMENTS} % in the first release")
    print(f"largest directory: {largest}, {directory[largest]} lines of code")
    faults = []
    if code > MOST:
        faults.append(f"{code - MOST} lines of code more than the {MOST} of selftests/lint/lines.py")
    if MODELS > MODELS_MOST:
        faults.append(f"more than {MODELS_MOST} lines of code serve models")
    if share < FIRST_COMMENTS:
        faults.append("the share of comments is lower than in the first release")
    for fault in faults:
        print("fault: " + fault)
    return 1 if faults or not names else 0


sys.exit(main())
