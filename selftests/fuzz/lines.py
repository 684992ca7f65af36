#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# lines.py MODULE PLACES FILE... - prints which lines of the module's source FILEs were run,
# according to PLACES, the places that KCOV reported ("SECTION OFFSET", one per line).
#
# A module for a kernel with KCOV calls __sanitizer_cov_trace_pc() at the beginning of each basic
# block; a place is the return address of such a call. The code between two calls is one block, and
# a line was run if any block with code of the line was run. Code of .init.text is not included.
#
# Prints for each file how many lines were run and which were not, and then the total.
import os
import re
import subprocess
import sys

TRACE = "__sanitizer_cov_trace_pc"
SECTION = re.compile(r"^Disassembly of section (\S+):$")
FUNCTION = re.compile(r"^[0-9a-f]+ <.*>:$")
SOURCE = re.compile(r"^(inlined by )?(/\S+):(\d+)(?: .*)?$")
INSTRUCTION = re.compile(r"^\s+([0-9a-f]+):\t(?!R_)")
RELOCATION = re.compile(r"^\s+[0-9a-f]+: R_\S+\s+(\S+)")


class Block:
    """A basic block: its place (None before the first call), and the (file, line)s in it."""

    def __init__(self, section, at=None, lines=()):
        self.section, self.at, self.lines = section, at, set(lines)


class Reader:
    """Makes blocks from the lines that objdump prints."""

    def __init__(self):
        self.blocks, self.block = [], Block("")
        self.lines, self.latest, self.called, self.new = [], [], False, True

    def begin(self, at=None, lines=()):
        if self.block.at is not None:
            self.blocks.append(self.block)
        self.block = Block(self.block.section, at, lines)

    def read_source(self, found):
        place = os.path.realpath(found[2]), int(found[3])
        if self.new:
            # objdump does not repeat the innermost line of an inlined call while it is the same.
            self.lines = self.lines[:1] if found[1] else []
        self.lines.append(place)
        self.new = False

    def read_instruction(self, at):
        if self.called:
            # The call belongs to the block. So does the code of a function before its first call.
            first = self.block.lines if self.block.at is None else set()
            self.begin(at, first | set(self.latest))
        else:
            self.block.lines.update(self.latest)
        self.latest, self.called, self.new = list(self.lines), False, True

    def end_function(self):
        self.block.lines.update(self.latest)
        self.begin()
        self.latest, self.lines, self.called = [], [], False

    def read(self, line):
        if found := SECTION.match(line):
            self.end_function()
            self.block.section = found[1]
        elif FUNCTION.match(line):
            self.end_function()
        elif found := RELOCATION.match(line):
            self.called |= found[1].startswith(TRACE)
        elif found := INSTRUCTION.match(line):
            self.read_instruction(int(found[1], 16))
        elif found := SOURCE.match(line):
            self.read_source(found)


def read_blocks(module):
    said = subprocess.run(["objdump", "-dlr", "--inlines", "--no-show-raw-insn", module],
                          check=True, capture_output=True, text=True).stdout
    reader = Reader()
    for line in said.splitlines():
        reader.read(line)
    reader.end_function()
    return reader.blocks


def ranges(lines):
    """Return sorted line numbers as text, such as 12-15,20."""
    runs = []
    for line in sorted(lines):
        if runs and runs[-1][1] == line - 1:
            runs[-1][1] = line
        else:
            runs.append([line, line])
    return ",".join(f"{a}-{b}" if a != b else f"{a}" for a, b in runs)


def main():
    module, places, *files = sys.argv[1:]
    wanted = {os.path.realpath(f): f for f in files}
    with open(places) as f:
        ran = {(section, int(offset, 16)) for section, offset in map(str.split, f)}
    known = {path: set() for path in wanted}
    reached = {path: set() for path in wanted}
    for block in read_blocks(module):
        if not block.section.startswith(".text"):
            continue
        for path, line in block.lines:
            if path not in wanted:
                continue
            known[path].add(line)
            if (block.section, block.at) in ran:
                reached[path].add(line)
    for path in wanted:
        if not known[path]:
            sys.exit(f"lines.py: {module} has no blocks of {wanted[path]}")
        missing = known[path] - reached[path]
        print(f"{wanted[path]}: {len(reached[path])} of {len(known[path])} lines" +
              (f", not {ranges(missing)}" if missing else ""))
    some, every = (sum(map(len, x.values())) for x in (reached, known))
    print(f"all: {some} of {every} lines, {100 * some / every:.1f} %")


main()
