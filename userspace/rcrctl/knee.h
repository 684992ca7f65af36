/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * knee.h - the load from which the latency of a resource grows faster than its
 * throughput.
 */
#ifndef RCRCTL_KNEE_H
#define RCRCTL_KNEE_H

/**
 * struct knee_point - how a resource fares at one load
 * @load: what is asked of it, in any unit, above 0
 * @throughput: what it delivers, in any unit
 * @latency: how long one operation takes, in any unit
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
	KNEE_BELOW,	/* it does from the lowest load on */
	KNEE_UNCLEAR,	/* there are too few points to tell */
};

/**
 * struct knee - where it is
 * @load: from which latency grows faster
 * @throughput: there
 * @peak: highest throughput of all points
 */
struct knee {
	double load;
	double throughput;
	double peak;
};

/**
 * knee_find() - looks for the knee
 * @point: in any order; one that is not above 0 in all is left out
 * @count: how many, up to KNEE_POINTS
 * @knee: gets it; without one @load and @throughput are 0
 *
 * With s for the logarithm of the load, latency grows faster than throughput where
 * ln(throughput / latency) falls with s. The knee is the maximum of that. Near
 * it the points are taken for two straight lines, which is what a resource has
 * that serves at once until it is full, or for a polynomial of the third degree, of
 * which a piece of any smooth curve has the shape: for what fits them better.
 */
enum knee_answer knee_find(const struct knee_point *point, unsigned int count,
			   struct knee *knee);

/* Where to look closer: the load at which throughput / latency is highest; 0: none. */
double knee_guess(const struct knee_point *point, unsigned int count);

#endif
