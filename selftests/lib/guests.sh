# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# guests.sh - runs commands that print TAP, two to four guests at a time, and adds up their results.
# Needs common.sh. The caller sets out, the directory for output, and GUEST, options for all guests.

out=${out:?}
GUEST=()

# RCR_T selects tests by name, RCR_M the model of the virtual PMU, and RCR_K the kernel of guests:
# see selftests/README.md.
RCR_T=${RCR_T:-} RCR_M=${RCR_M:-} RCR_K=${RCR_K:-}

# is_wanted TEST [ARGUMENT]...: status 0 if RCR_T selects this test, or is empty.
is_wanted()
{
	local test=${1##*/}
	[ -z "$RCR_T" ] || [ "$RCR_T" = "${test%.sh}" ] || [ "test_$RCR_T" = "$test" ]
}

# children_time FILE: writes the CPU time of the shell's ended children, in seconds. To a file,
# because a subshell has no children.
children_time()
{
	times >"$1"
	awk -F '[ms ]+' 'NR == 2 { printf "%.0f\n", 60 * ($1 + $3) + $2 + $4 }' "$1" >"$1.sum"
	mv "$1.sum" "$1"
}

# tap NAME COMMAND...: stores the TAP of a command, and adds a "not ok" if the command failed
# without printing one.
tap()
{
	local name=$1 rc=0 start=$SECONDS before
	shift
	children_time "$out/$name.time"
	before=$(cat "$out/$name.time")
	"$@" >"$out/$name.tap" 2>"$out/$name.err" </dev/null || rc=$?
	if [ "$rc" -ne 0 ] && [ "$rc" -ne 4 ] && ! grep -q '^not ok' "$out/$name.tap"; then
		echo "not ok - $name ended with status $rc" >>"$out/$name.tap"
	fi
	grep -q '^ok\|^not ok' "$out/$name.tap" ||
		echo "not ok - $name printed no result" >>"$out/$name.tap"
	children_time "$out/$name.time"
	say "$name: $(grep -c '^ok' "$out/$name.tap" || true) ok, $(grep -c '^not ok\|^Bail out' "$out/$name.tap" || true) not ok ($((SECONDS - start)) s, $(($(cat "$out/$name.time") - before)) s of a CPU)"
	# Print a failure immediately, with its output.
	if grep -q '^not ok\|^Bail out' "$out/$name.tap"; then
		grep -A8 '^not ok\|^Bail out' "$out/$name.tap" | sed 's/^/    /' >&2
		tail -n 50 "$out/$name.err" | sed 's/^/    /' >&2
	fi
}

# guest NAME OPTIONS... -- TEST...: runs some tests in one guest.
guest()
{
	local name=$1 options=() wanted=() model=fam15h test tests
	shift
	while [ "$1" != -- ]; do
		[ "$1" != -m ] || model=$2
		options+=("$1")
		shift
	done
	shift
	for test; do
		# shellcheck disable=SC2086 # a test and its arguments
		is_wanted $test || continue
		[ -z "$RCR_M" ] || test=${test/ $model/ $RCR_M}
		wanted+=("$test")
	done
	[ "${#wanted[@]}" -gt 0 ] || return 0
	# With RCR_M or RCR_K, run only one of the guests that differ in model or kernel.
	if [ -n "$RCR_M" ]; then
		! grep -qxF "${wanted[*]}" "$out/wanted" 2>/dev/null || return 0
		echo "${wanted[*]}" >>"$out/wanted"
	fi
	[ -z "$RCR_M" ] || options+=(-m "$RCR_M")
	[ -z "$RCR_K" ] || options+=(-k "$RCR_K")
	printf -v tests '%q ' "${wanted[@]}"
	printf '%q ' "guest-$name" "$RCR_TOP/selftests/qemu/guest.sh" -n "$name" "${GUEST[@]}" \
		"${options[@]}" "bash tests/run.sh $tests" >"$out/guest-$name.command"
	eval "tap $(cat "$out/guest-$name.command")"
}

# repeat_failed MOST: repeats failed guests and bats tests one at a time, if there are at most MOST:
# many tests depend on timing, and fail if the host preempts a guest's CPU. The second result
# counts; summary() lists the repeated tests, whose first output is kept in *.first.
repeat_failed()
{
	local tap failed=() tests=0
	for tap in "$out"/guest-*.tap; do
		! grep -q '^not ok\|^Bail out' "$tap" || failed+=("${tap%.tap}")
	done
	[ ! -e "$out/bats.tap" ] || tests=$(grep -c '^not ok' "$out/bats.tap" || true)
	[ $((${#failed[@]} + tests)) -le "$1" ] || return 0
	for tap in "${failed[@]}"; do
		mv "$tap.tap" "$tap.first"
		eval "tap $(cat "$tap.command")"
	done
	[ "$tests" -eq 0 ] || repeat_bats
}

# Repeat failed tests of bats by name.
repeat_bats()
{
	local names
	names=$(sed -n 's/^not ok [0-9]* //p' "$out/bats.tap" | sed 's/[][\.*^$+?(){}|]/\\&/g' | paste -sd '|')
	mv "$out/bats.tap" "$out/bats.first"
	grep '^ok' "$out/bats.first" >"$out/bats.tap" || true
	tap bats-again bats --formatter tap -f "^($names)\$" "$RCR_TOP/selftests/bats"
}

# defaults NAME MODEL [OPTION]... -- TEST...: runs tests of the area "defaults" on an installed
# machine with default parameters, with the commands of the documents. The NMI watchdog is on unless
# an option disables it.
defaults()
{
	local name=$1 model=$2 options=() tests=() test
	shift 2
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	for test; do
		# A test of another area is given by its file name only.
		[ ! -e "$RCR_TOP/selftests/guest/defaults/$test.sh" ] || test=defaults/$test
		tests+=("$test.sh $model")
	done
	guest "defaults-$name" -I -m "$model" -f "$RCR_TOP/README.md" \
		-f "$RCR_TOP/Documentation/user" "${options[@]}" -- "${tests[@]}"
}

# booted NAME MODEL [OPTION]...: runs a test on an installed machine with systemd.
booted()
{
	local name=$1 model=$2
	shift 2
	guest "booted-$name" -I -o "$RCR_BUILD/systemd" -m "$model" "$@" -- defaults/systemd.sh
}

# Tests that run on each model.
MODEL_TESTS=(perf.sh registers.sh faults.sh uncore.sh)

# model NAME [TEST]...: tests one model of the virtual PMU against the kernel's drivers and the
# manual; then runs other tests with the name of the model as argument.
model()
{
	local name=$1 tests=() test
	shift
	for test in "${MODEL_TESTS[@]}" "$@"; do
		tests+=("$test $name")
	done
	guest "model-$name" -m "$name" -a nmi_watchdog=0 -- "${tests[@]}"
}

# aside COMMAND...: runs a command in the background at the lowest priority, on CPU time that guests
# leave idle. The caller runs only one such command at a time.
aside()
{
	{
		renice -n 19 -p "$BASHPID" >/dev/null
		"$@"
	} &
	beside=$!
}

# Print the sum of the idle and I/O wait times of all CPUs, in ticks of 10 ms.
idle_ticks()
{
	awk '/^cpu / { print $5 + $6 }' /proc/stat
}

# Status 0 if a CPU was idle for most of five seconds.
has_idle_cpu()
{
	local before
	before=$(idle_ticks)
	sleep 5
	[ $(($(idle_ticks) - before)) -ge 400 ]
}

# Print the number of background tests, not counting the command of aside().
running()
{
	jobs -rp | grep -cvx "${beside:-0}" || true
}

# With LANES=4, up to four tests run while a CPU is idle: guests often sleep, but three busy ones on
# two CPUs starve each other.
LANES=2

# queue COMMAND...: waits until fewer than LANES tests run, and runs a command in the background.
queue()
{
	[ "$1" != tap ] || is_wanted "$3" || return 0
	while [ "$(running)" -ge 2 ]; do
		if [ "$(running)" -ge "$LANES" ]; then
			wait -n || true
		elif has_idle_cpu; then
			break
		fi
	done
	"$@" &
}

# summary SKIPS: lists the guests that were repeated, and prints "N passed, N failed, N skipped" for
# all output. Status 0 if none failed and SKIPS were skipped. A number of results that differs from
# the plan is another failure.
summary()
{
	local first
	for first in "$out"/*.first; do
		[ ! -e "$first" ] || echo "${first##*/}: $(grep -c '^not ok\|^Bail out' "$first") not ok, run again"
	done
	awk '
		function close_plan() {
			if (plan && seen != plan) {
				printf "%s: planned %d tests, ran %d\n", file, plan, seen
				broken++
			}
			plan = 0; seen = 0
		}
		FNR == 1 { close_plan(); file = FILENAME }
		/^1\.\.[0-9]+/ {
			# bats plans first, a shell test after its version line
			close_plan(); plan = substr($0, 4) + 0
		}
		/^ok/ { if (/# (SKIP|skip)/) skipped++; else passed++; seen++ }
		/^not ok/ { failed++; seen++ }
		/^Bail out/ { failed++ }
		END {
			close_plan()
			failed += broken
			printf "it took %d min %d s\n", took / 60, took % 60
			if (skipped + 0 != expected) {
				printf "%d tests were skipped instead of %d\n", skipped, expected
				failed++
			}
			printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
			exit failed > 0
		}' expected="$1" took="$SECONDS" "$out"/*.tap
}
