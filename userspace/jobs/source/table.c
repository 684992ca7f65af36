// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * table.c - the devices of Table I of TACC Stats (HUST 2014), in its order, with three rows for
 * ib_ext, one for each kind of network.
 */
#include "source/source.h"

#define OF_PCP(NAME, WHAT, METRICS) \
	{ .name = NAME, .what = WHAT, .of = METRICS, .find = pcp_find, .open = pcp_open, \
	  .read = pcp_read, .close = pcp_close }
#define DISK(LEAF)	"disk.dev." LEAF
#define OF_SET(NAME, WHAT, PREFIX) \
	{ .name = NAME, .what = WHAT, .of = PREFIX, .find = local_find, .open = local_open, \
	  .read = local_read, .close = local_close }
#define OF_LUSTRE(NAME, KIND, WHAT, READ) \
	{ .name = NAME, .what = WHAT, .of = KIND, .find = lustre_find, .open = files_open, \
	  .read = READ, .close = files_close }
#define OF_FABRIC(WHAT, KIND) \
	{ .name = "ib_ext", .what = WHAT, .of = KIND, .find = fabric_find, .open = files_open, \
	  .read = fabric_read, .close = files_close }

const struct rcr_source rcr_sources[] = {
	OF_PCP("block", "block devices", DISK("read") " " DISK("write") " " DISK("read_bytes") " "
	       DISK("write_bytes") " " DISK("avactive") " " DISK("aveq")),
	OF_PCP("cpu", "time of each CPU", "kernel.percpu.cpu"),
	OF_FABRIC("InfiniBand", "infiniband"),
	OF_FABRIC("Omni-Path", "omni-path"),
	OF_FABRIC("Slingshot", "slingshot"),
	OF_SET("intel_snb", "counters of cores", ""),
	OF_SET("intel_snb_cbo", "cache boxes", "cbo"),
	OF_SET("intel_snb_hau", "home agents", "ha"),
	OF_SET("intel_snb_imc", "memory controllers", "imc"),
	OF_SET("intel_snb_pcu", "power control", "pcu"),
	OF_SET("intel_snb_qpi", "links between packages", "qpi"),
	OF_SET("intel_snb_r2pci", "ring to PCI Express", "r2pcie"),
	OF_LUSTRE("llite", "llite", "Lustre, mounts", lustre_read),
	OF_LUSTRE("lnet", "lnet", "Lustre, network", lnet_read),
	OF_LUSTRE("mdc", "mdc", "Lustre, metadata", lustre_read),
	OF_PCP("mem", "memory of each node", "mem.util mem.numa.util"),
	OF_PCP("net", "network interfaces", "network.interface.in network.interface.out"),
	OF_PCP("nfs", "NFS", "nfs3.client nfs4.client rpc.client"),
	OF_PCP("numa", "NUMA allocations", "mem.numa.alloc"),
	OF_LUSTRE("osc", "osc", "Lustre, objects", lustre_read),
	OF_PCP("ps", "processes",
	       "kernel.all.pswitch kernel.all.sysfork kernel.all.runnable kernel.all.nprocs"),
	OF_PCP("sysv_shm", "shared memory", "ipc.shm.tot ipc.shm.rss ipc.shm.swp"),
	OF_PCP("tmpfs", "file systems in memory", "tmpfs.used tmpfs.capacity"),
	OF_PCP("vfs", "files and directories", "vfs.dentry vfs.inodes vfs.files"),
	OF_PCP("vmstat", "virtual memory", "mem.vmstat"),
	{ }
};
