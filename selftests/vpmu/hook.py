#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""hook.py QEMU-SOURCE: puts the calls of vpmu.h into QEMU's x86 TCG, and the
.c files of this folder, which build.sh copies to target/i386/vpmu, into its build.

Each hook names a file, a pattern, what takes its place, and how often the
pattern must be found: another QEMU release cannot lose a hook unseen.
"""
import re
import sys
from pathlib import Path

GP = "raise_exception_err_ra(env, EXCP0D_GPF, 0, GETPC());"
ECX = "(uint32_t)env->regs[R_ECX]"
ICOUNT = """if (tb_cflags(s->base.tb) & CF_USE_ICOUNT) {
            gen_io_start();
            s->base.is_jmp = DISAS_TOO_MANY;
        }
        """

SOURCES = "".join(f"  'vpmu/{path.name}',\n"
                  for path in sorted(Path(__file__).parent.glob("*.c")))

HOOKS = [
    # A register that QEMU does not know reads 0 and ignores writes: the model
    # is asked first.
    ("target/i386/tcg/sysemu/misc_helper.c", r'#include "exec/helper-proto.h"\n',
     r'\g<0>#include "../../vpmu/vpmu.h"\n', 1),
    ("target/i386/tcg/sysemu/misc_helper.c",
     r"/\* XXX: exception\? \*/\n\s*break;",
     f"if (vpmu_wrmsr(env, {ECX}, val) == VPMU_FAULT) {{ goto error; }}\n        break;", 1),
    ("target/i386/tcg/sysemu/misc_helper.c",
     r"/\* XXX: exception\? \*/\n\s*val = 0;(?=\n\s*break;\n    \}\n    env->regs)",
     f"val = 0;\n        if (vpmu_rdmsr(env, {ECX}, &val) == VPMU_FAULT) {{ {GP} }}", 1),

    # D90h is MPX's, and before MPX was there it was a Sandy Bridge-EP's CBo 4's.
    ("target/i386/tcg/sysemu/misc_helper.c",
     r"case MSR_IA32_BNDCFGS:\n(?=\s*/\* FIXME)",
     r"\g<0>        {\n            enum vpmu_answer answer = "
     f"vpmu_wrmsr(env, {ECX}, val);\n"
     "            if (answer == VPMU_FAULT) { goto error; }\n"
     "            if (answer == VPMU_DONE) { break; }\n        }\n", 1),
    ("target/i386/tcg/sysemu/misc_helper.c",
     r"case MSR_IA32_BNDCFGS:\n(?=\s*val = env)",
     r"\g<0>        {\n            enum vpmu_answer answer = "
     f"vpmu_rdmsr(env, {ECX}, &val);\n"
     f"            if (answer == VPMU_FAULT) {{ {GP} }}\n"
     "            if (answer == VPMU_DONE) { break; }\n        }\n", 1),

    # rdpmc becomes a helper that returns, and its instruction one that ends no block.
    ("target/i386/helper.h", r"DEF_HELPER_FLAGS_1\(rdpmc, TCG_CALL_NO_WG, noreturn, env\)",
     "DEF_HELPER_1(rdpmc, void, env)", 1),
    ("target/i386/tcg/misc_helper.c", r"G_NORETURN void helper_rdpmc", "void helper_rdpmc", 1),
    ("target/i386/tcg/misc_helper.c", r'#include "exec/helper-proto.h"\n',
     r'\g<0>#include "../vpmu/vpmu.h"\n', 1),
    ("target/i386/tcg/misc_helper.c",
     r"/\* currently unimplemented \*/\n.*\n.*EXCP06_ILLOP, 0\);",
     f"uint64_t val = 0;\n    if (vpmu_rdpmc(env, {ECX}, &val) == VPMU_FAULT) {{ {GP} }}\n"
     "    env->regs[R_EAX] = (uint32_t)val;\n    env->regs[R_EDX] = (uint32_t)(val >> 32);", 1),

    # Under -icount a read of the PMU is a read of the clock, as rdtsc is.
    ("target/i386/tcg/translate.c",
     r"gen_helper_rdpmc\(cpu_env\);\n\s*s->base.is_jmp = DISAS_NORETURN;",
     ICOUNT + "gen_helper_rdpmc(cpu_env);", 1),
    ("target/i386/tcg/translate.c", r"gen_helper_(rdmsr|wrmsr)\(cpu_env\);", ICOUNT + r"\g<0>", 2),

    # CPUID, where every leaf has been answered.
    ("target/i386/tcg/misc_helper.c", r"env->regs\[R_EAX\] = eax;",
     r"vpmu_cpuid(env, (uint32_t)env->regs[R_EAX], &eax, &ebx, &ecx, &edx);" "\n    " r"\g<0>", 1),

    ("target/i386/meson.build", r"i386_softmmu_ss.add\(files\(\n", r"\g<0>" + SOURCES, 1),

    # Debian's tarball leaves out the UEFI images that this file names.
    ("pc-bios/meson.build", r"if unpack_edk2_blobs", "if false", 1),
]


def main():
    top = Path(sys.argv[1])
    for name, pattern, text, count in HOOKS:
        path = top / name
        new, found = re.subn(pattern, text, path.read_text())
        if found != count:
            sys.exit(f"hook.py: {name}: {pattern!r} found {found} times, not {count}: "
                     "this QEMU release needs another hook")
        path.write_text(new)


if __name__ == "__main__":
    main()
