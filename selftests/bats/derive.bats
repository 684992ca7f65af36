#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Columns computed by formulas (--derive), and plots, from saved streams: all are compared with the
# numbers of another format.

load says

setup() {
	use_built
	PATH=$TOP/build/unit:$PATH
	export TZ=UTC
}

# The paper on LDMS's sampler has no figures of its function store (section VI). They are computed
# here by its formulas from the totals of -f ldms: differences and rates of successive lines,
# summed over the cores.
@test "derive: values are exactly those of LDMS's function store for the same stream" {
	make_stream name=3:L3_CACHE_MISSES set run=1500 foreign=1:2 run=100 foreign=1:2 run=3500 >stream
	rcrstat -r stream --relations none -f ldms >totals
	rcrstat -r stream --relations none --derive "$TOP/userspace/system/examples/derive.conf" >csv
	awk -F, -v OFS=, 'NR == 1 { for (i = 7; i <= NF; i++) column[$i] = i; next }
		function sum(counter, name, i, c, all) {
			all = 0
			for (i = 0; i < 4; i++) {
				c = column["Ctr" counter "_c" i]
				delta[i] = $c - before[c]
				all += delta[i]
			}
			return $column["Ctr" counter "_name"] && named[counter] ? all : ""
		}
		{
			t = $1 - time
			flops = sum(2)
			least = most = delta[0]
			for (i = 1; i < 4; i++) {
				least = delta[i] < least ? delta[i] : least
				most = delta[i] > most ? delta[i] : most
			}
			if (flops == "")
				line = ",,,,,"
			else
				line = sprintf("%d,%.6f,%.6f,%.6f,%.6f,%.6f", flops, flops / t,
					flops / t / 1e9, flops / t / 4, least / t, most / t)
			misses = sum(3); ins = sum(1); cyc = sum(0)
			if (NR > 2)
				printf "%s,%s,%.6f,%.6f,%.6f\n", $1, line, 64 * misses / t, ins / cyc, (cyc - ins) / t
			for (i = 7; i <= NF; i++)
				before[i] = $i
			for (i = 0; i < 6; i++)
				named[i] = $column["Ctr" i "_name"] != ""
			time = $1
		}' totals >expected
	head -n 1 csv | cut -d, -f30- | diff - <(sed -n 's/^\([a-z0-9_]*\) = .*/all:\1/p' \
		"$TOP/userspace/system/examples/derive.conf" | paste -sd,)
	sed 1,2d csv | cut -d, -f1,30- >derived
	# The oracle has no difference for the first line of totals after an interruption.
	[ "$(grep -c ',,' expected)" -eq 2 ]
	[ "$(grep -c ',,' derived)" -eq 1 ]
	diff <(grep -v ',,' expected) <(grep -v -F -f <(grep ',,' expected | cut -d, -f1) derived)
	[ "$(wc -l <expected)" -eq 4 ]
	sed -n 3p csv | cut -d, -f5 | grep -q 'all:flops_rate=foreign;'
}

@test "derive: csv, json and ldms have the same numbers, and unknown ones are null or empty" {
	printf '%s\n' '# mine' 'flops = rate(RETIRED_FLOPS)' 'missed = delta(TLB_DM)' 'share = 100 * missed / TOT_INS' >file
	make_stream cpus=2 set run=1500 foreign=1:2 run=100 foreign=1:2 silent=0 run=2500 silent=0 run=1500 name=2:OTHER set run=2010 >stream
	rcrstat -r stream --relations none --derive file >csv
	rcrstat -r stream --relations none --derive file -j >json
	rcrstat -r stream --relations none --derive file -f ldms >ldms
	cat >read.py <<-'END'
		import csv, json
		text = [line for line in open("csv") if line[0] != "#"]
		keys = ["all:flops", "all:missed", "all:share"]
		head, cells = None, []
		for row in csv.reader(text):
		    if row[0] == "time":
		        head = row
		        continue
		    named = dict(zip(head, row))
		    cells.append([float(named[k]) if named[k] else None for k in keys])
		objects = [json.loads(line) for line in open("json")]
		assert [[d["value"] for d in o["derived"]] for o in objects] == cells, cells
		totals = [line.rstrip("\n").split(",")[-3:] for line in open("ldms") if line[0] != "#"]
		assert [[float(c) if c else None for c in t] for t in totals] == cells
		assert [[c is None for c in row] for row in cells] == [
		    [False] * 3, [True, True, False], [True] * 3, [True] * 3, [False, True, False],
		    [True, False, False], [True, False, False]], cells
		assert {d["status"] for d in objects[-1]["derived"]} == {"ok", "undefined"}
	END
	python3 read.py
	# The output is read back.
	[ "$(rcrstat -r ldms | grep -c flops)" -eq 0 ]
	rcrstat -r csv -e share | head -n 1 | grep -qx 'time,interval,lost,overruns,status,all:share'
	rcrstat -r stream --relations none --derive file -p all -n 1 | head -n 1 | grep -q ':dev,all:flops,all:missed,all:share$'
}

@test "derive: each invalid line is reported, with status 2, and nothing is read or written" {
	printf '%s\n' 'x' 'y =' '9 = TOT_CYC' 'a = TOT_CYC' 'a = TOT_INS' 'Ctr0 = TOT_CYC' \
		'job_id = TOT_CYC' >words
	printf '%s\n' 'y = rate(' 'z = TOT_CYC * TOT_INS' 'w = NOPE' 'TOT_CYC = TOT_INS' 'k = 3' >formulas
	make_stream cpus=2 set run=1510 >stream
	run rcrstat -r nowhere -o new --derive words
	[ "$status" -eq 2 ]
	diff <(echo "$output") - <<-'END'
		words:1: write NAME = FORMULA
		words:2: a formula is missing after =
		words:3: invalid name '9': use letters, digits, _ and ., a letter first
		words:5: line 4 has a column 'a' already
		words:6: LDMS has a column 'Ctr0': use another name
		words:7: LDMS has a column 'job_id': use another name
	END
	run rcrstat -r stream -o new --derive formulas
	[ "$status" -eq 2 ]
	diff <(echo "$output") - <<-'END'
		formulas:1: the formula ends where a name, a number or '(' is expected
		formulas:2: 'TOT_CYC * TOT_INS' counters cannot be multiplied
		formulas:3: 'NOPE' is neither a counter nor a meter
		formulas:4: 'TOT_CYC' is a counter of the stream: use another name
		formulas:5: '3' names no counter
	END
	[ ! -e new ]
	run rcrstat -r stream -f influx --derive formulas
	[ "$status" -eq 2 ]
	[[ "$output" == *"option '--derive' is only for the formats csv, json, ldms and svg"* ]]
	run rcrstat -r stream --derive nowhere
	[ "$status" -eq 2 ]
	[[ "$output" == *"nowhere: No such file or directory"* ]]
}

# Compare number and heights of the points that gnuplot draws with the numbers of csv.
@test "svg: each panel has exactly one point for each number of csv, at its height" {
	make_stream cpus=3 set run=1500 foreign=1:2 run=100 foreign=1:2 run=3500 silent=2 run=3000 silent=2 run=3010 >stream
	rcrstat -r stream --relations none -e TOT_INS,RETIRED_FLOPS >csv
	rcrstat -r stream --relations none -e TOT_INS,RETIRED_FLOPS -f svg -o plot.svg
	cat >read.py <<-'END'
		import csv, sys, xml.etree.ElementTree as tree
		ns, link = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
		root = tree.parse("plot.svg").getroot()
		rows = list(csv.DictReader(l for l in open("csv") if l[0] != "#"))
		texts = ["".join(t.itertext()).strip() for t in root.iter(ns + "text")]
		assert [texts.count(t) for t in ("TOT_INS", "RETIRED_FLOPS", "per second", "seconds since then")] == [1, 1, 2, 1], texts
		lines = [g for g in root.iter(ns + "g") if g.find(ns + "title") is not None]
		names = [place + ":" + event for event in ("TOT_INS", "RETIRED_FLOPS") for place in ("cpu0", "cpu1", "cpu2")]
		assert [g.find(ns + "title").text for g in lines] == [n.split(":")[0] for n in names]
		missing = 0
		scale = {}
		for name, g in zip(names, lines):
		    points = [u.attrib for u in g.iter(ns + "use") if "gpPt" in u.attrib[link]]
		    places = [tuple(map(float, a["transform"].split("translate(")[1].split(")")[0].split(","))) for a in points]
		    values = [float(row[name]) for row in rows if row[name]]
		    missing += len(rows) - len(values)
		    # The last point is the sample in the key.
		    assert len(places) == len(values) + 1, (name, len(places), len(values))
		    scale.setdefault(name.split(":")[1], []).extend(zip(values, [y for x, y in places]))
		for pairs in scale.values():
		    (v0, y0), (v1, y1) = min(pairs), max(pairs)
		    for v, y in pairs:
		        assert abs(y0 + (v - v0) * (y1 - y0) / (v1 - v0) - y) < 0.2, (v, y)
		assert missing > 4, missing
	END
	python3 read.py
	# Many places are drawn as a band; a meter has a panel for the whole machine.
	make_stream "name=0:A<B'_\"" cpus=9 set run=3010 >stream
	printf 'flops = rate(RETIRED_FLOPS)\n' >file
	rcrstat -r stream --relations none -f svg --derive file >plot.svg
	grep -q 'median of 9' plot.svg
	grep -q 'flops of all' plot.svg
	python3 -c 'import xml.etree.ElementTree as t; assert "A<B'"'"'_\"" in "".join(t.parse("plot.svg").getroot().itertext())'
}

@test "svg: an error is printed instead of a plot without gnuplot or without a complete interval" {
	make_stream cpus=2 set run=1510 >stream
	echo kept >plot.svg
	says 1 "the format svg needs the program gnuplot, which is not installed: install Debian's gnuplot-nox" \
		env PATH=/nonexistent "$TOP/build/bin/rcrstat" -r stream -f svg -o plot.svg
	[ "$(cat plot.svg)" = kept ]
	make_stream cpus=2 set run=10 >short
	says 1 "nothing to plot: no interval of 1 s is complete" rcrstat -r short -f svg
	[ ! -s out ]
	mkdir wrong
	printf '#!/bin/sh\nexit 3\n' >wrong/gnuplot
	chmod +x wrong/gnuplot
	says 1 "gnuplot did not draw the plot" env PATH="$PWD/wrong" "$TOP/build/bin/rcrstat" -r stream -f svg
	[ ! -s out ]
}
