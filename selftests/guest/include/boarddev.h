/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * boarddev.h - /dev/rcrboard, for programs that use it without librcr.
 */
#ifndef RCR_GUEST_BOARDDEV_H
#define RCR_GUEST_BOARDDEV_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <linux/rcrboard.h>

#define BOARD "/dev/rcrboard"
#define PAGE 4096ul

#endif
