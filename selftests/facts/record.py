#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""record.py VERSION=TREE... - record facts about registers from trees of the Linux kernel.

Reads arch/x86/events, arch/x86/include/asm and tools/perf/pmu-events of each tree, as Debian's
package linux-source-6.1 or linux-source-6.12 has them, and writes core.tsv, uncore.tsv and
events.tsv next to this file: numbers, each with the file and the version that it is from. Where
two trees have the same file the first one is used. test_facts.c compares them with our tables.

Columns: family, unit, key, value, file, version. Keys:
  models               model numbers that the kernel's driver supports
  counters             general counters of a box
  width                bits of a counter
  boxes                largest number of boxes of that kind
  control, count       addresses of the first counter's registers, by box
  global               addresses of the boxes' global controls, by box
  stride               distances of two controls and of two counts
  device, ubox         PCI device ids, by box, and of the function that has the node's number
  field NAME           bits of a control register
  settable             bits of a control that the driver lets be set
  filterN, filterN-bits  address and bits of a box's filter
  fixed N              event select and unit mask that fixed counter N counts
  counters EVENT...    counters that count each of these: EVENT with any unit mask,
                       EVENT:UMASK,... with these, EVENT/BITS all whose select has these bits
  event NAME...        event select and unit mask of the event that we call by these names
  any other            the address of a register, or a number, see record_registers()
"""
import collections
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PERF = 'arch/x86/events/'
ASM = 'arch/x86/include/asm/'
JSON = 'tools/perf/pmu-events/arch/x86/'

SNB, IVB = 'Intel Sandy Bridge', 'Intel Ivy Bridge'
HSW, BDW = 'Intel Haswell', 'Intel Broadwell'
SKX, ICX, SPR = 'Intel Skylake-SP', 'Intel Ice Lake-SP', 'Intel Sapphire Rapids'
NHM = 'Intel Nehalem'
F10H, F15H = 'AMD Fam10h', 'AMD Fam15h'
ZEN1, ZEN2 = 'AMD Fam17h amd64_fam17h_zen1', 'AMD Fam17h amd64_fam17h_zen2'
ZEN3, ZEN4 = 'AMD Fam19h', 'AMD PerfMonV2'
INTEL = [NHM, SNB, IVB, HSW, BDW, SKX, ICX, SPR]
AMD = [F10H, F15H, ZEN1, ZEN2, ZEN3, ZEN4]

# Folders of event lists.
FOLDERS = {
    NHM: ['nehalemep', 'westmereep-dp'], SNB: ['jaketown'], IVB: ['ivytown'],
    HSW: ['haswellx'], BDW: ['broadwellx', 'broadwellde'], SKX: ['skylakex', 'cascadelakex'],
    ICX: ['icelakex'], SPR: ['sapphirerapids', 'emeraldrapids'],
    ZEN1: ['amdzen1'], ZEN2: ['amdzen2'], ZEN3: ['amdzen3'], ZEN4: ['amdzen4', 'amdzen5'],
}

# Units by their names in event lists.
UNITS = {
    'CBO': 'cbo', 'CHA': 'cha', 'PCU': 'pcu', 'UBOX': 'ubox', 'HA': 'ha', 'iMC': 'imc',
    'QPI LL': 'qpi', 'R2PCIe': 'r2pcie', 'R3QPI': 'r3qpi', 'L3PMC': 'l3', 'UMCPMC': 'umc',
    'DFPMC': 'df', 'NCU': None,
}

# Prefix of the names of a family's box types and PCI id table in uncore_snbep.c.
DRIVERS = {SNB: 'snbep', IVB: 'ivbep', HSW: 'hswep', BDW: 'bdx', SKX: 'skx', ICX: 'icx'}
TYPES = {
    'ubox': 'ubox', 'cbox': 'cbo', 'chabox': 'cha', 'pcu': 'pcu', 'ha': 'ha', 'imc': 'imc',
    'qpi': 'qpi', 'r2pcie': 'r2pcie', 'r3qpi': 'r3qpi',
}
# Box types that a family's driver takes from that of another family.
BORROWED = {(BDW, 'pcu'): 'hswep', (ICX, 'pcu'): 'skx'}
# Filters of boxes: the macro of the register, and a pattern of the macros of its fields.
PCU_PARTS = 'SNBEP_PCU_MSR_PMON_BOX_FILTER_MASK'
HSW_PARTS = r'HSWEP_CB0_MSR_PMON_BOX_FILTER_\w+'
FILTERS = {
    (SNB, 'cbo'): ('SNBEP_C0_MSR_PMON_BOX_FILTER', r'SNBEP_CB0_MSR_PMON_BOX_FILTER_\w+'),
    (IVB, 'cbo'): ('SNBEP_C0_MSR_PMON_BOX_FILTER', r'IVBEP_CB0_MSR_PMON_BOX_FILTER_\w+'),
    (HSW, 'cbo'): ('HSWEP_C0_MSR_PMON_BOX_FILTER0', HSW_PARTS),
    (BDW, 'cbo'): ('HSWEP_C0_MSR_PMON_BOX_FILTER0', HSW_PARTS),
    (SKX, 'cha'): ('HSWEP_C0_MSR_PMON_BOX_FILTER0', r'SKX_CHA_MSR_PMON_BOX_FILTER_\w+'),
    (SNB, 'pcu'): ('SNBEP_PCU_MSR_PMON_BOX_FILTER', PCU_PARTS),
    (IVB, 'pcu'): ('SNBEP_PCU_MSR_PMON_BOX_FILTER', PCU_PARTS),
    **{(f, 'pcu'): ('HSWEP_PCU_MSR_PMON_BOX_FILTER', PCU_PARTS) for f in (HSW, BDW, SKX, ICX)},
}
# Constraints that a driver sets at initialization.
LATE = {(BDW, 'pcu'): 'bdx_uncore_pcu_constraints', (SKX, 'pcu'): None}
# Units of our tables that are compared with each driver's table; others have no counterpart.
OURS = {
    SNB: 'ubox cbox pcu ha imc qpi r2pcie r3qpi', IVB: 'ubox cbox pcu ha imc qpi r2pcie r3qpi',
    HSW: 'cbox pcu ha imc qpi r2pcie r3qpi', BDW: 'cbox pcu ha imc qpi r2pcie r3qpi',
    SKX: 'chabox pcu', ICX: 'chabox pcu',
}

FP_256 = ['FP_ARITH_INST_RETIRED.128B_PACKED_DOUBLE', 'FP_ARITH_INST_RETIRED.128B_PACKED_SINGLE',
          'FP_ARITH_INST_RETIRED.256B_PACKED_DOUBLE', 'FP_ARITH_INST_RETIRED.256B_PACKED_SINGLE']
FP_512 = FP_256 + ['FP_ARITH_INST_RETIRED.512B_PACKED_DOUBLE',
                   'FP_ARITH_INST_RETIRED.512B_PACKED_SINGLE']
FP_SCALAR = ['FP_ARITH_INST_RETIRED.SCALAR_DOUBLE', 'FP_ARITH_INST_RETIRED.SCALAR_SINGLE']
FP_ISSUED = ['FP_COMP_OPS_EXE.X87', 'FP_COMP_OPS_EXE.SSE_PACKED_DOUBLE',
             'FP_COMP_OPS_EXE.SSE_SCALAR_SINGLE', 'FP_COMP_OPS_EXE.SSE_PACKED_SINGLE',
             'FP_COMP_OPS_EXE.SSE_SCALAR_DOUBLE']
CAS = {f'CAS_{ours}{n}': [f'UNC_M_CAS_COUNT.{theirs}']
       for ours, theirs in (('RD', 'RD'), ('WR', 'WR'), ('ALL', 'ALL')) for n in range(8)}

# Our names in the kernel's lists: one event, or several whose unit masks are combined.
LISTED = {
    NHM: {
        'FP_OPS RETIRED_FLOPS PAPI_FP_OPS': ['FP_COMP_OPS_EXE.X87', 'FP_COMP_OPS_EXE.SSE_FP'],
        'DP_OPS': ['FP_COMP_OPS_EXE.SSE_DOUBLE_PRECISION'],
        'VEC_INS PAPI_VEC_INS': ['FP_COMP_OPS_EXE.SSE_FP_PACKED'],
        'L1_DCM PAPI_L1_DCM PAPI_LL_DCM': ['L1D.REPL'],
        'L1_DCA PAPI_L1_DCA': ['L1D_ALL_REF.ANY'],
        'TLB_DM PAPI_TLB_DM': ['DTLB_MISSES.ANY'],
        'PAPI_TLB_IM': ['ITLB_MISSES.ANY'], 'PAPI_L1_ICM': ['L1I.MISSES'],
        'PAPI_LD_INS': ['MEM_INST_RETIRED.LOADS'], 'PAPI_SR_INS': ['MEM_INST_RETIRED.STORES'],
        'PAPI_RES_STL': ['RESOURCE_STALLS.ANY'], 'PAPI_BR_INS': ['BR_INST_EXEC.ANY'],
        'PAPI_BR_MSP': ['BR_MISP_EXEC.ANY'], 'L2_LINES_IN': ['L2_LINES_IN.ANY'],
        'L2_HIT_HITM': ['MEM_LOAD_RETIRED.OTHER_CORE_L2_HIT_HITM'],
        'LLC_UNSHARED_HIT': ['MEM_LOAD_RETIRED.LLC_UNSHARED_HIT'],
        'LLC_MISS': ['MEM_LOAD_RETIRED.LLC_MISS'],
    },
    SNB: {
        'FP_INS': FP_ISSUED, 'PAPI_L1_ICM': ['ICACHE.MISSES'],
        'VEC_INS': ['SIMD_FP_256.PACKED_SINGLE', 'SIMD_FP_256.PACKED_DOUBLE'],
        'PAPI_BR_MSP': ['BR_MISP_RETIRED.ALL_BRANCHES'],
    },
    HSW: {'VEC_INS': ['AVX_INSTS.ALL']},
    BDW: {'FP_INS PAPI_FP_INS': FP_SCALAR + FP_256, 'VEC_INS PAPI_VEC_INS': FP_256},
    SKX: {'FP_INS PAPI_FP_INS': FP_SCALAR + FP_512, 'VEC_INS PAPI_VEC_INS': FP_512},
    ICX: {
        'TLB_DM PAPI_TLB_DM': ['DTLB_LOAD_MISSES.WALK_COMPLETED'],
        'PAPI_BR_CN': ['BR_INST_RETIRED.COND'], 'PAPI_BR_MSP': ['BR_MISP_RETIRED.COND'],
    },
    ZEN1: {
        'DP_OPS': ['fp_ret_sse_avx_ops.dp_mult_add_flops', 'fp_ret_sse_avx_ops.dp_div_flops',
                   'fp_ret_sse_avx_ops.dp_mult_flops', 'fp_ret_sse_avx_ops.dp_add_sub_flops'],
        'L3_CACHE_MISSES': ['l3_comb_clstr_state.request_miss'],
        'L3_CACHE_ACCESSES': ['l3_lookup_state.all_l3_req_typs'],
    },
    ZEN3: {
        'L3_CACHE_MISSES': ['l3_misses'], 'L3_CACHE_ACCESSES': ['l3_cache_accesses'],
    },
    ZEN4: {
        **{f'CAS{n}': ['umc_cas_cmd.all'] for n in range(12)},
        **{f'CAS_RD{n}': ['umc_cas_cmd.rd'] for n in range(12)},
        **{f'CAS_WR{n}': ['umc_cas_cmd.wr'] for n in range(12)},
        'VEC_INS PAPI_VEC_INS': ['ex_ret_mmx_fp_instr.sse'],
        'L1_DCM PAPI_L1_DCM PAPI_LL_DCM': ['l2_request_g1.all_dc'],
        'L2_DCM PAPI_L2_DCM': ['l2_cache_req_stat.ls_rd_blk_c'],
        'TLB_DM PAPI_TLB_DM': ['ls_l1_d_tlb_miss.all_l2_miss'],
        'PAPI_L1_ICM': ['l2_request_g1.cacheable_ic_read'],
        'PAPI_L2_ICM': ['l2_cache_req_stat.ic_fill_miss'],
        'L3_CACHE_MISSES': ['l3_lookup_state.l3_miss'],
        'L3_CACHE_ACCESSES': ['l3_lookup_state.all_coherent_accesses_to_l3'],
    },
}
LISTED[IVB] = dict(LISTED[SNB])
LISTED[SPR] = {**LISTED[SKX], **LISTED[ICX]}
LISTED[ICX] = LISTED[SPR]
LISTED[ZEN2] = {name: LISTED[ZEN1][name] for name in ('L3_CACHE_MISSES', 'L3_CACHE_ACCESSES')}
SINCE_SNB = {
    'L1_DCM PAPI_L1_DCM PAPI_LL_DCM': ['L1D.REPLACEMENT'],
    'TLB_DM PAPI_TLB_DM': ['DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK'],
    'LOADS PAPI_LD_INS': ['MEM_UOPS_RETIRED.ALL_LOADS'],
    'STORES PAPI_SR_INS': ['MEM_UOPS_RETIRED.ALL_STORES'],
    'PAPI_BR_CN': ['BR_INST_RETIRED.CONDITIONAL'],
    'PAPI_BR_MSP': ['BR_MISP_RETIRED.CONDITIONAL'],
    'PAPI_L1_ICM': ['L2_RQSTS.ALL_CODE_RD'],
    **CAS,
}
SINCE_SKX = {
    'LOADS PAPI_LD_INS': ['MEM_INST_RETIRED.ALL_LOADS'],
    'STORES PAPI_SR_INS': ['MEM_INST_RETIRED.ALL_STORES'],
}
SINCE_ZEN = {
    'VEC_INS PAPI_VEC_INS': ['ex_ret_mmx_fp_instr.sse_instr'],
    'RETIRED_FLOPS PAPI_FP_OPS': ['fp_ret_sse_avx_ops.all'],
    'L1_DCM PAPI_L1_DCM PAPI_LL_DCM': ['l2_cache_accesses_from_dc_misses'],
    'L1_DCA': ['ls_dc_accesses'], 'L2_DCM PAPI_L2_DCM': ['l2_cache_misses_from_dc_misses'],
    'TLB_DM PAPI_TLB_DM': ['l2_dtlb_misses'],
    'PAPI_L1_ICM': ['l2_cache_accesses_from_ic_misses'],
    'PAPI_L2_ICM': ['l2_cache_misses_from_ic_miss'],
    'LS_DISP': ['ls_dispatch.ld_dispatch', 'ls_dispatch.store_dispatch',
                'ls_dispatch.ld_st_dispatch'],
    'PAPI_BR_TKN': ['ex_ret_brn_tkn'], 'PAPI_BR_INS': ['ex_ret_brn'],
    'PAPI_BR_MSP': ['ex_ret_brn_misp'],
    'TOT_INS PAPI_TOT_INS': ['ex_ret_instr'], 'TOT_CYC PAPI_TOT_CYC': ['ls_not_halted_cyc'],
    **{f'DRAM_CH{n}': [f'dram_channel_data_controller_{n}'] for n in range(8)},
}
for family in INTEL[1:]:
    LISTED[family] = {**SINCE_SNB, **(SINCE_SKX if family in INTEL[5:] else {}), **LISTED[family]}
for family in AMD[2:]:
    LISTED[family] = {**SINCE_ZEN, **LISTED[family]}

# Another event with the same meaning.
ALSO = {ZEN1: {'L3_CACHE_MISSES': ['l3_misses']}, ZEN2: {'L3_CACHE_MISSES': ['l3_misses']}}

# Generic events of the kernel, in core.c.
GENERIC = {
    'TOT_CYC PAPI_TOT_CYC': 'CPU_CYCLES', 'TOT_INS PAPI_TOT_INS': 'INSTRUCTIONS',
    'PAPI_BR_INS': 'BRANCH_INSTRUCTIONS',
}
GENERIC_INTEL = {
    'REF_CYC PAPI_REF_CYC': 'REF_CPU_CYCLES',
    'PAPI_L2_TCM PAPI_L3_TCA LLC_REFERENCES': 'CACHE_REFERENCES',
    'PAPI_L3_TCM LLC_MISSES': 'CACHE_MISSES',
}
GENERIC_AMD = {'PAPI_BR_MSP': 'BRANCH_MISSES'}
GENERIC_OLD_AMD = {'DISPATCH_STALLS PAPI_RES_STL': 'STALLED_CYCLES_BACKEND'}
# Index in amd_hw_cache_event_ids: the cache, and whether misses are counted.
CACHED = {
    'L1_DCA PAPI_L1_DCA DATA_CACHE_ACCESSES': ('L1D', False),
    'L1_DCM PAPI_L1_DCM PAPI_LL_DCM': ('L1D', True),
    'PAPI_L1_ICA': ('L1I', False), 'PAPI_L1_ICM': ('L1I', True),
    'PAPI_L2_TCM': ('LL', True),
    'TLB_DM PAPI_TLB_DM': ('DTLB', True), 'PAPI_TLB_IM': ('ITLB', True),
}


File = collections.namedtuple('File', 'path version')


class Source:
    """A C file: its macros, and its text without comments."""

    def __init__(self, trees, path):
        self.path, self.version, text = find(trees, path)
        text = re.sub(r'/\*.*?\*/', ' ', text, flags=re.S)
        self.text = re.sub(r'\\\n', ' ', re.sub(r'//.*', '', text))
        self.macros = {}
        self.calls = {}
        for name, args, body in re.findall(r'^#\s*define\s+(\w+)(\(\))?[ \t]+(.+)$', self.text, re.M):
            (self.calls if args else self.macros)[name] = body

    def number(self, text):
        """Return the value of an expression."""
        for _ in range(20):
            text = re.sub(r'\bBIT(_ULL)?\(([^()]*)\)', r'(1<<(\2))', text)
            text = re.sub(r'\bGENMASK(_ULL)?\((\d+), *(\d+)\)', r'((2<<\2)-(1<<\3))', text)
            found = re.sub(r'[A-Za-z_]\w*', lambda m: f'({self.macros[m[0]]})'
                           if m[0] in self.macros else m[0], text)
            if found == text:
                break
            text = found
        text = re.sub(r'\b(0x[0-9a-fA-F]+|\d+)[uUlL]+\b', r'\1', text)
        return eval(text, {'__builtins__': {}})

    def array(self, name):
        """Return the text between the braces of a table; None if it does not exist."""
        found = re.search(r'\b%s(\s+__\w+|\s*\[[^]]*\])*\s*=\s*\{(.*?)\n\};' % name, self.text, re.S)
        return found[2] if found else None


def find(trees, path):
    for version, tree in trees:
        if os.path.exists(os.path.join(tree, path)):
            with open(os.path.join(tree, path), encoding='utf-8') as f:
                return path, version, f.read()
    sys.exit(f'record.py: no tree has {path}')


def mask_of(text):
    """Convert bit ranges such as '0-7,21' to a mask."""
    mask = 0
    for part in text.split(','):
        first, _, last = part.partition('-')
        mask |= (2 << int(last or first)) - (1 << int(first))
    return mask


class Facts:
    def __init__(self):
        self.rows = {'core.tsv': set(), 'uncore.tsv': set(), 'events.tsv': set()}

    def add(self, source, family, unit, key, *values):
        table = ('events' if key.startswith('event ') else 'core' if unit == 'core' else 'uncore')
        value = ' '.join(v if isinstance(v, str) else hex(v) for v in values)
        self.rows[table + '.tsv'].add((family, unit, key, value, source.path, source.version))

    def write(self):
        for name, rows in self.rows.items():
            with open(os.path.join(HERE, name), 'w', encoding='utf-8') as f:
                f.write('# SPDX-License-Identifier: GPL-2.0-only\n'
                        '# Written by record.py: family, unit, key, value, file, version\n')
                for row in sorted(joined(rows)):
                    f.write('\t'.join(row) + '\n')


def joined(rows):
    """Return the rows, with one row for all events of a file that have the same value."""
    events = {}
    for family, unit, key, value, path, version in sorted(rows):
        word, _, event = key.partition(' ')
        if word == 'counters' and event or word == 'event':
            events.setdefault((family, unit, word, value, path, version), []).append(event)
        else:
            yield family, unit, key, value, path, version
    for (family, unit, word, value, path, version), keys in events.items():
        yield family, unit, word + ' ' + ' '.join(keys), value, path, version


# Event lists

class Listed:
    """The events in a folder of event lists."""

    def __init__(self, trees, folder):
        self.events = []
        for version, tree in trees:
            top = os.path.join(tree, JSON, folder)
            if os.path.isdir(top):
                break
        else:
            sys.exit(f'record.py: no tree has {JSON}{folder}')
        for name in sorted(os.listdir(top)):
            if not name.endswith('.json') or 'metric' in name:
                continue
            source = File(JSON + folder + '/' + name, version)
            with open(os.path.join(top, name), encoding='utf-8') as f:
                self.events += [dict(event, source=source) for event in json.load(f)]

    def named(self, name):
        for event in self.events:
            if event.get('EventName') == name:
                return event
        return None


def codes_of(event):
    """Return the event selects: two for an offcore event, which has one for each register."""
    extension = int(event.get('ExtSel') or '0', 0)
    return [int(code, 0) | (0x100 if extension else 0)
            for code in event.get('EventCode', '0').split(',')]


def umask_of(event, core):
    # For AMD's memory controllers, use the mask of reads and writes.
    umask = int((event.get('UMask') or event.get('RdWrMask') or '0').split(',')[0], 0)
    return umask & 0xff if core else umask


def counters_of(event):
    text = event.get('CounterHTOff') or event.get('Counter')
    if not text or not re.fullmatch('[0-9, ]+', text) or 'FREERUN' in event.get('CounterType', ''):
        return None
    return sum(1 << int(n) for n in text.split(','))


def record_counters(facts, family, listed):
    core, shared = {}, {}
    for event in listed.events:
        counters = counters_of(event)
        unit = UNITS.get(event.get('Unit')) if event.get('Unit') else 'core'
        if not counters or not unit or 'EventCode' not in event:
            continue
        for code in codes_of(event):
            if unit == 'core':
                key = (event['source'], code, umask_of(event, True))
                core[key] = core.get(key, counters) & counters
            elif (family, unit) in COUNTED:
                key = (event['source'], unit, code)
                shared[key] = shared.get(key, counters) & counters
    # One row for the unit masks that the same counters count.
    rows, sources = {}, {}
    for (source, code, umask), counters in core.items():
        rows.setdefault((source.path, code, counters), set()).add(umask)
        sources[source.path] = source
    for (path, code, counters), umasks in rows.items():
        facts.add(sources[path], family, 'core', 'counters 0x%02x:%s' % (
            code, ','.join('%02x' % u for u in sorted(umasks))), counters)
    for (source, unit, code), counters in shared.items():
        facts.add(source, family, unit, 'counters 0x%02x' % code, counters)


# Units of ours whose events are checked.
COUNTED = {(family, TYPES[kind]) for family, kinds in OURS.items() for kind in kinds.split()}


def record_listed(facts, family, listed):
    for names, theirs in list(LISTED[family].items()) + list(ALSO.get(family, {}).items()):
        found = [listed.named(name) for name in theirs]
        if None in found:
            continue
        unit = UNITS.get(found[0].get('Unit'), found[0].get('Unit')) or 'core'
        code = codes_of(found[0])[0]
        umask = 0
        for event in found:
            assert codes_of(event)[0] == code, theirs
            umask |= umask_of(event, unit == 'core')
        for name in names.split():
            facts.add(found[0]['source'], family, unit, 'event ' + name,
                      '0x%02x:0x%02x' % (code, umask))


# The kernel's own tables

def record_generic(facts, core, family, table, names):
    text = core.array(table)
    for ours, theirs in names.items():
        found = re.search(r'\[PERF_COUNT_HW_%s\]\s*=\s*(0x\w+)' % theirs, text)
        if not found:
            continue
        value = int(found[1], 16)
        for name in ours.split():
            facts.add(core, family, 'core', 'event ' + name,
                      '0x%02x:0x%02x' % (value & 0xff, value >> 8 & 0xff))


def record_cached(facts, core, family):
    # Two arrays have names that begin alike; the first is that of the older families.
    text = core.array('amd_hw_cache_event_ids')
    for ours, (cache, miss) in CACHED.items():
        part = text[re.search(r'C\(%s *\)' % cache, text).start():]
        value = int(re.search(r'C\(RESULT_%s *\) *\] *= *(0x\w+)' % ('MISS' if miss else 'ACCESS'),
                              part)[1], 16)
        for name in ours.split():
            facts.add(core, family, 'core', 'event ' + name,
                      '0x%02x:0x%02x' % (value & 0xff, value >> 8 & 0xff))


def record_constraints(facts, source, family, unit, table):
    text = source.array(table)
    seen = set()
    for macro, args in re.findall(r'(\w*EVENT_CONSTRAINT\w*|\w*EXCLEVT_CONSTRAINT)\(([^()]*)\)', text):
        if args.startswith('INTEL_TD_') or macro.endswith('_END'):
            continue
        numbers = [source.number(a) for a in args.split(',')]
        if macro == 'FIXED_EVENT_CONSTRAINT':
            code, index = numbers
            # Skip pseudo events of counters above 3, and INST_RETIRED.PREC_DIST (0x1c0, 0x100).
            if index <= 3 and code not in (0x1c0, 0x100):
                facts.add(source, family, unit, 'fixed %d' % index,
                          '0x%02x:0x%02x' % (code & 0xff, code >> 8))
        elif macro in ('INTEL_UEVENT_CONSTRAINT', 'INTEL_UBIT_EVENT_CONSTRAINT'):
            facts.add(source, family, unit, 'counters 0x%02x:%02x' % (
                numbers[0] & 0xff, numbers[0] >> 8), numbers[1])
        elif macro == 'EVENT_CONSTRAINT':       # code, counters, bits that are compared
            facts.add(source, family, unit, 'counters 0x%02x/%02x' % (numbers[0], numbers[2]),
                      numbers[1])
        else:                                   # the first match applies
            last = numbers[1] if macro.endswith('_RANGE') else numbers[0]
            for code in range(numbers[0], last + 1):
                if code not in seen:
                    facts.add(source, family, unit, 'counters 0x%02x' % code, numbers[-1])
                seen.add(code)


def type_of(source, name):
    """Return the members of a struct intel_uncore_type."""
    text = source.array(name)
    if text is None:
        return None
    text = re.sub(r'(\w+)\(\)', lambda m: source.calls.get(m[1], ''), text)
    return dict(re.findall(r'\.(\w+)\s*=\s*([^,]+)', text))


def formats_of(source, group):
    """Return for each field name the register (0: control, 1 and up: filters) and the bits."""
    attrs = re.search(r'\.attrs\s*=\s*(\w+)', source.array(group))[1]
    fields = {}
    for var in re.findall(r'format_attr_(\w+)\.attr', source.array(attrs)):
        name, number, bits = re.search(
            r'FORMAT_ATTR\(%s,\s*(\w+),\s*"config(\d?):([^"]*)"' % var, source.text).groups()
        fields[name] = (int(number or 0), mask_of(bits))
    return fields


FIELDS = {'event': 'event', 'umask': 'umask', 'edge': 'edge', 'inv': 'inv', 'thresh': 'cmask',
          'occ_sel': 'umask', 'cmask': 'cmask'}


def record_fields(facts, source, family, unit, fields):
    ours = {}
    for name, (number, bits) in fields.items():
        if not number and name in FIELDS:
            ours[FIELDS[name]] = bits
    for name in ('event', 'umask', 'edge', 'inv', 'cmask'):
        facts.add(source, family, unit, 'field ' + name, ours.get(name, 0))


def record_filters(facts, source, family, unit):
    """Record the filters of a box from the macros of their fields."""
    register, parts = FILTERS[family, unit]
    bits = 0
    for name in source.macros:
        if re.fullmatch(parts, name):
            bits |= source.number(name)
    for n in range(2):
        if bits >> 32 * n & 0xffffffff:
            facts.add(source, family, unit, 'filter%d' % n, source.number(register) +
                      (6 * n if family in (SNB, IVB) else n))
            facts.add(source, family, unit, 'filter%d-bits' % n, bits >> 32 * n & 0xffffffff)


def devices_of(source, driver, kind):
    """Return the PCI device ids by box number."""
    found = {}
    text = source.array(driver + '_uncore_pci_ids')
    for device, name, n in re.findall(
            r'PCI_DEVICE\(PCI_VENDOR_ID_INTEL, *(\w+)\),\s*\.driver_data *= *'
            r'UNCORE_PCI_DEV_DATA\(\w+?_PCI_UNCORE_(\w+), *(\d+)\)', text):
        if name.lower() == kind:
            found[int(n)] = source.number(device)
    return [found[n] for n in sorted(found)]


def record_type(facts, source, family, kind):
    driver = BORROWED.get((family, kind), DRIVERS[family])
    name = '%s_uncore_%s' % (driver, kind)
    t = type_of(source, name)
    if t is None:
        sys.exit(f'record.py: no {name}')
    unit = TYPES[kind]

    def number(member, default=None):
        return source.number(t[member]) if member in t else default

    facts.add(source, family, unit, 'counters', number('num_counters'))
    facts.add(source, family, unit, 'width', number('perf_ctr_bits'))
    boxes = number('num_boxes')
    devices = devices_of(source, DRIVERS[family], kind) if source.array(
        DRIVERS[family] + '_uncore_pci_ids') else []
    if devices:
        facts.add(source, family, unit, 'device', *devices)
        facts.add(source, family, unit, 'stride', 4, 8)
        offsets = [0] * boxes
    elif 'msr_offsets' in t:
        offsets = [int(n, 16) for n in re.findall(r'0x\w+', source.array(t['msr_offsets'].strip()))]
    else:
        offsets = [n * number('msr_offset', 0) for n in range(boxes or 28)]
    if not devices:
        facts.add(source, family, unit, 'stride', 1, 1)
    facts.add(source, family, unit, 'boxes', boxes or len(offsets))
    for key, member in ('control', 'event_ctl'), ('count', 'perf_ctr'), ('global', 'box_ctl'):
        if member in t:
            facts.add(source, family, unit, key, *[number(member) + o for o in offsets])
    fields = formats_of(source, t['format_group'].strip(' &\n\t'))
    record_fields(facts, source, family, unit, fields)
    settable = number('event_mask') | number('event_mask_ext', 0) << 32
    facts.add(source, family, unit, 'settable', settable)
    if (family, unit) in FILTERS:
        record_filters(facts, source, family, unit)
    constraints = LATE.get((family, kind), t.get('constraints'))
    if constraints:
        record_constraints(facts, source, family, unit, constraints.strip())
    fixed = {'imc': 'imcclk', 'ubox': 'uclk'}.get(unit)
    if fixed and 'fixed_ctl' in t:
        facts.add(source, family, fixed, 'control', *[number('fixed_ctl') + o for o in offsets])
        facts.add(source, family, fixed, 'count', *[number('fixed_ctr') + o for o in offsets])
        facts.add(source, family, fixed, 'width', number('fixed_ctr_bits'))
        if boxes > 1:
            facts.add(source, family, fixed, 'boxes', boxes)
        if devices:
            facts.add(source, family, fixed, 'device', *devices)


def record_uncore(facts, trees):
    source = Source(trees, PERF + 'intel/uncore_snbep.c')
    source.macros.update(Source(trees, 'include/linux/pci_ids.h').macros)
    for family, kinds in OURS.items():
        for kind in kinds.split():
            record_type(facts, source, family, kind)
        ubox = re.search(r'int %s_uncore_pci_init\(void\)\s*\{[^}]*?pci2phy_map_init\((0x\w+), *(\w+),\s*(\w+)'
                         % DRIVERS[family], source.text)
        if ubox and family not in (SKX, ICX):
            for unit in 'ha', 'imc', 'imcclk', 'qpi', 'r2pcie', 'r3qpi':
                facts.add(source, family, unit, 'ubox', int(ubox[1], 16))
    source = Source(trees, PERF + 'intel/uncore_snb.c')
    t = type_of(source, 'nhm_uncore')
    for key, member in ('control', 'event_ctl'), ('count', 'perf_ctr'), \
            ('counters', 'num_counters'), ('width', 'perf_ctr_bits'):
        facts.add(source, NHM, 'uncore', key, source.number(t[member]))
    facts.add(source, NHM, 'uncore', 'stride', 1, 1)
    facts.add(source, NHM, 'uncore', 'global', source.number('NHM_UNC_PERF_GLOBAL_CTL'))
    record_fields(facts, source, NHM, 'uncore', formats_of(source, 'nhm_uncore_format_group'))


def record_models(facts, trees):
    source = Source(trees, PERF + 'intel/uncore.c')
    names = Source(trees, ASM + 'intel-family.h')
    drivers = {'nhm': NHM, 'snbep': SNB, 'ivbep': IVB, 'hswep': HSW, 'bdx': BDW, 'skx': SKX,
               'icx': ICX, 'spr': SPR}
    models = {}
    for name, driver in re.findall(r'FAM6_MODEL\((\w+),\s*&(\w+)_uncore_init\)', source.text):
        if driver in drivers:
            models.setdefault(drivers[driver], []).append(names.number('INTEL_FAM6_' + name))
    for family, numbers in models.items():
        facts.add(source, family, 'core', 'models', *sorted(numbers))


# Names of a family's tables of core event constraints in intel/core.c.
TABLES = {NHM: ['nehalem', 'westmere'], SNB: ['snb'], IVB: ['ivb'], HSW: ['hsw'], BDW: ['bdw'],
          SKX: ['skl'], ICX: ['icl'], SPR: ['spr']}


def record_intel(facts, trees):
    core = Source(trees, PERF + 'intel/core.c')
    msr = Source(trees, ASM + 'msr-index.h')
    perf = Source(trees, ASM + 'perf_event.h')
    formats = {}
    for name, bits in re.findall(r'PMU_FORMAT_ATTR\((\w+),\s*"config:([^"]*?)\s*"', core.text):
        formats.setdefault(name, (0, mask_of(bits)))
    for family in INTEL:
        for table in TABLES[family]:
            record_constraints(facts, core, family, 'core',
                               'intel_%s_event_constraints' % table)
        record_fields(facts, core, family, 'core', formats)
        names = dict(GENERIC, **GENERIC_INTEL)
        if family == NHM:       # our PAPI_BR_INS counts executed branches there
            del names['PAPI_BR_INS']
        record_generic(facts, core, family, 'intel_perfmon_event_map', names)
        for key, name in (
                ('control', 'MSR_ARCH_PERFMON_EVENTSEL0'), ('count', 'MSR_ARCH_PERFMON_PERFCTR0'),
                ('global', 'MSR_CORE_PERF_GLOBAL_CTRL'),
                ('global-clear', 'MSR_CORE_PERF_GLOBAL_OVF_CTRL'),
                ('fixed-control', 'MSR_CORE_PERF_FIXED_CTR_CTRL'),
                ('fixed-count', 'MSR_CORE_PERF_FIXED_CTR0')):
            facts.add(msr, family, 'core', key, msr.number(name) if name in msr.macros else
                      perf.number(name))
        facts.add(core, family, 'core', 'stride', 1, 1)


def record_amd(facts, trees):
    core = Source(trees, PERF + 'amd/core.c')
    msr = Source(trees, ASM + 'msr-index.h')
    perf = Source(trees, ASM + 'perf_event.h')
    formats = {}
    for name, bits in re.findall(r'PMU_FORMAT_ATTR\((\w+),\s*"config:([^"]*?)\s*"', core.text):
        formats.setdefault(name, (0, mask_of(bits)))
    for family in AMD:
        old = family == F10H
        record_fields(facts, core, family, 'core', formats)
        facts.add(msr, family, 'core', 'control', msr.number(
            'MSR_K7_EVNTSEL0' if old else 'MSR_F15H_PERF_CTL'))
        facts.add(msr, family, 'core', 'count', msr.number(
            'MSR_K7_PERFCTR0' if old else 'MSR_F15H_PERF_CTR'))
        facts.add(core, family, 'core', 'stride', *([1, 1] if old else [2, 2]))
        facts.add(perf, family, 'core', 'counters', perf.number(
            'AMD64_NUM_COUNTERS' if old else 'AMD64_NUM_COUNTERS_CORE'))
        facts.add(core, family, 'core', 'width',
                  int(re.search(r'\.cntval_bits\s*=\s*(\d+)', core.text)[1]))
        table = 'amd_perfmon_event_map' if family in (F10H, F15H) else \
            'amd_f17h_perfmon_event_map' if core.array('amd_f17h_perfmon_event_map') else \
            'amd_zen1_perfmon_event_map'
        names = dict(GENERIC, **GENERIC_AMD)
        if family in (F10H, F15H):
            names.update(GENERIC_OLD_AMD)
            record_cached(facts, core, family)
        record_generic(facts, core, family, table, names)
        if family == ZEN4:
            facts.add(msr, family, 'core', 'global', msr.number('MSR_AMD64_PERF_CNTR_GLOBAL_CTL'))
            facts.add(msr, family, 'core', 'global-clear',
                      msr.number('MSR_AMD64_PERF_CNTR_GLOBAL_STATUS_CLR'))
    record_f15h(facts, core)
    # Event 003h takes two counters: amd_is_pair_event_code(), even counters only.
    for family in AMD[2:]:
        facts.add(core, family, 'core', 'counters 0x03', 0x15)


def record_f15h(facts, core):
    """Record the counters that amd_get_event_constraints_f15h() returns for each event."""
    code = re.search(r'amd_get_event_constraints_f15h\(.*?\n\}', core.text, re.S)[0]
    sets = {name: core.number(n) for name, n in re.findall(
        r'amd_f15_(PMC\d+)\s*=\s*EVENT_CONSTRAINT\w*\(0, *(0x\w+)', core.text)}
    # A range of two: both values of bits 7:4.
    units = {name: [int(n, 16) for n in numbers if n] for name, *numbers in re.findall(
        r'#define\s+(AMD_EVENT_\w+)\s+0x(\w+)ULL(?:\s*\.\.\.\s*0x(\w+)ULL)?', core.text)}
    block = ''
    for line in code.split('\n'):
        # The outer switch is one tab deep: several cases, then code common to all of them.
        if line.startswith(('\tcase', '\tdefault')) and 'return' in block:
            record_f15h_block(facts, core, block, sets, units)
            block = ''
        block += line + '\n'
    for key, value in (('0x0a0/0f0', None), ('0x0b0/0f0', None), ('0x000:11', 'PMC3'), ('0x004:03', 'PMC3'), ('0x000:01', 'PMC53'),
                       ('0x004:01', 'PMC53'), ('0x031:01', 'PMC20'), ('0x031:03', None)):
        facts.add(core, F15H, 'core', 'counters ' + key, sets.get(value, 0))


def record_f15h_block(facts, core, block, sets, units):
    """Record the events of some cases of the outer switch; its last return is the default."""
    returned = re.findall(r'return &(?:amd_f15_)?(\w+)', block)
    events = []
    for word in re.findall(r'case 0x[^:]+:|return &\w+;', block):
        if word.startswith('case'):
            first, _, last = word[5:-1].partition(' ... ')
            events += list(range(int(first, 16), int(last or first, 16) + 1))
            continue
        for event in events:
            # The counters of these depend on the unit mask: see the end of record_f15h().
            if event not in (0x000, 0x004, 0x031):
                facts.add(core, F15H, 'core', 'counters 0x%03x' % event,
                          sets.get(word[8:-1].replace('amd_f15_', ''), 0))
        events = []
    for unit in re.findall(r'case (AMD_EVENT_\w+):', block):
        for bits in units[unit]:
            facts.add(core, F15H, 'core', 'counters 0x%03x/0f0' % bits,
                      sets.get(returned[-1], 0))


def record_amd_uncore(facts, trees):
    uncore = Source(trees, PERF + 'amd/uncore.c')
    msr = Source(trees, ASM + 'msr-index.h')
    perf = Source(trees, ASM + 'perf_event.h')
    attrs = {var: mask_of(bits) for var, bits in re.findall(
        r'FORMAT_ATTR\((\w+),\s*\w+,\s*"config:([^"]*)"', uncore.text)}

    def unit(family, name, base, fields):
        facts.add(msr, family, name, 'control', msr.number(base))
        facts.add(msr, family, name, 'count', msr.number(base.replace('_CTL', '_CTR')))
        facts.add(uncore, family, name, 'stride', 2, 2)
        facts.add(uncore, family, name, 'width', 48)
        for field in 'event', 'umask', 'edge', 'inv', 'cmask':
            facts.add(uncore, family, name, 'field ' + field, attrs[fields[field]]
                      if field in fields else 0)

    unit(F15H, 'nb', 'MSR_F15H_NB_PERF_CTL', {'event': 'event12', 'umask': 'umask8'})
    facts.add(uncore, F15H, 'nb', 'counters', uncore.number('NUM_COUNTERS_NB'))
    for family in AMD[2:]:
        unit(family, 'l3', 'MSR_F16H_L2I_PERF_CTL', {'event': 'event8', 'umask': 'umask8'})
        facts.add(uncore, family, 'l3', 'counters', uncore.number('NUM_COUNTERS_L3'))
        always = ('AMD64_L3_SLICE_MASK | AMD64_L3_THREAD_MASK' if family in (ZEN1, ZEN2) else
                  'AMD64_L3_F19H_THREAD_MASK | AMD64_L3_EN_ALL_CORES | AMD64_L3_EN_ALL_SLICES')
        facts.add(perf, family, 'l3', 'always', perf.number(always))
        v2 = family == ZEN4
        unit(family, 'df', 'MSR_F15H_NB_PERF_CTL',
             {'event': 'event14v2' if v2 else 'event14', 'umask': 'umask12' if v2 else 'umask8'})
        if not v2:
            facts.add(uncore, family, 'df', 'counters', uncore.number('NUM_COUNTERS_NB'))
    unit(ZEN4, 'umc', 'MSR_F19H_UMC_PERF_CTL', {'event': 'event8', 'umask': 'rdwrmask'})
    facts.add(perf, ZEN4, 'umc', 'field enable', perf.number('AMD64_PERFMON_V2_ENABLE_UMC'))


def record_registers(facts, trees):
    """Record the registers of energy, temperatures, APERF and MPERF."""
    msr = Source(trees, ASM + 'msr-index.h')
    rapl = Source(trees, PERF + 'rapl.c')
    domains = {'PP0': 'energy-cores', 'PKG': 'energy-pkg', 'RAM': 'energy-ram'}
    names = {'PP0': 'MSR_PP0_ENERGY_STATUS', 'PKG': 'MSR_PKG_ENERGY_STATUS',
             'RAM': 'MSR_DRAM_ENERGY_STATUS'}
    models = {SNB: 'SANDYBRIDGE_X', IVB: 'IVYBRIDGE_X', HSW: 'HASWELL_X', BDW: 'BROADWELL_X',
              SKX: 'SKYLAKE_X', ICX: 'ICELAKE_X', SPR: 'SAPPHIRERAPIDS_X'}
    for family, name in models.items():
        model = re.search(r'FAM6_MODEL\(%s,\s*&(\w+)\)' % name, rapl.text)[1]
        text = rapl.array(model)
        for domain in re.findall(r'BIT\(PERF_RAPL_(\w+)\)', text):
            if domain not in domains:
                continue
            unit = domains[domain]
            facts.add(msr, family, unit, 'count', msr.number(names[domain]))
            facts.add(msr, family, unit, 'unit-register', msr.number('MSR_RAPL_POWER_UNIT'))
            facts.add(rapl, family, unit, 'width', rapl.number('RAPL_CNTR_WIDTH'))
            quirk = 'QUIRK_INTEL_HSW' in text and domain == 'RAM'
            facts.add(rapl, family, unit, 'scale', int(re.search(
                r'rapl_hw_unit\[PERF_RAPL_RAM\] = (\d+)', rapl.text)[1]) if quirk else 0)
    for family in AMD[2:]:
        for unit, name in ('energy-pkg', 'MSR_AMD_PKG_ENERGY_STATUS'), \
                ('energy-core', 'MSR_AMD_CORE_ENERGY_STATUS'):
            facts.add(msr, family, unit, 'count', msr.number(name))
            facts.add(msr, family, unit, 'unit-register', msr.number('MSR_AMD_RAPL_POWER_UNIT'))
            facts.add(rapl, family, unit, 'width', rapl.number('RAPL_CNTR_WIDTH'))
            facts.add(rapl, family, unit, 'scale', 0)
    thermal = Source(trees, PERF + 'msr.c')
    bits = re.search(r'now & \(1ULL << (\d+)\) \? \(now >> (\d+)\) & (0x\w+)', thermal.text)
    coretemp = Source(trees, 'drivers/hwmon/coretemp.c')
    margin = re.search(r'\(eax >> 16\) & (0x\w+)', coretemp.text)
    for family in INTEL:
        facts.add(msr, family, 'temp-core', 'count', msr.number('MSR_IA32_THERM_STATUS'))
        facts.add(msr, family, 'temp-core', 'unit-register', msr.number('MSR_IA32_TEMPERATURE_TARGET'))
        facts.add(thermal, family, 'temp-core', 'valid', 1 << int(bits[1]))
        facts.add(thermal, family, 'temp-core', 'margin', int(bits[3], 16) << int(bits[2]))
        facts.add(coretemp, family, 'temp-core', 'margin', int(margin[1], 16) << 16)
        if family != NHM:
            facts.add(msr, family, 'temp-pkg', 'count', msr.number('MSR_IA32_PACKAGE_THERM_STATUS'))
            facts.add(msr, family, 'temp-pkg', 'unit-register',
                      msr.number('MSR_IA32_TEMPERATURE_TARGET'))
            facts.add(coretemp, family, 'temp-pkg', 'margin', int(margin[1], 16) << 16)
    for family in INTEL + AMD:
        facts.add(msr, family, 'aperf', 'count', msr.number('MSR_IA32_APERF'))
        facts.add(msr, family, 'mperf', 'count', msr.number('MSR_IA32_MPERF'))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    trees = [arg.split('=', 1) for arg in sys.argv[1:]]
    facts = Facts()
    for family, folders in FOLDERS.items():
        for folder in folders:
            listed = Listed(trees, folder)
            record_counters(facts, family, listed)
            record_listed(facts, family, listed)
    record_uncore(facts, trees)
    record_models(facts, trees)
    record_intel(facts, trees)
    record_amd(facts, trees)
    # Prefer newer trees: older ones lack the memory controllers of Zen 4.
    record_amd_uncore(facts, list(reversed(trees)))
    record_registers(facts, trees)
    facts.write()


if __name__ == '__main__':
    main()
