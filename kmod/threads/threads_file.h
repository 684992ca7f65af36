/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * threads_file.h - debugfs: what programs say of their threads
 */
#ifndef RCR_THREADS_FILE_H
#define RCR_THREADS_FILE_H

#include <linux/fs.h>

extern const struct file_operations rcr_threads_fops;

#endif
