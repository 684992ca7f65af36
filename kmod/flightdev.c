// SPDX-License-Identifier: GPL-2.0-only
/*
 * flightdev.c - /dev/rcrflight: what the flight recorder has kept, read as a file is.
 * What a reader may expect is section 6 of <linux/rcrtool.h>.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>

#include "excerpt.h"
#include "flight.h"
#include "flightdev.h"

static int flightdev_open(struct inode *inode, struct file *file)
{
	file->private_data = rcr_flight_open();
	return 0;
}

static int flightdev_release(struct inode *inode, struct file *file)
{
	rcr_excerpt_put(file->private_data);
	return 0;
}

static ssize_t flightdev_read(struct file *file, char __user *buf, size_t count,
			      loff_t *pos)
{
	struct rcr_excerpt *e = file->private_data;
	ssize_t ret;

	if (!e)
		return 0;
	ret = simple_read_from_buffer(buf, count, pos, e->data, e->size);
	if (ret > 0 && *pos == e->size)
		rcr_flight_fetched(e);
	return ret;
}

static loff_t flightdev_llseek(struct file *file, loff_t offset, int whence)
{
	struct rcr_excerpt *e = file->private_data;

	return fixed_size_llseek(file, offset, whence, e ? e->size : 0);
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
