#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# rcrjob's command line without a module. Tests with a module are in guest/jobs.

bats_require_minimum_version 1.5.0
load says

setup() {
	use_built
}

@test "--help and the manual page name the same options" {
	same_options rcrjob "$TOP/Documentation/man/rcrjob.1"
	[ "$(rcrjob run --help)" = "$(rcrjob --help)" ]
}

@test "--version is VERSION" {
	[ "$(rcrjob --version)" = "rcrjob $(cat "$TOP/VERSION")" ]
}

@test "completion, for bash and zsh, has the options of the help" {
	diff <(completed rcrjob run --) <(rcrjob --help | grep -oE -- '--[a-z][a-z-]+' | sort -u)
	[ "$(completed rcrjob r)" = run ]
	[ "$(completed rcrjob s)" = sources ]
	# Each offered part is valid: the error is about the missing module.
	for part in $(completed rcrjob run --per ""); do
		says 125 "/dev/rcrtool is not there" rcrjob run --per "$part" -- true
	done
	touch a.json
	[ "$(completed rcrjob run -o a)" = a.json ]
	completed rcrjob run -- slee | grep -qx sleep
	[ "$(completed rcrjob run -- cat a)" = a.json ]
	zsh=$TOP/userspace/system/completion/_rcrjob
	diff <(grep -oE -- '-[a-z] \| --[a-z]+' "$zsh") \
		<(grep -oE -- '-[a-z] \| --[a-z]+' "$TOP/userspace/system/completion/rcrjob.bash")
	! command -v zsh >/dev/null || command zsh -n "$zsh"
}

@test "a wrong command line of other verbs than run is reported, with status 2" {
	says 2 "a verb is missing: write 'rcrjob run -- COMMAND'" rcrjob
	says 2 "unknown verb 'start': use run or sources" rcrjob start -- touch started
	says 2 "unknown option '--often'" rcrjob --often
	[ ! -e started ]
}

@test "a command is not started, with status 125, after a wrong command line" {
	says 125 "a command is missing: write 'rcrjob run -- COMMAND'" rcrjob run
	says 125 "a command is missing" rcrjob run --
	says 125 "unexpected word 'touch': write 'rcrjob run -- touch'" rcrjob run touch started
	says 125 "unknown option '--often'" rcrjob run --often -- touch started
	says 125 "--per needs a value" rcrjob run --per
	says 125 "unknown part 'llc': use core, package or node" rcrjob run -p llc -- touch started
	says 125 "invalid interval '10': use a number and a unit" rcrjob run -i 10 -- touch started
	says 125 "invalid interval '1us'" rcrjob run --interval 1us -- touch started
	[ ! -e started ]
}

@test "a command is not started, with status 125, without a module" {
	[ ! -e /dev/rcrtool ] || skip "rcrtool is loaded"
	says 125 "/dev/rcrtool is not there: load the module with" rcrjob run -- touch started
	says 125 "/dev/rcrtool is not there: load the module with" rcrjob run --json -o out.json -- touch started
	[ ! -e started ]
	[ ! -e out.json ]
}

# fields SYSTEM: print the expected output for the Lustre statistics of a fixture.
fields() {
	local file kind
	for kind in llite mdc osc; do
		for file in "$SOURCES/$1"/*/fs/lustre/"$kind"/*/stats "$SOURCES/$1/sys/kernel/debug/lustre/$kind"/*/stats; do
			[ ! -e "$file" ] || awk -v kind=$kind -v instance="$(basename "$(dirname "$file")")" '
				function print_field(name, value, unit) { print kind "\t" instance "\t" $1 "." name "\t" value "\t" unit }
				$3 != "samples" { next }
				{
					unit = substr($4, 2, length($4) - 2)
					print_field("samples", $2, 1)
					if (NF > 4) { print_field("min", $5, unit); print_field("max", $6, unit); print_field("sum", $7, unit) }
					if (NF > 7) print_field("sumsq", $8, unit)
				}' "$file"
		done
	done
	for file in "$SOURCES/$1/proc/sys/lnet/stats" "$SOURCES/$1/sys/kernel/debug/lnet/stats"; do
		[ ! -e "$file" ] || awk '{
			split("msgs_alloc msgs_max errors send_count recv_count route_count drop_count send_length recv_length route_length drop_length", name)
			for (i = 1; i <= NF; i++) print "lnet\t-\t" name[i] "\t" $i "\t1" }' "$file"
	done
}

@test "sources: each field of Lustre 2.5, 2.12 and 2.15 is printed" {
	SOURCES=$TOP/selftests/bats/sources
	for system in lustre-2.5 lustre-2.12 lustre-2.15; do
		fields $system | sort >expected
		[ "$(wc -l <expected)" -gt 10 ]
		diff expected <(rcrjob sources --values --root "$SOURCES/$system" | sort)
	done
}

@test "sources: counters of InfiniBand, Omni-Path and Slingshot are printed" {
	SOURCES=$TOP/selftests/bats/sources
	# Data counters are in words of 4 bytes; one counter of the fixture is 0.
	find "$SOURCES/fabric/sys/class" -type f | while read -r file; do
		set -- $(sed "s|.*/class/||; s|/| |g" <<<"$file") "$(cat "$file")"
		case $1 in
		cxi) printf 'ib_ext\t%s\t%s\t%s\t1\n' "$2" "$5" "${6%@*}" ;;
		*) printf 'ib_ext\t%s/%s\t%s\t%s\n' "$2" "$4" "$6" "$(case $6 in
			*_data) echo "$7*4" | bc | tr '\n' '\t' && echo bytes ;;
			*) printf '%s\t1' "$7" ;;
			esac)" ;;
		esac
	done | sort >expected
	[ "$(wc -l <expected)" -eq 10 ]
	diff expected <(rcrjob sources --values --root "$SOURCES/fabric" | sort)
}

@test "sources: all rows are printed, as present or with what is missing" {
	SOURCES=$TOP/selftests/bats/sources
	rcrjob sources --root "$SOURCES/lustre-2.5" >table
	[ "$(awk 'NR > 1 { print $1 }' table | sort -u | xargs)" = "block cpu ib_ext intel_snb intel_snb_cbo intel_snb_hau intel_snb_imc intel_snb_pcu intel_snb_qpi intel_snb_r2pci llite lnet mdc mem net nfs numa osc ps sysv_shm tmpfs vfs vmstat" ]
	[ "$(awk '$NF == "present" { print $1 }' table | xargs)" = "llite lnet mdc osc" ]
	[ "$(grep -c 'not known: --root names another system$' table)" -eq 18 ]
	[ "$(grep -c 'no counters in /sys/class/' table)" -eq 3 ]
	[ "$(rcrjob sources --root "$SOURCES/fabric" | awk '$NF == "present" { print $2 }' | xargs)" = "InfiniBand Omni-Path Slingshot" ]
	mkdir empty
	[ "$(rcrjob sources --root empty | grep -c 'present$')" -eq 0 ]
	[ -z "$(rcrjob sources --values --root empty)" ]
}

@test "sources: truncated or damaged values are absent, never 0" {
	cp -r "$TOP/selftests/bats/sources" .
	cd sources/lustre-2.5/proc/fs/lustre/llite/work-*
	truncate -s -3 stats
	sed -i 's/188743681$/18874368x/' stats
	echo "1 2 3" >../../../../sys/lnet/stats
	rcrjob sources --values --root "$BATS_TEST_TMPDIR/sources/lustre-2.5" >"$BATS_TEST_TMPDIR/values"
	cd "$BATS_TEST_TMPDIR"
	[ "$(grep -c '^llite.work.*open.samples.310.1$' values)" -eq 1 ]
	[ "$(grep -c '^llite.work.*\(getattr\|write_bytes\)\|^lnet' values)" -eq 0 ]
	[ "$(grep -c '^llite.home' values)" -eq 5 ]
	echo "N/A (no PMA)" >sources/fabric/sys/class/infiniband/mlx5_0/ports/1/counters/port_xmit_packets
	echo 18446744073709551615 >sources/fabric/sys/class/infiniband/mlx5_0/ports/1/counters/port_rcv_data
	printf 5 >sources/fabric/sys/class/infiniband/mlx5_1/ports/2/counters/port_rcv_packets
	: >sources/fabric/sys/class/cxi/cxi1/device/telemetry/hni_rx_paused_0
	rcrjob sources --values --root sources/fabric >values
	[ "$(wc -l <values)" -eq 6 ]
	[ "$(grep -c 'mlx5_1\|cxi1\|port_rcv_data\|mlx5_0/1.port_xmit_packets' values)" -eq 0 ]
}

@test "sources: pipes, directories, loops, and long or binary files are skipped without waiting" {
	mkdir -p root/proc/fs/lustre/llite/{pipe,folder/stats,loop,long,binary,good,c1}
	mkdir -p root/proc/sys/lnet root/sys/class/infiniband/mlx5_0/ports/1/counters/folder
	cd root/proc/fs/lustre/llite
	mkfifo pipe/stats "$BATS_TEST_TMPDIR"/root/{proc/sys/lnet/stats,sys/class/infiniband/mlx5_0/ports/1/counters/pipe}
	ln -s stats loop/stats
	printf 'snapshot_time 1.2 secs.usecs\nopen 5 samples [regs]\n' | tee good/stats >c1/stats
	{ cat good/stats && seq -f 'op%.0f 1 samples [regs]' 1000000; } >long/stats
	{ cat good/stats && printf 'o\0 1 samples [regs]\nwrite -1 samples [regs]\nread 18446744073709551616 samples [regs]\n'
		head -c 100000 /dev/zero; } >binary/stats
	# Control sequences for terminals, in UTF-8 and as a byte.
	cp -r c1 $'raw\x9bx'
	mv c1 $'c1\xc2\x9bx'
	cd "$BATS_TEST_TMPDIR"
	timeout 20 rcrjob sources --values --root root >values
	printf 'llite\t%s\topen.samples\t5\t1\n' binary 'c1??x' good 'raw?x' | diff - values
	rm -r root/proc/fs/lustre/llite/[!pfl]*
	[ "$(timeout 20 rcrjob sources --root root | grep -c '^l.* present$')" -eq 1 ]
	rm -r root/proc/fs/lustre/llite/long
	timeout 20 rcrjob sources --root root | grep -qE '^llite .* cannot read llite/[*]/stats in '
}

@test "sources: a wrong command line is reported, with status 2" {
	says 1 "none: No such file or directory" rcrjob sources --root none
	says 1 "/dev/null/: Not a directory" rcrjob sources --values --root /dev/null/
	says 2 "'rcrjob sources' has no options but --values and --root" rcrjob sources --json
	says 2 "unexpected word 'now'" rcrjob sources now
	says 2 "--root needs a value" rcrjob sources --root
	says 125 "--root and --values are options of 'rcrjob sources'" rcrjob run --values -- touch started
	[ ! -e started ]
}
