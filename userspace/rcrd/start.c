// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * start.c - open everything that needs root, switch to the user rcrtool and enter the sandbox. All
 * requirements of the machine are checked before anything is created or replaced.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "privilege.h"
#include "sandbox.h"
#include "start.h"
#include "recorder/store.h"
#include "threads/clients.h"
#include "threads/list.h"

#define RUN_PATH "/run/rcrtool"
#define LOCK RUN_PATH "/rcrd.pid"
#define SOCKET RUN_PATH "/control.sock"
/* This directory is bind-mounted into containers, so it contains nothing but the socket. */
#define BOARD_PATH RUN_PATH "/board"
#define BOARD_SOCKET BOARD_PATH "/board.sock"
#define BOARD_LINK RUN_PATH "/board.sock"
#define BOOT_ID "/proc/sys/kernel/random/boot_id"

static int check_memory_limit(struct why *why)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit))
		return because(why, "RLIMIT_MEMLOCK: %s", strerror(errno));
	limit.rlim_cur = limit.rlim_max;
	if (!limit.rlim_max || setrlimit(RLIMIT_MEMLOCK, &limit))
		return because(why, "cannot lock memory: raise LimitMEMLOCK= of rcrd.service, or 'ulimit -l'");
	return 0;
}

/* Open the stream of sets and marks, from the oldest mark on. */
static struct rcr_reader *open_stream(struct why *why)
{
	struct rcr_reader *reader = rcr_open(NULL);
	char text[RCR_SENTENCE_LEN];

	if (!reader) {
		because(why, "%s", rcr_open_error(NULL, errno, text, sizeof(text)));
		return NULL;
	}
	if (!rcr_choose_items(reader, 1ull << RCR_ITEM_SET | 1ull << RCR_ITEM_MARK) &&
	    !rcr_rewind(reader))
		return reader;
	because(why, "cannot read marks from %s: the module and rcrd have different versions",
		RCR_DEVICE);
	rcr_close(reader);
	return NULL;
}

/*
 * Lock the pid file; the kernel releases the lock when the process exits. Any process that can open
 * the file could lock it, so only root may open it.
 */
static int lock_pid_file(struct why *why)
{
	int fd = open(LOCK, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	char pid[16] = "";
	ssize_t got;

	if (fd < 0 || fchmod(fd, 0600)) {
		because(why, LOCK ": %s", strerror(errno));
		close(fd);
		return -1;
	}
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		got = pread(fd, pid, sizeof(pid) - 1, 0);
		pid[got > 0 ? strspn(pid, "0123456789") : 0] = 0;
		close(fd);
		return because(why, "rcrd is running already, as process %s", pid);
	}
	snprintf(pid, sizeof(pid), "%d\n", getpid());
	if (!ftruncate(fd, 0) && pwrite(fd, pid, strlen(pid), 0) == (ssize_t)strlen(pid))
		return fd;
	because(why, LOCK ": %s", strerror(errno));
	close(fd);
	return -1;
}

static int make_directory(const char *path, mode_t mode, struct why *why)
{
	if (!mkdir(path, mode) || errno == EEXIST)
		return 0;
	return because(why, "%s: %s", path, strerror(errno));
}

/* Open a directory of recordings; an existing one may still belong to root. */
static int open_store(const char *path, const struct identity *id, struct why *why)
{
	int fd = make_directory(path, 0750, why) ? -1 :
		 open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	struct stat st;

	if (fd < 0)
		return because(why, "%s: %s", path, strerror(errno));
	if (!fstat(fd, &st) && (st.st_uid == id->uid || !st.st_uid) &&
	    (!fchown(fd, id->uid, id->gid) && !fchmod(fd, 0750)))
		return fd;
	because(why, "%s cannot be written by the user rcrtool: remove it, or change its owner to that user",
		path);
	close(fd);
	return -1;
}

/* Forget @seen_ns after a reboot, as it is a time of the old boot. */
static void check_boot(struct state *s)
{
	char boot[STATE_BOOT_LEN];

	if (!file_line(BOOT_ID, boot, sizeof(boot)))
		*boot = 0;
	if (strcmp(boot, s->boot))
		s->seen_ns = 0;
	snprintf(s->boot, sizeof(s->boot), "%s", boot);
}

/* Open the files of the recorder and the control socket. Returns the socket, or -1. */
static int open_as_root(struct recorder *r, const struct identity *id, struct why *why)
{
	if (make_directory(RUN_PATH, 0755, why) || lock_pid_file(why) < 0 ||
	    make_directory("/var/lib/rcrtool", 0755, why))
		return -1;
	r->dir = open_store(STORE_PATH, id, why);
	if (r->dir < 0 || store_read_state(r->dir, &r->state, why))
		return -1;
	check_boot(&r->state);
	oom_open(&r->oom, &r->no_oom);
	return control_bind(SOCKET, why);
}

/* Open the socket of blackboard 2, with a link to it for the host. Returns the socket, or -1. */
static int open_board_socket(struct why *why)
{
	clients_raise_limit();
	if (make_directory(BOARD_PATH, 0755, why))
		return -1;
	if ((unlink(BOARD_LINK) && errno != ENOENT) || symlink("board/board.sock", BOARD_LINK)) {
		because(why, BOARD_LINK ": %s", strerror(errno));
		return -1;
	}
	return clients_bind(BOARD_SOCKET, why);
}

/* Pass a request to the part of rcrd that answers it; see control_take. @arg: struct daemon. */
static int handle_request(void *arg, const struct caller *caller, const struct request *q,
			  struct answer *answer, struct why *why)
{
	struct daemon *d = arg;

	if (q->kind == REQUEST_THREADS)
		return list_take(&d->verdicts, caller, q, answer, why);
	if (q->kind == REQUEST_WHY || q->kind == REQUEST_VERDICTS)
		return live_answer(&d->live, caller, q, answer, why);
	if (q->kind == REQUEST_WHERE)
		return where_answer(&d->live.where, caller, q, answer, why);
	if (q->kind != REQUEST_FORMULA)
		return recorder_take(&d->recorder, caller, q, answer, why);
	if (caller->uid)
		return because(why, "not permitted: become root");
	return formulas_add(&d->post.formulas, q->meter, q->digits, q->expression, why);
}

static void run_each_second(void *arg)
{
	struct daemon *d = arg;

	crossings_renew(&d->recorder.crossings);
	live_beat(&d->live);
}

int start_daemon(struct daemon *d, int groups, bool observes, struct why *why)
{
	struct recorder *r = &d->recorder;
	struct config config;
	struct identity id;
	int control, board, done;

	umask(022);
	/* The models use little of their memory: huge pages would waste most of it. */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	if (geteuid())
		return because(why, "must be started by root");
	/* Block signals before oom_open(): the kernel warns if a fatal one interrupts it. */
	if (loop_open(&d->loop) || loop_add_signals(&d->loop))
		return because(why, "epoll: %s", strerror(errno));
	if (privilege_find(&id, why) || check_memory_limit(why) ||
	    config_read(CONFIG_PATH, &config, why))
		return -1;
	r->reader = open_stream(why);
	if (!r->reader)
		return -1;
	control = open_as_root(r, &id, why);
	d->live.dir = control < 0 ? -1 : open_store(EVIDENCE_PATH, &id, why);
	d->live.evidence = config.evidence;
	if (d->live.dir < 0 || post_open(&d->post, &config, r->dir, why) ||
	    live_open(&d->live, d->post.control, observes, why))
		return -1;
	config_free(&config);
	where_open(&d->live.where, &d->live.machine, &d->loop);
	board = open_board_socket(why);
	if (board < 0 || verdicts_open(&d->verdicts, why))
		return -1;
	if (privilege_drop(&id, CAP_PERFMON, why))
		return -1;
	done = receivers_open(why);
	r->changed = live_change;
	r->changed_arg = &d->live;
	if (done < 0 || sandbox_enter(why) || live_begin(&d->live, &d->loop, groups, why) ||
	    recorder_begin(r, &d->loop, why) || post_begin(&d->post, &d->loop, why) ||
	    clients_serve(&d->loop, board, done, &d->verdicts, why))
		return -1;
	loop_set_hangup(&d->loop, live_reload, &d->live);
	loop_set_clock(&d->loop, 1000000000, run_each_second, d);
	return control_serve(&d->loop, control, id.gid, handle_request, d, why);
}
