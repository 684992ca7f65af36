#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Readers of rcrstat's formats, which share no line with the programs.

read_formats.py FORMAT FILE RAW: compares what FILE has with the records of the stream RAW, to the
last digit: the totals at the end of each interval, the places and the events. FILE has intervals
of a second. Prints how many totals were equal; an exception is a difference.
"""
import csv
import json
import re
import struct
import subprocess
import sys

SAMPLE, CLOCK, SET, OK = "sample", "clock", "set", 1


def records(path):
    """Yield (type, cpu, bytes) of the items of a stream, see struct rcr_item in <linux/rcrtool.h>."""
    data = open(path, "rb").read()
    at = 0
    while at < len(data):
        size, kind, _, cpu, _ = struct.unpack_from("<IHHII", data, at)
        yield kind, cpu, data[at:at + size]
        at += size


def item_types():
    """Return the numbers of item types, from the header."""
    text = open(sys.path[0] + "/../../uapi/linux/rcrtool.h", encoding="ascii").read()
    return {name: int(number) for name, number in
            re.findall(r"RCR_ITEM_(\w+)\s*=\s*(\d+)", text)}


def raw_totals(path):
    """Return {(second, place, event): total} of samples that were ok since a second before."""
    types = item_types()
    names, totals, statuses, offset = [], {}, {}, 0
    for kind, cpu, item in records(path):
        if kind == types["SET"]:
            ncounters, = struct.unpack_from("<I", item, 28)
            offset = struct.unpack_from("<Q", item, 80)[0] - struct.unpack_from("<Q", item, 72)[0]
            # The counters follow source, family and the reason.
            reason = 4 + 2 + 2 + 8 * 4
            at = 136 + reason
            texts = int(re.search(r"RCR_REASON_TEXTS\s+(\d+)", open(
                sys.path[0] + "/../../uapi/linux/rcrreason.h", encoding="ascii").read()).group(1))
            numbers = int(re.search(r"RCR_REASON_NUMBERS\s+(\d+)", open(
                sys.path[0] + "/../../uapi/linux/rcrreason.h", encoding="ascii").read()).group(1))
            at = 136 + 8 + 8 * numbers + texts
            counters, size, _, values, value_size, status, status_size = \
                struct.unpack_from("<7I", item, at)
            names = [item[counters + i * size:][:64].split(b"\0")[0].decode()
                     for i in range(ncounters)]
        elif kind == types["SAMPLE"]:
            time, = struct.unpack_from("<Q", item, 32)
            for i, name in enumerate(names):
                key = "cpu%d" % cpu, name
                total, = struct.unpack_from("<Q", item, values + i * value_size)
                statuses.setdefault(key, []).append(item[status + i * status_size])
                if (time + offset) % 10**9 == 0:
                    right = set(statuses[key]) == {OK}
                    totals[((time + offset) // 10**9,) + key] = total if right else None
                    statuses[key] = []
    return totals


def read_openmetrics(path):
    """Parse the exposition of one interval; Prometheus's client library parses it, too."""
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
    text = open(path, encoding="utf-8").read()
    families = {f.name: f for f in text_string_to_metric_families(text)}
    assert set(families) == {"rcrtool_events", "rcrtool_event_rate", "rcrtool_value",
                             "rcrtool_event_ok"}, families
    return read_exposition(text, r" (\d+)\.000000$")


def read_prometheus(path):
    from prometheus_client.parser import text_string_to_metric_families
    text = open(path, encoding="utf-8").read()
    samples = [s for f in text_string_to_metric_families(text) for s in f.samples]
    assert any(s.name == "rcrtool_events_total" for s in samples)
    return read_exposition(text, "()$")


def read_exposition(text, time):
    found, ok = {}, {}
    for line in text.splitlines():
        row = re.match(r'(\w+)\{event="([^"]*)",place="([^"]*)",producer="[^"]+"[^}]*\} ([\d.]+)' +
                       time, line)
        if line.startswith("#"):
            continue
        assert row, line
        name, event, place, number, second = row.groups()
        key = int(second or 0), place, event
        if name == "rcrtool_events_total":
            found[key] = int(number)
        elif name == "rcrtool_event_ok":
            ok[key] = number == "1"
    assert set(found) == {key for key in ok if ok[key]}
    return {key: found.get(key) for key in ok}


def read_influx(path):
    found = {}
    for line in open(path, encoding="utf-8"):
        tags, fields, time = re.fullmatch(r"rcrtool,((?:\\.|[^ ])+) (\S+) (\d+)\n", line).groups()
        tag = dict(t.split("=") for t in tags.split(","))
        field = dict(f.split("=") for f in fields.split(","))
        assert ("total" in field) == (field["status"] == '"ok"'), line
        assert "total" not in field or field["total"].endswith("i")
        found[int(time) // 10**9, tag["place"], tag["event"]] = \
            int(field["total"][:-1]) if "total" in field else None
    return found


def read_tacc_stats(path):
    """Parse lines by their first character, as the readers of TACC Stats do."""
    found, types, second = {}, {}, None
    for line in open(path, encoding="utf-8"):
        word = line.split()
        if not word or line[0] in "$%":
            continue
        if line[0] == "!":
            types[word[0][1:]] = word[1:]
        elif line[0].isdigit():
            second = int(float(word[0]))
            assert len(word) == 3
        else:
            assert types[word[0]] == ["total,E,W=64"], word
            found[second, word[1], word[0][len("rcr_"):]] = int(word[2])
    return found


def read_ctf(path):
    """By babeltrace2's text output."""
    text = subprocess.run(["babeltrace2", "--clock-seconds", "--no-delta", path], check=True,
                          capture_output=True, text=True).stdout
    found = {}
    for line in text.splitlines():
        time, kind, rest = re.match(r"\[(\d+)\.\d+\].* rcrtool:(\w+): (?:\{[^}]*\}, )?\{(.*)\}$", line).groups()
        field = dict(re.findall(r'(\w+) = "?([^",]*)"?', rest))
        if kind in ("counter", "missing"):
            found[int(time), field["place"], field["counter"]] = \
                int(field["total"]) if kind == "counter" else None
    return found


def read_chrome(path):
    """Return the rates; a rate over one second is a difference of totals."""
    trace = json.load(open(path, encoding="utf-8"))
    return {(int(e["ts"] // 10**6),) + tuple(e["name"].split(" ")): e["args"]["rate"]
            for e in trace["traceEvents"] if e["ph"] == "C"}


def main():
    kind, path, raw = sys.argv[1:]
    found = globals()["read_" + kind](path)
    totals = raw_totals(raw)
    seconds = sorted({key[0] for key in totals})
    compared = missing = 0
    for (second, place, event), value in found.items():
        second = second or seconds[-1]
        expected = totals[second, place, event]
        if kind == "chrome":
            before = totals.get((second - 1, place, event))
            if before is None:
                continue
            expected -= before
        assert value == expected, (second, place, event, value, expected)
        if value is None:
            missing += 1
        else:
            compared += 1
    print(compared, missing)


main()
