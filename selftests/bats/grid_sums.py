#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# grid_sums.py STREAM GRID_MS PART=CPU,CPU... [...] - prints the sums that pmdarcr must publish for
# each grid tick of a saved stream, as "TIME METRIC INSTANCE VALUE". A PART is for example
# "package/package0" or "machine/-". Independent implementation.
import struct
import sys

from stream_items import SAMPLE, SET, read_items, read_set

SECOND = 10**9
NANOJOULE = 1


def print_sums(time, counters, totals, parts, held):
    """Print the sums of a grid tick. Energy is that of the first grid tick in its second."""
    for i, (name, _, unit) in enumerate(counters):
        for part, cpus in parts:
            kind, instance = part.split("/", 1)
            value = sum(totals[cpu][i] for cpu in cpus if cpu in totals)
            if unit == NANOJOULE:
                second, before = held.get((i, part), (None, 0))
                if second == time // SECOND:
                    value = before
                held[i, part] = time // SECOND, value
            print(time, f"rcr.{kind}.{name}", instance, value)


def main():
    grid = int(sys.argv[2]) * 10**6
    parts = []
    for word in sys.argv[3:]:
        part, cpus = word.split("=")
        parts.append((part, [int(cpu) for cpu in cpus.split(",")]))
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    counters, offset, value = [], 0, 0
    totals, held, due, tick = {}, {}, None, None
    for kind, cpu, item in read_items(data):
        if kind == SET:
            counters, offset, value = read_set(item)
            totals, held, due, tick = {}, {}, None, None
        if kind != SAMPLE:
            continue
        time = struct.unpack_from("=Q", item, 32)[0] + offset
        if tick is not None and time > tick:
            print_sums(tick, counters, totals, parts, held)
            due, tick = (tick // grid + 1) * grid, None
        due = -(-time // grid) * grid if due is None else due
        if time >= due:
            tick = time
        totals[cpu] = struct.unpack_from(f"={len(counters)}Q", item, value)
    if tick is not None:
        print_sums(tick, counters, totals, parts, held)


if __name__ == "__main__":
    main()
