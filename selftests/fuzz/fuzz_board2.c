// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_board2.c - input that rcrd reads from its clients: messages of board.sock, the header of a
 * memfd of slots, requests of the control socket, and lines of /proc/PID/stat.
 */
#include "fuzz.h"
#include "request.h"
#include "threads/join.h"
#include "threads/peer.h"
#include "threads/slots.h"

static void try_message(const char *bytes, size_t size)
{
	struct rcr_join join;

	if (join_parse(bytes, size, &join))
		return;
	FUZZ_HOLDS(join.size == size && size <= JOIN_MAX);
	FUZZ_HOLDS(join.version >= RCR_BOARD2_COMPAT_VERSION &&
		   join.compat_version <= RCR_BOARD2_VERSION && !join.pad);
}

/* All slots of an accepted header are within the largest memfd. */
static void try_head(struct fuzz_input *in)
{
	struct slots_form form;
	struct rcr_slots head;

	fuzz_bytes(in, &head, sizeof(head));
	if (fuzz_byte(in) % 2) {
		head.magic = RCR_SLOTS_MAGIC;
		head.version = RCR_BOARD2_VERSION;
		head.compat_version = RCR_BOARD2_COMPAT_VERSION;
	}
	if (!slots_parse(&head, &form))
		return;
	FUZZ_HOLDS(form.size >= sizeof(struct rcr_thread) &&
		   form.size <= sizeof(((struct slots_reader *)0)->bytes));
	FUZZ_HOLDS(form.offset + (uint64_t)form.count * form.size <= RCR_SLOTS_BYTES);
}

static void try_request(const char *bytes, size_t size)
{
	struct why why = { "" };
	struct request r;

	if (request_parse(bytes, size, &r, &why))
		FUZZ_HOLDS(*why.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	unsigned int kind = fuzz_byte(&in) % 4;
	char *text;

	if (kind == 1) {
		try_head(&in);
		return 0;
	}
	text = fuzz_copy(in.data, in.size);
	if (kind == 0)
		try_message(text, in.size);
	else if (kind == 2)
		try_request(text, in.size);
	else
		peer_parse_stat(text);
	free(text);
	return 0;
}
