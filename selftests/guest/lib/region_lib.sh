# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034 # variables of the scripts that source this
#
# region_lib.sh - runs programs with librcrregion as an ordinary user.

# as_user COMMAND...: runs COMMAND as the user. Sets RC to its exit status; output is in /tmp/out
# and /tmp/err, and the latter is printed as comments, too.
as_user()
{
	setpriv --reuid=user --regid=user --init-groups "$@" >/tmp/out 2>/tmp/err
	RC=$?
	sed 's/^/# /' /tmp/err
}
