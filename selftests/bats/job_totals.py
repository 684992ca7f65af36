#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# job_totals.py STREAM [NAME=CPU,CPU...]... - prints the metrics that pmdarcr must publish for each
# job of a saved stream, as "METRIC NAME VALUE". Jobs run on the given CPUs, by default on all.
# Independent implementation.
import re
import string
import struct
import sys

from stream_items import MARK, SAMPLE, SET, read_items, read_set

BEGIN, END = 2, 3
PER_CPU, PER_CORE = 0, 4


def encode(text):
    """Encode an id."""
    plain = (string.ascii_letters + string.digits + "_-").encode()
    return "".join(chr(byte) if byte in plain else f"%{byte:02X}" for byte in text)


def read_stream(data):
    """Return all records, as (set, time, CPU, totals), the runs, and the offset of the clock."""
    records, runs, numbers, sets, offset, value = [], [], {}, [], 0, 0
    for kind, cpu, item in read_items(data):
        if kind == SET:
            counters, offset, value = read_set(item)
            sets.append(counters)
        elif kind == SAMPLE:
            time, = struct.unpack_from("=Q", item, 32)
            totals = struct.unpack_from(f"={len(sets[-1])}Q", item, value)
            records.append((len(sets) - 1, time, cpu, totals))
        elif kind == MARK:
            _, time, _, what = struct.unpack_from("=QQQI", item, 16)
            text = item[48:].split(b"\0")[0]
            running = [run for run in runs if run["id"] == text and run["end"] is None]
            if what in (BEGIN, END) and running:
                running[0]["end"] = time
            if what == BEGIN:
                numbers[text] = numbers.get(text, 0) + 1
                suffix = f".{numbers[text]}" if numbers[text] > 1 else ""
                runs.append({"id": text, "name": encode(text) + suffix, "begin": time, "end": None})
    return sets, records, runs, offset


def count_run(run, sets, records, cpus):
    """Return the count of each event, from the first to the last record between begin and end."""
    ends = {}
    for number, time, cpu, totals in records:
        if time >= run["begin"] and (run["end"] is None or time <= run["end"]):
            ends.setdefault((number, cpu), [totals, totals, 0])[1] = totals
            ends[number, cpu][2] += 1
    counts = {}
    for (number, cpu), (first, last, records_of_cpu) in ends.items():
        for i, (name, scope, _) in enumerate(sets[number]):
            if records_of_cpu > 1 and (cpus is None or cpu in cpus or scope not in (PER_CPU, PER_CORE)):
                counts[name] = counts.get(name, 0) + last[i] - first[i]
    return counts


def main():
    cpus = {}
    for word in sys.argv[2:]:
        name, numbers = word.split("=")
        cpus[name] = [int(number) for number in numbers.split(",")]
    with open(sys.argv[1], "rb") as file:
        sets, records, runs, offset = read_stream(file.read())
    for run in runs:
        print("rcr.job.begin", run["name"], run["begin"] + offset)
        if run["end"] is not None:
            print("rcr.job.end", run["name"], run["end"] + offset)
        for name, count in count_run(run, sets, records, cpus.get(run["name"])).items():
            leaf = re.sub("[^0-9A-Za-z]", "_", name)
            print(f"rcr.job.total.{leaf}", run["name"], count)


if __name__ == "__main__":
    main()
