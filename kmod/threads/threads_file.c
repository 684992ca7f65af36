// SPDX-License-Identifier: GPL-2.0-only
/*
 * threads_file.c - debugfs "threads": the taken slots of blackboard 2, a line each.
 */
#include <linux/module.h>
#include <linux/seq_file.h>

#include "threads.h"
#include "threads_file.h"

static void *seek(struct rcr_threads_cursor *cursor, bool found, loff_t *pos)
{
	if (!found)
		return NULL;
	*pos = rcr_threads_position(cursor);
	return cursor;
}

static void *threads_start(struct seq_file *m, loff_t *pos)
{
	struct rcr_threads_cursor *cursor = m->private;

	return seek(cursor, rcr_threads_seek(cursor, *pos), pos);
}

static void *threads_next(struct seq_file *m, void *v, loff_t *pos)
{
	u64 here = rcr_threads_position(v);
	void *next = seek(v, rcr_threads_next(v), pos);

	/* seq_file wants it moved on behind the last one, too. */
	if (!next)
		*pos = here + 1;
	return next;
}

/* Between two reads nobody is held: the client may go. */
static void threads_stop(struct seq_file *m, void *v)
{
	rcr_threads_leave(m->private);
}

static int threads_show(struct seq_file *m, void *v)
{
	const struct rcr_threads_cursor *cursor = v;
	const struct rcr_thread *t = &cursor->thread;

	seq_printf(m, "tgid %u tid %u id %llu pc 0x%llx state ", cursor->tgid, t->tid,
		   t->id, t->pc);
	if (t->state == RCR_THREAD_RUNNING)
		seq_puts(m, "running");
	else if (t->state == RCR_THREAD_TAKEN)
		seq_puts(m, "taken");
	else
		seq_printf(m, "0x%x", t->state);
	seq_printf(m, " wish 0x%llx\n", t->wish);
	return 0;
}

static const struct seq_operations threads_ops = {
	.start = threads_start,
	.next = threads_next,
	.stop = threads_stop,
	.show = threads_show,
};

static int threads_open(struct inode *inode, struct file *file)
{
	return seq_open_private(file, &threads_ops, sizeof(struct rcr_threads_cursor));
}

const struct file_operations rcr_threads_fops = {
	.owner = THIS_MODULE,
	.open = threads_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = seq_release_private,
};
