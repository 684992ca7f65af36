// SPDX-License-Identifier: GPL-2.0-only
/*
 * window_half.c STREAM LOG CPU SCALE_NS RATE - checks evaluations of a rate on one CPU, which
 * "subscriber log" has printed, against the samples of that CPU. RATE is the rate of the virtual
 * PMU per second.
 *
 * A mark is the first sample of a sixteenth of the time scale. The window begins with the oldest
 * mark that is within the time scale before the newest sample. A part counts if the counter was ok
 * in all of its samples, both ends included, whatever @changes of the records says. Prints
 *
 *	N judged N windows N counted N statuses N averages
 *
 * that is, the number of evaluations checked, and of those with a wrong begin of the window,
 * counted time, status, or, if the status was ok, average.
 */
#include <inttypes.h>
#include <math.h>

#include "sample_log.h"

#define SLACK_NS	1000000.0	/* tolerance, as readings take time */
#define SHOWN		5

static const struct log_cpu *cpu;
static uint64_t part;

static const struct log_sample *sample(int n)
{
	return &cpu->sample[n];
}

static bool is_ok(int n)
{
	return sample_status(sample(n), 0) == RCR_STATUS_OK;
}

/* Return whether a sample is the first one of a sixteenth. */
static bool is_mark(int n)
{
	return n && sample(n)->time / part != sample(n - 1)->time / part;
}

/* Return the number of the sample at a time; -1 if there is none. */
static int find_sample(uint64_t time)
{
	int n;

	for (n = 0; n < cpu->count; n++)
		if (sample(n)->time == time)
			return n;
	return -1;
}

/* Return the counted TSC cycles between two samples. */
static double counted(int from, int to)
{
	bool ok = is_ok(from);
	int n, begin = from;
	double sum = 0;

	for (n = from + 1; n <= to; n++) {
		ok = ok && is_ok(n);
		if (!is_mark(n) && n != to)
			continue;
		if (ok)
			sum += sample(n)->tsc - sample(begin)->tsc;
		begin = n;
		ok = is_ok(n);
	}
	return sum;
}

int main(int argc, char **argv)
{
	unsigned int judged = 0, windows = 0, times = 0, statuses = 0, averages = 0, status;
	uint64_t time, begin, ns;
	long long average;
	double rate, scale, window, expected;
	FILE *log = argc == 6 ? fopen(argv[2], "r") : NULL;
	char line[512];
	int from, to;

	if (!log || !load_log(argv[1]))
		return 2;
	cpu = &samples.cpu[atoi(argv[3])];
	scale = atof(argv[4]);
	rate = atof(argv[5]);
	part = scale / 16;
	while (fgets(line, sizeof(line), log)) {
		bool wrong[4];

		if (sscanf(line, "%" SCNu64 " %" SCNu64 " %*u %" SCNu64 " %u %*d %lld",
			   &time, &begin, &ns, &status, &average) != 5)
			return 2;
		to = find_sample(time);
		/* Skip evaluations whose window may begin before the stream. */
		if (to < 0 || sample(0)->time + scale + part > time)
			continue;
		for (from = to; from > 0 && time - sample(from - 1)->time <= scale; from--)
			;
		while (from < to && !is_mark(from))
			from++;
		window = time - sample(from)->time;
		expected = fmin(counted(from, to) * 1e6 / samples.run[samples.runs - 1].set->tsc_khz, window);
		judged++;
		windows += wrong[0] = begin != sample(from)->time;
		times += wrong[1] = fabs(expected - ns) > SLACK_NS;
		statuses += wrong[2] = fabs(2 * expected - window) > 2 * SLACK_NS &&
				       (2 * expected > window) != (status == RCR_STATUS_OK);
		averages += wrong[3] = status == RCR_STATUS_OK &&
				       fabs(average - rate) > rate / 100;
		if ((wrong[0] || wrong[1] || wrong[2] || wrong[3]) &&
		    windows + times + statuses + averages <= SHOWN)
			printf("# wrong: begin %llu counted %.0f of %.0f: %s",
			       (unsigned long long)sample(from)->time, expected, window, line);
	}
	printf("%u judged %u windows %u counted %u statuses %u averages\n", judged, windows,
	       times, statuses, averages);
	return 0;
}
