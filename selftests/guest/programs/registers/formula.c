// SPDX-License-Identifier: GPL-2.0-only
/*
 * formula.c - compares a count register of the virtual PMU with the formula of rate.h, exactly and
 * across wraps.
 *
 *	formula CPU REGISTER WIDTH ROUNDS FORWARD unit UNIT EVENT UMASK INSTANCE
 *	formula CPU REGISTER WIDTH ROUNDS FORWARD energy DOMAIN INSTANCE
 *	formula CPU REGISTER WIDTH ROUNDS FORWARD aperf|mperf CPU
 *	formula CPU REGISTER WIDTH ROUNDS FORWARD thermal SENSOR
 *
 * Reads the register, which must be counting, ROUNDS times on CPU, each time between two reads of
 * the TSC, and adds up the differences in 64 bits as a sampler does. Between two rounds the time of
 * the energy registers is advanced by FORWARD ticks. Prints the number of wraps, the widest
 * bracket, and the sums outside their bracket; status 0 if there are none. A temperature is a
 * value, so it is read and printed once.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <x86intrin.h>

#include "power.h"
#include "rate.h"

static int device;
static bool is_energy;

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static uint64_t number(const char *text)
{
	return strtoull(text, NULL, 0);
}

static uint64_t get(uint32_t msr)
{
	uint64_t val;

	if (pread(device, &val, sizeof(val), msr) != sizeof(val))
		die("read");
	return val;
}

static void put(uint32_t msr, uint64_t val)
{
	if (pwrite(device, &val, sizeof(val), msr) != sizeof(val))
		die("write");
}

static void open_cpu(int cpu)
{
	char path[64];
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	snprintf(path, sizeof(path), "/dev/cpu/%d/msr", cpu);
	device = open(path, O_RDWR);
	if (device < 0 || sched_setaffinity(0, sizeof(set), &set))
		die(path);
}

static uint32_t rate_from(int argc, char **argv)
{
	if (argc == 5 && !strcmp(argv[0], "unit"))
		return vpmu_unit_rate(number(argv[1]), number(argv[2]),
				      number(argv[3]), number(argv[4]));
	if (argc == 3 && !strcmp(argv[0], "energy"))
		return vpmu_energy_rate(number(argv[1]), number(argv[2]));
	if (argc == 2 && !strcmp(argv[0], "aperf"))
		return vpmu_aperf_rate(number(argv[1]));
	if (argc == 2 && !strcmp(argv[0], "mperf"))
		return VPMU_MPERF_RATE;
	fprintf(stderr, "usage: see the head of formula.c\n");
	exit(2);
}

/* A register value, with the TSC before and after the read. */
struct reading {
	uint64_t before, value, after;
};

static struct reading read_register(uint32_t msr)
{
	struct reading r;

	r.before = __rdtsc();
	r.value = get(msr);
	r.after = __rdtsc();
	return r;
}

/* Return the least count of @rate between two readings; most() returns the greatest one. */
static uint64_t least(uint32_t rate, const struct reading *from,
		      const struct reading *to)
{
	return vpmu_count(rate, to->before) - vpmu_count(rate, from->after);
}

static uint64_t most(uint32_t rate, const struct reading *from,
		     const struct reading *to)
{
	return vpmu_count(rate, to->after) - vpmu_count(rate, from->before);
}

/* The time of the energy registers is the TSC plus the sum of all FORWARD ticks. */
static struct reading read_forwarded(uint32_t msr, uint64_t forward)
{
	struct reading r;
	uint64_t sum;

	if (forward)
		put(VPMU_FORWARD_MSR, forward);
	sum = is_energy ? get(VPMU_FORWARD_MSR) : 0;
	r = read_register(msr);
	r.before += sum;
	r.after += sum;
	return r;
}

/* Results. */
struct sums {
	uint64_t counted, wraps, widest, bad;
};

static void take(struct sums *s, uint32_t rate, const struct reading *first,
		 const struct reading *last, const struct reading *now, uint64_t mask)
{
	uint64_t low = least(rate, first, now);
	uint64_t high = most(rate, first, now);

	s->counted += (now->value - last->value) & mask;
	s->wraps += now->value < last->value;
	if (high - low > s->widest)
		s->widest = high - low;
	if (s->counted < low || s->counted > high)
		s->bad++;
}

/* IA32_THERM_STATUS: bits 22:16 are the margin, which is valid if bit 31 is set. */
static int check_thermal(uint32_t msr, uint32_t sensor)
{
	struct reading r = read_register(msr);
	uint32_t margin = (r.value >> 16) & 0x7f;

	printf("margin %u of %u\n", margin, (uint32_t)(get(0x1a2) >> 16) & 0xff);
	return !(r.value >> 31 & 1) ||
	       (margin != vpmu_thermal_margin(sensor, r.before) &&
		margin != vpmu_thermal_margin(sensor, r.after));
}

int main(int argc, char **argv)
{
	struct reading first, last, now;
	uint64_t mask, forward;
	struct sums sums = { };
	uint32_t msr, rate;
	int rounds;

	if (argc < 7)
		return rate_from(0, argv);
	open_cpu(number(argv[1]));
	msr = number(argv[2]);
	if (!strcmp(argv[6], "thermal") && argc == 8)
		return check_thermal(msr, number(argv[7]));
	mask = ~0ull >> (64 - number(argv[3]));
	rounds = number(argv[4]);
	forward = number(argv[5]);
	rate = rate_from(argc - 6, argv + 6);
	is_energy = !strcmp(argv[6], "energy");

	first = read_forwarded(msr, 0);
	last = first;
	while (rounds--) {
		usleep(10000);
		now = read_forwarded(msr, forward);
		take(&sums, rate, &first, &last, &now, mask);
		last = now;
	}
	printf("wraps %" PRIu64 " bracket %" PRIu64 " counted %" PRIu64 " bad %" PRIu64 "\n",
	       sums.wraps, sums.widest, sums.counted, sums.bad);
	return sums.bad != 0;
}
