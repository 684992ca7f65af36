# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Completion of pmdarcr(1). Options are those of its help.

_pmdarcr()
{
	local word=${COMP_WORDS[COMP_CWORD]} words=
	case ${COMP_WORDS[COMP_CWORD - 1]} in
	-f | --file | -l | --log)
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return
		;;
	--sysfs)
		mapfile -t COMPREPLY < <(compgen -d -- "$word")
		return
		;;
	-U | --user)
		mapfile -t COMPREPLY < <(compgen -u -- "$word")
		return
		;;
	-d | --domain | -g | --grid) ;;
	*) words=$("${COMP_WORDS[0]}" --help | grep -oE -- '--[a-z][a-z-]+' | sort -u) ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -F _pmdarcr pmdarcr
