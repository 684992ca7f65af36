// SPDX-License-Identifier: GPL-2.0-only
/*
 * flightdev.c - /dev/rcrflight: what the flight recorder has kept, read as a file is.
 * What a reader may expect is section 6 of Documentation/interface.md.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "flight.h"
#include "flightdev.h"
#include "loaded.h"

static int flightdev_open(struct inode *inode, struct file *file)
{
	struct rcr_flight_reader *r;

	if (!rcr_is_loaded())
		return -EAGAIN;
	r = kzalloc(sizeof(*r), GFP_KERNEL_ACCOUNT);
	if (!r)
		return -ENOMEM;
	rcr_flight_open(r);
	file->private_data = r;
	return 0;
}

static int flightdev_release(struct inode *inode, struct file *file)
{
	struct rcr_flight_reader *r = file->private_data;

	rcr_flight_close(r);
	kfree(r);
	return 0;
}

static ssize_t flightdev_read(struct file *file, char __user *buf, size_t count,
			      loff_t *pos)
{
	return rcr_flight_read(file->private_data, buf, count, pos);
}

static loff_t flightdev_llseek(struct file *file, loff_t offset, int whence)
{
	return fixed_size_llseek(file, offset, whence, rcr_flight_size(file->private_data));
}

static const struct file_operations flightdev_fops = {
	.owner = THIS_MODULE,
	.open = flightdev_open,
	.release = flightdev_release,
	.read = flightdev_read,
	.llseek = flightdev_llseek,
};

static struct miscdevice flightdev = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "rcrflight",
	.fops = &flightdev_fops,
	.mode = 0640,
};

/* Opens the door: whatever is behind it has to be ready. */
int rcr_flightdev_init(void)
{
	return misc_register(&flightdev);
}

void rcr_flightdev_exit(void)
{
	misc_deregister(&flightdev);
}
