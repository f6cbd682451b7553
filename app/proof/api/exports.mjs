// Prints what callers get of a package as it is published: by its declarations where it has them, else by running it. The
// arguments are the directory of the TypeScript compiler, the one in whose node_modules the package lies, and its name. With "tell" it
// prints what there is to say of each, and of its members: parameters and documentation.
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";

const [compiler, place, name, mode] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(compiler);
const called = path.basename(name);
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
      const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
      const own = member.declarations?.every((d) => !(ts.getCombinedModifierFlags(d) & hidden) && !ts.isTypeParameterDeclaration(d));
      if (own && identifier.test(called) && !called.startsWith("__") && called !== "prototype") tellDeclared(checker, typed + "." + called, member);
    }
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
  const print = (mark, typed, target) => (mode === "tell" ? tellDeclared(checker, typed, target) : console.log(mark + typed));
  if (whole && mode !== "tell") console.log("?" + called);
  for (const e of checker.getExportsOfModule(symbol)) {
    const target = e.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(e) : e;
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
        out.set(node.getText(), { doc, f: node, hidden: ts.getJSDocTags(node).some(hides) });
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return out;
}

// run prints what the package exports when it is required, and what the objects among that hold.
function run() {
  const required = createRequire(path.join(place, "probe.cjs"))(name);
  const functions = functionsOf(path.join(place, "node_modules", name));
  const print = (mark, full, value) => {
    const known = typeof value === "function" && functions.get(value.toString());
    if (mode !== "tell") console.log((known?.hidden ? "?" : mark) + full);
    else if (known && !known.hidden) tell(full, known.doc, [head(known.f)]);
  };
  if (typeof required === "function") print("", called, required);
  for (const m of mode === "tell" ? Object.getOwnPropertyNames(required.prototype ?? {}) : []) {
    print("", called + "." + m, Object.getOwnPropertyDescriptor(required.prototype, m).value);
  }
  for (const key of Object.getOwnPropertyNames(required)) {
    const value = required[key];
    if (["prototype", "length", "name", "arguments", "caller"].includes(key)) continue;
    const members = typeof value === "object" && value !== null ? Object.getOwnPropertyNames(value) : [];
    const shown = members.filter((m) => identifier.test(m) && !m.startsWith("_"));
    print(shown.length > 0 ? "?" : "", called + "." + key, value); // its members say that it is there
    for (const m of shown) print("", called + "." + key + "." + m, Object.getOwnPropertyDescriptor(value, m).value);
  }
}

if (!declared()) run();
