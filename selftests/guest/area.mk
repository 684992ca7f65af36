# SPDX-License-Identifier: GPL-2.0-only
#
# Rules of an area. Its Makefile sets TEST_PROGS, the tests, and PREFIX where they are not at the
# top of $(O)/tests. Outside of a guest a test that needs the virtual PMU is skipped.

TOP := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/../..)
O ?= $(TOP)/build

all:
	@$(MAKE) -s -C $(TOP)/userspace O=$(O)
	@$(MAKE) -s -C $(TOP)/selftests/guest O=$(O)

run_tests: all
	@PATH=$(O)/bin:$$PATH RCR_TESTS=$(O)/tests RCR_MODULE=$(O)/$$(uname -r)/rcrtool.ko \
		bash $(TOP)/selftests/guest/run.sh $(addprefix $(PREFIX),$(TEST_PROGS))

list:
	@echo $(TEST_PROGS)

.PHONY: all run_tests list
