// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * death.c - writes the file when a signal ends the process. Only signals are caught for which the
 * program has no handler of its own, and the process ends by them as it would have.
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

/* True if the signal interrupted none of the calls. */
static bool may_close_sets(const ucontext_t *context)
{
	const char *at = (const char *)context->uc_mcontext.gregs[REG_RIP];

	return region_self && !region_self->busy &&
	       (at < __start_rcr_region_calls || at >= __stop_rcr_region_calls);
}

/* A fault happens once more when the handler returns. */
static bool is_fault(int number, const siginfo_t *info)
{
	return info->si_code > 0 && (number == SIGSEGV || number == SIGBUS || number == SIGILL ||
				     number == SIGFPE);
}

static void die_of_signal(int number, siginfo_t *info, void *context)
{
	struct region_process *p = &region_process;

	/* A child of vfork() has the memory of its parent. */
	if (p->state == REGION_COUNTING && p->pid == getpid()) {
		p->state = REGION_ENDED;
		if (may_close_sets(context))
			region_close_sets(region_self);
		region_dump(number);
	}
	if (!is_fault(number, info))
		raise(number);
}

/* For librcrregion-mpi: the process is about to be ended. */
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

/* For the library that 'rcrregion run' preloads: see its sigaction(). */
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

	/* Another signal meanwhile would end the process without its file. */
	sigfillset(&action.sa_mask);
	for (i = 0; i < sizeof(deadly_signals) / sizeof(deadly_signals[0]); i++)
		if (!sigaction(deadly_signals[i], NULL, &before) && before.sa_handler == SIG_DFL &&
		    !(before.sa_flags & SA_SIGINFO))
			sigaction(deadly_signals[i], &action, NULL);
}
