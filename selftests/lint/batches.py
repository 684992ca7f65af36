#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# batches.py FOLDER - combines the sources of the module in a copy of its tree, so that a tool reads
# the kernel's headers once for many files. Writes batch0.c, batch1.c and so on, which include all
# sources of kmod/ in such a way that no batch defines a private name twice, and a Kbuild that
# builds the module from them with the same flags. The original Kbuild is renamed to
# "Kbuild.module".
import os
import re
import subprocess
import sys

top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")

# Names that a file defines for itself: macros, static functions and data, types and enumerators.
MACRO = re.compile(r"^#[ \t]*define[ \t]+(\w+)", re.M)
OWN = re.compile(r"^static\b[^;={}()]*?\b(\w+)(?:\[[^]]*\])*\s*[=;({]|^(?:struct|union|enum) (\w+) \{"
                 r"|^(?:static )?[A-Z_]+\((\w+)|^\t([A-Z][A-Z0-9_]+)(?: = [^,;]*)?,?$", re.M)


def own_names(text):
    """Return the macros and the other names that a source defines for itself."""
    others = {name for found in OWN.findall(text) for name in found if name}
    return set(MACRO.findall(text)), others


def main():
    folder = sys.argv[1]
    files = subprocess.run(["git", "ls-files", "kmod/*.c"], cwd=top, check=True,
                           capture_output=True, text=True).stdout.split()
    batches = []
    for file in files:
        with open(os.path.join(top, file), encoding="utf-8") as opened:
            macros, others = own_names(opened.read())
        names = macros | others
        batch = next((one for one in batches if not one["names"] & names), None)
        if not batch:
            batch = {"names": set(), "lines": []}
            batches.append(batch)
        batch["names"] |= names
        batch["lines"].append(f'#include "{file}"\n')
        batch["lines"] += [f"#undef {name}\n" for name in sorted(macros)]
    for number, batch in enumerate(batches):
        with open(f"{folder}/batch{number}.c", "w", encoding="utf-8") as out:
            out.writelines(batch["lines"])
    objects = " ".join(f"batch{number}.o" for number in range(len(batches)))
    with open(f"{folder}/Kbuild", "w", encoding="utf-8") as out:
        out.write(f"include $(src)/Kbuild.module\nrcrtool-y := {objects}\n"
                  "ccflags-y += -I$(src) -I$(src)/kmod/sampler -DRCR_SPARE_MIN=$(RCR_SPARE_MIN)u\n")


if __name__ == "__main__":
    main()
