/* SPDX-License-Identifier: GPL-2.0-only */
/* labelled_machine.h - describes the machine of a recording of labelled.h to the models. */
#ifndef RCR_LABELLED_MACHINE_H
#define RCR_LABELLED_MACHINE_H

#include "labelled.h"
#include "model/machine.h"

static inline void labelled_machine(struct machine *m, const struct labelled_options *o)
{
	unsigned int i;

	*m = (struct machine){ .cpus = o->nodes * o->node_cpus, .nodes = o->nodes };
	for (i = 0; i < m->cpus; i++)
		m->node_of[i] = i / o->node_cpus;
	for (i = 0; i < m->nodes; i++)
		m->capacity[i] = LABELLED_CPU_LINES * o->node_cpus;
}

#endif
