// Prints what callers get of a package as it is published: by its declarations where it has them, else by running it. The
// arguments are the directory of the TypeScript compiler, the one in whose node_modules the package lies, and its name.
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";

const [compiler, place, name] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(compiler);
const called = path.basename(name);
const identifier = /^[A-Za-z_$][\w$]*$/;

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
  if (whole) console.log("?" + called);
  for (const e of checker.getExportsOfModule(symbol)) {
    if (e.name === "default") {
      // Callers may call it anything: what it is called where it is declared counts, and it need not be.
      const target = e.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(e) : e;
      console.log("?" + (target.declarations?.[0].name?.text ?? called));
    } else if (e.name !== "export=") console.log(whole ? called + "." + e.name : e.name);
  }
  return true;
}

// notForCallers are the functions of the package that their own comments call private, as they are written.
function notForCallers(dir) {
  const out = new Set();
  for (const entry of fs.readdirSync(dir, { recursive: true })) {
    if (!/\.c?js$/.test(entry) || entry.includes("node_modules")) continue;
    const file = ts.createSourceFile(entry, fs.readFileSync(path.join(dir, entry), "utf8"), ts.ScriptTarget.Latest, true);
    for (const statement of file.statements) {
      const value = ts.isExpressionStatement(statement) && ts.isBinaryExpression(statement.expression) && statement.expression.right;
      const marked = ts.getJSDocTags(statement).some((t) => ["private", "internal"].includes(t.tagName.text) || (t.tagName.text === "api" && t.comment === "private"));
      if (value && marked) out.add(value.getText());
    }
  }
  return out;
}

// run prints what the package exports when it is required, and what the objects among that hold.
function run() {
  const required = createRequire(path.join(place, "probe.cjs"))(name);
  const hidden = notForCallers(path.join(place, "node_modules", name));
  if (typeof required === "function") console.log(called);
  const prints = (full, value) => typeof value !== "function" || !hidden.has(value.toString()) ? console.log(full) : console.log("?" + full);
  for (const key of Object.getOwnPropertyNames(required)) {
    const value = required[key];
    if (["prototype", "length", "name", "arguments", "caller"].includes(key)) continue;
    const members = typeof value === "object" && value !== null ? Object.getOwnPropertyNames(value) : [];
    const shown = members.filter((m) => identifier.test(m) && !m.startsWith("_"));
    if (shown.length > 0) console.log("?" + called + "." + key); // its members say that it is there
    else prints(called + "." + key, value);
    for (const m of shown) prints(called + "." + key + "." + m, Object.getOwnPropertyDescriptor(value, m).value);
  }
}

if (!declared()) run();
