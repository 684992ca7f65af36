#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# job_parts.py STREAM ID CGROUP... - prints the estimated share of job ID in each event with its
# standard error, which pmdarcr must publish, as "METRIC ID VALUE". CGROUPs belong to the job. An
# independent implementation of the formula described in userspace/common/estimate.c and
# userspace/jobs/math/estimates.c, for CPUs that are never idle.
import math
import struct
import sys

from stream_items import MARK, SAMPLE, SET, read_items, read_set

BEGIN, END = 2, 3


def read_stream(data, ident):
    """Return the names of the counters, and by CPU the samples of a job: group and totals."""
    names, samples, begin, end, value = [], {}, None, math.inf, 0
    for kind, cpu, item in read_items(data):
        if kind == SET:
            counters, _, value = read_set(item)
            names = [name for name, _, _ in counters]
        elif kind == SAMPLE:
            time, = struct.unpack_from("=Q", item, 32)
            group, = struct.unpack_from("=Q", item, 56)
            totals = struct.unpack_from(f"={len(names)}Q", item, value)
            samples.setdefault(cpu, []).append((time, group, totals))
        elif kind == MARK and item[48:].split(b"\0")[0].decode() == ident:
            _, time, _, what = struct.unpack_from("=QQQI", item, 16)
            begin, end = (time, end) if what == BEGIN else (begin, time) if what == END else (begin, end)
    return names, {cpu: [s[1:] for s in of if begin <= s[0] <= end] for cpu, of in samples.items()}


def estimate(samples, groups, event):
    """Return the part of the groups in an event on one CPU, with its variance and bound."""
    own = [group in groups for group, _ in samples]
    counts = [b[1][event] - a[1][event] for a, b in zip(samples, samples[1:])]
    part = sum(d for d, mine in zip(counts, own[1:]) if mine)
    ratio = part / sum(counts)
    rests = [(d if mine else 0) - ratio * d for d, mine in zip(counts, own[1:])]
    n = len(counts)
    variance = n / (2 * (n - 1)) * sum((b - a) ** 2 for a, b in zip(rests, rests[1:])) + (part > 0) * (2 * sum(counts) / n) ** 2
    bound = sum(d / 2 for d, was, mine in zip(counts, own, own[1:]) if was != mine)
    # A turn with a single sample.
    for i in range(1, n):
        if own[i - 1] == own[i + 1] != own[i]:
            bound += 2 * (counts[i - 1] + counts[i]) / 2
    return part, variance, bound


def main():
    groups = [int(number) for number in sys.argv[3:]]
    with open(sys.argv[1], "rb") as file:
        names, samples = read_stream(file.read(), sys.argv[2])
    for event, name in enumerate(names):
        parts = [estimate(of, groups, event) for of in samples.values()]
        total = sum(part for part, _, _ in parts)
        error = math.sqrt(sum(v for _, v, _ in parts) + sum(b for _, _, b in parts) ** 2)
        if total and error <= total / 10:
            print(f"rcr.job.error.{name}", sys.argv[2], math.ceil(error - 1e-6))
            print(f"rcr.job.estimate.{name}", sys.argv[2], total)


if __name__ == "__main__":
    main()
