// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_register_log.c - the virtual PMU's register log (vpmu/register_log.h), on a PMU
 * of four general and two fixed counters whose registers this test sets.
 */
#include <stdlib.h>

#include "ksft.h"
#include "register_log.h"

#define GENERAL 4
#define FIXED 2

static struct { bool enabled; uint32_t event, umask, rate; } reg[VPMU_COUNTERS];

static bool fake_enabled(const struct vpmu_cpu *cpu, unsigned int i)
{
	(void)cpu;
	return reg[i].enabled;
}

static struct vpmu_what fake_what(const struct vpmu_cpu *cpu, unsigned int i)
{
	(void)cpu;
	return (struct vpmu_what){ .rate = reg[i].enabled ? reg[i].rate : 0 };
}

static struct vpmu_event fake_event(const struct vpmu_cpu *cpu, unsigned int i)
{
	(void)cpu;
	return (struct vpmu_event){ .event = reg[i].event, .umask = reg[i].umask };
}

static const struct vpmu_family family = { .counters = GENERAL, .fixed = FIXED };
static const struct vpmu_vendor vendor = {
	.enabled = fake_enabled, .what = fake_what, .event = fake_event,
};

static struct vpmu_cpu cpu = { .vendor = &vendor, .family = &family };

static uint64_t next(void)
{
	uint64_t val = 1;

	return vpmu_log_read(&cpu, VPMU_LOG_MSR, &val) == VPMU_DONE ? val : ~0ull;
}

static uint64_t lost(void)
{
	uint64_t val = 1;

	return vpmu_log_read(&cpu, VPMU_LOG_LOST_MSR, &val) == VPMU_DONE ? val : ~0ull;
}

static enum vpmu_answer ask(uint64_t val, uint64_t tsc)
{
	return vpmu_log_write(&cpu, VPMU_LOG_MSR, tsc, val);
}

static bool next_is(uint64_t tsc, uint64_t word)
{
	return next() == tsc && next() == word;
}

static void test_off(void)
{
	vpmu_log_note(&cpu, 10);
	ksft_test_result(!next() && !lost() && ask(0, 20) == VPMU_DONE && !next(),
			 "register log: a log that was never started is empty\n");
	ksft_test_result(ask(2, 20) == VPMU_FAULT &&
			 vpmu_log_write(&cpu, VPMU_LOG_LOST_MSR, 20, 0) == VPMU_FAULT &&
			 vpmu_log_write(&cpu, VPMU_LOG_MSR + 8, 20, 1) == VPMU_NOT_MINE,
			 "register log: access to an invalid register, or an invalid value, faults\n");
}

static void test_start(void)
{
	static const unsigned int counter[] = { 0, 1, 2, 3, VPMU_FIXED0, VPMU_FIXED0 + 1 };
	bool right = true;
	unsigned int i;

	reg[1].enabled = true;
	reg[1].event = 0x1c0;
	reg[1].umask = 0xff;
	reg[1].rate = 5;
	reg[VPMU_FIXED0].event = 0xc0;
	ask(1, 100);
	for (i = 0; i < 6; i++)
		right &= next_is(100, vpmu_change_word(counter[i], reg[counter[i]].event,
						       reg[counter[i]].umask, i == 1, i == 1));
	ksft_test_result(right && !next(),
			 "register log: the first rows are the states of the counters\n");
}

static void test_changes(void)
{
	vpmu_log_note(&cpu, 200);
	ksft_test_result(!next(), "register log: a write that changes nothing is not logged\n");
	reg[1].enabled = false;
	vpmu_log_note(&cpu, 300);
	reg[1].enabled = true;
	reg[2] = reg[1];
	reg[2].rate = 0;
	vpmu_log_note(&cpu, 400);
	ksft_test_result(next_is(300, vpmu_change_word(1, 0x1c0, 0xff, false, false)) &&
			 next_is(400, vpmu_change_word(1, 0x1c0, 0xff, true, true)) &&
			 next_is(400, vpmu_change_word(2, 0x1c0, 0xff, true, false)) && !next(),
			 "register log: each kind of change of a counter is logged\n");
	ask(0, 500);
	reg[1].enabled = false;
	vpmu_log_note(&cpu, 600);
	ksft_test_result(!next(), "register log: nothing is logged after a stop\n");
}

static void test_full(void)
{
	unsigned int i, taken = 0;
	bool right = true;

	ask(1, 1000);
	for (i = 0; i < VPMU_LOG_CHANGES; i++) {
		reg[0].enabled = !reg[0].enabled;
		vpmu_log_note(&cpu, 1001 + i);
	}
	ksft_test_result(lost() == GENERAL + FIXED, "register log: changes that do not fit are counted\n");
	for (i = 0; i < GENERAL + FIXED; i++, taken++)
		right &= next() == 1000 && next();
	for (i = 0; taken < VPMU_LOG_CHANGES; i++, taken++)
		right &= next_is(1001 + i, vpmu_change_word(0, 0, 0, !(i & 1), false));
	ksft_test_result(right && !next(),
			 "register log: all changes before the first lost one are logged\n");
	ask(1, 5000);
	ksft_test_result(!lost() && next() == 5000, "register log: a restart empties the log\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(2 + 1 + 3 + 3);
	test_off();
	test_start();
	test_changes();
	test_full();
	free(cpu.log);
	ksft_finished();
}
