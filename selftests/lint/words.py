#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# words.py [-l|-a] [PATH]... - prints how often the words of selftests/lint/words are used, per
# 1,000 words of comments and documents, and of strings, in this tree or in PATHs. -l prints each
# hit, -a the rates of each subsystem. Prints a line that begins with "fault: " and exits with
# status 1 if a rate of this tree is higher than MOST.
import os
import re
import subprocess
import sys

# The same measure of drivers/net/wireguard in Debian's linux-source-6.1, 6.1.192-2: 2 hits in
# 3,567 words of comments, none in 509 words of strings.
WIREGUARD = {"comments": 0.6, "strings": 0.0}
GOAL = 1.0

# Limits for this tree. Lower them when text is rewritten; never raise them.
MOST = {"comments": 1.0, "strings": 0.7}

top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.S)


def read_patterns():
    """Return a list of compiled patterns."""
    with open(os.path.join(top, "selftests/lint/words"), encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if line.strip() and line[0] != "#"]
    return [re.compile(line.split("\t")[0], re.I) for line in lines]


def plain(text):
    """Return the words of a comment in one line."""
    text = re.sub(r"SPDX-License-Identifier.*", "", text)
    text = re.sub(r"^\s*\*+|^\s*#+!?", " ", text, flags=re.M)
    return " ".join(text.replace("/*", " ").replace("*/", " ").replace("//", " ").split())


def read_c(text):
    """Return comments, and strings with more than one word."""
    comments, strings = [], []
    for token in TOKEN.findall(text):
        if token[0] == "/":
            comments.append(plain(token))
        elif token[0] == '"' and " " in token:
            strings.append(token[1:-1].replace("\\n", " "))
    return comments, strings


def read_script(text):
    """Return comments: consecutive lines are one."""
    blocks = re.findall(r"(?:^[ \t]*#(?!!).*\n)+", text, flags=re.M)
    return [plain(block) for block in blocks], []


def read_page(text):
    """Return the paragraphs of a document without code."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    text = re.sub(r"^ {4,}.*$|^\.\\\".*$|^\.[A-Z]+", "", text, flags=re.M)
    return [plain(part) for part in text.split("\n\n")], []


def read_file(path):
    """Return the comments and the strings of a file."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    if re.search(r"\.[ch]$", path):
        return read_c(text)
    if re.search(r"\.(md|rst|[1-8])$", path):
        return read_page(text)
    if re.search(r"\.(sh|py|awk|bats|mk)$|Makefile$|Kbuild$", path):
        return read_script(text)
    return [], []


class Count:
    """Number of words and of hits in one kind of text."""

    def __init__(self):
        self.words = 0
        self.hits = 0

    def add(self, texts, patterns, path, show):
        """Count words and hits in texts; print the hits if show."""
        for text in texts:
            self.words += len(re.findall(r"[A-Za-z][A-Za-z'-]*", text))
            for pattern in patterns:
                for hit in pattern.finditer(text):
                    self.hits += 1
                    if show:
                        around = text[max(0, hit.start() - 40):hit.end() + 40]
                        print(f"{path}: {hit.group(0).strip()}: {around}")

    def rate(self):
        """Return the hits per 1,000 words."""
        return 1000 * self.hits / self.words if self.words else 0.0


def area(name):
    """Return the subsystem of a file."""
    parts = name.split("/")
    if parts[0] in ("kmod", "userspace", "selftests"):
        return "/".join(parts[:2]) if len(parts) > 2 else parts[0]
    return parts[0] if len(parts) > 1 else "top"


def list_files(paths):
    """Return the files at paths, or all of this tree."""
    if not paths:
        names = subprocess.run(["git", "ls-files"], cwd=top, check=True, capture_output=True,
                               text=True).stdout.split()
        paths = [os.path.join(top, name) for name in names]
    files = []
    for path in paths:
        if os.path.isdir(path):
            files += [os.path.join(d, f) for d, _, fs in os.walk(path) for f in fs]
        elif os.path.isfile(path) and not os.path.islink(path):
            files.append(path)
    return sorted(files)


def print_faults(counts):
    """Compare this tree with WireGuard and with MOST. Return whether a limit is exceeded."""
    worse = False
    for kind in ("comments", "strings"):
        rate = counts["all", kind].rate()
        print(f"{kind}: {rate:.1f} of 1,000 words, {WIREGUARD[kind]} in WireGuard, {GOAL} wanted")
        if round(rate, 1) > MOST[kind]:
            print(f"fault: {kind} had {MOST[kind]}: see selftests/lint/words.py -l")
            worse = True
    return worse


def main():
    args = sys.argv[1:]
    mode = args.pop(0) if args[:1] in (["-l"], ["-a"]) else ""
    patterns = read_patterns()
    counts = {}
    for path in list_files(args):
        name = os.path.relpath(path, top)
        comments, strings = read_file(path)
        for kind, texts in (("comments", comments), ("strings", strings)):
            for where in (area(name), "all"):
                counts.setdefault((where, kind), Count()).add(
                    texts, patterns, name, mode == "-l" and where == "all")
    if not args and not mode:
        return 1 if print_faults(counts) else 0
    for (where, kind), count in sorted(counts.items()):
        if count.words and mode != "-l":
            print(f"{where}: {kind}: {count.rate():.1f} of 1,000 ({count.hits} of {count.words})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
