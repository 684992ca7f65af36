// SPDX-License-Identifier: GPL-2.0-only
/*
 * boarddev.c - /dev/rcrboard: maps blackboard 1 and reports crossings, see <linux/rcrboard.h>.
 */
#include <linux/compat.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "compat/compat.h"
#include "board/board.h"
#include "caller.h"
#include "copy.h"
#include "loaded.h"
#include "watch.h"

#define PAGE_OF(offset)	((unsigned long)((offset) >> PAGE_SHIFT))

/**
 * struct opened - an open device
 * @subscriber: its subscriptions
 * @watcher: its watches and their crossings
 * @reading: serializes readers, so that each crossing is delivered once
 */
struct opened {
	struct rcr_subscriber subscriber;
	struct rcr_watcher watcher;
	struct mutex reading;	/* makes peek and drop atomic */
};

/*
 * Admit members of the device's group, as set by the administrator, in addition to the file mode:
 * mode 0666 admits no other user. Group 0 and user id 0 give no access by themselves.
 */
static bool may_open(const struct inode *inode)
{
	return (!gid_eq(inode->i_gid, GLOBAL_ROOT_GID) && in_group_p(inode->i_gid)) ||
	       rcr_caller_is_perfmon();
}

static int boarddev_open(struct inode *inode, struct file *file)
{
	struct opened *o;

	if (!rcr_is_loaded())
		return -EAGAIN;
	if (!may_open(inode))
		return -EPERM;
	o = kzalloc(sizeof(*o), GFP_KERNEL_ACCOUNT);
	if (!o)
		return -ENOMEM;
	rcr_subscriber_open(&o->subscriber);
	rcr_watcher_open(&o->watcher);
	mutex_init(&o->reading);
	file->private_data = o;
	return stream_open(inode, file);
}

static int boarddev_release(struct inode *inode, struct file *file)
{
	struct opened *o = file->private_data;

	rcr_subscriber_close(&o->subscriber);
	rcr_watcher_close(&o->watcher);
	kfree(o);
	return 0;
}

/*
 * Require a shared mapping without write and execute permission. Clear the VM_MAY* flags so that
 * mprotect() cannot add them, and prevent mremap() from growing it.
 */
static int restrict_mapping(struct vm_area_struct *vma)
{
	if (vma->vm_flags & (VM_EXEC | VM_WRITE))
		return -EACCES;
	/* VM_SHARED is cleared in a shared mapping of a file that is open read-only. */
	if (!(vma->vm_flags & VM_MAYSHARE))
		return -EINVAL;
	rcr_vm_flags_clear(vma, VM_MAYEXEC | VM_MAYWRITE);
	rcr_vm_flags_set(vma, VM_DONTEXPAND);
	return 0;
}

static int boarddev_mmap(struct file *file, struct vm_area_struct *vma)
{
	int err = restrict_mapping(vma);

	if (err)
		return err;
	return vma->vm_pgoff == PAGE_OF(RCR_BOARD_ALL) ? rcr_board_mmap_all(vma) : -EINVAL;
}

static int ioctl_watch(struct opened *o, const void __user *from)
{
	struct rcr_watch what;
	int err = rcr_copy_sized(&what, sizeof(what), from);

	return err ?: rcr_watcher_add(&o->watcher, &what);
}

static int ioctl_subscribe(struct opened *o, const void __user *from)
{
	struct rcr_subscription what;
	int err = rcr_copy_sized(&what, sizeof(what), from);

	return err ?: rcr_subscribe(&o->subscriber, &what);
}

static long boarddev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	const void __user *from = (const void __user *)arg;

	if (rcr_is_ioctl(cmd, RCR_BOARD_WATCH))
		return ioctl_watch(file->private_data, from);
	if (rcr_is_ioctl(cmd, RCR_BOARD_SUBSCRIBE))
		return ioctl_subscribe(file->private_data, from);
	return -ENOTTY;
}

/* Copy as many crossings as are available and fit. Return: bytes, or -errno. */
static ssize_t read_crossings(struct opened *o, char __user *buf, size_t count)
{
	struct rcr_crossing c;
	size_t done = 0;
	u64 number;
	int ret = 0;

	if (mutex_lock_interruptible(&o->reading))
		return -ERESTARTSYS;
	/* Report a removed meter as an error only if no crossing was copied. */
	while (count - done >= sizeof(c) &&
	       (!done || rcr_watcher_ready(&o->watcher) & EPOLLIN)) {
		ret = rcr_watcher_peek(&o->watcher, &c, &number);
		if (ret <= 0)
			break;
		ret = copy_to_user(buf + done, &c, sizeof(c)) ? -EFAULT : 0;
		if (ret)
			break;
		rcr_watcher_drop(&o->watcher, number);
		done += sizeof(c);
	}
	mutex_unlock(&o->reading);
	return done ?: ret;
}

static ssize_t boarddev_read(struct file *file, char __user *buf, size_t count,
			     loff_t *pos)
{
	struct opened *o = file->private_data;
	ssize_t ret;

	if (!count)
		return 0;
	if (count < sizeof(struct rcr_crossing))
		return -EINVAL;
	for (;;) {
		ret = read_crossings(o, buf, count);
		if (ret)
			return ret;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		ret = wait_event_interruptible(o->watcher.wait,
					       rcr_watcher_ready(&o->watcher));
		if (ret)
			return ret;
	}
}

static __poll_t boarddev_poll(struct file *file, poll_table *wait)
{
	struct opened *o = file->private_data;

	poll_wait(file, &o->watcher.wait, wait);
	return rcr_watcher_ready(&o->watcher);
}

static const struct file_operations boarddev_fops = {
	.owner = THIS_MODULE,
	.open = boarddev_open,
	.release = boarddev_release,
	.mmap = boarddev_mmap,
	.unlocked_ioctl = boarddev_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.read = boarddev_read,
	.poll = boarddev_poll,
};

static struct miscdevice boarddev = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "rcrboard",
	.fops = &boarddev_fops,
	.mode = 0660,
};

/* After board, meters and watches are initialized. */
int rcr_boarddev_init(void)
{
	return misc_register(&boarddev);
}

void rcr_boarddev_exit(void)
{
	misc_deregister(&boarddev);
}
