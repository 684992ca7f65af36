/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_ASM_BARRIER_H
#define UNIT_ASM_BARRIER_H

/* C11 fences that are at least as strong as the kernel's barriers. */
#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_store_release(p, val) __atomic_store_n(p, val, __ATOMIC_RELEASE)
#define smp_load_acquire(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)

#endif
