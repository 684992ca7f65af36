// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ctf.c - a trace in the Common Trace Format 1.8, for babeltrace2 and Trace Compass.
 *
 * The output is a directory with two files: metadata, in CTF's description language, and stream,
 * with one packet of events. An event is a counter or gauge of a CPU or unit in an interval, the
 * reason why it is missing, or a mark. Integers are little-endian; everything is aligned to bytes.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "config/node.h"
#include "format/format.h"
#include "format/values.h"
#include "interval/interval.h"

#define CTF_MAGIC 0xc1fc1fc1u

enum ctf_event {
	CTF_COUNTER,
	CTF_GAUGE,
	CTF_MISSING,
	CTF_MARK,
};

static const char description[] =
	"\ttypealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
	"\ttypealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
	"\ttypealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
	"\ttypealias integer { size = 64; align = 8; signed = false; map = clock.realtime.value; } := time_t;\n";

/* Name and fields of the events, by enum ctf_event. */
static const struct {
	const char *name;
	const char *fields;
} events[] = {
	[CTF_COUNTER] = { "counter",
			  "string place; string counter; uint64_t total; uint64_t rate_tenths;" },
	[CTF_GAUGE] = { "gauge", "string place; string counter; uint64_t value_tenths;" },
	[CTF_MISSING] = { "missing", "string place; string counter; string status;" },
	[CTF_MARK] = { "mark", "string kind; string text; uint32_t lost;" },
};

#define EVENTS (sizeof(events) / sizeof(events[0]))

/* Writes a string of the description language. */
static void print_quoted(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void print_environment(FILE *out, const struct node *node)
{
	unsigned int i;

	fputs("env {\n\thostname = ", out);
	print_quoted(out, node->producer);
	fputs(";\n\tdomain = \"kernel\";\n\ttracer_name = \"rcrtool\";\n", out);
	if (node->has_component)
		fprintf(out, "\tcomponent_id = %" PRIu64 ";\n", node->component);
	if (*node->cluster) {
		fputs("\tcluster = ", out);
		print_quoted(out, node->cluster);
		fputs(";\n", out);
	}
	for (i = 0; i < node->tags; i++) {
		fprintf(out, "\ttag_%u = ", i);
		print_quoted(out, node->tag[i].name);
		fprintf(out, ";\n\ttag_%u_value = ", i);
		print_quoted(out, node->tag[i].value);
		fputs(";\n", out);
	}
	fputs("};\n\n", out);
}

static void print_event_classes(FILE *out)
{
	unsigned int i;

	for (i = 0; i < EVENTS; i++)
		fprintf(out, "event {\n\tname = \"rcrtool:%s\";\n\tid = %u;\n\tstream_id = 0;\n\tfields := struct { %s };\n};\n\n",
			events[i].name, i, events[i].fields);
}

static void print_metadata(FILE *out, const struct node *node)
{
	/* The module is for x86-64 only. */
	fprintf(out, "/* CTF 1.8 */\n\ntrace {\n\tmajor = 1;\n\tminor = 8;\n\tbyte_order = le;\n");
	fprintf(out, "\tpacket.header := struct { integer { size = 32; align = 8; signed = false; } magic; integer { size = 32; align = 8; signed = false; } stream_id; };\n};\n\n");
	print_environment(out, node);
	fputs("clock {\n\tname = realtime;\n\tfreq = 1000000000;\n\toffset = 0;\n\tabsolute = true;\n};\n\n", out);
	fputs(description, out);
	fputs("\nstream {\n\tid = 0;\n\tevent.header := struct { uint16_t id; time_t timestamp; };\n};\n\n", out);
	print_event_classes(out);
}

static void put_ctf_u16(FILE *out, uint16_t number)
{
	fwrite(&number, sizeof(number), 1, out);
}

static void put_ctf_u32(FILE *out, uint32_t number)
{
	fwrite(&number, sizeof(number), 1, out);
}

static void put_ctf_u64(FILE *out, uint64_t number)
{
	fwrite(&number, sizeof(number), 1, out);
}

static void put_string0(FILE *out, const char *text)
{
	fwrite(text, strlen(text) + 1, 1, out);
}

static int write_metadata(const struct page *p)
{
	char path[PATH_MAX];
	FILE *out;
	bool wrong;

	if (snprintf(path, sizeof(path), "%s/metadata", p->directory) >= (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	out = fopen(path, "we");
	if (!out)
		return -1;
	print_metadata(out, p->node);
	wrong = ferror(out);
	return fclose(out) || wrong ? -1 : 0;
}

/* Writes the metadata once: it is the same for all sets. */
static int ctf_begin(const struct page *p)
{
	if (p->sets)
		return 0;
	put_ctf_u32(p->out, CTF_MAGIC);
	put_ctf_u32(p->out, 0);
	return write_metadata(p);
}

/* Writes the header of an event. Readers reject times that go back: clamp that of a late mark. */
static void put_header(FILE *out, enum ctf_event event, uint64_t time)
{
	static uint64_t latest;

	if (time > latest)
		latest = time;
	put_ctf_u16(out, event);
	put_ctf_u64(out, latest);
}

static void put_value(void *to, const struct value *value)
{
	const struct page *p = to;
	bool right = value_is_ok(value) && value->known;

	put_header(p->out, !right ? CTF_MISSING : value->gauge ? CTF_GAUGE : CTF_COUNTER,
		   intervals_wall_time(p->v));
	put_string0(p->out, value->place);
	put_string0(p->out, value->event);
	if (!right)
		put_string0(p->out, value->status);
	else if (!value->gauge)
		put_ctf_u64(p->out, value->total);
	if (right)
		put_ctf_u64(p->out, value->tenths);
}

static void ctf_line(const struct page *p)
{
	values_visit(p->v, p->view, put_value, (void *)p);
}

static void ctf_mark(const struct page *p, const struct rcr_mark *mark)
{
	put_header(p->out, CTF_MARK, mark->time + p->v->offset);
	put_string0(p->out, rcr_mark_kind_name(mark->kind));
	put_string0(p->out, mark->text);
	put_ctf_u32(p->out, mark->lost);
}

const struct format format_ctf = {
	.name = "ctf",
	.chosen = true,
	.identified = true,
	.single = true,
	.directory = "stream",
	.set = ctf_begin,
	.line = ctf_line,
	.mark = ctf_mark,
};
