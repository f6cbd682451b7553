package ecma

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// longestName is how many bytes a name has that something is registered under: what is longer is a text.
const longestName = 200

// registration notes what the statement at i gives to a registry, where it is a call that is made whenever the file is loaded.
func (x *extractor) registration(i int) {
	registry, open := x.dottedName(i)
	if x.current != 0 || registry == "" || !x.at(open).isPunct('(') || !registers(registry[strings.LastIndexByte(registry, '.')+1:]) {
		return
	}
	f := source.Fact{Kind: source.Register, Of: registry, Line: int(x.at(i).line)}
	for from, closing := open+1, int(x.at(open).match); from < closing; {
		to := x.skipExpression(from)
		switch first := x.at(from); {
		case from == open+1 && first.kind == tString && to == from+1:
			if f.Name = unquote([]byte(x.text(from))); len(f.Name) > longestName {
				return
			}
		case f.ID == "":
			f.ID = x.argument(from, to)
		}
		from = max(to, from) + 1
	}
	if f.Name != "" || f.ID != "" {
		x.facts = append(x.facts, f)
	}
}

// registers reports whether a function says by its name that it registers what it gets.
func registers(name string) bool {
	rest, ok := strings.CutPrefix(name, "register")
	return ok && (rest == "" || rest[0] >= 'A' && rest[0] <= 'Z')
}

// longestRegistry is how many elements a dotted name has that anything is registered with.
const longestRegistry = 24

// dottedName reads a dotted name, and returns where it ends.
func (x *extractor) dottedName(i int) (string, int) {
	if x.at(i).kind != tIdent {
		return "", i
	}
	name := x.text(i)
	i++
	for range longestRegistry {
		if !x.at(i).isPunct('.') || x.at(i+1).kind != tIdent {
			break
		}
		name += "." + x.text(i+1)
		i += 2
	}
	return name, i
}

// argument is what an argument names, or what it calls to get a value.
func (x *extractor) argument(from, to int) string {
	if x.at(from).isKeyword(kNew) {
		from++
	}
	name, end := x.dottedName(from)
	if x.at(end).isPunct('(') && end < to {
		end = x.skip(end)
	}
	if end != to {
		return ""
	}
	return name
}
