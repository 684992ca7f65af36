/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_LINUX_PERCPU_H
#define UNIT_LINUX_PERCPU_H

#define UNIT_CPUS 4

#define DEFINE_PER_CPU(type, name) __typeof__(type) name[UNIT_CPUS]
#define per_cpu(name, cpu) (name)[cpu]
#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < UNIT_CPUS; (cpu)++)

#endif
