// SPDX-License-Identifier: GPL-2.0-or-later
/* ceilings.c - the ceilings of a machine, from the calibration file of rcrcal(8). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "figure/ceilings.h"
#include "message.h"

/* Meters whose maxima are ceilings: of memory, and of operations. */
#define MEMORY_METER	"mem_bw"
#define FLOPS_METER	"flop_rate"

static int add_ceiling(struct ceilings *c, const struct calibrated *line, const char *path)
{
	bool memory = !strcmp(line->meter, MEMORY_METER);
	struct quantity_scale scale = { .unit = memory ? "B/s" : "flop/s" };
	struct ceiling *new = &c->ceiling[c->count];
	struct quantity q;
	struct why why;
	int64_t value;

	if (!memory && strcmp(line->meter, FLOPS_METER))
		return 0;
	if (quantity_parse(line->maximum, &q, &why) || quantity_value(&q, &scale, &value, &why))
		return fail("%s: %s %s: %s", path, line->meter, calibration_kind_name(line->kind),
			    why.text);
	if (value <= 0)
		return 0;
	new->of_memory = memory;
	new->most = value;
	snprintf(new->name, sizeof(new->name), "%s, %s", memory ? "memory" : "operations",
		 calibration_kind_name(line->kind));
	c->count++;
	return 0;
}

static int read_ceilings(struct ceilings *c, const char *path)
{
	static struct calibration known;
	int bad = calibration_load(&known, path);
	unsigned int i;

	if (bad < 0)
		return EXIT_FAILURE;
	if (bad)
		return fail("%s: %d invalid line%s: correct or remove it", path, bad,
			    bad == 1 ? "" : "s");
	for (i = 0; i < known.count; i++)
		if (add_ceiling(c, &known.line[i], path))
			return EXIT_FAILURE;
	return 0;
}

int ceilings_read(struct ceilings *c, const struct region_options *o)
{
	*c = (struct ceilings){ };
	if ((o->ceilings || !access(CALIBRATION_FILE, F_OK)) &&
	    read_ceilings(c, o->ceilings ? o->ceilings : CALIBRATION_FILE))
		return EXIT_FAILURE;
	if (!ceilings_highest(c, true))
		note("the machine's memory has no ceiling: measure mem_bw with 'rcrcal', or name a file with --ceilings");
	if (o->peak > 0) {
		c->ceiling[c->count].of_memory = false;
		c->ceiling[c->count].most = o->peak;
		strcpy(c->ceiling[c->count++].name, "operations, peak");
	}
	return 0;
}

double ceiling_height(const struct ceiling *c, double intensity)
{
	return c->of_memory ? c->most * intensity : c->most;
}

double ceilings_highest(const struct ceilings *c, bool of_memory)
{
	const struct ceiling *at;
	double highest = 0;

	for (at = c->ceiling; at < c->ceiling + c->count; at++)
		if (at->of_memory == of_memory && at->most > highest)
			highest = at->most;
	return highest;
}

const struct ceiling *ceilings_limiter(const struct ceilings *c, double intensity, double flops)
{
	const struct ceiling *limiter = NULL, *at;
	double height, lowest = 0;

	for (at = c->ceiling; at < c->ceiling + c->count; at++) {
		height = ceiling_height(at, intensity);
		if (height < flops || (limiter && height >= lowest))
			continue;
		limiter = at;
		lowest = height;
	}
	return limiter;
}
