#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# readme.sh MODEL - runs all commands in the code blocks of README.md and Documentation/user, in
# order, on an installed machine with all defaults. Each must exit with status 0 and print what the
# document shows. Skips commands that the document marks with "not run in tests: REASON", and those
# that need another model according to readme.table. manual.sh runs the commands of the other
# documents.
. ./defaults/common.sh
. ./documents.sh
machine "$1"
# shellcheck disable=SC2034 # used by documents.sh
model=$1
[ -n "${PARTS-}" ] || PARTS=(README events sharing)
DOCUMENTS=(/rcr/README.md /rcr/user/*.md)
MANUALS=(/usr/local/share/man/man[1-8]/*rcr*.[1-8])

# Replace the sudo of README.md by one that only runs the command: all commands run as root here.
mkdir -p /tmp/sudo
printf '#!/bin/sh\nexec "$@"\n' >/tmp/sudo/sudo
chmod +x /tmp/sudo/sudo
# The guest has no systemd: replace systemctl by a script that starts and stops rcrd.
cat >/tmp/sudo/systemctl <<'EOF'
#!/bin/sh
case "$1 $2" in
"start "* | "enable --now") rcrd ;;
"restart "*) systemctl stop rcrd && rcrd ;;
"stop "*)
	[ -e /run/rcrtool/rcrd.pid ] || exit 0
	pid=$(cat /run/rcrtool/rcrd.pid)
	kill "$pid" 2>/dev/null || exit 0
	while [ -d "/proc/$pid" ]; do sleep 0.1; done
	;;
esac
EOF
chmod +x /tmp/sudo/systemctl
PATH=$PATH:/tmp/sudo

# TAP output begins with the plan, but the number of results is known only at the end.
exec 3>&1 >/tmp/readme.tap
was=$(cat /proc/sys/kernel/nmi_watchdog)
echo "# the NMI watchdog is $was"
mkdir -p /tmp/work && cd /tmp/work || exit 1
printf '#!/bin/sh\necho solved\n' | tee solver >job
chmod +x solver job
# A dictionary of LDMS, for the examples of rcrctl(8).
echo "TOT_CYC, 0xc0010202, 0x076, 0x00, 0xc0010203, 0x3, 0x0, 0x0, MSR_DEFAULT, CTR_NUMCORE" >bw_msr_configs
# A file of formulas, for the examples of rcrstat(1).
echo "cycles = rate(TOT_CYC)" >derive.conf
mkdir -p commands
for document in "${DOCUMENTS[@]}"; do
	of_document "$document" >"commands/$(basename "$document" .md)"
done
for manual in "${MANUALS[@]}"; do
	of_manual "$manual" >"commands/$(basename "$manual")"
done
counts=$(cd commands && wc -l "${PARTS[@]}" | awk '$2 != "total" { printf "%s %s, ", $2, $1; few += $1 < 3 } END { exit few > 0 }')
result $? "readme: number of commands found: ${counts%, }"

mkdir -p /etc/modules-load.d /etc/rcrtool && cp -a /etc/rcrtool /tmp/configured
for part in "${PARTS[@]}"; do
	plain_load
	result $? "readme: for $part the module is loaded with its defaults"
	perf_works "readme: perf stat counts while the module is loaded for $part"
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
is "$idle" "" "readme: each row of readme.table matches a command"
exec >&3
plan "$TAP_NUMBER"
cat /tmp/readme.tap
finished
