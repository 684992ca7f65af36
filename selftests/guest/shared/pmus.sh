#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# pmus.sh MODEL - events of the kernel's uncore PMUs next to core events, under the names of
# source=msr: they match the formula and perf, follow the kernel when it migrates them to another
# CPU, and are released on unload.
. ./tap.sh
. ./watching.sh

# One line per counter: its name, the argument of rcrctl add, its spelling in rcrctl ls, and unit,
# event, unit mask, box and boxes per package for the formula.
fam15h_shared()
{
	cat <<-'END'
		L3_CACHE_MISSES L3_CACHE_MISSES amd_nb/event=0x4e1,umask=0xf7/ 1 0x4e1 0xf7 0 1
		DCT_RD_TOT DCT_RD_TOT amd_nb/event=0x1f0,umask=0x62/ 1 0x1f0 0x62 0 1
		DCT_WRT amd_nb/event=0x1f0,umask=0x19/ amd_nb/event=0x1f0,umask=0x19/ 1 0x1f0 0x19 0 1
	END
}

zen4_shared()
{
	cat <<-'END'
		L3_REQUESTS l3:event:0x04,umask:0xff amd_l3/event=0x04,umask=0xff/ 2 0x04 0xff 0 1
		L3_LATENCY amd_l3/event=0x9a,umask=0x1f/ amd_l3/event=0x9a,umask=0x1f/ 2 0x9a 0x1f 0 1
		DF_LINK df:event:0x7c7,umask:2 amd_df/event=0x7c7,umask=0x02/ 3 0x7c7 0x02 0 1
	END
}

nehalem_shared()
{
	cat <<-'END'
		LLC_HITS uncore:event:0x08,umask:0x03 uncore/event=0x08,umask=0x03/ 5 0x08 0x03 0 1
		LOCAL_READS uncore:event:0x20,umask:0x10 uncore/qhl_request_local_reads/ 5 0x20 0x10 0 1
		LLC_MISSES uncore/event=9,umask=3/ uncore/event=0x09,umask=0x03/ 5 0x09 0x03 0 1
	END
}

snbep_shared()
{
	cat <<-'END'
		LLC_LOOKUP cbo0:event:0x34,umask:0x11 uncore_cbox_0/event=0x34,umask=0x11/ 6 0x34 0x11 0 8
		LLC_LOOKUP1 cbo1:event:0x34,umask:0x11 uncore_cbox_1/event=0x34,umask=0x11/ 6 0x34 0x11 1 8
		OCCUPANCY pcu:event:0x80,umask:2 uncore_pcu/event=0x80,occ_sel=0x02/ 7 0x80 0x2 0 1
		CAS_READS imc0:event:0x04,umask:0x03 uncore_imc_0/cas_count_read/ 10 0x04 0x03 0 4
		CAS_WRITES imc3:event:0x04,umask:0x0c uncore_imc_3/cas_count_write/ 10 0x04 0x0c 3 4
	END
}

core="TOT_INS TOT_CYC APERF=register:aperf MPERF=msr/mperf/"
slow=''
case $1 in
fam15h) pmu=amd_nb shared=fam15h_shared filler=event=0xe9,umask=1 counters=4 ;;
zen4)
	pmu=amd_l3 shared=zen4_shared filler=event=0x04,umask=1 counters=6
	insmod /rcr/rapl.ko
	core="$core ENERGY=register:energy-pkg"
	;;
nehalem)
	pmu=uncore shared=nehalem_shared filler=event=0x2c,umask=1 counters=8
	insmod /rcr/intel-uncore.ko
	;;
snbep)
	pmu=uncore_pcu shared=snbep_shared filler=event=0x00 counters=4 slow="CAS_READS CAS_WRITES"
	insmod /rcr/intel-uncore.ko
	;;
*) echo "Bail out! pmus.sh: no model $1"; exit 1 ;;
esac
plan 41
while read -r name word spelt unit event umask box; do
	printf '%s %s %s %d %d %d %s\n' "$name" "$word" "$spelt" "$unit" "$event" "$umask" "$box"
done < <($shared) >/tmp/shared
room=$((counters - $(grep -c " $pmu/" /tmp/shared)))
first=$(awk 'NR == 1 { print $1 }' /tmp/shared)
khz=$(tsc_khz)

# Find the CPUs on which the kernel reads the first and the second package, and another CPU of the
# second.
readers()
{
	reader0=$(cut -d, -f1 /sys/bus/event_source/devices/$pmu/cpumask)
	reader1=$(cut -d, -f2 /sys/bus/event_source/devices/$pmu/cpumask)
	other1=$((reader1 ^ 1))
}

# ends_otherwise CPU ENDING: prints the shared counters for which went does not print that ending.
ends_otherwise()
{
	local name
	while read -r name _; do
		case $(went "$name" "$1") in
		*"$2") ;;
		*) echo "$name: $(went "$name" "$1")" ;;
		esac
	done </tmp/shared
}

# Compare the rates of rcrstat with those of the formula, on every unit.
near_formula()
{
	rcrstat -i 1 -n 2 >/tmp/csv
	awk -F, -v khz="$khz" '
		NR == FNR {
			split($0, w, " ")
			unit[w[1]] = w[4]; event[w[1]] = w[5]; umask[w[1]] = w[6]
			box[w[1]] = w[7]; boxes[w[1]] = w[8]
			next
		}
		/^#/ { next }
		!columns { columns = split($0, column, ","); next }
		{
			for (i = 6; i <= columns; i++) {
				name = column[i]; sub(/.*:/, "", name)
				if (!(name in unit) || column[i] !~ /package/) continue
				package = column[i]; sub(/.*package/, "", package)
				rate = 1 + (1009 * event[name] + 97 * umask[name] + 4099 * (boxes[name] * int(package) + box[name]) + 12289 * unit[name]) % 49999
				expected = rate / 65536 * khz * 1000
				off = $i / expected - 1
				cells++
				if (off > 0.01 || off < -0.01) { bad++; print "# " column[i] " " $i " expected " expected }
			}
		}
		END { print "# " cells + 0 " rates"; exit !(cells >= 6 && !bad) }' /tmp/shared /tmp/csv
}

# Print the value of NAME in the first package according to rcrstat, and that of perf stat for the
# same event at the same time.
beside_perf()
{
	local ours
	perf stat -x ';' -a -A -e "$2" sleep 3 2>/tmp/stat &
	sleep 0.5
	ours=$(rcrstat -i 1 -n 1 | awk -F, -v "name=$1" '
		/^#/ { next }
		!column { for (i = 1; i <= NF && !column; i++) if ($i ~ "package0.*:" name "$") column = i; next }
		{ rate = $column }
		END { print rate }')
	wait $!
	awk -F ';' -v ours="$ours" -v "cpu=CPU$reader0" '
		$1 == cpu { theirs = $2 / $5 * 1e9 }
		END {
			off = theirs ? ours / theirs - 1 : 1
			printf "# %s and perf stat %s\n", ours, theirs
			exit !(off < 0.01 && off > -0.01)
		}' /tmp/stat
}

counted_by()
{
	local source=$1 added=() name word spelt rest missing=''
	echo "# source=$source"
	readers
	load source="$source" period_us=5000 slow_period_us=20000 budget_ppm=0 ring_records=8192
	while read -r name word rest; do
		[ "$name" = "$word" ] && added+=("$word") || added+=("$name=$word")
	done </tmp/shared
	rcrctl remove all
	# shellcheck disable=SC2086 # several words
	rcrctl add $core "${added[@]}" && rcrctl finalize
	result $? "pmus: core and shared counters are one set"
	is "$(status_of state) $(status_of source)" "sampling perf" "pmus: the set is counted with source=perf"
	while read -r name word spelt rest; do
		rcrctl ls | grep -q "^$name .* $spelt\$" ||
			missing="$missing $(rcrctl ls | grep "^$name ")"
	done </tmp/shared
	is "$missing" "" "pmus: rcrctl ls spells shared events as perf does"
	is "$(rcrctl ls --json | tr '{' '\n' | sed -n 's/.*"name": *"\([^"]*\)".*slow.*/\1/p' | tr '\n' ' ')" \
		"${slow:+$slow }" "pmus: only slow counters are read outside of the tick"
	watch_on
	watched 1 "on each core and each package"
	is "$(ends_otherwise "$reader0" "ok (counted)")" "" "pmus: every unit of the first package is read"
	is "$(ends_otherwise "$reader1" "ok (counted)")" "" \
		"pmus: every unit of the second package is read"
	is "$(ends_otherwise "$other1" "elsewhere (stood still)")" "" "pmus: no other CPU of the package reads its units"
	near_formula
	result $? "pmus: the rates are the formula's"
	beside_perf "$first" "$(awk 'NR == 1 { print $3 }' /tmp/shared)"
	result $? "pmus: perf stat counts the same next to the module"

	echo "# the CPU on which the kernel reads goes offline and comes back"
	watch_on
	echo 0 >/sys/devices/system/cpu/cpu"$reader1"/online
	sleep 1
	is "$(status_in_ls "$first")" ok "pmus: another CPU takes over the reading"
	echo 1 >/sys/devices/system/cpu/cpu"$reader1"/online
	sleep 1
	watched 1 "while the reading CPU goes offline and comes back"
	is "$(ends_otherwise "$other1" "ok (counted)")" "" "pmus: the new CPU continues to read after the old one is back"
	is "$(ends_otherwise "$reader1" "elsewhere (counted)")" "" "pmus: the old CPU keeps its totals"
	is "$(ends_otherwise "$reader0" "ok (counted)")" "" "pmus: the other package is not interrupted"

	echo "# a box that is full"
	rcrctl save /tmp/saved
	local i extra=()
	for ((i = 0; i <= room; i++)); do
		extra+=("EXTRA$i=$pmu/$filler/")
	done
	watch_on
	rcrctl add "${extra[@]}"
	says 1 "no counter is free for" rcrctl finalize
	is "$(status_of state)" sampling "pmus: the previous set is counted after a refusal"
	rcrctl initialize /tmp/saved && rcrctl finalize
	result $? "pmus: the saved set is read back"
	# Loading the saved set changes the period, and then the set.
	watched 3 "while sets are refused and loaded"
	unset 'extra[0]'
	rcrctl add "${extra[@]}" && rcrctl finalize
	result $? "pmus: as many events as fit are counted"
	unload
}

for source in perf auto; do
	counted_by $source
done
full=
for ((i = 0; i < counters; i++)); do
	full="$full,$pmu/$filler/"
done
is "$(perf stat -x ';' -a -A -e "${full#,}" sleep 0.5 2>&1 | grep -c ';100.00;')" \
	$((2 * counters)) "pmus: after the unload perf can use every counter of the unit"
finished
