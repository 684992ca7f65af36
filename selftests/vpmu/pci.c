// SPDX-License-Identifier: GPL-2.0-only
/*
 * pci.c - shared units that are PCI functions, as a device of QEMU:
 *
 *	-device rcr-uncore,model=snbep,function=imc0,package=1,bus=...,addr=10.0
 *
 * Each package has a bus of its own with such functions. Configuration space is accessed by dwords.
 * The model's registers take precedence over QEMU's. A write that a box refuses (a reserved bit) is
 * dropped, as configuration cycles do not fault.
 */
#include "qemu/osdep.h"
#include "hw/pci/pci.h"
#include "hw/qdev-properties.h"
#include "qapi/error.h"
#include "sysemu/cpu-timers.h"

#include "intel_pci_box.h"

/* U-box registers: its node id, and the node ids of all packages. */
#define UBOX_NODE_ID		0x40
#define UBOX_NODE_MAP		0x54
#define NODE_MAP		0x00fac688	/* three bits a package: 0, 1, 2, ... */

struct rcr_uncore {
	PCIDevice parent;
	char *model, *function;
	uint32_t package;
	const struct vpmu_pci_box *what;
	struct vpmu_box box;
};

#define RCR_UNCORE(obj) OBJECT_CHECK(struct rcr_uncore, (obj), "rcr-uncore")

/* A register of 64 bits is read at its own offset and four bytes above. */
static bool read_half(struct rcr_uncore *dev, uint32_t at, uint32_t half, uint32_t *val)
{
	uint64_t all;

	if (vpmu_box_read(&dev->box, at, cpus_get_elapsed_ticks(), &all) != VPMU_DONE)
		return false;
	*val = all >> half;
	return true;
}

static uint32_t uncore_read(PCIDevice *pci, uint32_t at, int len)
{
	struct rcr_uncore *dev = RCR_UNCORE(pci);
	uint32_t val;

	if (dev->box.type && len == 4 &&
	    (read_half(dev, at, 0, &val) ||
	     (at & 4 && read_half(dev, at - 4, 32, &val))))
		return val;
	return pci_default_read_config(pci, at, len);
}

/* Write one half of a count, and keep the other. */
static void write_count_half(struct rcr_uncore *dev, uint32_t at, uint32_t val)
{
	int64_t tsc = cpus_get_elapsed_ticks();
	uint32_t start = at & ~7u;
	uint64_t all;

	if (vpmu_box_read(&dev->box, start, tsc, &all) != VPMU_DONE)
		return;
	all = deposit64(all, at & 4 ? 32 : 0, 32, val);
	vpmu_box_write(&dev->box, start, tsc, all);
}

static bool is_count(const struct vpmu_box_type *type, uint32_t at)
{
	const struct vpmu_box_registers *r;

	for (r = type->registers; r->what != VPMU_BOX_END; r++)
		if (r->what == VPMU_BOX_COUNT &&
		    at - r->first < r->number * r->step)
			return true;
	return false;
}

static void uncore_write(PCIDevice *pci, uint32_t at, uint32_t val, int len)
{
	struct rcr_uncore *dev = RCR_UNCORE(pci);

	if (dev->box.type && len == 4 && is_count(dev->box.type, at))
		write_count_half(dev, at, val);
	else if (!dev->box.type || len != 4 ||
		 vpmu_box_write(&dev->box, at, cpus_get_elapsed_ticks(), val) == VPMU_NOT_MINE)
		pci_default_write_config(pci, at, val, len);
}

/* A dummy function 0 of a device, which no driver uses. */
#define FIRST_DEVICE		0x3ca0
static const struct vpmu_pci_box first = { NULL, "first", FIRST_DEVICE };

static const struct vpmu_pci_box *find_box_function(const char *model, const char *name)
{
	const struct vpmu_pci_box *p;

	if (!g_strcmp0(name, first.name))
		return &first;
	for (p = vpmu_pci_boxes; p->name; p++)
		if (!g_strcmp0(p->model, model) && !g_strcmp0(p->name, name))
			return p;
	return NULL;
}

static void uncore_realize(PCIDevice *pci, Error **errp)
{
	struct rcr_uncore *dev = RCR_UNCORE(pci);

	dev->what = find_box_function(dev->model, dev->function);
	if (!dev->what) {
		error_setg(errp, "rcr-uncore: no function %s of %s", dev->function,
			   dev->model);
		return;
	}
	pci_config_set_device_id(pci->config, dev->what->device);
	dev->box.type = dev->what->type;
	if (dev->box.type) {
		dev->box.instance = dev->package * dev->box.type->boxes + dev->what->box;
		vpmu_box_add_function(&dev->box, dev->package);
	}
	pci_set_long(pci->config + UBOX_NODE_ID, dev->package);
	pci_set_long(pci->config + UBOX_NODE_MAP, NODE_MAP);
}

static Property uncore_properties[] = {
	DEFINE_PROP_STRING("model", struct rcr_uncore, model),
	DEFINE_PROP_STRING("function", struct rcr_uncore, function),
	DEFINE_PROP_UINT32("package", struct rcr_uncore, package, 0),
	DEFINE_PROP_END_OF_LIST(),
};

static void uncore_class_init(ObjectClass *klass, void *data)
{
	PCIDeviceClass *k = PCI_DEVICE_CLASS(klass);

	k->realize = uncore_realize;
	k->config_read = uncore_read;
	k->config_write = uncore_write;
	k->vendor_id = PCI_VENDOR_ID_INTEL;
	k->class_id = PCI_CLASS_SYSTEM_OTHER;
	device_class_set_props(DEVICE_CLASS(klass), uncore_properties);
}

static const TypeInfo uncore_info = {
	.name = "rcr-uncore",
	.parent = TYPE_PCI_DEVICE,
	.instance_size = sizeof(struct rcr_uncore),
	.class_init = uncore_class_init,
	.interfaces = (InterfaceInfo[]) {
		{ INTERFACE_CONVENTIONAL_PCI_DEVICE },
		{ },
	},
};

static void uncore_register(void)
{
	type_register_static(&uncore_info);
}

type_init(uncore_register)
