# SPDX-License-Identifier: GPL-2.0-only
#
# The machine that guests run on, for QEMU's configure: what qemu/guest.sh asks for, and what
# that selects. Each device more is half a second of every fresh machine's build.
CONFIG_I440FX=y
CONFIG_HPET=y
CONFIG_E1000_PCI=y
CONFIG_PXB=y
CONFIG_VIRTIO_PCI=y
CONFIG_VIRTIO_BLK=y
# What PXB calls, and does not select.
CONFIG_PCI_EXPRESS=y
CONFIG_CXL=y
CONFIG_CXL_MEM_DEVICE=y
CONFIG_PCIE_PORT=y
