# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Completion of rcrcal(8). Options are those of its help; meters are those of this machine.

_rcrcal()
{
	local word=${COMP_WORDS[COMP_CWORD]} words=
	case ${COMP_WORDS[COMP_CWORD - 1]} in
	--file)
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return
		;;
	--load)
		mapfile -t COMPREPLY < <(compgen -c -- "$word")
		return
		;;
	--meter | --latency) words=$(rcrctl meter ls -a 2>/dev/null | sed '1{/^NAME /d};s/ .*//') ;;
	--kind | --mix) words="read write copy random" ;;
	--steps | --time | --generation) ;;
	*) words=$(rcrcal --help | grep -oE -- '--[a-z][a-z-]+' | sort -u) ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -F _rcrcal rcrcal
