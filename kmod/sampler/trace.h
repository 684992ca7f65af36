/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace.h - the tracepoints rcrtool:sample and rcrtool:mark, for perf, trace-cmd and bpftrace.
 *
 * They have the fields of a record of the ring and of a mark of the stream. Each costs a static
 * branch while disabled. Marks are set in control/.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM rcrtool

#if !defined(RCR_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define RCR_TRACE_H

#include <linux/tracepoint.h>
#include <linux/rcrtool.h>

/**
 * sample - a CPU has sampled its counters
 * @r: the record, of type RCR_ITEM_SAMPLE
 * @counters: number of its totals, and of the statuses that follow them
 */
TRACE_EVENT(sample,
	TP_PROTO(const struct rcr_record *r, unsigned int counters),

	TP_ARGS(r, counters),

	TP_STRUCT__entry(
		__field(u64, tick)
		__field(u64, time)
		__field(u64, tsc)
		__field(u32, cpu)
		__field(u32, generation)
		__field(u32, late)
		__field(u32, overruns)
		__field(u32, skipped)
		__field(u32, tgid)
		__field(u32, counters)
		__dynamic_array(u64, totals, counters)
		__dynamic_array(u8, statuses, counters)
	),

	TP_fast_assign(
		__entry->tick = r->tick;
		__entry->time = r->time;
		__entry->tsc = r->tsc;
		__entry->cpu = r->item.cpu;
		__entry->generation = r->item.generation;
		__entry->late = r->late;
		__entry->overruns = r->overruns;
		__entry->skipped = r->skipped;
		__entry->tgid = r->tgid;
		__entry->counters = counters;
		memcpy(__get_dynamic_array(totals), r->value, counters * sizeof(u64));
		memcpy(__get_dynamic_array(statuses), &r->value[counters], counters);
	),

	TP_printk("cpu=%u generation=%u tick=%llu time=%llu tsc=%llu late=%u overruns=%u skipped=%u tgid=%u counters=%u totals=%s statuses=%s",
		__entry->cpu, __entry->generation, __entry->tick, __entry->time,
		__entry->tsc, __entry->late, __entry->overruns, __entry->skipped,
		__entry->tgid, __entry->counters,
		/* Sizes as numbers: perf cannot parse a sizeof. */
		__print_array(__get_dynamic_array(totals), __entry->counters, 8),
		__print_array(__get_dynamic_array(statuses), __entry->counters, 1))
);

/**
 * mark - a user has set a mark
 * @m: the mark; only flags and generation of its item are used
 */
TRACE_EVENT(mark,
	TP_PROTO(const struct rcr_mark *m),

	TP_ARGS(m),

	TP_STRUCT__entry(
		__field(u64, position)
		__field(u64, time)
		__field(u64, tsc)
		__field(u32, generation)
		__field(u32, kind)
		__field(u32, admin)
		__array(char, text, RCR_MARK_LEN)
	),

	TP_fast_assign(
		__entry->position = m->position;
		__entry->time = m->time;
		__entry->tsc = m->tsc;
		__entry->generation = m->item.generation;
		__entry->kind = m->kind;
		__entry->admin = !!(m->item.flags & RCR_MARK_ADMIN);
		memcpy(__entry->text, m->text, RCR_MARK_LEN);
	),

	TP_printk("generation=%u position=%llu time=%llu tsc=%llu kind=%u admin=%u text=%s",
		__entry->generation, __entry->position, __entry->time, __entry->tsc,
		__entry->kind, __entry->admin, __entry->text)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
