// SPDX-License-Identifier: GPL-2.0-only
/*
 * bind.c - bind NODE COMMAND...: runs a command with all of its memory on one NUMA node.
 */
#include <linux/mempolicy.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	unsigned long nodes;

	if (argc < 3)
		return 2;
	nodes = 1ul << atoi(argv[1]);
	if (syscall(SYS_set_mempolicy, MPOL_BIND, &nodes, 8 * sizeof(nodes))) {
		perror("bind: set_mempolicy");
		return 1;
	}
	execvp(argv[2], argv + 2);
	perror("bind: COMMAND");
	return 1;
}
