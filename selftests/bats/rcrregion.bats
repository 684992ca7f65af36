#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2154 # run assigns stderr
#
# rcrregion's command line, fake files, and programs with librcrregion that cannot count. Programs
# that can count are in guest/region.

bats_require_minimum_version 1.5.0
load says

setup() {
	use_built
	SECTIONS=$TOP/build/tests/sections
}

# file NAME RANK SIGNAL SET COUNT...: make a file in the directory "files".
file() {
	mkdir -p files
	"$BATS_TEST_DIRNAME/region_file.py" "files/$1" "${@:2}"
}

# without_counters ERRNO [CODE]: make refused.so, in which perf_event_open() fails; CODE is added C.
without_counters() {
	cat >refused.c <<-EOT
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <errno.h>
		#include <string.h>
		#include <sys/syscall.h>
		long syscall(long n, long a, long b, long c, long d, long e, long f)
		{
			long (*real)(long, ...) = dlsym(RTLD_NEXT, "syscall");
			if (n != SYS_perf_event_open)
				return real(n, a, b, c, d, e, f);
			errno = $1;
			return -1;
		}
		${2-}
	EOT
	cc -w -shared -fPIC -o refused.so refused.c
}

# unharmed SENTENCE COMMAND: the command runs normally, but prints one additional line.
unharmed() {
	local rc=0
	LD_PRELOAD=$PWD/refused.so "${@:2}" >out 2>err || rc=$?
	cat err
	[ "$rc $(cat out)" = "42 unharmed" ]
	[ "$(wc -l <err)" -eq 1 ]
	grep -qF -- "$1" err
	[ -z "$(find . -name '*.rcr*')" ]
}

@test "--help and the manual page name the same options" {
	same_options rcrregion "$TOP/Documentation/man/rcrregion.1"
	[ "$(rcrregion join --help)" = "$(rcrregion --help)" ]
	[ "$(rcrregion --version)" = "rcrregion $(cat "$TOP/VERSION")" ]
}

@test "completion, for bash and zsh, has the options of the help" {
	diff <(completed rcrregion run --) <(rcrregion --help | grep -oE -- '--[a-z][a-z-]+' | sort -u)
	[ "$(completed rcrregion s)" = show ]
	touch a.rcr
	[ "$(completed rcrregion show a)" = a.rcr ]
	[ "$(completed rcrregion plot r)" = roofline ]
	mkdir runs
	[ "$(completed rcrregion compare r)" = runs ]
	for mode in $(completed rcrregion run -m ""); do
		rcrregion run -m "$mode" -- true
	done
	completed rcrregion run -- slee | grep -qx sleep
	zsh=$TOP/userspace/system/completion/_rcrregion
	diff <(grep -oE -- '-[a-z] \| --[a-z]+' "$zsh") \
		<(grep -oE -- '-[a-z] \| --[a-z]+' "$TOP/userspace/system/completion/rcrregion.bash")
	! command -v zsh >/dev/null || command zsh -n "$zsh"
}

@test "a wrong command line is reported, with status 125 by run and 2 by other verbs" {
	says 2 "a verb is missing: write 'rcrregion run -- COMMAND'" rcrregion
	says 2 "unknown verb 'start': use run, show, join, plot or compare" rcrregion start
	says 2 "a file is missing: write 'rcrregion show FILE...'" rcrregion show
	says 2 "a directory is missing: write 'rcrregion join DIRECTORY'" rcrregion join
	says 2 "unexpected word 'b': only the form metrics has several directories" rcrregion join a b
	says 2 "'rcrregion show' has no option -a" rcrregion show --all a.rcr
	says 2 "unknown form 'sums': use statistics, metrics or values" rcrregion join -f sums a
	says 2 "only 'rcrregion join' has the form values" rcrregion show -f values a.rcr
	says 2 "--region needs --form=metrics, or 'rcrregion join'" rcrregion show -r solve a.rcr
	says 2 "unknown option '--often'" rcrregion show --often a.rcr
	says 2 "a figure is missing: write 'rcrregion plot mix DIRECTORY'" rcrregion plot -c
	says 2 "unknown figure 'pie': use mix or roofline" rcrregion plot pie a
	says 2 "a directory is missing: write 'rcrregion plot mix DIRECTORY'" rcrregion plot -t mix
	says 2 "are options of the figure roofline" rcrregion plot mix -P 1G a
	says 2 "invalid peak '0G'" rcrregion plot roofline -P 0G a
	says 2 "two runs are needed" rcrregion compare a=b
	says 2 "two runs have the label 'a'" rcrregion compare a=b a=c
	says 2 "'clocks' is neither a metric nor a counter" rcrregion compare -b clocks a=b b=c
	says 2 "'ipc' is named twice" rcrregion compare -b ipc,ipc a=b b=c
	says 2 "--ratios needs --output" rcrregion compare -R a=b b=c
	says 125 "a command is missing" rcrregion run --
	says 125 "unexpected word 'touch': write 'rcrregion run -- touch'" rcrregion run touch started
	says 125 "unknown mode 'most': use general, flops, memory, frontend, all or mix" rcrregion run -m most -- touch started
	says 125 "unknown rule '0': use ranks, nodes, even-odd, none or the number of a group" rcrregion run -s 0 -- touch started
	says 125 "--directory needs a value" rcrregion run --directory
	says 125 "invalid number of ways '0': use 1 to 64" rcrregion run -w 0 -- touch started
	says 125 "unknown state 'on' of prefetchers: use off" rcrregion run -p on -- touch started
	says 125 "'rcrregion run' has no option -t" rcrregion run -t -- touch started
	[ ! -e started ]
}

@test "show prints the totals of a file as a table and as CSV" {
	file a.rcr 3 0 solve 100 200 600
	rcrregion show files/a.rcr >csv
	diff - csv <<-EOT
		file,complete,process,region,counter,threads,calls,lost,total,min,max
		files/a.rcr,1,3,solve,tsc,1,3,0,900,100,600
		files/a.rcr,1,3,solve,instructions,1,3,0,9000,1000,6000
	EOT
	rcrregion show --table files/a.rcr >table
	grep -qF "files/a.rcr: solver, rank 3, node, pid 103, mode general, user, 2.500 s" table
	grep -qF "RCR_Start and RCR_Stop add: 2 tsc, 193 instructions" table
	grep -qF "Not counted: cache-misses" table
	[ "$(awk '$1 == "instructions" { print $2, $3, $4, $5, $6, $7 }' table)" = "1 3 9,000 3,000 1,000 6,000" ]
	file b.rcr -1 11 'a,"b"' 5
	rcrregion show --table files/b.rcr | grep -qF "INCOMPLETE: signal 11 (Segmentation fault) ended it"
	[ "$(rcrregion show files/b.rcr | sed -n 2p)" = 'files/b.rcr,0,node:99,"a,""b""",tsc,1,1,0,5,5,5' ]
}

@test "join prints minimum, maximum, mean and deviation, and the ranks of the extremes" {
	file a.rcr 0 0 solve 100
	file b.rcr 1 0 solve 150 150
	file c.rcr 2 0 solve 500
	touch files/other
	rcrregion join files >csv
	diff - csv <<-EOT
		region,counter,processes,calls,min,min_process,max,max_process,mean,deviation
		solve,instructions,3,4,1000,0,5000,2,3000,1632.99316185545
		solve,tsc,3,4,100,0,500,2,300,163.299316185545
	EOT
	rcrregion join --table files >table
	[ "$(sed -n 2p table | xargs)" = "solve instructions 3 4 1,000 0 5,000 2 3,000 1,633" ]
}

@test "metrics: one line for each application and region is printed, with counters of the node" {
	for rank in 0 1 2 3 4 5; do
		factors=(instructions:10 cycles:5 fp-ops:3)
		COUNTER=${factors[rank % 3]} file $rank.rcr $rank 0 solve 1000000000 1000000000
	done
	COUNTER=cycles:5 file 6.rcr 6 0 'a,b' 2000000000
	run -0 rcrregion join --form metrics files
	diff - <(echo "$output") <<-EOT
		application,region,processes,seconds,ipc,mflops,simd,flop_per_sse,miss_mb_per_s,dram_mb_per_s
		files,"a,b",1,2,,,,,,
		files,solve,6,2,2,18000,,,,
	EOT
	cp -r files other
	[ "$(rcrregion join -f metrics -r solve files other | cut -d, -f1-5 | tail -n 2 | xargs)" = \
		"files,solve,6,2,2 other,solve,6,2,2" ]
	[ "$(rcrregion join -t -f metrics -r solve files other | sed -n 3p | xargs)" = "other solve 6 2 2 18000 - - - -" ]
	[ "$(rcrregion show -f metrics files/1.rcr | sed -n 2p)" = "files/1.rcr,solve,1,2,,,,,," ]
	cat >formulas <<-EOT
		# cycles of one thread
		each = cycles / cpus
		misses = "cache-misses" / instructions
		gips = rate(instructions) / 1000000000
		half = gips / 2
	EOT
	run -0 rcrregion join --derive formulas --region solve files
	[ "${lines[0]}" = "application,region,processes,each,misses,gips,half" ]
	[ "${lines[1]}" = "files,solve,6,1e+10,,60,30" ]
	printf 'a = instruction / tsc\nb = max(cycles)\n' >formulas
	run -2 rcrregion join -D formulas files
	[ "${lines[0]}" = "formulas:1: 'instruction' is neither a counter nor a meter" ]
	[ "${lines[1]}" = "formulas:2: joined files have no min, max or ratios of single CPUs: use sums" ]
}

@test "metrics: counters of the node are left out unless every node has them" {
	export FAMILY="AMD PerfMonV2"
	NODE="CAS0:1000000000 CAS1:500000000" file a.rcr 0 0 solve 1000000000
	NODE="CAS0:1000000000" HOST=other file b.rcr 1 0 solve 1000000000
	file c.rcr 2 0 solve 1000000000
	[ "$(rcrregion show -f metrics files/a.rcr | sed -n 2p)" = "files/a.rcr,solve,1,1,,,,,,96000" ]
	[ "$(rcrregion join -f metrics files | sed -n 2p)" = "files,solve,3,1,,,,,," ]
	rm files/b.rcr
	[ "$(rcrregion join -f metrics files | sed -n 2p)" = "files,solve,2,1,,,,,,96000" ]
}

@test "values: every value of every process is printed, and the statistics match" {
	file a.rcr 0 0 solve 100
	file b.rcr 1 0 solve 150 150
	file c.rcr 2 0 other 1
	rcrregion join -f values -r solve files >csv
	sort csv | diff - <(sort <<-EOT
		region,counter,kind,process,calls,value
		solve,tsc,value,0,1,100
		solve,instructions,value,0,1,1000
		solve,tsc,value,1,2,300
		solve,instructions,value,1,2,3000
		solve,instructions,min,0,3,1000
		solve,instructions,max,1,3,3000
		solve,instructions,mean,,3,2000
		solve,instructions,deviation,,3,1000
		solve,tsc,min,0,3,100
		solve,tsc,max,1,3,300
		solve,tsc,mean,,3,200
		solve,tsc,deviation,,3,100
	EOT
	)
	says 1 "files: no file has the region 'none'" rcrregion join -r none files
}

@test "join leaves out and reports damaged and truncated files, and processes ended by a signal" {
	file a.rcr 0 0 solve 100
	file b.rcr 1 0 solve 200
	file c.rcr 2 15 solve 900
	head -c 500 files/b.rcr >files/cut.rcr
	sed 's/solve/solvd/' files/b.rcr >files/damaged.rcr
	run -1 --separate-stderr rcrregion join files
	[ "$(sed -n 3p <<<"$output")" = "solve,tsc,2,2,100,0,200,1,150,50" ]
	[[ "$stderr" == *"files/cut.rcr: left out: truncated: 500 of 776 bytes"* ]]
	[[ "$stderr" == *"files/damaged.rcr: left out: damaged: its checksum is wrong"* ]]
	[[ "$stderr" == *"left out 1 of 5 files, of processes that a signal ended: use --all to join them"* ]]
	rm files/cut.rcr files/damaged.rcr
	[ "$(rcrregion join --all files | sed -n 3p | cut -d, -f3,7,8)" = "3,900,2" ]
	says 1 "no file of librcrregion (*.rcr)" rcrregion join .
	says 1 "nowhere: No such file or directory" rcrregion join nowhere
}

@test "join reports lost calls, and mixed counts with and without the kernel" {
	file a.rcr 0 0 solve 100
	LOST=5 file b.rcr 1 0 solve 200
	LOST=2 file c.rcr 2 0 solve 300
	FLAGS=2 file d.rcr 3 0 solve 300
	run -0 --separate-stderr rcrregion join files
	[[ "$stderr" == *"7 calls of 2 processes are not counted: the counters were taken away meanwhile"* ]]
	[[ "$stderr" == *"1 of 4 files include counts in the kernel: join them separately"* ]]
	rm files/[abc].rcr
	run -0 --separate-stderr rcrregion join files
	[ -z "$stderr" ]
}

@test "join reports files of several runs, by duplicate ranks and by times" {
	file a.rcr 0 0 solve 100
	file b.rcr 1 0 solve 100
	run -0 --separate-stderr rcrregion join files
	[ -z "$stderr" ]
	file c.rcr 1 0 solve 300
	says_note "files: 1 of 3 files have the rank of another one: if they are of several runs, join each separately"
	# A command begins others while it runs, in whatever order their files are read.
	rm files/*
	for begin in 0 4 10 6 2 8; do
		BEGIN=$begin file $begin.rcr -1 0 program 100
	done
	run -0 --separate-stderr rcrregion join files
	[ -z "$stderr" ]
	rm files/[46].rcr
	says_note "files: the processes ran in 2 separate periods: if they are of several runs, join each separately"
}

# says_note SENTENCE: join prints this note, and its statistics.
says_note() {
	run -0 --separate-stderr rcrregion join files
	[ "$stderr" = "$1" ] || [ "$stderr" = "rcrregion: $1" ]
	[ "${#lines[@]}" -eq 3 ]
}

@test "a name with a control sequence for terminals is refused" {
	file a.rcr 0 0 $'a\xc2\x9b1mb' 100
	file b.rcr 1 0 $'a\xc3\x9bb' 100
	says_left=$(rcrregion join files 2>&1 >out) && false
	[[ "$says_left" == *"files/a.rcr: left out: damaged: set 0 is out of range" ]]
	grep -q $'^a\xc3\x9bb,tsc,1' out
}

@test "metrics of huge counts do not overflow" {
	for rank in 0 1 2 3 4 5; do
		COUNTER=fp-ops:1 file $rank.rcr $rank 0 solve 4000000000000000000
		COUNTER=fp-ops:1000000000 file more$rank.rcr $rank 0 fast 1000000000
	done
	[ "$(rcrregion join -f metrics files | awk -F, 'NR > 1 { printf "%s %.3f %g ", $2, $4, $6 }')" = \
		"fast 1.000 6e+12 solve 4000000000.000 6000 " ]
	rcrregion join -t files >table
}

@test "a text with a line feed is quoted in CSV" {
	file a.rcr 0 0 solve 100
	mv files/a.rcr $'files/a\n1,b.rcr'
	[ "$(rcrregion show files/*.rcr | python3 -c 'import csv, sys; print([row[:2] for row in csv.reader(sys.stdin)][1:])')" = \
		"[['files/a\\n1,b.rcr', '1'], ['files/a\\n1,b.rcr', '1']]" ]
}

# counted DIRECTORY RANK COUNTER...: make a file there; the region takes DURATION seconds (1).
counted() {
	mkdir -p "$1"
	COUNTER="${*:3}" "$BATS_TEST_DIRNAME/region_file.py" "$1/$2.rcr" "$2" 0 "${REGION:-solve}" $((${DURATION:-1} * 1000000000))
}

@test "plot mix: shares of kinds follow from the counts, add up to 100 %, and are drawn" {
	# Ranks count different kinds; widths as of Intel, no operations, and no counters of kinds.
	counted amd 0 fp-add:3 fp-multiply:2
	counted amd 1 fp-divide:0 fp-multiply-add:5
	counted intel 0 fp-scalar:1 fp-packed-128:2 fp-packed-256:4 fp-packed-512:1
	counted none 0 fp-ops:0 fp-packed:0
	counted other 0 instructions:1
	rcrregion plot mix amd intel none other >csv
	cat >read.py <<-'END'
		import csv, sys, xml.etree.ElementTree as tree
		kinds = {"amd": [("add, subtract", 6), ("multiply", 4), ("divide, root", 0), ("multiply-add", 10)],
		         "intel": [("scalar", 1), ("packed, 128 bits", 2), ("packed, 256 bits", 4), ("packed, 512 bits", 1)],
		         "none": [("scalar", 0), ("packed", 0)], "other": [("", None)]}
		rows = [(r["application"], r["kind"], r["count"], r["share"]) for r in csv.DictReader(open("csv"))]
		want = []
		for name, of in kinds.items():
		    whole = sum(n or 0 for _, n in of)
		    for kind, n in of:
		        want.append((name, kind, "" if n is None else str(n * 10**9),
		                     "%.9g" % (n / whole) if whole else ""))
		assert rows == want, (rows, want)
		root = tree.parse("mix.svg").getroot()
		texts = ["".join(t.itertext()).strip() for t in root.iter("{http://www.w3.org/2000/svg}text")]
		for text in ["add, subtract", "multiply-add", "packed, 128 bits", "amd: solve", "30", "20", "50", "25", "% of all"]:
		    assert text in texts, (text, texts)
		assert texts.count("not known") == 2, texts
	END
	rcrregion plot mix -o mix.svg amd intel none other >out
	[ ! -s out ]
	python3 read.py
	rcrregion plot mix -t amd none other >table
	[ "$(sed -n 2p table | xargs)" = "amd solve 2 add, subtract 6,000,000,000 30.0 %" ]
	[ "$(tail -n 3 table | xargs)" = "none solve 1 scalar 0 - packed 0 - other solve 1 not counted - -" ]
	says 1 "no region has counts of kinds of floating-point operations: count them with --mode=mix" rcrregion plot mix other
	# Family 10h has no multiply-add.
	counted ten 0 sse-add:1 sse-multiply:2 sse-divide:1
	[ "$(rcrregion plot mix ten | cut -d, -f4- | tail -n 3 | xargs)" = \
		"add, subtract,1000000000,0.25 multiply,2000000000,0.5 divide, root,1000000000,0.25" ]
	[ "$(rcrregion join -f metrics ten | sed -n 2p)" = "ten,solve,1,1,,4000,,,," ]
}

@test "plot roofline: each region is placed, and limited by the lowest ceiling above it" {
	counted low 0 fp-ops:8 cache-misses:1
	counted high 0 fp-ops:40 cache-misses:0
	HOST=other counted two 1 fp-ops:8 cache-misses:1 && counted two 0 fp-ops:8 cache-misses:1
	counted none 0 instructions:1
	# Above the peak.
	counted mid 0 fp-ops:12 cache-misses:1
	printf 'family AMD Fam15h\nmem_bw machine maximum 100G\nmem_bw random maximum 70GB/s\nflop_rate read maximum 20G\n' >ceilings
	rcrregion plot roofline -C ceilings -P 9G -c -o roof.svg low high two none mid >csv
	diff - csv <<-EOT
		application,region,mflops_per_node,mb_per_s_per_node,flop_per_byte,share_of_roof,limiter
		low,solve,8000,64000,0.125,0.64,"memory, random"
		high,solve,40000,0,,,no cache misses
		two,solve,8000,64000,0.125,0.64,"memory, random"
		none,solve,,,,,not counted
		mid,solve,12000,64000,0.1875,0.64,"memory, random"
	EOT
	grep -q 'low: solve (memory, random)' roof.svg
	grep -q 'memory, machine: 100.0GB/s' roof.svg
	[ "$(rcrregion plot roofline -C ceilings -P 9G -t low | tail -n 1 | xargs)" = "low solve 8000 64000 0.125 64.0 % memory, random" ]
	says 1 "ceilings2: No such file or directory" rcrregion plot roofline -C ceilings2 low
	printf 'mem_bw read maximum fast\n' >ceilings
	run -1 rcrregion plot roofline -C ceilings low
	[[ "$output" == *"ceilings: 1 invalid line: correct or remove it"* ]]
	run -1 rcrregion plot roofline -C <(:) -P 1G -o roof.svg none
	[[ "$output" == *"the machine's memory has no ceiling: measure mem_bw with 'rcrcal'"* ]]
	[[ "$output" == *"no region has counts of both floating-point operations and cache misses"* ]]
}

@test "metrics per node count only the nodes that have the region" {
	counted job 0 fp-ops:8 cache-misses:1
	HOST=other REGION=read counted job 1 fp-ops:4 cache-misses:1
	HOST=third REGION=both counted job 2 fp-ops:4 cache-misses:1
	HOST=fourth REGION=both counted job 3 fp-ops:4 cache-misses:1
	rcrregion plot roofline -P 100G -C <(echo "mem_bw read maximum 70G") job >csv
	[ "$(cut -d, -f2,3 csv | xargs)" = "region,mflops_per_node both,4000 read,4000 solve,8000" ]
	rcrregion compare -b mflops_per_node,miss_mb_per_node a=job b=job >csv
	[ "$(grep ',a,' csv | cut -d, -f1,2,5,6 | xargs)" = "both,mflops_per_node,4,4000 both,miss_mb_per_node,4,64000 read,mflops_per_node,4,4000 read,miss_mb_per_node,4,64000 solve,mflops_per_node,4,8000 solve,miss_mb_per_node,4,64000" ]
}

@test "the key of a figure has one line per name, in one column next to the figure" {
	for n in $(seq 30); do
		REGION="r$n" counted many "$n" fp-ops:"$n" cache-misses:1
	done
	printf 'mem_bw read maximum 70G\nmem_bw copy maximum 60G\n' >ceilings
	rcrregion plot roofline -P 30G -C ceilings -o roof.svg many
	rcrregion compare -b fp-ops -o lines.svg 1=many 2=many 3=many
	cat >key.py <<-'END'
		import re, sys, xml.etree.ElementTree as tree
		ns = "{http://www.w3.org/2000/svg}"
		for name, more in (("roof.svg", 3), ("lines.svg", 0)):
		    places = []
		    for group in tree.parse(name).iter(ns + "g"):
		        text = "".join(group.itertext()).strip()
		        if re.match("r[0-9]+|memory,|operations, peak", text) and group.find(ns + "text") is not None:
		            places.append(re.search(r"translate\(([0-9.]+),([0-9.]+)\)", group.get("transform")).groups())
		    assert len(places) == 30 + more, (name, places)
		    assert len({x for x, _ in places}) == 1 and len({y for _, y in places}) == 30 + more, (name, places)
	END
	python3 key.py
}

@test "an empty figure is not drawn" {
	mkdir ended
	COUNTER="fp-scalar:1" "$BATS_TEST_DIRNAME/region_file.py" ended/0.rcr 0 9 solve 1
	run -1 --separate-stderr rcrregion plot mix -o drawn.svg ended
	[[ "$stderr" == *"no file has a region to draw" ]]
	run -1 --separate-stderr rcrregion plot roofline -P 1G -o drawn.svg ended
	[[ "$stderr" == *"no file has a region to draw" ]]
	[ ! -e drawn.svg ]
	says 2 "--output=- draws on standard output, where --csv and --table print: choose one" rcrregion plot mix -c -o - ended
}

@test "compare: runs are printed side by side, with ratios to the first; unknown values are empty" {
	counted o1 0 instructions:6 cycles:6 fp-ops:2
	counted o3 0 instructions:3 cycles:2 fp-ops:0
	HOST=other counted o3 1 instructions:3 cycles:2 fp-ops:0
	counted o9 0 instructions:5
	REGION=apart counted apart 0 cycles:1
	run -0 --separate-stderr rcrregion compare -b ipc,cycles,mflops,mflops_per_node O1=o1 O3=o3 o9
	[ -z "$stderr" ]
	diff - <(echo "$output") <<-EOT
		region,metric,run,processes,nodes,amount,ratio
		solve,ipc,O1,1,1,1,1
		solve,ipc,O3,2,2,1.5,1.5
		solve,ipc,o9,1,1,,
		solve,cycles,O1,1,1,6e+09,1
		solve,cycles,O3,2,2,4e+09,0.666666667
		solve,cycles,o9,1,1,,
		solve,mflops,O1,1,1,2000,1
		solve,mflops,O3,2,2,0,0
		solve,mflops,o9,1,1,,
		solve,mflops_per_node,O1,1,1,2000,1
		solve,mflops_per_node,O3,2,2,0,0
		solve,mflops_per_node,o9,1,1,,
	EOT
	# A ratio to 0 is unknown; a region that only one run has is reported.
	run -0 --separate-stderr rcrregion compare -t -b mflops,cycles a=o3 b=o1 apart
	[[ "$stderr" == *"the region 'solve' is not in 'apart'"*"the region 'apart' is not in 'a', 'b'" ]]
	[ "$(sed -n 2p <<<"$output" | xargs)" = "solve mflops 0 2000 (-) -" ]
	[ "$(sed -n 5p <<<"$output" | xargs)" = "cycles - - 1e+09 (-)" ]
	run -1 rcrregion compare -b cycles o1 apart
	[[ "$output" == *"nothing can be compared: no region and metric is known of two runs"* ]]
	# A formula of the user takes precedence over a counter of the same name.
	printf 'mflops_per_node = cycles / instructions\n' >formulas
	run -0 rcrregion compare -D formulas o1 a=o1
	[ "${lines[2]}" = "solve,mflops_per_node,a,1,1,1,1" ]
	FLAGS=2 counted kernel 0 cycles:6
	run -0 --separate-stderr rcrregion compare -b cycles o1 kernel
	[[ "$stderr" == *"counts of 'kernel' include those in the kernel, those of 'o1' do not: ratios of them are not comparable" ]]
	head -c 500 o3/0.rcr >o3/cut.rcr
	run -1 --separate-stderr rcrregion compare -b cycles o1 o3
	[[ "$stderr" == *"o3/cut.rcr: left out: truncated: 500 of"* ]]
	[ "${lines[2]}" = "solve,cycles,o3,2,2,4e+09,0.666666667" ]
}

# has_texts COUNT FILE TEXT...: the figure has each text COUNT times.
has_texts() {
	python3 - "$@" <<-'END'
		import sys, xml.etree.ElementTree as tree
		texts = ["".join(t.itertext()).strip() for t in tree.parse(sys.argv[2]).iter("{http://www.w3.org/2000/svg}text")]
		for text in sys.argv[3:]:
		    assert texts.count(text) == int(sys.argv[1]), (text, texts)
	END
}

@test "compare: bars, or lines if labels are numbers, have the heights of the numbers of CSV" {
	for n in 1 2 4; do
		counted "$n" 0 cycles:$((n * n)) instructions:16
	done
	REGION="b<'>]]>" counted 4 1 cycles:3
	rcrregion compare -b cycles -o lines.svg 1 2 4 2>err
	cat >read.py <<-'END'
		import re, xml.etree.ElementTree as tree
		ns, link = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
		root = tree.parse("lines.svg").getroot()
		line = [g for g in root.iter(ns + "g") if g.findtext(ns + "title") == "solve"][0]
		places = [tuple(map(float, re.search(r"translate\(([^)]*)\)", u.get("transform")).group(1).split(",")))
		          for u in line.iter(ns + "use") if "gpPt" in u.get(link)]
		# The last one is the sample in the key.
		(_, y1), (_, y2), (_, y4), _ = places
		assert abs((y1 - y4) / (y1 - y2) - 15 / 3) < 0.05, places
		assert "b<'>]] >" in "".join(root.itertext())
	END
	python3 read.py
	rcrregion compare -R -b cycles,instructions -o bars.svg one=1 two=2
	python3 -c 'import xml.etree.ElementTree as t; s = "".join(t.parse("bars.svg").getroot().itertext()); assert "cycles, ratio to one" in s and "two" in s'
	echo kept >kept.svg
	says 1 "a figure needs the program gnuplot, which is not installed: install Debian's gnuplot-nox" \
		env PATH=/nonexistent "$TOP/build/bin/rcrregion" compare -b cycles -o kept.svg 1 2
	[ "$(cat kept.svg)" = kept ]
	# Negative values are drawn downwards.
	echo 'less = cycles - instructions' >formulas
	rcrregion compare -D formulas -o less.svg a=1 b=2
	has_texts 1 less.svg "-15.00G" "-12.00G"
	# Names cannot contain commands or formats, and the user's configuration is ignored.
	for name in 'a%gb 50%' '`touch drawn`' '@x {/Symbol a}_b^c "q"' "<b>&amp;\\"; do
		REGION=$name counted names "${#name}" fp-scalar:1 fp-packed-128:2 fp-packed-256:4 fp-packed-512:1
	done
	mkdir home && echo 'set datafile separator ","' >home/.gnuplot
	HOME=$PWD/home rcrregion plot mix -o names.svg names
	has_texts 1 names.svg 'a%gb 50%' '`touch drawn`' '@x {/Symbol a}_b^c "q"' "<b>&amp;\\"
	[ ! -e drawn ]
	says 1 "/dev/full: No space left on device" rcrregion compare -b cycles -o /dev/full 1 2
	rc=0
	rcrregion compare -b cycles -c 1 2 >/dev/full || rc=$?
	[ $rc -eq 1 ]
	bash -c 'set -o pipefail; rcrregion compare -b cycles -c 1 2 | :' || [ $? -eq 141 ]
}

@test "compare: times and rates over compiler flags, and over processes per node" {
	# Figures 9 and 10: cycles by compiler flags, for 10 s, 6 s and 4 s. Figures 13 and 14: time
	# and operations of one process per node on four nodes, and of four on one (1.3 times as long).
	for REGION in FT EP; do
		[ $REGION = FT ] && first=0 || first=4
		DURATION=10 counted O1 "$first" cycles:3
		DURATION=6 counted O3 "$first" cycles:3
		DURATION=4 counted SIMD "$first" cycles:3
		for rank in $(seq "$first" $((first + 3))); do
			HOST=node$((rank % 4)) DURATION=10 counted one "$rank" cycles:3 fp-ops:2
			DURATION=13 counted four "$rank" cycles:3 fp-ops:2
		done
	done
	rcrregion compare -R -b cycles,seconds -o flags.svg O1 O3 SIMD
	[ "$(rcrregion compare -b cycles,seconds O1 O3 SIMD | awk -F, 'NR > 1 { print $1, $2, $7 }' | xargs)" = \
		"EP cycles 1 EP cycles 0.6 EP cycles 0.4 EP seconds 1 EP seconds 0.6 EP seconds 0.4 $(
		)FT cycles 1 FT cycles 0.6 FT cycles 0.4 FT seconds 1 FT seconds 0.6 FT seconds 0.4" ]
	rcrregion compare -R -b seconds,mflops_per_node -o nodes.svg 1=one 4=four
	[ "$(rcrregion compare -b seconds,mflops_per_node 1=one 4=four | awk -F, '$3 == 4 { print $1, $2, $7 }' | xargs)" = \
		"EP seconds 1.3 EP mflops_per_node 4 FT seconds 1.3 FT mflops_per_node 4" ]
	# Bars have the heights of the ratios, which are printed above them.
	has_texts 1 flags.svg "cycles, ratio to O1" "seconds, ratio to O1"
	has_texts 4 flags.svg 0.600 0.400
	has_texts 1 nodes.svg "seconds, ratio to 1" "mflops_per_node, ratio to 1"
	has_texts 2 nodes.svg 1.300 4.000
}

@test "a program that cannot count prints one line and runs normally" {
	without_counters ENOENT
	unharmed "the kernel has no counters of this CPU (a virtual machine without a PMU?)" "$SECTIONS" pairs 10
	unharmed "the kernel has no counters of this CPU" "$SECTIONS" threads 10
	unharmed "the kernel has no counters of this CPU" "$SECTIONS" fork
	unharmed "unknown mode 9: use 0 to 5" "$SECTIONS" mode 9
	without_counters EBUSY
	unharmed "sections are not counted: " "$SECTIONS" pairs 10
	without_counters EMFILE
	unharmed "sections are not counted: Too many open files" "$SECTIONS" pairs 10
	without_counters ENOSYS
	unharmed "sections are not counted: the kernel has no perf events" "$SECTIONS" pairs 10
	# Without a PMU the kernel first reports missing permissions, which would not help.
	without_counters EACCES "int access(const char *p, int mode)
		{ return strstr(p, \"/devices/cpu\") ? -1 : syscall(SYS_access, p, mode, 0, 0, 0, 0); }"
	unharmed "the kernel has no counters of this CPU" "$SECTIONS" pairs 10
	run -143 env LD_PRELOAD="$PWD/refused.so" "$SECTIONS" die 15
	[ -z "$(find . -name '*.rcr*')" ]
}

@test "rcrregion run: a command that cannot be counted runs normally, after one line" {
	without_counters ENOENT
	LD_PRELOAD=$PWD/refused.so run -7 --separate-stderr rcrregion run -- sh -c 'exit 7'
	[ "$stderr" = "rcrregion: sections are not counted: the kernel has no counters of this CPU (a virtual machine without a PMU?)" ]
	# The programs of a script do not repeat the line.
	LD_PRELOAD=$PWD/refused.so run -7 --separate-stderr rcrregion run -- bash -c '/bin/true; /bin/true; exit 7'
	[ "$(wc -l <<<"$stderr")" -eq 1 ]
	LD_PRELOAD=$PWD/refused.so run -7 --separate-stderr rcrregion run -- rcrregion run -- bash -c '/bin/true; exit 7'
	[ "$(wc -l <<<"$stderr")" -eq 2 ]
	run -0 --separate-stderr rcrregion run -- "$TOP/build/tests/work" nops 10
	[ "$stderr" = "rcrregion: $TOP/build/tests/work is not counted: it is a static program" ]
	run -0 --separate-stderr rcrregion run -d nowhere -- true
	[ "$stderr" = "rcrregion: true is not counted: nowhere: No such file or directory" ]
	mkdir bin && cp "$TOP/build/bin/rcrregion" bin
	run -3 --separate-stderr bin/rcrregion run -- sh -c 'exit 3'
	[ "$stderr" = "rcrregion: sh is not counted: rcrtool/librcrregion-run.so was not found in ../lib of rcrregion" ]
	LD_PRELOAD=$PWD/refused.so run -127 rcrregion run -- no-such-command
}

# machine MODEL: make a root directory with resctrl and two CPUs with MSR 1A4H, and resctrl.so,
# which makes the files of resctrl groups as the kernel does.
machine() {
	export RCR_ROOT=$PWD/root
	mkdir -p root/proc root/sys/fs/resctrl/info/L3 root/dev/cpu/{0,1}
	printf 'vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: %d\n' "$1" >root/proc/cpuinfo
	echo fff >root/sys/fs/resctrl/info/L3/cbm_mask
	echo 2 >root/sys/fs/resctrl/info/L3/min_cbm_bits
	printf '    MB:0=100;1=100\n    L3:0=fff;1=fff\n' >root/sys/fs/resctrl/schemata
	for cpu in 0 1; do
		truncate -s 4096 root/dev/cpu/$cpu/msr
		printf '%b' "\x2$((cpu + 1))\0\0\0\0\0\0\x80" | dd of=root/dev/cpu/$cpu/msr bs=1 seek=$((0x1a4)) conv=notrunc status=none
	done
	cat >resctrl.c <<-'EOT'
		#include <fcntl.h>
		#include <stdio.h>
		#include <stdlib.h>
		#include <sys/syscall.h>
		#include <unistd.h>
		static char text[4200];
		static char *at(const char *p, const char *f) { sprintf(text, "%s/%s", p, f); return text; }
		int mkdir(const char *p, unsigned int mode)
		{
			int ret = syscall(SYS_mkdir, p, mode);
			close(open(at(p, "tasks"), O_CREAT | O_WRONLY, 0644));
			close(open(at(p, "schemata"), O_CREAT | O_WRONLY, 0644));
			return ret;
		}
		int rmdir(const char *p)
		{
			unlink(at(p, "tasks"));
			unlink(at(p, "schemata"));
			return syscall(SYS_rmdir, p);
		}
	EOT
	cc -w -shared -fPIC -o resctrl.so resctrl.c
	cat root/dev/cpu/*/msr >before
}

registers() {
	for cpu in 0 1; do
		od -A n -t x8 -j $((0x1a4)) -N 8 root/dev/cpu/$cpu/msr
	done | xargs
}

# is_restored: wait until the group is removed and the registers are restored.
is_restored() {
	for _ in $(seq 100); do
		if cat root/dev/cpu/*/msr | cmp -s - before && [ -z "$(find root/sys/fs/resctrl -name 'rcrregion.*')" ]; then
			return
		fi
		sleep 0.1
	done
	registers
	return 1
}

@test "run: ways of the L3 and prefetchers are set while the command runs, and always restored" {
	machine 85
	[ "$(registers)" = "8000000000000021 8000000000000022" ]
	run -7 env LD_PRELOAD="$PWD/resctrl.so" rcrregion run -w 3 -p off -- sh -c "
		od -A n -t x8 -j 420 -N 8 root/dev/cpu/0/msr; od -A n -t x8 -j 420 -N 8 root/dev/cpu/1/msr
		cat root/sys/fs/resctrl/rcrregion.\$PPID.*/schemata
		[ \"\$(cat root/sys/fs/resctrl/rcrregion.\$PPID.*/tasks)\" = \$PPID ] && exit 7"
	[[ "$output" == *"800000000000002f"*"800000000000002f"*"L3:0=7;1=7"* ]]
	is_restored
	for signal in TERM HUP KILL; do
		rm -f started
		LD_PRELOAD=$PWD/resctrl.so rcrregion run -w 3 -p off -- sh -c 'touch started; sleep 30' 3>&- &
		pid=$!
		for _ in $(seq 100); do
			[ ! -e started ] || break
			sleep 0.1
		done
		[ "$(registers)" = "800000000000002f 800000000000002f" ]
		says 125 "another 'rcrregion run' has changed the prefetchers" rcrregion run -p off -- touch second
		[ ! -e second ]
		kill -$signal $pid
		wait $pid || true
		is_restored
	done
	# The command stops or kills the process that restores the registers.
	for signal in STOP KILL; do
		run -7 env LD_PRELOAD="$PWD/resctrl.so" timeout 20 rcrregion run -w 3 -p off -- sh -c "
			for pid in \$(cat /proc/\$PPID/task/*/children); do [ \$pid = \$\$ ] || kill -$signal \$pid; done; exit 7"
		is_restored
	done
	# A foreign lock of the directory is ignored.
	run -7 flock root/dev/cpu rcrregion run -p off -- sh -c 'exit 7'
}

# shim: compile shim.so from the C code on standard input.
shim() {
	cat >shim.c
	cc -w -shared -fPIC -o shim.so shim.c
}

@test "run: a second command finds the prefetchers in use, even after a CPU has been offline" {
	machine 85
	rcrregion run -p off -- sh -c 'touch started; sleep 30' 3>&- &
	pid=$!
	for _ in $(seq 100); do
		[ ! -e started ] || break
		sleep 0.1
	done
	mv root/dev/cpu/0 away
	says 125 "another 'rcrregion run' has changed the prefetchers" rcrregion run -p off -- touch second
	# The kernel makes a new file for the same register.
	cp -r away root/dev/cpu/0
	says 125 "another 'rcrregion run' has changed the prefetchers" rcrregion run -p off -- touch second
	[ ! -e second ]
	kill $pid
	wait $pid || true
	is_restored
}

@test "run: a failed change of the prefetchers is not reported as a change" {
	machine 85
	shim <<-'EOT'
		#include <errno.h>
		#include <unistd.h>
		ssize_t pwrite(int fd, const void *p, size_t n, off_t at) { errno = EPERM; return -1; }
		ssize_t pwrite64(int fd, const void *p, size_t n, off_t at) { errno = EPERM; return -1; }
	EOT
	run -125 --separate-stderr env LD_PRELOAD="$PWD/shim.so" rcrregion run -p off -- touch started
	[ "$stderr" = "rcrregion: --prefetch: MSR 1A4H of CPU 0: Operation not permitted: lockdown of the kernel, or allow_writes of its module msr, forbids it" ]
	[ ! -e started ]
	is_restored
}

@test "run: prefetchers are restored even if standard error is closed" {
	machine 85
	rcrregion run -d nowhere -p off -- sh -c 'od -A n -t x8 -j 420 -N 8 root/dev/cpu/1/msr >during' <&- >&- 2>&-
	[ "$(xargs <during)" = 800000000000002f ]
	is_restored
}

@test "run: a signal to the group right after the start does not end the restoring process" {
	machine 85
	shim <<-'EOT'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <unistd.h>
		pid_t fork(void)
		{
			pid_t (*real)(void) = dlsym(RTLD_NEXT, "fork"), pid = real();
			if (!pid)
				usleep(1000000);
			return pid;
		}
	EOT
	setsid env LD_PRELOAD="$PWD/shim.so" rcrregion run -p off -- sleep 30 2>/dev/null 3>&- &
	pid=$!
	for _ in $(seq 100); do
		[ "$(registers)" != "800000000000002f 800000000000002f" ] || break
		sleep 0.02
	done
	kill -TERM -- -$pid
	kill -KILL $pid
	wait $pid || true
	is_restored
}

@test "run: a setting that fails is reported, the command does not run, and nothing is changed" {
	machine 85
	says 125 "--l3-ways: the L3 has 2 to 12 ways to allocate" rcrregion run -w 13 -- touch started
	# The group has no files without the shim.
	says 125 "schemata: No such file or directory" rcrregion run -w 4 -p off -- touch started
	is_restored
	truncate -s 100 root/dev/cpu/1/msr
	says 125 "--prefetch: MSR 1A4H of CPU 1: Input/output error" rcrregion run -p off -- touch started
	[ "$(od -A n -t x8 -j 420 -N 8 root/dev/cpu/0/msr | xargs)" = 8000000000000021 ]
	[ "$(grep -c 'root$' "$BATS_TEST_TMPDIR/err")" = 0 ]
	rm root/sys/fs/resctrl/info/L3/cbm_mask
	says 125 "cbm_mask cannot be read: is the CPU one with cache allocation, and resctrl mounted" rcrregion run -w 4 -- touch started
	machine 92
	says 125 "--prefetch: this CPU is not known to have MSR 1A4H" rcrregion run -p off -- touch started
	rm -r root/dev && machine 85 && rm -r root/dev
	says 125 "dev/cpu: No such file or directory: as root, 'modprobe msr'" rcrregion run -p off -- touch started
	[ ! -e started ]
}

@test "an MPI program linked with librcrregion-mpi counts itself" {
	without_counters ENOENT
	cc -Wall -Wextra -Werror -o linked "$TOP/selftests/guest/programs/region/mpi_work.c" -L"$TOP/build/lib" \
		-l:librcrregion-mpi.a -l:librcrregion.a -pthread "$TOP/build/tests/fake_mpi" -Wl,-rpath,"$TOP/build/tests"
	for kind in c thread fortran f08; do
		unharmed "sections are not counted: the kernel has no counters of this CPU" ./linked $kind 10
	done
	LD_PRELOAD=$PWD/refused.so run -42 --separate-stderr rcrregion run --mpi -- "$TOP/build/tests/mpi_work" c 10
	[[ "$stderr" == "rcrregion: sections are not counted: the kernel has no counters"* ]]
	# A program without MPI has nothing to count.
	run -3 --separate-stderr rcrregion run --mpi -- sh -c 'exit 3'
	[ -z "$stderr" ]
}

@test "the example of the manual page, the C++ classes and the Fortran module compile" {
	library=$TOP/userspace/region/library
	sed -n '/^\.EX$/,/^\.EE$/p' "$TOP/Documentation/man/rcrregion.1" | sed '/^\.E[XE]$/d' >example.c
	cc -Wall -Wextra -Werror -I"$library" -o example example.c "$TOP/build/lib/librcrregion.a"
	cat >classes.cpp <<-EOT
		#include <rcr_region.hpp>
		int main()
		{
			rcr::session counted(RCR_REGION_FLOPS);
			rcr::region section("solve"), other(1);
		}
	EOT
	c++ -Wall -Wextra -Werror -I"$library" -o classes classes.cpp -L"$TOP/build/lib" -lrcrregion
	cat >module.f90 <<-EOT
		program solver
		  use rcr_region
		  integer :: status
		  status = rcr_initialize(RCR_REGION_GENERAL)
		  status = rcr_start(rcr_set_of('solve'))
		  status = rcr_stop(rcr_set_of('solve'))
		  status = rcr_finalize()
		end program solver
	EOT
	gfortran -Wall -o module "$library/rcr_region.f90" module.f90 \
		-L"$TOP/build/lib" -lrcrregion
	without_counters ENOENT
	LD_LIBRARY_PATH=$TOP/build/lib LD_PRELOAD=$PWD/refused.so ./classes 2>err
	[ "$(wc -l <err)" -eq 1 ]
}
