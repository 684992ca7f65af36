// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_marks.c - marks of jobs among samples, in any order and number, as pmdarcr reads them.
 *
 * A job counts no more than the counters did, and each run has a begin mark of its own.
 */
#include "jobs_fuzz.h"

static struct runs runs;
static struct made_set set;
static uint64_t now_ms, counted[MAKER_CPUS], begins, position;

/* Add a mark whose id is one of few, so that others are of the same job, or any bytes. */
static void put_mark(struct fuzz_input *in)
{
	unsigned int kind = fuzz_byte(in), length = fuzz_byte(in) % RCR_MARK_LEN;
	struct rcr_mark m = make_mark(now_ms * 1000000 - kind / 8 * 100000, kind % 6, "");

	m.item.generation = set.set.item.generation;
	m.position = position++;
	m.lost = fuzz_byte(in) % 16 ? 0 : 3;
	position += m.lost;
	if (length < 64)
		m.text[0] = 'a' + length % 4;
	else
		fuzz_bytes(in, m.text, length);
	begins += m.kind == RCR_MARK_BEGIN;
	runs_add(&runs, &m.item);
	if (length % 3 && runs.opens)
		runs_set_group(&runs, runs.open[length % runs.opens], 1 + length % 2);
}

static void put_sample(struct fuzz_input *in)
{
	unsigned int cpu = fuzz_byte(in) % MAKER_CPUS, what = fuzz_byte(in);
	struct made_record r;

	counted[cpu] += what * 1000;
	r = make_sample(cpu, now_ms, counted[cpu], counted[cpu] / 1000);
	r.record.item.generation = set.set.item.generation;
	r.record.changes = what / 64;
	r.record.cgroup = what % 3;
	set_status(&r, 0, what % 8 ? RCR_STATUS_OK : what / 8);
	runs_add(&runs, &r.record.item);
}

static void put_lost(struct fuzz_input *in)
{
	struct rcr_lost lost = {
		.item = { sizeof(lost), RCR_ITEM_LOST, 0, fuzz_byte(in) % MAKER_CPUS,
			  set.set.item.generation },
		.count = 1,
	};

	runs_add(&runs, &lost.item);
}

static void put_set(void)
{
	memset(counted, 0, sizeof(counted));
	position = 0;
	fuzz_set_runs(&runs, &set, set.set.item.generation + 1);
}

static void do_one(struct fuzz_input *in)
{
	switch (fuzz_byte(in) % 8) {
	case 0:
	case 1:
		put_mark(in);
		return;
	case 2:
		put_lost(in);
		return;
	case 3:
		put_set();
		return;
	case 4:
		runs_sync(&runs);
		runs_flush(&runs, runs.time);
		return;
	case 5:
		runs_expire(&runs, runs.time + runs.offset);
		return;
	default:
		now_ms += fuzz_byte(in) % 32;
		put_sample(in);
	}
}

/* No job counts more than all CPUs did in all sets, and its tasks no more than the job. */
static void check_totals(uint64_t most)
{
	const struct run_total *total;
	unsigned int i, n;

	for (i = 0; i < runs.count; i++)
		for (n = 0; n < runs.run[i]->totals; n++) {
			total = &runs.run[i]->total[n];
			FUZZ_HOLDS(total->gauge || total->count <= most);
			FUZZ_HOLDS(!total->has_estimate || (total->known && total->estimate <= total->count &&
							    total->error <= total->estimate / 10 + 1));
			FUZZ_HOLDS(total->has_estimate == !*total->estimate_reason);
		}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };

	set = make_set();
	now_ms = 100;
	begins = 0;
	position = 0;
	memset(counted, 0, sizeof(counted));
	fuzz_set_runs(&runs, &set, 1);
	while (in.size)
		do_one(&in);
	runs_sync(&runs);
	fuzz_check_runs(&runs);
	FUZZ_HOLDS(runs.serial <= begins);
	runs_flush(&runs, UINT64_MAX);
	fuzz_check_runs(&runs);
	check_totals((uint64_t)size * UINT8_MAX * 1000);
	runs_free(&runs);
	return 0;
}
