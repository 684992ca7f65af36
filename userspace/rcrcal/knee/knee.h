/* SPDX-License-Identifier: GPL-2.0-or-later */
/* knee.h - finds the load from which the latency of a resource grows faster than its throughput. */
#ifndef RCRCAL_KNEE_H
#define RCRCAL_KNEE_H

/**
 * struct knee_point - a measurement at one load
 * @load: requested load, in any unit, above 0
 * @throughput: achieved throughput, in any unit
 * @latency: duration of one operation, in any unit
 */
struct knee_point {
	double load;
	double throughput;
	double latency;
};

#define KNEE_POINTS 1024

enum knee_answer {
	KNEE_FOUND,
	KNEE_ABOVE,	/* latency never grows faster, up to the highest load */
	KNEE_BELOW,	/* latency grows faster from the lowest load on */
	KNEE_UNCLEAR,	/* too few points */
};

/**
 * struct knee - position of the knee
 * @load: load from which latency grows faster
 * @throughput: throughput at this load
 * @peak: highest throughput of all points
 */
struct knee {
	double load;
	double throughput;
	double peak;
};

/**
 * knee_find() - find the knee
 * @point: measurements in any order; those with a value that is not above 0 are ignored
 * @count: number of measurements, up to KNEE_POINTS
 * @knee: output buffer; without a knee, @load and @throughput are 0
 *
 * Let s be the logarithm of the load. Latency grows faster than throughput where ln(throughput /
 * latency) falls with s, so the knee is the maximum of that function. Near it, the better of two
 * fits is used: two straight lines, for a resource that has no queue until it is full, or a cubic
 * polynomial, which approximates a part of any smooth curve.
 */
enum knee_answer knee_find(const struct knee_point *point, unsigned int count,
			   struct knee *knee);

/* Returns the load with the highest throughput / latency, to measure around; 0 without points. */
double knee_guess(const struct knee_point *point, unsigned int count);

#endif
