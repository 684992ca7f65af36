// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_pcicount.c - a count in PCI configuration space is read in two halves, and may advance
 * between the two reads.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/pci.h>
#include <string.h>

#include "ksft.h"
#include "hw/hw.h"

#define COUNTER 0xa0
#define MOST_READS 4
#define NEVER UINT_MAX

/* The fake device, whose count advances by a step before each read. */
static struct {
	u64 count;
	u64 step[MOST_READS];
	unsigned int reads;
	unsigned int fails_at;
} device;

/* Only the address of the device is used. */
static struct pci_dev *const function = (struct pci_dev *)&device;

int pci_read_config_dword(const struct pci_dev *pci, int offset, u32 *val)
{
	unsigned int n = device.reads++;

	(void)pci;
	if (n == device.fails_at)
		return -ENODEV;
	device.count += device.step[n % MOST_READS];
	*val = offset == COUNTER ? device.count : device.count >> 32;
	return 0;
}

int pci_write_config_dword(const struct pci_dev *pci, int offset, u32 val)
{
	unsigned int shift = offset == COUNTER ? 0 : 32;

	(void)pci;
	device.count &= ~((u64)U32_MAX << shift);
	device.count |= (u64)val << shift;
	return 0;
}

static void reset(u64 count)
{
	memset(&device, 0, sizeof(device));
	device.count = count;
	device.fails_at = NEVER;
}

/* Return whether a value was the count at some time during the read. */
static bool is_between(u64 before)
{
	u64 value;

	return !rcr_read_count(function, COUNTER, &value) && value >= before &&
	       value <= device.count && device.reads <= MOST_READS;
}

/* Try all sequences of four of these steps; their sum fits in the lower half. */
static void test_carry(void)
{
	static const u64 start[] = { 0, 0xfffffffe, 0xffffffff, 0x1234fffffffe, 0xfffffffffff0 };
	static const u64 step[] = { 0, 1, 2, 1000, 0x3fffffff };
	unsigned int wrong = 0, steps, rest, i, n;

	for (i = 0; i < ARRAY_SIZE(start); i++)
		for (steps = 0; steps < 5 * 5 * 5 * 5; steps++) {
			reset(start[i]);
			for (n = 0, rest = steps; n < MOST_READS; n++, rest /= 5)
				device.step[n] = step[rest % 5];
			wrong += !is_between(start[i]);
		}
	ksft_test_result(!wrong,
			 "a read during a carry returns a count that the device had meanwhile\n");
}

static void test_restless(void)
{
	unsigned int n;
	u64 value;

	reset(0);
	for (n = 0; n < MOST_READS; n++)
		device.step[n] = 1ull << 32;
	ksft_test_result(!rcr_read_count(function, COUNTER, &value) && device.reads <= MOST_READS,
			 "a read ends even if the upper half changes every time\n");
}

static void test_gone(void)
{
	unsigned int n, wrong = 0;
	u64 value;

	for (n = 0; n < MOST_READS; n++) {
		reset(0xffffffff);
		device.step[1] = 1;
		device.fails_at = n;
		wrong += rcr_read_count(function, COUNTER, &value) != -EIO;
	}
	ksft_test_result(!wrong, "each failing read is reported as an error\n");
}

static void test_write(void)
{
	u64 value;

	reset(0x123456789abcull);
	rcr_write_count(function, COUNTER, 0xfedcba987654ull);
	ksft_test_result(!rcr_read_count(function, COUNTER, &value) && value == 0xfedcba987654ull,
			 "a written value is read back\n");
}

static void test_control(void)
{
	u64 value;

	reset(0x400304);
	ksft_test_result(!rcr_read_control(function, COUNTER, &value) && value == 0x400304,
			 "a control has 32 bits\n");
	reset(U32_MAX);
	ksft_test_result(rcr_read_control(function, COUNTER, &value) == -EIO,
			 "a missing function has no control\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(6);
	test_carry();
	test_restless();
	test_gone();
	test_write();
	test_control();
	ksft_finished();
}
