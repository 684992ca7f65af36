/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * failnth.h - makes the kernel fail allocations, but only those below one function or
 * below any function of a module.
 */
#ifndef RCR_GUEST_FAILNTH_H
#define RCR_GUEST_FAILNTH_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FAIL_NTH "/proc/self/fail-nth"

/* Kinds of fault injection. Not fail_usercopy, which shares the counter of fail-nth. */
static const char *const fault_kinds[] = { "failslab", "fail_page_alloc" };

static inline void fault_setting(const char *kind, const char *name, const char *text)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/sys/kernel/debug/%s/%s", kind, name);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, text, strlen(text)) < 0) {
		perror(path);
		exit(1);
	}
	close(fd);
}

static inline void fault_settings(const char *name, const char *text)
{
	unsigned int i;

	for (i = 0; i < sizeof(fault_kinds) / sizeof(fault_kinds[0]); i++)
		fault_setting(fault_kinds[i], name, text);
}

static inline void fault_range(unsigned long from, unsigned long to)
{
	char text[32];

	snprintf(text, sizeof(text), "%#lx", from);
	fault_settings("require-start", text);
	snprintf(text, sizeof(text), "%#lx", to);
	fault_settings("require-end", text);
}

/* Fail allocations below all functions of @module, or below the one function @name. */
static inline void fault_below(const char *name, const char *module)
{
	unsigned long at, from = ~0ul, last = 0, behind = ~0ul;
	char symbol[256], of[64], kind;
	FILE *f = fopen("/proc/kallsyms", "r");
	char line[512];

	while (f && fgets(line, sizeof(line), f)) {
		of[0] = 0;
		if (sscanf(line, "%lx %c %255s [%63[^]]", &at, &kind, symbol, of) < 3 ||
		    (kind != 't' && kind != 'T'))
			continue;
		if (name ? !strcmp(symbol, name) : !strcmp(of, module)) {
			from = at < from ? at : from;
			last = at > last ? at : last;
		}
	}
	rewind(f);
	while (fgets(line, sizeof(line), f)) {
		at = strtoul(line, NULL, 16);
		if (at > last && at < behind)
			behind = at;
	}
	fclose(f);
	if (!last) {
		fprintf(stderr, "%s: not in /proc/kallsyms\n", name ? name : module);
		exit(1);
	}
	/* A module's last function often has no next symbol: assume a size. */
	fault_range(from, behind - last < 4096 ? behind : last + 4096);
}

static inline void fault_init(void)
{
	fault_settings("probability", "0");
	fault_settings("verbose", "0");
	fault_settings("ignore-gfp-wait", "N");
	fault_settings("stacktrace-depth", "32");
	fault_setting("fail_page_alloc", "ignore-gfp-highmem", "N");
	fault_setting("fail_page_alloc", "min-order", "0");
	fault_setting("fail_usercopy", "stacktrace-depth", "32");
	fault_setting("fail_usercopy", "require-start", "1");
	fault_setting("fail_usercopy", "require-end", "2");
}

static inline int fail_nth_fd(void)
{
	static int fd = -1;

	if (fd < 0)
		fd = open(FAIL_NTH, O_RDWR);
	return fd;
}

/* Fail one allocation of any task, each with a probability of @percent. */
static inline void fail_one(const char *kind, unsigned int percent)
{
	char text[16];

	fault_setting(kind, "times", "1");
	snprintf(text, sizeof(text), "%u", percent);
	fault_setting(kind, "probability", text);
}

/* Stop failing allocations; return whether one has failed. */
static inline bool fail_one_end(const char *kind)
{
	char path[128], text[16] = "1";
	int fd;

	fault_setting(kind, "probability", "0");
	snprintf(path, sizeof(path), "/sys/kernel/debug/%s/times", kind);
	fd = open(path, O_RDONLY);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 1) {
		perror(path);
		exit(1);
	}
	close(fd);
	return !atoi(text);
}

/* Fail the @nth allocation that this task makes from now on. */
static inline void fail_nth(unsigned int nth)
{
	char text[16];
	int n = snprintf(text, sizeof(text), "%u", nth);

	if (write(fail_nth_fd(), text, n) != n) {
		perror(FAIL_NTH);
		exit(1);
	}
}

/* Stop failing allocations; return whether one has failed. */
static inline bool fail_nth_end(void)
{
	char text[16] = "";
	bool failed = pread(fail_nth_fd(), text, sizeof(text) - 1, 0) > 0 && !atoi(text);

	fail_nth(0);
	return failed;
}

#endif
