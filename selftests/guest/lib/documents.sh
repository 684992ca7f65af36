# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154 # model, of the test
#
# documents.sh - extracts the commands of documents, runs them, and checks them by readme.table.
# Needs common.sh and $model, the model of the virtual PMU. Descriptions begin with DOCUMENT_AREA
# (default: readme); each command has COMMAND_LIMIT seconds.
DOCUMENT_AREA=${DOCUMENT_AREA:-readme} COMMAND_LIMIT=${COMMAND_LIMIT:-60}
TABLE=/rcr/tests/defaults/readme.table

# of_document FILE: prints the commands of a document: the lines of indented blocks, or only those
# that start with "$ " where a block shows output. Fenced blocks have no commands. After a line
# "# not run in tests: REASON" the rest of its block is skipped.
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

# of_manual FILE: prints the commands of a manual page's examples: the first line of each item. The
# mark "not run in tests" is in the text below the command.
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

# rows KIND COMMAND: prints the third field of the table's rows of KIND that match COMMAND.
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

# ends COMMAND: true if the command still runs after a second and exits on SIGTERM.
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
		echo "# skipped: $command"
		return
		;;
	esac
	if [ -n "$models" ] && [[ " $models " != *" $model "* ]]; then
		echo "# skipped, only for $models: $command"
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
	result $rc "$DOCUMENT_AREA: the output matches the document"
	[ $rc -eq 0 ] || { echo "# no line matches $text"; sed 's/^/# /' /tmp/out; }
}

run()
{
	local command
	while IFS= read -r command <&7; do
		one "$command" 7<&-
	done 7<"$1"
}
