#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# direction.sh - checks the directories of kmod/: no file includes one of a higher directory,
# no reader of rings includes their writers, and no two files include each other; and that no
# directory there or of the guest and unit tests has more than MOST files. Prints one line for each dependency of one directory on
# another, and one for each fault, which begins with "fault: ". Status 1 if there is any.
set -eu
cd "$(dirname "$0")/.."

# From the lowest to the highest; "base" is error.[ch] and the headers next to it.
ORDER="compat base pmu hw set source ring board sampler cpu stream control meter watch perf_pmu interface main"
# Readers of rings have a run and its rings, and nothing of their WRITERS.
READERS="stream meter watch perf_pmu"
WRITERS="cpu sampler"
MOST=14
# The tables of pmu/ are one family a file.
LARGE="pmu"

git ls-files 'kmod/*.[ch]' | while read -r file; do
	sed -n "s|^#include \"\([^\"]*\)\".*|$file \1|p" "$file"
done | awk -v order="$ORDER" -v readers="$READERS" -v writers="$WRITERS" '
	function directory(path,  part) {
		if (path == "kmod/main.c") return "main"
		if (split(path, part, "/") == 2) return "base"
		return part[2]
	}
	# Where FILE finds it: next to itself, or below kmod/.
	function target(file, name,  path) {
		path = file
		sub(/[^\/]*$/, name, path)
		while (sub(/[^\/]+\/\.\.\//, "", path)) { }
		if ((getline line <path) >= 0) { close(path); return path }
		return "kmod/" name
	}
	function among(list, word) { return index(" " list " ", " " word " ") }
	function fault(text) { print "fault: " text; bad = 1 }
	# Is there a way from FILE back to START?
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
		a = directory($1); b = directory(to)
		if (!(a in rank)) fault($1 ": no place for directory " a " in the order")
		includes[$1] = includes[$1] " " to
		if (a == b) next
		uses[a " -> " b]++
		if (among(readers, a) && (among(writers, b) || among(writers, to)))
			fault($1 " includes " to ", which writes the rings that it reads")
		if (rank[b] > rank[a]) fault($1 " includes " to ", which is above it")
	}
	END {
		for (i = 1; i <= count; i++)
			for (k = 1; k <= count; k++)
				if (name[i] " -> " name[k] in uses)
					print name[i] " -> " name[k] ": " uses[name[i] " -> " name[k]]
		for (file in includes) {
			split("", seen)
			if (leads_back(file, file)) fault(file " includes itself by a detour")
		}
		exit bad
	}' || failed=1

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
