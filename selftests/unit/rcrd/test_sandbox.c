// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_sandbox.c - system calls of a compromised rcrd. Each is made in a new process, which the
 * filter kills unless the call is allowed.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <linux/rcrboard.h>

#include "ksft.h"
#include "sandbox.h"

static void make_inet(void) { socket(AF_INET, SOCK_STREAM, 0); }
static void make_inet6(void) { socket(AF_INET6, SOCK_DGRAM, 0); }
static void make_netlink(void) { socket(AF_NETLINK, SOCK_RAW, 0); }
static void make_unix(void) { socket(AF_UNIX, SOCK_STREAM, 0); }
static void execute(void) { execl("/bin/true", "true", NULL); }
static void trace(void) { ptrace(PTRACE_TRACEME, 0, 0, 0); }
static void mount_tmpfs(void) { mount("none", "/mnt", "tmpfs", 0, NULL); }
static void load_module(void) { syscall(SYS_finit_module, 0, "", 0); }
static void make_process(void) { syscall(SYS_fork); }
static void call_bpf(void) { syscall(SYS_bpf, 0, NULL, 0); }
static void open_perf(void) { syscall(SYS_perf_event_open, NULL, 0, 0, -1, 0); }
static void become_root(void) { syscall(SYS_setresuid, 0, 0, 0); }
static void make_executable(void)
{
	mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void ask_terminal(void)
{
	struct termios t;

	ioctl(0, TCGETS, &t);
}

static void signal_others(void) { kill(getppid(), 0); }

static const struct call {
	const char *name;
	void (*make)(void);
} forbidden[] = {
	{ "socket(AF_INET)", make_inet }, { "socket(AF_INET6)", make_inet6 },
	{ "socket(NETLINK_ROUTE)", make_netlink }, { "socket(AF_UNIX)", make_unix },
	{ "execve", execute }, { "ptrace", trace }, { "mount", mount_tmpfs },
	{ "finit_module", load_module }, { "fork", make_process }, { "bpf", call_bpf },
	{ "perf_event_open", open_perf }, { "setresuid", become_root },
	{ "mmap(PROT_EXEC)", make_executable }, { "another ioctl", ask_terminal },
	{ "kill", signal_others },
};

/* Calls that the loop and the recorder need. */
static void work(void)
{
	void *at = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = openat(AT_FDCWD, "/proc/self/status", O_RDONLY | O_CLOEXEC);
	char text[64];

	/* An ioctl of the module on another device is refused by the kernel, not by the filter. */
	if (ioctl(fd, RCR_BOARD_WATCH, text) != -1 || ioctl(fd, RCR_BOARD_SUBSCRIBE, text) != -1 ||
	    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) != -1)
		_exit(1);
	if (at == MAP_FAILED || fd < 0 || read(fd, text, sizeof(text)) <= 0)
		_exit(1);
	/* The timer that interrupts the close of a socket that lingers. */
	if (setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL))
		_exit(1);
	munmap(at, 65536);
	close(fd);
	free(malloc(1000000));
}

/* Return the wait status of a child that enters the sandbox and then makes the call. */
static int status_after(void (*make)(void))
{
	struct rlimit no_core = { 0, 0 };
	struct why why;
	int status;
	pid_t child = fork();

	if (!child) {
		setrlimit(RLIMIT_CORE, &no_core);
		if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || sandbox_enter(&why))
			_exit(99);
		make();
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		ksft_exit_fail_msg("no child\n");
	return status;
}

/* Report that the thread runs, wait until the process is in the sandbox, make a forbidden call. */
static void *call_late(void *pipes)
{
	int *fd = pipes;
	char byte;

	if (write(fd[1], "", 1) == 1 && read(fd[2], &byte, 1) == 1)
		make_inet();
	_exit(0);
}

/* Return the wait status of a child whose second thread existed before its sandbox. */
static int status_of_thread(void)
{
	struct rlimit no_core = { 0, 0 };
	int fd[4], status;
	pthread_t thread;
	struct why why;
	pid_t child;
	char byte;

	if (pipe(fd) || pipe(fd + 2))
		ksft_exit_fail_msg("no pipe\n");
	child = fork();
	if (!child) {
		setrlimit(RLIMIT_CORE, &no_core);
		if (pthread_create(&thread, NULL, call_late, fd) || read(fd[0], &byte, 1) != 1 ||
		    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || sandbox_enter(&why))
			_exit(99);
		_exit(write(fd[3], "", 1) == 1 && read(fd[0], &byte, 1) ? 98 : 97);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		ksft_exit_fail_msg("no child\n");
	return status;
}

int main(void)
{
	unsigned int i;
	int status;

	ksft_print_header();
	ksft_set_plan(2 + sizeof(forbidden) / sizeof(forbidden[0]));
	status = status_after(work);
	ksft_test_result(WIFEXITED(status) && !WEXITSTATUS(status),
			 "sandbox: calls that rcrd needs are allowed\n");
	for (i = 0; i < sizeof(forbidden) / sizeof(forbidden[0]); i++) {
		status = status_after(forbidden[i].make);
		ksft_test_result(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS,
				 "sandbox: %s kills the process\n", forbidden[i].name);
	}
	status = status_of_thread();
	ksft_test_result(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS,
			 "sandbox: threads that existed before the sandbox are filtered, too (%#x)\n", status);
	ksft_finished();
}
