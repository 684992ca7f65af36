// SPDX-License-Identifier: GPL-2.0-only
/*
 * rcr_witness.c - checks in a reboot, after all other reboot notifiers, that registers have the
 * values that they had when this module was loaded. Prints the result on the guest's result port
 * (the second serial port of a PC), which no program writes any more.
 *
 * Programs still run then. With "wait" it first waits until a program has incremented "attempts"
 * that many times, so that its attempts to program registers precede the check.
 *
 * Only for selftests/reboot.sh; independent of rcrtool's module.
 */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/io.h>
#include <linux/module.h>
#include <linux/reboot.h>
#include <linux/slab.h>
#include <asm/msr.h>

#define PORT		0x2f8
#define LINE_STATUS	5
#define CAN_SEND	0x20
#define MOST		32
#define LIMIT_MS	60000

static unsigned int registers[MOST];
static unsigned int count;
module_param_array(registers, uint, &count, 0444);
MODULE_PARM_DESC(registers, "MSRs to compare, on every CPU");

static unsigned long mask = ~0ul;
module_param(mask, ulong, 0444);
MODULE_PARM_DESC(mask, "Bits of the MSRs to compare");

static int wait;
module_param(wait, int, 0444);
MODULE_PARM_DESC(wait, "Number of attempts to wait for in a reboot");

static int attempts;
module_param(attempts, int, 0644);
MODULE_PARM_DESC(attempts, "Number of attempts of a program to program registers");

/* Values at load; those of CPU n begin at n * MOST. */
static u64 *before;

static void print_serial(const char *text)
{
	for (; *text; text++) {
		while (!(inb(PORT + LINE_STATUS) & CAN_SEND))
			cpu_relax();
		outb(*text, PORT);
	}
}

static u64 read_masked(unsigned int cpu, unsigned int reg)
{
	u32 low = 0, high = 0;

	rdmsr_safe_on_cpu(cpu, reg, &low, &high);
	return ((u64)high << 32 | low) & mask;
}

static unsigned int count_changed(void)
{
	unsigned int i, changed = 0;
	char line[80];
	int cpu;

	for_each_online_cpu(cpu) {
		for (i = 0; i < count; i++) {
			u64 now = read_masked(cpu, registers[i]);

			if (now == before[cpu * MOST + i])
				continue;
			changed++;
			snprintf(line, sizeof(line), "# cpu %d register 0x%x: 0x%llx\n", cpu,
				 registers[i], now);
			print_serial(line);
		}
	}
	return changed;
}

static bool has_waited(void)
{
	int enough = READ_ONCE(attempts) + wait;
	unsigned int ms;

	for (ms = 0; READ_ONCE(attempts) < enough && ms < LIMIT_MS; ms += 20)
		msleep(20);
	return READ_ONCE(attempts) >= enough;
}

static int machine_goes_down(struct notifier_block *block, unsigned long event, void *unused)
{
	bool waited = has_waited();
	unsigned int changed = count_changed();

	if (!waited) {
		print_serial("# no program has made an attempt\n");
		changed++;
	}
	print_serial(changed ? "not ok" : "ok");
	print_serial(" 2 - when the machine goes down every control is as before\n");
	print_serial(changed ? "rcr-verdict: 1\n" : "rcr-verdict: 0\n");
	return NOTIFY_DONE;
}

/* Called after all other reboot notifiers. */
static struct notifier_block block = {
	.notifier_call = machine_goes_down,
	.priority = INT_MIN,
};

static int __init witness_init(void)
{
	unsigned int i;
	int cpu;

	before = kcalloc(nr_cpu_ids, MOST * sizeof(*before), GFP_KERNEL);
	if (!before)
		return -ENOMEM;
	for_each_online_cpu(cpu)
		for (i = 0; i < count; i++)
			before[cpu * MOST + i] = read_masked(cpu, registers[i]);
	return register_reboot_notifier(&block);
}

module_init(witness_init);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Compares registers when the machine goes down");
