// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_dictionary.c - parses LDMS's dictionary: valid rows, and errors of invalid ones.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "ksft.h"
#include "names.h"

static struct ldms d;
static char said[4096];
static int bad;

static void note(void *to, unsigned int line, const char *sentence)
{
	char *at = to;

	at += strlen(at);
	snprintf(at, sizeof(said) - (at - said), "%u: %s\n", line, sentence);
}

static int read_bytes(const char *text, size_t size)
{
	char *copy = malloc(size + 1);

	ldms_free(&d);
	memcpy(copy, text, size);
	copy[size] = 0;
	said[0] = 0;
	bad = ldms_read(&d, copy, size, note, said);
	return bad;
}

static int read_text(const char *text)
{
	return read_bytes(text, strlen(text));
}

/* The dictionary of the sampler's manual page. */
#define DICTIONARY(core, numa) \
	"# Name, Write_addr, Event, Umask, Read_addr, os_user, core_ena, core_sel, core_flag, ctr_type\n" \
	"TLB_DM, 0xc0010200, 0x046, 0x07, 0xc0010201, 0x3, 0x0, 0x0, " core ", CTR_NUMCORE\n" \
	"TOT_CYC, 0xc0010202, 0x076, 0x00, 0xc0010203, 0x3, 0x0, 0x0, " core ", CTR_NUMCORE\n" \
	"L2_DCM, 0xc0010202, 0x043, 0x00, 0xc0010203, 0x3, 0x0, 0x0, " core ", CTR_NUMCORE\n" \
	"L1_DCM, 0xc0010204, 0x041, 0x01, 0xc0010205, 0x3, 0x0, 0x0, " core ", CTR_NUMCORE\n" \
	"L1_DCA, 0xc0010204, 0x040, 0x00, 0xc0010205, 0x3, 0x0, 0x0, " core ", CTR_NUMCORE\n" \
	"#LS_DISP, 0xc0010204, 0x029, 0x01, 0xc0010205, 0x3, 0x0, 0x0, " core ", CTR_NUMCORE\n" \
	"LS_DISP, 0xc0010204, 0x029, 0x07, 0xc0010205, 0x3, 0x0, 0x0, " core ", CTR_NUMCORE\n" \
	"RETIRED_FLOPS, 0xc0010206, 0x003, 0xFF, 0xc0010207, 0x3, 0x0, 0x0, " core ", CTR_NUMCORE\n" \
	"DP_OPS, 0xc0010206, 0x003, 0xF0, 0xc0010207, 0x3, 0x0, 0x0, " core ", CTR_NUMCORE\n" \
	"VEC_INS, 0xc0010208, 0x0CB, 0x04, 0xc0010209, 0x3, 0x0, 0x0, " core ", CTR_NUMCORE\n" \
	"TOT_INS, 0xc001020A, 0x0C0, 0x00, 0xc001020B, 0x3, 0x0, 0x0, " core ", CTR_NUMCORE\n" \
	"##### shared units\n\n" \
	"L3_CACHE_MISSES, 0xc0010240, 0x4E1, 0xF7, 0xc0010241, 0x0, 0x1, 0x0, " core ", CTR_UNCORE\n" \
	"RW_DRAM_EXT, 0xc0010242, 0x1E0, 0xF, 0xc0010243, 0x0, 0x1, 0x0, " numa ", CTR_UNCORE\n" \
	"IO_DRAM_INT, 0xc0010242, 0x1E1, 0x0, 0xc0010243, 0x0, 0x1, 0x0, " numa ", CTR_UNCORE\n" \
	"DCT_PREFETCH, 0xc0010242, 0x1F0, 0x64, 0xc0010243, 0x0, 0x1, 0x0, " core ", CTR_UNCORE\n" \
	"DCT_RD_TOT, 0xc0010244, 0x1F0, 0x62, 0xc0010245, 0x0, 0x1, 0x0, " core ", CTR_UNCORE\n" \
	"RW_DRAM_INT, 0xc0010246, 0x1E0, 0x0, 0xc0010247, 0x0, 0x1, 0x0, " numa ", CTR_UNCORE\n" \
	"IO_DRAM_EXT, 0xc0010246, 0x1E1, 0xF, 0xc0010247, 0x0, 0x1, 0x0, " numa ", CTR_UNCORE\n" \
	"DCT_WRT, 0xc0010246, 0x1F0, 0x19, 0xc0010247, 0x0, 0x1, 0x0, " core ", CTR_UNCORE\n"

static const char current[] = DICTIONARY("MSR_DEFAULT", "UNCORE_PER_NUMA");
static const char older[] = DICTIONARY("-a", "");

/* Check all 18 names, in the order above. */
static bool is_dictionary(void)
{
	const struct ldms_row *flops = ldms_find(&d, "RETIRED_FLOPS");
	const struct ldms_row *ins = ldms_find(&d, "TOT_INS");
	const struct ldms_row *l3 = ldms_find(&d, "L3_CACHE_MISSES");

	return !bad && d.rows == 18 && flops && ins && l3 &&
	       flops->code.event == 3 && flops->code.umask == 0xff && flops->code.pinned &&
	       flops->code.counter == 3 && flops->code.os && flops->code.user && !*flops->code.unit &&
	       ins->code.event == 0xc0 && ins->code.counter == 5 && ins->line == 12 &&
	       !strcmp(l3->code.unit, "nb") && l3->code.event == 0x4e1 && !l3->code.per_node &&
	       !l3->code.counter && !ldms_find(&d, "LS_DISPX");
}

static void test_good(void)
{
	static char crlf[sizeof(current) * 2];
	const char *from;
	char *to = crlf;

	read_text(current);
	ksft_test_result(is_dictionary() && ldms_find(&d, "RW_DRAM_EXT")->code.per_node &&
			 ldms_find(&d, "IO_DRAM_INT")->code.per_node, "the sampler's dictionary has 18 names\n%s", said);
	read_text(older);
	ksft_test_result(is_dictionary(), "the older format is accepted\n%s", said);
	for (from = current; *from; from++) {
		if (*from == '\n')
			*to++ = '\r';
		*to++ = *from;
	}
	read_text(crlf);
	ksft_test_result(is_dictionary(),
			 "a carriage return before each line feed is accepted\n%s", said);
	read_bytes(current, strlen(current) - 1);
	ksft_test_result(is_dictionary(),
			 "a dictionary without a line feed at its end is read\n%s", said);
	ksft_test_result(!read_text("") && !d.rows && !read_text("\n# x\n \t\n#") && !d.rows,
			 "a file without rows gives no names\n");
	ksft_test_result(!read_text("A,3221291520,118,0,3221291521,1,0,0,,CTR_NUMCORE") && d.rows == 1 &&
			 d.row[0].code.event == 118 && d.row[0].code.user && !d.row[0].code.os,
			 "decimal numbers without blanks are read\n%s", said);
}

#define ROW(name, write, event, umask, read, os, ena, sel, flag, type) \
	name "," write "," event "," umask "," read "," os "," ena "," sel "," flag "," type

static void test_wrong(void)
{
	static const struct {
		const char *row, *says;
	} cases[] = {
		{ "TOT_CYC", "1: 1 fields instead of 10" },
		{ "A, 0xc0010200, 0x76", "1: 3 fields instead of 10" },
		{ ROW("A", "0xc0010200", "1", "0", "0xc0010201", "3", "0", "0", "", "CTR_NUMCORE") ",x", "1: 11 fields" },
		{ ROW("A", "0xc0010200", "zz", "0", "0xc0010201", "3", "0", "0", "", "CTR_NUMCORE"), "Event: invalid number 'zz'" },
		{ ROW("A", "0xc0010200", "", "0", "0xc0010201", "3", "0", "0", "", "CTR_NUMCORE"), "Event: invalid number ''" },
		{ ROW("A", "0xc0010200", "0x", "0", "0xc0010201", "3", "0", "0", "", "CTR_NUMCORE"), "Event: invalid number '0x'" },
		{ ROW("A", "0xc0010200", "-1", "0", "0xc0010201", "3", "0", "0", "", "CTR_NUMCORE"), "Event: invalid number '-1'" },
		{ ROW("A", "0xc0010200", "046", "0", "0xc0010201", "3", "0", "0", "", "CTR_NUMCORE"), "Event: invalid number '046'" },
		{ ROW("A", "0xc0010200", "0x7 6", "0", "0xc0010201", "3", "0", "0", "", "CTR_NUMCORE"), "invalid number" },
		{ ROW("A", "0xc0010200", "0x1000", "0", "0xc0010201", "3", "0", "0", "", "CTR_NUMCORE"), "Event: 0x1000 is too large: the maximum is 0xfff" },
		{ ROW("A", "0xc0010200", "0xc003", "0", "0xc0010201", "3", "0", "0", "", "CTR_NUMCORE"), "Event: 0xc003 is too large" },
		{ ROW("A", "0xc0010200", "0x99999999999999999", "0", "0xc0010201", "3", "0", "0", "", "CTR_NUMCORE"), "is too large" },
		{ ROW("A", "0xc0010200", "1", "0x100", "0xc0010201", "3", "0", "0", "", "CTR_NUMCORE"), "Umask: 0x100 is too large: the maximum is 0xff" },
		{ ROW("A", "0xc0010200", "1", "0", "0xc0010201", "4", "0", "0", "", "CTR_NUMCORE"), "os_user: 4 is too large" },
		{ ROW("A", "0xc0010200", "1", "0", "0xc0010201", "0", "0", "0", "", "CTR_NUMCORE"), "os_user: 0x0 counts nothing" },
		{ ROW("A", "0xc0010200", "1", "0", "0xc0010201", "3", "1", "0", "", "CTR_NUMCORE"), "a core counter has neither" },
		{ ROW("A", "0xc0010240", "1", "0", "0xc0010241", "0", "1", "8", "", "CTR_UNCORE"), "core_sel: 8 is too large" },
		{ ROW("A", "0xc0010200", "1", "0", "0xc0010201", "3", "0", "0", "ALWAYS", "CTR_NUMCORE"), "invalid core_flag 'ALWAYS'" },
		{ ROW("A", "0xc0010200", "1", "0", "0xc0010201", "3", "0", "0", "UNCORE_PER_NUMA", "CTR_NUMCORE"), "is for CTR_UNCORE only" },
		{ ROW("A", "0xc0010200", "1", "0", "0xc0010201", "3", "0", "0", "", "CTR_CORE"), "invalid ctr_type 'CTR_CORE'" },
		{ ROW("A", "0xc001020", "1", "0", "0xc001021", "3", "0", "0", "", "CTR_NUMCORE"), "Write_addr: invalid control 0xc001020 of a core counter" },
		{ ROW("A", "0xc0010201", "1", "0", "0xc0010202", "3", "0", "0", "", "CTR_NUMCORE"), "Write_addr: invalid control 0xc0010201" },
		{ ROW("A", "0xc001020c", "1", "0", "0xc001020d", "3", "0", "0", "", "CTR_NUMCORE"), "Write_addr: invalid control 0xc001020c" },
		{ ROW("A", "0xc0010200", "1", "0", "0xc0010201", "0", "1", "0", "", "CTR_UNCORE"), "invalid control 0xc0010200 of a northbridge counter" },
		{ ROW("A", "0xc0010240", "1", "0", "0xc0010241", "3", "0", "0", "", "CTR_NUMCORE"), "invalid control 0xc0010240 of a core counter" },
		{ ROW("A", "0xc0010240", "1", "0", "0xc0010241", "3", "1", "0", "", "CTR_UNCORE"), "os_user: a northbridge counter cannot distinguish" },
		{ ROW("A", "0xc0010240", "1", "0", "0xc0010241", "0", "0", "0", "", "CTR_UNCORE"), "counts for every core: write 0x1 and 0x0" },
		{ ROW("A", "0xc0010240", "1", "0", "0xc0010241", "0", "1", "3", "", "CTR_UNCORE"), "counts for every core: write 0x1 and 0x0" },
		{ ROW("A", "0xc0010200", "1", "0", "0xc0010203", "3", "0", "0", "", "CTR_NUMCORE"), "Read_addr: the counter of control 0xc0010200 is 0xc0010201, not 0xc0010203" },
		{ ROW("A B", "0xc0010200", "1", "0", "0xc0010201", "3", "0", "0", "", "CTR_NUMCORE"), "invalid Name 'A B'" },
		{ ROW("", "0xc0010200", "1", "0", "0xc0010201", "3", "0", "0", "", "CTR_NUMCORE"), "invalid Name ''" },
		{ ROW("A234567890123456789012345678901234567890123456789012345678901234", "0xc0010200", "1", "0", "0xc0010201", "3", "0", "0", "", "CTR_NUMCORE"), "invalid Name" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ksft_test_result(read_text(cases[i].row) == 1 && !d.rows && strstr(said, cases[i].says),
				 "%s", said);
}

static void test_rest(void)
{
	static const char junk[] = "\177ELF\0\1\2\n\xff\xfe,,,\0,,,\n\n";
	static char text[8192];

	ksft_test_result(read_text("A, 0xc0010200, 1, 0, 0xc0010201, 3, 0, 0, , CTR_NUMCORE\n\n"
				   "A, 0xc0010202, 1, 0, 0xc0010203, 3, 0, 0, , CTR_NUMCORE\n") == 1 &&
			 d.rows == 1 && strstr(said, "3: Name: 'A' is already in line 1"),
			 "a duplicate name is refused: %s", said);
	ksft_test_result(read_bytes(junk, sizeof(junk) - 1) == 2 && !d.rows &&
			 strstr(said, "1: this is not a text\n2: this is not a text"),
			 "a file that is not text is refused line by line\n");
	memset(text, 'x', sizeof(text) - 1);
	ksft_test_result(read_text(text) == 1 && strstr(said, "1: the line is too long"),
			 "a line that is too long is refused: %s", said);
	strcpy(text, current);
	strcat(text, "WRONG, 1\n");
	ksft_test_result(read_text(text) == 1 && d.rows == 18 && !strncmp(said, "23: ", 4),
			 "a wrong row does not affect the other rows: %s", said);
}

static bool means(const struct names *n, const char *word, const char *text)
{
	char event[RCR_EVENT_LEN];
	struct why why;

	if (names_resolve(n, word, event, &why))
		snprintf(event, sizeof(event), "%.200s", why.text);
	if (!strstr(event, text))
		ksft_print_msg("%s: %s\n", word, event);
	return strstr(event, text);
}

/* Write a file and find names in it. */
static void test_imported(void)
{
	char path[] = "/tmp/dictionary.XXXXXX";
	int fd = mkstemp(path);
	FILE *out = fdopen(fd, "w");
	struct names n;

	fputs("MINE, 0xc0010204, 0x0C2, 0x00, 0xc0010205, 0x1, 0x0, 0x0, MSR_DEFAULT, CTR_NUMCORE\n"
	      "TOT_CYC, 0xc0010202, 0x076, 0x00, 0xc0010203, 0x3, 0x0, 0x0, MSR_DEFAULT, CTR_NUMCORE\n"
	      "TOT_INS, 0xc0010204, 0x0C1, 0x00, 0xc0010205, 0x3, 0x0, 0x0, MSR_DEFAULT, CTR_NUMCORE\n"
	      "SHARED, 0xc0010246, 0x1F0, 0x19, 0xc0010247, 0x0, 0x1, 0x0, -a, CTR_UNCORE\n"
	      "NODES, 0xc0010242, 0x1E0, 0x0F, 0xc0010243, 0x0, 0x1, 0x0, UNCORE_PER_NUMA, CTR_UNCORE\n"
	      "DCT_WRT, 0xc0010244, 0x1F0, 0x19, 0xc0010245, 0x0, 0x1, 0x0, , CTR_UNCORE\n"
	      "RW_DRAM_INT, 0xc0010240, 0x1E0, 0x0, 0xc0010241, 0x0, 0x1, 0x0, , CTR_UNCORE\n", out);
	fclose(out);
	setenv("RCR_DICTIONARY", path, 1);
	said[0] = 0;
	names_init(&n, "AMD Fam15h", note, said);
	ksft_test_result(!said[0] && means(&n, "MINE", "MINE=event:0xc2,user,counter:2"),
			 "an imported name is counted on the register of its row\n");
	ksft_test_result(means(&n, "B=MINE", "B=event:0xc2,user,counter:2"),
			 "an imported event may get another name\n");
	ksft_test_result(means(&n, "TOT_CYC", "TOT_CYC=event:0x76,counter:1"),
			 "a built-in name with the same event is counted on the register of the row\n");
	ksft_test_result(means(&n, "TOT_INS", "TOT_INS=event:0xc0") &&
			 names_differ(&n, ldms_find(&n.imported, "TOT_INS")) &&
			 !names_differ(&n, ldms_find(&n.imported, "TOT_CYC")),
			 "a built-in name with another event is unchanged\n");
	ksft_test_result(means(&n, "SHARED", "SHARED=nb:event:0x1f0,umask:0x19,counter:3") &&
			 means(&n, "NODES", "NODES=nb:event:0x1e0,umask:0x0f,pernode,counter:1") &&
			 means(&n, "DCT_WRT", "DCT_WRT=nb:event:0x1f0,umask:0x19,counter:2"),
			 "an imported name of a shared unit is counted on its register\n");
	ksft_test_result(means(&n, "RW_DRAM_INT", "RW_DRAM_INT=nb:event:0x1e0,pernode") &&
			 names_differ(&n, ldms_find(&n.imported, "RW_DRAM_INT")),
			 "UNCORE_PER_NUMA makes a different event\n");
	names_free(&n);
	unlink(path);
}

static void test_files(void)
{
	char folder[] = "/tmp/files.XXXXXX", path[64], deep[64];
	struct file_new f;
	struct why why;
	size_t size;
	char *text = NULL;

	if (!mkdtemp(folder))
		ksft_exit_fail_msg("cannot make a directory\n");
	snprintf(path, sizeof(path), "%s/file", folder);
	snprintf(deep, sizeof(deep), "%s/a/b/file", folder);
	ksft_test_result(!file_begin(&f, path, &why) && fputs("one\n", f.stream) > 0 &&
			 access(path, F_OK) && !file_commit(&f, &why) &&
			 (text = file_read(path, &size, &why)) && size == 4 && !strcmp(text, "one\n"),
			 "a file appears when it is complete\n");
	free(text);
	text = NULL;
	ksft_test_result(!file_begin(&f, path, &why) && fputs("two\n", f.stream) > 0 &&
			 (file_abandon(&f), true) && (text = file_read(path, &size, &why)) &&
			 !strcmp(text, "one\n"), "an aborted write leaves the old file\n");
	free(text);
	ksft_test_result(file_begin(&f, deep, &why) && strstr(why.text, "No such file") &&
			 !file_make_folders(deep, &why) && !file_begin(&f, deep, &why) &&
			 !file_commit(&f, &why), "missing directories are created if requested\n");
	ksft_test_result(!file_begin(&f, "/dev/full", &why) && fputs("x", f.stream) > 0 &&
			 file_commit(&f, &why) && strstr(why.text, "/dev/full: No space left"),
			 "a full disk is reported: %s\n", why.text);
	ksft_test_result(!file_read(path + 1, &size, &why) && strstr(why.text, "No such file") &&
			 !file_read("/dev/zero", &size, &why) && strstr(why.text, "too long"),
			 "a file that cannot be read is reported: %s\n", why.text);
	unlink(path);
	unlink(deep);
	snprintf(deep, sizeof(deep), "%s/a/b", folder);
	rmdir(deep);
	snprintf(deep, sizeof(deep), "%s/a", folder);
	rmdir(deep);
	/* rmdir() fails if a file was left in the directory. */
	ksft_test_result(!rmdir(folder), "temporary files are removed\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(6 + 32 + 4 + 6 + 6);
	test_good();
	test_wrong();
	test_rest();
	test_imported();
	test_files();
	ldms_free(&d);
	ksft_finished();
}
