#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# mutate.sh [NAME]... - breaks lines of code on which the promises depend, one at a time, and checks
# that a test fails. NAME is a row of selftests/mutate/table; without one all rows are tried. Prints
# TAP. --check only checks that each row can be applied.
#
# Works in two copies of the tree, and takes about an hour. Each test is first run on the
# unbroken tree, where it must pass ("green"). A row passes if the result that it names is "not ok"
# ("red"): a build failure, or a test without output, is not sufficient.
set -eu
. "$(dirname "$0")/lib/common.sh"

TABLE=$RCR_TOP/selftests/mutate/table
WORKERS=2
OUT=$RCR_BUILD/mutate
KEYS="name promise file from to test red"

declare -A row
names=() tests=()

# has WORD WORD...: status 0 if the first word is among the others.
has()
{
	local word=$1 other
	shift
	for other in "$@"; do
		[ "$other" != "$word" ] || return 0
	done
	return 1
}

# Read the table: paragraphs of "key: value" lines, which its head explains.
read_table()
{
	local line key value name='' number=0
	while IFS= read -r line; do
		number=$((number + 1))
		case $line in
		'#'* | '') continue ;;
		esac
		key=${line%%:*}
		value=${line#"$key":}
		value=${value# }
		# shellcheck disable=SC2086 # one word each
		has "$key" $KEYS || die "$TABLE, line $number: unknown key \"$key\""
		if [ "$key" = name ]; then
			name=$value
			names+=("$name")
		fi
		row[$name.$key]=$value
	done <"$TABLE"
	check_rows
}

# Refuse a missing bats file, and a row without a filter: such a test would never pass.
check_bats_row()
{
	local words
	read -ra words <<<"${row[$1.test]}"
	[ "${words[0]}" = bats ] || return 0
	if [ ${#words[@]} -lt 3 ] || [ ! -e "$RCR_TOP/selftests/bats/${words[1]}.bats" ]; then
		die "$TABLE: the test of $1 needs an existing bats file and a filter"
	fi
}

check_rows()
{
	local name key
	for name in "${names[@]}"; do
		for key in $KEYS; do
			[ -n "${row[$name.$key]+there}" ] || die "$TABLE: $name has no \"$key\""
		done
		check_bats_row "$name"
	done
}

# Select the requested rows, by default all, and their tests, each once.
choose()
{
	local name
	for name in "$@"; do
		has "$name" "${names[@]}" || die "unknown row \"$name\": see the names in $TABLE"
	done
	[ $# -eq 0 ] || names=("$@")
	mapfile -t tests < <(for name in "${names[@]}"; do
		printf '%s\n' "${row[$name.test]}"
	done | sort -u)
}

# make_tree TREE: copies the tree; the parts of build that no row changes are shared.
make_tree()
{
	local part
	mkdir -p "$1/build"
	# Preserve times, so that programs are not built again.
	for part in Kbuild Makefile VERSION LICENSES Documentation kmod uapi userspace selftests; do
		cp -rp "$RCR_TOP/$part" "$1/"
	done
	cp -rp "$RCR_BUILD"/{bin,lib,userspace,tests.d} "$1/build/"
	# Rebuild objects of the copy if its headers change, not those of the original.
	find "$1/build/userspace" -name '*.d' -exec sed -i "s#$RCR_TOP/#$1/#g" {} +
	cp -al "$RCR_BUILD/tests" "$1/build/"
	for part in "$RCR_BUILD"/{qemu,kernels,downloads,apt,initramfs-*}; do
		[ ! -e "$part" ] || ln -sfn "$part" "$1/build/"
	done
}

# replace FILE FROM TO: prints the file with FROM replaced by TO; fails unless FROM occurs once.
replace()
{
	FROM=$2 TO=$3 awk '
		BEGIN { from = ENVIRON["FROM"]; to = ENVIRON["TO"] }
		{
			at = index($0, from)
			if (at) {
				rest = substr($0, at + length(from))
				found += 1 + (index(rest, from) > 0)
				$0 = substr($0, 1, at - 1) to rest
			}
			print
		}
		END { exit found != 1 }' "$1"
}

# check_table: checks that the text which each row replaces still exists.
check_table()
{
	local name failed=0
	for name in "${names[@]}"; do
		replace "$RCR_TOP/${row[$name.file]}" "${row[$name.from]}" "" >/dev/null && continue
		say "$name: ${row[$name.file]} must contain the text to replace exactly once"
		failed=1
	done
	return $failed
}

# run_unit TREE TEST [ARGUMENT], run_guest TREE [OPTION]... -- TEST..., run_script TREE FILE,
# run_bats TREE FILE FILTER: runs a test in that tree and prints its TAP; status 1 if the build
# fails.
run_unit()
{
	local program=$1/build/unit/test_$2
	rm -f "$program"
	make -s -C "$1/selftests/unit" O="$1/build" "$program" >&2 || return 1
	timeout 300 "$program" "${@:3}" </dev/null || true
}

run_guest()
{
	local tree=$1 options=() tests
	shift
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	make -s -C "$tree" modules >&2 || return 1
	make -s -C "$tree/userspace" O="$tree/build" >&2 || return 1
	make -s -C "$tree/selftests/guest" O="$tree/build" >&2 || return 1
	printf -v tests '%q ' "$*"
	"$tree/selftests/qemu/guest.sh" -n mutate "${options[@]}" "bash tests/run.sh $tests" || true
}

run_script()
{
	make -s -C "$1" modules programs >&2 || return 1
	"$1/selftests/$2" || true
}

run_bats()
{
	make -s -C "$1/userspace" O="$1/build" >&2 || return 1
	make -s -C "$1/selftests/unit" O="$1/build" "$1"/build/unit/{make_stream,fetch_pcp} >&2 || return 1
	make -s -C "$1/selftests/guest" O="$1/build" "$1"/build/tests/{rude,sections,mpi_work} >&2 || return 1
	bats --tap -f "$3" "$1/selftests/bats/$2.bats" || true
}

# run_test TREE TEST LOG: runs a test; writes its TAP to LOG.tap and its errors to LOG.err.
run_test()
{
	local words
	read -ra words <<<"$2"
	"run_${words[0]}" "$1" "${words[@]:1}" >"$3.tap" 2>"$3.err"
}

# is_green LOG: status 0 if there is an "ok" and no "not ok".
is_green()
{
	grep -q '^ok' "$1.tap" && ! grep -q '^not ok\|^Bail out' "$1.tap"
}

# is_red LOG LINE: status 0 if a "not ok" contains LINE.
is_red()
{
	grep '^not ok' "$1.tap" | grep -qF -- "$2"
}

# tell STATUS TEXT LOG: prints a line of TAP, and after "not ok" the output of the test.
tell()
{
	if [ "$1" -eq 0 ]; then
		echo "ok - $2"
		return
	fi
	{
		echo "not ok - $2"
		grep -h '^not ok' "$3.tap" 2>/dev/null | head -n 5 | sed 's/^/# /' || true
		tail -n 5 "$3.err" 2>/dev/null | sed 's/^/# /' || true
	} >"$3.told"
	cat "$3.told"
}

# try_row TREE NAME
try_row()
{
	local tree=$1 name=$2 log=$OUT/$2
	local file=$tree/${row[$2.file]} what="$2 (${row[$2.promise]})"
	cp "$file" "$log.whole"
	if ! replace "$log.whole" "${row[$name.from]}" "${row[$name.to]}" >"$file"; then
		tell 1 "$what: ${row[$name.file]} must contain the text to replace exactly once" "$log"
	elif ! run_test "$tree" "${row[$name.test]}" "$log"; then
		tell 1 "$what: the broken tree does not build" "$log"
	elif is_red "$log" "${row[$name.red]}"; then
		tell 0 "$what: \"${row[$name.red]}\" of ${row[$name.test]} is red" "$log"
	else
		tell 1 "$what: \"${row[$name.red]}\" of ${row[$name.test]} is not red" "$log"
	fi
	cat "$log.whole" >"$file"
}

# is_ready TREE TEST LOG: status 0 if the test is green and has all lines that rows expect to be
# red.
is_ready()
{
	local name
	run_test "$1" "$2" "$3" && is_green "$3" || return 1
	for name in "${names[@]}"; do
		if [ "${row[$name.test]}" = "$2" ] && ! grep -qF -- "${row[$name.red]}" "$3.tap"; then
			echo "the test has no line \"${row[$name.red]}\"" >>"$3.err"
			return 1
		fi
	done
}

# try_test TREE NUMBER: runs a test on the unbroken tree, and then with each row that it must
# detect.
try_test()
{
	local tree=$1 test=${tests[$2]} log=$OUT/test-$2 rc=0 name
	is_ready "$tree" "$test" "$log" || rc=1
	tell $rc "$test is green before anything is broken" "$log"
	for name in "${names[@]}"; do
		[ "${row[$name.test]}" = "$test" ] || continue
		if [ $rc -eq 0 ]; then
			try_row "$tree" "$name"
		else
			tell 1 "$name (${row[$name.promise]}): its test is not green" "$log"
		fi
	done
}

# Take the number of the next test from the counter that the workers share.
take_number()
{
	local n
	(
		flock 9
		n=$(cat "$OUT/next")
		echo $((n + 1)) >"$OUT/next"
		echo "$n"
	) 9>>"$OUT/lock"
}

work()
{
	local tree=$OUT/tree-$1 n
	make_tree "$tree"
	while n=$(take_number) && [ "$n" -lt ${#tests[@]} ]; do
		try_test "$tree" "$n" | tee -a "$OUT/tap"
	done
}

# Print the progress if stderr is a terminal.
show_progress()
{
	while [ -n "$(jobs -rp)" ]; do
		[ ! -t 2 ] || printf '\r%d of %d, %d s ' "$(grep -c '^ok\|^not ok' "$OUT/tap")" "$1" $SECONDS >&2
		sleep 1
	done
	[ ! -t 2 ] || printf '\r%40s\r' '' >&2
}

read_table
if [ "$*" = --check ]; then
	check_table
	exit
fi
choose "$@"
rm -rf "$OUT"
mkdir -p "$OUT"
: >"$OUT/tap"
echo 0 >"$OUT/next"
"$RCR_TOP/selftests/qemu/initramfs.sh" "$(make -s -C "$RCR_TOP" print-kver)" >/dev/null
echo "TAP version 13"
echo "1..$((${#tests[@]} + ${#names[@]}))"
for ((i = 0; i < WORKERS; i++)); do
	work $i &
done
show_progress $((${#tests[@]} + ${#names[@]}))
wait
! grep -q '^not ok' "$OUT/tap"
