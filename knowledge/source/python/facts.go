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

// builtinFact looks at a name that is not imported.
func (x *reader) builtinFact(i int, text string) {
	switch text {
	case "exit", "quit", "SystemExit":
		if !x.is(i-1, len(x.toks), "def") && !x.is(i-1, len(x.toks), "class") {
			x.exit(i)
		}
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
	case "os":
		switch member {
		case "environ":
			x.environ(i, at)
		case "getenv":
			x.environCall(at)
		case "_exit":
			x.exit(at)
		}
	case "urllib.request":
		if member == "getproxies" {
			for _, name := range []string{"ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"} {
				x.fact(source.Env, name, at)
			}
		}
	case "sys":
		if member == "exit" {
			x.exit(at)
		}
	case "click", "typer":
		switch member {
		case "option", "Option":
			x.flags(at + 1)
		case "Exit":
			x.exit(at)
		}
	case "absl.flags", "absl":
		x.abslFlag(at)
	}
}

// environ looks at a use of os.environ: first and last are its tokens.
func (x *reader) environ(first, last int) {
	n := len(x.toks)
	switch {
	case x.is(last+1, n, "["):
		if end := x.nameEnd(last + 2); x.is(end, n, "]") && !x.is(end+1, n, "=") && !x.is(first-1, n, "del") {
			x.reads = append(x.reads, envRead{last + 2, end, last, true})
		}
	case x.is(last+1, n, ".") && x.isName(last+2, n):
		switch x.text(last + 2) {
		case "get", "pop", "setdefault":
			x.environCall(last + 2)
		}
	case x.is(first-1, n, "in"):
		subject := first - 2
		if x.is(subject, n, "not") {
			subject--
		}
		x.fact(source.Env, x.literalAt(subject), last)
	}
}

func (x *reader) environCall(i int) {
	if x.is(i+1, len(x.toks), "(") && i+2 < len(x.toks) {
		x.reads = append(x.reads, envRead{i + 2, x.nameEnd(i + 2), i, false})
	}
}

// exit looks at a call whose argument, by position or as code=, is the exit code.
func (x *reader) exit(i int) {
	n := len(x.toks)
	if !x.is(i+1, n, "(") {
		return
	}
	at := i + 2
	if x.isName(at, n) && x.text(at) == "code" && x.is(at+1, n, "=") {
		at += 2
	}
	sign := ""
	if x.is(at, n, "-") {
		sign, at = "-", at+1
	}
	if !x.is(at+1, n, ")") && !(x.isName(at, n) && x.is(at+1, n, "(") && x.is(at+2, n, ")")) {
		return
	}
	for _, code := range x.codes(at, 1) {
		x.fact(source.Exit, sign+code, i)
	}
}

func isDecimal(s string) bool {
	return strings.Trim(s, "0123456789") == ""
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
