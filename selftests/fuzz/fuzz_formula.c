// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_formula.c - the module's formulas: what is said of a text that is none, and what
 * one is worth over one CPU and over four, whatever they counted.
 *
 * An input is a line, the formula, another one, of the meter "M" that it may speak of, and
 * then what was counted.
 */
#include "../unit/formula_lanes.h"
#include "fuzz.h"

static const char *text_of_meter;

static const char *find_fuzzed(void *context, const char *name)
{
	return strcmp(name, "M") ? find_meter(context, name) : text_of_meter;
}

static const struct rcr_formula_names fuzzed_names = {
	.counter = find_counter, .meter = find_fuzzed,
};

static void check_value(int err, struct rcr_number n)
{
	FUZZ_HOLDS((err == -EDOM) == !rcr_number_is_defined(n));
	FUZZ_HOLDS(!err || err == -EDOM);
}

/* Over CPUs with any numbers. */
static void evaluate_input(const struct rcr_formula *f, struct fuzz_input *in)
{
	struct rcr_number *waiting = malloc(RCR_FORMULA_DEPTH * sizeof(*waiting)), value;
	u64 delta[LANES][RCR_FORMULA_OPERANDS], time[LANES][RCR_FORMULA_OPERANDS];
	struct rcr_lane lane[LANES];
	unsigned int i;
	u64 tsc_hz;

	FUZZ_HOLDS(waiting);
	fuzz_bytes(in, &tsc_hz, sizeof(tsc_hz));
	for (i = 0; i < LANES; i++) {
		fuzz_bytes(in, delta[i], sizeof(delta[i]));
		fuzz_bytes(in, time[i], sizeof(time[i]));
		lane[i] = (struct rcr_lane){ delta[i], time[i] };
	}
	check_value(rcr_formula_eval(f, lane, LANES, tsc_hz, waiting, &value), value);
	free(waiting);
}

static void check_fixed(struct rcr_number n)
{
	unsigned int digits;
	s64 val;

	for (digits = 0; digits <= RCR_NUMBER_DIGITS; digits++)
		rcr_number_to_fixed(n, digits, &val);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	char *text = fuzz_line(&in), *meter = fuzz_line(&in);
	struct rcr_formula *f = malloc(sizeof(*f));
	struct rcr_failure failure = { };
	struct rcr_number one, all;
	int err;

	text_of_meter = meter;
	err = rcr_formula_parse(f, text, &fuzzed_names, &failure);
	FUZZ_HOLDS(err == failure.error && !err == !failure.reason.code);
	if (!err) {
		FUZZ_HOLDS(f->nodes && f->nodes <= RCR_FORMULA_NODES &&
			   f->operands && f->operands <= RCR_FORMULA_OPERANDS);
		check_value(evaluate(f, 1, 1, &one), one);
		check_value(evaluate(f, 0, LANES, &all), all);
		check_fixed(all);
		evaluate_input(f, &in);
	}
	free(f);
	free(meter);
	free(text);
	return 0;
}
