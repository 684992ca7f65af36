// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * selftest.c - loops of known length on one CPU, counted by perf and by the module.
 *
 * perf counts the instructions of a loop, which are known. Then a process repeats the loop, while
 * perf and the module count cycles and instructions of its CPU: both must see the same rates.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor/doctor.h"
#include "perf_event.h"
#include "show/rates.h"

/* A turn of run_loop() is two instructions. */
#define LOOP_TURNS 20000000ull
#define LOOP_INSTRUCTIONS (2 * LOOP_TURNS)

/* Relative: reading the event of perf adds some instructions to the loop. */
#define LOOP_TOLERANCE 0.001

/* Relative: the module and perf count over slightly different times. */
#define RATE_TOLERANCE 0.02
#define RATE_TRIES 3

static void run_loop(void)
{
	uint64_t turns = LOOP_TURNS;

	asm volatile("1: sub $1, %0; jnz 1b" : "+r" (turns) : : "cc");
}

static void check_loop(struct doctor *d)
{
	struct perf_count before, after;
	int fd = perf_event_start(PERF_COUNT_HW_INSTRUCTIONS, THIS_PROCESS);
	double ratio;

	if (fd < 0) {
		doctor_add(d, FINDING_NOTE, "self-test", "perf counts no instructions here: %s",
			   strerror(errno));
		return;
	}
	/* The first read may be before the event was on a counter. */
	run_loop();
	if (!perf_event_read(fd, &before) || (run_loop(), !perf_event_read(fd, &after))) {
		doctor_add(d, FINDING_FIX, "self-test", "perf has no counter for instructions: stop what holds them");
		close(fd);
		return;
	}
	close(fd);
	ratio = (double)(after.value - before.value) / LOOP_INSTRUCTIONS;
	if (fabs(ratio - 1) < LOOP_TOLERANCE)
		doctor_add(d, FINDING_OK, "self-test", "perf counted a loop of %llu instructions as %.6f of that",
			   LOOP_INSTRUCTIONS, ratio);
	else
		doctor_add(d, doctor_is_virtual(d) ? FINDING_NOTE : FINDING_FIX, "self-test",
			   "perf counted a loop of %llu instructions as %.6f of that: the counters of this machine are not exact",
			   LOOP_INSTRUCTIONS, ratio);
}

/* Repeats the loop on @cpu until it is killed. */
static pid_t start_loop(int cpu)
{
	pid_t child = fork();
	cpu_set_t set;

	if (child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	for (;;)
		run_loop();
}

static void compare_rates(struct doctor *d, const char *name, const struct rates *r, int fd)
{
	const struct rate *rate = rates_find(r, name);
	char ours[RATE_LEN], theirs[RATE_LEN];
	struct rate perf = { .known = true };
	struct perf_count count;
	bool well;

	if (!rate) {
		doctor_add(d, FINDING_NOTE, "self-test", "not known: the module has no rate of %s to compare with perf",
			   name);
		return;
	}
	if (fd < 0 || !perf_event_read(fd, &count)) {
		doctor_add(d, FINDING_NOTE, "self-test", "perf has no counter to compare %s with",
			   name);
		return;
	}
	if (!count.value) {
		doctor_add(d, FINDING_FIX, "self-test", "%s of a loop: %s, and perf next to it counts nothing: leave it a counter with 'rcrctl remove' and 'rcrctl apply'",
			   name, rate_text(rate, ours));
		return;
	}
	perf.per_second = count.value / (count.running / 1e9);
	well = fabs(rate->per_second / perf.per_second - 1) < RATE_TOLERANCE;
	doctor_add(d, well ? FINDING_OK : FINDING_FIX, "self-test",
		   "%s of a loop: %s, perf next to it %s, a difference of %+.3f %%%s", name,
		   rate_text(rate, ours), rate_text(&perf, theirs),
		   100 * (rate->per_second / perf.per_second - 1),
		   well ? "" : ": send 'rcrctl doctor --report FILE' to the authors");
}

/* The first CPU that this process may run on. */
static int first_cpu(void)
{
	cpu_set_t set;
	int cpu = 0;

	if (sched_getaffinity(0, sizeof(set), &set))
		return 0;
	while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET(cpu, &set))
		cpu++;
	return cpu;
}

static void check_rates(struct doctor *d)
{
	static struct rates rates;
	int cpu = first_cpu(), cycles, instructions;
	pid_t child = start_loop(cpu);

	if (child < 0) {
		doctor_add(d, FINDING_NOTE, "self-test", "not known: no process for the loop: %s",
			   strerror(errno));
		return;
	}
	cycles = perf_event_start(PERF_COUNT_HW_CPU_CYCLES, cpu);
	instructions = perf_event_start(PERF_COUNT_HW_INSTRUCTIONS, cpu);
	rates_read(&rates, cpu);
	compare_rates(d, "TOT_CYC", &rates, cycles);
	compare_rates(d, "TOT_INS", &rates, instructions);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	if (cycles >= 0)
		close(cycles);
	if (instructions >= 0)
		close(instructions);
}

/* A busy hypervisor may stop the CPU between the reads of a count and of its time: try again. */
static void check_rates_patiently(struct doctor *d)
{
	unsigned int before = d->count, i, tries;
	bool well = false;

	for (tries = 0; !well && tries < RATE_TRIES; tries++) {
		d->count = before;
		check_rates(d);
		well = true;
		for (i = before; i < d->count; i++)
			well &= d->finding[i].kind != FINDING_FIX;
	}
}

void doctor_check_counting(struct doctor *d)
{
	if (*d->root)
		return;
	check_loop(d);
	if (!d->has_state || d->session->state.error)
		return;
	if (geteuid())
		doctor_add(d, FINDING_NOTE, "self-test", "run this as root to compare the counts of the module with perf's");
	else
		check_rates_patiently(d);
}
