// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_catalogue.c - checks the rows of the catalogue of meters: their families, order,
 * events and boxes.
 */
#include <string.h>

#include "control/event.h"
#include "meter/formula.h"
#include "ksft.h"
#include "catalogue.h"
#include "table.h"

/* Less than RCR_METERS_MAX, to leave room for users' meters. */
#define ROWS_MAX 60

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* Names of a family followed by a model. */
#define ZEN1	"AMD Fam17h amd64_fam17h_zen1"
#define ZEN2	"AMD Fam17h amd64_fam17h_zen2"

/* No family, unknown families, and two models; then all families that have event names. */
static const char *families[64] = { "", "AMD", "Intel", "Acme", ZEN1, ZEN2 };
static size_t family_count = 6;

static void find_families(void)
{
	const struct family_names *n;
	unsigned int i;

	for (i = 0; event_table(i); i++)
		for (n = event_table(i)->names; n && n->family; n++)
			families[family_count++] = n->family;
}

/* Print the row and @what unless @right; return @right. */
static bool row_is(const struct catalogue_row *row, bool right, const char *what)
{
	if (!right)
		ksft_print_msg("%s of %s: %s\n", row->name,
			       row->family ? row->family : "any machine", what);
	return right;
}

/* Mask of the boxes for which rows are expanded; every_row() tries the masks of real machines. */
static uint32_t boxes;

static bool texts_fit(const struct catalogue_row *row)
{
	size_t name = strlen(row->name), unit = strlen(row->unit), formula;
	struct catalogue_way way;

	if (!row_is(row, catalogue_expand(row, boxes, &way), "formula too long with all boxes"))
		return false;
	formula = strlen(way.formula);
	return row_is(row, name && name < RCR_METER_NAME_LEN, "name") &&
	       row_is(row, unit && unit < RCR_METER_UNIT_LEN, "unit") &&
	       row_is(row, formula && formula < RCR_FORMULA_LEN, "formula") &&
	       row_is(row, row->digits <= 9, "digits");
}

static bool is_defined(const char *name, const struct rcr_event_spec *event, int count)
{
	while (count-- > 0)
		if (!strcmp(event[count].name, name))
			return true;
	return false;
}

static bool is_used(const char *name, const struct formula_names *names)
{
	unsigned int i;

	for (i = 0; i < names->count; i++)
		if (!strcmp(names->name[i].text, name))
			return true;
	return false;
}

/* Return whether a row's events are exactly those that its formula names. */
static bool events_match(const struct catalogue_row *row)
{
	static struct rcr_event_spec event[RCR_MAX_COUNTERS];
	static struct formula_names names;
	char sentence[512], text[RCR_EVENT_LEN];
	struct catalogue_way way;
	bool right = true;
	struct why why;
	unsigned int i;
	int count = 0;

	catalogue_expand(row, boxes, &way);
	if (*way.events)
		count = rcr_event_parse(way.events, event, RCR_MAX_COUNTERS, sentence,
					sizeof(sentence));
	if (count < 0)
		return row_is(row, false, sentence);
	if (formula_find_names(way.formula, &names, &why))
		return row_is(row, false, why.text);
	for (i = 0; i < names.count; i++)
		if (strcmp(names.name[i].text, "sampler_cycles"))
			right &= row_is(row, is_defined(names.name[i].text, event, count),
					names.name[i].text);
	for (i = 0; i < (unsigned int)count; i++) {
		right &= row_is(row, is_used(event[i].name, &names), event[i].name);
		rcr_event_print(&event[i], text);
		right &= row_is(row, strlen(event[i].name) + strlen(text) + 1 < RCR_EVENT_LEN,
				"event too long");
	}
	return right;
}

/* Return whether the unit of a row can have these boxes: only umc has more than eight. */
static bool can_have(const struct catalogue_row *row)
{
	return boxes <= 0xff || (row->events && strstr(row->events, "=umc#"));
}

static bool every_row(bool (*is_right)(const struct catalogue_row *row))
{
	static const uint32_t tried[] = { 0, 0x1, 0x3, 0xf, 0x33, 0x3f, 0xff, 0xfff };
	const struct catalogue_row *row;
	bool right = true;
	size_t i, n;

	for (n = 0; n < ARRAY_SIZE(tried); n++) {
		boxes = tried[n];
		for (i = 0; i < family_count; i++)
			for (row = catalogue_next(NULL, families[i]); row;
			     row = catalogue_next(row, families[i]))
				right &= !can_have(row) || is_right(row);
	}
	return right;
}

/* Return whether the rows of each meter are adjacent. */
static bool ways_are_adjacent(const char *family)
{
	const struct catalogue_row *row, *next, *later;
	bool right = true;

	for (row = catalogue_next(NULL, family); row; row = next) {
		next = catalogue_next(row, family);
		if (!next || !strcmp(next->name, row->name))
			continue;
		for (later = next; later; later = catalogue_next(later, family))
			right &= row_is(row, strcmp(later->name, row->name), family);
	}
	return right;
}

static unsigned int count_rows(const char *family)
{
	const struct catalogue_row *row = NULL;
	unsigned int count = 0;

	while ((row = catalogue_next(row, family)))
		count++;
	return count;
}

static void test_families(void)
{
	bool adjacent = true, few = true;
	size_t i;

	for (i = 0; i < family_count; i++) {
		adjacent &= ways_are_adjacent(families[i]);
		few &= count_rows(families[i]) <= ROWS_MAX;
	}
	ksft_test_result(adjacent, "the rows of a meter are adjacent\n");
	ksft_test_result(few, "families have at most %d rows\n", ROWS_MAX);
}

/* Find the first row of a meter, or the one that has no events. */
static const struct catalogue_row *first_row(const char *family, const char *name)
{
	static const struct catalogue_row none = { .formula = "", .events = "" };
	const struct catalogue_row *row = NULL;

	while ((row = catalogue_next(row, family)))
		if (!strcmp(row->name, name))
			return row;
	return &none;
}

static void test_order(void)
{
	const struct catalogue_row *row = first_row("Intel Nehalem", "frequency");
	const struct catalogue_row *second = catalogue_next(row, "Intel Nehalem");

	ksft_test_result(!strcmp(row->formula, "tsc_hz * APERF / MPERF") &&
			 !strcmp(second->name, "frequency") &&
			 !strcmp(second->formula, "tsc_hz * TOT_CYC / REF_CYC"),
			 "the most accurate row of a meter is first\n");
}

static void test_match(void)
{
	const char *stepping = "Intel Haswell, stepping 2";

	ksft_test_result(count_rows("Intel Haswell") > count_rows("Intel") &&
			 count_rows(stepping) == count_rows("Intel Haswell"),
			 "a row applies to families whose names begin with its own\n");
	ksft_test_result(!strcmp(first_row("AMD Fam15h", "mem_bw")->unit, "B/s") &&
			 !*first_row("AMD Fam17h", "mem_bw")->formula,
			 "a row does not apply to other families\n");
	ksft_test_result(strstr(first_row(ZEN1, "flop_rate")->events, "umask:0xff") &&
			 strstr(first_row(ZEN2, "flop_rate")->events, "umask:0x0f") &&
			 !*first_row("AMD Fam17h", "flop_rate")->formula,
			 "Zen 1 and 2 have different unit masks for flops, other models no row\n");
	ksft_test_result(count_rows(NULL) && count_rows(NULL) == count_rows("") &&
			 count_rows("Acme") == count_rows("") &&
			 *first_row(NULL, "power_pkg")->formula,
			 "an unknown family has only the rows without a family\n");
}

/*
 * Return whether a row is found for any of the families: a row for "AMD Fam15" would be, one for
 * "AMD 15h" would not.
 */
static bool is_reached(const struct catalogue_row *wanted)
{
	const struct catalogue_row *row;
	size_t i;

	for (i = 0; i < family_count; i++)
		for (row = catalogue_next(NULL, families[i]); row;
		     row = catalogue_next(row, families[i]))
			if (row == wanted)
				return true;
	return row_is(wanted, false, "not reached");
}

static void test_reach(void)
{
	const struct catalogue_row *row;
	bool reached = true;
	unsigned int i;

	for (i = 0; event_table(i); i++)
		for (row = event_table(i)->meters; row && row->name; row++)
			reached &= is_reached(row);
	ksft_test_result(reached, "each row applies to an existing family\n");
}

static void test_public(void)
{
	const struct catalogue_row *row;
	bool right = true;
	size_t i;

	for (i = 0; i < family_count; i++)
		for (row = catalogue_next(NULL, families[i]); row;
		     row = catalogue_next(row, families[i]))
			right &= row_is(row, row->is_public == !strcmp(row->name, "mem_bw"),
					"public");
	ksft_test_result(right, "only mem_bw is public\n");
}

/* A row for boxes must name exactly the boxes of the machine. */
static void test_boxes(void)
{
	const struct catalogue_row *row = first_row("Intel Haswell", "mem_bw");
	struct catalogue_row large = *row;
	struct catalogue_way way;

	ksft_test_result(catalogue_has_boxes(row) && catalogue_expand(row, 0x33, &way) &&
			 !strcmp(way.formula, "rate(CAS_RD0 + CAS_RD1 + CAS_RD4 + CAS_RD5 + CAS_WR0 + CAS_WR1 + CAS_WR4 + CAS_WR5) * 64") &&
			 strstr(way.events, "CAS_RD5=imc5:event:0x04,umask:0x03;CAS_WR0=imc0:") &&
			 !strstr(way.events, "imc2"),
			 "boxes: a row adds up channels 0, 1, 4 and 5 of two home agents\n");
	ksft_test_result(catalogue_expand(row, 0xff, &way) && strstr(way.events, "CAS_WR7=imc7:") &&
			 strstr(way.formula, "CAS_WR6 + CAS_WR7) * 64"),
			 "boxes: a row adds up all eight channels\n");
	ksft_test_result(catalogue_expand(row, 0, &way) &&
			 !strcmp(way.formula, "rate(CAS_RD0 + CAS_WR0) * 64"),
			 "boxes: without any box a row names box 0\n");
	large.formula = "rate(CAS_RD_OF_A_VERY_LONG_NAME#) * 64";
	ksft_test_result(!catalogue_expand(&large, 0xffff, &way), "boxes: too many boxes are refused\n");
	row = first_row("AMD Fam15h", "mem_bw");
	ksft_test_result(!catalogue_has_boxes(row) && catalogue_expand(row, 0x33, &way) &&
			 !strcmp(way.formula, row->formula) && !strcmp(way.events, row->events),
			 "boxes: a row without boxes is unchanged\n");
}

int main(void)
{
	find_families();
	ksft_print_header();
	ksft_set_plan(16);
	ksft_test_result(every_row(texts_fit), "names, units, formulas and digits are within their limits\n");
	ksft_test_result(every_row(events_match), "each row has exactly the events that its formula names\n");
	test_families();
	test_order();
	test_match();
	test_reach();
	test_public();
	test_boxes();
	ksft_finished();
}
