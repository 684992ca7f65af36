#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# documents.py - checks the documents (*.md, manual pages) against the tree: paths in backquotes,
# links, functions that promises.md names, environment variables, parameters, commands that no test
# runs, and the length of the README's sentences. Also checks the subjects of commits since START.
# Prints a line that begins with "fault: " for each error; status 1 if there is an error.
import os
import re
import subprocess
import sys

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
# A path that begins with one of these directories must exist. Other paths, such as arguments of
# programs, are not checked.
ROOTS = ("Documentation", "kmod", "selftests", "uapi", "userspace", "LICENSES")
# The family that adding-a-family.md adds.
IMAGINARY = "acme"
README_WORDS = 30
# Marks a command, or the rest of its block, that readme.sh leaves out; followed by the reason.
MARK = "not run in tests: "
MARKS = 10
PROGRAMS = ("make", "modprobe", "perf", "rcrcal", "rcrctl", "rcrjob", "rcrstat", "taskset", "sudo", "sysctl", "systemctl")
# Documents whose commands readme.sh does not run: house.bats runs them, or they run tests.
NOT_RUN = ("Documentation/dev/adding-a-family.md", "selftests/README.md")
SUBJECT = 72
SUBJECT_FORM = re.compile(r"^(Merge |Revert |[A-Za-z0-9_./+(), -]+: \S)")
# The rule for subjects holds for commits after this one.
START = "a436f45"

faults = 0


def fault(text):
    """Print a fault and count it."""
    global faults
    faults += 1
    print(f"fault: {text}")


def git(*args):
    """Return the lines that git prints."""
    return subprocess.run(["git", *args], cwd=TOP, check=True, capture_output=True,
                          text=True).stdout.splitlines()


def read(name):
    """Return the text of a file of the tree."""
    with open(os.path.join(TOP, name), encoding="utf-8") as file:
        return file.read()


def exists(path, tracked):
    """Return whether a path, which may be a pattern, matches a file or directory."""
    path = path.rstrip("/").removeprefix("./")
    if "*" in path:
        pattern = re.compile(re.escape(path).replace(r"\*", "[^/]*") + "(/|$)")
        return any(pattern.match(name) for name in tracked)
    return path in tracked or any(name.startswith(path + "/") for name in tracked)


def check_paths(name, text, tracked):
    """Check paths in backquotes, in plain text and in indented lists of files, and all links."""
    checked = 0
    here = os.path.dirname(name)
    roots = "|".join(ROOTS)
    for path in re.findall(rf"(?<![\w/.-])((?:{roots})/[\w./*-]*[\w*/])", text):
        checked += 1
        if not exists(path, tracked) and IMAGINARY not in path:
            fault(f"{name}: {path} does not exist")
    for path in re.findall(r"`([\w-]+(?:/[\w.-]+)*\.(?:md|sh|py|bats|tsv|txt|yaml))`", text):
        # A file name, or the end of a path, must match a file.
        checked += 1
        if not any(other == path or other.endswith("/" + path) for other in tracked):
            fault(f"{name}: there is no file {path}")
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if "://" in link:
            continue
        checked += 1
        if not exists(os.path.normpath(os.path.join(here, link)), tracked):
            fault(f"{name}: the link {link} leads nowhere")
    return checked


def check_functions(name, tracked):
    """Check that each function that a document names is in the code."""
    code = "\n".join(read(f) for f in tracked if re.search(r"^(kmod|userspace|uapi|selftests)/.*\.[ch]$", f))
    words = set(re.findall(r"\w+", code))
    for function in sorted(set(re.findall(r"\b(\w+)\(\)", read(name)))):
        if function not in words:
            fault(f"{name}: there is no function {function}()")


def check_names(tracked):
    """Check that each environment variable and module parameter is in a document."""
    code = "\n".join(read(f) for f in tracked if re.search(r"^(kmod|userspace)/.*\.c$", f))
    manuals = "\n".join(read(f) for f in tracked if f.startswith("Documentation/man/"))
    parameters = read("Documentation/user/parameters.md")
    for variable in set(re.findall(r'getenv\("(RCR_\w+)"\)', code)):
        if variable not in manuals:
            fault(f"{variable} is in no manual page")
    for parameter in set(re.findall(r"\bmodule_param\w*\((\w+)", code)):
        if f"`{parameter}`" not in parameters:
            fault(f"the parameter {parameter} is not in parameters.md")


def check_sentences(name):
    """Check the length of sentences outside of code and tables."""
    text = re.sub(r"^( {4}|\||#|```).*$", "\n", read(name), flags=re.M)
    text = re.sub(r"^[->] ", "\n\n", text, flags=re.M)
    longest = 0
    for paragraph in re.split(r"\n\s*\n", text):
        paragraph = re.sub(r"\]\([^)]*\)", "]", " ".join(paragraph.split()))
        for sentence in re.split(r"(?<=[.:;!?])[\"*)]* ", paragraph):
            words = len([w for w in sentence.split() if re.search(r"\w", w)])
            longest = max(longest, words)
            if words > README_WORDS:
                fault(f"{name}: {words} words in a sentence, more than {README_WORDS}: "
                      f"{sentence[:60]}...")
    return longest


def check_commands(documents):
    """
    Check that indented blocks of documents have commands, which readme.sh and manual.sh run, and
    that few are marked as not run. Return how many are marked.
    """
    marks = 0
    for name in documents:
        marks += len(re.findall(re.escape(MARK), read(name)))
        if name.endswith(".md"):
            text = re.sub(r"^```.*?^```", "", read(name), flags=re.M | re.S)
        if not name.endswith(".md") or name in NOT_RUN:
            continue
        for block in re.findall(r"(?:^|\n\n)((?: {4}.*\n)+)", text):
            shown = block.startswith("    $ ")
            for line in block.splitlines():
                command = re.sub(r"^ {4}(\$ )?", "", line)
                if shown and not line.startswith("    $ ") or command.startswith("# " + MARK):
                    continue
                if name.startswith("Documentation/dev/") or command.split()[0] not in PROGRAMS:
                    fault(f"{name}: no test runs '{command}': put other text between ```text and ```")
    if marks > MARKS:
        fault(f"{marks} blocks of commands are marked '{MARK}', more than {MARKS}")
    return marks


def check_subjects():
    """Check the subjects of new commits if the history is available."""
    if subprocess.run(["git", "cat-file", "-e", START + "^{commit}"], cwd=TOP, check=False,
                      capture_output=True).returncode:
        return 0
    subjects = git("log", "--no-merges", "--format=%s", START + "..HEAD")
    for subject in subjects:
        if len(subject) > SUBJECT:
            fault(f"the subject of a commit is longer than {SUBJECT} characters: {subject}")
        elif not SUBJECT_FORM.match(subject):
            fault(f"the subject of a commit has no area: {subject}")
    return len(subjects)


def main():
    tracked = set(git("ls-files"))
    documents = sorted(n for n in tracked if re.search(r"\.(md|[178])$|^selftests/\w+/README$", n))
    checked = sum(check_paths(name, read(name), tracked) for name in documents)
    check_functions("Documentation/dev/promises.md", tracked)
    check_names(tracked)
    longest = check_sentences("README.md")
    marks = check_commands(documents)
    subjects = check_subjects()
    print(f"{len(documents)} documents, {checked} paths and links; the longest sentence of the README "
          f"has {longest} words; {marks} blocks not run; {subjects} subjects of commits")
    return 1 if faults else 0


sys.exit(main())
