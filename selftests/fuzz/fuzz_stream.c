// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_stream.c - the reader of the stream, on bytes that a device would not give. Each
 * item is taken to memory of its own size, so that a read past it is found out.
 */
#include <errno.h>

#include "fuzz.h"
#include "rcr.h"

static uint64_t sum;

static void use_texts(const struct rcr_set *set)
{
	char why[RCR_SENTENCE_LEN];
	unsigned int i;

	sum += strlen(rcr_reason_text(&set->reason, why, sizeof(why)));
	sum += strlen(set->family) + strlen(set->source);
	for (i = 0; i < set->ncounters; i++)
		sum += strlen(rcr_set_counter(set, i)->name) + rcr_set_is_slow(set, i) +
		       rcr_set_is_gauge(set, i);
	for (i = 0; i < set->ncpus + 1; i++)
		sum += rcr_set_has_cpu(set, i);
}

static void use_record(const struct rcr_set *set, const struct rcr_record *r)
{
	const struct rcr_slow *slow = rcr_record_slow(set, r);
	unsigned int i;

	FUZZ_HOLDS(r->item.cpu < set->ncpus);
	for (i = 0; r->item.type == RCR_ITEM_SAMPLE && i < set->ncounters; i++)
		sum += rcr_record_total(set, r, i) + strlen(rcr_status_name(rcr_record_status(set, r, i)));
	for (i = 0; r->item.type != RCR_ITEM_SAMPLE && i < 3; i++)
		sum += r->value[i];
	sum += r->tick + (slow ? slow->tsc_end - slow->tsc : 0);
}

static void use(const struct rcr_reader *reader, const struct rcr_item *item)
{
	const struct rcr_mark *mark = (const struct rcr_mark *)item;
	const struct rcr_lost *lost = (const struct rcr_lost *)item;

	switch (item->type) {
	case RCR_ITEM_SET:
		use_texts((const struct rcr_set *)item);
		break;
	case RCR_ITEM_MARK:
		sum += strlen(mark->text) + strlen(rcr_mark_kind_name(mark->kind));
		break;
	case RCR_ITEM_NODE:
		sum += strlen(((const struct rcr_node *)item)->text);
		break;
	case RCR_ITEM_LOST:
		sum += lost->position + lost->count;
		break;
	case RCR_ITEM_SAMPLE:
	case RCR_ITEM_CLOCK:
	case RCR_ITEM_STRIDE:
		use_record(rcr_reader_set(reader), (const struct rcr_record *)item);
		break;
	}
}

/* To the end; how many bytes the items had. */
static size_t read_all(struct rcr_reader *reader)
{
	const struct rcr_item *item;
	size_t bytes = 0;
	char *copy;

	while (rcr_next(reader, &item, 0) == 1) {
		bytes += item->size;
		copy = fuzz_copy(item, item->size);
		use(reader, (const struct rcr_item *)copy);
		free(copy);
	}
	FUZZ_HOLDS(errno == ENODATA || errno == EPROTO);
	return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rcr_reader *reader = rcr_open(fuzz_file(data, size));
	size_t first, again;
	char text[64];

	if (!reader) {
		FUZZ_HOLDS(errno == EPROTO);
		sum += strlen(rcr_open_error(NULL, errno, text, sizeof(text)));
		return 0;
	}
	use_texts(rcr_reader_set(reader));
	first = read_all(reader);
	FUZZ_HOLDS(!rcr_rewind(reader));
	again = read_all(reader);
	FUZZ_HOLDS(first < again && again <= size);
	rcr_close(reader);
	return 0;
}
