// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * process.c - reads the files of a process in /proc.
 *
 * Process ids in samples are those of the initial namespace.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "process.h"

/* Inode of the initial process id namespace (PROC_PID_INIT_INO). */
#define INITIAL_NAMESPACE 0xeffffffcull

bool process_has_numbers(void)
{
	struct stat st;

	return !stat("/proc/self/ns/pid", &st) && st.st_ino == INITIAL_NAMESPACE;
}

bool process_read(uint64_t pid, uint64_t *parent, uint64_t *start)
{
	unsigned long long numbers[2];
	char path[64], text[1024];
	const char *at;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%llu/stat", (unsigned long long)pid);
	in = fopen(path, "re");
	if (!in)
		return false;
	text[fread(text, 1, sizeof(text) - 1, in)] = 0;
	fclose(in);
	/* A name may have any characters, newlines too. */
	at = strrchr(text, ')');
	if (!at ||
	    sscanf(at, ") %*c %llu %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
		   &numbers[0], &numbers[1]) != 2)
		return false;
	*parent = numbers[0];
	*start = numbers[1];
	return true;
}

bool process_user(uint64_t pid, uid_t *uid)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%llu", (unsigned long long)pid);
	if (stat(path, &st))
		return false;
	*uid = st.st_uid;
	return true;
}
