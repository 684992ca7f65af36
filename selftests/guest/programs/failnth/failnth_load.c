// SPDX-License-Identifier: GPL-2.0-only
/*
 * failnth_load.c MODULE [FIRST [STEP]] - loads the module with the parameters in each line of
 * standard input, and fails its allocations one at a time (from FIRST, every STEPth), until no
 * further allocation is made. A load that fails must return ENOMEM and leave no module, no device
 * and no changed register.
 *
 * If an allocation for the PMU or for debugfs fails, the module loads without them.
 */
#include <sys/syscall.h>

#include "failnth.h"
#include "ksft.h"
#include "stream.h"

#define CPUS		4
#define CONTROLS	6
#define CONTROL(n)	(0xc0010200 + 2 * (n))
#define ENABLE		0x400000ull
#define MOST		5000			/* most allocations of a load */

static int msr[CPUS], module;

/* Read all controls. With source=perf ignore disabled ones, in which perf leaves events. */
static void read_controls(uint64_t (*c)[CONTROLS], const char *parameters)
{
	bool stopped_count = !strstr(parameters, "source=perf");
	unsigned int cpu, i;

	for (cpu = 0; cpu < CPUS; cpu++)
		for (i = 0; i < CONTROLS; i++) {
			if (pread(msr[cpu], &c[cpu][i], 8, CONTROL(i)) != 8)
				ksft_exit_fail_msg("register %#x cannot be read\n", CONTROL(i));
			if (!stopped_count && !(c[cpu][i] & ENABLE))
				c[cpu][i] = 0;
		}
}

static bool is_loaded(void)
{
	return !access("/sys/module/rcrtool", F_OK) || !access(DEVICE, F_OK) ||
	       !access("/dev/rcrboard", F_OK) ||
	       !access("/sys/kernel/debug/rcrtool", F_OK);
}

static bool has_devices(void)
{
	return !access(DEVICE, R_OK) && !access("/dev/rcrboard", R_OK);
}

/* Return whether a load has the required result. */
static bool check(unsigned int n, int ret, int error)
{
	bool good = ret ? error == ENOMEM && !is_loaded() : has_devices();

	if (!good)
		ksft_print_msg("allocation %u: insmod returns %s, module %sloaded\n", n,
			       ret ? strerror(error) : "success", is_loaded() ? "" : "not ");
	if (!ret && syscall(SYS_delete_module, "rcrtool", 0))
		ksft_exit_fail_msg("the module cannot be unloaded: %s\n", strerror(errno));
	return good;
}

static void load_each(const char *parameters, unsigned int first, unsigned int step)
{
	uint64_t before[CPUS][CONTROLS], after[CPUS][CONTROLS];
	unsigned int n, refused = 0, wrong = 0;
	bool failed = true, done = false;
	int ret, error;

	read_controls(before, parameters);
	for (n = first; failed && n < MOST && wrong < 5; n += step) {
		fail_nth(n);
		ret = syscall(SYS_finit_module, module, parameters, 0);
		error = errno;
		failed = fail_nth_end();
		wrong += !check(n, ret, error);
		refused += !!ret;
		done = !failed && !ret;
		read_controls(after, parameters);
		if (memcmp(before, after, sizeof(before))) {
			ksft_print_msg("allocation %u: a register has changed\n", n);
			wrong++;
		}
	}
	ksft_test_result(done && !wrong && refused, "insmod %s: up to allocation %u, the load fails without %u of them\n",
			 parameters, n - step, refused);
}

int main(int argc, char **argv)
{
	unsigned int cpu, sets = 0;
	static char line[16][512];
	char path[32];

	for (; sets < 16 && fgets(line[sets], sizeof(line[0]), stdin); sets++)
		line[sets][strcspn(line[sets], "\n")] = 0;
	ksft_print_header();
	ksft_set_plan(sets);
	module = argc > 1 ? open(argv[1], O_RDONLY) : -1;
	if (module < 0)
		ksft_exit_fail_msg("no module\n");
	for (cpu = 0; cpu < CPUS; cpu++) {
		snprintf(path, sizeof(path), "/dev/cpu/%u/msr", cpu);
		msr[cpu] = open(path, O_RDONLY);
	}
	fault_init();
	fault_below("do_one_initcall", NULL);
	for (cpu = 0; cpu < sets; cpu++)
		load_each(line[cpu], argc > 2 ? atoi(argv[2]) : 1, argc > 3 ? atoi(argv[3]) : 1);
	ksft_finished();
}
