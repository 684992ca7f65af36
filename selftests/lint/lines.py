#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# lines.py - prints the lines of code of the module, without blank lines and comments, now and in
# the first release; the share of comments; and the largest directory. Prints a line that begins
# with "fault: " and exits with status 1 if there is more code than MOST, or a smaller share of
# comments than in the first release.
import os
import re
import subprocess
import sys

FIRST_RELEASE = 15902
GOAL = 11500
FIRST_COMMENTS = 22.8  # percent of the lines that are not blank

# Lines of code in this tree, except for those that serve models (places of threads, marks of
# verdicts). Lower this when code is deleted; never raise it.
WITHOUT_MODELS = 15959
# MODELS is the number of lines that serve models, at most MODELS_MOST.
MODELS_MOST = 250
MODELS = 49
MOST = WITHOUT_MODELS + MODELS

top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")


def count_lines(text):
    """Return the number of lines with code, and of lines with only a comment."""
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
