# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# evidence.sh - copies rcrd's evidence out of a guest: its files, and the output of 'rcrd --replay'
# on the guest's CPU. Used by the guest's init, in busybox's sh, and by replay.sh.

# judge_evidence FILE: prints the verdicts of a file of evidence, as text and as JSON.
judge_evidence()
{
	for format in "" --json; do
		rcrd --replay "$1" $format 2>&1
		echo "status $?"
	done
}

has_fma()
{
	grep -qw fma /proc/cpuinfo && echo yes || echo no
}

# return_evidence PORT: writes an archive to that serial port if there is evidence: each FILE.rcr
# with its verdicts, FILE.rcr.guest, and the file "fma". Takes only the newest RCR_EVIDENCE files (a
# kernel parameter), as 'rcrd --replay' takes seconds in exec mode. Searches all directories, as
# tests move them.
return_evidence()
{
	find /var/lib/rcrtool -type f -name '*-*-*.rcr' 2>/dev/null |
		awk -F/ '{ print $NF, $0 }' | sort | tail -n "${RCR_EVIDENCE:-1000}" | cut -d ' ' -f 2- >/tmp/evidence
	[ -s /tmp/evidence ] || return 0
	mkdir /tmp/returned && cd /tmp/returned || return
	has_fma >fma
	while read -r file; do
		cp "$file" "${file##*/}" && judge_evidence "${file##*/}" >"${file##*/}.guest" || return
	done </tmp/evidence
	stty -F "$1" raw && tar -c . | gzip -1 >"$1"
}
