// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * death.c - writes the file when a signal ends the process. Only catches signals that have no
 * handler; afterwards, the process still dies of the signal.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <ucontext.h>
#include <unistd.h>

#include "library/region.h"

static const int deadly_signals[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGTERM,
	SIGPIPE, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGXCPU,
};

/* The code of RCR_Start() and RCR_Stop(). */
extern const char __start_rcr_region_calls[] REGION_HIDDEN;
extern const char __stop_rcr_region_calls[] REGION_HIDDEN;

/* True if the signal did not interrupt RCR_Start() or RCR_Stop(). */
static bool may_close_sets(const ucontext_t *context)
{
	const char *at = (const char *)context->uc_mcontext.gregs[REG_RIP];

	return region_self && !region_self->busy &&
	       (at < __start_rcr_region_calls || at >= __stop_rcr_region_calls);
}

/* True for a synchronous fault, which recurs when the handler returns. */
static bool is_fault(int number, const siginfo_t *info)
{
	return info->si_code > 0 && (number == SIGSEGV || number == SIGBUS || number == SIGILL ||
				     number == SIGFPE);
}

static void die_of_signal(int number, siginfo_t *info, void *context)
{
	struct region_process *p = &region_process;

	/* Compare pids: a child of vfork() shares the memory of its parent. */
	if (p->state == REGION_COUNTING && p->pid == getpid()) {
		p->state = REGION_ENDED;
		if (may_close_sets(context))
			region_close_sets(region_self);
		region_dump(number);
	}
	if (!is_fault(number, info))
		raise(number);
}

/* For librcrregion-mpi: writes the file before MPI_Abort() ends the process. */
void region_abort(void)
{
	struct region_process *p = &region_process;

	if (p->state != REGION_COUNTING || p->pid != getpid())
		return;
	p->state = REGION_ENDED;
	if (region_self)
		region_close_sets(region_self);
	region_dump(SIGABRT);
}

/* For sigaction() in the library that 'rcrregion run' preloads. */
bool region_is_death_handler(const struct sigaction *action)
{
	return action->sa_flags & SA_SIGINFO && action->sa_sigaction == die_of_signal;
}

void region_catch_signals(void)
{
	struct sigaction action = {
		.sa_sigaction = die_of_signal,
		.sa_flags = SA_SIGINFO | SA_RESETHAND | SA_ONSTACK,
	};
	struct sigaction before;
	size_t i;

	/* Block all signals: another one would end the process before its file is written. */
	sigfillset(&action.sa_mask);
	for (i = 0; i < sizeof(deadly_signals) / sizeof(deadly_signals[0]); i++)
		if (!sigaction(deadly_signals[i], NULL, &before) && before.sa_handler == SIG_DFL &&
		    !(before.sa_flags & SA_SIGINFO))
			sigaction(deadly_signals[i], &action, NULL);
}
