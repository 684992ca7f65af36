# SPDX-License-Identifier: GPL-2.0-only
# temporary
KVER ?= $(notdir $(patsubst %/build,%,$(shell ls -d /lib/modules/*/build 2>/dev/null | sort -V | tail -n 1)))
print-kver:
	@echo $(KVER)
