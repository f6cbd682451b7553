package ecma

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// fact reads what the name at i says of the behaviour surface.
func (x *extractor) fact(i int) {
	t := x.t[i]
	if x.at(i+1).isPunct('(') && x.at(i+2).kind == tString {
		x.asksFor(i)
	}
	if n := t.end - t.off; n < 3 || n > 14 {
		return
	}
	switch string(x.src[t.off:t.end]) {
	case "env":
		x.environment(i)
	case "exit", "exitCode":
		x.exitCode(i)
	case "option", "requiredOption":
		if x.afterDot(i) && x.at(i+1).isPunct('(') {
			x.option(i + 2)
		}
	case "Option":
		if x.at(i-1).isKeyword(kNew) && x.at(i+1).isPunct('(') {
			x.option(i + 2)
		}
	case "parseArgs":
		x.parseArgs(i)
	case "get", "post", "put", "delete", "patch", "head", "options", "all", "del":
		x.route(i)
	case "use", "register", "mount":
		x.mount(i)
	case "route":
		x.routeObject(i)
		x.mount(i)
	case "exports", "default":
		x.exportsRouter(i)
	default:
		if routerMakers[string(x.src[t.off:t.end])] {
			x.makesRouter(i)
		}
	}
}

func (x *extractor) addFact(kind source.FactKind, name string, line int32) {
	f := source.Fact{Kind: kind, Name: name, Line: int(line)}
	key := string(kind) + " " + name
	if name == "" || x.known[key] {
		return
	}
	x.known[key] = true
	x.facts = append(x.facts, f)
}

// Names that build tools define under import.meta.env; they are no variables of the environment.
var metaNames = map[string]bool{"MODE": true, "DEV": true, "PROD": true, "SSR": true, "BASE_URL": true}

// environment reads process.env.X, process.env["X"], import.meta.env.X, Bun.env.X, Deno.env.get("X") and
// `const {X = 1} = process.env`; i is env.
func (x *extractor) environment(i int) {
	if !x.at(i - 1).isPunct('.') {
		return
	}
	owner := x.text(i - 2)
	meta := owner == "meta" && x.at(i-3).isPunct('.') && x.at(i-4).isKeyword(kImport)
	if owner == "Deno" {
		if x.at(i+1).isPunct('.') && x.at(i+2).isKeyword(kGet) && x.at(i+3).isPunct('(') && x.at(i+4).kind == tString {
			x.addVariable(unquote([]byte(x.text(i+4))), i, i+6)
		}
		return
	}
	if owner != "process" && owner != "Bun" && !meta {
		return
	}
	name, end := "", i
	switch next := x.at(i + 1); {
	case (next.isPunct('.') || next.isPunct(pOptional)) && x.at(i+2).kind == tIdent:
		name, end = x.text(i+2), i+3
	case next.isPunct('[') && x.at(i+2).kind == tString && x.at(i+3).isPunct(']'):
		name, end = unquote([]byte(x.text(i+2))), i+4
	case next.isPunct('[') && !next.has(fNewline) && next.match > int32(i):
		if x.at(int(next.match)+1).isPunct('=') || x.at(i+3).isPunct(']') && x.readsParameter(i+2) {
			return
		}
		for _, name := range x.variableNames(i+2, int(next.match)) {
			x.addVariable(name, i, int(next.match)+1)
		}
		return
	default:
		x.environmentPattern(i - 2)
	}
	if x.at(end).isPunct('=') || meta && metaNames[name] {
		return
	}
	x.addVariable(name, i, end)
}

// environmentPattern reads `{ X, Y: y } = process.env`.
func (x *extractor) environmentPattern(process int) {
	end := x.at(process - 2)
	if !x.at(process-1).isPunct('=') || !end.isPunct('}') || end.match < 0 {
		return
	}
	for i := int(end.match) + 1; i < process-2; {
		f, at := source.Fact{Kind: source.Env, Name: strings.Trim(x.text(i), "'\""), Line: int(x.at(i).line)}, i+1
		switch {
		case x.at(i).kind != tIdent && x.at(i).kind != tString:
			f.Name = source.Unknown // what is left
		case x.at(at).isPunct(':'):
			at += 2
		}
		if x.at(at).isPunct('=') {
			at++
			f.Default, f.Usage = x.otherwise(at)
		}
		x.facts = append(x.facts, f)
		i = max(x.skipExpression(at), at) + 1
	}
}

// exitCode reads process.exit(1), Deno.exit(1) and process.exitCode = 1.
func (x *extractor) exitCode(i int) {
	if !x.at(i-1).isPunct('.') || !x.textIs(i-2, "process") && !x.textIs(i-2, "Deno") {
		return
	}
	call := x.at(i+1).isPunct('(') && x.at(i+3).isPunct(')')
	set := x.at(i+1).isPunct('=') && x.textIs(i, "exitCode")
	switch t := x.at(i + 2); {
	case (call || set) && t.kind == tNumber:
		x.addFact(source.Exit, x.text(i+2), x.t[i].line)
	case call && t.kind == tIdent:
		code := source.Unknown
		if at := x.constant(x.text(i + 2)); x.at(at).kind == tNumber {
			code = x.text(at)
		}
		x.addFact(source.Exit, code, x.t[i].line)
	}
}

// option reads the declaration of flags in "-p, --port <n>"; in programs that use yargs also a bare name.
func (x *extractor) option(i int) {
	if k := x.at(i).kind; k != tString && k != tTemplate {
		return
	}
	text := unquote([]byte(x.text(i)))
	if !strings.HasPrefix(text, "-") {
		if x.yargs() && isFlagName(text) {
			x.addFact(source.Flag, "--"+text, x.t[i].line)
		}
		return
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '|' }) {
		word, _, _ = strings.Cut(word, "=")
		word = strings.TrimRight(strings.SplitN(word, "<", 2)[0], "[")
		if name := strings.TrimLeft(word, "-"); strings.HasPrefix(word, "-") && isFlagName(name) {
			x.addFact(source.Flag, word, x.t[i].line)
		}
	}
}

func isFlagName(name string) bool {
	for i := range len(name) {
		if byteClass[name[i]] < cIdent && (name[i] != '-' && name[i] != '.' && name[i] != ':' || i == 0) {
			return false
		}
	}
	return name != ""
}

func (x *extractor) yargs() bool {
	for _, imp := range x.imports {
		if imp.Path == "yargs" || strings.HasPrefix(imp.Path, "yargs/") {
			return true
		}
	}
	return false
}

// parseArgs reads the options of parseArgs({ options: { port: { type: "string", short: "p" } } }) of node:util.
func (x *extractor) parseArgs(i int) {
	if !x.at(i+1).isPunct('(') || !x.at(i+2).isPunct('{') {
		return
	}
	open := -1
	x.members(i+2, func(e member) {
		if e.name == "options" && x.at(e.key+2).isPunct('{') {
			open = e.key + 2
		}
	})
	if open < 0 {
		return
	}
	x.properties(open, func(name string, key, value int) {
		x.addFact(source.Flag, "--"+name, x.t[key].line)
		if !x.at(value).isPunct('{') {
			return
		}
		x.properties(value, func(name string, key, value int) {
			if name == "short" && x.at(value).kind == tString {
				x.addFact(source.Flag, "-"+unquote([]byte(x.text(value))), x.t[key].line)
			}
		})
	})
}

// properties calls each for the `name: value` pairs of an object literal.
func (x *extractor) properties(open int, each func(name string, key, value int)) {
	for i := open + 1; i < int(x.t[open].match); {
		if t := x.t[i]; x.at(i + 1).isPunct(':') {
			switch t.kind {
			case tIdent:
				each(x.text(i), i, i+2)
			case tString:
				each(unquote([]byte(x.text(i))), i, i+2)
			}
		}
		i = max(x.skipExpression(i), i) + 1
	}
}
