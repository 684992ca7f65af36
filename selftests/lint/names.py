#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# names.py [-l] - prints how many static functions of kmod/ and userspace/ have a name of one word,
# or a name that is used in two files; -l lists them. Prints a line that begins with "fault: " and
# exits with status 1 if there are more than MOST.
import collections
import os
import re
import subprocess
import sys

# Number of names of one word, and of names in two files. Never raise these.
MOST = {"kmod": (0, 0), "userspace": (0, 0)}

top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")

FUNCTION = re.compile(r"^static\b[^;={}()]*?\b(\w+)\([^;{]*?\)\s*\{", re.M | re.S)


def find_functions(area):
    """Return the files of each name of a static function in an area."""
    files = subprocess.run(["git", "ls-files", f"{area}/*.[ch]"], cwd=top, check=True,
                           capture_output=True, text=True).stdout.split()
    where = collections.defaultdict(set)
    for file in files:
        with open(os.path.join(top, file), encoding="utf-8") as opened:
            for name in FUNCTION.findall(opened.read()):
                where[name].add(file)
    return where


def main():
    faults = 0
    for area, most in MOST.items():
        where = find_functions(area)
        short = sorted(name for name in where if "_" not in name)
        twice = sorted(name for name in where if len(where[name]) > 1)
        print(f"{area}: {len(short)} static functions with a name of one word,"
              f" {len(twice)} names in two files, of {len(where)}")
        kinds = (("of one word", short, most[0]), ("in two files", twice, most[1]))
        for what, names, limit in kinds:
            if "-l" in sys.argv:
                for name in names:
                    print(f"{what}: {name}: {' '.join(sorted(where[name]))}")
            if len(names) > limit:
                print(f"fault: {area}: {len(names)} names {what}, more than the {limit} of"
                      " selftests/lint/names.py")
                faults = 1
    return faults


if __name__ == "__main__":
    sys.exit(main())
