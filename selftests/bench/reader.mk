# SPDX-License-Identifier: GPL-2.0-only
#
# What the reader costs: $(O)/bench/reader. Stands alone, or is included.

TOP ?= $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/../..)
O ?= $(TOP)/build
CC ?= cc

READER_FLAGS := -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Werror -I$(TOP)/uapi \
	-I$(TOP)/kmod -I$(TOP)/selftests/unit/include

$(O)/bench/reader: $(addprefix $(TOP)/selftests/bench/,reader.c rings.c)
	@mkdir -p $(@D)
	$(CC) $(READER_FLAGS) -MMD -MP -MF $@.d -o $@ $(filter %.c,$^)

-include $(O)/bench/reader.d
