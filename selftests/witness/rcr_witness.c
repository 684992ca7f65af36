// SPDX-License-Identifier: GPL-2.0-only
/*
 * rcr_witness.c - reads registers when the machine goes down, after all drivers that
 * are notified of it: are they as they were when this was loaded? It prints the result on the
 * guest's result port (a PC's second serial port), which no other program writes any more.
 *
 * Programs still run then. With "wait" it waits until one of them has written as many
 * attempts more to "attempts" as it had before: whatever it attempts was tried by then.
 *
 * For selftests/reboot.sh alone; nothing of the module's is in it.
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
MODULE_PARM_DESC(mask, "The bits of them that are compared");

static int wait;
module_param(wait, int, 0444);
MODULE_PARM_DESC(wait, "Attempts to wait for when the machine goes down");

static int attempts;
module_param(attempts, int, 0644);
MODULE_PARM_DESC(attempts, "How often a program has tried to have something programmed");

/* As they were: of CPU n from n * MOST on. */
static u64 *before;

static void put(const char *text)
{
	for (; *text; text++) {
		while (!(inb(PORT + LINE_STATUS) & CAN_SEND))
			cpu_relax();
		outb(*text, PORT);
	}
}

static u64 look(unsigned int cpu, unsigned int reg)
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
			u64 now = look(cpu, registers[i]);

			if (now == before[cpu * MOST + i])
				continue;
			changed++;
			snprintf(line, sizeof(line), "# cpu %d register 0x%x: 0x%llx\n", cpu,
				 registers[i], now);
			put(line);
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
		put("# no program has tried anything\n");
		changed++;
	}
	put(changed ? "not ok" : "ok");
	put(" 2 - when the machine goes down every control is as before\n");
	put(changed ? "rcr-verdict: 1\n" : "rcr-verdict: 0\n");
	return NOTIFY_DONE;
}

/* The last of all. */
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
			before[cpu * MOST + i] = look(cpu, registers[i]);
	return register_reboot_notifier(&block);
}

module_init(witness_init);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Compares registers when the machine goes down");
