# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Completion of rcrjob(1). Options are those of its help; after "--" comes a command.

_rcrjob()
{
	local word=${COMP_WORDS[COMP_CWORD]} words='' i
	for ((i = 1; i < COMP_CWORD; i++)); do
		[ "${COMP_WORDS[i]}" != -- ] || break
	done
	if [ "$i" -lt "$COMP_CWORD" ]; then
		if [ "$i" -eq $((COMP_CWORD - 1)) ]; then
			mapfile -t COMPREPLY < <(compgen -c -- "$word")
		else
			mapfile -t COMPREPLY < <(compgen -f -- "$word")
		fi
		return
	fi
	case ${COMP_WORDS[COMP_CWORD - 1]} in
	-o | --output)
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return
		;;
	--root)
		mapfile -t COMPREPLY < <(compgen -d -- "$word")
		return
		;;
	-p | --per) words="core package node" ;;
	-i | --interval) ;;
	*)
		words=$(rcrjob --help | grep -oE -- '--[a-z][a-z-]+' | sort -u)
		[ "$COMP_CWORD" -ne 1 ] || words="run sources $words"
		;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -F _rcrjob rcrjob
