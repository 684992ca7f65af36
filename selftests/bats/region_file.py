#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# region_file.py FILE RANK SIGNAL SET COUNT... - writes a file of librcrregion in the format of
# Documentation/dev/region-file.md. It has one set, one thread and one call per COUNT, which is the
# count of tsc (1 GHz); that of instructions is ten times as large. SIGNAL 0: the process has ended
# by itself. Variables: COUNTER=NAME:FACTOR... adds counters; HOST=NAME is the host name, BEGIN=S
# the start time; NODE=NAME:COUNT... adds counters of the node, over 1,000,000,000 cycles of a CPU
# of FAMILY; LOST=N is the number of lost calls; FLAGS=N are additional flags.
import os
import struct
import sys

MASK = (1 << 64) - 1


def checksum(data):
    """Return the FNV-1a hash of 64 bits."""
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 & MASK
    return value


def text(word, size):
    """Return a text padded with zeros."""
    return word.encode().ljust(size, b"\0")


def main():
    path, rank, signal, name = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    counts = [int(word) for word in sys.argv[5:]]
    events = text("tsc", 48) + struct.pack("<IIQQ", 0xffffffff, 0, 0, 1500)
    counters = [word.split(":") for word in os.environ.get("COUNTER", "instructions:10").split()]
    for counter, _ in counters:
        events += text(counter, 48) + struct.pack("<IIQQ", 0, 0, 1, 193000)
    events += text("cache-misses", 48) + struct.pack("<IIQQ", 0, 0, 3, 0)
    sets = struct.pack("<II", 1024, 0) + text(name, 64)
    record = struct.pack("<IIIIQQ", 0, 0, 0, 0, len(counts), int(os.environ.get("LOST", "0")))
    for factor in [1] + [int(factor_of) for _, factor_of in counters]:
        record += struct.pack("<QQQ", sum(counts) * factor, min(counts) * factor, max(counts) * factor)
    record = record.ljust(200, b"\0")
    node = [word.split(":") for word in os.environ.get("NODE", "").split()]
    for _, count in node:
        record += struct.pack("<QQ", int(count), 1000000000)
    more = b""
    if node:
        record = record.ljust(456, b"\0")
        more = struct.pack("<II", 0, len(node)) + text(os.environ["FAMILY"], 64)
        more += b"".join(text(counter, 64) for counter, _ in node).ljust(1024, b"\0")
    body = more + events + sets + record
    size = 280 + len(body) + 8
    begin = int(os.environ.get("BEGIN", "0")) * 1000000000
    header = b"RCRREGN\n" + struct.pack("<10IiIII5Q", 1, 280 + len(more), 72, 72, len(record),
                                        len(counters) + 2,
                                        len(counters) + 1, 1, 1,
                                        int(os.environ.get("FLAGS", "0")) | (not signal), rank, 100 + rank, signal, 0, size,
                                        begin, begin + 2500000000, 0, 2500000000)
    header += text(os.environ.get("HOST", "node"), 64) + text("solver", 64) + text("general", 48)
    data = header + body
    with open(path, "wb") as file:
        file.write(data + struct.pack("<Q", checksum(data)))


main()
