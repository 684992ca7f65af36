// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * verdicts.c - the page of verdicts: a memfd that rcrd maps and then seals, so that only rcrd can
 * write to it, and it cannot shrink while a client has it mapped.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "verdicts.h"

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL)

/* An older heartbeat means that rcrd has exited or hangs. */
#define STALE_BEATS 4

/* Replace a descriptor by a read-only one, which clients cannot use for writing. */
static int replace_by_readonly(int fd)
{
	char path[32];
	int reading;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fchmod(fd, 0444))
		return -1;
	reading = open(path, O_RDONLY | O_CLOEXEC);
	if (reading >= 0)
		close(fd);
	return reading;
}

int verdicts_open(struct verdicts *v, struct why *why)
{
	int fd = memfd_create("rcr-verdicts", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	void *at = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, RCR_VERDICTS_BYTES))
		at = mmap(NULL, RCR_VERDICTS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED || fcntl(fd, F_ADD_SEALS, SEALS))
		return because(why, "cannot create the page of verdicts: %s", strerror(errno));
	v->fd = replace_by_readonly(fd);
	if (v->fd < 0)
		return because(why, "cannot reopen the page of verdicts: %s", strerror(errno));
	v->page = at;
	v->began_ns = now_ns();
	v->began_tsc = __builtin_ia32_rdtsc();
	*v->page = (struct rcr_verdicts){
		.magic = RCR_VERDICTS_MAGIC,
		.version = RCR_BOARD2_VERSION,
		.compat_version = RCR_BOARD2_COMPAT_VERSION,
		.heartbeat = v->began_tsc,
		.size = sizeof(*v->page),
	};
	return 0;
}

/* TSC frequency measured since the page was created, Hz; 0 if no time has passed. */
static double tsc_hz(const struct verdicts *v, uint64_t tsc, uint64_t ns)
{
	return ns > v->began_ns && tsc > v->began_tsc ?
	       1e9 * (tsc - v->began_tsc) / (ns - v->began_ns) : 0;
}

void verdicts_beat(struct verdicts *v)
{
	uint64_t tsc = __builtin_ia32_rdtsc();
	uint64_t cycles = tsc_hz(v, tsc, now_ns()) * (VERDICTS_BEAT_NS / 1e9);

	__atomic_store_n(&v->page->stale_after, STALE_BEATS * cycles, __ATOMIC_RELAXED);
	__atomic_store_n(&v->page->heartbeat, tsc, __ATOMIC_RELAXED);
}

uint64_t verdicts_age_ns(const struct verdicts *v, uint64_t tsc)
{
	uint64_t now = __builtin_ia32_rdtsc();
	double hz = tsc_hz(v, now, now_ns());

	return hz > 0 && tsc < now ? 1e9 * (now - tsc) / hz : 0;
}
