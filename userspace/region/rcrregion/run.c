// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run.c - runs a command with a preloaded library that counts it: librcrregion-run.so, or with
 * --mpi librcrregion-mpi.so; with --openmp also librcrregion-omp.so. A command that cannot be
 * counted is reported in one line, and runs nevertheless.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "child.h"
#include "format/region_file.h"
#include "message.h"
#include "knobs/knobs.h"
#include "rcrregion/options.h"

/* Lists the libraries to preload, up to NULL. */
static void list_run_libraries(const struct region_options *o, const char *library[3])
{
	library[0] = o->mpi ? "rcrtool/librcrregion-mpi.so" : "rcrtool/librcrregion-run.so";
	library[1] = o->openmp ? "rcrtool/librcrregion-omp.so" : NULL;
	library[2] = NULL;
}

/* Finds the library next to where this program is installed. */
static bool find_run_library(const char *library, char path[PATH_MAX])
{
	static const char *const places[] = { "../lib", "../lib/x86_64-linux-gnu", "../lib64" };
	char own[PATH_MAX], name[PATH_MAX + 64];
	ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);
	size_t i;

	if (length < 0)
		return false;
	own[length] = 0;
	*strrchr(own, '/') = 0;
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(name, sizeof(name), "%s/%s/%s", own, places[i], library);
		/* LD_PRELOAD cannot have paths with blanks or colons. */
		if (realpath(name, path) && !strpbrk(path, " :"))
			return true;
	}
	return false;
}

/* Finds a command as execvp() does. */
static bool find_command(const char *command, char path[PATH_MAX])
{
	const char *at = getenv("PATH"), *end;

	if (strchr(command, '/'))
		return snprintf(path, PATH_MAX, "%s", command) < PATH_MAX;
	for (; at; at = *end ? end + 1 : NULL) {
		end = strchrnul(at, ':');
		if (snprintf(path, PATH_MAX, "%.*s/%s", (int)(end - at), at, command) < PATH_MAX &&
		    !access(path, X_OK))
			return true;
	}
	return false;
}

/* True for a static program, which has no interpreter to load libraries. */
static bool is_static_program(int fd)
{
	Elf64_Ehdr header;
	Elf64_Phdr part;
	unsigned int i;

	if (pread(fd, &header, sizeof(header), 0) != sizeof(header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64)
		return false;
	for (i = 0; i < header.e_phnum; i++) {
		uint64_t at = header.e_phoff + (uint64_t)i * header.e_phentsize;

		if (pread(fd, &part, sizeof(part), at) == sizeof(part) && part.p_type == PT_INTERP)
			return false;
	}
	return true;
}

/* Returns why no library can be preloaded into the command; NULL if no reason is known. */
static const char *why_not_preloaded(const char *command)
{
	const char *why = NULL;
	char path[PATH_MAX];
	struct stat st;
	int fd;

	if (!find_command(command, path))
		return NULL;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && st.st_mode & (S_ISUID | S_ISGID) && geteuid())
		why = "it is a setuid program";
	else if (geteuid() && fgetxattr(fd, "security.capability", NULL, 0) > 0)
		why = "it is a program with capabilities";
	else if (is_static_program(fd))
		why = "it is a static program";
	close(fd);
	return why;
}

/* Prepends the libraries to LD_PRELOAD; returns -1 after reporting a problem. */
static int preload_libraries(const struct region_options *o)
{
	const char *others = getenv("LD_PRELOAD"), *library[3], **l;
	char preload[2 * PATH_MAX + 2], path[PATH_MAX], *all;
	int length = 0;

	list_run_libraries(o, library);
	for (l = library; *l; l++) {
		if (!find_run_library(*l, path)) {
			note("%s is not counted: %s was not found in ../lib of rcrregion",
			     *o->words, *l);
			return -1;
		}
		length += sprintf(preload + length, "%s%s", length ? ":" : "", path);
	}
	if (asprintf(&all, "%s%s%s", preload, others && *others ? ":" : "",
		     others ? others : "") < 0)
		return -1;
	setenv("LD_PRELOAD", all, 1);
	free(all);
	return 0;
}

/* Sets the environment of the command; returns -1 after reporting why it cannot be counted. */
static int prepare_environment(const struct region_options *o)
{
	const char *directory = o->directory ? o->directory : getenv("RCR_REGION_DIR");
	const char *why = why_not_preloaded(*o->words);
	char absolute[PATH_MAX];

	if (o->directory && access(o->directory, W_OK | X_OK)) {
		note("%s is not counted: %s: %s", *o->words, o->directory, strerror(errno));
		return -1;
	}
	if (why) {
		note("%s is not counted: %s", *o->words, why);
		return -1;
	}
	if (preload_libraries(o))
		return -1;
	/* The command may start programs in other directories. */
	if (realpath(directory && *directory ? directory : ".", absolute))
		setenv("RCR_REGION_DIR", absolute, 1);
	/* With --mpi each rank is a single program, which prints a line only once anyway. */
	if (o->mpi)
		unsetenv(REGION_SAID);
	else
		setenv(REGION_SAID, REGION_SAID_NOTHING, 1);
	if (o->mode)
		setenv("RCR_REGION_MODE", o->mode, 1);
	if (o->split)
		setenv("RCR_REGION_SPLIT", o->split, 1);
	if (o->kernel)
		setenv("RCR_REGION_KERNEL", "1", 1);
	return 0;
}

int region_run(const struct region_options *o)
{
	struct knobs knobs;
	int status;

	/* Do not run with other settings than requested: nothing in the files would show it. */
	if (knobs_set(&knobs, o))
		return EXIT_NOT_STARTED;
	prepare_environment(o);
	status = child_run(o->words);
	knobs_restore(&knobs);
	return status;
}
