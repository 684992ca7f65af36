// SPDX-License-Identifier: GPL-2.0-or-later
/* system.c - checks what the kernel and the firmware allow, from /proc and /sys. */
#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "child.h"
#include "config/config.h"
#include "daemon.h"
#include "doctor/doctor.h"
#include "file.h"
#include "perf_event.h"
#include "rcr.h"

#define LINE_LEN 256

/* The oldest kernel that the module is built for. */
#define KERNEL_MAJOR 6
#define KERNEL_MINOR 1

static void check_kernel(struct doctor *d, char release[LINE_LEN])
{
	unsigned int major, minor;
	struct utsname name;

	if (!doctor_line(d, "/proc/sys/kernel/osrelease", release, LINE_LEN)) {
		uname(&name);
		snprintf(release, LINE_LEN, "%s", name.release);
	}
	if (sscanf(release, "%u.%u", &major, &minor) != 2 || major < KERNEL_MAJOR ||
	    (major == KERNEL_MAJOR && minor < KERNEL_MINOR))
		doctor_add(d, FINDING_FIX, "kernel", "%s is older than %d.%d: the module does not build for it",
			   release, KERNEL_MAJOR, KERNEL_MINOR);
	else
		doctor_add(d, FINDING_OK, "kernel", "%s", release);
}

static bool is_loaded(const struct doctor *d)
{
	return doctor_exists(d, "/sys/module/rcrtool");
}

/* True if modules.dep has the module, so that modprobe finds it. */
static bool is_installed(const struct doctor *d, const char *release)
{
	char path[2 * LINE_LEN], line[4096];
	bool found = false;
	FILE *in;

	snprintf(path, sizeof(path), "%s/lib/modules/%s/modules.dep", d->root, release);
	in = fopen(path, "re");
	if (!in)
		return false;
	while (!found && fgets(line, sizeof(line), in))
		found = strstr(line, "/rcrtool.ko");
	fclose(in);
	return found;
}

static void check_headers(struct doctor *d, const char *release)
{
	char path[LINE_LEN + 64];

	snprintf(path, sizeof(path), "/lib/modules/%s/build", release);
	if (doctor_exists(d, path))
		doctor_add(d, FINDING_OK, "headers", "%s", path);
	else if (is_loaded(d) || is_installed(d, release))
		doctor_add(d, FINDING_NOTE, "headers", "none for this kernel: not needed until the module is built again");
	else
		doctor_add(d, FINDING_FIX, "headers", "none for this kernel: to build the module, install linux-headers-%s",
			   release);
}

static void check_module(struct doctor *d, const char *release)
{
	char version[LINE_LEN] = "unknown";

	if (!doctor_exists(d, "/sys/module")) {
		doctor_add_unknown(d, "module", "/sys/module");
		return;
	}
	if (!is_loaded(d)) {
		if (is_installed(d, release))
			doctor_add(d, FINDING_FIX, "module", "not loaded: run 'modprobe rcrtool'");
		else
			doctor_add(d, FINDING_FIX, "module", "not installed for %s: run 'make && make install' or 'dkms install'",
				   release);
		return;
	}
	doctor_line(d, "/sys/module/rcrtool/version", version, sizeof(version));
	if (strcmp(version, RCR_VERSION))
		doctor_add(d, FINDING_FIX, "module", "version %s is loaded and rcrctl is %s: install both from one tree, then reload it",
			   version, RCR_VERSION);
	else
		doctor_add(d, FINDING_OK, "module", "loaded, version %s", version);
}

/* True if the machine was booted without EFI: /sys/firmware has entries, but not efi. */
static bool has_no_efi(const struct doctor *d)
{
	struct dirent *each;
	char path[512];
	bool other = false, efi = false;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/sys/firmware", d->root);
	dir = opendir(path);
	while (dir && (each = readdir(dir))) {
		efi |= !strcmp(each->d_name, "efi");
		other |= each->d_name[0] != '.';
	}
	if (dir)
		closedir(dir);
	return other && !efi;
}

/* Reads an EFI variable: four bytes of attributes, and a value of one byte. */
static bool read_secure_boot(const struct doctor *d, const char *variable, bool *on)
{
	unsigned char value[5] = { 0 };
	char path[512];
	size_t got;
	FILE *in;

	snprintf(path, sizeof(path), "%s%s", d->root, variable);
	in = fopen(path, "re");
	if (!in)
		return false;
	errno = 0;
	got = fread(value, 1, sizeof(value), in);
	fclose(in);
	*on = value[4];
	return got == sizeof(value);
}

static void check_signature(struct doctor *d)
{
	char taint[LINE_LEN];

	if (!is_loaded(d))
		doctor_add(d, FINDING_FIX, "Secure Boot", "on: sign the module with a key that 'mokutil --import' has enrolled");
	else if (!doctor_line(d, "/sys/module/rcrtool/taint", taint, sizeof(taint)))
		doctor_add(d, FINDING_OK, "Secure Boot", "on, and the module is loaded");
	else if (strchr(taint, 'E'))
		doctor_add(d, FINDING_NOTE, "Secure Boot", "on, and the kernel has loaded the module without a valid signature");
	else
		doctor_add(d, FINDING_OK, "Secure Boot", "on, and the module is signed");
}

static void check_secure_boot(struct doctor *d)
{
	static const char variable[] =
		"/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";
	bool on = false;

	if (has_no_efi(d))
		doctor_add(d, FINDING_OK, "Secure Boot", "off: the machine was not booted with EFI");
	else if (!read_secure_boot(d, variable, &on))
		doctor_add_unknown(d, "Secure Boot", "/sys/firmware/efi/efivars/SecureBoot-*");
	else if (on)
		check_signature(d);
	else
		doctor_add(d, FINDING_OK, "Secure Boot", "off");
}

/* The mode of lockdown; NULL after reporting that it is not known. */
static const char *read_lockdown(struct doctor *d)
{
	static const char path[] = "/sys/kernel/security/lockdown";
	static const char *const modes[] = { "none", "integrity", "confidentiality" };
	char line[LINE_LEN], *at;
	size_t i;

	if (!doctor_line(d, path, line, sizeof(line))) {
		/* securityfs is mounted, so the kernel was built without lockdown. */
		if (errno == ENOENT && doctor_exists(d, "/sys/kernel/security/lsm"))
			return "none";
		doctor_add_unknown(d, "lockdown", path);
		return NULL;
	}
	at = strchr(line, '[');
	for (i = 0; at && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strncmp(at + 1, modes[i], strlen(modes[i])))
			return modes[i];
	doctor_add(d, FINDING_NOTE, "lockdown", "not known: %s has '%s'", path, line);
	return NULL;
}

static void check_lockdown(struct doctor *d)
{
	const char *mode = read_lockdown(d);

	if (!mode)
		return;
	if (!strcmp(mode, "confidentiality"))
		doctor_add(d, FINDING_FIX, "lockdown", "confidentiality: the kernel allows no counting; boot with lockdown=integrity or less");
	else if (!strcmp(mode, "integrity"))
		doctor_add(d, FINDING_NOTE, "lockdown", "integrity: source=msr is refused, and so are units that the kernel does not drive");
	else
		doctor_add(d, FINDING_OK, "lockdown", "none");
}

static void check_processor(struct doctor *d)
{
	const struct rcr_state *state = &d->session->state;
	char model[LINE_LEN];

	doctor_cpuinfo(d, "model name", model, sizeof(model));
	if (!*model)
		doctor_add(d, FINDING_NOTE, "processor", "not known: /proc/cpuinfo has no model name");
	else if (d->has_state && !*state->family)
		doctor_add(d, FINDING_NOTE, "processor", "%s is not supported: only software events are counted",
			   model);
	else
		doctor_add(d, FINDING_OK, "processor", "%s%s%s", model, d->has_state ? ": " : "",
			   d->has_state ? state->family : "");
}

static void check_kernel_pmu(struct doctor *d)
{
	char name[LINE_LEN];

	if (!doctor_exists(d, "/sys/bus/event_source/devices")) {
		doctor_add_unknown(d, "kernel's PMU", "/sys/bus/event_source/devices");
		return;
	}
	if (!doctor_exists(d, "/sys/bus/event_source/devices/cpu")) {
		if (doctor_is_virtual(d))
			doctor_add(d, FINDING_FIX, "kernel's PMU", "none: the hypervisor hides the counters; enable a virtual PMU for this machine");
		else
			doctor_add(d, FINDING_FIX, "kernel's PMU", "none: the kernel does not drive the counters of this processor");
		return;
	}
	if (!doctor_line(d, "/sys/bus/event_source/devices/cpu/caps/pmu_name", name, sizeof(name)))
		strcpy(name, "cpu");
	doctor_add(d, FINDING_OK, "kernel's PMU", "%s%s", name,
		   doctor_is_virtual(d) ? ", of a virtual machine" : "");
}

static void check_watchdog(struct doctor *d)
{
	char line[LINE_LEN], source[LINE_LEN] = "";
	bool msr;

	if (!doctor_line(d, "/proc/sys/kernel/nmi_watchdog", line, sizeof(line))) {
		if (errno == ENOENT && doctor_exists(d, "/proc/sys/kernel/osrelease"))
			doctor_add(d, FINDING_OK, "watchdog", "none in this kernel");
		else
			doctor_add_unknown(d, "watchdog", "/proc/sys/kernel/nmi_watchdog");
		return;
	}
	doctor_line(d, "/sys/module/rcrtool/parameters/source", source, sizeof(source));
	msr = !strcmp(source, "msr");
	if (*line == '0')
		doctor_add(d, FINDING_OK, "watchdog", "off");
	else if (msr)
		doctor_add(d, FINDING_FIX, "watchdog", "on, and source=msr needs its counter: run 'sysctl kernel.nmi_watchdog=0' and load the module again");
	else
		doctor_add(d, FINDING_NOTE, "watchdog", "on: it has one counter of each core");
}

static void check_device(struct doctor *d)
{
	char path[512];
	struct group *g = getgrnam("rcrtool");
	struct stat st;

	if (!g && !*d->root)
		doctor_add(d, FINDING_FIX, "group", "there is no group rcrtool: run 'systemd-sysusers rcrtool.conf'");
	snprintf(path, sizeof(path), "%s%s", d->root, RCR_DEVICE);
	if (stat(path, &st)) {
		if (errno != ENOENT)
			doctor_add_unknown(d, "device", RCR_DEVICE);
		else if (is_loaded(d))
			doctor_add(d, FINDING_FIX, "device", "%s is missing: is /dev a devtmpfs?",
				   RCR_DEVICE);
		return;
	}
	if (g && st.st_gid != g->gr_gid)
		doctor_add(d, FINDING_FIX, "device", "%s does not belong to the group rcrtool: run 'udevadm trigger /dev/rcrtool'",
			   RCR_DEVICE);
	else if (access(path, R_OK))
		doctor_add(d, FINDING_FIX, "device", "%s cannot be read: become root or join the group rcrtool",
			   RCR_DEVICE);
	else
		doctor_add(d, FINDING_OK, "device", "%s can be read", RCR_DEVICE);
}

/* True if this process has one of the capabilities that may set marks. */
static bool may_mark(void)
{
	char line[LINE_LEN];
	unsigned long long effective = 0;
	FILE *in = fopen("/proc/self/status", "re");

	while (in && fgets(line, sizeof(line), in))
		if (sscanf(line, "CapEff: %llx", &effective) == 1)
			break;
	if (in)
		fclose(in);
	return effective & (1ull << CAP_PERFMON | 1ull << CAP_SYS_RAWIO);
}

/* Checks what 'rcrjob run' needs: the stream of samples, and a capability to set marks. */
static void check_rcrjob(struct doctor *d)
{
	char path[512];

	snprintf(path, sizeof(path), "%s%s", d->root, RCR_DEVICE);
	if (access(path, F_OK))
		doctor_add(d, FINDING_NOTE, "rcrjob", "cannot run: it needs the module");
	else if (access(path, R_OK))
		doctor_add(d, FINDING_NOTE, "rcrjob", "cannot run: it needs to read %s",
			   RCR_DEVICE);
	else if (*d->root)
		doctor_add(d, FINDING_NOTE, "rcrjob", "not known: this can be checked only without RCR_ROOT");
	else if (d->has_state && d->session->state.error)
		doctor_add(d, FINDING_NOTE, "rcrjob", "has no totals while nothing is counted");
	else if (!child_is_installed("rcrjob"))
		doctor_add(d, FINDING_NOTE, "rcrjob", "not in PATH: it is installed next to rcrstat");
	else if (may_mark())
		doctor_add(d, FINDING_OK, "rcrjob", "this user can run it, and it sets marks");
	else
		doctor_add(d, FINDING_OK, "rcrjob", "this user can run it, but not set marks, which needs CAP_PERFMON or CAP_SYS_RAWIO");
}

static void check_paranoid(struct doctor *d)
{
	char line[LINE_LEN];

	if (!doctor_line(d, "/proc/sys/kernel/perf_event_paranoid", line, sizeof(line)))
		doctor_add_unknown(d, "perf", "/proc/sys/kernel/perf_event_paranoid");
	else if (atoi(line) < 1)
		doctor_add(d, FINDING_NOTE, "perf", "perf_event_paranoid is %s: every user can read the meters by perf",
			   line);
	else
		doctor_add(d, FINDING_OK, "perf", "perf_event_paranoid is %s", line);
}

/* Checks what 'rcrregion run' and programs with librcrregion need of the kernel. */
static void check_rcrregion(struct doctor *d)
{
	static const char path[] = "/proc/sys/kernel/perf_event_paranoid";
	char paranoid[LINE_LEN], rdpmc[LINE_LEN], source[LINE_LEN] = "";
	int error = *d->root ? 0 : perf_event_try();
	bool refused = error == EACCES || error == EPERM, taken;

	doctor_line(d, "/sys/module/rcrtool/parameters/source", source, sizeof(source));
	/* After 'rcrctl reset' the counters are free, and the test event can count. */
	taken = !strcmp(source, "msr") && (*d->root || error);
	if (!doctor_exists(d, "/sys/bus/event_source/devices/cpu"))
		doctor_add(d, FINDING_NOTE, "rcrregion", "cannot count: there is no PMU of the kernel");
	else if (taken)
		doctor_add(d, FINDING_NOTE, "rcrregion", "cannot count: rcrtool has the counters to itself: load it with source=perf");
	else if (error == EAGAIN)
		doctor_add(d, FINDING_NOTE, "rcrregion", "cannot count: no counter is free: stop what holds them");
	else if (error && !refused)
		doctor_add(d, FINDING_NOTE, "rcrregion", "cannot count: %s", strerror(error));
	else if (!doctor_line(d, path, paranoid, sizeof(paranoid)))
		doctor_add_unknown(d, "rcrregion", path);
	else if (atoi(paranoid) > 2)
		doctor_add(d, FINDING_NOTE, "rcrregion", "only root can count: to let all users count, run 'sysctl kernel.perf_event_paranoid=2'");
	else if (refused)
		doctor_add(d, FINDING_NOTE, "rcrregion", "cannot count here: %s: does a container forbid it?",
			   strerror(error));
	else if (doctor_line(d, "/sys/bus/event_source/devices/cpu/rdpmc", rdpmc, sizeof(rdpmc)) &&
		 *rdpmc == '0')
		doctor_add(d, FINDING_NOTE, "rcrregion", "all users can count, by slow system calls: /sys/bus/event_source/devices/cpu/rdpmc is 0");
	else
		doctor_add(d, FINDING_OK, "rcrregion", "all users can count");
}

static void check_daemon(struct doctor *d)
{
	int fd;

	if (*d->root) {
		doctor_add(d, FINDING_NOTE, "rcrd", "not known: this can be checked only without RCR_ROOT");
		return;
	}
	fd = daemon_connect();
	if (fd < 0 && errno != ENOENT && errno != ECONNREFUSED)
		doctor_add(d, FINDING_NOTE, "rcrd", "not known: cannot connect to it: %s",
			   strerror(errno));
	else if (fd < 0)
		doctor_add(d, FINDING_NOTE, "rcrd", "not running: needed for the flight recorder, network meters and threads only");
	else
		doctor_add(d, FINDING_OK, "rcrd", "running");
	if (fd >= 0)
		close(fd);
}

static void check_configuration(struct doctor *d)
{
	static struct config config;
	char path[512];
	struct why why;

	snprintf(path, sizeof(path), "%s%s", d->root, CONFIG_PATH);
	if (access(path, R_OK) && errno == ENOENT)
		doctor_add(d, FINDING_OK, "configuration", "no file, all defaults");
	else if (access(path, R_OK))
		doctor_add_unknown(d, "configuration", CONFIG_PATH);
	else if (config_read(path, &config, &why))
		doctor_add_private(d, FINDING_FIX, "configuration", "%s", why.text);
	else
		doctor_add(d, FINDING_OK, "configuration", "%s has valid keys and values; 'rcrctl check' checks its events and meters",
			   path);
	config_free(&config);
}

void doctor_check_system(struct doctor *d)
{
	char release[LINE_LEN];

	check_kernel(d, release);
	check_headers(d, release);
	check_module(d, release);
	check_secure_boot(d);
	check_lockdown(d);
	check_processor(d);
	check_kernel_pmu(d);
	check_watchdog(d);
	check_device(d);
	check_rcrjob(d);
	doctor_check_agent(d);
	check_paranoid(d);
	check_rcrregion(d);
	check_daemon(d);
	check_configuration(d);
}
