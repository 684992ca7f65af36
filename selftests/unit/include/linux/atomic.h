/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_LINUX_ATOMIC_H
#define UNIT_LINUX_ATOMIC_H

typedef struct {
	int counter;
} atomic_t;

static inline int atomic_read(const atomic_t *v)
{
	return __atomic_load_n(&v->counter, __ATOMIC_RELAXED);
}

static inline void atomic_or(int bits, atomic_t *v)
{
	__atomic_fetch_or(&v->counter, bits, __ATOMIC_SEQ_CST);
}

static inline void atomic_andnot(int bits, atomic_t *v)
{
	__atomic_fetch_and(&v->counter, ~bits, __ATOMIC_SEQ_CST);
}

#define xchg(p, val) __atomic_exchange_n(p, val, __ATOMIC_SEQ_CST)
#define cmpxchg(p, old, new) ({							\
	__typeof__(*(p)) _old = (old);						\
	__atomic_compare_exchange_n(p, &_old, new, 0, __ATOMIC_SEQ_CST,		\
				    __ATOMIC_SEQ_CST);				\
	_old; })

#endif
