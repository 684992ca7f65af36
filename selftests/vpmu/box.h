/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * box.h - units that the CPUs of a package share, such as a northbridge, a cache or a memory
 * controller: each is a box of counters.
 */
#ifndef RCR_VPMU_BOX_H
#define RCR_VPMU_BOX_H

#include "model.h"
#include "rate.h"

#define VPMU_BOX_COUNTERS	16
#define VPMU_BOX_OTHERS		4

enum vpmu_box_what {
	VPMU_BOX_END,
	VPMU_BOX_CONTROL,	/* a counter's event select */
	VPMU_BOX_COUNT,		/* its count: bits above its width are dropped */
	VPMU_BOX_OTHER,		/* anything else: box->other[] */
	VPMU_BOX_STATUS,	/* read-only: box->overflow */
	VPMU_BOX_CLEAR,		/* clears bits of box->overflow, reads 0 */
	VPMU_BOX_ABSENT,	/* no register here: #GP, read or written */
};

/* Registers of one kind, at first, first + step, ... */
struct vpmu_box_registers {
	enum vpmu_box_what what;
	uint32_t first, step, number;
	unsigned int index;	/* of the first: counter, or box->other[] */
	uint64_t reserved;	/* bits that raise #GP when one is written */
};

/* A box and its counters. */
struct vpmu_box {
	const struct vpmu_box_type *type;
	unsigned int instance;		/* see rate.h */
	struct vpmu_counter counter[VPMU_BOX_COUNTERS];
	uint64_t other[VPMU_BOX_OTHERS];
	uint64_t overflow;
	bool frozen;			/* by its package's U-box */
	struct vpmu_box *next;		/* the package's next PCI function */
};

/* A type of box, as a manual describes it. */
struct vpmu_box_type {
	enum vpmu_unit unit;
	unsigned int boxes;		/* in a package, or in a die */
	bool of_die;
	uint32_t stride;		/* from a box's registers to the next box's */
	const uint16_t *offset;		/* or each one's from those in the table */
	unsigned int width;		/* of its counters, in bits */
	unsigned int width_of_8;	/* of counter 8, if that is another */
	uint64_t reset;			/* bit of a control that clears the count */
	bool saturates;			/* at its width, instead of wrapping */
	bool early;			/* a freeze must be enabled: Sandy Bridge-EP */
	const struct vpmu_box_registers *registers;

	/* Returns what counter @i counts by the present registers. */
	struct vpmu_what (*what)(const struct vpmu_box *box, unsigned int i);
	/* Returns the same for exec mode; NULL: the box counts nothing there. */
	struct vpmu_event (*event)(const struct vpmu_box *box, unsigned int i);
	/* Returns the bit of counter @i in the overflow status; NULL: it has none. */
	uint64_t (*bit)(unsigned int i);
	/* Called after other[@i] was written. */
	void (*wrote)(struct vpmu_box *box, unsigned int i, uint64_t tsc);
};

/*
 * vpmu_box_preset() - makes counter @i count on from @val
 *
 * Called with the boxes' lock held, like all functions of a type.
 */
void vpmu_box_preset(struct vpmu_box *box, unsigned int i, uint64_t tsc,
		     uint64_t val);

/*
 * vpmu_box_freeze_package() - stops or restarts all boxes of a package
 *
 * Called with the boxes' lock held.
 */
void vpmu_box_freeze_package(unsigned int package, uint64_t tsc, bool frozen);

/*
 * vpmu_box_add_function() - adds a box that is a PCI function to a package
 *
 * Called before the guest runs.
 */
void vpmu_box_add_function(struct vpmu_box *box, unsigned int package);

/**
 * vpmu_box_read(), vpmu_box_write() - access a register that is not an MSR
 * @at: its address in the table of the type
 */
enum vpmu_answer vpmu_box_read(struct vpmu_box *box, uint32_t at, uint64_t tsc,
			       uint64_t *val);
enum vpmu_answer vpmu_box_write(struct vpmu_box *box, uint32_t at, uint64_t tsc,
				uint64_t val);

#endif
