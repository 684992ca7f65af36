#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# seeds.py FOLDER - writes the files that the fuzzers begin with: FOLDER/seeds/TARGET/N, inputs
# that are valid or nearly so; FOLDER/TARGET.dict, words of inputs; and FOLDER/sysfs, the PMUs of
# the kernel as names.c reads them.
import os
import struct
import subprocess
import sys

folder = sys.argv[1]


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())


def seeds(target, inputs):
    for number, data in enumerate(inputs):
        write(f"{folder}/seeds/{target}/{number:02}", data)


def words(target, text):
    quoted = (w.replace("\\", "\\\\").replace('"', '\\"') for w in text.split())
    write(f"{folder}/{target}.dict", "".join(f'"{w}"\n' for w in quoted))


# Items of <linux/rcrtool.h>.
SET, LOST, GAP, MARK, SAMPLE, CLOCK, STRIDE = 1, 2, 3, 4, 16, 17, 18
MACHINE = 0xffffffff
COUNTER_BYTES = 96
RECORD_BYTES = 96


def item(size, kind, cpu=MACHINE, generation=1):
    return struct.pack("<IHHII", size, kind, 0, cpu, generation)


def counter(name, select=0x430076, scope=0, unit=0):
    return struct.pack("<64sQQQIHH", name.encode(), select, 0xc0010200, 0xc0010201, 48, scope, unit)


def stream_set(counters, cpus=2, slow=0, error=0, generation=1, version=4):
    """Return a set with these counters, and CPUs 0 to cpus - 1."""
    fixed = 480
    record = RECORD_BYTES + (9 * len(counters) + 7) // 8 * 8
    slow_offset = record if slow else 0
    record += 16 if slow else 0
    size = fixed + COUNTER_BYTES * len(counters) + 8
    head = item(size, SET, generation=generation)
    head += struct.pack("<8I5Q", version, version, error, len(counters), cpus, record, 16, 1000000,
                        4096, 1000000, 7, 5000000000, 1700000005000000000)
    head += struct.pack("<16s32s", b"msr", b"AMD Fam15h")
    head += struct.pack("<IHH8Q192s", 1 if error else 0, 0, 1 if error else 0, *[0] * 8,
                        b"inert" if error else b"")
    head += struct.pack("<8IQQIIQIIQ", fixed, COUNTER_BYTES, fixed + COUNTER_BYTES * len(counters),
                        RECORD_BYTES, 8, RECORD_BYTES + 8 * len(counters), 1, slow_offset, slow,
                        10000000, 32, 8192, 0, 0, 0, 0)
    assert len(head) == fixed
    return head + b"".join(counters) + struct.pack("<Q", (1 << cpus) - 1)


def sample(cpu, ms, totals, statuses=None, slow=False, kind=SAMPLE, generation=1):
    tsc = ms * 1000000
    n = len(totals)
    size = RECORD_BYTES + (9 * n + 7) // 8 * 8 + (16 if slow else 0)
    data = item(size, kind, cpu, generation)
    data += struct.pack("<6Q4I2Q", ms, ms, ms * 1000000, tsc, tsc + 2000, 0, 0, 0, 0, 1, 0, 100 * ms)
    data += struct.pack(f"<{n}Q", *totals) + bytes(statuses or [1] * n)
    data += bytes(-len(data) % 8)
    return data + (struct.pack("<QQ", tsc - 5, tsc - 1) if slow else b"")


def mark(ms, kind, text):
    return item(176, MARK) + struct.pack("<3Q2I128s", 0, ms * 1000000, ms * 1000000, kind, 0, text)


def lost(cpu, count):
    return item(32, LOST, cpu) + struct.pack("<QQ", 3, count)


def gap(cpu, ms):
    return item(24, GAP, cpu) + struct.pack("<Q", ms * 1000000)


def clock(cpu, ms):
    return sample(cpu, ms, [5, 1 << 40, 7], kind=CLOCK)


PLAIN = [counter("TOT_CYC"), counter("TOT_INS", 0x4300c0)]
MANY = PLAIN + [counter("RETIRED_FLOPS", 0x43ff03), counter("VEC_INS", 0x4304cb),
                counter("L3_CACHE_MISSES", 0x140040f7e1, 1), counter("TEMP", 0, 2, 2),
                counter("ENERGY", 0, 2, 1), counter("APERF", 0)]


def run(counters, ticks=24, cpus=2, slow=0, statuses=None, first=1000):
    """Return a sample of each CPU for each millisecond."""
    data = stream_set(counters, cpus, slow)
    for ms in range(first, first + ticks):
        for cpu in range(cpus):
            totals = [(i + 1) * 1000 * (ms - first) + cpu for i in range(len(counters))]
            data += sample(cpu, ms, totals, statuses, bool(slow))
    return data


def broken_run():
    """Return decreasing totals, and impossible counts of instructions."""
    data = stream_set(MANY)
    for ms in range(1000, 1024):
        fall = ms == 1010
        data += sample(0, ms, [1000 * ms, 99000000 * ms, 0 if fall else ms, ms << 30, 5, 45000, 7, 8],
                       [1, 1, 1, 1, 1, 1, 3 if ms > 1012 else 1, 1])
        data += sample(1, ms, [ms] * 8, [1, 1, 1, 1, 8, 8, 8, 7 if ms == 1005 else 1])
    return data


STREAMS = [
    run(PLAIN, 3), run(MANY, 3, 1, slow=0x30), stream_set([], error=16),
    stream_set(PLAIN) + lost(0, 5) + gap(1, 1001) + clock(0, 1001) + sample(0, 1002, [5, 6]),
    stream_set(PLAIN) + mark(1000, 2, b"4711") + mark(1001, 1, b"x") + mark(1002, 3, b"4711"),
    run(PLAIN, 2) + stream_set(MANY, generation=2) + item(24, 99) + struct.pack("<Q", 0),
    stream_set(PLAIN, version=3) + sample(0, 1, [1, 2], kind=STRIDE),
]
RUNS = [
    run(PLAIN), run(MANY, cpus=4), run(MANY, slow=0x30), broken_run(),
    run(PLAIN, 12) + lost(1, 7) + sample(1, 1020, [90000, 90000]) + clock(0, 1021) + gap(1, 1022),
    run(PLAIN, 6) + mark(1004, 2, b"4711") + sample(0, 1006, [8000, 9000]) + mark(1007, 1, b"n\xc3\xa4")
    + sample(1, 1007, [8000, 9000]) + mark(1008, 3, b"4711") + sample(0, 1030, [88000, 99000]),
    run(PLAIN, 12) + run(MANY, 12, first=1012) + stream_set([], error=16),
    run(PLAIN[:1], statuses=[3]), run(PLAIN, 3, 33),
]
seeds("stream", STREAMS)
# All runs in the formats whose output differs most; one run in all formats, with shares of tasks.
seeds("rcrstat", [bytes([form, i % 7 + form % 2 * 70, i % 3]) + data for i, data in enumerate(RUNS) for form in range(4)] +
      [bytes([form, tasks, 2]) + RUNS[0] for form in range(4, 11) for tasks in (0, 192)])


def ring(record=104, capacity=8, head=9, ended=0):
    data = struct.pack("<Q8I", 0x52435252494e4734, 4, 4, 128, record, capacity, 1, 1, ended)
    data += bytes(24) + struct.pack("<QQ", head, head) + bytes(48)
    slots = b"".join(sample(1, 1000 + n, [n, n]).ljust(record, b"\0") for n in range(capacity))
    return data + slots


# The set's description, the ring, and changes: head and reserved move on; it ends.
MOVES = b"\0\x48\x0b\0" + b"\0\x40\x0b\0" + b"\0\x48\x20\0" + b"\0\x40\x20\0" + b"\0\x24\1\0"
seeds("map", [bytes([2, 0, 31]) + ring().ljust(2048, b"\0") + MOVES,
              bytes([2, 0, 31]) + ring(head=0).ljust(2048, b"\0") + MOVES * 3,
              bytes([2, 14, 31]) + ring(128).ljust(2048, b"\0") + MOVES])


def board(kind=1, state=1):
    """Return a blackboard of a machine with two nodes, with two meters."""
    meters, places, entries = 3, 3, 6
    meter_at = 128
    place_at = meter_at + meters * 128
    entry_at = place_at + places * 16
    size = entry_at + entries * 256
    head = struct.pack("<QIIQIIQQQQ9I", 0x524352424f415244, 2, 2, size, state, 0, 1, 1 << 62, 1000000,
                       2000000, 128, meter_at, meters, 16, place_at, places, 256, entry_at, entries)
    data = head.ljust(meter_at, b"\0")
    for n, name in ((0, b"mem_bw"), (1, b"ipc")):
        data += struct.pack("<II64s16s6IQ8x", 100 + n, n, name, b"B/s", 3 * n, 2, kind, 0, 3 * n, 3, 1000000000)
    data = data.ljust(place_at, b"\0")
    data += struct.pack("<12I", 0, 0, 0, 0, kind, 0, 0, 0, kind, 1, 0, 0)
    for n in range(entries):
        value = struct.pack("<12q4I", 5, 4, 50, 6, 7, 3, 10, 5, 5000, 4000, 1, 999, 1, 2, 500000, 0)
        data += struct.pack("<QQIII4x", 1, 1, 100 + n // 3, n // 3, n % 3) + bytes(112) + value
    return data


# How much is cut off, the board, and its content afterwards.
WHOLE = board()
seeds("board", [b"\0" + WHOLE + board(state=0), b"\0" + board(6) + board(6), b"\x20" + WHOLE + WHOLE,
                b"\0" + WHOLE + WHOLE[:28] + b"\1" + WHOLE[29:]])


def memory_device(locator, speed=1600, width=64, size=8192):
    body = struct.pack("<HHHHHHBBBBBHH", 1, 2, 72, width, size, 9, 0, 1, 2, 24, 0, speed, 0)
    body = body.ljust(28, b"\0") + struct.pack("<IH", 0, speed)
    return struct.pack("<BBH", 17, 4 + len(body), 40) + body + locator + b"\0BANK\0\0"


TABLE = memory_device(b"P0 CHANNEL A") + memory_device(b"P0 CHANNEL B", 1333) + memory_device(b"DIMM_3")
seeds("smbios", [TABLE + b"\x7f\4\0\0\0\0", TABLE, memory_device(b"x", 0xffff, 72) + TABLE])

# A message, a head, requests and a line of /proc/PID/stat, after a byte that selects one.
JOIN = struct.pack("<IIIIQ", 24, 1, 1, 0, 4711)
HEAD = struct.pack("<QIIIIII", 0x524352534c4f5453, 1, 1, 64, 4096, 4096, 32)
seeds("board2", [
    b"\0" + JOIN, b"\0" + struct.pack("<I", 32) + JOIN[4:] + bytes(8), b"\1" + HEAD, b"\1" + HEAD + b"\1",
    b"\2threads 1 2 3", b"\2record arm 5000000000 mark,oom", b"\2record fetched 7",
    b"\3" + b"7 (a) b) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20"])

seeds("event", [
    "TOT_CYC=event:0x76", "A=event:0x1c0,umask:7,cmask:2,inv,edge,os;B=event:2,user,B2=event:3",
    "nb:event:0x1e0,umask:0x0f,pernode", "R=register:energy-pkg", "CTX=software:context-switches",
    "T=tracepoint:321", "E=pmu:21,config:0xffffffffffffffff,config2:3,scope:package,joules,slow",
    "cbo3:event:0x35,umask:3,filter:0x67,filter1:0x10,counter:1,slow", "A=event:1,host,guest,en\n;",
])
words("event", "event: umask: cmask: filter: filter1: inv edge os user host guest counter: pernode slow "
      "config: config1: config2: scope: joules pmu: register: software: tracepoint: nb: umc3: 0x cpu die "
      "llc core package context-switches page-faults = ; ,")
seeds("formula", [
    "A / B\n6rate(A) / tsc_hz", "rate(C) x 64\n0scale(m, 1e-6) + m", "\n3-(A + 2 x B) / -max(-B)",
    "A + B\n9max(m / C) x 2 / 3 - max(-2 x A / C + B / C)", "max(T)\n1mean(T - 3 x U) + m",
    "A / cpus\n2rate(sampler_cycles) / tsc_hz x 1e6 / cpus", "\n0threshold(A, 1.5e-3) - min(A, B)",
    "m\n0((((((((A))))))))", "\n0\"L3-MISS\" + \"min\" - 0 x xray", "\n7A / 3 + B / 4 - C / 6",
])
words("formula", "delta( rate( min( max( mean( threshold( scale( tsc_hz cpus sampler_cycles A B C T U "
      "\"L3-MISS\" x m alias 1e9 1e-9 0.5 + - * / ( ) ,")


def form(above, below=(), k=(1, 1), reductions=(0, 0), flags=0, tsc_hz=2000000000, parts=1, lanes=()):
    """Return a form. Terms: (name, kind, weight). A lane: (delta, time) for each name."""
    data = struct.pack("<QQBBBB", *k, flags, reductions[0] + 16 * reductions[1], len(above), len(below))
    data += b"".join(struct.pack("<BBi", *term) for term in (*above, *below))
    data += struct.pack("<QQB", tsc_hz, parts, len(lanes))
    for lane in lanes:
        data += struct.pack(f"<{2 * len(lane)}Q", *(c[0] for c in lane), *(c[1] for c in lane))
    return data


TWO = [[(1000, 2000), (3000, 2000)], [(77, 2001), (1, 1999)], [(5, 0), (6, 7)]]
LARGE = [[((1 << 64) - 1, 1)] * 2] * 5
FORMS = [form([(1, 0, 1)], lanes=[[(5, 9)]]), form([(0, 0, 1)], lanes=[[(5, 9)]])]
for kind in range(3):
    FORMS += [form([(1, kind, 1), (2, kind, -3)], reductions=(r, 0), lanes=TWO) for r in range(4)]
    FORMS += [form([(1, kind, 1)], [(2, 0, 1)], (1000000000, 3), (r, r), lanes=TWO) for r in range(4)]
    FORMS += [form([(1, kind, 1)], [(2, 1, 7)], (10, 3), (r, 0), 1, lanes=TWO) for r in range(4)]
    FORMS += [form([(1, kind, w), (2, kind, w)], k=k, tsc_hz=(1 << 64) - 1, lanes=LARGE)
              for w in (-(1 << 31), (1 << 31) - 1) for k in ((1, 1), (1, (1 << 64) - 1))]
FORMS += [form([(i, 0, 1) for i in range(n)], flags=2, lanes=[[(9, 9)] * n]) for n in (32, 33)]
FORMS += [form([], lanes=TWO), form([(1, 0, 0)], lanes=TWO), form([(1, 3, 1)]), form([(0, 2, 1)]),
          form([(1, 0, 1), (2, 1, 1)], flags=4), form([(1, 0, 1)], k=(1, 0)), form([(1, 0, 1)], reductions=(4, 0)),
          form([(1, 0, 1)], [(2, 0, 1)], reductions=(3, 3), flags=1, lanes=TWO), form([(1, 1, 1)], tsc_hz=0, lanes=TWO)]
seeds("form", FORMS)
seeds("dictionary", [
    "# Name, Write_addr\nTLB_DM, 0xc0010200, 0x046, 0x07, 0xc0010201, 0x3, 0x0, 0x0, MSR_DEFAULT, CTR_NUMCORE\n"
    "DRAM, 0xc0010242, 0x1E0, 0xF, 0xc0010243, 0x0, 0x1, 0x0, UNCORE_PER_NUMA, CTR_UNCORE\r\n",
    "A, 3221291524, 65, 1, 0xc0010205, 1, 0, 0, -a, CTR_NUMCORE\nA,,,,,,,,,\n",
])
words("dictionary", "0xc0010200 0xc0010201 0xc0010242 0xc0010243 MSR_DEFAULT UNCORE_PER_NUMA CTR_NUMCORE "
      "CTR_UNCORE -a , # 0x")
NAMES = """TOT_CYC
L1_DCM
X=event:0x76,umask:1,cmask:2,inv,edge,user,counter:1
L3_CACHE_MISSES
N=nb:event:0x4e1,umask:0xf7
context-switches
sched:sched_switch
DATA_CACHE_MISSES:DC_MISS_STREAMING_STORE:u:c=2
amd_nb/event=0x4e1,umask=0xf7/
P=power/energy-pkg/
uncore_imc_0/cas_count_read/
uncore_pcu/event=1,occ_sel=3/
amd_l3/event=4,threadmask=0xff/
cpu/cycles/
register:energy-pkg
pmu:13,config:0x2,scope:package,joules
cbo0::UNC_C_TOR_INSERTS:ALL
"""
seeds("names", [bytes([kind]) + NAMES.encode() for kind in range(32)])
words("names", NAMES + " / = : , event: umask: 0x pmu: register: software: tracepoint: config: config1: "
      "scope: :u :k :c=2 :i :e amd_umc_12 msr/tsc/ rdwrmask= filter_nid= thresh= nb: umc0: cbo3: l3: df:")
seeds("set", [
    "# mine\n\nTOT_CYC\r\n  BR=event:0xc2,umask:1,counter:2\t\nperiod 2.5ms\nCTX=context-switches\n",
    "period 1s\nP=power/energy-pkg/\nN=nb:event:0x4e1,umask:0xf7\n", "A=event:1\nA=event:2\nperiod soon\n",
])
words("set", "period ms us min s # = TOT_CYC event: nb:event: power/energy-pkg/")
seeds("calibration", [
    "family AMD Fam15h\nmem_bw machine maximum 51200000000B/s\n"
    "mem_bw read maximum 38000000000B/s contention 31000000000B/s\n",
    "# x\nfamily x\npower copy maximum 1.5e2 contention 80\npower random maximum 12GW contention 9GW\n",
])
words("calibration", "family machine maximum contention read write copy random mem_bw 1e9 G B/s % # 12.5")
seeds("relations", [
    "L1_DCM <= 2 LS_DISP + 100\n# and\nTOT_INS <= 4 TOT_CYC + tsc\n", "event:0xc2 <= register:aperf + 0.5 ns",
    "A <= B + C + D + 1e3 E + 7\n",
])
words("relations", "<= + tsc ns nanojoules event: register:aperf nb:event: 1e9 0x1p3 # A B")
CONDITIONS = ["mem_bw > 80% for 100ms below 70%", "b > 1 over 50ms for 1s",
              "ipc<0.5", "3 > 10G below 9G", "a < -1.5e3B/s for 2s above 0"]
seeds("words", [b"\0" + c.encode() for c in CONDITIONS] +
      [b"\1" + q for q in (b"10G", b"1.5e9B", b"80%", b"-0.001", b"12kB", b"9223372036854775.807")] +
      [b"\2" + p for p in (b"2.5ms", b"1min", b"0x1p3us", b"0.0005us")] +
      [b"\3" + c for c in (b"0-3,8", b"8191", b"5-4")] +
      [b"\4" + f for f in (b"rate(\"a b\") x 64 / x", b"scale(CYC, 1e-6)+min(y)", b"x x x x 2.5")] +
      [b"\5" + t for t in (b'a "b" \\', b"\xc3\xa4\n\t\x7f")])
words("words", "> < over for below above % G k M B/s ms us min s 1e9 0-3 , \" x rate( scale( ( )")

LUSTRE = b"snapshot_time 1583412345.123456789 secs.nsecs\n"
LUSTRE_LINES = (b"read_bytes 10 samples [bytes] 4096 4194304 8388608\nopen 17 samples [regs]\n"
                b"req_waittime\t23 samples [usec] 41 2394 7013 7437249\n")
seeds("sources", [b"\0" + t for t in (
    LUSTRE + LUSTRE_LINES, LUSTRE + LUSTRE_LINES[:-9], LUSTRE_LINES, b"elapsed_time 1\n" + LUSTRE_LINES + LUSTRE_LINES,
    LUSTRE + b"open 18446744073709551616 samples [regs]\nclose -1 samples [regs]\n\0 1 samples [regs]\nx 1 samples []\n",
    LUSTRE + b"".join(b"op%d 1 samples [regs]\n" % i for i in range(200)), b"")] +
      [b"\1" + b" ".join(b"%d" % i for i in range(n)) + b"\n" for n in (10, 11, 12)] +
      [b"\2" + c for c in (b"0\n", b"18446744073709551615\n", b"N/A (no PMA)\n", b"5")] +
      [b"\3" + c for c in (b"12@1583412345.000000001\n", b"12@.\n", b"@1.1\n", b"12\n")])
words("sources", "snapshot_time start_time elapsed_time samples [bytes] [regs] [usec] secs.nsecs 18446744073709551615 @ .")

REGION = f"{folder}/region.rcr"


def region_file(*words):
    """Return a file of librcrregion, after the byte that requests a valid checksum."""
    writer = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../bats/region_file.py")
    subprocess.run([writer, REGION, *words], check=True)
    with open(REGION, "rb") as f:
        return b"\1" + f.read()


seeds("region", [region_file("3", "0", "solve", "100", "200"), region_file("-1", "11", "a", "5"),
                 region_file("0", "0", "b", "7")[:-9], b"\0"])
words("region", "RCRREGN tsc cycles instructions cache-misses solve node general")
seeds("marks", [bytes(m) for m in (
    [6, 1, 0, 9, 6, 1, 1, 9, 0, 2, 1, 1, 6, 2, 0, 9, 6, 3, 0, 17, 0, 3, 1, 1, 6, 4, 0, 9],
    [0, 2, 0, 1, 0, 2, 1, 1, 6, 9, 1, 8, 3, 6, 9, 1, 9, 4, 0, 3, 0, 1, 0, 3, 2, 1, 5, 4],
    [0, 3, 9, 1, 0, 2, 100, 1] + list(range(1, 101)) + [6, 1, 2, 200, 2, 2, 6, 1, 2, 201, 0, 2, 1, 0, 4, 5],
    [7, 5, 3, 33] * 8 + [0, 26, 2, 1, 7, 5, 3, 8, 0, 3, 2, 1, 7, 5, 3, 9, 4],
)])
# Changes to a card: of two numbers, of a byte, and none.
seeds("cards", [b"\0", b"\1", bytes([0, 4, 0, 40, 3]), bytes([0, 4, 2, 90, 8, 4, 3, 33, 6]),
                bytes([1, 0, 1, 17, 65]), bytes([0, 3, 3, 0, 80, 1, 1, 0, 9])])

PMUS = {
    "amd_nb": (10, "0,2", {"event": "config:0-7,32-35", "umask": "config:8-15"}, {}),
    "amd_l3": (11, "0-1", {"event": "config:0-7", "umask": "config:8-15", "threadmask": "config:56-63"}, {}),
    "amd_umc_12": (12, "1", {"event": "config:0-7", "rdwrmask": "config:8-9"}, {}),
    "power": (13, "0", {"event": "config:0-7"},
              {"energy-pkg": "event=0x02", "energy-pkg.unit": "Joules",
               "energy-pkg.scale": "2.3283064365386962890625e-10"}),
    "msr": (14, None, {"event": "config:0-63"}, {"aperf": "event=0x01", "tsc": "event=0x00"}),
    "uncore_cbox_3": (15, "0", {"event": "config:0-7", "umask": "config:8-15", "edge": "config:18",
                                "thresh": "config:24-31", "filter_nid": "config1:10-17"}, {}),
    "uncore_imc_0": (16, "0", {"event": "config:0-7", "umask": "config:8-15"},
                     {"cas_count_read": "event=0x04,umask=0x03"}),
    "uncore_pcu": (17, "0", {"event": "config:0-7", "occ_sel": "config:14-15"}, {}),
    "cpu": (4, None, {"event": "config:0-7,32-35", "umask": "config:8-15", "ldlat": "config1:0-15"},
            {"cycles": "event=0x76"}),
}
for pmu, (number, cpus, terms, events) in PMUS.items():
    at = f"{folder}/sysfs/bus/event_source/devices/{pmu}"
    write(f"{at}/type", f"{number}\n")
    if cpus:
        write(f"{at}/cpumask", f"{cpus}\n")
    for term, bits in terms.items():
        write(f"{at}/format/{term}", f"{bits}\n")
    for event, text in events.items():
        write(f"{at}/events/{event}", f"{text}\n")
for cpu in range(4):
    at = f"{folder}/sysfs/devices/system/cpu/cpu{cpu}"
    for name, number in (("physical_package_id", cpu // 2), ("die_id", cpu // 2), ("core_id", cpu % 2)):
        write(f"{at}/topology/{name}", f"{number}\n")
    write(f"{at}/cache/index0/level", "3\n")
    write(f"{at}/cache/index0/id", f"{cpu // 2}\n")
write(f"{folder}/sysfs/devices/system/node/node0/cpulist", "0-1\n")
write(f"{folder}/sysfs/devices/system/node/node1/cpulist", "2-3\n")
write(f"{folder}/tracefs/events/sched/sched_switch/id", "314\n")
