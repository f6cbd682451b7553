package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// maxArguments bounds how many tokens of a call are looked at.
const maxArguments = 64

// fact records where a fact is met first.
func (x *reader) fact(k source.FactKind, name string, i int) {
	if name == "" {
		return
	}
	f := source.Fact{Kind: k, Name: valid(name)}
	if x.told[f] {
		return
	}
	if x.told == nil {
		x.told = map[source.Fact]bool{}
	}
	x.told[f] = true
	f.Line = int(x.toks[i].line)
	x.facts = append(x.facts, f)
}

// literalAt returns the value of the string literal at token i, "" when there is none.
func (x *reader) literalAt(i int) string {
	if i < 0 || i >= len(x.toks) || x.toks[i].kind != str {
		return ""
	}
	v, _ := stringValue(x.text(i))
	return v
}

// methodFact looks at a member's name: what it means does not depend on the receiver.
func (x *reader) methodFact(i int, text string) {
	switch text {
	case "add_argument", "add_option", "option", "Option":
		x.flags(i + 1)
	}
}

// importedFact looks at a name that an import binds, or at the first member behind it.
func (x *reader) importedFact(i int, b *binding) {
	member, at := b.member, i
	if member == "" {
		if !x.is(i+1, len(x.toks), ".") || !x.isName(i+2, len(x.toks)) {
			return
		}
		at = i + 2
		member = x.text(at)
	}
	switch b.module {
	case "click", "typer":
		if member == "option" || member == "Option" {
			x.flags(at + 1)
		}
	case "absl.flags", "absl":
		x.abslFlag(at)
	}
}

// flags takes the option strings among the positional arguments of the call that opens at token open.
func (x *reader) flags(open int) {
	n := min(len(x.toks), open+maxArguments)
	if !x.is(open, n, "(") {
		return
	}
	depth := 1
	for i := open + 1; i < n && depth > 0; i++ {
		depth += x.depth(i)
		whole := (x.is(i-1, n, "(") || x.is(i-1, n, ",")) && (x.is(i+1, n, ",") || x.is(i+1, n, ")"))
		if depth != 1 || x.toks[i].kind != str || !whole {
			continue
		}
		for _, flag := range strings.Split(x.literalAt(i), "/") {
			if flag = strings.TrimSpace(flag); isFlag(flag) {
				x.fact(source.Flag, flag, i)
			}
		}
	}
}

func isFlag(s string) bool {
	body := strings.TrimPrefix(strings.TrimPrefix(s, "-"), "-")
	if body == "" || len(body) == len(s) || !identPart[body[0]] {
		return false
	}
	for i := range len(body) {
		if c := body[i]; !identPart[c] && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

// abslFlag looks for flags.DEFINE_string("name", ...) in what is named from token i on.
func (x *reader) abslFlag(i int) {
	n := len(x.toks)
	for x.is(i+1, n, ".") && x.isName(i+2, n) {
		i += 2
	}
	if strings.HasPrefix(x.text(i), "DEFINE_") && x.is(i+1, n, "(") && x.is(i+3, n, ",") && x.literalAt(i+2) != "" {
		x.fact(source.Flag, "--"+x.literalAt(i+2), i)
	}
}
