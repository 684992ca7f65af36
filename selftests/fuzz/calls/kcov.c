// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcov.c - code of the module that this thread has run, if the kernel has KCOV
 * (Documentation/dev-tools/kcov.rst). Places are printed as a section of the module and an offset
 * in it, as in the module's file.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "calls.h"

#define KCOV_INIT_TRACE	_IOR('c', 1, unsigned long)
#define KCOV_ENABLE	_IO('c', 100)
#define KCOV_DISABLE	_IO('c', 101)
#define KCOV_TRACE_PC	0

#define TRACE_WORDS	(1u << 18)
#define SECTIONS	16
#define FOLDER		"/sys/module/rcrtool/sections"

static struct section {
	char name[64];
	unsigned long address;
} section[SECTIONS];
static unsigned int sections;
static unsigned long first;	/* lowest address of @section */

/*
 * Shared by all workers: the lowest address of the loaded module's code, and the places that were
 * run, as offsets from it.
 */
static struct shared {
	unsigned long first;
	unsigned char seen[CODE_BYTES];
} *shared;

static unsigned long *trace;
static uint32_t changes;	/* module_changes() when the trace began */
static int fd = -1;

void kcov_share(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED)
		exit(2);
}

bool kcov_open(void)
{
	fd = open("/sys/kernel/debug/kcov", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (ioctl(fd, KCOV_INIT_TRACE, (unsigned long)TRACE_WORDS))
		return false;
	trace = mmap(NULL, TRACE_WORDS * sizeof(*trace), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return trace != MAP_FAILED && !ioctl(fd, KCOV_ENABLE, KCOV_TRACE_PC);
}

static bool take_section(struct section *s, const char *name)
{
	char path[sizeof(FOLDER) + sizeof(s->name) + 1];
	bool good;
	FILE *f;

	if (strlen(name) >= sizeof(s->name))
		return false;
	strcpy(s->name, name);
	snprintf(path, sizeof(path), "%s/%s", FOLDER, s->name);
	f = fopen(path, "r");
	if (!f)
		return false;
	good = fscanf(f, "%lx", &s->address) == 1 && s->address;
	fclose(f);
	return good;
}

/* Read the addresses of the module's code. Sections of init code are left out. */
void kcov_learn_module(void)
{
	struct dirent *e;
	DIR *d = opendir(FOLDER);

	first = ~0ul;
	sections = 0;
	while (d && (e = readdir(d)) && sections < SECTIONS) {
		if (strncmp(e->d_name, ".text", 5) || !take_section(&section[sections], e->d_name))
			continue;
		if (section[sections].address < first)
			first = section[sections].address;
		sections++;
	}
	if (d)
		closedir(d);
	__atomic_store_n(&shared->first, first, __ATOMIC_RELAXED);
}

void kcov_begin(void)
{
	changes = module_is_settled() ? module_changes() : ~0u;
	if (fd >= 0)
		__atomic_store_n(&trace[0], 0, __ATOMIC_RELAXED);
}

/*
 * Return: number of new places since kcov_begin(). If the module may have been reloaded meanwhile,
 * the addresses are ambiguous, and none is counted.
 */
unsigned int kcov_end(void)
{
	unsigned long i, n, place;
	unsigned int new = 0;

	if (fd < 0 || changes != module_changes())
		return 0;
	n = __atomic_load_n(&trace[0], __ATOMIC_RELAXED);
	for (i = 1; i <= n && i < TRACE_WORDS; i++) {
		place = trace[i] - shared->first;
		if (place >= CODE_BYTES || shared->seen[place])
			continue;
		shared->seen[place] = 1;
		new++;
	}
	return new;
}

unsigned int kcov_count(void)
{
	unsigned int i, count = 0;

	for (i = 0; i < CODE_BYTES; i++)
		count += shared->seen[i];
	return count;
}

/* Find the section of an address: the last one that begins at or before it. */
static const struct section *section_of(unsigned long address)
{
	const struct section *found = NULL;
	unsigned int i;

	for (i = 0; i < sections; i++)
		if (section[i].address <= address &&
		    (!found || section[i].address > found->address))
			found = &section[i];
	return found;
}

void kcov_print(void)
{
	const struct section *s;
	unsigned long i;

	for (i = 0; i < CODE_BYTES; i++) {
		s = shared->seen[i] ? section_of(first + i) : NULL;
		if (s)
			printf("# ran %s 0x%lx\n", s->name, first + i - s->address);
	}
}
