#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""light.py BUILD.NINJA INPUT...: makes QEMU's build cheaper. The inputs are all files that its
emulator is made of; generated sources exist.

Most sources run rarely in a guest. These are compiled without optimization, and in batches, since
headers take longer to compile than what includes them: a batch includes sources that have the same
flags, and in which no name of a file's own is defined twice.
"""
import os
import re
import sys
from pathlib import Path

# Sources that stay separate: translation, execution, memory, interrupts, clocks, casts of objects.
HOT = re.compile(r"/(accel/tcg|tcg|fpu|target/i386|hw/(intc|timer)|softmmu/(physmem|memory)|"
                 r"qom/object\.c|util/(qemu-timer|qht|rcu|async|main-loop|qemu-thread))")

# The linker takes single stubs, and leaves out a server whose library is not built. The last one's
# header has the guard of another.
ALONE = re.compile(r"/stubs/|/vhost-user-server\.c|/channel-null\.c")

BATCH = 12

EDGE = re.compile(r"^build (\S+): c_COMPILER (\S+)(.*)\n DEPFILE = .*\n DEPFILE_UNQUOTED = .*\n"
                  r" ARGS = (.*)\n\n", re.M)

# Macros; static functions and data, types and enumerators that a file defines for itself.
MACRO = re.compile(r"^#[ \t]*define[ \t]+(\w+)", re.M)
OWN = re.compile(r"^static\b[^;={}()]*?\b(\w+)(?:\[[^]]*\])*\s*[=;({]|"
                 r"^(?:typedef )?(?:struct|union|enum) (\w+)\s*\{|^\} (\w+);|"
                 r"^ {4}([A-Z][A-Z0-9_]+)(?: = [^,;]*)?,?$", re.M)


def read_names(path):
    """Return the macros and the other names that a source defines for itself."""
    text = path.read_text()
    return set(MACRO.findall(text)), {name for found in OWN.findall(text) for name in found if name}


def make_batches(top, edges):
    """Return the batches of edges to compile together, as lists of edges with equal flags."""
    batches = []
    for edge in edges:
        macros, others = read_names(top / edge["source"])
        names = macros | others
        batch = next((one for one in batches if one["flags"] == edge["flags"]
                      and len(one["edges"]) < BATCH and not one["names"] & names), None)
        if not batch:
            batch = {"flags": edge["flags"], "names": set(), "edges": []}
            batches.append(batch)
        batch["names"] |= names
        batch["edges"].append(edge | {"macros": macros})
    return [batch["edges"] for batch in batches]


def write_edge(target, source, rest, args):
    return (f"build {target}: c_COMPILER {source}{rest}\n DEPFILE = {target}.d\n"
            f" DEPFILE_UNQUOTED = {target}.d\n ARGS = {args}\n\n")


def write_batch(top, source, edges):
    """Write the source of a batch, and return the path of its object and its edge."""
    with open(top / source, "w", encoding="utf-8") as out:
        for edge in edges:
            out.write(f'#include "{(top / edge["source"]).resolve()}"\n')
            out.writelines(f"#undef {name}\n" for name in sorted(edge["macros"]))
    folder, rest, args = edges[0]["flags"]
    target = f"{folder}/{source}.o"
    return target, write_edge(target, source, rest, args)


def replace_objects(text, objects):
    """Return BUILD.NINJA without the edges of these objects, which the batches replace."""
    text = EDGE.sub(lambda edge: "" if edge[1] in objects else edge[0], text)
    lines = []
    for line in text.splitlines(True):
        if line.startswith("build ") and ".c.o" in line:
            line = " ".join(dict.fromkeys(objects.get(word, word) for word in line.split())) + "\n"
        lines.append(line)
    return "".join(lines)


def main():
    ninja, inputs = Path(sys.argv[1]), set(sys.argv[2:])
    text = ninja.read_text()
    cold, batched, objects = "", [], {}
    for target, source, rest, args in EDGE.findall(text):
        if HOT.search("/" + source) or target not in inputs:
            continue
        args = args.replace(" -O2 ", " -O0 ").replace(" -D_FORTIFY_SOURCE=2 ", " ")
        if ALONE.search("/" + source):
            cold += write_edge(target, source, rest, args)
            objects[target] = target
        else:
            batched.append({"target": target, "source": source,
                            "flags": (os.path.dirname(target), rest, args)})
    for number, edges in enumerate(make_batches(ninja.parent, batched)):
        batch, edge = write_batch(ninja.parent, f"batch{number}.c", edges)
        cold += edge
        objects.update((one["target"], batch) for one in edges)
    ninja.write_text(replace_objects(text, objects) + cold)


if __name__ == "__main__":
    main()
