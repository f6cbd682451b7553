"""Prints the public classes, functions and methods of a package that lies in a directory, each by the name to type.

Methods that Python calls itself are public where the package's source has them. Of those that a decorator makes, the source may
speak or not: a question mark stands before them.
"""
import ast
import functools
import importlib
import inspect
import os
import pkgutil
import sys

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


def is_method(thing):
    return inspect.isfunction(thing) or isinstance(thing, (property, classmethod, staticmethod, functools.cached_property))


def members(typed, value):
    """What a class declares itself, and the classes within it."""
    for member, thing in sorted(vars(value).items()):
        if member in ("__new__", "__init_subclass__", "__class_getitem__"):  # which Python binds otherwise
            thing = getattr(thing, "__func__", thing)
        dunder = member[:2] == "__" and inspect.isfunction(thing) and thing.__name__ == member
        if inspect.isclass(thing) and member[0] != "_" and thing.__qualname__ == value.__qualname__ + "." + member:
            print(typed + "." + member)
            members(typed + "." + member, thing)
        elif member[0] != "_" and is_method(thing):
            print(typed + "." + member)
        elif dunder:
            print(("" if thing.__code__.co_qualname == value.__qualname__ + "." + member else "?") + typed + "." + member)


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


for top in tops:
    for module in modules(top):
        module.said = set(said(module))
        for name, value in sorted(vars(module).items()):
            listed = name in (getattr(module, "__all__", None) or ())
            kind = inspect.isclass(value) or inspect.isfunction(value) or name in module.said and not inspect.ismodule(value)
            if listed and not kind and not inspect.ismodule(value):
                print("?" + module.__name__ + "." + name)
            if not kind or not is_public(module, top, name, value):
                continue
            typed = module.__name__ + "." + name
            print(typed)
            if inspect.isclass(value) and value.__module__.split(".")[0] in tops:
                members(typed, value)
