// Prints what callers get of a package as it is published: by its declarations where it has them, else by running it. The
// arguments are the directory of the TypeScript compiler, the one in whose node_modules the package lies, and its name. With "tell" it
// prints what there is to say of each, and of its members: parameters and documentation.
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const [compiler, place, name, mode] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(compiler);
const called = path.basename(name).replace(/[-.]js$/, "").replace(/[-.](.)/g, (_, c) => c.toUpperCase());
const identifier = /^[A-Za-z_$][\w$]*$/;

// isText drops links and the names of what is told: a page writes them otherwise.
const isText = (part) => part.kind === "text" || part.kind === ts.SyntaxKind.JSDocText;
const textOf = (parts) => (typeof parts === "string" ? parts : (parts ?? []).filter(isText).map((p) => p.text).join("\n\n"));

// written is the text of a node on a line, without comments.
const written = (node) => node.getText().replace(/\/\*[^]*?\*\/|\/\/ .*/g, "").replace(/\s+/g, " ");

// head prints the parameters of something that can be called, and its result.
function head(f) {
  const parameter = (p) => {
    const optional = p.questionToken || p.initializer ? "?" : "";
    return (p.dotDotDotToken ? "..." : "") + written(p.name) + optional + (p.type ? ": " + written(p.type) : "");
  };
  return "x(" + f.parameters.map(parameter).join(", ") + ")" + (f.type ? ": " + written(f.type) : "");
}

function tell(name, doc, signatures) {
  for (const signature of signatures.length > 0 ? signatures : [""]) console.log(JSON.stringify({ name, signature, doc }));
}

// callable is what takes the parameters of a declaration, if anything does.
function callable(d) {
  if (ts.isFunctionLike(d) && !ts.isAccessor(d) && !ts.isFunctionTypeNode(d)) return d;
  return d.type && ts.isFunctionTypeNode(d.type) && !ts.isTypeAliasDeclaration(d) ? d.type : undefined;
}

// tellDeclared tells of a symbol and of the members that it declares itself.
function tellDeclared(checker, typed, symbol) {
  const declarations = symbol.declarations ?? [];
  const says = declarations.some((d) => ts.getJSDocCommentsAndTags(d).length > 0); // and not what a library says of its own
  const tags = symbol.getJsDocTags(checker).map((t) => textOf(t.text));
  const doc = says ? [textOf(symbol.getDocumentationComment(checker)), ...tags].join("\n\n") : "";
  tell(typed, doc, declarations.map(callable).filter(Boolean).map(head));
  const literals = declarations.filter(ts.isTypeAliasDeclaration).map((d) => d.type).filter(ts.isTypeLiteralNode);
  for (const table of [symbol.members, symbol.flags & ts.SymbolFlags.Class && symbol.exports, ...literals.map((l) => l.symbol.members)]) {
    for (const member of table ? table.values() : []) {
      const called = member.name === "__constructor" ? "constructor" : member.name;
      const own = member.declarations?.every((d) => !(ts.getCombinedModifierFlags(d) & hidden) && !ts.isTypeParameterDeclaration(d));
      if (own && identifier.test(called) && !called.startsWith("__") && called !== "prototype") tellDeclared(checker, typed + "." + called, member);
    }
  }
}

const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;

const isInternal = (symbol) => symbol.getJsDocTags().some((t) => t.name === "internal");

// nearBases are the bases of a type that callers do not get under a name of their own, up to those that they do.
function nearBases(checker, type, exported, out = new Set()) {
  for (const base of type.isClassOrInterface() ? (checker.getBaseTypes(type) ?? []) : []) {
    if (!base.symbol || exported.has(base.symbol) || out.has(base.symbol)) continue;
    out.add(base.symbol);
    nearBases(checker, base.target ?? base, exported, out);
  }
  return out;
}

// nameMembers names the members of a class, an interface, an alias of a literal type or a namespace: those that it declares, and those
// of bases of the package that callers do not get under a name of their own.
function nameMembers(checker, typed, symbol, exported, seen = new Set()) {
  if (seen.has(symbol)) return;
  seen.add(symbol);
  const ours = (d) => d.getSourceFile().fileName.startsWith(fs.realpathSync(path.join(place, "node_modules", name)) + path.sep);
  const literal = symbol.declarations?.some((d) => ts.isTypeAliasDeclaration(d) && ts.isTypeLiteralNode(d.type));
  const instance = symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface) || literal;
  const sides = [instance ? checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)) : []];
  if (symbol.flags & ts.SymbolFlags.Class) sides.push(checker.getPropertiesOfType(checker.getTypeOfSymbol(symbol)));
  const near = nearBases(checker, checker.getDeclaredTypeOfSymbol(symbol), exported);
  for (const member of sides.flat()) {
    const by = member.parent;
    if (!identifier.test(member.name) || member.name.startsWith("__") || member.name === "prototype" || !member.declarations?.some(ours)) continue;
    if (member.declarations.some((d) => ts.getCombinedModifierFlags(d) & hidden)) continue;
    if (by === symbol || literal || near.has(by)) console.log((isInternal(member) ? "?" : "") + typed + "." + member.name);
  }
  if (!(symbol.flags & ts.SymbolFlags.Module)) return; // the members of an enumeration are part of it
  for (const e of checker.getExportsOfModule(symbol)) {
    const target = e.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(e) : e;
    if (e.name === "prototype" || ts.getCombinedModifierFlags(target.declarations[0]) & hidden) continue;
    console.log(typed + "." + e.name);
    nameMembers(checker, typed + "." + e.name, target, exported, seen);
  }
}

// declared prints what the declarations of the package export; false when it has none.
function declared() {
  const probe = path.join(place, "probe.mts");
  const host = ts.createCompilerHost({});
  const read = host.getSourceFile;
  const text = `import * as all from ${JSON.stringify(name)}; all;`;
  host.getSourceFile = (file, ...rest) => (file === probe ? ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true) : read(file, ...rest));
  const options = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, noEmit: true, types: [] };
  const program = ts.createProgram([probe], options, host);
  const checker = program.getTypeChecker();
  const symbol = checker.getSymbolAtLocation(program.getSourceFile(probe).statements[0].moduleSpecifier);
  if (!symbol) return false;
  const whole = symbol.exports.has("export=");
  const targetOf = (e) => (e.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(e) : e);
  const exported = new Set();
  const collect = (of) => {
    for (const target of checker.getExportsOfModule(of).map(targetOf).filter((t) => !exported.has(t))) {
      exported.add(target);
      if (target.flags & ts.SymbolFlags.Namespace) collect(target);
    }
  };
  collect(symbol);
  const print = (mark, typed, target) => {
    if (mode === "tell") return tellDeclared(checker, typed, target);
    console.log(mark + typed);
    nameMembers(checker, typed, target, exported);
  };
  if (whole && mode !== "tell") console.log("?" + called);
  for (const e of checker.getExportsOfModule(symbol)) {
    const target = targetOf(e);
    if (e.name === "default") {
      // Callers may call it anything: what it is called where it is declared counts, and it need not be.
      print("?", target.declarations?.[0].name?.text ?? called, target);
    } else if (e.name !== "export=") print("", whole ? called + "." + e.name : e.name, target);
  }
  return true;
}

// functionsOf are the functions of the package's files, as they are written, with what is said of each. Those that their own comments
// call private have nothing said, and are not for callers.
function functionsOf(dir) {
  const out = new Map();
  const hides = (t) => ["private", "internal"].includes(t.tagName.text) || (t.tagName.text === "api" && t.comment === "private");
  for (const entry of fs.readdirSync(dir, { recursive: true })) {
    if (!/\.c?js$/.test(entry) || entry.includes("node_modules")) continue;
    const file = ts.createSourceFile(entry, fs.readFileSync(path.join(dir, entry), "utf8"), ts.ScriptTarget.Latest, true);
    const visit = (node) => {
      if (ts.isFunctionLike(node)) {
        const said = ts.getJSDocCommentsAndTags(node);
        const doc = said.flatMap((s) => [s, ...(s.tags ?? [])]).map((s) => textOf(s.comment)).join("\n\n");
        out.set(node.getText(), { doc, f: node, hidden: ts.getJSDocTags(node).some(hides), exports: 0 });
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return out;
}

// run prints what the package exports when it is required, and what the objects among that hold.
async function run() {
  const require = createRequire(path.join(place, "probe.cjs"));
  let required = require(name);
  if (Object(required.default) === required.default) required = required.default;
  const modular = fileURLToPath(import.meta.resolve(name)) !== require.resolve(name) && Object.keys(await import(name)).length > 1;
  const told = [];
  const prefix = modular ? "" : called + "."; // callers import each name
  const functions = functionsOf(path.join(place, "node_modules", name));
  const print = (mark, full, value) => {
    const known = typeof value === "function" && functions.get(value.toString());
    if (mode !== "tell") console.log((known?.hidden ? "?" : mark) + full);
    else if (known && !known.hidden) told.push([full, known, known.exports++]);
  };
  print(typeof required === "function" ? "" : "?", called, required);
  for (const m of mode === "tell" ? Object.getOwnPropertyNames(required.prototype ?? {}) : []) {
    print("", called + "." + m, Object.getOwnPropertyDescriptor(required.prototype, m).value);
  }
  for (const key of Object.getOwnPropertyNames(required)) {
    const { value } = Object.getOwnPropertyDescriptor(required, key); // what a getter gives is no member
    if (typeof required === "function" && ["prototype", "length", "name", "arguments", "caller"].includes(key)) continue;
    if (value === required) {
      if (mode !== "tell") console.log("?" + prefix + key); // for callers that import what is exported as a whole
      continue;
    }
    const members = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.getOwnPropertyNames(value) : [];
    const shown = members.filter((m) => identifier.test(m) && !m.startsWith("_"));
    print(shown.length > 0 ? "?" : "", prefix + key, value); // its members say that it is there
    for (const m of shown) print("", prefix + key + "." + m, Object.getOwnPropertyDescriptor(value, m).value);
  }
  for (const [full, known] of told.filter(([, k]) => k.exports === 1)) tell(full, known.doc, [head(known.f)]); // others share a wrapper
}

if (!declared()) await run();
