#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compares the argument types of each reason in the module's calls, in the comments of
<linux/rcrreason.h>, and in librcr's sentences. Also checks that the module uses each reason.

Prints each difference; status 1 if there is one.
"""
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
# Argument types of the reasons of rcr_fail_within(), and of enumerators that are not used.
OTHERS = {"HOLDERS": "sr", "CANNOT_ADD": "sr", "NONE": ""}
differences = 0


def differ(text):
    global differences
    differences += 1
    print(text)


def in_order(letters):
    """Return strings and numbers separately: their relative order is not compared."""
    return "".join(c for c in letters if c == "s"), "".join(c for c in letters if c != "s")


def told():
    """Return for each code the argument types in its comment."""
    text = (TOP / "uapi/linux/rcrreason.h").read_text()
    body = re.search(r"enum rcr_reason_code \{\n(.*?)^\};", text, re.M | re.S)[1]
    found = {}
    for name, comment in re.findall(r"^\tRCR_REASON_(\w+),[ \t]*(?:/\* (.*?) \*/)?$", body, re.M):
        if comment == "no longer used":
            OTHERS[name] = ""
        found[name] = "".join(re.findall(r"(?:^|, )([sudxr])\b", comment))
    return found


def given():
    """Return for each code the argument types of its calls in the module."""
    found = {name: {letters} for name, letters in OTHERS.items()}
    for path in sorted((TOP / "kmod").rglob("*.c")):
        text = path.read_text()
        if path.name in ("error.c", "error_text.c"):
            continue
        for call in re.findall(r"\brcr_fail(?:_with)?\((.*?)\)?;", text, re.S):
            types = re.search(r'"((?:%\w+?(?=%|"))*)"', call)
            letters = re.sub(r"%(?:ll|l|z)?([sudx])", r"\1", types[1]) if types else ""
            for name in re.findall(r"RCR_REASON_(\w+)", call):
                found.setdefault(name, set()).add(letters)
    return found


def sentences():
    """Return for each code the argument types in its sentence."""
    text = (TOP / "userspace/librcr/control/reason.c").read_text()
    body = re.search(r"sentence\[\] = \{\n(.*?)^\};", text, re.M | re.S)[1]
    found = {}
    for name, words in re.findall(r"\[RCR_REASON_(\w+)\] =\s+((?:\"(?:[^\"\\]|\\.)*\"\s*)+),", body):
        letters = "".join(re.findall(r"%([sudxert])", words))
        found[name] = letters.replace("e", "u").replace("t", "u")
    return found


def main():
    wanted, calls, written = told(), given(), sentences()
    for name in calls.keys() - wanted.keys() | written.keys() - wanted.keys():
        differ(f"{name} is not in <linux/rcrreason.h>")
    for name, letters in wanted.items():
        if name not in calls:
            differ(f"{name}: not used by the module")
        for one in calls.get(name, ()):
            if one != letters:
                differ(f"{name}: the module passes '{one}', <linux/rcrreason.h> has '{letters}'")
        if in_order(written.get(name, "?")) != in_order(letters):
            differ(f"{name}: the sentence has '{written.get(name)}', the reason '{letters}'")
    print(f"compared: {len(wanted)} reasons")
    return 1 if differences or len(wanted) < 50 else 0


sys.exit(main())
