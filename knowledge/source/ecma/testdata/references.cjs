// Prints, for every file named on standard input, what the TypeScript checker says of the names in it: one JSON object
// a line. Names maps the offset of an identifier that stands for something to "local", "module", "import" or "global";
// Members maps the offset of a selected name to the classes, interfaces and aliases that it may be called after.
// Arguments: the path of the typescript package.
const ts = require(process.argv[2])
const fs = require('fs')

const options = { noResolve: true, noLib: true, types: [], allowJs: true, target: ts.ScriptTarget.Latest, jsx: ts.JsxEmit.Preserve, noEmit: true, experimentalDecorators: true }

function offsets(text) {
  if (/^[\x00-\x7f]*$/.test(text)) return pos => pos
  const table = new Uint32Array(text.length + 1)
  for (let i = 0, n = 0; i < text.length; i++) {
    table[i] = n
    const c = text.codePointAt(i)
    if (c > 0xffff) { table[i + 1] = n; i++; n += 4 } else n += c < 0x80 ? 1 : c < 0x800 ? 2 : 3
    table[i + 1] = n
  }
  return pos => table[pos]
}

function isOuter(node) {
  return ts.isSourceFile(node) || ts.isModuleBlock(node)
}

// place tells a declaration of the file or of a namespace from one within a function, a block or a type.
function place(d) {
  if (ts.isImportSpecifier(d) || ts.isImportClause(d) || ts.isNamespaceImport(d) || ts.isImportEqualsDeclaration(d)) return 'import'
  if (ts.isSourceFile(d)) return 'module'
  if (ts.isVariableDeclaration(d) || ts.isBindingElement(d)) {
    let list = d
    while (list && !ts.isVariableDeclarationList(list) && !ts.isParameter(list) && !ts.isCatchClause(list)) list = list.parent
    if (!list || !ts.isVariableDeclarationList(list)) return 'local'
    let holder = list.parent
    if (isOuter(holder.parent) && ts.isVariableStatement(holder)) return 'module'
    if (list.flags & ts.NodeFlags.BlockScoped) return 'local'
    while (holder && !ts.isFunctionLike(holder) && !isOuter(holder) && !ts.isClassStaticBlockDeclaration(holder)) holder = holder.parent
    return holder && isOuter(holder) ? 'module' : 'local'
  }
  if (ts.isFunctionDeclaration(d) || ts.isClassDeclaration(d) || ts.isInterfaceDeclaration(d) || ts.isEnumDeclaration(d) ||
    ts.isTypeAliasDeclaration(d)) return isOuter(d.parent) ? 'module' : 'local'
  if (ts.isModuleDeclaration(d)) return 'module'
  if (ts.isNamespaceExportDeclaration(d)) return 'global'
  if (ts.isExportSpecifier(d) || ts.isExportAssignment(d)) return 'module'
  if (ts.isBinaryExpression(d) || ts.isPropertyAccessExpression(d) || ts.isElementAccessExpression(d)) return 'module'
  return 'local'
}

function isReference(node) {
  const p = node.parent
  if (ts.isPropertyAccessExpression(p) || ts.isMetaProperty(p)) return p.name !== node
  if (ts.isQualifiedName(p)) return p.left === node
  if (ts.isShorthandPropertyAssignment(p)) return true
  if (ts.isBindingElement(p)) return p.initializer === node
  if (ts.isImportTypeNode(p)) return false
  if (ts.isExportSpecifier(p)) return !p.parent.parent.moduleSpecifier && (p.propertyName || p.name) === node
  if (ts.isImportSpecifier(p) || ts.isImportClause(p) || ts.isNamespaceImport(p) || ts.isNamespaceExport(p) || ts.isNamespaceExportDeclaration(p)) return false
  if (ts.isLabeledStatement(p) || ts.isBreakOrContinueStatement(p) || ts.isJsxAttribute(p) || ts.isJsxNamespacedName(p)) return false
  if (ts.isImportAttribute && ts.isImportAttribute(p)) return false
  if (ts.isNamedTupleMember(p) && p.name === node) return false
  if (ts.isTypePredicateNode(p) && p.parameterName === node) return false
  if (ts.isJsxOpeningElement(p) || ts.isJsxSelfClosingElement(p)) return !/^[a-z]/.test(node.text) && !node.text.includes('-')
  if (ts.isJsxClosingElement(p)) return false
  if (ts.isTypeParameterDeclaration(p) || ts.isParameter(p) || ts.isVariableDeclaration(p)) return p.name !== node
  return p.name !== node
}

function inClosing(node) {
  while (ts.isPropertyAccessExpression(node.parent)) node = node.parent
  return ts.isJsxClosingElement(node.parent)
}

function read(file) {
  const text = fs.readFileSync(file, 'utf8').replace(/\r\n/g, '\n')
  const at = offsets(text)
  const host = {
    getSourceFile: name => name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true) : undefined,
    getDefaultLibFileName: () => 'lib.d.ts', writeFile() {}, getCurrentDirectory: () => '/', getCanonicalFileName: f => f,
    useCaseSensitiveFileNames: () => true, getNewLine: () => '\n', fileExists: f => f === file, readFile: () => undefined,
  }
  const program = ts.createProgram([file], options, host)
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  const names = {}, members = {}
  function name(node) {
    let symbol = ts.isShorthandPropertyAssignment(node.parent) ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : ts.isExportSpecifier(node.parent) ? checker.getExportSpecifierLocalTargetSymbol(node.parent) : checker.getSymbolAtLocation(node)
    const list = symbol && symbol.declarations
    names[at(node.getStart(source))] = !list || list.length === 0 ? 'global' : place(list.find(d => place(d) !== 'local') || list[0])
  }
  function member(node) {
    const type = checker.getTypeAtLocation(node.expression)
    const symbol = checker.getSymbolAtLocation(node.name)
    const found = new Set()
    const add = s => {
      if (!s || !s.name) return
      found.add(s.name)
      // the symbol of an exported class may be called "default", that of an expression "__class"
      for (const d of s.declarations || []) if (d.name && ts.isIdentifier(d.name)) found.add(d.name.text)
    }
    if (type.flags & ts.TypeFlags.Any || !symbol) return
    add(symbol.parent)
    add(type.symbol)
    add(type.aliasSymbol)
    for (const part of type.types || []) add(part.symbol)
    if (node.expression.kind === ts.SyntaxKind.ThisKeyword) {
      const f = ts.getThisContainer(node, false, false)
      for (let a = f && f.parent; a && ts.isBinaryExpression(a) && ts.isPropertyAccessExpression(a.left); a = a.parent) {
        const holder = a.left.expression
        found.add(ts.isPropertyAccessExpression(holder) ? holder.expression.getText(source) : holder.getText(source))
      }
    }
    const of = checker.getSymbolAtLocation(node.expression)
    const declared = of && of.valueDeclaration && of.valueDeclaration.type
    if (declared && ts.isTypeReferenceNode(declared)) {
      const alias = checker.getSymbolAtLocation(declared.typeName)
      if (alias && alias.flags & ts.SymbolFlags.TypeAlias) add(alias)
    }
    const own = type.symbol && type.symbol.declarations || []
    for (const holder of (symbol.declarations || []).map(d => d.parent).concat(own)) {
      if (holder && (ts.isClassExpression(holder)) && ts.isVariableDeclaration(holder.parent)) found.add(holder.parent.name.text)
    }
    if ([...found].every(n => n.startsWith('__'))) return
    members[at(node.name.getStart(source))] = [...found]
  }
  function visit(node) {
    const conventional = (node.text === 'module' || node.text === 'exports') && /js$/.test(file)
    if (ts.isIdentifier(node) && node.text !== '' && isReference(node) && !inClosing(node)) {
      if (conventional) names[at(node.getStart(source))] = 'conventional'
      else name(node)
    }
    if (ts.isPropertyAccessExpression(node)) member(node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { File: file, Errors: source.parseDiagnostics.length, Names: names, Members: members }
}

for (const file of fs.readFileSync(0, 'utf8').split('\n')) {
  if (file) console.log(JSON.stringify(read(file)))
}
