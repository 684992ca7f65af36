// SPDX-License-Identifier: GPL-2.0-only
/*
 * phase.c - changes the rates of the virtual PMU while it runs (vpmu/phase.h), and prints the
 * counts to expect.
 *
 *	phase assign UNIT[/INSTANCE] EVENT[:UMASK] CLASS
 *		puts the event, with this unit mask or with any, into the class, on all CPUs or
 *		units or on INSTANCE; prints the TSC from which this applies
 *	phase schedule CLASS START_MS:MULTIPLIER... [CLASS START_MS:MULTIPLIER...]...
 *		schedules phases that start START_MS from now, with rates of MULTIPLIER (0 to
 *		65535, may have decimals) times those of rate.h; prints for each the TSC and the
 *		multiplier in units of 2^-16
 *	phase load KIND LEVEL
 *		sets the load of the resource, 0 to 65536; prints the TSC from which this applies,
 *		and the multipliers of throughput and occupancy in units of 2^-16
 *	phase knee KIND LEVEL [hard|queue]
 *	phase scale KIND MULTIPLIER
 *		apply from the next load on
 *	phase clear
 *		drops phases that have not started, and resets all rates to those of rate.h
 *	phase expect UNIT EVENT UMASK INSTANCE TSC
 *		prints the count at TSC of a counter that never stopped; only differences of two
 *		such counts are meaningful. INSTANCE: CPU of a core, or number of the unit
 *	phase now
 *		prints the TSC
 *	phase clock
 *		prints the TSC, and CLOCK_MONOTONIC at that time, ns
 *
 * UNIT: core, nb, l3, df, umc, nhm, cbo, pcu, ubox, ha, imc, qpi, r2pcie, r3qpi; energy
 * with the domain as its event; clock with 0xe7 or 0xe8. KIND: read, write, copy,
 * random. Each request is appended to a log (phase_oracle.h), which "expect" and other programs
 * read to know the state. Only this program writes the log.
 */
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "phase_oracle.h"
#include "tsc.h"

static struct vpmu_phases phases;
static int device;

static _Noreturn void fail(const char *what, const char *why)
{
	fprintf(stderr, "phase: %s: %s\n", what, why);
	exit(1);
}

static uint64_t read_number(const char *text, uint64_t most)
{
	uint64_t value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 0);
	if (errno || !*text || *text == '-' || *end || value > most)
		fail(text, "not a valid number: see the head of phase.c");
	return value;
}

/* Parse a multiplier; return it in units of 2^-16. */
static uint32_t read_multiplier(const char *text)
{
	double value;
	char *end;

	value = strtod(text, &end);
	if (end == text || *end || !(value >= 0 && value < 65536))
		fail(text, "invalid multiplier: use 0 to 65535, decimals allowed");
	return lround(value * VPMU_ONE);
}

static uint32_t find_word(const char *text, const char *const *words, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (words[i] && !strcmp(text, words[i]))
			return i;
	fail(text, "unknown word: see the head of phase.c");
}

static uint32_t unit_of(const char *text)
{
	static const char *const words[] = {
		[VPMU_UNIT_CORE] = "core", [VPMU_UNIT_NB] = "nb", [VPMU_UNIT_L3] = "l3",
		[VPMU_UNIT_DF] = "df", [VPMU_UNIT_UMC] = "umc", [VPMU_UNIT_NHM] = "nhm",
		[VPMU_UNIT_CBO] = "cbo", [VPMU_UNIT_PCU] = "pcu",
		[VPMU_UNIT_UBOX] = "ubox", [VPMU_UNIT_HA] = "ha",
		[VPMU_UNIT_IMC] = "imc", [VPMU_UNIT_QPI] = "qpi",
		[VPMU_UNIT_R2PCIE] = "r2pcie", [VPMU_UNIT_R3QPI] = "r3qpi",
		[VPMU_UNIT_ENERGY] = "energy", [VPMU_UNIT_CLOCK] = "clock",
	};

	return find_word(text, words, sizeof(words) / sizeof(words[0]));
}

static uint32_t kind_of(const char *text)
{
	static const char *const words[] = {
		[VPMU_KIND_READ] = "read", [VPMU_KIND_WRITE] = "write",
		[VPMU_KIND_COPY] = "copy", [VPMU_KIND_RANDOM] = "random",
	};

	return find_word(text, words, VPMU_KINDS);
}

static uint64_t get(uint32_t msr)
{
	uint64_t val;

	if (pread(device, &val, sizeof(val), msr) != sizeof(val))
		fail("/dev/cpu/0/msr cannot be read", strerror(errno));
	return val;
}

static void put(const char *what, uint32_t msr, uint64_t val)
{
	if (pwrite(device, &val, sizeof(val), msr) != sizeof(val))
		fail(what, errno == EIO ? "the virtual PMU refuses the request: see vpmu/phase.h" :
					  strerror(errno));
}

/* Send a request; return the TSC from which it applies. */
static uint64_t request(const char *what, uint32_t msr, uint64_t val)
{
	uint64_t start;

	put(what, msr, val);
	start = get(msr);
	if (!phase_log_add(msr, val, start))
		fail(phase_log_path(), strerror(errno));
	return start;
}

static void assign(char **words)
{
	uint64_t val = read_number(words[2], VPMU_CLASSES - 1) << 56;
	char *umask = strchr(words[1], ':'), *instance = strchr(words[0], '/');

	if (instance) {
		*instance++ = 0;
		request("assign", VPMU_INSTANCE_MSR,
			read_number(instance, VPMU_INSTANCES - 1) + 1);
	}
	val |= (uint64_t)unit_of(words[0]) << 48;
	if (umask) {
		*umask++ = 0;
		val |= read_number(umask, UINT32_MAX) << 16;
	} else {
		val |= VPMU_ANY_UMASK;
	}
	val |= read_number(words[1], 0xffff);
	printf("%" PRIu64 "\n", request("assign", VPMU_ASSIGN_MSR, val));
}

static double ticks_per_ms(void)
{
	struct timespec from, to, wait = { .tv_nsec = 20000000 };
	uint64_t begin, end;

	clock_gettime(CLOCK_MONOTONIC, &from);
	begin = rdtsc();
	nanosleep(&wait, NULL);
	clock_gettime(CLOCK_MONOTONIC, &to);
	end = rdtsc();
	return (end - begin) / ((to.tv_sec - from.tv_sec) * 1e3 +
				(to.tv_nsec - from.tv_nsec) / 1e6);
}

static void schedule(char **words)
{
	uint64_t class = read_number(words[0], VPMU_CLASSES - 1);
	double per_ms = ticks_per_ms();
	uint64_t now = rdtsc(), ms;
	uint32_t times;
	char *colon;

	for (words++; *words; words++) {
		colon = strchr(*words, ':');
		if (!colon) {
			class = read_number(*words, VPMU_CLASSES - 1);
			continue;
		}
		*colon = 0;
		ms = read_number(*words, 1000000000);
		times = read_multiplier(colon + 1);
		put("schedule", VPMU_START_MSR, ms ? now + (uint64_t)(ms * per_ms) : 0);
		printf("%" PRIu64 " %" PRIu32 "\n",
		       request("schedule", VPMU_PHASE_MSR, class << 32 | times), times);
	}
}

static void replay(void)
{
	if (!phase_log_replay(&phases))
		fail(phase_log_path(), strerror(errno));
}

static void load(char **words)
{
	uint32_t kind = kind_of(words[0]), level = read_number(words[1], VPMU_ONE);
	const struct vpmu_load *l = &phases.load[kind];
	uint64_t start = request("load", VPMU_LOAD_MSR, (uint64_t)kind << 32 | level);

	replay();
	printf("%" PRIu64 " %" PRIu32 " %" PRIu32 "\n", start,
	       vpmu_load_multiplier(l, VPMU_CLASS_THROUGHPUT, level),
	       vpmu_load_multiplier(l, VPMU_CLASS_OCCUPANCY, level));
}

static void knee(char **words)
{
	static const char *const curves[] = {
		[VPMU_CURVE_HARD] = "hard", [VPMU_CURVE_QUEUE] = "queue",
	};
	uint64_t curve = words[2] ? find_word(words[2], curves, VPMU_CURVES) : VPMU_CURVE_HARD;

	request("knee", VPMU_KNEE_MSR, curve << 48 | (uint64_t)kind_of(words[0]) << 32 |
		read_number(words[1], VPMU_ONE));
}

static void scale(char **words)
{
	request("scale", VPMU_SCALE_MSR,
		(uint64_t)kind_of(words[0]) << 32 | read_multiplier(words[1]));
}

static void clear(char **words)
{
	(void)words;
	printf("%" PRIu64 "\n", request("clear", VPMU_CLEAR_MSR, 0));
}

static void expect(char **words)
{
	struct phase_what what = {
		.unit = unit_of(words[0]), .event = read_number(words[1], 0xffff),
		.umask = read_number(words[2], UINT32_MAX),
		.instance = read_number(words[3], VPMU_INSTANCES - 1),
	};

	what.rate = phase_rate(&what);
	replay();
	printf("%" PRIu64 "\n", phase_count(&phases, &what, read_number(words[4], UINT64_MAX)));
}

static void now(char **words)
{
	(void)words;
	printf("%" PRIu64 "\n", rdtsc());
}

/* Take the TSC in the middle of a read of the clock. */
static void print_clock(char **words)
{
	struct timespec t;
	uint64_t tsc = rdtsc();

	(void)words;
	clock_gettime(CLOCK_MONOTONIC, &t);
	tsc += (rdtsc() - tsc) / 2;
	printf("%" PRIu64 " %llu\n", tsc, t.tv_sec * 1000000000ull + t.tv_nsec);
}

static const struct {
	const char *name;
	int least, most;	/* number of arguments */
	void (*run)(char **words);
} verbs[] = {
	{ "assign", 3, 3, assign }, { "schedule", 2, 2 * VPMU_PHASES, schedule },
	{ "load", 2, 2, load }, { "knee", 2, 3, knee }, { "scale", 2, 2, scale },
	{ "clear", 0, 0, clear }, { "expect", 5, 5, expect }, { "now", 0, 0, now },
	{ "clock", 0, 0, print_clock },
};

int main(int argc, char **argv)
{
	size_t i;

	device = open("/dev/cpu/0/msr", O_RDWR);
	if (device < 0)
		fail("/dev/cpu/0/msr", strerror(errno));
	for (i = 0; argc > 1 && i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (strcmp(argv[1], verbs[i].name) || argc - 2 < verbs[i].least ||
		    argc - 2 > verbs[i].most)
			continue;
		verbs[i].run(argv + 2);
		return 0;
	}
	fail("usage", "see the head of phase.c");
}
