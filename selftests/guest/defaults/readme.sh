#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# readme.sh MODEL - runs every command of the code blocks in README.md and Documentation/user,
# and of the examples of rcrctl(8), in their order on an installed machine with all defaults.
# Each must end with status 0 and print what the document shows. readme.table names the
# commands that cannot run here.
. ./defaults/common.sh
machine "$1"
model=$1
DOCUMENTS=(/rcr/README.md /rcr/user/*.md)
MANUAL=/usr/local/share/man/man8/rcrctl.8
TABLE=/rcr/tests/defaults/readme.table

# of_document FILE: its commands: lines of indented blocks; of a block that shows output, only
# the lines after "$ ". The block of "How it works" is a drawing.
of_document()
{
	awk '
		/^#+ / { map = /How it works/ }
		/^    / {
			if (!inside) transcript = /^    \$ /
			inside = 1
			if (map || (transcript && !/^    \$ /)) next
			sub(/^    (\$ )?/, "")
			print
			next
		}
		!/^$/ { inside = 0 }' "$1"
}

# Those of the examples: the lines in bold.
of_manual()
{
	awk '/^\.SH / { examples = /EXAMPLES/ } examples && /^\.B / { sub(/^\.B /, ""); print }' $MANUAL |
		sed 's/\\(dq/"/g; s/\\(aq/'\''/g; s/\\-/-/g'
}

# rows KIND COMMAND: the third field of the rows of that kind that match.
rows()
{
	local kind pattern rest
	while IFS=$'\t' read -r kind pattern rest; do
		[ "$kind" = "$1" ] || continue
		[[ $2 =~ $pattern ]] || continue
		echo "$kind	$pattern" >>/tmp/matched
		echo "${rest:--}"
	done <$TABLE
}

names() { rcrctl ls | sed 1d | cut -d' ' -f1 | sort | xargs; }

# The README's sudo: everything here is run by root.
mkdir -p /tmp/sudo
printf '#!/bin/sh\nexec "$@"\n' >/tmp/sudo/sudo
chmod +x /tmp/sudo/sudo
# There is no systemd: "systemctl start rcrtool" would run rcrd -f.
cat >/tmp/sudo/systemctl <<'EOF'
#!/bin/sh
case $1 in
start) rcrd ;;
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

# ends COMMAND: it is alive after a second, and ends on SIGTERM.
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
	local command=$1 reason models names text
	reason=$(rows skip "$command" | head -n 1)
	models=$(rows only "$command" | head -n 1)
	ends=$(rows ends "$command" | head -n 1)
	names=$(rows counts "$command" | head -n 1)
	text=$(rows shows "$command" | head -n 1)
	if [ -n "$reason" ]; then
		echo "# left out, $reason: $command"
		return
	fi
	if [ -n "$models" ] && [[ " $models " != *" $model "* ]]; then
		echo "# left out, of $models: $command"
		return
	fi
	if [ -n "$ends" ]; then
		# The parts before the last one run first.
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
	result $rc "readme: and its output is as the document has it"
	[ $rc -eq 0 ] || { echo "# no line matches $text"; sed 's/^/# /' /tmp/out; }
}

run()
{
	local command
	while IFS= read -r command <&7; do
		one "$command" 7<&-
	done 7<"$1"
}

# How many there are is known at the end; the plan comes first.
exec 3>&1 >/tmp/readme.tap
was=$(cat /proc/sys/kernel/nmi_watchdog)
echo "# the NMI watchdog is $was"
mkdir -p /tmp/work && cd /tmp/work || exit 1
printf '#!/bin/sh\necho solved\n' | tee solver >job
chmod +x solver job
for document in "${DOCUMENTS[@]}"; do
	of_document "$document" >"/tmp/$(basename "$document" .md)"
done
of_manual >/tmp/manual
result $(($(wc -l </tmp/README) < 25 || $(wc -l </tmp/events) < 4 || $(wc -l </tmp/manual) < 8)) \
	"readme: README.md has $(wc -l </tmp/README) commands, events.md $(wc -l </tmp/events), rcrctl(8) $(wc -l </tmp/manual)"
: >/tmp/matched

for part in README events sharing manual; do
	plain_load
	result $? "readme: for $part the module is loaded with its defaults"
	perf_works "readme: perf stat counts next to it"
	run /tmp/$part
	is "$(statuses)" ok "readme: after $part the status of every counter is ok"
	systemctl stop rcrtool
	modprobe -r rcrtool
	result $? "readme: after $part modprobe -r removes the module"
	watchdog "$was"
done
is "$(grep -v '^#' $TABLE | grep . | cut -f1,2 | sort -u | grep -vxF -f /tmp/matched)" "" \
	"readme: each row of readme.table is of some command"
exec >&3
plan "$TAP_NUMBER"
cat /tmp/readme.tap
finished
