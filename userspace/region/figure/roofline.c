// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * roofline.c - draws operations a second over operations a byte for each region, per machine,
 * below the ceilings of the machine. Bytes are counted as 64 per cache miss.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/ceilings.h"
#include "figure/chart.h"
#include "figure/figure.h"
#include "gnuplot.h"
#include "message.h"
#include "print/columns.h"
#include "print/si.h"
#include "rcrregion/application.h"
#include "rcrregion/csv.h"
#include "rcrregion/metrics.h"

#define ROOF_COLUMNS	7
#define ROOF_HEIGHT	440

/* Number of different symbols: further points reuse them in other shades. */
#define ROOF_SYMBOLS	10

/**
 * struct roof_point - a region of an application
 * @application: label of the application
 * @region: name of the region
 * @flops: operations a second of a machine; NAN: not known
 * @bytes: bytes a second of a machine; NAN: not known
 * @limiter: the lowest ceiling above the point; NULL if there is none
 */
struct roof_point {
	char *application;
	char *region;
	double flops;
	double bytes;
	const struct ceiling *limiter;
};

/**
 * struct roofline - the figure
 * @ceilings: ceilings of the machine
 * @point: the regions
 * @points: entries of @point
 * @several: the regions are of several applications
 */
struct roofline {
	struct ceilings ceilings;
	struct roof_point *point;
	unsigned int points;
	bool several;
};

/* Returns the operations a byte; NAN if there were no bytes. */
static double roof_intensity(const struct roof_point *p)
{
	return p->bytes > 0 ? p->flops / p->bytes : NAN;
}

/* True if the region can be drawn: the axes are logarithmic. */
static bool is_on_roofline(const struct roof_point *p)
{
	return p->flops > 0 && p->bytes > 0;
}

/* Returns the name of a region's limiter, or why it has none. */
static const char *roof_limiter(const struct roofline *r, const struct roof_point *p)
{
	if (isnan(p->flops) || isnan(p->bytes))
		return "not counted";
	if (!is_on_roofline(p))
		return p->flops > 0 ? "no cache misses" : "no floating-point operations";
	if (p->limiter)
		return p->limiter->name;
	return r->ceilings.count ? "above all ceilings" : "";
}

static int add_roof_point(void *to, const struct metric_region *region, const char *application)
{
	struct roofline *r = to;
	struct roof_point *p = reallocarray(r->point, r->points + 1, sizeof(*p));
	double value;

	if (!p)
		return -1;
	r->point = p;
	p += r->points;
	*p = (struct roof_point){ .application = strdup(application),
				  .region = strdup(region->row->region),
				  .flops = NAN, .bytes = NAN };
	if (!p->application || !p->region)
		return -1;
	r->points++;
	if (metrics_value(region, "mflops", &value))
		p->flops = value * 1e6 / region->hosts;
	if (metrics_value(region, "miss_mb_per_s", &value))
		p->bytes = value * 1e6 / region->hosts;
	if (is_on_roofline(p))
		p->limiter = ceilings_limiter(&r->ceilings, roof_intensity(p), p->flops);
	return 0;
}

static void put_roof_number(double number, const char *format, char text[32])
{
	*text = 0;
	if (!isnan(number))
		snprintf(text, 32, format, number);
}

/* Returns the region's operations a second as a share of what all ceilings allow. */
static double roof_share(const struct roofline *r, const struct roof_point *p)
{
	double memory = ceilings_highest(&r->ceilings, true) * roof_intensity(p);
	double operations = ceilings_highest(&r->ceilings, false), roof;

	roof = memory && operations ? fmin(memory, operations) : fmax(memory, operations);
	return is_on_roofline(p) && roof > 0 ? p->flops / roof : NAN;
}

static int print_roofline(const struct roofline *r, bool table)
{
	struct columns c = {
		.count = ROOF_COLUMNS,
		.heading = { "APPLICATION", "REGION", "MFLOP/S", "MB/S", "FLOP/BYTE", "OF ROOF",
			     "LIMITER" },
		.right = 0x3c,
	};
	const struct roof_point *p;
	char number[4][32];
	unsigned int i;

	if (!table)
		puts("application,region,mflops_per_node,mb_per_s_per_node,flop_per_byte,share_of_roof,limiter");
	for (p = r->point; p < r->point + r->points; p++) {
		const char *text[ROOF_COLUMNS] = {
			p->application, p->region, number[0], number[1], number[2], number[3],
			roof_limiter(r, p),
		};

		put_roof_number(p->flops / 1e6, table ? "%.6g" : "%.9g", number[0]);
		put_roof_number(p->bytes / 1e6, table ? "%.6g" : "%.9g", number[1]);
		put_roof_number(roof_intensity(p), table ? "%.4g" : "%.9g", number[2]);
		put_roof_number(table ? 100 * roof_share(r, p) : roof_share(r, p),
				table ? "%.1f %%" : "%.9g", number[3]);
		for (i = 0; i < ROOF_COLUMNS; i++) {
			if (table) {
				text[i] = *text[i] ? text[i] : "-";
				continue;
			}
			if (i)
				putchar(',');
			csv_text(stdout, text[i]);
		}
		if (table)
			columns_add(&c, text);
		else
			putchar('\n');
	}
	return table && columns_print(&c, true, stdout) ? fail("out of memory") : 0;
}

/**
 * struct roof_range - range of the axes
 * @left: least operations a byte
 * @right: most operations a byte
 * @low: least operations a second
 * @high: most operations a second
 */
struct roof_range {
	double left;
	double right;
	double low;
	double high;
};

/* Finds a range with all regions, and with the point where the highest ceilings meet. */
static struct roof_range find_roof_range(const struct roofline *r)
{
	struct roof_range at = { .left = INFINITY, .low = INFINITY };
	double memory = ceilings_highest(&r->ceilings, true);
	double operations = ceilings_highest(&r->ceilings, false);
	const struct roof_point *p;

	for (p = r->point; p < r->point + r->points; p++) {
		if (!is_on_roofline(p))
			continue;
		at.left = fmin(at.left, roof_intensity(p));
		at.right = fmax(at.right, roof_intensity(p));
		at.low = fmin(at.low, p->flops);
		at.high = fmax(at.high, p->flops);
	}
	if (memory && operations) {
		at.left = fmin(at.left, operations / memory);
		at.right = fmax(at.right, operations / memory);
	}
	at.left = exp2(floor(log2(at.left)) - 1);
	at.right = exp2(ceil(log2(at.right)) + 1);
	at.high = fmax(at.high, operations ? operations : memory * at.right);
	at.low = fmin(at.low, memory ? memory * at.left : at.low);
	at.low /= 2;
	at.high *= 2;
	return at;
}

/* Writes the ceilings, each up to its intersection with the highest one of the other kind. */
static void put_ceilings(FILE *out, const struct roofline *r, const struct roof_range *at)
{
	const struct ceiling *c, *end = r->ceilings.ceiling + r->ceilings.count;
	double memory = ceilings_highest(&r->ceilings, true), from, to;
	double operations = ceilings_highest(&r->ceilings, false);
	unsigned int i = 0;
	char name[CEILING_NAME_LEN + 32], text[SI_SIZE + 8];

	for (c = r->ceilings.ceiling; c < end; c++, i++) {
		from = c->of_memory || !memory ? at->left : c->most / memory;
		to = c->of_memory && operations ? operations / c->most : at->right;
		fprintf(out, "$ceiling%u << END_OF_DATA\n%.10g %.10g\n%.10g %.10g\nEND_OF_DATA\n",
			i, from, ceiling_height(c, from), to, ceiling_height(c, to));
	}
	for (c = r->ceilings.ceiling, i = 0; c < end; c++, i++) {
		snprintf(name, sizeof(name), "%.47s: %s%s", c->name,
			 si_small(text, sizeof(text), c->most), c->of_memory ? "B/s" : "flop/s");
		fprintf(out, "%s $ceiling%u using 1:2 with lines lw %s dt %u lc rgb '%s' title ",
			i ? "," : "plot", i, c->of_memory ? "1.5" : "2.5", 1 + i % 5,
			c->of_memory ? "#606060" : "black");
		gnuplot_put_quoted(out, name);
	}
}

/* Writes the regions; the key has their names and limiters. */
static void put_roof_points(FILE *out, const struct roofline *r, bool first)
{
	const struct roof_point *p;
	char name[4 * (FIGURE_NAME_MOST + CEILING_NAME_LEN)];
	unsigned int i, points = 0, n = 0;

	for (i = 0; i < r->points; i++)
		points += is_on_roofline(&r->point[i]);
	for (p = r->point; p < r->point + r->points; p++) {
		if (!is_on_roofline(p))
			continue;
		fprintf(out, "%s '+' using (%.10g):(%.10g) every ::0::0 with points pt %u ps 1.3 lw 1.5 lc rgb '",
			first && !n ? "plot" : ",", roof_intensity(p), p->flops,
			4 + n % ROOF_SYMBOLS);
		figure_color(out, n, points + points / 2 + 1);
		fputs("' title ", out);
		snprintf(name, sizeof(name), "%s%s%s", r->several ? p->application : "",
			 r->several ? ": " : "", p->region);
		figure_put_name(out, name);
		if (p->limiter)
			fprintf(out, ".' (%s)'", p->limiter->name);
		n++;
	}
	fputc('\n', out);
}

static void roofline_script(FILE *out, const char *picture, const void *from)
{
	const struct roofline *r = from;
	struct roof_range at = find_roof_range(r);

	figure_begin(out, picture, FIGURE_WIDTH + 280,
		     figure_height(ROOF_HEIGHT, r->ceilings.count + r->points));
	fprintf(out, "set title 'roofline of a machine'\nset logscale x 2\nset logscale y 10\n"
		"set grid lc rgb '#d0d0d0'\nset xlabel 'operations a byte of cache misses'\n"
		"set ylabel 'operations a second'\nset format x '%%.3g'\nset format y '%%.0s%%c'\n"
		"set lmargin 10\nset rmargin 48\nset samples 2\nset clip two\n"
		"set xrange [%.10g:%.10g]\nset yrange [%.10g:%.10g]\n", at.left, at.right, at.low,
		at.high);
	put_ceilings(out, r, &at);
	put_roof_points(out, r, !r->ceilings.count);
}

static int draw_roofline(const struct roofline *r, const struct region_options *o)
{
	unsigned int i;

	for (i = 0; i < r->points && !is_on_roofline(&r->point[i]); i++)
		;
	if (r->points > FIGURE_DRAWN)
		return fail("a figure has room for %d regions: choose with --region", FIGURE_DRAWN);
	if (i == r->points)
		return fail("no region has counts of both floating-point operations and cache misses: count them with --mode=all over ranks");
	return figure_draw(o, roofline_script, r);
}

static void free_roofline(struct roofline *r)
{
	while (r->points--) {
		free(r->point[r->points].application);
		free(r->point[r->points].region);
	}
	free(r->point);
}

int figure_roofline(const struct region_options *o)
{
	static struct roofline r;
	bool elsewhere;
	int status = metrics_take(o->derive);

	if (!status)
		status = ceilings_read(&r.ceilings, o);
	if (status)
		return status;
	r.several = figure_has_applications(o);
	status = figure_regions(o, add_roof_point, &r, &elsewhere);
	if (r.points && elsewhere && !o->ceilings && ceilings_highest(&r.ceilings, true))
		note("the ceilings of memory are of this machine, on which no process ran: name a file of theirs with --ceilings");
	if (r.points && figure_prints(o) && print_roofline(&r, o->table))
		status = EXIT_FAILURE;
	if (r.points && o->output && draw_roofline(&r, o))
		status = EXIT_FAILURE;
	free_roofline(&r);
	return status;
}
