# SPDX-License-Identifier: GPL-2.0-only
#
# stream_items.py - parses a saved stream by the layout in <linux/rcrtool.h>, independently of
# librcr, for grid_sums.py and job_totals.py.
import struct

SET, MARK, SAMPLE = 1, 4, 16


def read_items(data):
    """Yield the type, the CPU and the bytes of each item."""
    at = 0
    while at < len(data):
        size, kind, _, cpu = struct.unpack_from("=IHHI", data, at)
        yield kind, cpu, data[at:at + size]
        at += size


def read_set(item):
    """Return name, scope and unit of each counter, the offset of the clock and that of the totals."""
    count, = struct.unpack_from("=I", item, 28)
    monotonic, realtime = struct.unpack_from("=QQ", item, 72)
    first, size, _, value = struct.unpack_from("=IIII", item, 400)
    counters = []
    for i in range(count):
        name, = struct.unpack_from("=64s", item, first + i * size)
        scope, unit = struct.unpack_from("=HH", item, first + i * size + 92)
        counters.append((name.split(b"\0")[0].decode(), scope, unit))
    return counters, realtime - monotonic, value
