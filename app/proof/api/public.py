"""Prints the public classes, functions and methods of a package that lies in a directory, each by the name to type.

Methods that Python calls itself are public where the package's source has them. Of those that a decorator makes, the source may
speak or not: a question mark stands before them. With "tell" it prints what there is to say of each: parameters and docstring.
"""
import ast
import functools
import importlib
import inspect
import json
import os
import pkgutil
import sys
import textwrap
import types
import typing

root = os.path.abspath(sys.argv[1])
for place in ("src", "lib", "."):
    where = os.path.join(root, place)
    tops = [m.name for m in pkgutil.iter_modules([where]) if m.ispkg and m.name[0] != "_"]
    tops = [t for t in tops if t not in ("tests", "test", "docs", "docs_src", "examples", "scripts", "benchmarks", "tools", "testing")]
    if os.path.isdir(where) and tops:
        sys.path.insert(0, where)
        break


def modules(name):
    module = importlib.import_module(name)
    yield module
    for m in pkgutil.iter_modules(getattr(module, "__path__", [])):
        if m.name[0] != "_":
            try:
                yield from modules(name + "." + m.name)
            except ImportError as error:
                print(f"{name}.{m.name}: {error}", file=sys.stderr)
                if sys.argv[2] == "names":
                    print(f"?{name}.{m.name}")


def parameters(value):
    """The names of parameters, with stars before them and "=" behind those that have a default."""
    value = getattr(value, "__func__", value)
    if not inspect.isfunction(value) or typing.get_overloads(value):  # of overloads each has its own
        return ""
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    try:
        found = inspect.signature(value).parameters.values()
    except ValueError:  # it wraps something that is not written in Python
        return ""
    return " ".join(stars.get(p.kind, "") + p.name + ("=" if p.default is not p.empty else "") for p in found)


def show(typed, value, mark=""):
    if sys.argv[2] == "names":
        print(mark + typed)
    elif not mark and value is not None and issubclass(type(value), (type, types.FunctionType, property, staticmethod, classmethod)):  # and no proxy
        own = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        doc = inspect.cleandoc(getattr(own, "__doc__", None) or "")
        print(json.dumps({"name": typed, "signature": parameters(value), "doc": doc}))


def is_method(thing):
    return inspect.isfunction(thing) or isinstance(thing, (property, classmethod, staticmethod, functools.cached_property))


@functools.cache
def assigned(value):
    """The attributes that the methods of a class assign to self, as its source has them."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(value)))
    except (OSError, TypeError, SyntaxError):
        return set()
    out = set()
    for method in tree.body[0].body:
        if isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef)) and method.args.args:
            own = method.args.args[0].arg
            for node in ast.walk(method):
                if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id == own:
                    out.add(node.attr)
    return {a for a in out if a[0] != "_"}


def members(typed, value):
    """What a class declares itself and what it has of bases that callers do not reach, and the classes within it."""
    own_members(typed, value)
    known = set(vars(value)) | assigned(value)
    reached_behind = set()
    for base in value.__mro__[1:]:
        if base in reached or base in reached_behind or base.__module__.split(".")[0] not in tops:
            reached_behind.update(base.__mro__)
        else:
            own_members(typed, base, known)
            known |= set(vars(base)) | assigned(base)


def own_members(typed, value, known=()):
    for attribute in sorted(assigned(value) | {a for a in vars(value).get("__annotations__", ()) if a[0] != "_" and a not in vars(value)}):
        if attribute not in known and not is_method(vars(value).get(attribute)):
            show(typed + "." + attribute, None)
    for member, thing in sorted(vars(value).items()):
        if member in known:
            continue
        nested = inspect.isclass(thing) and thing.__qualname__ == value.__qualname__ + "." + member
        if member[0] != "_" and not is_method(thing) and not nested:
            described = isinstance(thing, types.ModuleType) or inspect.isdatadescriptor(thing) or inspect.ismethoddescriptor(thing)  # slots
            show(typed + "." + member, None, "?" if described else "")
            continue
        if member in ("__new__", "__init_subclass__", "__class_getitem__"):  # which Python binds otherwise
            thing = getattr(thing, "__func__", thing)
        dunder = member[:2] == "__" and inspect.isfunction(thing) and thing.__name__ == member
        if inspect.isclass(thing) and member[0] != "_" and thing.__qualname__ == value.__qualname__ + "." + member:
            show(typed + "." + member, thing)
            members(typed + "." + member, thing)
        elif member[0] != "_" and is_method(thing):
            show(typed + "." + member, thing)
        elif dunder:
            written = thing.__code__.co_qualname == value.__qualname__ + "." + member
            show(typed + "." + member, thing, "" if written else "?")


def said(module):
    """What the source declares itself, whatever decorators made of it, and what it passes on in so many words."""
    with open(module.__file__) as source:
        for node in ast.walk(ast.parse(source.read())):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.name in vars(module):
                yield node.name
            elif isinstance(node, ast.ImportFrom):
                yield from (a.name for a in node.names if a.asname == a.name)


def is_public(module, top, name, value):
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return name in listed
    home = getattr(value, "__module__", None) or ""
    if name in module.said and name[0] != "_":
        return True
    if name[0] == "_" or not (home == top or home.startswith(top + ".")):
        return False
    return home == module.__name__ or hasattr(module, "__path__")


found = []
for top in tops:
    for module in modules(top):
        module.said = set(said(module))
        for name, value in sorted(vars(module).items()):
            listed = name in (getattr(module, "__all__", None) or ())
            kind = inspect.isclass(value) or inspect.isfunction(value) or name in module.said and not inspect.ismodule(value)
            if listed and not kind and not inspect.ismodule(value):
                found.append((module.__name__ + "." + name, value, "?"))
            elif kind and is_public(module, top, name, value):
                found.append((module.__name__ + "." + name, value, ""))
reached = {value for _, value, _ in found if inspect.isclass(value)}
for typed, value, mark in found:
    show(typed, value, mark)
    if not mark and inspect.isclass(value) and value.__module__.split(".")[0] in tops:
        members(typed, value)
