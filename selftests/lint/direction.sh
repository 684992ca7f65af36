#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# direction.sh - checks dependencies in kmod/ and userspace/: no file includes one of a higher
# directory, no reader of rings includes their writers, no program includes a file of another one,
# and no two files include each other. Also checks that no directory of kmod/, of the guest tests
# and of the unit tests has more than MOST files. Prints a line for each dependency of one directory
# on another, and a line that begins with "fault: " for each error. Status 1 if there is an error.
set -eu
cd "$(dirname "$0")/../.."

# Directories from the lowest to the highest; "base" is error.[ch] and the headers next to it.
ORDER="compat base pmu hw set source ring board sampler cpu stream control meter watch perf_pmu interface main"
PARTS="librcr common daemon events names meters"
PROGRAMS="rcrstat rcrctl rcrcal jobs region rcrd rcrd-set"
# READERS only read the rings, and must not include their WRITERS.
READERS="stream meter watch perf_pmu"
WRITERS="cpu sampler"
MOST=14
# Directories without a limit: pmu/ has one file for each family.
LARGE="pmu"

# includes AREA: prints a line for each #include: the file and the name that it includes.
includes()
{
	git ls-files "$1/*.[ch]" | xargs grep -H '^#include "' |
		sed -n 's|^\([^:]*\):#include "\([^"]*\)".*|\1 \2|p'
}

# check ORDER PEERS: checks the includes on stdin. ORDER: directories from the lowest to the
# highest; PEERS: those that must not include each other.
check()
{
	awk -v order="$1" -v peers="$2" -v readers="$READERS" -v writers="$WRITERS" -v parts="$PARTS" '
	function directory(path,  part) {
		if (path == "kmod/main.c") return "main"
		if (split(path, part, "/") == 2) return "base"
		return part[2]
	}
	function is_there(path) {
		if ((getline line <path) < 0) return 0
		close(path)
		return 1
	}
	# Resolve an include of FILE: in its directory, in kmod/, in its program or a part of
	# userspace/.
	function target(file, name,  path, list, n, i) {
		path = file
		sub(/[^\/]*$/, name, path)
		while (sub(/[^\/]+\/\.\.\//, "", path)) { }
		if (is_there(path)) return path
		if (file ~ /^kmod\//) return "kmod/" name
		n = split(directory(file) " " parts, list, " ")
		for (i = 1; i <= n; i++) {
			path = "userspace/" list[i] "/" name
			if (is_there(path)) return path
		}
		fault(file " includes " name ", which does not exist")
		return ""
	}
	function among(list, word) { return index(" " list " ", " " word " ") }
	function fault(text) { print "fault: " text; bad = 1 }
	# True if FILE includes START, directly or indirectly.
	function leads_back(start, file,  list, n, i) {
		n = split(includes[file], list, " ")
		for (i = 1; i <= n; i++) {
			if (list[i] == start) return 1
			if (!(list[i] in seen)) {
				seen[list[i]] = 1
				if (leads_back(start, list[i])) return 1
			}
		}
		return 0
	}
	BEGIN {
		count = split(order, name, " ")
		for (i = 1; i <= count; i++) rank[name[i]] = i
	}
	{
		to = target($1, $2)
		if (to == "") next
		a = directory($1); b = directory(to)
		if (!(a in rank)) fault($1 ": the order has no directory " a)
		includes[$1] = includes[$1] " " to
		if (a == b) next
		uses[a " -> " b]++
		if (among(readers, a) && (among(writers, b) || among(writers, to)))
			fault($1 " includes " to ", which writes the rings that it reads")
		if (among(peers, a) && among(peers, b))
			fault($1 " includes " to ", which is of another program")
		if (rank[b] > rank[a]) fault($1 " includes " to ", which is above it")
	}
	END {
		for (i = 1; i <= count; i++)
			for (k = 1; k <= count; k++)
				if (name[i] " -> " name[k] in uses)
					print name[i] " -> " name[k] ": " uses[name[i] " -> " name[k]]
		for (file in includes) {
			split("", seen)
			if (leads_back(file, file)) fault(file " includes itself indirectly")
		}
		exit bad
	}'
}

includes kmod | check "$ORDER" "" || failed=1
includes userspace | check "$PARTS $PROGRAMS" "$PROGRAMS" || failed=1

for directory in kmod kmod/*/; do
	name=${directory#kmod}
	name=${name//\//}
	files=$(git ls-files "${directory%/}/" | grep -c "^${directory%/}/[^/]*\.[ch]$") || true
	echo "${directory%/}: $files files"
	case " $LARGE " in
	*" $name "*) ;;
	*)
		if [ "$files" -gt $MOST ]; then
			echo "fault: ${directory%/} has more than $MOST files"
			failed=1
		fi
		;;
	esac
done

for directory in selftests/guest/*/ selftests/guest/programs/*/ selftests/unit/*/; do
	files=$(git ls-files "$directory" | grep -c "^${directory}[^/]*$") || true
	if [ "$files" -gt $MOST ]; then
		echo "fault: ${directory%/} has more than $MOST files"
		failed=1
	fi
done
exit "${failed:-0}"
