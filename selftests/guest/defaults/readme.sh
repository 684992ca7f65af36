#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# readme.sh MODEL - runs every command of the code blocks in README.md and Documentation/user, in
# their order on an installed machine with all defaults. Each must end with status 0 and print what
# the document shows. Not those that the document marks with "not run in tests: REASON";
# readme.table names those that need another model. manual.sh runs those of the other documents.
. ./defaults/common.sh
machine "$1"
model=$1
[ -n "${PARTS-}" ] || PARTS=(README events sharing)
DOCUMENTS=(/rcr/README.md /rcr/user/*.md)
MANUALS=(/usr/local/share/man/man[1-8]/*rcr*.[1-8])
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

# The sudo of README.md only runs the command: everything here is run by root.
mkdir -p /tmp/sudo
printf '#!/bin/sh\nexec "$@"\n' >/tmp/sudo/sudo
chmod +x /tmp/sudo/sudo
# Without systemd, "systemctl start rcrd" runs rcrd -f.
cat >/tmp/sudo/systemctl <<'EOF'
#!/bin/sh
case $1 in
start | enable) rcrd ;;
restart) systemctl stop rcrd && rcrd ;;
stop)
	[ -e /run/rcrtool/rcrd.pid ] || exit 0
	pid=$(cat /run/rcrtool/rcrd.pid)
	kill "$pid" 2>/dev/null || exit 0
	while [ -d "/proc/$pid" ]; do sleep 0.1; done
	;;
esac
EOF
chmod +x /tmp/sudo/systemctl
PATH=$PATH:/tmp/sudo

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
		timeout 60 bash -c "$command" >/tmp/out 2>&1
	fi
	rc=$?
	result $rc "readme: $command"
	[ $rc -eq 0 ] || sed 's/^/# /' /tmp/out
	[ -z "$names" ] || is "$(names)" "$(tr ' ' '\n' <<<"$names" | sort | xargs)" \
		"readme: and then $names are counted"
	[ -n "$text" ] || return
	case $text in
	"%USED%") states_use "$(sed -n '1s/.*core counters: //p' /tmp/out)" ;;
	"(?i)"*) grep -qiE -- "${text#"(?i)"}" /tmp/out ;;
	"^$") [ ! -s /tmp/out ] ;;
	*) grep -qE -- "$text" /tmp/out ;;
	esac
	rc=$?
	result $rc "readme: the output is that in the document"
	[ $rc -eq 0 ] || { echo "# no line matches $text"; sed 's/^/# /' /tmp/out; }
}

run()
{
	local command
	while IFS= read -r command <&7; do
		one "$command" 7<&-
	done 7<"$1"
}

# The number of results is known only at the end, but the plan is printed first.
exec 3>&1 >/tmp/readme.tap
was=$(cat /proc/sys/kernel/nmi_watchdog)
echo "# the NMI watchdog is $was"
mkdir -p /tmp/work && cd /tmp/work || exit 1
printf '#!/bin/sh\necho solved\n' | tee solver >job
chmod +x solver job
# A dictionary of LDMS, as rcrctl(8) shows one.
echo "TOT_CYC, 0xc0010202, 0x076, 0x00, 0xc0010203, 0x3, 0x0, 0x0, MSR_DEFAULT, CTR_NUMCORE" >bw_msr_configs
# Formulas, as rcrstat(1) shows them.
echo "ipc = TOT_INS / TOT_CYC" >derive.conf
mkdir -p commands
for document in "${DOCUMENTS[@]}"; do
	of_document "$document" >"commands/$(basename "$document" .md)"
done
for manual in "${MANUALS[@]}"; do
	of_manual "$manual" >"commands/$(basename "$manual")"
done
counts=$(cd commands && wc -l "${PARTS[@]}" | awk '$2 != "total" { printf "%s %s, ", $2, $1; few += $1 < 3 } END { exit few > 0 }')
result $? "readme: commands of ${counts%, }"

mkdir -p /etc/rcrtool && cp -a /etc/rcrtool /tmp/configured
for part in "${PARTS[@]}"; do
	plain_load
	result $? "readme: for $part the module is loaded with its defaults"
	perf_works "readme: perf stat counts next to it"
	run "commands/$part"
	is "$(statuses)" ok "readme: after $part the status of every counter is ok"
	systemctl stop rcrd
	# Some commands change the configuration; the public board outlives rcrd.
	rm -rf /etc/rcrtool /run/rcrtool/public && cp -a /tmp/configured /etc/rcrtool
	modprobe -r rcrtool
	result $? "readme: after $part modprobe -r removes the module"
	watchdog "$was"
done
idle=$(grep -v '^#' $TABLE | grep . | cut -f2 | while IFS= read -r pattern; do
	cat commands/* | grep -qE -- "$pattern" || echo "$pattern"
done)
is "$idle" "" "readme: each row of readme.table is of some command"
exec >&3
plan "$TAP_NUMBER"
cat /tmp/readme.tap
finished
