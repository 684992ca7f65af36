#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draws the pictures of the README as SVG.

draw.py dataflow           the way of a count, from the counters of a CPU to the programs
draw.py screen FILE        a terminal with the lines of FILE
"""
import sys
from xml.sax.saxutils import escape

SANS = "DejaVu Sans, Helvetica, Arial, sans-serif"
MONO = "DejaVu Sans Mono, Menlo, Consolas, monospace"
INK, LINE = "#1f2933", "#52606d"
KERNEL, USER = "#dbeafe", "#dcfce7"


def svg(width, height, parts):
    """Wrap elements into a picture."""
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}">',
        "<!-- SPDX-License-Identifier: GPL-2.0-only; drawn by Documentation/pictures/draw.py -->",
        '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7"'
        f' markerHeight="7" orient="auto"><path d="M0 0L10 5L0 10z" fill="{LINE}"/></marker></defs>',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>', *parts, "</svg>"])


def text(x, y, words, size=13, anchor="middle", weight="normal", fill=INK):
    return (f'<text x="{x}" y="{y}" font-family="{SANS}" font-size="{size}"'
            f' text-anchor="{anchor}" font-weight="{weight}" fill="{fill}">{escape(words)}</text>')


def box(x, y, width, height, lines, fill):
    """A box with a first line in bold and others below it."""
    parts = [f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{fill}"'
             f' stroke="{LINE}"/>']
    top = y + height / 2 - 8 * (len(lines) - 1) + 4.5
    for i, line in enumerate(lines):
        parts.append(text(x + width / 2, top + 16 * i, line, 13 if i == 0 else 11,
                          weight="bold" if i == 0 else "normal"))
    return "\n".join(parts)


def arrow(*points):
    path = " ".join(f"{'L' if i else 'M'}{x} {y}" for i, (x, y) in enumerate(points))
    return f'<path d="{path}" fill="none" stroke="{LINE}" stroke-width="1.5" marker-end="url(#tip)"/>'


def dataflow():
    parts = [
        f'<rect x="10" y="10" width="522" height="330" rx="8" fill="none" stroke="{LINE}"'
        ' stroke-dasharray="5 4"/>',
        text(22, 30, "kernel: rcrtool.ko", 12, "start", fill=LINE),
        text(765, 30, "user space", 12, "end", fill=LINE),
    ]
    for row, name in enumerate(("CPU 0", "CPU 1", "CPU n")):
        y = 50 + 92 * row + (10 if row == 2 else 0)
        parts += [
            box(25, y, 120, 64, [f"{name}: timer", "on the wall clock's", "grid"], KERNEL),
            arrow((145, y + 32), (168, y + 32)),
            box(170, y, 92, 64, ["counters", "rdmsr, rdpmc"], KERNEL),
            arrow((262, y + 32), (285, y + 32)),
            box(287, y, 92, 64, [f"ring {name[4:]}", "1,024 records"], KERNEL),
            f'<path d="M379 {y + 32}H398" fill="none" stroke="{LINE}" stroke-width="1.5"/>',
        ]
    parts += [
        f'<path d="M398 82V276" fill="none" stroke="{LINE}" stroke-width="1.5"/>',
        arrow((398, 100), (416, 100)), arrow((398, 240), (416, 240)),
        box(418, 70, 104, 60, ["stream", "in order of time"], KERNEL),
        box(418, 210, 104, 60, ["meters", "only while read"], KERNEL),
        text(85, 240, "⋮", 18),
    ]
    for y, lines, start in (
            (45, ["rcrstat", "table, CSV, LDMS, Prometheus"], 92),
            (105, ["rcrd", "flight recorder, public board"], 108),
            (165, ["your program", "librcr: stream, mapped rings"], 116),
            (225, ["rcrctl meter, rcrctl on", "values, conditions"], 232),
            (285, ["perf stat", "-e rcrtool/mem_bw/"], 250)):
        parts += [box(565, y, 200, 48, lines, USER),
                  arrow((522, start), (544, start), (544, y + 24), (563, y + 24))]
    return svg(780, 350, parts)


def screen(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().rstrip("\n").split("\n")
    # The stored screens of the tests end with the status of the command.
    if lines[-1].startswith("status "):
        lines.pop()
    wide, high = 8.43, 18
    width = int(max(80, max(map(len, lines))) * wide + 24)
    height = len(lines) * high + 24
    parts = [f'<rect width="{width}" height="{height}" rx="8" fill="#1f2430"/>']
    for i, line in enumerate(lines):
        parts.append(f'<text x="12" y="{26 + i * high}" font-family="{MONO}" font-size="14"'
                     f' fill="#e6e6e6" xml:space="preserve" textLength="{len(line) * wide:.1f}">'
                     f"{escape(line)}</text>")
    return svg(width, height, parts)


def main():
    if sys.argv[1:] == ["dataflow"]:
        print(dataflow())
    elif len(sys.argv) == 3 and sys.argv[1] == "screen":
        print(screen(sys.argv[2]))
    else:
        sys.exit(__doc__)


main()
