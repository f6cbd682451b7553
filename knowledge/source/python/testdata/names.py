"""Reads file names from standard input and writes, for each, the names that every declaration uses and does not bind
itself, as one JSON line. What a name is bound by is asked of CPython's own symbol tables."""

import ast
import json
import re
import sys
import symtable
import warnings

warnings.simplefilter("ignore")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = {ast.ListComp: "listcomp", ast.SetComp: "setcomp", ast.DictComp: "dictcomp", ast.GeneratorExp: "genexpr"}
TEXT = []  # the lines of the file
OPAQUE = set(
    """Any object type Type Union Callable ClassVar Final Annotated Literal Self AnyStr TypeVar Required NotRequired
    ReadOnly TypeGuard TypeIs InitVar Never NoReturn LiteralString None Concatenate Unpack Generic Protocol""".split()
)


def chain(node):
    """The parts of a dotted name, None for anything else."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        if bracketed(node):
            return None
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return [node.id, *reversed(parts)]


def bracketed(node):
    """Whether the value of an attribute stands in brackets."""
    lines = TEXT[node.value.end_lineno - 1 : node.end_lineno]
    return lines[0].encode()[node.value.end_col_offset :].lstrip()[:1] == b")"


def plain(node):
    if isinstance(node, ast.Starred):
        return plain(node.value)
    if isinstance(node, (ast.Tuple, ast.List)):
        return all(plain(element) for element in node.elts)
    return isinstance(node, ast.Name)


def targets(node):
    return [n.id for n in ast.walk(node) if isinstance(n, ast.Name)] if plain(node) else []


def parsed(text):
    try:
        return ast.parse(text.strip(" "), mode="eval").body
    except (SyntaxError, ValueError):
        return None


def type_of(node):
    """The dotted name of the one type that an annotation names."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        node = parsed(node.value)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        if not (isinstance(node.right, ast.Constant) and node.right.value is None):
            return None
        node = node.left
    if isinstance(node, ast.Subscript):
        outer = chain(node.value)
        if outer and outer[-1] == "Optional":
            return type_of(node.slice)
        node = node.value
    parts = chain(node)
    return None if not parts or parts[-1] in OPAQUE else parts


class Scope:
    def __init__(self, table, kind, parent, name=""):
        self.table, self.kind, self.parent, self.name = table, kind, parent, name
        self.children = list(table.get_children())
        self.so_far = set()
        self.receiver, self.typed = None, {}

    def child(self, kind, name):
        for i, table in enumerate(self.children):
            if (table.get_type(), table.get_name()) == (kind, name):
                return self.children.pop(i)
        raise LookupError(name)


def mangled(scope, name):
    """The name that a class has made its own."""
    around = scope
    while around and around.kind != "class":
        around = around.parent
    if around and name.startswith("__") and not name.endswith("__"):
        name = "_" + around.table.get_name().lstrip("_") + name
    return name


def lookup(scope, name):
    return scope.table.lookup(mangled(scope, name))


def rebound(scope, name):
    """Whether something other than being a parameter binds a name."""
    table, name = scope.table, mangled(scope, name)
    symbol = table.lookup(name)
    return symbol.is_assigned() or symbol.is_imported() or inner_rebound(table, name)


def inner_rebound(table, name):
    for child in table.get_children():
        try:
            symbol = child.lookup(name)
        except KeyError:
            continue
        if symbol.is_free() and symbol.is_nonlocal() and symbol.is_assigned():
            return True
        if symbol.is_free() and inner_rebound(child, name):
            return True
    return False


class Reader:
    def __init__(self, tree, table):
        self.found = {}
        self.owners = [""]
        self.scope = Scope(table, "module", None)
        self.symbols, self.classes, self.imported, self.bound = set(), set(), set(), set()
        self.uses = []
        self.annotation = False
        self.loop = False
        self.main = False
        self.single = {}
        for name in table.get_identifiers():
            symbol = table.lookup(name)
            if symbol.is_imported():
                self.imported.add(name)
            if symbol.is_assigned() or symbol.is_imported():
                self.bound.add(name)
        self.globals(table)
        self.block(tree.body)

    def globals(self, table):
        for child in table.get_children():
            for symbol in child.get_symbols():
                if symbol.is_declared_global() and (symbol.is_assigned() or symbol.is_imported()):
                    self.bound.add(symbol.get_name())
            self.globals(child)

    def use(self, parts, scope=None, stored=False):
        """Follows the scopes outwards, as symtable describes them, to what binds the first name."""
        scope, base = scope or self.scope, None
        inner = False
        while scope.kind != "module":
            if scope.kind == "class" and inner:
                scope = scope.parent
                continue
            if parts[0] == "__class__" and scope.kind != "class":
                return
            try:
                symbol = lookup(scope, parts[0])
            except KeyError:
                # only where the name stands in a string, or stands for a type
                scope, inner = scope.parent, True
                continue
            if scope.kind == "class":
                if symbol.is_declared_global():
                    break
                if parts[0] in scope.so_far:
                    if scope.name:
                        self.emit([scope.name + "." + parts[0], *parts[1:]], "class", base)
                    return
            elif symbol.is_declared_global():
                break
            elif symbol.is_imported() and not symbol.is_parameter() and self.only_imported(scope, parts[0]):
                self.emit(parts, "imported", base)
                return
            elif symbol.is_local() or symbol.is_parameter():
                if base is not None or len(parts) == 1:
                    return
                if parts[0] == scope.receiver and not rebound(scope, parts[0]):
                    self.emit([scope.class_name + "." + parts[1]], "member", None)
                    return
                known = scope.typed.get(parts[0])
                if not known or scope.kind != "function":
                    return
                dotted, where, how = known
                if how == "parameter" and rebound(scope, parts[0]) or how != "parameter" and self.times(scope, parts[0]) != 1:
                    return
                base, parts, scope, inner = how, [*dotted, parts[1]], where, False
                continue
            scope, inner = scope.parent, True
        self.emit(parts, "global", base)

    def only_imported(self, scope, name):
        """Whether imports of the function alone bind a name."""
        return not lookup(scope, name).is_assigned() and not inner_rebound(scope.table, mangled(scope, name))

    def times(self, scope, name):
        return scope.counts.get(name, 0) + (5 if inner_rebound(scope.table, name) else 0)

    def emit(self, parts, how, base):
        self.uses.append((tuple(self.owners), parts, how, base))
        if self.main and self.owners != [""]:
            self.uses.append((("",), parts, how, base))

    def resolve(self):
        out = {}
        for owners, parts, how, base in self.uses:
            for owner in owners:
                if how == "imported" and (parts[0] in self.symbols or parts[0] in self.bound and parts[0] not in self.imported):
                    continue
                how = "global" if how == "imported" else how
                if how == "class" and parts[0] not in self.symbols and base is None:
                    continue
                if how == "class" and base is None:
                    parts = parts[:1]
                if how == "global" and base is not None:
                    if parts[0] in self.symbols and parts[0] not in self.classes:
                        continue
                    if base == "constructed" and (parts[0] not in self.classes or parts[0] in self.imported):
                        continue
                if how == "global" and base is None and owner == "" and parts[0] in self.bound:
                    if parts[0] not in self.symbols and parts[0] not in self.imported:
                        continue
                out.setdefault(owner, set()).add(".".join(parts))
        return {owner: sorted(names) for owner, names in out.items()}

    # statements

    def declares(self):
        return self.scope.kind == "module" or self.scope.kind == "class" and self.scope.name

    def prefix(self):
        return self.scope.name + "." if self.scope.name else ""

    def symbol(self, name, kind):
        if name in self.symbols and kind == "class" and name not in self.classes:
            return
        if kind == "class" and name not in self.symbols:
            self.classes.add(name)
        if kind != "class":
            self.classes.discard(name)
            self.plain = getattr(self, "plain", set())
            self.plain.add(name)
        self.symbols.add(name)

    def block(self, body):
        for node in body:
            self.statement(node)

    def statement(self, node):
        method = getattr(self, "do_" + type(node).__name__, None)
        if method:
            method(node)
        else:
            self.visit(node)

    def simple(self, node, names):
        if not self.declares() or self.loop:
            names = []
        owners = self.owners
        if names:
            self.owners = [self.prefix() + name for name in names]
            for name in self.owners:
                self.symbol(name, "var")
        yield
        self.owners = owners

    def do_Assign(self, node):
        names = [name for target in node.targets for name in targets(target)]
        for _ in self.simple(node, names):
            for target in node.targets:
                self.visit(target)
            self.visit(node.value)
        self.scope.so_far.update(name for target in node.targets for name in stored(target))

    def do_AnnAssign(self, node):
        simple = isinstance(node.target, ast.Name) and node.simple
        for _ in self.simple(node, [node.target.id] if simple else []):
            self.visit(node.target)
            self.annotated(node.annotation)
            if node.value:
                self.visit(node.value)
        if simple:
            self.scope.so_far.add(node.target.id)

    def do_AugAssign(self, node):
        name = node.target.id if isinstance(node.target, ast.Name) else None
        declared = name and self.declares() and not self.loop and self.prefix() + name in self.symbols
        for _ in self.simple(node, [name] if declared else []):
            if name and not declared and self.scope.kind != "function":
                self.use([name])
            elif not name:
                self.visit(node.target)
            elif name:
                self.visit(node.target)
            self.visit(node.value)

    def do_If(self, node):
        self.visit(node.test)
        before = self.main
        test = node.test
        mains = [
            n
            for n in ast.walk(test)
            if isinstance(n, ast.Compare)
            and isinstance(n.ops[0], ast.Eq)
            and {getattr(n.left, "id", getattr(n.left, "value", 0)), getattr(n.comparators[0], "id", getattr(n.comparators[0], "value", 0))}
            == {"__name__", "__main__"}
        ]
        self.main = before or bool(mains) and self.scope.kind == "module"
        self.block(node.body)
        self.main = before
        self.block(node.orelse)

    def do_For(self, node):
        self.visit(node.target)
        self.visit(node.iter)
        self.scope.so_far.update(stored(node.target))
        before, self.loop = self.loop, True
        self.block(node.body)
        self.loop = before
        self.block(node.orelse)

    do_AsyncFor = do_For

    def do_While(self, node):
        self.visit(node.test)
        before, self.loop = self.loop, True
        self.block(node.body)
        self.loop = before
        self.block(node.orelse)

    def do_With(self, node):
        for item in node.items:
            self.visit(item.context_expr)
            if item.optional_vars:
                self.visit(item.optional_vars)
                self.scope.so_far.update(stored(item.optional_vars))
        self.block(node.body)

    do_AsyncWith = do_With

    def do_Try(self, node):
        self.block(node.body)
        self.block(node.orelse)  # the order of symtable
        for handler in node.handlers:
            if handler.type:
                self.visit(handler.type)
            if handler.name:
                self.scope.so_far.add(handler.name)
            self.block(handler.body)
        self.block(node.finalbody)

    do_TryStar = do_Try

    def do_Match(self, node):
        self.visit(node.subject)
        for case in node.cases:
            self.visit(case.pattern)
            if case.guard:
                self.visit(case.guard)
            self.block(case.body)

    def do_Import(self, node):
        for alias in node.names:
            self.scope.so_far.add(alias.asname or alias.name.split(".")[0])

    def do_ImportFrom(self, node):
        for alias in node.names:
            self.scope.so_far.add(alias.asname or alias.name)

    def do_FunctionDef(self, node):
        owners, main = self.owners, self.main
        symbol = self.declares()
        if symbol:
            self.owners = [self.prefix() + node.name]
            self.symbol(self.owners[0], "func")
        self.main = False
        static = False
        for decorator in node.decorator_list:
            parts = chain(decorator)
            static = static or bool(parts) and parts[-1] == "staticmethod"
            self.visit(decorator)
        arguments = self.arguments(node.args)
        if node.returns:
            self.annotated(node.returns)
        outer = self.scope
        outer.so_far.add(node.name)
        scope = Scope(outer.child("function", node.name), "function", outer)
        scope.counts = counts(node)
        ordered = node.args.posonlyargs + node.args.args
        if outer.kind == "class" and outer.name and not static and ordered:
            scope.receiver, scope.class_name = ordered[0].arg, outer.name
        for argument in ordered + node.args.kwonlyargs:
            dotted = argument.annotation is not None and type_of(argument.annotation)
            if dotted:
                scope.typed[argument.arg] = (dotted, outer, "parameter")
        for child in own(node.body):
            if isinstance(child, ast.AnnAssign) and child.simple and type_of(child.annotation):
                scope.typed[child.target.id] = (type_of(child.annotation), scope, "annotated")
            if isinstance(child, ast.Assign) and len(child.targets) == 1 and isinstance(child.targets[0], ast.Name):
                value = child.value
                if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
                    scope.typed.setdefault(child.targets[0].id, ([value.func.id], scope, "constructed"))
        loop, self.loop = self.loop, False
        self.scope = scope
        self.block(node.body)
        self.scope, self.owners, self.main, self.loop = outer, owners, main, loop

    do_AsyncFunctionDef = do_FunctionDef

    def do_ClassDef(self, node):
        owners, main = self.owners, self.main
        outer = self.scope
        symbol = self.declares()
        if symbol:
            self.owners = [self.prefix() + node.name]
            self.symbol(self.owners[0], "class")
        self.main = False
        for decorator in node.decorator_list:
            self.visit(decorator)
        for child in node.bases + node.keywords:
            self.visit(child)
        outer.so_far.add(node.name)
        self.scope = Scope(outer.child("class", node.name), "class", outer, self.prefix() + node.name if symbol else "")
        loop, self.loop = self.loop, False
        self.block(node.body)
        self.scope, self.owners, self.main, self.loop = outer, owners, main, loop

    # expressions

    def annotated(self, node):
        before, self.annotation = self.annotation, True
        self.visit(node)
        self.annotation = before

    def plainly(self, node):
        before, self.annotation = self.annotation, False
        self.visit(node)
        self.annotation = before

    def arguments(self, args):
        for value in args.defaults + [d for d in args.kw_defaults if d]:
            self.plainly(value)
        for argument in args.posonlyargs + args.args + args.kwonlyargs + [a for a in (args.vararg, args.kwarg) if a]:
            if argument.annotation:
                self.annotated(argument.annotation)

    def visit(self, node):
        parts = chain(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            try:
                if self.scope.kind == "function" and self.scope.table.lookup(node.id).is_declared_global():
                    self.emit([node.id], "global", None)
            except KeyError:
                pass
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del) and self.scope.kind == "function":
            if self.scope.table.lookup(node.id).is_declared_global():
                self.emit([node.id], "global", None)
        elif parts:
            self.use(parts)
        elif isinstance(node, ast.NamedExpr):
            self.visit(node.value)
            self.scope.so_far.add(node.target.id)
        elif isinstance(node, ast.Lambda):
            self.arguments(node.args)
            outer = self.scope
            self.scope = Scope(outer.child("function", "lambda"), "lambda", outer)
            self.visit(node.body)
            self.scope = outer
        elif type(node) in COMPREHENSIONS:
            self.comprehension(node)
        elif isinstance(node, ast.Constant):
            if self.annotation and isinstance(node.value, str):
                inner = parsed(node.value)
                if inner is not None:
                    self.visit(inner)
        elif isinstance(node, ast.Call):
            self.plainly_all(node)
        elif isinstance(node, ast.Subscript) and self.annotation:
            self.subscript(node)
        elif isinstance(node, (ast.Dict, ast.Set)):
            self.plainly_all(node)
        else:
            for child in ast.iter_child_nodes(node):
                self.visit(child)

    def plainly_all(self, node):
        for child in ast.iter_child_nodes(node):
            self.plainly(child)

    def subscript(self, node):
        self.visit(node.value)
        name = (chain(node.value) or [""])[-1]
        if name == "Literal":
            self.plainly(node.slice)
        elif name == "Annotated" and isinstance(node.slice, ast.Tuple):
            self.visit(node.slice.elts[0])
            for child in node.slice.elts[1:]:
                self.plainly(child)
        else:
            self.visit(node.slice)

    def comprehension(self, node):
        self.visit(node.generators[0].iter)
        outer = self.scope
        self.scope = Scope(outer.child("function", COMPREHENSIONS[type(node)]), "comprehension", outer)
        for i, generator in enumerate(node.generators):
            self.visit(generator.target)
            if i:
                self.visit(generator.iter)
            for condition in generator.ifs:
                self.visit(condition)
        if isinstance(node, ast.DictComp):
            self.visit(node.value)
            self.visit(node.key)
        else:
            self.visit(node.elt)
        self.scope = outer


def stored(node):
    return [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


def own(body):
    """The statements and expressions of a function without those of other scopes in it."""
    for node in body:
        yield node
        if not isinstance(node, FUNCTIONS + (ast.ClassDef, ast.Lambda)):
            yield from own(ast.iter_child_nodes(node))


def counts(node):
    """How often a function binds each of its names."""
    out = {}

    def add(name):
        out[name] = out.get(name, 0) + 1

    args = node.args
    for argument in args.posonlyargs + args.args + args.kwonlyargs + [a for a in (args.vararg, args.kwarg) if a]:
        add(argument.arg)

    def walk(body, comprehension=False):
        for child in body:
            if isinstance(child, ast.Name) and not isinstance(child.ctx, ast.Load) and not comprehension:
                add(child.id)
            elif isinstance(child, ast.NamedExpr):
                add(child.target.id)
                walk([child.value], comprehension)
                continue
            elif isinstance(child, FUNCTIONS + (ast.ClassDef,)):
                add(child.name)
                continue
            elif isinstance(child, (ast.Import, ast.ImportFrom)):
                for alias in child.names:
                    add(alias.asname or alias.name.split(".")[0])
            elif isinstance(child, ast.ExceptHandler) and child.name:
                add(child.name)
            elif isinstance(child, (ast.MatchAs, ast.MatchStar)) and child.name:
                add(child.name)
            elif isinstance(child, ast.MatchMapping) and child.rest:
                add(child.rest)
            elif isinstance(child, ast.Lambda):
                continue
            walk(ast.iter_child_nodes(child), comprehension or type(child) in COMPREHENSIONS)

    walk(node.body)
    return out


def read(path):
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8-sig")
        TEXT[:] = re.split("\r\n|\r|\n", text)
        tree, table = ast.parse(text), symtable.symtable(text, path, "exec")
        return {"path": path, "names": Reader(tree, table).resolve()}
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return {"path": path, "error": str(error)}


sys.setrecursionlimit(5000)
for name in sys.stdin:
    print(json.dumps(read(name.rstrip("\n"))))
