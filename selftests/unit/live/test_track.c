// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_track.c - perf's records of a program that this test executes, and the mappings of processes
 * that already run. Without permission to open perf events there is a reason.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "ksft.h"
#include "where/track.h"

static struct track track;
static struct mappings mappings;
static pid_t child;
static unsigned int forks, execs, maps, with_id, exits;
static uint64_t newest, backwards;

static void count_change(void *to, const struct change *c)
{
	backwards += c->time < newest;
	newest = c->time;
	mappings_take(to, c);
	if (c->tgid != (uint32_t)child)
		return;
	forks += c->kind == CHANGE_FORK;
	execs += c->kind == CHANGE_EXEC;
	exits += c->kind == CHANGE_EXIT;
	maps += c->kind == CHANGE_MAP && c->is_file;
	with_id += c->kind == CHANGE_MAP && c->is_file && c->file.id_size == FILE_ID;
}

static void take_scanned(void *to, const struct change *c)
{
	mappings_take(to, c);
}

int main(void)
{
	const struct mapping *own;

	ksft_print_header();
	track_open(&track);
	if (*track.missing.text) {
		ksft_set_plan(1);
		ksft_test_result(!track.rings, "track: without perf events there are no rings: %s\n", track.missing.text);
		ksft_finished();
	}
	ksft_set_plan(4);
	track_scan(take_scanned, &mappings);
	own = mapping_at(mappings_find(&mappings, getpid()), (uintptr_t)main);
	ksft_test_result(own && own->file && strstr(own->file->path, "test_track") && own->file->key.inode,
			 "track: the scan finds the file and the inode of a running program\n");
	child = fork();
	if (!child) {
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	waitpid(child, NULL, 0);
	track_read(&track, now_ns(), count_change, &mappings);
	ksft_test_result(forks == 1 && execs == 1 && exits == 1 && maps > 1,
			 "track: %u fork, %u exec, %u mappings and %u exit of a program are recorded\n", forks, execs, maps, exits);
	ksft_test_result(with_id > 0, "track: %u mappings of the program have a build id\n", with_id);
	ksft_test_result(!backwards && !mappings.lost, "track: changes of all CPUs are delivered in order of time\n");
	ksft_finished();
}
