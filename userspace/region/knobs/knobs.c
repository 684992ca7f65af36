// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * knobs.c - settings of the machine that 'rcrregion run' changes while a command runs: the ways of
 * the L3 that the command may fill (resctrl), and the prefetchers of Intel's cores (Intel SDM
 * volume 4, MSR 1A4H).
 *
 * A guard process, which blocks all signals, restores the earlier settings when the pipe to this
 * process is closed, however this process ends. If the guard is killed, this process does it.
 *
 * RCR_ROOT replaces /, for tests.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "message.h"
#include "knobs/knobs.h"

#define MSR_PREFETCH	0x1a4
#define PREFETCH_OFF	0xfull	/* L2, adjacent line, L1D, and L1D by address */
#define KNOB_CPUS	8192
#define KNOB_LOCKS	16	/* registers to lock: several, as a CPU may go offline */

/**
 * struct knobs_before - settings that the guard restores
 * @group: directory in resctrl to remove; empty: none
 * @cpus: entries of @cpu and @bits
 * @cpu: CPUs whose prefetchers are changed
 * @bits: earlier value of the bits PREFETCH_OFF of each
 */
static struct knobs_before {
	char group[PATH_MAX];
	unsigned int cpus;
	unsigned int cpu[KNOB_CPUS];
	uint8_t bits[KNOB_CPUS];
} before;

static void knob_path(char path[PATH_MAX], const char *file)
{
	const char *root = getenv("RCR_ROOT");

	snprintf(path, PATH_MAX, "%s%s", root ? root : "", file);
}

static void msr_path(char path[PATH_MAX], unsigned int cpu)
{
	char file[64];

	snprintf(file, sizeof(file), "/dev/cpu/%u/msr", cpu);
	knob_path(path, file);
}

/* Reads or changes the bits PREFETCH_OFF of a CPU's register; returns 0, or -1 with errno. */
static int access_prefetch(unsigned int cpu, bool change, uint8_t *bits)
{
	char path[PATH_MAX];
	uint64_t value, again;
	int fd, error, ret = -1;

	msr_path(path, cpu);
	fd = open(path, (change ? O_RDWR : O_RDONLY) | O_CLOEXEC);
	if (fd < 0)
		return -1;
	errno = EIO;
	if (pread(fd, &value, sizeof(value), MSR_PREFETCH) == sizeof(value)) {
		if (!change)
			*bits = value & PREFETCH_OFF;
		else
			value = (value & ~PREFETCH_OFF) | *bits;
		if (!change || (pwrite(fd, &value, sizeof(value), MSR_PREFETCH) == sizeof(value) &&
				pread(fd, &again, sizeof(again), MSR_PREFETCH) == sizeof(again) &&
				again == value))
			ret = 0;
	}
	error = errno;
	close(fd);
	errno = error;
	return ret;
}

/* Returns the number in a field of /proc/cpuinfo; -1 if there is no such field. */
static int cpu_info(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	at = at ? strchr(at, ':') : NULL;
	return at ? atoi(at + 1) : -1;
}

/* True on Intel cores that are known to have the register: Nehalem and later, but no Atoms. */
static bool has_prefetch_register(void)
{
	static const unsigned char models[] = {
		0x1a, 0x1e, 0x1f, 0x2e, 0x25, 0x2c, 0x2f, 0x2a, 0x2d, 0x3a, 0x3e, 0x3c, 0x3f,
		0x45, 0x46, 0x3d, 0x47, 0x4f, 0x56, 0x4e, 0x5e, 0x55, 0x6a, 0x6c, 0x8f, 0xcf,
	};
	char path[PATH_MAX], text[4096] = "";
	bool known = false;
	unsigned int i;
	FILE *file;

	knob_path(path, "/proc/cpuinfo");
	file = fopen(path, "r");
	if (!file)
		return false;
	text[fread(text, 1, sizeof(text) - 1, file)] = 0;
	fclose(file);
	for (i = 0; i < sizeof(models); i++)
		known |= cpu_info(text, "\nmodel\t") == models[i];
	return known && strstr(text, "GenuineIntel") && cpu_info(text, "cpu family") == 6;
}

/* Returns what to do about an errno. */
static const char *prefetch_advice(int error)
{
	switch (error) {
	case EACCES:
	case EPERM:
		return ": it needs root";
	case ENOENT:
		return ": as root, 'modprobe msr'";
	default:
		return "";
	}
}

/*
 * Keeps out a second 'rcrregion run', which would save the changed settings as the earlier ones.
 * The guard inherits the locks, and holds them until it has restored the registers. The files of
 * registers are locked because any user could lock their directory; several of them, because a CPU
 * may go offline meanwhile, or come back with a new file.
 */
static int lock_prefetch(void)
{
	char path[PATH_MAX];
	unsigned int i;
	int fd;

	for (i = 0; i < before.cpus && i < KNOB_LOCKS; i++) {
		msr_path(path, before.cpu[i]);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return fail("--prefetch: %s: %s%s", path, strerror(errno),
				    prefetch_advice(errno));
		if (flock(fd, LOCK_EX | LOCK_NB))
			return fail("--prefetch: another 'rcrregion run' has changed the prefetchers: wait for its end");
	}
	return 0;
}

static int is_cpu_entry(const struct dirent *entry)
{
	return *entry->d_name >= '0' && *entry->d_name <= '9';
}

/* Lists the CPUs that have a register, in the order of their numbers. */
static int find_prefetch_cpus(void)
{
	char path[PATH_MAX];
	struct dirent **entry;
	int n, i;

	knob_path(path, "/dev/cpu");
	n = scandir(path, &entry, is_cpu_entry, versionsort);
	if (n < 0)
		return fail("--prefetch: %s: %s%s", path, strerror(errno), prefetch_advice(errno));
	for (i = 0; i < n; i++) {
		if (before.cpus < KNOB_CPUS)
			before.cpu[before.cpus++] = strtoul(entry[i]->d_name, NULL, 10);
		free(entry[i]);
	}
	free(entry);
	if (!before.cpus)
		return fail("--prefetch: there is no %s/N/msr: as root, 'modprobe msr'", path);
	return 0;
}

/* Locks and saves the registers of all CPUs. */
static int prepare_prefetch(void)
{
	unsigned int i;

	if (!has_prefetch_register())
		return fail("--prefetch: this CPU is not known to have MSR 1A4H, which disables prefetchers on Intel's cores");
	if (find_prefetch_cpus() || lock_prefetch())
		return EXIT_FAILURE;
	for (i = 0; i < before.cpus; i++)
		if (access_prefetch(before.cpu[i], false, &before.bits[i]))
			return fail("--prefetch: MSR 1A4H of CPU %u: %s%s", before.cpu[i],
				    strerror(errno), prefetch_advice(errno));
	return 0;
}

static const char *write_advice(int error)
{
	return error == EPERM ?
	       "lockdown of the kernel, or allow_writes of its module msr, forbids it" :
	       "the register cannot be changed";
}

static int set_prefetch(void)
{
	uint8_t off = PREFETCH_OFF;
	unsigned int i;

	for (i = 0; i < before.cpus; i++)
		if (access_prefetch(before.cpu[i], true, &off))
			return fail("--prefetch: MSR 1A4H of CPU %u: %s: %s", before.cpu[i],
				    strerror(errno), write_advice(errno));
	return 0;
}

static int write_group_file(const char *name, const char *text)
{
	char path[PATH_MAX + 16];
	ssize_t length = strlen(text);
	int fd, error = 0;

	snprintf(path, sizeof(path), "%s/%s", before.group, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, text, length) != length)
		error = errno;
	if (fd >= 0)
		close(fd);
	return error ? fail("--l3-ways: %s: %s", path, strerror(error)) : 0;
}

/* Reads a number from resctrl's info/L3; returns -1 after reporting an error. */
static int read_l3_info(const char *name, int base, uint64_t *number)
{
	char file[128], path[PATH_MAX], line[64];

	snprintf(file, sizeof(file), "/sys/fs/resctrl/info/L3/%s", name);
	knob_path(path, file);
	if (!file_line(path, line, sizeof(line))) {
		fail("--l3-ways: %s cannot be read: is the CPU one with cache allocation, and resctrl mounted ('mount -t resctrl none /sys/fs/resctrl')?",
		     path);
		return -1;
	}
	*number = strtoull(line, NULL, base);
	return 0;
}

/* Writes the schemata of the group, with the same ways of each L3. */
static int write_schemata(uint64_t mask)
{
	char path[PATH_MAX], text[4096], *at, *domain, *rest;
	struct why why;
	size_t size, used;

	knob_path(path, "/sys/fs/resctrl/schemata");
	at = file_read(path, &size, &why);
	if (!at)
		return fail("--l3-ways: %s", why.text);
	domain = strstr(at, "L3:");
	if (domain)
		domain[strcspn(domain, "\n")] = 0;
	used = snprintf(text, sizeof(text), "L3:");
	for (domain = domain ? strtok_r(domain + 3, ";", &rest) : NULL;
	     domain && used < sizeof(text) - 64; domain = strtok_r(NULL, ";", &rest))
		used += snprintf(text + used, sizeof(text) - used, "%s%d=%" PRIx64,
				 used > 3 ? ";" : "", atoi(domain), mask);
	free(at);
	if (used == 3)
		return fail("--l3-ways: %s has no line of the L3", path);
	snprintf(text + used, sizeof(text) - used, "\n");
	return write_group_file("schemata", text);
}

/* Checks the number of ways, and chooses a name for the group. */
static int prepare_l3(unsigned int ways)
{
	struct timespec now;
	char file[64];
	uint64_t mask, least, most;

	if (read_l3_info("cbm_mask", 16, &mask) || read_l3_info("min_cbm_bits", 10, &least))
		return EXIT_FAILURE;
	most = __builtin_popcountll(mask);
	if (ways < least || ways > most)
		return fail("--l3-ways: the L3 has %" PRIu64 " to %" PRIu64 " ways to allocate",
			    least, most);
	/* The pid alone is not unique across containers. */
	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(file, sizeof(file), "/sys/fs/resctrl/rcrregion.%d.%lx%09lx", getpid(), now.tv_sec,
		 now.tv_nsec);
	knob_path(before.group, file);
	return 0;
}

/* Makes the group and moves this process into it, so that the command will inherit it. */
static int set_l3(unsigned int ways)
{
	char pid[16];

	snprintf(pid, sizeof(pid), "%d\n", getpid());
	if (mkdir(before.group, 0755))
		return fail("--l3-ways: %s: %s", before.group, errno == ENOSPC ?
			    "no class of service is free: remove a group" : strerror(errno));
	return write_schemata(~0ull >> (64 - ways)) || write_group_file("tasks", pid);
}

/* Restores a register; does not write it if it was not changed, as that may fail. */
static int restore_prefetch(unsigned int cpu, uint8_t bits)
{
	uint8_t now;

	if (!access_prefetch(cpu, false, &now) && now == bits)
		return 0;
	return access_prefetch(cpu, true, &bits);
}

static void restore_all(void)
{
	unsigned int i;

	for (i = 0; i < before.cpus; i++)
		if (restore_prefetch(before.cpu[i], before.bits[i]))
			note("cannot restore MSR 1A4H of CPU %u: %s", before.cpu[i],
			     strerror(errno));
	if (*before.group && rmdir(before.group) && errno != ENOENT)
		note("cannot remove %s: %s", before.group, strerror(errno));
}

/* Waits until all other ends of the pipe are closed; ignores any bytes from them. */
static void wait_for_owner(int fd)
{
	ssize_t got;
	char byte;

	do {
		got = read(fd, &byte, 1);
	} while (got > 0 || (got < 0 && errno == EINTR));
}

/* Starts the guard; returns 0, or -1 after reporting an error. */
static int start_guard(struct knobs *k)
{
	sigset_t all, own;
	int ends[2], error;

	if (pipe2(ends, O_CLOEXEC)) {
		fail("%s", strerror(errno));
		return -1;
	}
	/* A signal to the process group must not end the guard before it has left the group. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &own);
	k->guard = fork();
	error = errno;
	if (!k->guard) {
		setsid();
		close(ends[1]);
		wait_for_owner(ends[0]);
		restore_all();
		_exit(EXIT_SUCCESS);
	}
	sigprocmask(SIG_SETMASK, &own, NULL);
	close(ends[0]);
	k->until = ends[1];
	if (k->guard > 0)
		return 0;
	fail("%s", strerror(error));
	return -1;
}

int knobs_set(struct knobs *k, const struct region_options *o)
{
	*k = (struct knobs){ };
	if (!o->l3_ways && !o->prefetch_off)
		return 0;
	/* Start the guard before anything is changed. */
	if ((o->l3_ways && prepare_l3(o->l3_ways)) || (o->prefetch_off && prepare_prefetch()) ||
	    start_guard(k))
		return -1;
	if ((o->l3_ways && set_l3(o->l3_ways)) || (o->prefetch_off && set_prefetch())) {
		knobs_restore(k);
		return -1;
	}
	return 0;
}

void knobs_restore(struct knobs *k)
{
	int status = 0;

	if (!k->guard)
		return;
	close(k->until);
	/* The guard may have been stopped. */
	kill(k->guard, SIGCONT);
	while (waitpid(k->guard, &status, 0) < 0 && errno == EINTR)
		;
	/* The guard was killed before it could restore anything. */
	if (WIFSIGNALED(status))
		restore_all();
	k->guard = 0;
}
