package ecma

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// addVariable records that a variable is read, with what the tokens from behind on say holds where it is not set.
func (x *extractor) addVariable(name string, i, behind int) {
	f := source.Fact{Kind: source.Env, Name: name, Line: int(x.t[i].line)}
	if op := x.text(behind); op == "||" || op == "??" {
		f.Default, f.Usage = x.otherwise(behind + 1)
	}
	key := string(source.Env) + " " + name + " ~ " + f.Default + f.Usage
	if name == "" || x.known[key] {
		return
	}
	x.known[key] = true
	x.facts = append(x.facts, f)
}

// nothing are how expressions begin that are no default: there is none, or another condition.
var nothing = map[string]bool{"process": true, "import": true, "!": true, "undefined": true, "null": true, "false": true, "''": true, `""`: true, "``": true, "{": true, "": true}

// mostOperands bounds the tokens of a default that is shown as written.
const mostOperands = 16

// otherwise is the default at i: a literal, arithmetic with numbers as written, or source.Computed for any other.
func (x *extractor) otherwise(i int) (value, usage string) {
	if value = x.plain(i); value != "" || nothing[x.text(i)] {
		return value, ""
	}
	for j := i; j < i+mostOperands && (x.at(j).kind == tNumber || strings.Contains("+-*/()", x.text(j))); j++ {
		if next := x.at(j + 1); x.at(j).kind == tNumber && (next.has(fNewline) || next.isPunct(',') || next.isPunct(';') || next.isPunct(')') || next.isPunct('}')) {
			return strings.Join(strings.Fields(string(x.src[x.t[i].off:x.t[j].end])), " "), ""
		}
	}
	return "", source.Computed
}

// plain is the value of the literal at i, with which an expression ends.
func (x *extractor) plain(i int) string {
	text := x.text(i)
	switch t := x.at(i); {
	case t.kind == tString:
		text = unquote([]byte(text))
	case t.kind == tNumber, text == "true":
	default:
		return ""
	}
	if next := x.at(i + 1); next.kind == tPunct && !next.has(fNewline) {
		switch next.id {
		case ',', ';', ')', ']', '}':
		default:
			return ""
		}
	}
	return text
}

// mostHeader is how many tokens before a read the header of the function is looked for.
const mostHeader = 120

// readsParameter notes the function whose parameter at i names the variable that is read, in `process.env[name] || other`; false where it
// is none.
func (x *extractor) readsParameter(i int) bool {
	key := x.text(i)
	for j := i - 1; j > max(0, i-mostHeader); j-- {
		if !x.at(j).isPunct('(') || !x.textIs(j+1, key) || x.at(j).match < 0 || int(x.at(j).match) > i {
			continue
		}
		name := x.functionAt(j)
		if name == "" {
			return false
		}
		f := source.Fact{Kind: source.Reads, ID: name, Line: int(x.t[j].line)}
		if op := x.text(i + 2); op == "||" || op == "??" {
			f.Default, f.Usage = x.otherwise(i + 3)
			if second := x.second(j); second != "" && x.textIs(i+3, second) {
				f.Value, f.Usage = source.Fallback, ""
			}
		}
		x.facts = append(x.facts, f)
		return true
	}
	return false
}

// functionAt is the name of the function whose parameters open at i: `function name(`, `name = (…) =>`, `name = function (`.
func (x *extractor) functionAt(i int) string {
	end := int(x.at(i).match) + 1
	arrow := x.at(end).isPunct(pArrow)
	if x.at(end).isPunct(':') {
		for j := end; j < end+8 && !arrow; j++ {
			arrow = x.at(j).isPunct(pArrow)
		}
	}
	switch {
	case x.at(i-1).kind == tIdent && x.at(i-2).isKeyword(kFunction):
		return x.text(i - 1)
	case arrow && x.at(i-1).isPunct('=') && x.at(i-2).kind == tIdent:
		return x.text(i - 2)
	case x.at(i-1).isKeyword(kFunction) && x.at(i-2).isPunct('=') && x.at(i-3).kind == tIdent:
		return x.text(i - 3)
	}
	return ""
}

// second is the name of the second parameter of those that open at i.
func (x *extractor) second(i int) string {
	for j := i + 1; j < int(x.at(i).match); j = x.skip(j) {
		if x.at(j).isPunct(',') && x.at(j+1).kind == tIdent {
			return x.text(j + 1)
		}
	}
	return ""
}

// asksFor reads the call of a function that may read the variable whose name it is given; i is the function's name.
func (x *extractor) asksFor(i int) {
	if x.afterDot(i) || x.at(i-1).isKeyword(kFunction) || x.at(i-1).isKeyword(kNew) {
		return
	}
	name, callee := unquote([]byte(x.text(i+2))), x.text(i)
	if !isVariable(name) || !strings.Contains(name, "_") && !strings.Contains(strings.ToLower(callee), "env") {
		return
	}
	f := source.Fact{Kind: source.Env, Name: name, Of: callee, Line: int(x.t[i].line)}
	if x.at(i + 3).isPunct(',') {
		f.Default, f.Usage = x.otherwise(i + 4)
	}
	x.facts = append(x.facts, f)
}

// isVariable reports whether a text is written as variables of the environment are.
func isVariable(name string) bool {
	for i := range len(name) {
		if c := name[i]; (c < 'A' || c > 'Z') && c != '_' && (c < '0' || c > '9') {
			return false
		}
	}
	return len(name) > 1 && name[0] >= 'A' && name[0] <= 'Z'
}
