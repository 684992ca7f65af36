// SPDX-License-Identifier: GPL-2.0-only
/*
 * chardev.c - /dev/rcrtool: the stream of all CPUs, for any number of readers.
 * What a reader may expect is section 3 of <linux/rcrtool.h>.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/poll.h>

#include "chardev.h"
#include "control/control.h"
#include "sampler/ring.h"
#include "stream/stream.h"

static int chardev_open(struct inode *inode, struct file *file)
{
	file->private_data = rcr_stream_open(RCR_ALL_CPUS);
	return file->private_data ? 0 : -ENOMEM;
}

static int chardev_release(struct inode *inode, struct file *file)
{
	rcr_control_let_go(file);
	rcr_stream_close(file->private_data);
	return 0;
}

static ssize_t chardev_read(struct file *file, char __user *buf, size_t count,
			    loff_t *pos)
{
	struct rcr_stream *s = file->private_data;
	ssize_t ret;

	for (;;) {
		ret = rcr_stream_read(s, buf, count);
		if (ret || !count)
			return ret;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		ret = wait_event_interruptible(rcr_ring_waitqueue,
					       rcr_stream_ready(s));
		if (ret)
			return ret;
	}
}

static loff_t chardev_llseek(struct file *file, loff_t offset, int whence)
{
	struct rcr_stream *s = file->private_data;

	if (offset || (whence != SEEK_SET && whence != SEEK_END))
		return -ESPIPE;
	return whence == SEEK_SET ? rcr_stream_to_oldest(s) :
				    rcr_stream_to_now(s);
}

static __poll_t chardev_poll(struct file *file, poll_table *wait)
{
	struct rcr_stream *s = file->private_data;

	poll_wait(file, &rcr_ring_waitqueue, wait);
	return rcr_stream_ready(s) ? EPOLLIN | EPOLLRDNORM : 0;
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
	.mmap = chardev_mmap,
};

/* Is it an open /dev/rcrtool? NULL is none. */
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

/* Opens the door: whatever is behind it has to be ready. */
int rcr_chardev_init(void)
{
	return misc_register(&chardev);
}

void rcr_chardev_exit(void)
{
	misc_deregister(&chardev);
}
