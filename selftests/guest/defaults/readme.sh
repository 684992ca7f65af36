#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# readme.sh MODEL - runs every command of the code blocks in README.md and Documentation/user, in
# their order on an installed machine with all defaults. Each must end with status 0 and print what
# the document shows. Not those that the document marks with "not run in tests: REASON";
# readme.table names those that need another model. manual.sh runs those of the other documents.
. ./defaults/common.sh
. ./documents.sh
machine "$1"
# shellcheck disable=SC2034 # of documents.sh
model=$1
[ -n "${PARTS-}" ] || PARTS=(README events sharing)
DOCUMENTS=(/rcr/README.md /rcr/user/*.md)
MANUALS=(/usr/local/share/man/man[1-8]/*rcr*.[1-8])

# The sudo of README.md only runs the command: everything here is run by root.
mkdir -p /tmp/sudo
printf '#!/bin/sh\nexec "$@"\n' >/tmp/sudo/sudo
chmod +x /tmp/sudo/sudo
# Without systemd, "systemctl start rcrd" runs rcrd -f.
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
echo "cycles = rate(TOT_CYC)" >derive.conf
mkdir -p commands
for document in "${DOCUMENTS[@]}"; do
	of_document "$document" >"commands/$(basename "$document" .md)"
done
for manual in "${MANUALS[@]}"; do
	of_manual "$manual" >"commands/$(basename "$manual")"
done
counts=$(cd commands && wc -l "${PARTS[@]}" | awk '$2 != "total" { printf "%s %s, ", $2, $1; few += $1 < 3 } END { exit few > 0 }')
result $? "readme: commands of ${counts%, }"

mkdir -p /etc/modules-load.d /etc/rcrtool && cp -a /etc/rcrtool /tmp/configured
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
