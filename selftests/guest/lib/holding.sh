# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# holding.sh - starts and ends commands that hold a counter set; sourced by tests.

names() { rcrctl ls | awk 'NR > 1 && !/  waits for / { print $1 }' | xargs; }
sorted() { xargs -n 1 | sort -u | xargs; }
held() { rcrctl ls | sed -n '1s/.*, held by \([^;]*\).*/\1/p'; }
statuses() { rcrctl ls | awk 'NR > 1 && $2 != "-" { print $5 }' | sort -u | xargs; }

# begin LETTER [EVENT]...: stages events and holds them with a job that waits; returns the status of
# rcrctl if the hold is refused.
begin()
{
	local who=$1 pid
	shift
	rm -f "/tmp/$who.on" "/tmp/$who.off"
	[ $# -eq 0 ] || rcrctl add "$@" || return
	# shellcheck disable=SC2016 # the job expands it
	rcrctl finalize --hold bash -c ': >/tmp/$0.on; until [ -e /tmp/$0.off ]; do sleep 0.05; done' \
		"$who" >"/tmp/$who.out" 2>&1 &
	pid=$!
	eval "job_$who=$pid"
	until [ -e "/tmp/$who.on" ]; do
		kill -0 $pid 2>/dev/null || { wait $pid; return; }
		sleep 0.05
	done
}

end()
{
	local job=job_$1
	: >"/tmp/$1.off"
	wait "${!job}"
}
