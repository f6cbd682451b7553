// Prints what callers get of a package as it is published: by its declarations where it has them, else by running it. The
// arguments are the directory of the TypeScript compiler, the one in whose node_modules the package lies, and its name.
import { createRequire } from "node:module";
import path from "node:path";

const [compiler, place, name] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(compiler);
const probe = path.join(place, "probe.mts");
const host = ts.createCompilerHost({});
const read = host.getSourceFile;
host.getSourceFile = (file, ...rest) =>
  file === probe ? ts.createSourceFile(file, `import * as all from ${JSON.stringify(name)}; all;`, ts.ScriptTarget.Latest, true) : read(file, ...rest);
const options = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, noEmit: true, types: [] };
const program = ts.createProgram([probe], options, host);
const specifier = program.getSourceFile(probe).statements[0].moduleSpecifier;
const symbol = program.getTypeChecker().getSymbolAtLocation(specifier);
const identifier = /^[A-Za-z_$][\w$]*$/;
if (symbol) {
  for (const e of program.getTypeChecker().getExportsOfModule(symbol)) {
    if (e.name !== "default" && e.name !== "export=") console.log(e.name);
  }
} else {
  const required = createRequire(path.join(place, "probe.cjs"))(name);
  const called = path.basename(name);
  if (typeof required === "function") console.log(called);
  for (const key of Object.getOwnPropertyNames(required)) {
    const value = required[key];
    if (["prototype", "length", "name", "arguments", "caller"].includes(key)) continue;
    console.log(called + "." + key);
    if (typeof value !== "object" || value === null) continue;
    for (const member of Object.getOwnPropertyNames(value)) {
      if (identifier.test(member) && !member.startsWith("_")) console.log(called + "." + key + "." + member);
    }
  }
}
