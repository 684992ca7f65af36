// SPDX-License-Identifier: GPL-2.0-only
/*
 * chardev.c - /dev/rcrtool: the stream of all CPUs, for any number of readers. Its contract is
 * in section 3 of Documentation/dev/interface.md.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/poll.h>

#include "interface.h"
#include "copy.h"
#include "control/control.h"
#include "ring/ring.h"
#include "stream/stream.h"

static int chardev_open(struct inode *inode, struct file *file)
{
	file->private_data = rcr_stream_open(RCR_ALL_CPUS);
	return file->private_data ? 0 : -ENOMEM;
}

static int chardev_release(struct inode *inode, struct file *file)
{
	rcr_control_release(file);
	rcr_stream_close(file->private_data);
	return 0;
}

/* A reader of marks and sets only is not woken by records. */
static wait_queue_head_t *stream_waitqueue(const struct rcr_stream *s)
{
	return rcr_stream_reads_rings(s) ? &rcr_ring_readers.waitqueue : &rcr_mark_waitqueue;
}

static ssize_t chardev_read(struct file *file, char __user *buf, size_t count,
			    loff_t *pos)
{
	struct rcr_stream *s = file->private_data;
	wait_queue_head_t *queue;
	ssize_t ret;

	for (;;) {
		ret = rcr_stream_read(s, buf, count);
		if (ret || !count)
			return ret;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		queue = stream_waitqueue(s);
		ret = wait_event_interruptible(*queue, rcr_stream_ready(s) ||
					       queue != stream_waitqueue(s));
		if (ret)
			return ret;
	}
}

static loff_t chardev_llseek(struct file *file, loff_t offset, int whence)
{
	struct rcr_stream *s = file->private_data;

	if (offset || (whence != SEEK_SET && whence != SEEK_END))
		return -ESPIPE;
	return rcr_stream_seek(s, whence == SEEK_SET);
}

static __poll_t chardev_poll(struct file *file, poll_table *wait)
{
	struct rcr_stream *s = file->private_data;

	poll_wait(file, stream_waitqueue(s), wait);
	return rcr_stream_ready(s) ? EPOLLIN | EPOLLRDNORM : 0;
}

static long chardev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct rcr_items items;
	int err;

	if (!rcr_is_ioctl(cmd, RCR_ITEMS))
		return -ENOTTY;
	err = rcr_copy_sized(&items, sizeof(items), (const void __user *)arg);
	if (err)
		return err;
	if (items.pad)
		return -EINVAL;
	return rcr_stream_set_items(file->private_data, items.types);
}

static int chardev_mmap(struct file *file, struct vm_area_struct *vma)
{
	return rcr_stream_mmap(file->private_data, vma);
}

static const struct file_operations chardev_fops = {
	.owner = THIS_MODULE,
	.open = chardev_open,
	.release = chardev_release,
	.read = chardev_read,
	.llseek = chardev_llseek,
	.poll = chardev_poll,
	.unlocked_ioctl = chardev_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.mmap = chardev_mmap,
};

/* True for an open /dev/rcrtool; @file may be NULL. */
bool rcr_chardev_is(const struct file *file)
{
	return file && file->f_op == &chardev_fops;
}

static struct miscdevice chardev = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "rcrtool",
	.fops = &chardev_fops,
	.mode = 0640,
};

/* Call after all other inits: the device can be opened before this returns. */
int rcr_chardev_init(void)
{
	return misc_register(&chardev);
}

void rcr_chardev_exit(void)
{
	misc_deregister(&chardev);
}
