# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Completion of rcrregion(1). Options are those of its help; after "--" comes a command.

_rcrregion()
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
	-d | --directory)
		mapfile -t COMPREPLY < <(compgen -d -- "$word")
		return
		;;
	-m | --mode) words="general flops memory frontend all mix" ;;
	-D | --derive)
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return
		;;
	-C | --ceilings)
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return
		;;
	-o | --output)
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return
		;;
	-f | --form) words="statistics metrics values" ;;
	-r | --region) return ;;
	-P | --peak) return ;;
	-p | --prefetch) words="off" ;;
	-w | --l3-ways) return ;;
	-b | --by) words="seconds ipc mflops simd flop_per_sse miss_mb_per_s dram_mb_per_s mflops_per_node miss_mb_per_node dram_mb_per_node cycles instructions" ;;
	-s | --split) words="ranks nodes even-odd none" ;;
	*)
		words=$(rcrregion --help | grep -oE -- '--[a-z][a-z-]+' | sort -u)
		[ "$COMP_CWORD" -ne 1 ] || words="run show join plot compare $words"
		if [[ $word != -* && $COMP_CWORD -gt 1 ]]; then
			case ${COMP_WORDS[1]} in
			show) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
			plot)
				mapfile -t COMPREPLY < <(compgen -d -- "$word")
				[ "$COMP_CWORD" -ne 2 ] || mapfile -t COMPREPLY < <(compgen -W "mix roofline" -- "$word")
				;;
			join) mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
			compare)
				# LABEL=DIRECTORY: complete the directory.
				mapfile -t COMPREPLY < <(compgen -d -- "${word##*=}")
				;;
			esac
			return
		fi
		;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -F _rcrregion rcrregion
