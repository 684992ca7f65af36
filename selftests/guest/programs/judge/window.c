// SPDX-License-Identifier: GPL-2.0-only
/*
 * window.c WINDOW STREAM MS - compares a window of the flight recorder with a stream that was read
 * from /dev/rcrtool at the same time: the window must have exactly the records of the last MS
 * milliseconds before the trigger, byte for byte, and the same marks.
 *
 * Prints one line per check, with the number of deviations.
 *
 * window.c marks STREAM - prints the flags and the text of each mark.
 */
#include <sys/stat.h>

#include "stream.h"

#define MAX_CPUS 256

/**
 * struct items - the items of a stream in a file
 * @bytes: the items
 * @size: bytes of complete items
 */
struct items {
	char *bytes;
	size_t size;
};

/* Load a file. A reader that was killed may have left an incomplete item, which is ignored. */
static struct items load(const char *path)
{
	struct items s = { 0 };
	struct stat st;
	size_t at = 0;
	FILE *in = fopen(path, "r");

	if (!in || fstat(fileno(in), &st))
		exit(1);
	s.bytes = malloc(st.st_size + 1);
	if (!s.bytes || fread(s.bytes, 1, st.st_size, in) != (size_t)st.st_size)
		exit(1);
	fclose(in);
	while (at + sizeof(struct rcr_item) <= (size_t)st.st_size) {
		uint32_t size = ((struct rcr_item *)(s.bytes + at))->size;

		if (size < sizeof(struct rcr_item) || size > st.st_size - at)
			break;
		at += size;
	}
	s.size = at;
	return s;
}

/* Return the item after @item (NULL: the first one), or NULL after the last one. */
static const struct rcr_item *after(const struct items *s, const struct rcr_item *item)
{
	const char *next = item ? (const char *)item + item->size : s->bytes;

	return next < s->bytes + s->size ? (const void *)next : NULL;
}

static bool is_record(const struct rcr_item *item)
{
	return item->type >= RCR_ITEM_SAMPLE && item->cpu < MAX_CPUS;
}

static uint64_t time_of(const struct rcr_item *item)
{
	if (is_record(item))
		return ((const struct rcr_record *)item)->time;
	return item->type == RCR_ITEM_MARK ? ((const struct rcr_mark *)item)->time : 0;
}

static uint64_t position_of(const struct rcr_item *item)
{
	return is_record(item) ? ((const struct rcr_record *)item)->position :
				 ((const struct rcr_mark *)item)->position;
}

/* Return the last item, which must be the mark of the trigger. */
static const struct rcr_mark *trigger_of(const struct items *window)
{
	const struct rcr_item *item, *last = NULL;

	for (item = after(window, NULL); item; item = after(window, item))
		last = item;
	if (!last || last->type != RCR_ITEM_MARK)
		return NULL;
	return (const struct rcr_mark *)last;
}

/* Count holes in positions, records reported as lost, and items out of order. */
static void judge_window(const struct items *window, uint64_t begin, uint64_t end)
{
	unsigned int holes = 0, lost = 0, disorder = 0, outside = 0, sets = 0;
	uint64_t next[MAX_CPUS], time = 0;
	const struct rcr_item *item;

	memset(next, 0xff, sizeof(next));
	for (item = after(window, NULL); item; item = after(window, item)) {
		sets += item->type == RCR_ITEM_SET;
		lost += item->type == RCR_ITEM_LOST;
		if (!is_record(item) && item->type != RCR_ITEM_MARK)
			continue;
		disorder += time_of(item) < time;
		time = time_of(item);
		outside += time <= begin || time > end;
		if (!is_record(item))
			continue;
		if (next[item->cpu] != ~0ull)
			holes += position_of(item) != next[item->cpu];
		next[item->cpu] = position_of(item) + 1;
	}
	printf("window: %u set, %u lost, %u holes, %u out of order, %u outside\n", sets, lost,
	       holes, disorder, outside);
}

/*
 * Find the item of the window with the CPU and position of @like. Positions rise, so start at the
 * previous match.
 */
static const struct rcr_item *find(const struct items *window, const struct rcr_item *like)
{
	static const struct rcr_item *from[MAX_CPUS + 1];
	unsigned int place = is_record(like) ? like->cpu : MAX_CPUS;
	const struct rcr_item *item = from[place];

	for (item = item ? item : after(window, NULL); item; item = after(window, item)) {
		if (is_record(item) != is_record(like) || item->cpu != like->cpu ||
		    (!is_record(item) && item->type != RCR_ITEM_MARK))
			continue;
		if (position_of(item) > position_of(like))
			return NULL;
		if (position_of(item) == position_of(like)) {
			from[place] = item;
			return item;
		}
	}
	return NULL;
}

/* Count items that the window lacks, that differ, and that only the window has. */
static void compare(const struct items *window, const struct items *stream,
		    uint64_t begin, uint64_t end, uint32_t generation)
{
	unsigned int records = 0, marks = 0, missing = 0, different = 0, cpus = 0, kept = 0;
	unsigned int older = 0;
	bool seen[MAX_CPUS] = { false }, early = false, late = false;
	const struct rcr_item *item, *same;

	for (item = after(window, NULL); item; item = after(window, item))
		kept += is_record(item);
	for (item = after(stream, NULL); item; item = after(stream, item)) {
		if (item->generation != generation ||
		    (!is_record(item) && item->type != RCR_ITEM_MARK))
			continue;
		early |= is_record(item) && time_of(item) <= begin;
		late |= is_record(item) && time_of(item) > end;
		older += !is_record(item) && time_of(item) <= begin;
		if (time_of(item) <= begin || time_of(item) > end)
			continue;
		records += is_record(item);
		marks += !is_record(item);
		if (is_record(item) && !seen[item->cpu])
			cpus += seen[item->cpu] = true;
		same = find(window, item);
		missing += !same;
		different += same && (same->size != item->size || memcmp(same, item, item->size));
	}
	printf("compared: %u cpus, %u marks, %u missing, %u different, %d more%s%s\n", cpus,
	       marks, missing, different, (int)(kept - records), early ? "" : ", began too late",
	       late ? "" : ", ended too early");
	printf("records: %u, before them %u marks\n", records, older);
}

/* Check that every tick of every CPU is in the stream, or counted as missed. */
static void judge_stream(const struct items *stream)
{
	const struct rcr_record *last[MAX_CPUS] = { NULL }, *r;
	unsigned int lost = 0, holes = 0, unaccounted = 0;
	const struct rcr_item *item;

	for (item = after(stream, NULL); item; item = after(stream, item)) {
		lost += item->type == RCR_ITEM_LOST;
		if (item->type == RCR_ITEM_SET)
			memset(last, 0, sizeof(last));
		if (!is_record(item))
			continue;
		r = (const struct rcr_record *)item;
		if (last[item->cpu]) {
			holes += r->position != last[item->cpu]->position + 1;
			unaccounted += item->type == RCR_ITEM_SAMPLE &&
				       r->tick - last[item->cpu]->tick !=
				       1ull + r->overruns + r->skipped;
		}
		last[item->cpu] = r;
	}
	printf("sampling: %u lost, %u holes, %u ticks unaccounted\n", lost, holes, unaccounted);
}

static int print_marks(const struct items *stream)
{
	const struct rcr_item *item;

	for (item = after(stream, NULL); item; item = after(stream, item))
		if (item->type == RCR_ITEM_MARK)
			printf("%u %s\n", item->flags, ((const struct rcr_mark *)item)->text);
	return 0;
}

int main(int argc, char **argv)
{
	const struct rcr_mark *trigger;
	struct items window, stream;
	uint64_t length;

	if (argc == 3 && !strcmp(argv[1], "marks")) {
		stream = load(argv[2]);
		return print_marks(&stream);
	}
	if (argc != 4)
		return 2;
	window = load(argv[1]);
	stream = load(argv[2]);
	length = strtoull(argv[3], NULL, 10) * 1000000;
	trigger = trigger_of(&window);
	if (!trigger) {
		puts("window: the last item is not a mark");
		return 1;
	}
	puts(trigger->text);
	judge_window(&window, trigger->time - length, trigger->time);
	compare(&window, &stream, trigger->time - length, trigger->time,
		trigger->item.generation);
	judge_stream(&stream);
	printf("span: %llu %llu\n", trigger->time - length, trigger->time);
	return 0;
}
