# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154 # model, of the test
#
# documents.sh - the commands of documents, and how they are run and judged by readme.table. Needs
# common.sh, and model, the virtual PMU's. The results are of readme:, or of what DOCUMENT_AREA
# names, and a command may take COMMAND_LIMIT seconds.
DOCUMENT_AREA=${DOCUMENT_AREA:-readme} COMMAND_LIMIT=${COMMAND_LIMIT:-60}
TABLE=/rcr/tests/defaults/readme.table

# of_document FILE: prints its commands: lines of indented blocks, or in a block that shows output
# the lines after "$ ". A block between fences has no commands. A line "# not run in tests: REASON"
# applies to the rest of its block.
of_document()
{
	awk '
		/^```/ { fenced = !fenced }
		fenced { next }
		/^    / {
			if (!inside) {
				transcript = /^    \$ /
				mark = ""
			}
			inside = 1
			if (transcript && !/^    \$ /) next
			sub(/^    (\$ )?/, "")
			if (/^# not run in tests: /) mark = "  " $0
			else print $0 mark
			next
		}
		!/^$/ { inside = 0 }' "$1"
}

# of_manual FILE: prints the commands of its examples: the first line of each item, with the mark in
# the text after it.
of_manual()
{
	awk '
		function put() { if (command != "") print command; command = "" }
		/^\.SH / { put(); examples = /EXAMPLES/ }
		examples && item && /^\.B / { put(); command = substr($0, 4) }
		{ item = /^\.TP/ }
		examples && match($0, /not run in tests: [^)]*/) { command = command "  # " substr($0, RSTART, RLENGTH) }
		END { put() }' "$1" |
		sed 's/\\(dq/"/g; s/\\(aq/'\''/g; s/\\-/-/g'
}

# rows KIND COMMAND: prints the third field of the rows of that kind that match.
rows()
{
	local kind pattern rest
	while IFS=$'\t' read -r kind pattern rest; do
		[ "$kind" = "$1" ] || continue
		[[ $2 =~ $pattern ]] || continue
		echo "${rest:--}"
	done <$TABLE
}

names() { rcrctl ls | sed 1d | cut -d' ' -f1 | sort | xargs; }

# ends COMMAND: the command is alive after a second, and ends on SIGTERM.
ends()
{
	local pid
	bash -c "exec $1" >/tmp/out 2>&1 &
	pid=$!
	sleep 1.5
	kill $pid || return
	wait $pid
	return 0
}

one()
{
	local command=$1 models names text
	models=$(rows only "$command" | head -n 1)
	ends=$(rows ends "$command" | head -n 1)
	names=$(rows counts "$command" | head -n 1)
	text=$(rows shows "$command" | head -n 1)
	case $command in
	*"not run in tests: "*)
		echo "# left out: $command"
		return
		;;
	esac
	if [ -n "$models" ] && [[ " $models " != *" $model "* ]]; then
		echo "# left out, of $models: $command"
		return
	fi
	if [ -n "$ends" ]; then
		# Run the commands of a list before the last one first.
		case $command in
		*" && "*) bash -c "${command% && *}" && ends "${command##* && }" ;;
		*) ends "${command%%#*}" ;;
		esac
	else
		timeout $COMMAND_LIMIT bash -c "$command" >/tmp/out 2>&1
	fi
	rc=$?
	result $rc "$DOCUMENT_AREA: $command"
	[ $rc -eq 0 ] || sed 's/^/# /' /tmp/out
	[ -z "$names" ] || is "$(names)" "$(tr ' ' '\n' <<<"$names" | sort | xargs)" \
		"$DOCUMENT_AREA: and then $names are counted"
	[ -n "$text" ] || return
	case $text in
	"%USED%") states_use "$(sed -n '1s/.*core counters: //p' /tmp/out)" ;;
	"(?i)"*) grep -qiE -- "${text#"(?i)"}" /tmp/out ;;
	"^$") [ ! -s /tmp/out ] ;;
	*) grep -qE -- "$text" /tmp/out ;;
	esac
	rc=$?
	result $rc "$DOCUMENT_AREA: the output is that in the document"
	[ $rc -eq 0 ] || { echo "# no line matches $text"; sed 's/^/# /' /tmp/out; }
}

run()
{
	local command
	while IFS= read -r command <&7; do
		one "$command" 7<&-
	done 7<"$1"
}
