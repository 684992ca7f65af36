# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Completion of rcrstat(1). Options are those of its help; events are those of this machine.

_rcrstat()
{
	local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} i
	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		[ "${COMP_WORDS[i]}" = -- ] || continue
		if [ $((i + 1)) -eq "$COMP_CWORD" ]; then
			mapfile -t COMPREPLY < <(compgen -c -- "$word")
		else
			mapfile -t COMPREPLY < <(compgen -f -- "$word")
		fi
		return
	done
	case $previous in
	-f | --format)
		mapfile -t COMPREPLY < <(compgen -W "table csv json raw ldms openmetrics prometheus influx \
			tacc_stats ctf chrome svg" -- "$word")
		return
		;;
	-p | --per)
		mapfile -t COMPREPLY < <(compgen -W "cpu core llc die package node all process cgroup" -- "$word")
		return
		;;
	-e | --events)
		mapfile -t COMPREPLY < <(compgen -W "cycles instructions branches branch-misses
			cache-references cache-misses @flops @ldms @mem
			$(rcrctl events --noheadings 2>/dev/null | cut -d' ' -f1)" -- "$word")
		return
		;;
	-m | --meters)
		mapfile -t COMPREPLY < <(compgen -W "$(rcrctl meter ls -a 2>/dev/null | sed '1{/^NAME /d};s/ .*//')" -- "$word")
		return
		;;
	-o | --output | -d | --device | -r | --read | --relations | --derive)
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return
		;;
	--sysfs)
		mapfile -t COMPREPLY < <(compgen -d -- "$word")
		return
		;;
	esac
	[[ $word == -* ]] || return 0
	mapfile -t COMPREPLY < <(compgen -W "$(rcrstat --help | grep -oE -- '--[a-z][a-z-]+' | sort -u)" -- "$word")
}

complete -F _rcrstat rcrstat
