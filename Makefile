# SPDX-License-Identifier: GPL-2.0-only
# temporary
KVER ?= $(notdir $(patsubst %/build,%,$(shell ls -d /lib/modules/*/build 2>/dev/null | sort -V | tail -n 1)))
print-kver:
	@echo $(KVER)

OBJ := build/$(KVER)/obj
modules:
	@mkdir -p $(OBJ)
	@cp -asf $(CURDIR)/Kbuild $(CURDIR)/VERSION $(CURDIR)/kmod $(CURDIR)/uapi $(OBJ)/
	$(MAKE) -C /lib/modules/$(KVER)/build M=$(CURDIR)/$(OBJ) modules
	@cp $(OBJ)/rcrtool.ko build/$(KVER)/rcrtool.ko
