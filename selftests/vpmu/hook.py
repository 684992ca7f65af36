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

TRANSLATE = "target/i386/tcg/translate.c"

SOURCES = "".join(f"  'vpmu/{path.name}',\n"
                  for path in sorted(Path(__file__).parent.glob("*.c")))

HOOKS = [
    # The model comes first: QEMU reads a register that it does not know as 0, and ignores writes.
    ("target/i386/tcg/sysemu/misc_helper.c", r'#include "exec/helper-proto.h"\n',
     r'\g<0>#include "../../vpmu/vpmu.h"\n', 1),
    ("target/i386/tcg/sysemu/misc_helper.c",
     r"/\* XXX: exception\? \*/\n\s*break;",
     f"if (vpmu_wrmsr(env, {ECX}, val) == VPMU_FAULT) {{ goto error; }}\n        break;", 1),
    ("target/i386/tcg/sysemu/misc_helper.c",
     r"/\* XXX: exception\? \*/\n\s*val = 0;(?=\n\s*break;\n    \}\n    env->regs)",
     f"val = 0;\n        if (vpmu_rdmsr(env, {ECX}, &val) == VPMU_FAULT) {{ {GP} }}", 1),

    # D90h belongs to MPX, and on Sandy Bridge-EP, which has no MPX, to CBo 4.
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

    # CPUID, after QEMU has filled in the leaf.
    ("target/i386/tcg/misc_helper.c", r"env->regs\[R_EAX\] = eax;",
     r"vpmu_cpuid(env, (uint32_t)env->regs[R_EAX], &eax, &ebx, &ecx, &edx);" "\n    " r"\g<0>", 1),

    # Exec mode: a vCPU's totals, and its clock's privilege level.
    ("target/i386/cpu.h", r'#include "exec/cpu-defs.h"\n', r'\g<0>#include "vpmu/exec.h"\n', 1),
    ("target/i386/cpu.h", r"    unsigned nr_dies;\n(?=\} CPUX86State;)",
     r"\g<0>    struct vpmu_exec vpmu;\n", 1),
    ("target/i386/cpu.h", r"static inline void cpu_x86_load_seg_cache\(",
     r"void vpmu_exec_level(CPUX86State *env, int cpl);\n\n\g<0>", 1),
    ("target/i386/cpu.h", r"env->hflags = \(env->hflags & ~HF_CPL_MASK\) \| cpl;",
     r"if (vpmu_exec_on) { vpmu_exec_level(env, cpl); }\n            \g<0>", 1),
    ("target/i386/tcg/sysemu/misc_helper.c", r"    cs->halted = 1;\n(?=    cs->exception_index = EXCP_HLT)",
     r"\g<0>    if (vpmu_exec_on) { vpmu_exec_halt(env); }\n", 1),
    ("target/i386/tcg/tcg-cpu.c", r'#include "tcg-cpu.h"\n', r'\g<0>#include "../vpmu/vpmu.h"\n', 1),
    ("target/i386/tcg/tcg-cpu.c", r"    CC_SRC = env->eflags & \(CC_O",
     r"    if (env->vpmu.halted) { vpmu_exec_wake(env); }\n\g<0>", 1),

    # The rest of a block that is left by an exception.
    ("include/exec/exec-all.h", r"    uint16_t icount;\n", r"\g<0>    uint8_t vpmu_branches;\n", 1),
    ("accel/tcg/translate-all.c", r'#include "internal.h"\n', r'\g<0>#include "vpmu/vpmu.h"\n', 1),
    ("accel/tcg/translate-all.c",
     r"(?<=if \(insns_left < 0\) \{\n        return;\n    \}\n)(?=\n    if \(tb_cflags)",
     r"    vpmu_exec_undo(cpu->env_ptr, tb, insns_left);\n", 1),

    # A vCPU that spins.
    ("target/i386/tcg/misc_helper.c", r"    /\* Just let another CPU run\.  \*/\n",
     r"\g<0>    vpmu_pause(env);\n", 1),

    # A breakpoint that has gone.
    ("target/i386/tcg/excp_helper.c", r'#include "helper-tcg.h"\n', r'\g<0>#include "../vpmu/vpmu.h"\n', 1),
    ("target/i386/tcg/excp_helper.c", r"    raise_interrupt\(env, intno, 1, 0, next_eip_addend\);\n",
     "    if (intno == EXCP03_INT3 && next_eip_addend == 1) {\n"
     "        vpmu_int3(env, GETPC() - GETPC_ADJ);\n    }\n" r"\g<0>", 1),

    # The translator: include the parts of translate.h.
    ("target/i386/helper.h", r"DEF_HELPER_1\(rdrand, tl, env\)\n",
     r"\g<0>DEF_HELPER_FLAGS_3(vpmu_access, TCG_CALL_NO_RWG, void, env, tl, i32)\n", 1),
    (TRANSLATE, r"\} DisasContext;\n",
     "    TCGOp *vpmu_insns, *vpmu_branches;\n    int vpmu_opcode;\n"
     r"    bool vpmu_branch, vpmu_stream;\n\g<0>" '\n#include "../vpmu/translate.h"\n', 1),
    (TRANSLATE, r'#include "decode-new.h"\n', r'#include "../vpmu/translate_wide.h"\n\g<0>', 1),
    (TRANSLATE, r'#include "decode-new.c.inc"\n', r'#include "../vpmu/translate_sse.h"\n\g<0>', 1),

    (TRANSLATE, r"(static void i386_tr_tb_start\(.*\)\n\{\n)(?=\}\n)",
     r"\g<1>    vpmu_gen_tb_start(container_of(db, DisasContext, base));\n", 1),
    (TRANSLATE, r"(static void i386_tr_tb_stop\(.*\n\{\n.*\n)",
     r"\g<1>\n    vpmu_gen_tb_stop(dc);\n", 1),
    (TRANSLATE, r"    dc->prev_insn_end = tcg_last_op\(\);\n", r"\g<0>    vpmu_insn_start(dc);\n", 1),
    (TRANSLATE, r"    if \(disas_insn\(dc, cpu\)\) \{\n", r"\g<0>        vpmu_insn_end(dc);\n", 1),
    (TRANSLATE, r"    /\* now check op code \*/\n", r"    s->vpmu_opcode = b;\n\g<0>", 1),
    (TRANSLATE, r"    gen_helper_raise_exception\(cpu_env, tcg_const_i32\(trapno\)\);\n",
     r"    vpmu_gen_undone(s);\n\g<0>", 1),
    (TRANSLATE, r"    gen_jmp_rel_csize\(s, -cur_insn_len\(s\), 0\);\n", r"    vpmu_gen_undone(s);\n\g<0>", 2),

    # Each access of integer instructions; those of others by translate_wide.h.
    (TRANSLATE, r"tcg_gen_qemu_ld_tl\(t0, a0, s->mem_index, idx \| MO_LE\);",
     "vpmu_ld_tl(s, t0, a0, idx | MO_LE);", 1),
    (TRANSLATE, r"tcg_gen_qemu_st_tl\(t0, a0, s->mem_index, idx \| MO_LE\);",
     "vpmu_st_tl(s, t0, a0, idx | MO_LE);", 1),
    (TRANSLATE, r"tcg_gen_atomic_\w+_tl\([\w>-]+, ([\w>-]+),[^;]*?\b(s1?)->mem_index, ([^;]*)\);",
     r"\g<0> vpmu_gen_atomic(\g<2>, \g<1>, \g<3>);", 16),
    (TRANSLATE, r"(?<=\n    case 0x1c3: /\* MOVNTI reg, mem \*/\n)", "        s->vpmu_stream = true;\n", 1),

    ("target/i386/tcg/decode-new.c.inc",
     r"    if \(s->prefix & PREFIX_LOCK\) \{\n(?=        if \(decode.op\[0\].unit)",
     r"    vpmu_sse_start(s, &decode);\n\g<0>", 1),
    ("target/i386/tcg/decode-new.c.inc", r"    decode_temps_free\(&decode\);\n",
     r"    vpmu_sse_end(s, &decode);\n\g<0>", 1),

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
