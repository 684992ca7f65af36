// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_latch_address.c - test_latch.c with the sanitizers of addresses and of undefined
 * behaviour.
 */
#include "test_latch.c"
