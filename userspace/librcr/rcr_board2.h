/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * rcr_board2.h - librcr: layout of blackboard 2: the memory that a program shares with rcrd, the
 * page of verdicts, and the messages of /run/rcrtool/board.sock. Programs that use librcr need only
 * rcr_threads.h; this is for runtimes with their own implementation. The rules are in
 * Documentation/dev/interface.md, section 11.
 */
#ifndef RCR_BOARD2_H
#define RCR_BOARD2_H

#include <stdint.h>

#ifndef RCR_BOARD2_SOCKET
#define RCR_BOARD2_SOCKET	"/run/rcrtool/board.sock"
#endif

#define RCR_BOARD2_VERSION		1
#define RCR_BOARD2_COMPAT_VERSION	1

#define RCR_SLOTS_MAGIC		0x524352534c4f5453ull	/* "RCRSLOTS" */
#define RCR_VERDICTS_MAGIC	0x5243525645524443ull	/* "RCRVERDC" */

#define RCR_THREADS_MAX		4096	/* maximum number of slots of a program */
#define RCR_THREADS_PAGE	64	/* number of slots by which librcr grows */

/* Maximum size of a memfd of slots, bytes: a page, and RCR_THREADS_MAX slots. */
#define RCR_SLOTS_BYTES		(4096 + RCR_THREADS_MAX * 64)

/* Size of the page of verdicts, bytes. */
#define RCR_VERDICTS_BYTES	4096

/**
 * struct rcr_slots - head of a program's memory, at offset 0
 * @magic: RCR_SLOTS_MAGIC
 * @version: RCR_BOARD2_VERSION
 * @compat_version: oldest version whose readers can read it
 * @slot_size: distance of two struct rcr_thread, bytes
 * @slot_offset: offset of the first from the head, bytes
 * @slots: number of slots that may be in use; grows while the program runs
 * @size: size of this head, bytes
 */
struct rcr_slots {
	uint64_t magic;
	uint32_t version;
	uint32_t compat_version;
	uint32_t slot_size;
	uint32_t slot_offset;
	uint32_t slots;
	uint32_t size;
};

enum rcr_thread_state {
	RCR_THREAD_FREE		= 0,
	RCR_THREAD_TAKEN	= 1,	/* being filled in */
	RCR_THREAD_RUNNING	= 2,
};

/**
 * struct rcr_thread - a slot: the state that a thread reports
 * @state: enum rcr_thread_state
 * @tid: thread id in the program's own namespace
 * @id: thread id that the program has chosen
 * @pc: code location
 * @wish: value defined by the program
 * @since: TSC of the last write
 * @updates: number of updates
 * @pad: 0
 */
struct rcr_thread {
	uint32_t state;
	uint32_t tid;
	uint64_t id;
	uint64_t pc;
	uint64_t wish;
	uint64_t since;
	uint64_t updates;
	uint64_t pad[2];
};

/**
 * struct rcr_verdicts - head of the page that rcrd passes to a program
 * @magic: RCR_VERDICTS_MAGIC
 * @version: RCR_BOARD2_VERSION
 * @compat_version: oldest version whose readers can read it
 * @heartbeat: TSC at the last heartbeat of rcrd
 * @stale_after: age at which @heartbeat is too old, TSC cycles; 0: not known yet
 * @size: size of this head, bytes
 * @verdict_size: distance of two verdicts, bytes
 * @verdict_offset: offset of the first from the head, bytes
 * @verdicts: number of verdicts; 0 in this version
 */
struct rcr_verdicts {
	uint64_t magic;
	uint32_t version;
	uint32_t compat_version;
	uint64_t heartbeat;
	uint64_t stale_after;
	uint32_t size;
	uint32_t verdict_size;
	uint32_t verdict_offset;
	uint32_t verdicts;
};

/**
 * struct rcr_join - first and only message of a program, sent with the memfd of its slots
 * @size: size of this structure, bytes
 * @version: RCR_BOARD2_VERSION
 * @compat_version: oldest version of rcrd that understands it
 * @pad: 0
 * @start_time: start time of the process, field 22 of its /proc/PID/stat; 0: not known
 */
struct rcr_join {
	uint32_t size;
	uint32_t version;
	uint32_t compat_version;
	uint32_t pad;
	uint64_t start_time;
};

/**
 * struct rcr_welcome - the only answer, sent with the memfd of verdicts if @error is 0
 * @size: size of this structure, bytes
 * @version: RCR_BOARD2_VERSION
 * @compat_version: oldest version of a program that understands it
 * @error: 0, or an errno: EPROTO the versions are not compatible, EINVAL the memfd or the
 *	message is invalid, EUSERS there are too many programs, of this user or in total
 */
struct rcr_welcome {
	uint32_t size;
	uint32_t version;
	uint32_t compat_version;
	uint32_t error;
};

#endif
