#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""steps.py TOLD STEPS CALLBACKS CEILINGS: checks the instructions of a tick, and prints TAP. TOLD
is the output of guest/cost/instructions.sh, STEPS the record that the virtual PMU made meanwhile.

steps.py -b TOLD STEPS CALLBACKS: prints the counts as lines of the bench, "bench|NAME|VALUE|
UNIT|NUMBER", and the lines of the bench in TOLD.

steps.py -l TOLD STEPS CALLBACKS: lists the instructions of a tick by function; TOLD must contain
the kernel's symbols.

"asked" is the sampler while a reader asks for places.

CALLBACKS has a line "WHO OFFSET FUNCTION" for each of the two modules: the offset of the timer's
callback in the module's code. CEILINGS has a line "REGISTERS TICK CALLBACK" for each number of
registers: the recorded numbers of instructions.

A tick consists of the instructions from the first one of the interrupt to its iret, if the callback
is among them. The callback is the same each time. The rest has fewer instructions if the kernel was
interrupted, more if another timer is due as well, and a few more or less with the order of the
timers. So ticks that differ by a few instructions are grouped, and the result is the largest number
of the largest group. The interrupted program must have seen that number, too.
"""
import base64
import gzip
import sys
from bisect import bisect_right
from collections import Counter, defaultdict
from itertools import groupby
from pathlib import Path

# Bounds by number of registers: the interrupt's instructions relative to the bare timer's, and the
# callback's instructions. Those for 12 registers are the present figures.
MOST_TICK = {1: 1.31, 6: 1.31, 12: 1.37}
MOST_CALLBACK = {1: 450, 6: 450, 12: 570}
# Tolerance of a recorded count, for another compiler of the same kernel. It is also a lower bound:
# record an improvement, so that losing it again is noticed.
SLACK = 1.03
# A tick while a reader asks for places, relative to one while none does.
MOST_ASKED = 1.05
ASKED = 6
# A call takes at most this many bytes.
CALL_BYTES = 8
REGISTERS = (1, 6, 12)
TOP = 15
# Least number of ticks of a run, and of gaps that the interrupted program saw with that result.
LEAST_TICKS = 30
LEAST_SEEN = 5
# The order of timers changes the count by at most this many instructions.
NEAR = 8


class Told:
    """The output of the guest."""

    def __init__(self, path):
        self.kernel, self.runs, self.bench, packed = {}, {}, [], ""
        for line in Path(path).read_text().splitlines():
            word = line.split()
            if word[:1] == ["kernel"]:
                self.kernel[word[3]] = int(word[1], 16)
            elif word[:1] == ["run"]:
                self.runs[int(word[1])] = (word[2], int(word[3]), int(word[4], 16),
                                           [int(gap) for gap in word[5:]])
            elif line.startswith("bench|"):
                self.bench.append(line)
            elif word[:1] == ["symbols"]:
                packed += word[1]
        symbols = gzip.decompress(base64.b64decode(packed)).decode() if packed else ""
        self.symbols = sorted((int(address, 16), name) for address, name in
                              (line.split() for line in symbols.splitlines()))


def interrupts(steps, first, last):
    """Return the timer interrupts of each run, as lists of addresses."""
    runs, run, now = defaultdict(list), 0, None
    with open(steps) as lines:
        for line in lines:
            if line.startswith("steps "):
                run, now = int(line.split()[1]), None
            elif line.startswith("Trace "):
                address = int(line.split("/")[1], 16)
                if address == first:
                    now = []
                if now is not None:
                    now.append(address)
                    if address == last:
                        runs[run].append(once(now))
                        now = None
    return runs


def once(addresses):
    """Drop the second line of an instruction that accesses a device, which QEMU begins twice. Keep
    those of a string instruction, one for each repetition."""
    out = []
    for address, group in groupby(addresses):
        times = len(list(group))
        out += [address] * (1 if times == 2 else times)
    return out


def callback_of(interrupt, begin):
    """Return the part of an interrupt that is the callback, up to its return."""
    if begin not in interrupt:
        return None
    at = interrupt.index(begin)
    call = interrupt[at - 1]
    for end in range(at, len(interrupt)):
        if 0 < interrupt[end] - call <= CALL_BYTES:
            return interrupt[at:end]
    return None


def is_near(count, recorded):
    return recorded / SLACK <= count <= recorded * SLACK


def typical(numbers):
    """Return the largest number of the largest group in which neighbours are close."""
    groups = []
    for number in sorted(numbers):
        if not groups or number - groups[-1][-1] > NEAR:
            groups.append([])
        groups[-1].append(number)
    return max(groups, key=len)[-1] if groups else 0


def ticks_of(told, steps, callbacks):
    """Return ticks with their callbacks and the gaps that the program saw, by (who, registers)."""
    begin = {word[0]: int(word[1], 16) for word in
             (line.split() for line in Path(callbacks).read_text().splitlines())}
    runs = interrupts(steps, told.kernel["asm_sysvec_apic_timer_interrupt"],
                      told.kernel["native_irq_return_iret"])
    begin["asked"] = begin.get("own")
    found = {}
    for number, (who, registers, text, gaps) in told.runs.items():
        pairs = [(i, callback_of(i, text + begin[who])) for i in runs[number]]
        found[who, registers] = [pair for pair in pairs if pair[1]], gaps
    return found


def tell(found):
    for (who, registers), (ticks, _) in sorted(found.items()):
        for what, part in (("tick", 0), ("callback", 1)):
            count = typical([len(tick[part]) for tick in ticks])
            print(f"bench|{what}_{who}_{registers}|{count}|instructions|{len(ticks)}")


class Tap:
    def __init__(self, plan):
        self.number, self.failed = 0, False
        print(f"TAP version 13\n1..{plan}")

    def result(self, good, text):
        self.number += 1
        self.failed |= not good
        print(f"{'ok' if good else 'not ok'} {self.number} - {text}")


def judge(found, ceilings):
    tap = Tap(5 * len(REGISTERS) + 1)
    for registers in REGISTERS:
        count, alone = {}, {}
        for who in ("bare", "own"):
            ticks, gaps = found.get((who, registers), ([], []))
            count[who] = typical([len(tick) for tick, _ in ticks])
            alone[who] = typical([len(callback) for _, callback in ticks])
            seen = gaps.count(count[who])
            tap.result(len(ticks) >= LEAST_TICKS and seen >= LEAST_SEEN,
                       f"{who}, {registers} registers: {count[who]} instructions; of {len(ticks)} "
                       f"ticks {seen} took as many by the clock of the program interrupted")
        ratio = [n["own"] / max(n["bare"], 1) for n in (count, alone)]
        print(f"# instructions per tick, {registers} registers: {count['own']} "
              f"(bare {count['bare']}, ratio {ratio[0]:.2f}); callback alone {alone['own']} "
              f"(bare {alone['bare']}, ratio {ratio[1]:.2f})")
        tap.result(0 < ratio[0] <= MOST_TICK[registers],
                   f"{registers} registers: the interrupt takes {ratio[0]:.2f} times the "
                   f"instructions of the bare timer's, at most {MOST_TICK[registers]}")
        tap.result(0 < alone["own"] <= MOST_CALLBACK[registers],
                   f"{registers} registers: the callback alone takes {alone['own']} "
                   f"instructions, at most {MOST_CALLBACK[registers]}")
        most = ceilings.get(registers, (0, 0))
        tap.result(0 < count["own"] and is_near(count["own"], most[0]) and
                   is_near(alone["own"], most[1]),
                   f"{registers} registers: {count['own']} and {alone['own']} instructions, "
                   f"{most[0]} and {most[1]} are recorded")
    asked, not_asked = (typical([len(tick) for tick, _ in found.get((who, ASKED), ([], []))[0]])
                        for who in ("asked", "own"))
    tap.result(not_asked < asked <= MOST_ASKED * not_asked,
               f"{ASKED} registers: while a reader asks for places a tick takes {asked} "
               f"instructions, at most {MOST_ASKED} times {not_asked}")
    return tap.failed


def list_functions(told, found):
    """List the functions of the sampler's tick with the most registers."""
    ticks, _ = found["own", REGISTERS[-1]]
    most = typical([len(tick) for tick, _ in ticks])
    tick, callback = next(pair for pair in ticks if len(pair[0]) == most)
    addresses = [address for address, _ in told.symbols]
    for what, part in (("the interrupt", tick), ("the callback", callback)):
        by_name = Counter(told.symbols[bisect_right(addresses, address) - 1][1]
                          for address in part)
        print(f"{len(part)} instructions of {what}:")
        for name, count in by_name.most_common(TOP):
            print(f"{count:6} {100 * count / len(part):5.1f} %  {name}")


def main():
    arguments = sys.argv[1:]
    how = arguments.pop(0) if arguments[0].startswith("-") else ""
    told = Told(arguments[0])
    found = ticks_of(told, arguments[1], arguments[2])
    if how == "-l":
        list_functions(told, found)
        return 0
    if how == "-b":
        tell(found)
        print("\n".join(told.bench))
        return 0
    ceilings = {}
    for line in Path(arguments[3]).read_text().splitlines():
        if line and not line.startswith("#"):
            registers, tick, callback = map(int, line.split())
            ceilings[registers] = tick, callback
    return judge(found, ceilings)


if __name__ == "__main__":
    sys.exit(main())
