package ecma

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// fact reads what the name at i says of the behaviour surface.
func (x *extractor) fact(i int) {
	t := x.t[i]
	if n := t.end - t.off; n < 3 || n > 14 {
		return
	}
	switch string(x.src[t.off:t.end]) {
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
