// SPDX-License-Identifier: GPL-2.0-only
/*
 * wtime.c - marks where the timed parts of an MPI program begin and end, for
 * validate.sh: preloaded, it is the MPI_Wtime() that the program calls.
 *
 * Around each moment the program does nothing for a while, so that it does not
 * matter where in that while a sample is taken. It spins in registers, for going to
 * sleep would make traffic; its own clock stands still meanwhile.
 *
 * At its end the program leaves a line for each moment in the file $WTIME_LOG: the
 * time, which is that of rcrtool's records, and how long the file $WTIME_OUTPUT was
 * then, which shows what the program was doing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#define CALLS	100000
#define QUIET	0.025		/* seconds, before and after */

static struct {
	double time;
	long long length;
} calls[CALLS];
static size_t number;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

static double spin(double until)
{
	double time;

	while ((time = now()) < until)
		for (int i = 0; i < 100000; i++)
			asm volatile("");
	return time;
}

static void remember(double time)
{
	const char *output = getenv("WTIME_OUTPUT");
	struct stat status = { 0 };

	if (!output || number >= CALLS)
		return;
	if (stat(output, &status) < 0)
		status.st_size = 0;
	calls[number].time = time;
	calls[number++].length = status.st_size;
}

double MPI_Wtime(void)
{
	static double quiet;	/* how long, all together */
	double asked = now(), answer = asked - quiet;
	double moment = spin(asked + QUIET);

	remember(moment);
	quiet += spin(moment + QUIET) - asked;
	return answer;
}

static void __attribute__((destructor)) tell(void)
{
	const char *name = getenv("WTIME_LOG");
	FILE *log = name ? fopen(name, "w") : NULL;
	size_t i;

	if (!log)
		return;
	for (i = 0; i < number; i++)
		fprintf(log, "%.7f %lld\n", calls[i].time, calls[i].length);
	fclose(log);
}
