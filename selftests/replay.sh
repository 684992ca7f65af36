#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# replay.sh [FOLDER] - tests that rcrd's verdicts about evidence are the same each time and on each
# CPU. Each file that guests have returned (qemu/evidence.sh) is judged twice on this machine, and
# in another guest whose CPU has no FMA. The guests are those whose output check.sh has left in
# FOLDER; without FOLDER, a guest that runs live.sh. Prints TAP.
set -eu
. "$(dirname "$0")/lib/common.sh"
. "$RCR_TOP/selftests/lib/ktap.sh"
. "$RCR_TOP/selftests/qemu/evidence.sh"

# Tests that leave evidence in their guest.
MAKERS='live\.sh\|focus\.sh'
PATH=$RCR_BUILD/bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run_guest NAME OPTION... COMMAND: runs a command in a guest. If it fails, prints the output as TAP
# comments and returns 1.
run_guest()
{
	"$RCR_TOP/selftests/qemu/guest.sh" -n "$@" >"$work/output" 2>&1 || {
		sed 's/^/# /' "$work/output"
		return 1
	}
}

# list_guests PATTERN: prints the guests in FOLDER whose command matches PATTERN, or without FOLDER
# the guest that this script has run.
list_guests()
{
	if [ "$folder" ]; then
		grep -l "$1" "$folder"/guest-*.command | sed 's/.*\/guest-//;s/\.command$//'
	else
		echo replay-live
	fi
}

# unpack_guest NAME: unpacks the evidence of a guest into NAME/FILE.rcr. Makes no directory if there
# is no evidence.
unpack_guest()
{
	local from=$RCR_BUILD/guests/$1/evidence
	[ -s "$from" ] || return 0
	mkdir "$work/$1"
	tar -xzf "$from" -C "$work/$1" 2>&1 || echo "$1: the returned evidence is incomplete"
}

# judge_here: judges all files in their directories, as their guests did, and copies them to "all".
judge_here()
{
	local file
	for file in */*.rcr; do
		(
			cd "${file%/*}"
			judge_evidence "${file#*/}" >"${file#*/}.first"
			judge_evidence "${file#*/}" >"${file#*/}.second"
		)
		ln "$file" "all/${file/\//-}"
	done
}

# judge_without: judges all files in a guest whose CPU has no FMA, with output in FILE.without.
judge_without()
{
	local file
	run_guest replay-nehalem -p 1 -m nehalem -f "$work/all" \
		"mkdir -p /var/lib/rcrtool && cp -r all /var/lib/rcrtool/evidence" || return
	unpack_guest replay-nehalem
	for file in */*.rcr.first; do
		file=${file%.first}
		cp "replay-nehalem/${file/\//-}.guest" "$file.without" || true
	done
}

# differ SUFFIX: prints how the verdicts of files differ from the first ones.
differ()
{
	local file
	for file in */*.rcr.first; do
		cmp -s "$file" "${file%.first}.$1" || {
			echo "${file%.first}: $1"
			diff "$file" "${file%.first}.$1" || true
		} 2>&1
	done
}

# Print the verdicts of files whose replay failed or lacks the finding in the file's name,
# DATE-FINDING-NODE.rcr.
have_other_findings()
{
	local file finding node
	for file in */*.rcr.first; do
		IFS=- read -r _ finding node <<<"$(basename "$file" .rcr.first)"
		[ "$(grep -c '^status 0$' "$file")" -eq 2 ] || cat "$file"
		grep -q " node $node $finding: [a-z]* since" "$file" || {
			echo "$file"
			cat "$file"
		}
	done
}

# list_cpus: prints whether the CPUs of this machine and of each guest have FMA.
list_cpus()
{
	local fma
	echo "this machine: $(has_fma)"
	for fma in */fma; do
		echo "guest ${fma%/*}: $(cat "$fma")"
	done
}

plan 6
folder=${1:-}
[ "$folder" ] || run_guest replay-live -a nmi_watchdog=0 "bash tests/run.sh live.sh" || true
cd "$work"
mkdir all
for guest in $(list_guests ''); do
	unpack_guest "$guest"
done >missing
for guest in $(list_guests "$MAKERS"); do
	compgen -G "$guest/*.rcr" >/dev/null || echo "$guest: no evidence"
done >>missing
is_empty missing "each guest whose tests keep evidence has returned it"
judge_here
judge_without || true
list_cpus >cpus
sed 's/^/# FMA: /' cpus
[ "$(cat replay-nehalem/fma)" = no ] && grep -q ': yes' cpus
result $? "some CPUs have FMA, and one does not"
files=(*/*.rcr.first)
differ second >different
is_empty different "the verdicts are the same twice on this machine (${#files[@]} files)"
differ guest >different
is_empty different "the verdicts are the same on the CPU of the guest"
differ without >different
is_empty different "the verdicts are the same on a CPU without FMA"
have_other_findings >different
is_empty different "the verdicts of each file include the finding that it was kept for"
finished
