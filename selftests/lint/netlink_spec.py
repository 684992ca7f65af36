#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compares Documentation/netlink/specs/rcrtool.yaml with the code in full.

Enums and flags with uapi/, names and types of attributes with the comments there, the
attributes, types, lengths and ranges of each request with the policies of the module, and
the types of answers with the policies of librcr. Prints each difference; status 1 if there
is one.
"""
import pathlib
import re
import sys

import yaml

TOP = pathlib.Path(__file__).resolve().parents[2]
UAPI = "".join((TOP / "uapi/linux" / name).read_text() for name in ("rcrtool.h", "rcrreason.h", "rcrboard.h"))
NETLINK = "".join(p.read_text() for p in sorted((TOP / "kmod/interface").glob("netlink*.c")))
LIBRCR = "".join(p.read_text() for p in sorted((TOP / "userspace/librcr").glob("*.c")))
KMOD = "".join(p.read_text() for p in sorted((TOP / "kmod").rglob("*.h")))
TYPES = {"u8": "NLA_U8", "u32": "NLA_U32", "u64": "NLA_U64", "s32": "NLA_S32", "string": "NLA_NUL_STRING", "flag": "NLA_FLAG",
         "nest": "NLA_NESTED", "binary": "NLA_BINARY"}
# Enumerators that are the number of values, not values.
COUNTS = ("RCR_PLACE_KINDS",)
# Prefixes of enums that belong to the stream or the board, not to netlink.
ELSEWHERE = ("RCR_ITEM_", "RCR_UNIT_", "RCR_BOARD_", "RCR_VERDICT_")
differences = 0
FLAGS = {}


def differ(text):
    global differences
    differences += 1
    print(text)


def upper(name):
    return name.upper().replace("-", "_")


def constant(name):
    """Return the value of a macro of uapi/ or kmod/."""
    found = re.search(r"#define %s\s+(\S+)" % name, UAPI + KMOD)
    return constant(found[1]) if found and not found[1].isdigit() else int(found[1])


def number(text):
    """Return the value of an expression of constants; an alias has the value of its enumerator."""
    known = {"NSEC_PER_USEC": 1000, "S64_MAX": 2 ** 63 - 1, "U64_MAX": 2 ** 64 - 1}
    for found in enums():
        known.update(found)
    text = re.sub(r"\(u64\)|(?<=\d)(?:ull|u)\b", "", text)
    while True:
        names = [n for n in re.findall(r"\b[A-Z_]\w*", text) if n not in known]
        if not names:
            return eval(text, {"__builtins__": {}}, known)
        for name in names:
            macro = re.search(r"#define %s\s+([^/\n]+)" % name, UAPI + KMOD)
            alias = re.search(r"\b%s\s*=\s*([^,\n]+)" % name, KMOD)
            value = re.sub(r"(?<=\d)(?:ull|u)\b", "", (macro or alias)[1].strip())
            text = re.sub(r"\b%s\b" % name, "(%s)" % value, text)


def enums():
    """Return the enums, each as a dictionary from enumerator to value."""
    for body in re.findall(r"^enum \w+ \{\n(.*?)^\};", UAPI, re.M | re.S):
        body = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
        value, found = 0, {}
        for name, given in re.findall(r"^\s*(\w+)\s*(?:=\s*([^,\n]+?))?\s*,?\s*$", body, re.M):
            if given:
                shift = re.fullmatch(r"1u? << (\d+)", given.strip())
                value = 1 << int(shift[1]) if shift else int(given, 0)
            found[name] = value
            value += 1
        yield found


def defines(prefix):
    found = {}
    for name, given in re.findall(r"^#define (%s\w+)\s+\(?(1u? << \d+|0x[0-9a-f]+u?|\d+u?)\)?" % prefix,
                                  UAPI, re.M):
        shift = re.fullmatch(r"1u? << (\d+)", given)
        found[name] = 1 << int(shift[1]) if shift else int(given.rstrip("u"), 0)
    return found


def check_definition(one):
    prefix = upper(one["name-prefix"])
    start = one.get("value-start", 0)
    wanted = {prefix + upper(entry): 1 << n if one["type"] == "flags" else n + start
              for n, entry in enumerate(one["entries"])}
    for found in enums():
        found = {name: value for name, value in found.items() if name not in COUNTS}
        if next(iter(wanted)) not in found:
            continue
        if found != wanted:
            differ(f"{one['name']}: the spec has {wanted}, uapi {found}")
        return
    # Other macros may have the same prefix.
    macros = defines(prefix)
    found = {name: macros.get(name) for name in wanted}
    if found != wanted:
        differ(f"{one['name']}: the spec has {wanted}, uapi {found}")


def check_set(one):
    """Compare order and types of an attribute set."""
    prefix = upper(one["name-prefix"])
    body = re.search(r"^\t%sUNSPEC,\n(.*?)^\t__" % prefix, UAPI, re.M | re.S)[1]
    found = re.findall(r"^\t%s(\w+),[ \t]*(?:/\* (\w+))?" % prefix, body, re.M)
    wanted = [(upper(a["name"]), a["type"]) for a in one["attributes"]]
    if [name for name, _ in found] != [name for name, _ in wanted]:
        differ(f"{one['name']}: attributes are {found} in uapi and {wanted} in the spec")
        return
    before = ""
    for (name, told), (_, kind) in zip(found, wanted):
        told = before = before if told == "likewise" else told
        if kind in ("u8", "u32", "u64", "s32", "string", "flag", "nest") and told.replace("s64", "u64") != kind:
            differ(f"{prefix}{name}: {kind} in the spec, and {told or 'no type'} in uapi")


def policies(text, prefix):
    """Return the policy tables: name -> attribute -> (type, length or None)."""
    tables = {}
    for name, body in re.findall(r"struct nla_policy (\w+)\[[^]]*\] = \{\n(.*?)^\};", text,
                                 re.M | re.S):
        for macro, meaning in re.findall(r"#define (\w+_POLICY) (\{[^\n]*\})", text):
            body = body.replace(f"= {macro}", f"= {meaning}")
        rows = re.findall(r"\[%s(\w+)\] = \{ \.type = (\w+)(?:, \.len = (\w+)(?: - 1)?)?" % prefix,
                          body)
        tables[name] = {row[0]: (row[1], row[2] or None, None) for row in rows}
        rows = re.findall(r"\[%s(\w+)\] = NLA_POLICY_(\w+)\((\w+), ([^)]*)\)," % prefix, body)
        tables[name].update({row[0]: (row[2], None, policy_range(text, row[1], row[3]))
                             for row in rows})
    return tables


def policy_range(text, kind, arguments):
    """Return (least, most) of NLA_POLICY_kind(type, arguments); None: no bound."""
    if kind == "FULL_RANGE":
        body = re.search(r"netlink_range_validation %s = \{(.*?)\};" % arguments.strip("& "), text,
                         re.S)[1]
        bounds = dict(re.findall(r"\.(min|max) = ([^,}]+)", body))
        return tuple(number(bounds[b].strip()) if b in bounds else None for b in ("min", "max"))
    values = [number(a.strip()) for a in arguments.split(",")]
    return {"RANGE": lambda: tuple(values), "MIN": lambda: (values[0], None),
            "MAX": lambda: (None, values[0]), "MASK": lambda: ("mask", values[0])}[kind]()


def check_groups(spec):
    """Compare the multicast groups, and check that their messages are not requests."""
    wanted = [group["name"] for group in spec["mcast-groups"]["list"]]
    body = re.search(r"genl_multicast_group \w+\[\] = \{\n(.*?)^\};", NETLINK, re.M | re.S)[1]
    found = [re.search(r'#define %s\s+"(\w+)"' % name, UAPI)[1]
             for name in re.findall(r"\.name = (\w+)", body)]
    if found != wanted:
        differ(f"multicast groups: {wanted} in the spec, {found} in the module")
    for operation in spec["operations"]["list"]:
        if "event" not in operation:
            continue
        name = upper(operation["name"])
        if operation["mcgrp"] not in wanted or re.search(r"RCR_OP\(%s," % name, NETLINK):
            differ(f"{operation['name']}: the group does not exist, or the event is also a request")
        sent = re.search(r"RCR_CMD_%s\);\n(.*?)^\}" % name, NETLINK, re.M | re.S)[1]
        found = re.findall(r"RCR_A_(\w+)", sent)
        if found != [upper(a) for a in operation["event"]["attributes"]]:
            differ(f"{operation['name']}: {found} in the module, "
                   f"{operation['event']['attributes']} in the spec")


def check_uapi(spec):
    """Check that the spec has all commands of uapi/, in order, and all enums that netlink uses."""
    wanted = ["RCR_CMD_UNSPEC"] + ["RCR_CMD_" + upper(o["name"]) for o in spec["operations"]["list"]]
    prefixes = [upper(d["name-prefix"]) for d in spec["definitions"] + spec["attribute-sets"]]
    for found in enums():
        first = next(iter(found))
        if first == wanted[0]:
            if found != {name: value for value, name in enumerate(wanted)}:
                differ(f"commands: {list(found)} in uapi, {wanted} in the spec")
        elif not first.startswith(tuple(prefixes) + ELSEWHERE):
            differ(f"the enum of {first} is in uapi and not in the spec")


def check_request(operation, attributes, tables):
    if "event" in operation:
        return
    name = upper(operation["name"])
    wanted = operation.get("do", operation.get("dump", {})).get("request", {}).get("attributes", [])
    row = re.search(r"RCR_%s\(%s, (?:\w+, )+(\w+)\)" % ("OP" if "do" in operation else "DUMP", name),
                    NETLINK)
    if not row:
        if wanted:
            differ(f"{operation['name']}: the module has no policy for {wanted}")
        elif not re.search(r"\.cmd = RCR_CMD_%s," % name, NETLINK):
            differ(f"{operation['name']}: the module has no such command")
        return
    check_policy(operation["name"], wanted, attributes, row[1], tables[row[1]])


def bounds_of(checks):
    """Return (least, most) of the checks in the spec, or ("mask", all flags)."""
    if "flags-mask" in checks:
        return "mask", FLAGS[checks["flags-mask"]]
    return checks.get("min"), checks.get("max")


def check_policy(who, wanted, attributes, name, table):
    """Compare attributes, types, lengths and ranges of a policy of the module."""
    if sorted(table) != sorted(upper(a) for a in wanted):
        differ(f"{who}: {sorted(table)} in {name}, {wanted} in the spec")
        return
    for a in wanted:
        kind, length, bounds = table[upper(a)]
        spec = attributes[a]
        checks = spec.get("checks", {})
        if (bounds or (None, None)) != bounds_of(checks):
            differ(f"{who}: {a} is {bounds_of(checks)} in the spec, {bounds} in {name}")
        if TYPES[spec["type"]] != kind:
            differ(f"{who}: {a} is {spec['type']} in the spec, {kind} in {name}")
        longest = checks.get("max-len")
        if kind == "NLA_NUL_STRING" and (not length or longest is None or
                                         longest < constant(length) - 1):
            differ(f"{who}: {a} is up to {longest} bytes in the spec, {length} in {name}")


def check_answers(spec_set, tables):
    """Compare the types of librcr's policies with the spec."""
    prefix = upper(spec_set["name-prefix"])
    kinds = {upper(a["name"]): a["type"] for a in spec_set["attributes"]}
    for table, rows in tables.items():
        for name, (kind, _, _) in rows.items():
            wanted = TYPES.get(kinds.get(name))
            if kind.replace("NLA_STRING", "NLA_NUL_STRING") != wanted:
                differ(f"{table} of librcr: {prefix}{name} is {kind}, {wanted} in the spec")


def main():
    spec = yaml.safe_load((TOP / "Documentation/netlink/specs/rcrtool.yaml").read_text())
    for one in spec["definitions"]:
        check_definition(one)
        if one["type"] == "flags":
            FLAGS[one["name"]] = (1 << len(one["entries"])) - 1
    for one in spec["attribute-sets"]:
        check_set(one)
        check_answers(one, policies(LIBRCR, upper(one["name-prefix"])))
    attributes = {a["name"]: a for a in spec["attribute-sets"][0]["attributes"]}
    tables = policies(NETLINK, "RCR_A_")
    for operation in spec["operations"]["list"]:
        check_request(operation, attributes, tables)
    check_groups(spec)
    check_uapi(spec)
    for name in ("event", "form", "term"):
        nest = next(s for s in spec["attribute-sets"] if s["name"] == name)
        nested = {a["name"]: a for a in nest["attributes"] if a["type"] != "pad"}
        table = name + "_attr_policy"
        check_policy(name, list(nested), nested, table,
                     policies(NETLINK, f"RCR_{upper(name)}_A_")[table])
    compared = len(spec["definitions"]), len(attributes), len(spec["operations"]["list"])
    print("compared: %d enums, %d attributes, %d commands" % compared)
    return differences > 0


sys.exit(main())
