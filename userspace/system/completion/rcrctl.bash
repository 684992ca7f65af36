# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Completion of rcrctl(8). Verbs and options are those of its help; events, counters and meters
# those of this machine.

_rcrctl_verbs()
{
	rcrctl --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p'
}

# Those of calibrate are rcrcal's.
_rcrctl_options()
{
	if [ "$1" = calibrate ]; then rcrcal --help; else rcrctl help "$1"; fi 2>/dev/null | grep -oE -- '--[a-z][a-z-]+|^  -[av] ' | tr -d ' ' | sort -u
}

_rcrctl_events()
{
	rcrctl events --noheadings 2>/dev/null | sed -n 's/^\([^ ][^ ]*\) .*/\1/p'
	echo @flops @ldms @mem
}

_rcrctl_counters()
{
	rcrctl show --noheadings 2>/dev/null | cut -d' ' -f1
	echo all
}

_rcrctl_meters()
{
	rcrctl meter ls -a 2>/dev/null | sed '1{/^NAME /d};s/ .*//'
}

_rcrctl()
{
	local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} words
	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		words=$(_rcrctl_verbs && echo --batch --keep-going --generation --help --version)
	elif [[ $word == -* ]]; then
		words=$(_rcrctl_options "$verb")
	else
		case $verb in
		set | add) words=$(_rcrctl_events) ;;
		events | list) words=$(_rcrctl_events) ;;
		replace | reassign)
			words=$(if [ "$COMP_CWORD" -eq 2 ]; then _rcrctl_counters; else _rcrctl_events; fi)
			;;
		remove | pause | resume | repair | halt | continue | rewrite) words=$(_rcrctl_counters) ;;
		meter)
			words=$([ "$COMP_CWORD" -gt 2 ] || echo ls show add load remove reset max post)
			[ "$COMP_CWORD" -eq 2 ] || words=$(_rcrctl_meters)
			;;
		on) words=$(_rcrctl_meters) ;;
		mark) words="begin end" ;;
		record) words="fetch ls off" ;;
		help) words=$(_rcrctl_verbs && echo all) ;;
		load | initialize)
			mapfile -t COMPREPLY < <(compgen -f -W default -- "$word")
			return
			;;
		save | check | configure)
			mapfile -t COMPREPLY < <(compgen -f -- "$word")
			return
			;;
		run)
			mapfile -t COMPREPLY < <(compgen -c -- "$word")
			return
			;;
		esac
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
	# Names of events have colons, at which bash separates words.
	declare -F __ltrim_colon_completions >/dev/null && __ltrim_colon_completions "$word"
	return 0
}

complete -F _rcrctl rcrctl
