#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# form_vectors.py FILE - writes forms of meters, counts of CPUs, and the values, for
# test_form.c. Values are exact fractions, by the rules at the head of kmod/meter/form.c;
# nothing here is a translation of that file.
#
# A line is a form and its lanes, all numbers:
#
#	numerator denominator per_cpu reduction_above reduction_below
#	terms_above terms_below { operand kind weight } tsc_hz parts
#	operands lanes times { { delta } { time } } defined low high
#
# where the lanes are repeated "times" times, and the value, if it is defined, is
# from low to high.
import random
import sys
from fractions import Fraction

COUNT, RATE, GAUGE = range(3)
SUM, MEAN, MIN, MAX = range(4)
UNIT = 1 << 32
CAP = 1 << 44
S64_MAX = (1 << 63) - 1
S32_MIN, S32_MAX = -(1 << 31), (1 << 31) - 1
U64_MAX = (1 << 64) - 1

# The tolerance of values whose parts do not fit in 64 bits.
TOLERANCE = Fraction(1, 1 << 60)


class Form:
    """terms: for each side a list of (operand, kind, weight)"""

    def __init__(self, above, below=(), k=(1, 1), reductions=(SUM, SUM), per_cpu=False):
        self.sides = list(above), list(below)
        self.numerator, self.denominator = k
        self.reductions, self.per_cpu = reductions, per_cpu

    def operands(self):
        return 1 + max(t[0] for side in self.sides for t in side)


def term_value(kind, delta, time, tsc_hz):
    """In units of 2^-32."""
    if kind == COUNT or (kind == RATE and not tsc_hz):
        return delta * UNIT
    amount = delta * tsc_hz if kind == RATE else delta
    return min(amount * UNIT // time, CAP * UNIT)


def side_value(side, reduction, lanes, times, tsc_hz):
    """(sum in units of 2^-32, divisor), or None. The lanes are there "times" times."""
    if not side:
        return UNIT, 1
    if reduction == SUM:
        total = 0
        for operand, kind, weight in side:
            parts = [term_value(kind, delta[operand], time[operand], tsc_hz)
                     for delta, time in lanes if time[operand]]
            if not parts:
                return None
            total += weight * sum(parts) * times
        return total, 1
    each = [sum(weight * term_value(kind, delta[operand], time[operand], tsc_hz)
                for operand, kind, weight in side)
            for delta, time in lanes if all(time[t[0]] for t in side)]
    if not each:
        return None
    if reduction == MEAN:
        return sum(each) * times, len(each) * times
    return (min(each) if reduction == MIN else max(each)), 1


def round_away(x):
    sign = -1 if x < 0 else 1
    return sign * ((abs(x) * 2 + 1) // 2).__floor__()


def bounds(x, exact):
    """What the value of a fraction may be."""
    slack = 0 if exact else abs(x) * TOLERANCE
    return tuple(max(-S64_MAX, min(S64_MAX, round_away(x + s))) for s in (-slack, slack))


def fits(number):
    return abs(number) <= U64_MAX


def value_of_lanes(form, lanes, times, tsc_hz, parts):
    above, below = (side_value(form.sides[i], form.reductions[i], lanes, times, tsc_hz) for i in range(2))
    if above is None or below is None or not below[0]:
        return None
    up = above[0] * form.numerator * below[1]
    down = below[0] * form.denominator * above[1] * parts
    # Counts are whole numbers in the module; a fraction may lose some of its digits.
    whole = all(t[1] == COUNT or (t[1] == RATE and not tsc_hz) for side in form.sides for t in side)
    exact = whole and fits(up // UNIT) and fits(down // UNIT)
    return bounds(Fraction(up, down), exact)


def value(form, lanes, times, tsc_hz, parts):
    if not form.per_cpu:
        return value_of_lanes(form, lanes, times, tsc_hz, parts)
    each = [value_of_lanes(form, [lane], 1, tsc_hz, parts) for lane in lanes] * times
    each = [v for v in each if v]
    if not each:
        return None
    if form.reductions[0] in (MIN, MAX):
        pick = min if form.reductions[0] == MIN else max
        return tuple(pick(v[i] for v in each) for i in range(2))
    divisor = len(each) if form.reductions[0] == MEAN else 1
    sums = [sum(v[i] for v in each) for i in range(2)]
    return tuple(bounds(Fraction(s, divisor), fits(s))[i] for i, s in enumerate(sums))


class Writer:
    def __init__(self, out):
        self.out, self.rows = out, 0

    def row(self, form, lanes, times=1, tsc_hz=2100000000, parts=1):
        got = value(form, lanes, times, tsc_hz, parts)
        operands = form.operands()
        numbers = [form.numerator, form.denominator, int(form.per_cpu), *form.reductions,
                   len(form.sides[0]), len(form.sides[1])]
        for side in form.sides:
            for term in side:
                numbers += term
        numbers += [tsc_hz, parts, operands, len(lanes), times]
        for delta, time in lanes:
            numbers += list(delta) + list(time)
        numbers += [int(got is not None), *(got or (0, 0))]
        print(*numbers, file=self.out)
        self.rows += 1


# The count and the time of one counter of one CPU.
def one(delta, time=1):
    return [((delta,), (time,))]


def write_boundaries(w):
    """Values around 0, halves, and the largest."""
    x = [(0, COUNT, 1)]
    for sign in (1, -1):
        x = [(0, COUNT, sign)]
        for delta, k in ((0, (1, 1)), (1, (0, 1)), (1, (1, 2)), (1, (1, 3)), (3, (1, 2)), (2, (1, 3)),
                         (1, (1, U64_MAX)), (S64_MAX, (1, U64_MAX)), (1 << 63, (1, U64_MAX)),
                         (S64_MAX, (1, 1)), (1 << 63, (1, 1)), (U64_MAX, (1, 1)), (U64_MAX, (1, 2)),
                         (U64_MAX - 2, (1, 2)), (U64_MAX, (U64_MAX, 1)), (U64_MAX, (U64_MAX, U64_MAX)),
                         (U64_MAX - 1, (U64_MAX, U64_MAX)), ((1 << 63) - 3, (1, 1)), (U64_MAX, (1, U64_MAX)),
                         ((1 << 54) - 1, (1, 4)), ((1 << 54) + 1, (1, 4)), ((1 << 54) + 2, (1, 4)),
                         ((1 << 62) + 1, (1, 2)), (5, (1, 10)), (4999999999, (1, 10**10)), (5 * 10**9, (1, 10**10))):
            w.row(Form(x, k=k), one(delta))
        for i in range(0, 64, 3):
            for j in range(0, 64, 9):
                for near in (-1, 0, 1):
                    delta = max((1 << i) + near, 0)
                    w.row(Form(x, k=(1 << j, 1)), one(delta))
                    w.row(Form(x, k=(1, 1 << j)), one(delta))
                    w.row(Form(x, [(1, COUNT, -5)], (1 << 63, max((1 << j) + near, 1))),
                          [((delta, 1 << (63 - i)), (7, 1))])
    # Every exponent of 2 that a quotient can have.
    for exponent in range(-250, 120):
        up, down = max(exponent, 0), max(-exponent, 0)
        a, b = min(up, 63), min(down, 63)
        c, d = min(up - a, 63), min(down - b, 63)
        e = min(down - b - d, 63)
        f = min(down - b - d - e, 63)
        lanes = [((1 << a, 1 << b), (1, 1))]
        w.row(Form([(0, COUNT, 1)], [(1, COUNT, 1)], (1 << c, 1 << d)), lanes, parts=1 << (e + f if e + f < 64 else 63))
        w.row(Form([(0, COUNT, 3)], [(1, COUNT, 4)], (1 << c, 1 << d)), lanes, parts=1 << min(e, 63))
        w.row(Form([(0, COUNT, S32_MAX)], [(1, COUNT, S32_MIN)], (1 << c, 1 << d)), lanes, parts=1 << min(e, 63))


def write_undefined(w):
    for reduction in range(4):
        for per_cpu in (False, True):
            below = SUM if per_cpu else reduction
            x, y = [(0, COUNT, 1)], [(1, COUNT, 1)]
            form = Form(x, y, reductions=(reduction, below), per_cpu=per_cpu)
            w.row(form, [])
            w.row(form, [((5, 7), (0, 0)), ((5, 7), (0, 0))])
            w.row(form, [((5, 0), (1, 1)), ((6, 0), (1, 1))])
            w.row(form, [((0, 5), (1, 1)), ((0, 6), (1, 1))])
            w.row(form, [((5, 7), (1, 0)), ((6, 3), (0, 1))])
            w.row(form, [((5, 7), (1, 0)), ((6, 3), (0, 1)), ((8, 2), (1, 1)), ((9, 0), (1, 1))])
            # The divisor is 0 though none of its counters is.
            w.row(Form(x, [(0, COUNT, 1), (1, COUNT, -1)], reductions=(reduction, below), per_cpu=per_cpu),
                  [((5, 5), (1, 1)), ((6, 6), (1, 1))])
            for kind in range(3):
                both = [(0, kind, 3), (1, kind, -2)]
                w.row(Form(both, reductions=(reduction, SUM), per_cpu=per_cpu),
                      [((5, 7), (2, 3)), ((6, 3), (1, 0)), ((8, 2), (0, 1)), ((9, 1), (1, 4)), ((1, 1), (0, 0))])


def write_largest(w):
    """32 terms on 8192 CPUs, all as large as they can be."""
    for weight in (S32_MIN, S32_MAX, 1, -1):
        for kind in range(3):
            for reduction in range(4):
                side = [(i, kind, weight) for i in range(32)]
                lanes = [((U64_MAX,) * 32, (1,) * 32)]
                w.row(Form(side, reductions=(reduction, SUM)), lanes, 8192, U64_MAX)
                w.row(Form(side, k=(1, 1 << 63), reductions=(reduction, SUM)), lanes, 8192, 0, 1 << 40)
                w.row(Form(side, k=(1, U64_MAX), reductions=(reduction, SUM)), lanes, 8192, U64_MAX, 1 << 40)
                w.row(Form(side, side, (12345, 1), (reduction, reduction)), lanes, 8192, U64_MAX)
                w.row(Form(side, [(0, COUNT, weight)], (1, 1 << 50), (reduction, SUM)), lanes, 8192, U64_MAX)
    mixed = [(i, COUNT, S32_MAX if i % 2 else S32_MIN) for i in range(32)]
    w.row(Form(mixed), [((U64_MAX,) * 32, (1,) * 32)], 8192)
    w.row(Form(mixed, k=(1, 1 << 60)), [((U64_MAX,) * 32, (1,) * 32)], 8192, parts=1 << 20)
    for reduction in range(4):
        w.row(Form([(0, COUNT, -1)], k=(U64_MAX, 1), reductions=(reduction, SUM), per_cpu=True), one(U64_MAX), 8192)
    # Values at and around the largest rate, and a counter whose time exceeds that of the interval.
    for kind in (RATE, GAUGE):
        for delta, time, tsc_hz in ((CAP, 1, 1), (CAP - 1, 1, 1), (CAP + 1, 1, 1), (CAP * 3 - 1, 3, 1), (CAP * 3, 3, 1),
                                    (U64_MAX, U64_MAX, CAP), (U64_MAX, U64_MAX, CAP + 1), (U64_MAX, U64_MAX, U64_MAX),
                                    (U64_MAX, U64_MAX - 1, 1), (1, U64_MAX, U64_MAX), (1, U64_MAX, 1),
                                    (U64_MAX - 1, U64_MAX, 1), (1, UNIT, 1), (1, UNIT + 1, 1), (1, UNIT - 1, 1)):
            for k in ((1, 1), (10**9, 1), (1 << 33, 1)):
                w.row(Form([(0, kind, 1)], k=k), one(delta, time), tsc_hz=tsc_hz)


def number(most):
    """Of any length."""
    return random.getrandbits(random.randint(0, most))


def weight():
    kind = random.randrange(4)
    if kind == 0:
        return random.choice((S32_MIN, S32_MAX))
    w = random.randint(S32_MIN, S32_MAX) if kind == 1 else random.randint(-100, 100)
    return w or 1


def random_side(most, least=1):
    kind = random.randrange(3)
    plain = random.random() < 0.5
    return [(random.randrange(4), kind, random.randint(1, 9) if plain else weight())
            for _ in range(random.randint(least, most))]


def random_form():
    above, below = random_side(4), random_side(3, 0) if random.random() < 0.7 else []
    k = random.choice(((10 ** random.randint(0, 9), random.randint(1, 1000)),
                       (number(64), number(63) + 1), (number(20), number(20) + 1)))
    per_cpu = random.random() < 0.3
    reductions = random.randrange(4), 0 if per_cpu else random.choice((SUM, random.randrange(4)))
    return Form(above, below, k, reductions, per_cpu)


def random_lane(operands, plain):
    delta = [number(22 if plain else 64) for _ in range(operands)]
    time = [0 if random.random() < 0.15 else random.randint(1, 5000000) if plain else number(64)
            for _ in range(operands)]
    return delta, time


def main():
    random.seed(4711)
    with open(sys.argv[1], "w") as out:
        w = Writer(out)
        write_boundaries(w)
        write_undefined(w)
        write_largest(w)
        for _ in range(20000):
            form, plain = random_form(), random.random() < 0.6
            lanes = [random_lane(form.operands(), plain) for _ in range(random.randint(1, 5))]
            w.row(form, lanes, random.choice((1, 1, 1, 2, 30)),
                  0 if random.random() < 0.1 else random.randint(10**9, 5 * 10**9) if plain else number(64),
                  1 if random.random() < 0.7 else number(30) + 1)


main()
