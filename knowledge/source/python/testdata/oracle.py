"""Reads file names from standard input and writes what CPython's own parser sees in each, as one JSON line."""

import ast
import json
import sys
import warnings

warnings.simplefilter("ignore")
BLOCKS = (ast.If, ast.Try, ast.With, ast.AsyncWith, ast.For, ast.AsyncFor, ast.While, ast.Match) + (
    (ast.TryStar,) if hasattr(ast, "TryStar") else ()
)
LOOPS = (ast.For, ast.AsyncFor, ast.While)


def children(node):
    for field in ("body", "handlers", "orelse", "finalbody", "cases"):
        for child in getattr(node, field, []) or []:
            if isinstance(child, (ast.ExceptHandler, ast.match_case)):
                yield from child.body
            else:
                yield child


def doc(node):
    text = ast.get_docstring(node, clean=True) or ""
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")


def targets(node):
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Starred):
        yield from targets(node.value)
    elif isinstance(node, (ast.Tuple, ast.List)):
        for element in node.elts:
            yield from targets(element)


def plain(node):
    if isinstance(node, ast.Starred):
        return plain(node.value)
    if isinstance(node, (ast.Tuple, ast.List)):
        return all(plain(element) for element in node.elts)
    return isinstance(node, ast.Name)


def instance(body, prefix, out):
    """What a method gives to self."""
    for node in body:
        if isinstance(node, BLOCKS):
            instance(children(node), prefix, out)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if not isinstance(target, ast.Attribute) or not isinstance(target.value, ast.Name) or target.value.id != "self":
                    break
                if not target.attr.startswith("_"):
                    out.append((prefix + target.attr, "", node.lineno, node.end_lineno, ""))


def declared(body, prefix, kind, in_loop, out, given):
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            what = "method" if kind == "class" else "func"
            out.append((prefix + node.name, what, node.lineno, node.end_lineno, doc(node)))
            if kind == "class":
                instance(node.body, prefix, given)
        elif isinstance(node, ast.ClassDef):
            out.append((prefix + node.name, "class", node.lineno, node.end_lineno, doc(node)))
            declared(node.body, prefix + node.name + ".", "class", False, out, given)
        elif isinstance(node, BLOCKS):
            if isinstance(node, LOOPS):
                declared(node.body, prefix, kind, True, out, given)
                declared(node.orelse, prefix, kind, in_loop, out, given)
            else:
                declared(children(node), prefix, kind, in_loop, out, given)
        elif isinstance(node, ast.Assign) and not in_loop:
            for target in node.targets:
                if plain(target):
                    for name in targets(target):
                        out.append((prefix + name, "", node.lineno, node.end_lineno, ""))
        elif isinstance(node, ast.AnnAssign) and not in_loop and isinstance(node.target, ast.Name) and node.simple:
            out.append((prefix + node.target.id, "", node.lineno, node.end_lineno, ""))
        elif hasattr(ast, "TypeAlias") and isinstance(node, ast.TypeAlias):
            out.append((prefix + node.name.id, "type", node.lineno, node.end_lineno, ""))


def imports(tree):
    out = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                out.append((alias.name, [], node.lineno))
        elif isinstance(node, ast.ImportFrom):
            names = sorted({a.name for a in node.names if a.name != "*"})
            out.append(("." * node.level + (node.module or ""), names, node.lineno))
    return sorted(out)


def uses(tree):
    """The members that are reached through each plainly bound module, and the modules that are used as values."""
    bound = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname or "." not in alias.name:
                    bound[alias.asname or alias.name] = alias.name
    members, bare, owned = set(), set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in bound:
            members.add((bound[node.value.id], node.attr))
            owned.add(id(node.value))
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in bound and id(node) not in owned:
            bare.add(bound[node.id])
    return sorted(members), sorted(bare)


def read(path):
    try:
        with open(path, "rb") as file:
            source = file.read()
        tree = ast.parse(source.decode("utf-8-sig"))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return {"path": path, "error": str(error)}
    found, given = [], []
    declared(tree.body, "", "module", False, found, given)
    first = {}
    for name, kind, line, end, text in found + given:
        first.setdefault(name, {"name": name, "kind": kind, "line": line, "end": end, "doc": text})
        first[name]["doc"] = first[name]["doc"] or text
    members, bare = uses(tree)
    return {
        "path": path,
        "doc": doc(tree),
        "symbols": list(first.values()),
        "imports": imports(tree),
        "members": members,
        "bare": bare,
    }


sys.setrecursionlimit(5000)
for name in sys.stdin:
    print(json.dumps(read(name.rstrip("\n"))))
