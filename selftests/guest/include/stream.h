/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stream.h - reads /dev/rcrtool without librcr, so that a bug of librcr cannot hide one of the
 * module.
 */
#ifndef RCR_GUEST_STREAM_H
#define RCR_GUEST_STREAM_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <linux/rcrtool.h>

#include "kernel_rate.h"
#include "rate.h"
#include "shared_rate.h"
#include "tsc.h"

#define DEVICE "/dev/rcrtool"

static inline uint64_t monotonic_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static inline const struct rcr_counter *counters_of(const struct rcr_set *set)
{
	return (const void *)((const char *)set + set->counter_offset);
}

static inline const uint8_t *statuses_of(const struct rcr_set *set,
					 const struct rcr_record *r)
{
	return (const uint8_t *)r + set->status_offset;
}

/* Event select and unit mask of an AMD control value. */
static inline uint32_t event_of(uint64_t select)
{
	return (select & 0xff) | (select >> 24 & 0xf00);
}

static inline uint32_t umask_of(uint64_t select)
{
	return select >> 8 & 0xff;
}

/* Intel's fixed counters share this control. */
#define FIXED_CONTROL 0x38d
#define FIXED_COUNTER0 0x309

/* AMD. Each CPU of these guests is a core. */
#define ENERGY_OF_CORE 0xc001029a

/* Return the package of a CPU. Cached when the CPU is first seen online: sysfs has none offline. */
static inline unsigned int package_of(uint32_t cpu)
{
	static unsigned int known[64];
	unsigned int package = 0;
	char path[80];
	FILE *f;

	if (cpu >= 64 || known[cpu])
		return cpu < 64 ? known[cpu] - 1 : 0;
	snprintf(path, sizeof(path),
		 "/sys/devices/system/cpu/cpu%u/topology/physical_package_id", cpu);
	f = fopen(path, "r");
	if (f && fscanf(f, "%u", &package) == 1)
		known[cpu] = package + 1;
	if (f)
		fclose(f);
	return package;
}

/*
 * Return the domain of an energy register. Intel has a register for each domain, AMD only packages.
 */
static inline enum vpmu_domain energy_domain(const struct rcr_counter *c)
{
	return c->counter == 0x639 ? VPMU_ENERGY_CORES :
	       c->counter == 0x619 ? VPMU_ENERGY_DRAM : VPMU_ENERGY_PACKAGE;
}

/* Return energy units per joule: fewer for packages of Haswell-EP to Ice Lake-SP. */
static inline uint64_t units_of_joule(const struct rcr_counter *c)
{
	unsigned int model = cpu_model();

	return c->counter == 0x611 &&
	       (model == 63 || model == 79 || model == 85 || model == 106) ? 16384 : 65536;
}

/* Return the number of the package, or of the pair of CPUs, whose counter @cpu shares. */
static inline unsigned int place_of(const struct rcr_counter *c, uint32_t cpu)
{
	return c->scope == RCR_SCOPE_PACKAGE ? package_of(cpu) : cpu / 2;
}

/* Return the rate of a counter of the set by the virtual PMU's formula. */
static inline uint32_t rate_of(const struct rcr_counter *c, uint32_t cpu)
{
	uint32_t rate = c->control || c->counter ? 0 : kernel_rate(c, cpu, package_of(cpu));

	if (rate)
		return rate;
	if (c->counter == ENERGY_OF_CORE)
		return vpmu_energy_rate(VPMU_ENERGY_CORE, cpu);
	if (c->unit == RCR_UNIT_NANOJOULE)
		return vpmu_energy_rate(energy_domain(c), package_of(cpu));
	if (c->scope != RCR_SCOPE_CPU)
		return shared_rate(c, place_of(c, cpu));
	if (c->counter == 0xe8)
		return vpmu_aperf_rate(cpu);
	if (c->counter == 0xe7)
		return VPMU_MPERF_RATE;
	if (c->control == FIXED_CONTROL)
		return vpmu_fixed_rate(c->counter - FIXED_COUNTER0, cpu);
	return vpmu_rate(event_of(c->select), umask_of(c->select), cpu);
}

/* Open the device and read the set, which the caller frees; return NULL with errno on failure. */
static inline struct rcr_set *open_stream(int *fd, int flags)
{
	struct rcr_set *set = calloc(1, RCR_READ_MIN);
	ssize_t got;

	*fd = open(DEVICE, O_RDONLY | flags);
	if (*fd < 0 || !set)
		return NULL;
	/* Read the set alone: with such a small buffer the records are left for the next read. */
	got = read(*fd, set, sizeof(*set));
	if (got == -1 && errno == EINVAL)
		got = read(*fd, set, RCR_READ_MIN);
	if (got < (ssize_t)sizeof(*set) || set->item.type != RCR_ITEM_SET) {
		errno = EPROTO;
		return NULL;
	}
	return set;
}

/* TSC before and after the registers of a sample were read. */
struct bracket {
	uint64_t begin, end;
};

static inline struct bracket bracket_of(const struct rcr_record *r)
{
	return (struct bracket){ r->tsc, r->tsc_end };
}

/* Return the bracket of one counter: slow ones may have been read before the sample. */
static inline struct bracket bracket_of_counter(const struct rcr_set *set,
						const struct rcr_record *r,
						unsigned int i)
{
	const struct rcr_slow *slow = (const void *)((const char *)r + set->slow_offset);

	return set->slow >> i & 1 ? (struct bracket){ slow->tsc, slow->tsc_end } :
				    bracket_of(r);
}

/* Convert a total to register counts; for energy in nanojoules, this is exact. */
static inline uint64_t counts_of(const struct rcr_counter *c, uint64_t total)
{
	if (c->unit != RCR_UNIT_NANOJOULE)
		return total;
	return ((unsigned __int128)total * units_of_joule(c) + 999999999) / 1000000000;
}

/* Return whether a temperature is that of the sensor at the begin or the end of the bracket. */
static inline bool is_shown(const struct rcr_counter *c, uint32_t cpu,
			    struct bracket now, uint64_t value)
{
	uint32_t sensor = c->scope == RCR_SCOPE_PACKAGE ? 64 + package_of(cpu) : cpu;

	return value == 1000 * (100 - vpmu_thermal_margin(sensor, now.begin)) ||
	       value == 1000 * (100 - vpmu_thermal_margin(sensor, now.end));
}

/*
 * Check P8 for two consecutive samples of a CPU: the count between them matches the formula for the
 * time between their TSCs if the counter is @ok (RCR_STATUS_OK in both), and is 0 otherwise.
 */
static inline bool is_exact(const struct rcr_counter *c, uint32_t cpu, bool ok,
			    struct bracket before, uint64_t total,
			    struct bracket now, uint64_t counted)
{
	uint32_t rate = rate_of(c, cpu);
	uint64_t least = vpmu_count(rate, now.begin) - vpmu_count(rate, before.end);
	uint64_t most = vpmu_count(rate, now.end) - vpmu_count(rate, before.begin);

	if (c->unit == RCR_UNIT_MILLIDEGREE && (ok || counted != total))
		return is_shown(c, cpu, now, counted);
	if (!ok)
		return counted == total;
	total = counts_of(c, total);
	counted = counts_of(c, counted);
	return counted >= total && (int64_t)(counted - total - least) >= 0 &&
	       counted - total <= most;
}

#endif
