/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * intended.h - the formulas of well-known meters, written a second time from the design
 * document (sections 6.1 and 6.2) and Documentation/user/meters.md, to compare the module's forms
 * with them.
 */
#ifndef RCR_GUEST_INTENDED_H
#define RCR_GUEST_INTENDED_H

#include "exact_form.h"

#define INTENDED_TERMS	16
#define LINE		64	/* bytes */

enum quantity {
	RATIO,		/* dividend / divisor */
	CLOCK,		/* dividend / divisor * TSC frequency */
	RATE,		/* dividend per second */
	UNDER_WAY,	/* dividend per TSC cycle */
	COUNT,		/* dividend */
	HOTTEST,	/* maximum of a gauge over CPUs */
	RATE_EACH,	/* dividend per second, mean over CPUs */
	COST,		/* ppm of the time of a CPU, mean over CPUs */
};

struct intended_term {
	const char *counter;
	int32_t weight;
};

/**
 * struct intended - the intended formula of a meter
 * @name: name of the meter; a test may add others as NAME.MORE
 * @quantity: operation on the counters
 * @times: factor of the result
 * @by: divisor of the result
 * @above: counters of the dividend
 * @below: counters of the divisor
 */
struct intended {
	const char *name;
	enum quantity quantity;
	uint64_t times;
	uint64_t by;
	struct intended_term above[INTENDED_TERMS + 1];
	struct intended_term below[INTENDED_TERMS + 1];
};

/* Counters of memory channels: one channel, and lists of them. */
#define ONE(c, n)	{ #c #n, 1 }
#define FOUR(c)		ONE(c, 0), ONE(c, 1), ONE(c, 2), ONE(c, 3)
#define UPPER(c)	ONE(c, 4), ONE(c, 5), ONE(c, 6), ONE(c, 7)
#define EIGHT(c)	FOUR(c), UPPER(c)
#define TWELVE(c)	EIGHT(c), ONE(c, 8), ONE(c, 9), ONE(c, 10), ONE(c, 11)
#define AGENTS(c)	ONE(c, 0), ONE(c, 1), ONE(c, 4), ONE(c, 5)	/* two home agents */

#define OF_CHANNELS(channels) \
	{ "mem_bw", RATE, LINE, 1, { channels(CAS_RD), channels(CAS_WR) }, { } }, \
	{ "mem_read_bw", RATE, LINE, 1, { channels(CAS_RD) }, { } }, \
	{ "mem_write_bw", RATE, LINE, 1, { channels(CAS_WR) }, { } }, \
	{ "mem_write_share", RATIO, 1, 1, { channels(CAS_WR) }, \
	  { channels(CAS_RD), channels(CAS_WR) } }

/* Several rows of one name are alternatives: families count a quantity in different ways. */
static const struct intended intended[] = {
	{ "cpi", RATIO, 1, 1, { { "TOT_CYC", 1 } }, { { "TOT_INS", 1 } } },
	{ "ipc", RATIO, 1, 1, { { "TOT_INS", 1 } }, { { "TOT_CYC", 1 } } },
	{ "cycles", COUNT, 1, 1, { { "TOT_CYC", 1 } }, { } },
	{ "ins_rate", RATE, 1, 1, { { "TOT_INS", 1 } }, { } },
	{ "frequency", CLOCK, 1, 1, { { "APERF", 1 } }, { { "MPERF", 1 } } },
	{ "frequency", CLOCK, 1, 1, { { "TOT_CYC", 1 } }, { { "REF_CYC", 1 } } },
	{ "flop_rate", RATE, 1, 1, { { "RETIRED_FLOPS", 1 } }, { } },
	{ "flop_rate", RATE, 1, 1, { { "FP_OPS", 1 } }, { } },
	{ "l2_miss_ratio", RATIO, 1, 1, { { "L2_DCM", 1 } }, { { "L1_DCM", 1 } } },
	{ "l2_miss_ratio", RATIO, 1, 1, { { "L2_LINES_IN", 1 } }, { { "L1_DCM", 1 } } },
	{ "l3_miss_ratio", RATIO, 1, 1,
	  { { "L3_CACHE_MISSES", 1 } }, { { "L3_CACHE_REQUESTS", 1 } } },
	{ "l3_miss_ratio", RATIO, 1, 1,
	  { { "L3_CACHE_MISSES", 1 } }, { { "L3_CACHE_ACCESSES", 1 } } },
	{ "l3_miss_ratio", RATIO, 1, 1, { { "LLC_MISSES", 1 } }, { { "LLC_REFERENCES", 1 } } },
	/* Accesses of each kind times their latency in cycles, divided by all cycles. */
	{ "l2_miss_cycle_ratio", RATIO, 1, 1,
	  { { "L2_HIT_HITM", 74 }, { "LLC_UNSHARED_HIT", 35 } }, { { "TOT_CYC", 1 } } },
	{ "l3_miss_cycle_ratio", RATIO, 1, 1, { { "LLC_MISS", 180 } }, { { "TOT_CYC", 1 } } },
	{ "l3_to_l2_bw", RATE, LINE, 1, { { "L2_DCM", 1 } }, { } },
	{ "l3_to_l2_bw", RATE, LINE, 1, { { "L2_LINES_IN", 1 } }, { } },
	{ "l3_fill_bw", RATE, LINE, 1, { { "L3_CACHE_MISSES", 1 } }, { } },
	{ "mem_bw", RATE, LINE, 1, { { "DCT_RD_TOT", 1 }, { "DCT_WRT", 1 } }, { } },
	{ "mem_bw", RATE, LINE, 1, { { "UNC_LLC_LINES_IN", 1 } }, { } },
	OF_CHANNELS(FOUR),
	OF_CHANNELS(AGENTS),
	OF_CHANNELS(EIGHT),
	{ "mem_bw", RATE, LINE, 1, { TWELVE(CAS) }, { } },
	{ "mem_read_bw", RATE, LINE, 1, { TWELVE(CAS_RD) }, { } },
	{ "mem_write_bw", RATE, LINE, 1, { TWELVE(CAS_WR) }, { } },
	{ "mem_write_share", RATIO, 1, 1, { TWELVE(CAS_WR) }, { TWELVE(CAS) } },
	{ "mem_bw", RATE, LINE, 1, { ONE(DRAM_CH, 0), ONE(DRAM_CH, 1) }, { } },
	{ "mem_bw_ch0_3", RATE, LINE, 1, { FOUR(DRAM_CH) }, { } },
	{ "mem_bw_ch4_7", RATE, LINE, 1, { UPPER(DRAM_CH) }, { } },
	{ "mem_bw_node", RATE_EACH, LINE, 1, { { "DRAM_ACCESSES", 1 } }, { } },
	{ "mem_read_bw", RATE, LINE, 1, { { "DCT_RD_TOT", 1 } }, { } },
	{ "mem_write_bw", RATE, LINE, 1, { { "DCT_WRT", 1 } }, { } },
	{ "mem_write_share", RATIO, 1, 1, { { "DCT_WRT", 1 } },
	  { { "DCT_RD_TOT", 1 }, { "DCT_WRT", 1 } } },
	{ "mem_local_share", RATIO, 1, 1, { { "RW_DRAM_INT", 1 }, { "IO_DRAM_INT", 1 } },
	  { { "RW_DRAM_INT", 1 }, { "IO_DRAM_INT", 1 },
	    { "RW_DRAM_EXT", 1 }, { "IO_DRAM_EXT", 1 } } },
	{ "mem_remote_share", RATIO, 1, 1, { { "RW_DRAM_EXT", 1 }, { "IO_DRAM_EXT", 1 } },
	  { { "RW_DRAM_INT", 1 }, { "IO_DRAM_INT", 1 },
	    { "RW_DRAM_EXT", 1 }, { "IO_DRAM_EXT", 1 } } },
	{ "mem_io_share", RATIO, 1, 1, { { "IO_DRAM_INT", 1 }, { "IO_DRAM_EXT", 1 } },
	  { { "RW_DRAM_INT", 1 }, { "IO_DRAM_INT", 1 },
	    { "RW_DRAM_EXT", 1 }, { "IO_DRAM_EXT", 1 } } },
	{ "mem_concurrency", UNDER_WAY, 1, 1, { { "READ_LATENCY", 1 } }, { } },
	{ "mem_concurrency", RATIO, 1, 1, { FOUR(RPQ_OCC) }, { FOUR(DCLK) } },
	{ "mem_concurrency", RATIO, 1, 1, { EIGHT(RPQ_OCC) }, { EIGHT(DCLK) } },
	{ "mem_latency", RATIO, 1, 1, { { "READ_LATENCY", 1 } }, { { "READ_REQUESTS", 1 } } },
	{ "mem_latency", RATIO, 10, 1, { { "DRAM_LATENCY", 1 } }, { { "DRAM_READS", 1 } } },
	{ "mem_latency", RATIO, 1, 1,
	  { { "QMC_OCC0", 1 }, { "QMC_OCC1", 1 }, { "QMC_OCC2", 1 } }, { { "QMC_READS", 1 } } },
	{ "mem_latency", RATIO, 1, 1, { FOUR(RPQ_OCC) }, { FOUR(RPQ_INS) } },
	{ "mem_latency", RATIO, 1, 1, { EIGHT(RPQ_OCC) }, { EIGHT(RPQ_INS) } },
	/* Totals of energy are in nanojoules, those of temperature in thousandths of a degree. */
	{ "energy_pkg", COUNT, 1, 1000000000, { { "ENERGY_PKG", 1 } }, { } },
	{ "energy_cores", COUNT, 1, 1000000000, { { "ENERGY_CORES", 1 } }, { } },
	{ "energy_cores", COUNT, 1, 1000000000, { { "ENERGY_CORE", 1 } }, { } },
	{ "energy_dram", COUNT, 1, 1000000000, { { "ENERGY_RAM", 1 } }, { } },
	{ "power_pkg", RATE, 1, 1000000000, { { "ENERGY_PKG", 1 } }, { } },
	{ "power_cores", RATE, 1, 1000000000, { { "ENERGY_CORES", 1 } }, { } },
	{ "power_cores", RATE, 1, 1000000000, { { "ENERGY_CORE", 1 } }, { } },
	{ "power_dram", RATE, 1, 1000000000, { { "ENERGY_RAM", 1 } }, { } },
	{ "temp_core", HOTTEST, 1, 1000, { { "TEMP_CORE", 1 } }, { } },
	{ "temp_pkg", HOTTEST, 1, 1000, { { "TEMP_PKG", 1 } }, { } },
	{ "sampler_cost", COST, 1000000, 1, { { "", 1 } }, { } },
};

/* Return whether @name is the name of @q, or NAME.MORE. */
static inline bool is_called(const struct intended *q, const char *name)
{
	size_t n = strlen(q->name);

	return !strncmp(q->name, name, n) && (!name[n] || name[n] == '.');
}

static inline uint32_t kind_of_quantity(enum quantity q)
{
	switch (q) {
	case RATE:
	case UNDER_WAY:
	case COST:
	case RATE_EACH:
		return RCR_TERM_RATE;
	case HOTTEST:
		return RCR_TERM_GAUGE;
	default:
		return RCR_TERM_COUNT;
	}
}

static inline uint32_t reduction_of_quantity(enum quantity q)
{
	switch (q) {
	case HOTTEST:
		return RCR_REDUCE_MAX;
	case COST:
	case RATE_EACH:
		return RCR_REDUCE_MEAN;
	default:
		return RCR_REDUCE_SUM;
	}
}

/* Find a term of a side by name; NULL if there is none. */
static inline const struct form_term *find_term(const struct form_side *s, const char *name)
{
	unsigned int i;

	for (i = 0; i < s->terms; i++)
		if (!strcmp(s->term[i].name, name))
			return &s->term[i];
	return NULL;
}

/* Return whether a side has exactly these terms. */
static inline bool has_terms(const struct form_side *s, const struct intended_term *t,
			     uint32_t kind)
{
	const struct form_term *found;
	unsigned int n;

	for (n = 0; t[n].counter; n++) {
		found = find_term(s, t[n].counter);
		if (!found || found->kind != kind)
			return false;
	}
	return s->terms == n;
}

/* Return a * b * c * d. */
static inline struct wide product(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	return multiply_wide(multiply_wide(multiply_wide(make_wide(a), b), c), d);
}

/* Return whether the factor of a dividend term by a divisor term (NULL: 1) is the intended one. */
static inline bool has_factor(const struct meter_form *f, const struct intended *q,
			      unsigned int digits, uint64_t hz,
			      const struct intended_term *above,
			      const struct intended_term *below)
{
	const struct form_term *a = find_term(&f->side[0], above->counter);
	const struct form_term *b = below ? find_term(&f->side[1], below->counter) : NULL;
	uint64_t times = q->times, by = q->by, ten = 1;
	struct wide is, should;

	while (digits--)
		ten *= 10;
	if (a->weight < 0 || (b && b->weight < 0))
		return false;
	is = product(f->numerator, a->weight, below ? below->weight : 1, by);
	should = product(f->denominator, above->weight, b ? b->weight : 1, times);
	should = multiply_wide(should, ten);
	if (q->quantity == CLOCK)
		should = multiply_wide(should, hz);
	if (q->quantity == UNDER_WAY || q->quantity == COST)
		is = multiply_wide(is, hz);
	return !compare_wide(&is, &should);
}

static inline bool is_intended_form(const struct meter_form *f, const struct intended *q,
				    unsigned int digits, uint64_t hz)
{
	const struct intended_term *a, *b;

	if (f->per_cpu || f->side[0].reduction != reduction_of_quantity(q->quantity) ||
	    !has_terms(&f->side[0], q->above, kind_of_quantity(q->quantity)) ||
	    !has_terms(&f->side[1], q->below, RCR_TERM_COUNT) ||
	    (f->side[1].terms && f->side[1].reduction != RCR_REDUCE_SUM))
		return false;
	for (a = q->above; a->counter; a++) {
		if (!q->below[0].counter && !has_factor(f, q, digits, hz, a, NULL))
			return false;
		for (b = q->below; b->counter; b++)
			if (!has_factor(f, q, digits, hz, a, b))
				return false;
	}
	return true;
}

/**
 * check_intended() - check whether a meter computes the quantity of its name
 * @name: name of the meter
 * @f: its form
 * @digits: decimal digits of its values
 * @hz: TSC frequency
 *
 * Return: 1 if it does; 0 if it computes something else; -1 if the name is unknown.
 */
static inline int check_intended(const char *name, const struct meter_form *f,
				 unsigned int digits, uint64_t hz)
{
	bool known = false;
	unsigned int i;

	for (i = 0; i < sizeof(intended) / sizeof(intended[0]); i++) {
		if (!is_called(&intended[i], name))
			continue;
		known = true;
		if (is_intended_form(f, &intended[i], digits, hz))
			return 1;
	}
	return known ? 0 : -1;
}

#endif
