// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_formula_random.c - formulas made at random, whose values are known from
 * how they were made, and texts made at random, of which a grammar of the test's
 * own says whether they can be formulas.
 */
#include "formula_lanes.h"
#include "ksft.h"

#define ROUNDS 100000

static unsigned int state = 4711;

/* The same numbers everywhere. */
static unsigned int below(unsigned int limit)
{
	state = state * 1664525u + 1013904223u;
	return (state >> 8) % limit;
}

/* A formula as it is made: what it does with which parts. */
enum kind {
	NUMBER, COUNT, GAUGE, NEGATED, PLUS, MINUS, TIMES, OVER, SMALLER, LARGER, AVERAGE,
	LIMIT, SCALED, RATE, SMALLEST, LARGEST, MIDDLE, KINDS
};

struct part {
	enum kind kind;
	unsigned int counter;
	double number;
	struct part *a, *b;
};

static struct part parts[200];
static unsigned int used;

static struct part *new_part(enum kind kind, struct part *a, struct part *b)
{
	struct part *p = &parts[used++];

	*p = (struct part){ .kind = kind, .a = a, .b = b };
	return p;
}

static struct part *make_number(void)
{
	struct part *p = new_part(NUMBER, NULL, NULL);

	p->number = below(4) ? 1 + below(20) : 0.25 * below(9);
	return p;
}

static struct part *make_leaf(void)
{
	struct part *p = new_part(COUNT, NULL, NULL);

	p->counter = below(COUNTERS);
	if (counters[p->counter].gauge)
		p->kind = GAUGE;
	return p;
}

/* A sum of multiples of counters, of which there is a rate. */
static struct part *make_count(unsigned int depth)
{
	struct part *p;

	if (!depth) {
		p = make_leaf();
		p->kind = COUNT;
		p->counter = below(TEMP);
		return p;
	}
	switch (below(4)) {
	case 0:
		return new_part(PLUS, make_count(depth - 1), make_count(depth - 1));
	case 1:
		return new_part(MINUS, make_count(depth - 1), make_count(depth - 1));
	case 2:
		return new_part(TIMES, make_number(), make_count(depth - 1));
	default:
		return new_part(SCALED, make_count(depth - 1), make_number());
	}
}

/* Of power 0: a rate stands over a rate. */
static struct part *make(unsigned int depth)
{
	enum kind kind = NEGATED + below(KINDS - NEGATED);
	struct part *a;

	if (!depth)
		return below(5) ? make_leaf() : make_number();
	if (kind == RATE)
		return new_part(OVER, new_part(RATE, make_count(below(2)), NULL),
				new_part(RATE, make_count(0), NULL));
	a = make(depth - 1);
	if (kind == NEGATED || kind >= SMALLEST)
		return new_part(kind, a, NULL);
	return new_part(kind, a, kind == SCALED ? make_number() : make(below(depth)));
}

static const char * const words[KINDS] = {
	[NEGATED] = "-", [PLUS] = "+", [MINUS] = "-", [TIMES] = "x", [OVER] = "/",
	[SMALLER] = "min", [LARGER] = "max", [AVERAGE] = "mean", [LIMIT] = "threshold",
	[SCALED] = "scale", [RATE] = "rate", [SMALLEST] = "min", [LARGEST] = "max", [MIDDLE] = "mean",
};

static char text[4096];
static size_t len;

static void put(const char *word)
{
	len += snprintf(text + len, sizeof(text) - len, "%s%s", word, below(8) ? "" : " ");
}

static void put_part(const struct part *p);

/* Every sum and product in parentheses, as the value takes them. */
static void put_infix(const struct part *p)
{
	put("(");
	put_part(p->a);
	put(" ");
	put(p->kind == TIMES && below(2) ? "*" : words[p->kind]);
	put(" ");
	put_part(p->b);
	put(")");
}

static void put_function(const struct part *p)
{
	put(words[p->kind]);
	put("(");
	put_part(p->a);
	if (p->b) {
		put(",");
		put_part(p->b);
	}
	put(")");
}

static void put_part(const struct part *p)
{
	char word[40];

	if (p->kind == NUMBER) {
		snprintf(word, sizeof(word), "%g", p->number);
		put(word);
	} else if (p->kind <= GAUGE) {
		snprintf(word, sizeof(word), "\"%s\"", counters[p->counter].name);
		put(word);
	} else if (p->kind == NEGATED) {
		put("-");
		put_part(p->a);
	} else if (p->kind <= OVER) {
		put_infix(p);
	} else {
		put_function(p);
	}
}

/* The value, and how far from it one may be whose parts were each rounded. */
struct known {
	long double value;
	long double error;
};

static struct known known(const struct part *p, unsigned int first, unsigned int end, bool rate);

static struct known known_leaf(const struct part *p, unsigned int first, unsigned int end, bool rate)
{
	long double val = p->number;

	if (p->kind == GAUGE)
		val = gauge_of(p->counter, first, end);
	else if (p->kind == COUNT)
		val = rate ? rate_of(p->counter, first, end) : sum_of(p->counter, first, end);
	return (struct known){ val, ldexpl(fabsl(val), -60) };
}

static struct known known_lanes(const struct part *p, unsigned int first, unsigned int end)
{
	struct known all = { NAN, 0 };
	unsigned int defined = 0;

	for (; first < end; first++) {
		struct known k = known(p->a, first, first + 1, false);

		if (isnan(k.value))
			continue;
		all.error += k.error;
		if (!defined++)
			all.value = k.value;
		else if (p->kind == SMALLEST)
			all.value = fminl(all.value, k.value);
		else if (p->kind == LARGEST)
			all.value = fmaxl(all.value, k.value);
		else
			all.value += k.value;
	}
	if (p->kind == MIDDLE)
		all.value /= defined;
	return all;
}

static long double operate(enum kind kind, long double a, long double b)
{
	switch (kind) {
	case PLUS:
		return a + b;
	case MINUS:
		return a - b;
	case TIMES:
	case SCALED:
		return a * b;
	case OVER:
		return b ? a / b : NAN;
	case SMALLER:
		return fminl(a, b);
	case LARGER:
		return fmaxl(a, b);
	case AVERAGE:
		return (a + b) / 2;
	default:
		return a > b;
	}
}

/*
 * The error is for a divisor or a bound that is not within its own error of
 * where the result would be another one; else it is infinite, and says nothing.
 */
static long double error_of(enum kind kind, struct known a, struct known b)
{
	switch (kind) {
	case TIMES:
	case SCALED:
		return fabsl(a.value) * b.error + fabsl(b.value) * a.error + a.error * b.error;
	case OVER:
		if (fabsl(b.value) <= 2 * b.error)
			return b.value || b.error ? INFINITY : 0;
		return 2 * (a.error + fabsl(a.value / b.value) * b.error) / fabsl(b.value);
	case LIMIT:
		return fabsl(a.value - b.value) > a.error + b.error ? 0 : INFINITY;
	default:
		return a.error + b.error;
	}
}

static struct known known(const struct part *p, unsigned int first, unsigned int end, bool rate)
{
	struct known a, b, all;

	if (p->kind <= GAUGE)
		return known_leaf(p, first, end, rate);
	if (p->kind >= SMALLEST)
		return known_lanes(p, first, end);
	a = known(p->a, first, end, rate || p->kind == RATE);
	if (p->kind == RATE)
		return a;
	if (p->kind == NEGATED)
		return (struct known){ -a.value, a.error };
	b = known(p->b, first, end, rate);
	all.error = error_of(p->kind, a, b);
	all.value = isnan(a.value) || isnan(b.value) ? NAN : operate(p->kind, a.value, b.value);
	all.error += ldexpl(fabsl(all.value), -60);
	return all;
}

static bool has_counter(const struct part *p)
{
	return p && (p->kind == COUNT || p->kind == GAUGE || has_counter(p->a) || has_counter(p->b));
}

/* How many were right, wrong, refused rightly and could not be judged. */
static struct {
	unsigned int right, undefined, wrong, refused, unclear;
} made;

static void check_made(const struct part *p)
{
	struct rcr_failure failure = { };
	unsigned int first = below(LANES), lanes = 1 + below(LANES - first);
	struct known want = known(p, first, first + lanes, false);
	struct rcr_formula f;
	struct rcr_number n;
	int err = rcr_formula_parse(&f, text, &all_names, &failure);

	if (err) {
		made.refused++;
		/* Too much of something, or nothing of what it needs. */
		if (err == -E2BIG || !has_counter(p))
			return;
		ksft_print_msg("%s\n", failure.reason.text);
		made.wrong++;
		return;
	}
	err = evaluate(&f, first, lanes, &n);
	if (!isfinite(want.error) && !isnan(want.value)) {
		made.unclear++;
	} else if (same_value(err, n, want.value, want.error)) {
		made.right++;
		made.undefined += err != 0;
	} else {
		made.wrong++;
		ksft_print_msg("%s: over %u from %u: %Lg, not %Lg\n", text, lanes, first,
			       ldexpl(n.mantissa, n.exponent), want.value);
	}
}

static void test_made(void)
{
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		struct part *p;

		used = 0;
		len = 0;
		p = make(below(6));
		put_part(p);
		check_made(p);
	}
	ksft_print_msg("%u right, %u of them undefined, %u too much or without counter, %u unclear\n",
		       made.right, made.undefined, made.refused, made.unclear);
	ksft_test_result(!made.wrong && made.right > ROUNDS / 2 && made.undefined > 1000,
			 "%u formulas have the values that were made (%u do not)\n", i, made.wrong);
}

/* The grammar of formula.h, to the letter. What is left of a text, or NULL. */
static const char *skip(const char *at)
{
	return at + strspn(at, " \t\n\v\f\r");
}

static const char *take_sum(const char *at);

static const char *take_arguments(const char *at)
{
	at = take_sum(at + 1);
	while (at && *at == ',')
		at = take_sum(at + 1);
	return at && *at == ')' ? skip(at + 1) : NULL;
}

static const char *take_word(const char *at)
{
	static const char * const functions[] = {
		"delta", "rate", "min", "max", "mean", "threshold", "scale",
	};
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.:";
	size_t word = strspn(at, letters), i;

	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (word == strlen(functions[i]) && !strncmp(at, functions[i], word))
			return *skip(at + word) == '(' ? take_arguments(skip(at + word)) : NULL;
	return word && !strchr("0123456789.:", *at) ? skip(at + word) : NULL;
}

static const char *take_number(const char *at)
{
	static const char digits[] = "0123456789";
	const char *exponent;

	at += strspn(at, digits);
	if (*at == '.' && strspn(at + 1, digits))
		at += 1 + strspn(at + 1, digits);
	if (*at == 'e' || *at == 'E') {
		exponent = at + 1 + (at[1] == '-' || at[1] == '+');
		if (strspn(exponent, digits))
			at = exponent + strspn(exponent, digits);
	}
	return skip(at);
}

static const char *take_value(const char *at)
{
	const char *end;

	at = skip(at);
	while (*at == '-')
		at = skip(at + 1);
	if (*at >= '0' && *at <= '9')
		return take_number(at);
	if (*at == '(') {
		at = take_sum(at + 1);
		return at && *at == ')' ? skip(at + 1) : NULL;
	}
	if (*at == '"') {
		end = strchr(at + 1, '"');
		return end && end > at + 1 ? skip(end + 1) : NULL;
	}
	return take_word(at);
}

/* For the mere form of it the signs are alike. */
static const char *take_sum(const char *at)
{
	at = take_value(at);
	while (at && *at && strchr("+-*/x", *at))
		at = take_value(at + 1);
	return at;
}

static bool can_be_formula(const char *t)
{
	const char *end = take_sum(t);

	return end && !*end;
}

static void random_bytes(void)
{
	unsigned int i, n = below(40);

	for (i = 0; i < n; i++)
		text[i] = 1 + below(255);
	text[n] = 0;
}

static void random_words(void)
{
	static const char * const some[] = {
		"INST", "CYC", "x", "x", "xray", "\"L3-MISS\"", "TEMP", "NEVER", "CPI", "BW", "SELF",
		"LOST", "OPEN", "CLOSE", "EMPTY", "BOMB4", "GONE", "tsc_hz", "cpus", "+", "-", "*", "/",
		"x", "+", "-", "*", "/", "(", "(", ")", ")", ",", "min(", "max(", "mean(", "rate(",
		"delta(", "threshold(", "scale(", "min", "3", "0", "1.5", "1e9", "1e-300", "\"", " ",
		"$", "\xa0", "\xc3\x97", ".", ":", "e", "\n",
	};
	unsigned int n = 1 + below(12);

	len = 0;
	text[0] = 0;
	while (n--) {
		put(some[below(ARRAY_SIZE(some))]);
		if (!below(3))
			put(" ");
	}
}

/* A formula of which something was changed. */
static void random_slip(void)
{
	unsigned int i, times = 1 + below(2);
	static const char some[] = "()+-*/x,\" 7.eT_";

	used = 0;
	len = 0;
	put_part(make(below(4)));
	for (; times && len; times--) {
		i = below(len);
		if (below(2))
			text[i] = some[below(sizeof(some) - 1)];
		else
			memmove(text + i, text + i + 1, len-- - i);
	}
}

static bool is_sound(const struct rcr_formula *f)
{
	return f->nodes && f->nodes <= RCR_FORMULA_NODES && f->operands &&
	       f->operands <= RCR_FORMULA_OPERANDS && f->constants <= RCR_FORMULA_NUMBERS;
}

static void test_garbage(void (*make_text)(void), const char *name, unsigned int at_least)
{
	unsigned int i, accepted = 0, wrong = 0;
	struct rcr_formula f;
	struct rcr_number n;

	for (i = 0; i < ROUNDS; i++) {
		struct rcr_failure failure = { };
		int err;

		make_text();
		err = rcr_formula_parse(&f, text, &all_names, &failure);
		if (err) {
			wrong += !failure.reason.text[0] || failure.error != err ||
				 (err != -EINVAL && err != -ENOENT && err != -E2BIG);
			continue;
		}
		accepted++;
		err = evaluate(&f, 0, LANES, &n);
		if (!can_be_formula(text) || !is_sound(&f) || failure.error ||
		    err != (rcr_number_is_defined(n) ? 0 : -EDOM)) {
			ksft_print_msg("%s\n", text);
			wrong++;
		}
	}
	ksft_test_result(!wrong && accepted >= at_least, "%u texts %s: %u are formulas (%u wrongly)\n",
			 i, name, accepted, wrong);
}

/* What can be a formula is refused for its meaning or its size only. */
static void test_grammar(void)
{
	unsigned int i, forms = 0, wrong = 0;

	for (i = 0; i < ROUNDS; i++) {
		struct rcr_failure failure = { };
		struct rcr_formula f;
		bool form;

		random_slip();
		form = can_be_formula(text);
		forms += form;
		rcr_formula_parse(&f, text, &all_names, &failure);
		if (form && (strstr(failure.reason.text, "is expected") || strstr(failure.reason.text, "has no \")\"") ||
			     strstr(failure.reason.text, "quote"))) {
			ksft_print_msg("%s: %s\n", text, failure.reason.text);
			wrong++;
		}
	}
	ksft_test_result(!wrong && forms > 1000,
			 "%u texts of %u have the form of one, and it is not their form that is refused (%u)\n",
			 forms, i, wrong);
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(5);
	test_made();
	test_garbage(random_bytes, "of random bytes", 0);
	test_garbage(random_words, "of random words", 1000);
	test_garbage(random_slip, "with a slip", 1000);
	test_grammar();
	ksft_finished();
}
