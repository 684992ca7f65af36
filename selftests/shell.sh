#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# shell.sh - boots a guest with an interactive shell on this terminal: an installed machine with the
# virtual PMU, where the module is not loaded yet. RCR_M and RCR_K select model and kernel, like the
# options -m and -k of guest.sh. "exit" ends the guest.
set -eu
. "$(dirname "$0")/lib/common.sh"

[ -t 0 ] || die "standard input is not a terminal"
"$RCR_TOP/selftests/vpmu/build.sh"
"$RCR_TOP/selftests/kernels.sh"
read -r rows columns < <(stty size)
exec "$RCR_TOP/selftests/qemu/guest.sh" -S -I -t 0 -n shell \
	${RCR_M:+-m "$RCR_M"} ${RCR_K:+-k "$RCR_K"} \
	"stty -F /dev/ttyS0 rows $rows cols $columns; cd /root; TERM=$TERM PS1='guest# ' setsid -c bash --norc -i </dev/ttyS0 >/dev/ttyS0 2>&1"
