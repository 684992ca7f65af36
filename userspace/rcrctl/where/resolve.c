// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * resolve.c - resolves places to functions and lines with libdw of elfutils, loaded on demand.
 *
 * Names are read only from the file that was executed: the build id must match or, if the kernel
 * reported none, device and inode. Nothing is fetched over the network.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <grp.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "where/resolve.h"

#define LIBRARY		"libdw.so.1"
#define BUILD_IDS	"/usr/lib/debug/.build-id"
#define MOST_BYTES	(8ull << 30)
#define NOBODY		65534
#define DELETED		" (deleted)"

#ifndef MOST_SECONDS
#define MOST_SECONDS	120
#endif

/* Functions of libdw, and of libelf, which it loads. */
static struct {
	__typeof__(dwfl_begin) *begin;
	__typeof__(dwfl_end) *end;
	__typeof__(dwfl_report_offline) *report_offline;
	__typeof__(dwfl_report_end) *report_end;
	__typeof__(dwfl_offline_section_address) *section_address;
	__typeof__(dwfl_module_getelf) *getelf;
	__typeof__(dwfl_module_build_id) *module_build_id;
	__typeof__(dwfl_module_addrname) *addrname;
	__typeof__(dwfl_module_getsrc) *getsrc;
	__typeof__(dwfl_lineinfo) *lineinfo;
	__typeof__(dwelf_elf_gnu_build_id) *build_id;
	__typeof__(elf_version) *version;
	__typeof__(elf_begin) *elf_begin;
	__typeof__(elf_end) *elf_end;
	__typeof__(elf_getphdrnum) *getphdrnum;
	__typeof__(gelf_getphdr) *getphdr;
} dw;

/**
 * struct opened - a file that was opened with libdw
 * @dwfl: session of libdw
 * @module: the file as the only module of @dwfl
 * @elf: the file as ELF
 * @bias: address in @dwfl minus address in @elf
 */
struct opened {
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *elf;
	GElf_Addr bias;
};

static bool find_functions(void *library)
{
	const struct {
		const char *name;
		void **function;
	} each[] = {
		{ "dwfl_begin", (void **)&dw.begin },
		{ "dwfl_end", (void **)&dw.end },
		{ "dwfl_report_offline", (void **)&dw.report_offline },
		{ "dwfl_report_end", (void **)&dw.report_end },
		{ "dwfl_offline_section_address", (void **)&dw.section_address },
		{ "dwfl_module_getelf", (void **)&dw.getelf },
		{ "dwfl_module_build_id", (void **)&dw.module_build_id },
		{ "dwfl_module_addrname", (void **)&dw.addrname },
		{ "dwfl_module_getsrc", (void **)&dw.getsrc },
		{ "dwfl_lineinfo", (void **)&dw.lineinfo },
		{ "dwelf_elf_gnu_build_id", (void **)&dw.build_id },
		{ "elf_version", (void **)&dw.version },
		{ "elf_begin", (void **)&dw.elf_begin },
		{ "elf_end", (void **)&dw.elf_end },
		{ "elf_getphdrnum", (void **)&dw.getphdrnum },
		{ "gelf_getphdr", (void **)&dw.getphdr },
	};
	unsigned int i;

	for (i = 0; i < sizeof(each) / sizeof(each[0]); i++) {
		*each[i].function = dlsym(library, each[i].name);
		if (!*each[i].function)
			return false;
	}
	return true;
}

static int load_library(struct why *why)
{
	void *library = dlopen(LIBRARY, RTLD_NOW);

	if (!library)
		return because(why, "cannot name functions and lines: there is no " LIBRARY ": install elfutils");
	if (!find_functions(library))
		return because(why, "cannot name functions and lines: " LIBRARY " lacks functions: update elfutils");
	dw.version(EV_CURRENT);
	/* Keep libdw from querying debuginfod servers. */
	unsetenv("DEBUGINFOD_URLS");
	return 0;
}

/* True for files of the kernel's own file systems: opening one may have side effects. */
static bool is_kernel_file(int fd)
{
	static const unsigned long magics[] = {
		PROC_SUPER_MAGIC, SYSFS_MAGIC, DEBUGFS_MAGIC, TRACEFS_MAGIC, SECURITYFS_MAGIC,
		CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, BPF_FS_MAGIC, EFIVARFS_MAGIC,
		RDTGROUP_SUPER_MAGIC, SELINUX_MAGIC, SMACK_MAGIC, BINFMTFS_MAGIC,
	};
	struct statfs fs;
	unsigned int i;

	if (fstatfs(fd, &fs))
		return true;
	for (i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if ((unsigned long)fs.f_type == magics[i])
			return true;
	return false;
}

/* Reopens an O_PATH descriptor for reading if it is a regular file. Waits for no lease. */
static int open_found(int at)
{
	char again[32];
	struct stat st;
	int fd;

	if (at < 0)
		return -1;
	if (fstat(at, &st) || !S_ISREG(st.st_mode) || is_kernel_file(at)) {
		close(at);
		errno = ENOEXEC;
		return -1;
	}
	snprintf(again, sizeof(again), "/proc/self/fd/%d", at);
	fd = open(again, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	close(at);
	return fd;
}

/*
 * The process chose the path, so do not open devices, pipes or files of the kernel. The kernel
 * reported it without symbolic links: any on the way were created later.
 */
static int open_executed(const char *path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS };

	return open_found(syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how)));
}

static void print_build_id(const void *id, ssize_t size, char text[CODE_ID])
{
	ssize_t i;

	*text = 0;
	for (i = 0; i < size && 2 * i + 2 < CODE_ID; i++)
		sprintf(text + 2 * i, "%02x", ((const unsigned char *)id)[i]);
}

static void read_build_id(int fd, char text[CODE_ID])
{
	Elf *elf = dw.elf_begin(fd, ELF_C_READ_MMAP, NULL);
	const void *id = NULL;
	ssize_t size;

	*text = 0;
	if (!elf)
		return;
	size = dw.build_id(elf, &id);
	print_build_id(id, size, text);
	dw.elf_end(elf);
}

/* Opens BUILD_IDS/ab/cdef...@suffix if its build id is @id, "abcdef..."; else returns -1. */
static int open_by_id(const char *id, const char *suffix)
{
	char path[sizeof(BUILD_IDS) + CODE_ID + 16], found[CODE_ID];
	int fd;

	if (strlen(id) < 3)
		return -1;
	snprintf(path, sizeof(path), BUILD_IDS "/%.2s/%s%s", id, id + 2, suffix);
	fd = open_found(open(path, O_PATH | O_CLOEXEC));
	if (fd < 0)
		return -1;
	read_build_id(fd, found);
	if (!strcmp(found, id))
		return fd;
	close(fd);
	return -1;
}

/* True if @fd is the file that was executed; reports doubts in @f->problem. */
static bool is_executed_file(struct code_file *f, int fd)
{
	char found[CODE_ID];
	struct stat st;

	if (*f->id) {
		read_build_id(fd, found);
		if (!strcmp(found, f->id))
			return true;
		snprintf(f->problem, sizeof(f->problem), "was replaced by another file");
		return false;
	}
	if (fstat(fd, &st) || st.st_ino != f->inode ||
	    st.st_dev != makedev(f->major, f->minor)) {
		snprintf(f->problem, sizeof(f->problem), "was replaced, or cannot be compared: the kernel reported no build id");
		return false;
	}
	/* The same inode: its contents are those that were executed if it was not written since. */
	if (st.st_ctime >= f->until)
		snprintf(f->problem, sizeof(f->problem), "has changed since: names may be wrong");
	return true;
}

/* Opens the file at @f->path with the privileges of the caller. */
static void open_path(struct code_file *f)
{
	size_t size = strlen(f->path), suffix = strlen(DELETED);
	char *path = strdup(f->path);

	f->fd = -1;
	if (!path || f->skipped) {
		free(path);
		return;
	}
	/* The path may name another file by now, which is_executed_file() detects. */
	if (size > suffix && !strcmp(path + size - suffix, DELETED))
		path[size - suffix] = 0;
	f->fd = open_executed(path);
	if (f->fd < 0)
		snprintf(f->problem, sizeof(f->problem), "cannot be read: %s", strerror(errno));
	free(path);
}

/* Returns the file that was executed, from open_path() or found by build id; else -1. */
static int take_executed(struct code_file *f)
{
	int fd = f->fd;

	f->fd = -1;
	if (fd >= 0 && !is_executed_file(f, fd)) {
		close(fd);
		fd = -1;
	}
	if (fd >= 0 || !*f->id)
		return fd;
	fd = open_by_id(f->id, "");
	if (fd >= 0)
		*f->problem = 0;
	return fd;
}

static int find_no_elf(Dwfl_Module *m, void **data, const char *name, Dwarf_Addr base,
		       char **path, Elf **elf)
{
	(void)m;
	(void)data;
	(void)name;
	(void)base;
	(void)path;
	(void)elf;
	return -1;
}

/* Finds separate debugging information by build id. libdw calls it if the file itself has none. */
static int find_debug_file(Dwfl_Module *m, void **data, const char *name, Dwarf_Addr base,
			   const char *path, const char *link, GElf_Word crc, char **found)
{
	const unsigned char *id = NULL;
	char text[CODE_ID];
	GElf_Addr at;
	int size = dw.module_build_id(m, &id, &at);

	(void)data;
	(void)name;
	(void)base;
	(void)path;
	(void)link;
	(void)crc;
	(void)found;
	print_build_id(id, size, text);
	return open_by_id(text, ".debug");
}

static void stop_resolver(struct code_file *f)
{
	struct opened *o = f->resolver;

	if (!o)
		return;
	dw.end(o->dwfl);
	free(o);
	f->resolver = NULL;
}

static void start_resolver(struct code_file *f)
{
	static Dwfl_Callbacks callbacks = {
		.find_elf = find_no_elf, .find_debuginfo = find_debug_file,
	};
	struct opened *o = calloc(1, sizeof(*o));
	int fd = o ? take_executed(f) : -1;

	if (fd < 0) {
		free(o);
		return;
	}
	callbacks.section_address = dw.section_address;
	f->resolver = o;
	o->dwfl = dw.begin(&callbacks);
	if (o->dwfl)
		o->module = dw.report_offline(o->dwfl, "", f->path, fd);
	if (!o->module)
		close(fd);
	else if (!dw.report_end(o->dwfl, NULL, NULL))
		o->elf = dw.getelf(o->module, &o->bias);
	if (o->elf)
		return;
	snprintf(f->problem, sizeof(f->problem), "libdw cannot read it");
	stop_resolver(f);
}

/* Converts an offset in the file to an address; false if no segment contains it. */
static bool address_of(const struct opened *o, uint64_t offset, GElf_Addr *address)
{
	size_t count, i;
	GElf_Phdr h;

	if (dw.getphdrnum(o->elf, &count))
		return false;
	for (i = 0; i < count; i++) {
		if (!dw.getphdr(o->elf, i, &h) || h.p_type != PT_LOAD || offset < h.p_offset ||
		    offset - h.p_offset >= h.p_filesz)
			continue;
		*address = offset - h.p_offset + h.p_vaddr + o->bias;
		return true;
	}
	return false;
}

/* Names come from untrusted files: keep control characters from the terminal. */
static void copy_visible(char *to, const char *name, size_t size)
{
	char *at;

	snprintf(to, size, "%.*s", (int)size - 1, name);
	for (at = to; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f || (unsigned char)*at >= 0x80)
			*at = '?';
}

static void name_code(struct place *p, const struct opened *o)
{
	const char *function, *source = NULL;
	GElf_Addr address;
	Dwfl_Line *line;

	if (!address_of(o, p->offset, &address))
		return;
	function = dw.addrname(o->module, address);
	if (function)
		copy_visible(p->function, function, sizeof(p->function));
	line = dw.getsrc(o->module, address);
	if (line)
		source = dw.lineinfo(line, NULL, &p->line, NULL, NULL, NULL);
	if (source)
		copy_visible(p->source, source, sizeof(p->source));
}

static void name_places(struct places *p)
{
	unsigned int file, i;

	for (file = 0; file < p->files; file++) {
		start_resolver(&p->file[file]);
		for (i = 0; p->file[file].resolver && i < p->count; i++)
			if (!strcmp(p->place[i].kind, "code") && p->place[i].file == file)
				name_code(&p->place[i], p->file[file].resolver);
		stop_resolver(&p->file[file]);
	}
}

/*
 * Files of other users may be crafted to exploit their parser: root parses them in a process
 * without privileges. Other users have none to drop.
 */
static bool drop_rights(void)
{
	if (geteuid())
		return true;
	return !setgroups(0, NULL) && !setresgid(NOBODY, NOBODY, NOBODY) &&
	       !setresuid(NOBODY, NOBODY, NOBODY) && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/* Detaches from the terminal, into which an exploited parser could inject input, and from stdio. */
static bool drop_terminal(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), i;

	for (i = 0; i < 3; i++)
		if (null < 0 || dup2(null, i) < 0)
			return false;
	return setsid() > 0;
}

/*
 * A crafted file can make libdw loop forever, wait for a pipe that is named as alternate debugging
 * information, or allocate whatever compressed sections claim to need. Set PDEATHSIG last: a
 * change of the user id clears it.
 */
static bool confine_resolver(pid_t caller)
{
	setrlimit(RLIMIT_CPU, &(struct rlimit){ MOST_SECONDS, MOST_SECONDS });
	setrlimit(RLIMIT_DATA, &(struct rlimit){ MOST_BYTES, MOST_BYTES });
	alarm(MOST_SECONDS);
	return drop_terminal() && drop_rights() && !prctl(PR_SET_PDEATHSIG, SIGKILL) &&
	       getppid() == caller;
}

/* Copies names from memory shared with the resolver process, which may have written any bytes. */
static void take_names(struct places *p, const struct place *place, const struct code_file *file)
{
	unsigned int i;

	for (i = 0; i < p->count; i++) {
		copy_visible(p->place[i].function, place[i].function, CODE_NAME);
		copy_visible(p->place[i].source, place[i].source, CODE_NAME);
		p->place[i].line = place[i].line;
	}
	for (i = 0; i < p->files; i++)
		copy_visible(p->file[i].problem, file[i].problem, sizeof(file[i].problem));
}

/* Runs name_places() in a confined process, on @place and @file; true if it did not fail. */
static bool name_apart(struct places *p, struct place *place, struct code_file *file)
{
	pid_t caller = getpid(), pid;
	struct places own = *p;
	int status;

	memcpy(place, p->place, p->count * sizeof(*place));
	memcpy(file, p->file, p->files * sizeof(*file));
	fflush(NULL);
	pid = fork();
	if (!pid) {
		own.place = place;
		own.file = file;
		if (!confine_resolver(caller))
			_exit(1);
		name_places(&own);
		_exit(0);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return pid > 0 && WIFEXITED(status) && !WEXITSTATUS(status);
}

/* All files are open at the same time, before privileges are dropped. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

int resolve_places(struct places *p, struct why *why)
{
	size_t places = p->count * sizeof(struct place);
	size_t bytes = places + p->files * sizeof(struct code_file);
	unsigned int i;
	char *shared;
	bool done;

	if (load_library(why))
		return -1;
	shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return because(why, "cannot name functions and lines: %s", strerror(errno));
	raise_limit();
	for (i = 0; i < p->files; i++)
		open_path(&p->file[i]);
	done = name_apart(p, (void *)shared, (void *)(shared + places));
	take_names(p, (void *)shared, (void *)(shared + places));
	for (i = 0; i < p->files; i++)
		if (p->file[i].fd >= 0)
			close(p->file[i].fd);
	munmap(shared, bytes);
	return done ? 0 : because(why, "cannot name all functions and lines: the process that runs libdw failed");
}
