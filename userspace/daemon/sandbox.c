// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sandbox.c - seccomp filter that allows the system calls of the event loop, the recorder,
 * blackboard 2 and the C library. New sockets can only be generic netlink ones. The process can
 * execute, trace, mount or load nothing, and make no memory executable.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <linux/netlink.h>
#include <linux/perf_event.h>
#include <linux/rcrboard.h>
#include <linux/rcrtool.h>

#include "sandbox.h"

static const int allowed[] = {
	/* the loop */
	SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait), SCMP_SYS(epoll_ctl),
	SCMP_SYS(timerfd_create), SCMP_SYS(timerfd_settime), SCMP_SYS(poll), SCMP_SYS(ppoll),
	/* the control socket */
	SCMP_SYS(accept4), SCMP_SYS(getsockopt), SCMP_SYS(recvfrom), SCMP_SYS(recvmsg),
	SCMP_SYS(sendto), SCMP_SYS(sendmsg), SCMP_SYS(setitimer),
	/* windows and the state file */
	SCMP_SYS(openat), SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(close),
	SCMP_SYS(lseek), SCMP_SYS(ftruncate), SCMP_SYS(fsync), SCMP_SYS(fdatasync),
	SCMP_SYS(renameat), SCMP_SYS(renameat2), SCMP_SYS(unlinkat),
	SCMP_SYS(fstat), SCMP_SYS(newfstatat),
	/* sysfs, and librcr, which reconnects after a lost answer */
	SCMP_SYS(getdents64), SCMP_SYS(bind), SCMP_SYS(getsockname), SCMP_SYS(setsockopt),
	/* clients of blackboard 2 */
	SCMP_SYS(pread64), SCMP_SYS(fstatfs), SCMP_SYS(pidfd_open), SCMP_SYS(timer_settime),
	/* qsort() checks the amount of memory */
	SCMP_SYS(sysinfo),
	/* memory for copies of rings */
	SCMP_SYS(munmap), SCMP_SYS(mlock), SCMP_SYS(munlock), SCMP_SYS(brk),
	SCMP_SYS(mremap), SCMP_SYS(madvise),
	/* the background, the C library, and exiting */
	SCMP_SYS(dup2), SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday),
	SCMP_SYS(getrandom), SCMP_SYS(futex), SCMP_SYS(sched_yield), SCMP_SYS(getpid),
	SCMP_SYS(gettid), SCMP_SYS(tgkill), SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigreturn), SCMP_SYS(restart_syscall),
	SCMP_SYS(exit), SCMP_SYS(exit_group),
};

/* ioctl() requests, on the module's devices and on events of perf. */
static const unsigned int ioctl_requests[] = {
	RCR_ITEMS, RCR_BOARD_WATCH, RCR_BOARD_SUBSCRIBE, PERF_EVENT_IOC_ENABLE,
};

/* fcntl() commands that check a client's memfd. */
static const int fcntl_commands[] = { F_GETFL, F_GET_SEALS };

static int add_rules(scmp_filter_ctx filter)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < sizeof(allowed) / sizeof(allowed[0]); i++)
		err = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
	if (!err)
		err = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1,
				       SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
	if (!err)
		err = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1,
				       SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
	for (i = 0; !err && i < sizeof(fcntl_commands) / sizeof(fcntl_commands[0]); i++)
		err = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1,
				       SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, fcntl_commands[i]));
	for (i = 0; !err && i < sizeof(ioctl_requests) / sizeof(ioctl_requests[0]); i++)
		err = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1,
				       SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, ioctl_requests[i]));
	if (!err)
		err = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(socket), 2,
				       SCMP_A0(SCMP_CMP_MASKED_EQ, UINT32_MAX, AF_NETLINK),
				       SCMP_A2(SCMP_CMP_MASKED_EQ, UINT32_MAX, NETLINK_GENERIC));
	return err;
}

int sandbox_enter(struct why *why)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
	int err = filter ? add_rules(filter) : -ENOMEM;

	/* Apply the filter to the receiver threads as well. */
	if (!err)
		err = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
	if (!err)
		err = seccomp_load(filter);
	seccomp_release(filter);
	return err ? because(why, "cannot restrict system calls: %s", strerror(-err)) : 0;
}
