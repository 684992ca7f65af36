// SPDX-License-Identifier: GPL-2.0-only
/*
 * module.c - loads and unloads the module. While another process has its files open, unloading
 * fails, as it must.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "calls.h"

/* Shared by all workers: number of reloads that were begun, and that have ended. */
static struct tries {
	uint32_t begun;
	uint32_t over;
} *tries;

static const char *file;
static char words[256];

void module_share(void)
{
	tries = mmap(NULL, sizeof(*tries), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		     -1, 0);
	if (tries == MAP_FAILED)
		exit(2);
}

uint32_t module_changes(void)
{
	return __atomic_load_n(&tries->begun, __ATOMIC_SEQ_CST);
}

bool module_is_settled(void)
{
	return __atomic_load_n(&tries->over, __ATOMIC_SEQ_CST) == module_changes();
}

/* Admit all users to the devices and to perf events of CPUs, as an administrator may. */
static int open_files(void)
{
	int fd = open("/proc/sys/kernel/perf_event_paranoid", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, "-1", 2) != 2)
		return -1;
	close(fd);
	return chmod("/dev/rcrtool", 0666) || chmod("/dev/rcrboard", 0666) ? -1 : 0;
}

static int load_file(void)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -1;
	kcov_begin();
	ret = syscall(SYS_finit_module, fd, words, 0);
	close(fd);
	if (ret)
		return -1;
	kcov_learn_module();
	kcov_end();
	return open_files();
}

int module_load(const char *path, char **parameters, int count)
{
	int i;

	file = path;
	for (i = 0; i < count; i++) {
		strncat(words, parameters[i], sizeof(words) - strlen(words) - 2);
		strcat(words, " ");
	}
	return load_file();
}

int module_unload(void)
{
	int ret;

	kcov_begin();
	ret = syscall(SYS_delete_module, "rcrtool", O_NONBLOCK);
	kcov_end();
	return ret;
}

/* Exit if the module cannot be loaded again: all other workers fail without it, too. */
int module_reload(void)
{
	int ret;

	kcov_end();
	__atomic_add_fetch(&tries->begun, 1, __ATOMIC_SEQ_CST);
	ret = syscall(SYS_delete_module, "rcrtool", O_NONBLOCK);
	if (!ret && load_file())
		exit(3);
	__atomic_add_fetch(&tries->over, 1, __ATOMIC_SEQ_CST);
	kcov_begin();
	return ret;
}
