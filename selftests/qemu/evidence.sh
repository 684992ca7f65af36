# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# evidence.sh - evidence of rcrd that leaves a guest: its files, and what 'rcrd --replay' prints
# about them on the guest's CPU. For the guest's init, by busybox's sh, and for replay.sh.

# judge_evidence FILE: prints its verdicts, as text and as JSON.
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

# return_evidence PORT: writes an archive to that serial port, unless there is no evidence: each
# FILE.rcr with FILE.rcr.guest, its verdicts here, and the file "fma"; the newest RCR_EVIDENCE, a
# parameter of the kernel, as judging takes seconds in exec mode. Tests move directories.
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
