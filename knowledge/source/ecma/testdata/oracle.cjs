// Prints, for every file named on standard input, what the TypeScript compiler's parser says it declares: one JSON
// object a line. Arguments: the path of the typescript package.
const ts = require(process.argv[2])
const fs = require('fs')

const SK = ts.SyntaxKind

function outline(file) {
  const text = fs.readFileSync(file, 'utf8').replace(/\r\n/g, '\n')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const symbols = new Map()
  const imports = []
  const line = pos => source.getLineAndCharacterOfPosition(pos).line + 1
  const has = (node, kind) => (node.modifiers || []).some(m => m.kind === kind)
  const documented = node => {
    const docs = node.jsDoc || []
    return docs.length > 0
  }
  function add(kind, name, node, exported, docNode) {
    const old = symbols.get(name)
    if (old) {
      old.exported = old.exported || exported
      old.doc = old.doc || documented(docNode || node)
      if (old.kind === 'reexport') old.kind = kind
      return
    }
    symbols.set(name, { kind, name, line: line(node.getStart(source)), exported, doc: documented(docNode || node) })
  }
  function keyName(key) {
    if (ts.isComputedPropertyName(key)) return '[' + key.expression.getText(source) + ']'
    if (ts.isStringLiteral(key) || ts.isNoSubstitutionTemplateLiteral(key)) return key.text
    return key.getText(source)
  }
  function isFunction(e) { return e && (ts.isArrowFunction(e) || ts.isFunctionExpression(e)) }
  function members(node, name, exported) {
    for (const m of node.members) {
      let kind = 'method'
      if (ts.isPropertyDeclaration(m) || ts.isPropertySignature(m)) kind = isFunction(m.initializer) && (!m.type || has(m, SK.ReadonlyKeyword)) ? 'method' : 'field'
      else if (ts.isGetAccessor(m) || ts.isSetAccessor(m)) kind = 'field'
      else if (!ts.isMethodDeclaration(m) && !ts.isMethodSignature(m) && !ts.isConstructorDeclaration(m)) continue
      const key = ts.isConstructorDeclaration(m) ? 'constructor' : keyName(m.name)
      if (key === '') continue
      const visible = exported && !has(m, SK.PrivateKeyword) && !(m.name && ts.isPrivateIdentifier(m.name))
      add(kind, name + '.' + key, m, visible)
      if (ts.isConstructorDeclaration(m)) {
        for (const p of m.parameters) {
          if (ts.isParameterPropertyDeclaration(p, m)) add('field', name + '.' + p.name.getText(source), p, exported && !has(p, SK.PrivateKeyword))
        }
      }
    }
  }
  // What callers reach of an exported object: what is called, read through a function, or documented.
  const objects = []
  function objectMembers(node, name) {
    for (const m of node.properties) {
      if (!m.name || !ts.isIdentifier(m.name)) continue
      let kind = 'field'
      if (ts.isMethodDeclaration(m)) kind = 'method'
      else if (ts.isPropertyAssignment(m)) {
        if (isFunction(m.initializer)) kind = 'method'
        else if (!documented(m)) continue
      } else if (!ts.isGetAccessor(m) && !ts.isSetAccessor(m)) continue
      add(kind, name + '.' + m.name.text, m, true)
    }
  }
  function literal(e) {
    while (e && (ts.isAsExpression(e) || ts.isSatisfiesExpression(e))) e = e.expression
    return e && ts.isObjectLiteralExpression(e) ? e : undefined
  }
  function bindings(name, out) {
    if (ts.isIdentifier(name)) { out.push(name.text); return }
    for (const e of name.elements) if (!ts.isOmittedExpression(e)) bindings(e.name, out)
  }
  function isRequire(e) {
    if (!e) return false
    if (ts.isPropertyAccessExpression(e)) e = e.expression
    return ts.isCallExpression(e) && ts.isIdentifier(e.expression) && e.expression.text === 'require' &&
      e.arguments.length === 1 && ts.isStringLiteral(e.arguments[0])
  }
  const later = []
  function statements(list, prefix, visible, ambient) {
    const listed = list.some(s => ts.isExportDeclaration(s) || ts.isExportAssignment(s) || has(s, SK.DefaultKeyword))
    for (const s of list) {
      const isDefault = has(s, SK.DefaultKeyword)
      const exported = visible && (has(s, SK.ExportKeyword) || ambient && !listed)
      const declared = (kind, node) => {
        const name = node.name ? node.name.text : 'default'
        if (isDefault && node.name) add('reexport', prefix + 'default', node, true)
        add(kind, prefix + name, node, exported)
        return prefix + name
      }
      if (ts.isFunctionDeclaration(s)) declared('func', s)
      else if (ts.isClassDeclaration(s)) members(s, declared('class', s), exported)
      else if (ts.isInterfaceDeclaration(s)) members(s, declared('interface', s), exported)
      else if (ts.isEnumDeclaration(s)) declared('enum', s)
      else if (ts.isTypeAliasDeclaration(s) && ts.isTypeLiteralNode(s.type)) members(s.type, declared('type', s), exported)
      else if (ts.isTypeAliasDeclaration(s)) declared('type', s)
      else if (ts.isModuleDeclaration(s)) {
        let name = s.name.text, body = s.body
        while (body && ts.isModuleDeclaration(body)) { name += '.' + body.name.text; body = body.body }
        const open = exported || visible && (ts.isStringLiteral(s.name) || s.name.text === 'global')
        if (name === '') continue
        add('namespace', prefix + name, s, open)
        if (body) statements(body.statements, prefix + name + '.', open, ambient || has(s, SK.DeclareKeyword))
      } else if (ts.isVariableStatement(s)) {
        const list = s.declarationList
        if ((list.flags & ts.NodeFlags.BlockScoped) === ts.NodeFlags.Using || (list.flags & ts.NodeFlags.BlockScoped) === ts.NodeFlags.AwaitUsing) continue
        list.declarations.forEach((d, n) => {
          if (isRequire(d.initializer)) return
          const names = []
          bindings(d.name, names)
          let kind = list.flags & ts.NodeFlags.Const ? 'const' : 'var'
          if (ts.isIdentifier(d.name) && d.initializer) {
            if (isFunction(d.initializer)) kind = 'func'
            if (ts.isClassExpression(d.initializer)) kind = 'class'
          }
          for (const name of names) {
            add(kind, prefix + name, n === 0 ? s : d, exported, s)
            if (kind === 'class') members(d.initializer, prefix + name, exported)
            if (names.length === 1 && ts.isIdentifier(d.name) && literal(d.initializer)) objects.push([literal(d.initializer), prefix + name])
          }
        })
      } else if (ts.isImportEqualsDeclaration(s)) {
        if (!ts.isExternalModuleReference(s.moduleReference)) add('reexport', prefix + s.name.text, s, exported)
        else if (ts.isStringLiteral(s.moduleReference.expression)) imports.push(s.moduleReference.expression.text + ' ' + line(s.getStart(source)))
      } else if (ts.isImportDeclaration(s)) {
        imports.push(s.moduleSpecifier.text + ' ' + line(s.getStart(source)))
      } else if (ts.isExportDeclaration(s)) {
        if (s.moduleSpecifier) imports.push(s.moduleSpecifier.text + ' ' + line(s.getStart(source)))
        if (s.exportClause && ts.isNamespaceExport(s.exportClause)) add('reexport', prefix + s.exportClause.name.text, s, true)
        if (s.exportClause && ts.isNamedExports(s.exportClause)) {
          for (const e of s.exportClause.elements) {
            const local = (e.propertyName || e.name).text
            if (s.moduleSpecifier) add('reexport', prefix + e.name.text, s, true)
            else later.push([prefix, local, e.name.text, s, visible])
          }
        }
      } else if (ts.isExportAssignment(s)) {
        if (ts.isIdentifier(s.expression)) later.push([prefix, s.expression.text, 'default', s, visible])
        else if (ts.isClassExpression(s.expression)) { add('class', prefix + 'default', s, true); members(s.expression, prefix + 'default', true) }
        else {
          add(isFunction(s.expression) ? 'func' : 'const', prefix + 'default', s, true)
          if (literal(s.expression)) objects.push([literal(s.expression), prefix + 'default'])
        }
      }
    }
  }
  statements(source.statements, '', true, source.isDeclarationFile)
  for (const [prefix, local, outer, node, visible] of later) {
    const own = symbols.get(prefix + local)
    if (own) {
      own.exported = visible
      for (const s of symbols.values()) if (s.name.startsWith(own.name + '.') && s.hidden === undefined) s.inherits = own
    }
    if (!own || local !== outer) add('reexport', prefix + outer, node, visible)
  }
  for (const [node, name] of objects) if (symbols.get(name).exported) objectMembers(node, name)
  return { file, errors: source.parseDiagnostics.length, imports, symbols: [...symbols.values()].map(({ inherits, ...s }) => ({ ...s, late: !!inherits })) }
}

for (const file of fs.readFileSync(0, 'utf8').split('\n')) {
  if (file) console.log(JSON.stringify(outline(file)))
}
