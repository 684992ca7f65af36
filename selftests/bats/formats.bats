#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# rcrstat's output for saved streams in all formats: each is compared with another format, or read
# back by an independent program.

setup() {
	TOP=$BATS_TEST_DIRNAME/../..
	PATH=$TOP/build/bin:$TOP/build/unit:$PATH
	cd "$BATS_TEST_TMPDIR"
	export TZ=UTC
}

# Make the sysfs of a machine of two packages of two dies of two cores of two threads.
make_sysfs() {
	local cpu dir
	for cpu in $(seq 0 15); do
		dir=sys/devices/system/cpu/cpu$cpu/topology
		mkdir -p "$dir"
		echo $((cpu % 8 / 4)) >"$dir/physical_package_id"
		echo $((cpu % 4 / 2)) >"$dir/die_id"
		echo $((cpu % 2)) >"$dir/core_id"
	done
	mkdir -p sys/devices/system/node/node{0,1,2,3}
	for cpu in 0 1 2 3; do
		echo "$((cpu * 2))-$((cpu * 2 + 1)),$((cpu * 2 + 8))-$((cpu * 2 + 9))" \
			>sys/devices/system/node/node$cpu/cpulist
	done
}

# SENTENCE COMMAND...: expect status 1 and exactly this sentence on standard error.
says() {
	local sentence=$1 rc=0
	shift
	"$@" >out 2>err || rc=$?
	cat err
	[ "$rc" -eq 1 ]
	[ "$(wc -l <err)" -eq 1 ]
	grep -qF -- "$sentence" err
}

@test "reading a saved stream ends after the last interval, with status 0" {
	make_stream set run=3010 >stream
	rcrstat -d stream >csv
	[ "$(wc -l <csv)" -eq 4 ]
	[ "$(cut -d, -f1 csv | tail -n 1)" = 1700000004.000000 ]
	make_stream set run=3000 >stream
	[ "$(rcrstat -d stream | wc -l)" -eq 3 ]
	rcrstat -d /dev/stdin < <(cat stream) | cmp - <(rcrstat -d stream)
}

@test "a CPU without samples at the end of a saved stream has a gap" {
	make_stream set run=1500 silent=2 run=2000 >stream
	[ "$(rcrstat -d stream | tail -n 1 | cut -d, -f1,5)" = 1700000004.000000,cpu2=gap ]
	[ "$(rcrstat -d stream | wc -l)" -eq 4 ]
}

@test "a truncated stream is reported after its complete part has been printed" {
	make_stream set run=2500 >stream
	truncate -s -7 stream
	says "stream: offset 152936: the stream is cut off within a record" rcrstat -r stream
	[ "$(wc -l <out)" -eq 3 ]
	says "the stream is cut off within a record" rcrstat -d stream
	printf '\377%.0s' {1..16} | dd of=stream bs=1 seek=152936 conv=notrunc status=none
	says "the stream is damaged there" rcrstat -r stream
	[ "$(wc -l <out)" -eq 3 ]
}

@test "-F follows a growing file that ends within a record, until COUNT intervals are printed" {
	make_stream set run=5010 >whole
	rcrstat -r whole -n 4 >all
	head -c 100000 whole >grows
	timeout 60 rcrstat -r grows -F -n 4 >out &
	for bytes in 40001 80003 1000000; do
		sleep 0.3
		tail -c +$(($(stat -c %s grows) + 1)) whole | head -c $bytes >>grows
	done
	wait $!
	cmp all out
	timeout 60 rcrstat -r grows -F >out 2>err &
	sleep 0.5
	truncate -s 5000 grows
	! wait $! || false
	grep -q "the file has become shorter" err
}

@test "saved lines of csv and ldms are read back with the same numbers" {
	make_stream set run=1500 foreign=1:2 run=100 foreign=1:2 begin=7 run=3500 >stream
	rcrstat -r stream --relations none >csv
	rcrstat -r stream --relations none -f ldms >ldms
	rcrstat -r csv >again
	sed 's/\.0,/,/g; s/\.0$//; s/000000,/,/' csv >plain
	sed 's/000000,/,/' again | diff - <(grep -v '^# note' plain)
	# The first line of totals has no rates; lines with an interruption lack some name.
	rcrstat -r ldms >rates
	python3 - csv rates <<-'END'
		import csv, sys
		first, second = ([row for row in csv.DictReader(l for l in open(f) if l[0] != "#")] for f in sys.argv[1:])
		assert len(first) == 5 and len(second) == 4
		known = 0
		for row, other in zip(first[1:], second):
		    for name, cell in other.items():
		        if ":" in name and cell:
		            assert abs(float(row[name]) - float(cell)) <= 0.051, (name, row[name], cell)
		            known += 1
		assert known > 60
	END
	rcrstat -r csv -e TOT_INS -c 1 | head -n 1 | grep -qx time,interval,lost,overruns,status,cpu1:TOT_INS
	rcrstat -r csv -j -n 2 | grep -v mark | python3 -c 'import json, sys; assert [json.loads(line)["values"][0]["name"] for line in sys.stdin] == ["TOT_CYC"] * 2'
	rcrstat -r csv -f table -n 1 | grep -q '^cpu3 '
}

@test "invalid and truncated saved lines are reported with file and line" {
	make_stream cpus=2 set run=3010 >stream
	rcrstat -r stream --relations none >csv
	head -c -3 csv >part
	says "part:4: the last line is cut off" rcrstat -r part
	[ "$(wc -l <out)" -eq 3 ]
	sed '3s/,ok,/,ok,x/' csv >wrong
	says "wrong:3: column 6 is not a number: 'x" rcrstat -r wrong
	sed 3d csv | sed '2s/,ok,/,ok,1,/' >wrong
	says "wrong:2: 18 columns, where the header has 17" rcrstat -r wrong
	echo "x = rate(TOT_CYC)" >formulas
	for words in "-p all" "--derive formulas"; do
		# shellcheck disable=SC2086 # several words
		run rcrstat -r csv $words
		[ "$status" -eq 2 ]
		[[ "$output" == *"options -m, -p, -i and --derive cannot be used with saved lines: use only -e"* ]]
	done
	run rcrstat -r csv -f raw
	[ "$status" -eq 2 ]
	[[ "$output" == *"in the formats table, csv and json"* ]]
}

@test "-F follows a growing file of saved lines that ends within a line" {
	make_stream cpus=2 set run=5010 >stream
	rcrstat -r stream --relations none >csv
	head -n 2 csv | head -c -5 >grows
	timeout 60 rcrstat -r grows -F -n 4 >out &
	sleep 0.3
	head -n 4 csv | tail -c +$(($(stat -c %s grows) + 1)) | head -c -9 >>grows
	sleep 0.3
	tail -c +$(($(stat -c %s grows) + 1)) csv >>grows
	wait $!
	rcrstat -r csv -n 4 | cmp - out
}

@test "saved input: a closed pipe ends output silently, and a full disk is reported" {
	make_stream cpus=4 set run=60010 >stream
	rcrstat -r stream -i 10ms --relations none >csv
	local kind
	for kind in "-r stream -f csv" "-r stream -f table" "-r stream -j" "-r stream -f ldms" "-r stream -f raw" \
		"-r stream -p process" "-r csv" "-r csv -j" "-r csv -f table"; do
		[[ $kind == "-r csv"* ]] || kind="$kind -i 10ms --relations none"
		[[ $kind != *raw* ]] || kind="-r stream -f raw"
		# shellcheck disable=SC2086 # a list of words
		bash -c 'rcrstat "$@" 2>err | head -c 1 >/dev/null; echo "${PIPESTATUS[0]}" >status' - $kind
		echo "$kind: $(cat status err)"
		[ "$(cat status)" -eq 141 ]
		[ ! -s err ]
		# shellcheck disable=SC2086
		says "No space left on device" rcrstat $kind -o /dev/full
	done
}

@test "a hangup of the terminal ends rcrstat" {
	make_stream cpus=4 set run=5010 >stream
	rcrstat -r stream --relations none >csv
	python3 - <<-'END'
		import os, pty, sys, time
		for words in (["stream"], ["stream", "-p", "process"], ["csv"]):
		    pid, terminal = pty.fork()
		    if not pid:
		        os.environ["TERM"] = "xterm"
		        os.execvp("rcrstat", ["rcrstat", "-F", "-f", "table", "--relations", "none", "-r"] + words)
		    assert os.read(terminal, 100)
		    os.close(terminal)
		    for _ in range(200):
		        if os.waitpid(pid, os.WNOHANG)[0]:
		            break
		        time.sleep(0.1)
		    else:
		        os.kill(pid, 9)
		        sys.exit("it goes on: %s" % words)
	END
}

@test "a header is printed again only if the set changes" {
	make_stream set run=2010 set run=1510 name=1:OTHER cpus=2 set run=1010 >stream
	rcrstat -d stream >csv
	cut -d, -f1,7 csv | sed '/^1/s/,.*//' | diff - <(printf '%s\n' time,cpu0:TOT_INS \
		1700000002.000000 1700000003.000000 1700000004.010000 \
		time,cpu0:OTHER 1700000005.520000)
	[ "$(grep -c time csv)" -eq 2 ]
	[ "$(tail -n 1 csv | tr ',' '\n' | wc -l)" -eq $((5 + 2 * 6)) ]
	[ "$(rcrstat -d stream -f ldms | grep -c '^#Time')" -eq 2 ]
	rcrstat -d stream -f table | grep -q OTHER
	says "CPU 3 is not sampled" rcrstat -d stream -c 3
	[ "$(wc -l <out)" -eq 4 ]
}

@test "an empty set ends rcrstat" {
	make_stream set run=1010 inert >stream
	for format in csv table ldms influx tacc_stats chrome svg raw; do
		says "rcrtool is loaded but counts nothing: A hypervisor hides the performance counters of this CPU." \
			rcrstat -d stream -f $format
	done
	cmp stream out
}

@test "every format reports lost records" {
	make_stream set run=500 lost=1:7 run=600 lost=0:2 >stream
	for format in csv table ldms influx tacc_stats chrome svg raw; do
		rcrstat -d stream -f $format >out 2>err
		grep -q "^rcrstat: 9 records were overwritten" err
	done
	rcrstat -d stream -f table 2>/dev/null | grep -q ", 7 lost, 0 overruns$"
}

@test "counters that continue in another set get a new baseline" {
	# The same counts, once with totals that restart with the set.
	make_stream set run=1500 set run=2010 name=1:OTHER set run=1010 >anew
	make_stream set run=1500 next run=2010 name=1:OTHER next run=1010 >on
	run cmp -s anew on
	[ "$status" -eq 1 ]
	for format in csv table; do
		rcrstat -d on -f $format | cmp - <(rcrstat -d anew -f $format)
	done
	[ "$(rcrstat -d on | grep -c ',ok,')" -eq 4 ]
}

@test "a counter that was not ok in one sample of an interval has no rate" {
	for number in 2:halted 3:foreign 4:busy 5:fault 6:offline 7:gap; do
		make_stream set run=500 status=1:2:${number%:*} run=10 status=1:2:1 run=2000 >stream
		rcrstat -d stream >csv
		[ "$(sed -n 2p csv | cut -d, -f5)" = "cpu1:RETIRED_FLOPS=${number#*:}" ]
		[ "$(sed -n 2p csv | cut -d, -f14)" = "" ]
		[ "$(sed -n 3p csv | cut -d, -f5)" = ok ]
		[ -n "$(sed -n 3p csv | cut -d, -f14)" ]
	done
	rcrstat -d stream -f table | grep -qx "RETIRED_FLOPS on CPU 1 was interrupted"
	# A gap of one counter does not affect others.
	make_stream cpus=1 set run=500 status=0:0:7 foreign=0:1 run=10 status=0:0:1 run=1500 >stream
	rcrstat -d stream | sed -n 2p | cut -d, -f5 | grep -qx 'cpu0:TOT_CYC=gap;cpu0:TOT_INS=foreign'
	rcrstat -d stream -f table -n 1 | tail -n 2 >table
	diff table - <<-'END'
		TOT_CYC on CPU 0 was interrupted
		TOT_INS on CPU 0 was foreign: another program changed its register
	END
}

@test "csv: marks are comments in order of time" {
	# The third mark precedes the records that end its interval.
	make_stream set begin=4711 run=510 "text=half way" run=500 begin=12 run=1000 \
		lost-marks=3 end=4711 run=500 end=12 name=1:OTHER set run=1010 text=last >stream
	rcrstat -d stream >csv 2>err
	sed '/^[t1]/s/,.*//' csv | diff - <(printf '%s\n' time \
		"# mark 1700000000.996790 begin 4711" "# mark 1700000001.506790 text half way" \
		1700000002.000000 "# mark 1700000002.006790 begin 12" 1700000003.000000 \
		"# mark 1700000003.006790 lost 3" "# mark 1700000003.006790 end 4711" \
		"# mark 1700000003.506790 end 12" time 1700000004.510000 \
		"# mark 1700000004.516790 text last")
	[ "$(cat err)" = "rcrstat: 3 marks were overwritten unread: read more often" ]
	# A reader that skips comments has the same output as without marks.
	make_stream set run=510 run=500 run=1000 run=500 name=1:OTHER set run=1010 >unmarked
	grep -v '^#' csv | cmp - <(rcrstat -d unmarked)
	# No mark is printed after the last requested line.
	[ "$(rcrstat -d stream -n 1 2>&1 | tail -n 1 | cut -d, -f1)" = 1700000002.000000 ]
	rcrstat -d stream -c 2 2>/dev/null | grep '^#' | cmp - <(grep '^#' csv)
}

@test "marks before an empty set are printed" {
	make_stream set run=1015 text=here inert >stream
	says "counts nothing" rcrstat -d stream
	tail -n 1 out | grep -qx '# mark 1700000002.006790 text here'
}

@test "table: marks are printed between tables, and the latest one below the table on a terminal" {
	make_stream cpus=2 set run=510 begin=4711 text=second run=2500 >stream
	rcrstat -d stream -f table >table
	sed -n 1,5p table | diff - <(printf '%s\n' "marked 2023-11-14 22:13:21.506790: begin 4711" "" \
		"marked 2023-11-14 22:13:21.506790: text second" "" \
		"2023-11-14 22:13:22, 1 s, 0 lost, 0 overruns")
	[ "$(grep -c '^marked' table)" -eq 2 ]
	TERM=xterm script -qec "stty rows 24 cols 80; cat stream | rcrstat -d /dev/stdin -f table" /dev/null >screen
	[ "$(grep -c '^marked 2023-11-14 22:13:21.506790: text second' screen)" -eq 4 ]
	[ "$(grep -c '4711' screen)" -eq 0 ]
}

@test "ldms: job_id is the job that ran at the time of the line" {
	make_stream set begin=4711 run=1510 begin=x_1 run=1000 end=x_1 run=1000 \
		begin=18446744073709551615 run=1000 end=4711 run=1000 end=18446744073709551615 \
		begin=5 run=1000 lost-marks=1 text=x run=1010 >stream
	rcrstat -d stream -f ldms >ldms 2>err
	cut -d, -f1,5 ldms | diff - <(printf '%s\n' '#Time,job_id' 1700000002.000000,4711 \
		1700000003.000000,0 1700000004.000000,4711 1700000005.000000,18446744073709551615 \
		1700000006.000000,18446744073709551615 1700000007.000000,5 1700000008.000000,0)
	[ "$(grep -c '^#' ldms)" -eq 1 ]
	grep -qx "rcrstat: 1 mark was overwritten unread: read more often" err
}

@test "--per cpu does not change csv" {
	make_stream set run=3010 >stream
	rcrstat -d stream --per cpu | cmp - <(rcrstat -d stream)
}

@test "printed sums of units add up exactly to the sum of all" {
	make_sysfs
	make_stream cpus=16 set run=2340 lost=5:1 run=3000 >stream
	for per in cpu core die package node all; do
		rcrstat -d stream --sysfs sys -i 0.37 --per $per >$per.csv 2>/dev/null
	done
	cat >add.py <<-'END'
		import csv, statistics
		def tenths(text):
		    assert text[-2] == "."
		    return int(text.replace(".", ""))
		def sums(per):
		    result = []
		    for row in csv.DictReader(open(per + ".csv")):
		        line = {}
		        for name, value in row.items():
		            words = name.split(":")
		            if len(words) > 1 and words[-1] in ("sum", words[1]):
		                line.setdefault(words[1], []).append(tenths(value))
		        result.append(line)
		    return result
		cpus, parts = sums("cpu"), {"core": 8, "die": 4, "package": 2, "node": 4, "all": 1}
		assert len(cpus) >= 13 and all(len(x) == 6 for x in cpus)
		for per, n in parts.items():
		    for a, b in zip(cpus, sums(per), strict=True):
		        for event in a:
		            assert len(a[event]) == 16 and len(b[event]) == n, (per, event)
		            assert sum(a[event]) == sum(b[event]), (per, event)
		# Other statistics of one unit are compared with awk's.
		for a, row in zip(cpus, csv.DictReader(open("all.csv"))):
		    for event, x in a.items():
		        assert tenths(row[f"all:{event}:min"]) == min(x)
		        assert tenths(row[f"all:{event}:max"]) == max(x)
		        assert abs(tenths(row[f"all:{event}:mean"]) - statistics.fmean(x)) < 0.6
		        assert abs(tenths(row[f"all:{event}:dev"]) - statistics.pstdev(x)) < 0.6
	END
	python3 add.py
	head -n 1 node.csv | grep -q '^time,interval,lost,overruns,status,node0:TOT_CYC:sum,node0:TOT_CYC:mean,node0:TOT_CYC:min,node0:TOT_CYC:max,node0:TOT_CYC:dev,node0:TOT_INS:sum,'
	head -n 1 core.csv | grep -q ',package1/die0/core1:BR_MSP:dev,'
}

@test "a unit with a CPU that did not count has a reason instead of a sum" {
	make_sysfs
	make_stream cpus=8 set run=1010 foreign=6:1 silent=1 run=2000 >stream
	rcrstat -d stream --sysfs sys --per package >csv
	[ "$(sed -n 2p csv | cut -d, -f5)" = ok ]
	[ "$(sed -n 3p csv | cut -d, -f5)" = "cpu1=gap;cpu6:TOT_INS=foreign" ]
	[ "$(sed -n 3p csv | cut -d, -f6-35 | tr -d ,)" = "" ]
	[ "$(sed -n 3p csv | cut -d, -f41-45)" = ",,,," ]
	[[ "$(sed -n 3p csv | cut -d, -f36-40)" == [1-9]*,[1-9]*,[1-9]*,[1-9]*,[1-9]* ]]
	rcrstat -d stream --sysfs sys --per package -f table | tail -n 3 >table
	grep -qx "CPU 1 gave no records: it was offline, or starved" table
	grep -qx "TOT_INS on CPU 6 was foreign: another program changed its register" table
}

@test "ldms: an independent reader computes the rates of csv" {
	make_stream cpus=5 set run=2500 foreign=3:2 run=2000 foreign=3:2 run=3510 >stream
	rcrstat -d stream -c 0-1,3-4 >csv
	rcrstat -d stream -c 0-1,3-4 -f ldms --component-id 10 >ldms
	cat >read.py <<-'END'
		import csv, re, socket
		# As LDMS users do: columns by position in the header, names in cells.
		lines = [line.rstrip("\n").split(",") for line in open("ldms")]
		header, rows = lines[0], lines[1:]
		assert header[:6] == ["#Time", "Time_usec", "ProducerName", "component_id", "job_id", "app_id"]
		def read(row):
		    assert len(row) == len(header)
		    assert row[2:6] == [socket.gethostname(), "10", "0", "0"], row[:6]
		    seconds, usec = row[0].split(".")
		    assert len(usec) == 6 and int(usec) == int(row[1])
		    totals, name, wctl = {}, None, None
		    for column, cell in zip(header[6:], row[6:]):
		        n, what = re.fullmatch(r"Ctr(\d+)_(.*)", column).groups()
		        if what == "name":
		            name = cell
		        elif what == "wctl0":
		            wctl = int(cell)
		            assert wctl == (0x430076 + int(n) if name else 0)
		        elif name:
		            totals["cpu" + what[1:] + ":" + name] = int(cell)
		        else:
		            assert cell == "0"
		    return int(seconds) * 10**6 + int(usec), totals
		sets = [read(row) for row in rows]
		rates = list(csv.DictReader(open("csv")))
		assert len(sets) == len(rates) == 8
		compared = empty = 0
		for (t0, a), (t1, b), rate in zip(sets, sets[1:], rates[1:]):
		    assert rate["time"] == "%d.%06d" % divmod(t1, 10**6)
		    for column in list(rate)[5:]:
		        if column not in a or column not in b:
		            empty += 1
		            continue
		        # Integer counts over integer microseconds are exact.
		        tenths = int(rate[column].replace(".", ""))
		        assert tenths * (t1 - t0) == (b[column] - a[column]) * 10**7, column
		        compared += 1
		# One counter on four CPUs, in the intervals before, during and after the gap.
		assert (compared, empty) == (7 * 4 * 6 - 4 * 4, 4 * 4), (compared, empty)
	END
	python3 read.py
}

# TOT_INS is per die (four) and BR_MSP per package (two); the first CPU of each reads it.
shared_words() {
	echo cpus=16 scope=1:1 scope=5:2 owner=1:0 owner=1:2 owner=1:4 owner=1:6 owner=5:0 owner=5:4 set
}

@test "a shared counter has a column for its unit, or for a larger unit" {
	make_sysfs
	make_stream $(shared_words) run=3010 >stream
	for per in cpu core die package node all; do
		rcrstat -d stream --sysfs sys --per $per >$per.csv
		[ "$(grep -c ',ok,' $per.csv)" -eq 3 ]
	done
	head -n 1 cpu.csv | grep -q ',cpu15:TLB_DM,package0/die0:TOT_INS,package0/die1:TOT_INS,package1/die0:TOT_INS,package1/die1:TOT_INS,package0:BR_MSP,package1:BR_MSP$'
	[ "$(head -n 1 cpu.csv | grep -c 'cpu[0-9]*:\(TOT_INS\|BR_MSP\)')" -eq 0 ]
	head -n 1 core.csv | grep -q ',package1/die1/core1:TLB_DM:dev,package0/die0:TOT_INS,'
	head -n 1 die.csv | grep -q ',package1/die1:TOT_INS:dev,.*,package0:BR_MSP,package1:BR_MSP$'
	head -n 1 node.csv | grep -q ',node3:TOT_INS:dev,.*,package0:BR_MSP,package1:BR_MSP$'
	head -n 1 package.csv | grep -q ',package1:BR_MSP:dev$'
	cat >add.py <<-'END'
		import csv
		def sums(per, event):
		    return [sum(int(value.replace(".", "")) for name, value in row.items()
		                if name.endswith(":" + event) or name.endswith(f":{event}:sum"))
		            for row in csv.DictReader(open(per + ".csv"))]
		for event in "TOT_INS", "BR_MSP", "TOT_CYC":
		    whole = sums("all", event)
		    assert len(whole) == 3 and all(whole)
		    for per in "cpu", "core", "die", "package", "node":
		        assert sums(per, event) == whole, (per, event)
		row = next(csv.DictReader(open("package.csv")))
		dies = [float(next(csv.DictReader(open("die.csv")))[f"package0/die{n}:TOT_INS:sum"]) for n in (0, 1)]
		assert abs(float(row["package0:TOT_INS:mean"]) - sum(dies) / 2) < 0.1
		assert float(row["package0:TOT_INS:max"]) == max(dies)
	END
	python3 add.py
	rcrstat -d stream --sysfs sys -f table -n 1 >table
	[ "$(grep -cE '^package./die. +[0-9.]+[MG]$' table)" -eq 4 ]
	grep -qE '^all sum( +[0-9.]+[kMG]?){6}$' table
}

@test "a takeover of a shared counter causes a single gap" {
	make_sysfs
	make_stream $(shared_words) run=1500 owner=1:0 owner=5:0 silent=0 owner=1:8 owner=5:8 run=1000 \
		silent=0 run=2510 >stream
	rcrstat -d stream --sysfs sys >csv
	cut -d, -f5 csv | diff - <(printf '%s\n' status ok \
		'package0/die0:TOT_INS=gap;package0:BR_MSP=gap' ok ok ok)
	column=$(head -n 1 csv | tr , '\n' | grep -n '^package0/die0:TOT_INS$' | cut -d: -f1)
	[ "$(cut -d, -f"$column" csv | grep -c '^[0-9]')" -eq 4 ]
	rcrstat -d stream --sysfs sys -f table | grep -qx 'TOT_INS of package0/die0 was interrupted'
	rcrstat -d stream --sysfs sys --per package | sed -n 3p | grep -q ',,,,,'
	# A unit has the status of its owner; without the owner it is elsewhere.
	make_stream $(shared_words) run=1010 foreign=2:1 run=1000 >stream
	rcrstat -d stream --sysfs sys | tail -n 1 | cut -d, -f5 | grep -qx 'package0/die1:TOT_INS=foreign'
	rcrstat -d stream --sysfs sys -c 3 | tail -n 1 | cut -d, -f5 |
		grep -qx 'package0/die1:TOT_INS=elsewhere;package0:BR_MSP=elsewhere'
	rcrstat -d stream --sysfs sys -c 3 -f table |
		grep -qx 'BR_MSP of package0 is read by a CPU that is not selected'
	# Without topology there is a single unit.
	mkdir nothing
	rcrstat -d stream --sysfs nothing | head -n 1 | grep -q ',unknown:TOT_INS,unknown:BR_MSP$'
}

@test "ldms: shared counters are vectors of nodes" {
	make_sysfs
	make_stream $(shared_words) run=1500 owner=1:0 owner=1:8 run=3010 >stream
	rcrstat -d stream --sysfs sys >csv
	rcrstat -d stream --sysfs sys -f ldms >ldms
	cat >read.py <<-'END'
		import csv
		names = {"Ctr1_n0": "package0/die0:TOT_INS", "Ctr1_n1": "package0/die1:TOT_INS",
		         "Ctr1_n2": "package1/die0:TOT_INS", "Ctr1_n3": "package1/die1:TOT_INS",
		         "Ctr5_n0": "package0:BR_MSP", "Ctr5_n1": "package1:BR_MSP", "Ctr0_c3": "cpu3:TOT_CYC"}
		totals, rates = list(csv.DictReader(open("ldms"))), list(csv.DictReader(open("csv")))
		assert len(totals) == len(rates) == 4
		assert [n for n in totals[0] if n[:5] == "Ctr1_"] == ["Ctr1_name", "Ctr1_wctl0"] + ["Ctr1_n%d" % n for n in range(4)]
		assert [t["Ctr1_name"] for t in totals] == ["TOT_INS", "", "TOT_INS", "TOT_INS"]
		assert totals[1]["Ctr1_n1"] == "0" and totals[0]["Ctr1_wctl0"] == str(0x430077)
		for before, after, rate in zip(totals, totals[1:], rates[1:]):
		    for column, name in names.items():
		        if before[column[:5] + "name"] and after[column[:5] + "name"]:
		            assert int(after[column]) - int(before[column]) == float(rate[name]), column
		assert int(totals[2]["Ctr1_n0"]) > int(totals[0]["Ctr1_n0"])
	END
	python3 read.py
}

@test "raw: shared counters are copied unchanged" {
	make_sysfs
	make_stream $(shared_words) run=1500 owner=1:0 owner=1:8 run=1510 >stream
	rcrstat -d stream -f raw | cmp - stream
	rcrstat -d stream -f raw -c 0-3 >some
	rcrstat -d some -c 0-3 --sysfs sys | cmp - <(rcrstat -d stream -c 0-3 --sysfs sys)
}

@test "raw: the stream is copied unchanged" {
	make_stream set run=500 lost=1:7 run=1600 begin=1 set text=a lost-marks=2 end=1 run=2010 >stream
	rcrstat -d stream -f raw 2>/dev/null | cmp - stream
	rcrstat -d stream -f raw -o copy 2>/dev/null
	cmp copy stream
}

@test "raw: records can be limited to CPUs and intervals, and are read back" {
	make_stream set run=5010 lost=1:7 lost=2:3 run=500 text=here run=500 >stream
	rcrstat -d stream -f raw -c 1,3 -n 3 >some
	rcrstat -d some -c 1,3 | cmp - <(rcrstat -d stream -c 1,3 -n 3)
	rcrstat -d stream -f raw -c 1 >some 2>err
	cat >items.py <<-'END'
		import struct, sys
		data, at, seen = open("some", "rb").read(), 0, []
		while at < len(data):
		    size, kind, flags, cpu, generation = struct.unpack_from("=IHHII", data, at)
		    seen.append((kind, cpu))
		    at += size
		assert at == len(data)
		assert seen[0] == (1, 0xffffffff)
		assert set(seen[1:]) == {(2, 1), (16, 1), (4, 0xffffffff)}
		assert seen.count((16, 1)) == 601 and seen.count((2, 1)) == 1
	END
	python3 items.py
}

@test "raw: a write has many items" {
	make_stream set run=5000 >stream
	cat >writes.py <<-'END'
		import os, subprocess
		p = subprocess.Popen(["rcrstat", "-d", "stream", "-f", "raw", "-o", "copy"])
		os.waitid(os.P_PID, p.pid, os.WEXITED | os.WNOWAIT)
		io = dict(line.split(": ") for line in open(f"/proc/{p.pid}/io").read().splitlines())
		assert p.wait() == 0 and int(io["wchar"]) == os.path.getsize("stream")
		assert int(io["syscw"]) <= os.path.getsize("stream") // 100000, io
	END
	python3 writes.py
	cmp copy stream
}

@test "raw: errors and losses are reported as for csv" {
	printf 'BR_MSP <= 9\nTLB_DM <= BR_MSP + 699\n' >relations
	# Records are not compared across a loss; a total decreases in the last record.
	make_stream set run=500 add=2:5:10 run=500 lost=1:7 add=1:4:9000 run=300 \
		add=0:4:8000 run=200 add=3:0:-900000000 run=510 >stream
	rcrstat -d stream -i 0.5 --relations relations >/dev/null 2>csv.err
	rcrstat -d stream -f raw --relations relations 2>raw.err | cmp - stream
	cmp csv.err raw.err
	[ "$(wc -l <raw.err)" -eq 4 ]
	grep -q "^rcrstat: 7 records were overwritten" raw.err
	grep -q "1 record violates 'TOT_CYC is never less than before'" raw.err
	# CPUs that are left out have no output.
	rcrstat -d stream -f raw -c 2 --relations relations 2>&1 >/dev/null |
		diff - <(grep "'BR_MSP" raw.err)
}

@test "csv and ldms: a write has many lines" {
	make_stream set run=20010 >stream
	for format in csv ldms; do
		cat >writes.py <<-END
			import os, subprocess
			p = subprocess.Popen(["rcrstat", "-d", "stream", "-f", "$format", "-i", "0.01", "-o", "lines"])
			os.waitid(os.P_PID, p.pid, os.WEXITED | os.WNOWAIT)
			io = dict(line.split(": ") for line in open(f"/proc/{p.pid}/io").read().splitlines())
			assert p.wait() == 0 and int(io["wchar"]) == os.path.getsize("lines")
			# One write for the header, and one per read() or full buffer.
			assert int(io["syscw"]) <= 2 + 2 * (os.path.getsize("stream") // 262144 + 1), io
		END
		python3 writes.py
		[ "$(wc -l <lines)" -eq 2001 ]
	done
}

@test "raw refuses to write to a terminal" {
	make_stream set run=100 >stream
	run script -qec "rcrstat -d stream -f raw" /dev/null
	echo "$output"
	[ "$status" -eq 1 ]
	[[ "$output" == *"records are not for a terminal"* ]]
}

@test "table: tables in a pipe are separated by empty lines only" {
	make_stream cpus=3 set run=2010 >stream
	rcrstat -d stream -f table >table
	[ "$(wc -l <table)" -eq $((8 + 1 + 8)) ]
	[ "$(grep -c $'\033' table)" -eq 0 ]
	sed -n '1p;10p' table | diff - <(printf '2023-11-14 22:13:22, 1 s, 0 lost, 0 overruns\n2023-11-14 22:13:23, 1 s, 0 lost, 0 overruns\n')
	# Aligned: every line ends where the header does.
	[ "$(sed -n '3,8p' table | awk '{ print length }' | sort -u | wc -l)" -eq 1 ]
}

@test "in every format a full disk is an error, and a closed pipe ends rcrstat by SIGPIPE" {
	make_stream cpus=16 set run=30010 >stream
	for format in csv table ldms influx tacc_stats chrome svg raw; do
		# The format raw has no interval.
		interval=(-i 0.01)
		[ $format != raw ] || interval=()
		says "/dev/full: No space left on device" rcrstat -d stream -f $format -o /dev/full
		{
			rc=0
			rcrstat -d stream -f $format "${interval[@]}" 2>err || rc=$?
			echo $rc >rc
		} | head -c 1 >/dev/null
		[ "$(cat rc)" -eq 141 ]
		[ ! -s err ]
	done
}

@test "only records that violate a relation are marked, and no number is changed" {
	# A sample has at most 9 counts of the last counter, and 699 of the previous one.
	printf '# mine\nBR_MSP <= 9\n\nTLB_DM <= 0.5 ns + 699 # no\n' >wrong
	printf '# mine\nBR_MSP <= 9\n\nTLB_DM <= BR_MSP + 699\n' >relations
	make_stream set run=3010 >whole
	make_stream set run=1500 add=2:5:10 run=1510 >broken
	rcrstat -d whole --relations relations >csv 2>err
	[ ! -s err ]
	[ "$(cut -d, -f5 csv | sort -u | tr '\n' ' ')" = "ok status " ]
	rcrstat -d broken --relations relations >marked 2>err
	[ "$(cut -d, -f5 marked | tr '\n' ' ')" = "status ok cpu2:BR_MSP=suspect ok " ]
	[ "$(wc -l <err)" -eq 1 ]
	grep -qF "1 record violates 'BR_MSP <= 9': " err
	rcrstat -d broken --relations none >unmarked 2>err
	[ ! -s err ]
	cmp <(cut -d, -f1-4,6- marked) <(cut -d, -f1-4,6- unmarked)
	[ "$(cut -d, -f5 unmarked | sort -u | tr '\n' ' ')" = "ok status " ]
	[ "$(RCR_RELATIONS=relations rcrstat -d broken 2>/dev/null | grep -c suspect)" -eq 1 ]
	rcrstat -d broken -f table --relations relations 2>/dev/null >table
	grep -qx "BR_MSP on CPU 2 is suspect: it violates 'BR_MSP <= 9'" table
	[ "$(grep -c '[?]' table)" -eq 1 ]
	says "wrong:4: a term is a counter" rcrstat -d broken --relations wrong
	says "nowhere: No such file" rcrstat -d broken --relations nowhere
}

@test "a total that decreases is marked in its interval" {
	make_stream set run=1500 add=1:0:-100000000 run=1510 >stream
	rcrstat -d stream >csv 2>err
	[ "$(cut -d, -f5 csv | tr '\n' ' ')" = "status ok cpu1:TOT_CYC=suspect ok " ]
	grep -qF "'TOT_CYC is never less than before'" err
	make_stream set run=1500 lost=1:3 add=1:5:-5 run=1510 >stream
	[ "$(rcrstat -d stream 2>/dev/null | grep -c suspect)" -eq 0 ]
}

@test "export formats: independent readers get the totals of the stream" {
	make_stream cpus=5 set run=2500 foreign=3:2 run=2000 foreign=3:2 run=3510 >stream
	for format in influx tacc_stats chrome openmetrics prometheus ctf; do
		rcrstat -d stream -f $format -o $format
		"$BATS_TEST_DIRNAME/read_formats.py" $format $format stream
	done >counts
	# 8 intervals of 5 CPUs with 6 counters, 3 of which are not ok; openmetrics and prometheus
	# have the last interval, chrome the rates of 7 after the first and of one without a total.
	diff counts - <<-'END'
		237 3
		237 0
		236 0
		30 0
		30 0
		237 3
	END
}

@test "export formats: a counter that is not ok in the last interval has no total" {
	make_stream cpus=2 set run=2500 foreign=1:2 run=510 >stream
	rcrstat -d stream -f openmetrics -o metrics
	grep -q 'rcrtool_event_ok{event="RETIRED_FLOPS",place="cpu1",.*} 0 ' metrics
	! grep -q '\(total\|rate\){event="RETIRED_FLOPS",place="cpu1"' metrics || false
	[ "$(grep -c '^rcrtool_events_total' metrics)" -eq 11 ]
	[ "$(tail -n 1 metrics)" = "# EOF" ]
	rcrstat -d stream -f influx | tail -n 12 | grep 'place=cpu1,event=RETIRED_FLOPS' |
		grep -q ' status="foreign" '
}

# promtool comes from Debian's package prometheus, which is unpacked but not installed.
unpack_promtool() {
	local deb
	[ ! -x "$TOP/build/promtool/usr/bin/promtool" ] || return 0
	deb=$(. "$TOP/selftests/lib/common.sh" && . "$TOP/selftests/lib/apt.sh" && apt_fetch_deb prometheus)
	dpkg-deb --fsys-tarfile "$deb" >prometheus.tar
	mkdir -p "$TOP/build/promtool"
	tar -C "$TOP/build/promtool" -xf prometheus.tar ./usr/bin/promtool
}

@test "prometheus: promtool accepts the file and its names" {
	unpack_promtool
	make_stream cpus=5 set run=2500 foreign=3:2 run=3010 >stream
	rcrstat -d stream -f prometheus -o metrics
	"$TOP/build/promtool/usr/bin/promtool" check metrics <metrics >out 2>&1 || { cat out; false; }
	[ ! -s out ]
	# promtool refuses other text.
	! "$TOP/build/promtool/usr/bin/promtool" check metrics <stream >/dev/null 2>&1 || false
}

@test "export formats: marks and the job are exported" {
	make_stream cpus=1 set run=1200 begin=4711 run=1000 'text=half "way"' \
		'verdict=bandwidth contention llc/2 93' run=1510 >stream
	rcrstat -d stream -f influx -e TOT_CYC | cut -d, -f7- | diff - <(printf '%s\n' \
		'status="ok" 1700000002000000000' 'status="ok",job=4711i 1700000003000000000' \
		'status="ok",job=4711i 1700000004000000000')
	rcrstat -d stream -f tacc_stats -o stats
	[ "$(grep -c '^170000000[34]\..* 4711 ' stats)" -eq 4 ]
	grep -A1 '^1700000002.196790 ' stats | grep -qx '%begin 4711'
	grep -q ' text half "way"' <(sed 's/^%/ /' stats)
	grep -qx '%verdict bandwidth contention llc/2 93' stats
	rcrstat -d stream -f chrome >chrome
	cat >read.py <<-'END'
		import json
		marks = [e for e in json.load(open("chrome"))["traceEvents"] if e["ph"] == "i"]
		assert [(e["name"], e["args"]["text"]) for e in marks] == [
		    ("begin", "4711"), ("text", 'half "way"'),
		    ("verdict", "bandwidth contention llc/2 93")], marks
	END
	python3 read.py
	rcrstat -d stream -f ctf -o trace
	babeltrace2 trace >text
	grep -q 'rcrtool:mark: .*kind = "begin", text = "4711"' text
	grep -q 'rcrtool:mark: .*kind = "verdict", text = "bandwidth contention llc/2 93"' text
}

@test "prometheus: the file of -o is replaced atomically, and kept after a failure" {
	make_stream cpus=1 set run=2510 >stream
	echo before >metrics
	ln metrics kept
	rcrstat -d stream -f prometheus -o metrics
	[ "$(cat kept)" = before ]
	[ "$(grep -c '^rcrtool_events_total' metrics)" -eq 6 ]
	[ "$(stat -c %a metrics)" = 644 ]
	says "gone/metrics" rcrstat -d stream -f prometheus -o gone/metrics
	[ "$(echo metrics*)" = metrics ]
}

@test "ctf: a writable directory is required" {
	make_stream cpus=1 set run=1510 >stream
	! rcrstat -d stream -f ctf 2>err || false
	grep -q "the format ctf is a directory: name it with -o" err
	touch file
	says "file/stream: Not a directory" rcrstat -d stream -f ctf -o file
	mkdir full
	ln -s /dev/full full/metadata
	says "full: No space left on device" rcrstat -d stream -f ctf -o full
}

@test "-o keeps the old contents of a file until there is output" {
	make_stream cpus=2 set run=2510 >stream
	rcrstat -r stream >csv
	cp csv kept
	cp stream kept.rcr
	says "csv is the file that is read: name another one with -o" rcrstat -r csv -o csv
	says "stream is the file that is read" rcrstat -r stream -f raw -o stream
	# Formats that replace the file, or write files in a directory, refuse it, too.
	for format in openmetrics prometheus svg; do
		says "stream is the file that is read" rcrstat -r stream -f $format -o stream
	done
	mkdir trace
	ln stream trace/stream
	says "trace/stream is the file that is read" rcrstat -r stream -f ctf -o trace
	rcrstat -r csv -m ipc -o kept && false
	rcrstat -r stream -m nonsense -o kept && false
	rcrstat -r gone -o kept && false
	cmp csv kept
	cmp stream kept.rcr
	# Shorter output leaves nothing of a longer file.
	rcrstat -r stream -n 1 -o kept
	[ "$(wc -l <kept)" -eq 2 ]
}

@test "-e refuses counters that the recording lacks" {
	make_stream cpus=1 set run=1510 >stream
	says "the recording has no counter 'TOT_CYCC'" rcrstat -r stream -e TOT_CYCC
	rcrstat -r stream >csv
	says "csv: no column of event 'TOT_CYCC'" rcrstat -r csv -e TOT_CYCC
	[ "$(rcrstat -r csv -e TOT_CYC | tail -n 1 | tr ',' '\n' | wc -l)" -eq 6 ]
}

@test "saved lines: a mark in the first interval and suspect counts of a group are read" {
	echo 'BR_MSP <= 9' >relations
	make_stream cpus=2 set run=300 begin=4711 'verdict=numa busy node/0 97' run=1210 add=1:5:10 run=1000 >stream
	rcrstat -r stream -p all --relations relations 2>/dev/null >csv
	grep -q 'cpu1:BR_MSP=suspect' csv
	rcrstat -r csv >again
	rcrstat -r again | diff - again
	rcrstat -r csv -j >json
	cat >read.py <<-'END'
		import json
		lines = [json.loads(line) for line in open("json")]
		assert [(l["mark"], l["text"]) for l in lines if "mark" in l] == [
		    ("begin", "4711"), ("verdict", "numa busy node/0 97")], lines
		[last] = [l["values"] for l in lines if "suspect" in str(l)]
		assert {v["status"] for v in last if v["name"] == "BR_MSP"} == {"suspect"}, last
		assert {v["status"] for v in last if v["name"] == "TOT_CYC"} == {"ok"}, last
	END
	python3 read.py
}

@test "saved lines keep all digits of counts that do not fit in a double" {
	printf '%s\n' 'down = TOT_CYC - 900000 * TOT_INS' 'up = TOT_CYC * 4000000' >formulas
	make_stream cpus=1 set run=1510 >stream
	rcrstat -r stream --relations none --derive formulas >csv
	cut -d, -f12- csv | diff - <(printf '%s\n' all:down,all:up -1467563985782649,11174869404000000)
	rcrstat -r csv | cut -d, -f12- | diff - <(cut -d, -f12- csv)
	rcrstat -r csv -j | grep -q '"rate": -1467563985782649}.*"rate": 11174869404000000}'
}

@test "ctf: a late mark has the time of the previous event" {
	make_stream cpus=1 set run=510 text=late run=2000 >stream
	# A mark after all samples.
	cat >move.py <<-'END'
		import struct
		data, at, items = open("stream", "rb").read(), 0, []
		while at < len(data):
		    size, kind = struct.unpack_from("<IH", data, at)
		    items.append((kind, data[at:at + size]))
		    at += size
		[mark] = [item for item in items if b"late" in item[1]]
		items.remove(mark)
		open("moved", "wb").write(b"".join(item[1] for item in items + [mark]))
	END
	python3 move.py
	rcrstat -r moved -f ctf -o trace
	babeltrace2 --clock-seconds trace >text
	[ "$(wc -l <text)" -eq 13 ]
	tail -n 1 text | grep -q '^\[1700000003.000000000\].*text = "late"'
}
