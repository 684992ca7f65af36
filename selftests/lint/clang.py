#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# clang.py FOLDER... - prints clang's warnings about the C sources that the makefiles of these
# folders compile into RCR_BUILD. Runs only the front end, which issues all warnings, and one
# process for all sources with the same flags, because clang takes longer to start than to read a
# source. A source that several makefiles compile, as unit tests do with those of the programs, is
# read once for each set of macros; macros that are strings make no difference. Status 1 if there is
# a warning.
import collections
import concurrent.futures
import os
import shlex
import subprocess
import sys

# Options that select the output, with and without an argument.
WITH_WORD = {"-o", "-MF", "-MT", "-include-pch"}
WITHOUT = {"-c", "-MMD", "-MP", "-shared", "-static"}


def list_commands(folder):
    """Return the clang commands of a complete build."""
    made = subprocess.run(["make", "-nBs", "--no-print-directory", "-C", folder, "CC=clang",
                           "O=" + os.environ["RCR_BUILD"]],
                          check=True, capture_output=True, text=True).stdout
    lines = made.replace("\\\n", " ").splitlines()
    return [shlex.split(line) for line in lines if line.startswith("clang ")]


def split_command(words):
    """Return the flags of a command and its sources."""
    flags, sources = [], []
    words = iter(words[1:])
    for word in words:
        if word in WITH_WORD:
            next(words)
        elif word.endswith(".c"):
            sources.append(word)
        elif word.startswith("-") and word not in WITHOUT and word[:2] not in ("-l", "-L") \
                and not word.startswith("-Wl,"):
            flags.append(word)
    return tuple(flags), sources


def read_sources(flags, sources):
    """Return clang's warnings. Runs cc1 directly: the driver would start it for each source."""
    driver = subprocess.run(["clang", "-###", "-fsyntax-only", "-Wno-unused-command-line-argument",
                             *flags, sources[0]], capture_output=True, text=True, check=False)
    command = driver.stderr.splitlines()[-1]
    if "-cc1" not in command:
        return driver.stderr
    read = subprocess.run(shlex.split(command) + sources[1:], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    return read.stdout or ("" if read.returncode == 0 else f"clang ended with {read.returncode}\n")


def main():
    batches = collections.defaultdict(list)
    seen = set()
    printed = ""
    for folder in sys.argv[1:]:
        commands = list_commands(folder)
        if not commands:
            printed += f"{folder}: make compiles nothing\n"
        for flags, sources in map(split_command, commands):
            defined = tuple(flag for flag in flags if flag.startswith("-D") and '"' not in flag)
            for source in sources:
                if (source, defined) not in seen:
                    seen.add((source, defined))
                    batches[flags].append(source)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        printed += "".join(pool.map(lambda batch: read_sources(*batch), batches.items()))
    sys.stdout.write(printed)
    return printed != ""


if __name__ == "__main__":
    sys.exit(main())
