package rust

import (
	"bytes"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// facts finds the behaviour surface by the idioms of the standard library, clap, axum, actix and rocket.
func (o *outline) facts() []source.Fact {
	f := &facts{o: o, seen: map[source.Fact]bool{}, parsers: map[string]source.Fact{}}
	f.clap = bytes.Contains(o.src, []byte("clap")) || bytes.Contains(o.src, []byte("structopt"))
	b := &builders{facts: f, ids: map[string]int{}}
	for i := range o.toks {
		t := o.toks[i]
		switch {
		case t.skip:
		case t.class == word:
			if f.clap {
				b.enter(i)
			}
			f.word(i)
		case t.class == punct && o.src[t.start] == '#' && o.is(i+1, "["):
			f.attribute(span{From: i + 2, To: int(o.toks[i+1].mate)})
		}
	}
	f.list = append(f.list, o.surface()...)
	slices.SortStableFunc(f.list, func(a, b source.Fact) int { return a.Line - b.Line })
	return f.list
}

type facts struct {
	o    *outline
	list []source.Fact
	seen map[source.Fact]bool

	clap     bool
	constant map[string]string      // function results, computed on demand
	parsers  map[string]source.Fact // command descriptions by type
	// described and filled are the starts of the last types read, because several attributes may mark one type.
	described, filled int
}

func (f *facts) add(kind source.FactKind, name string, at int) {
	key := source.Fact{Kind: kind, Name: name}
	if name == "" || f.seen[key] {
		return
	}
	f.seen[key] = true
	key.Line = int(f.o.toks[at].line)
	f.list = append(f.list, key)
}

func (f *facts) word(i int) {
	o := f.o
	switch string(o.text(i)) {
	case "var", "var_os":
		if o.is(i-1, "::") && o.is(i-2, "env") {
			f.variable(i, i+1)
		}
	case "env", "option_env":
		f.environment(i)
	case "exit":
		if o.is(i-1, "::") && o.is(i-2, "process") {
			f.exit(i + 1)
		}
	case "from":
		if o.is(i-1, "::") && o.is(i-2, "ExitCode") {
			f.exit(i + 1)
		}
	case "use":
		if o.is(i-1, "pub") {
			f.reexports(i + 1)
		}
	case "parse", "try_parse", "from_args":
		f.parses(i)
	}
}

func (f *facts) sole(i int) (int, bool) {
	o := f.o
	if !o.is(i, "(") {
		return 0, false
	}
	last := int(o.toks[i].mate)
	if o.is(last-1, ",") {
		last--
	}
	return i + 1, last == i+2
}

func (f *facts) variable(at, paren int) {
	if !f.o.is(paren, "(") {
		return
	}
	name := source.Unknown
	switch arg, ok := f.sole(paren); {
	case ok && f.o.class(arg) == text:
		name = f.o.unquote(arg)
	case ok && f.o.class(arg) == word && isConstant(f.o.name(arg)):
		name = source.Named + toValid(f.o.name(arg))
	}
	f.setting(name, f.o.after(paren), at)
}

func isConstant(name string) bool { return len(name) > 1 && name == strings.ToUpper(name) }

// setting records a variable with the default in the following method chain.
func (f *facts) setting(name string, behind, at int) {
	key := source.Fact{Kind: source.Env, Name: name}
	key.Default, key.Usage = f.otherwise(behind)
	if name == "" || f.seen[key] {
		return
	}
	f.seen[key] = true
	key.Line = int(f.o.toks[at].line)
	f.list = append(f.list, key)
}

const mostMethods = 6

// otherwise returns the literal default in `.unwrap_or_else(|_| "x".to_string())` and similar chains, or the Usage of
// source.Fact.
func (f *facts) otherwise(i int) (value, usage string) {
	o := f.o
	for n := 0; n < mostMethods && o.is(i, ".") && o.class(i+1) == word && o.is(i+2, "("); n++ {
		switch string(o.text(i + 1)) {
		case "unwrap_or", "unwrap_or_else":
			if value = f.soleText(i+3, int(o.toks[i+2].mate)); value == "" {
				usage = source.Computed
			}
			return value, usage
		case "expect", "unwrap":
			return "", source.Required
		}
		i = o.after(i + 2)
	}
	return "", ""
}

// conversions are tokens that convert a literal to an owned string or wrap it in a closure.
var conversions = map[string]bool{
	"to_string": true, "to_owned": true, "into": true, "String": true, "from": true, "_": true, "|": true, "||": true, "::": true, "(": true, ")": true, ".": true,
}

// soleText returns the only literal, if all other tokens are conversions.
func (f *facts) soleText(from, to int) string {
	found := ""
	for i := from; i < to; i++ {
		switch {
		case f.o.class(i) == text && found == "":
			found = f.o.unquote(i)
		case !conversions[string(f.o.text(i))]:
			return ""
		}
	}
	return found
}

// environment reads env!("X") and option_env!("X"), except variables set by Cargo.
func (f *facts) environment(i int) {
	o := f.o
	if !o.is(i+1, "!") || !o.is(i+2, "(") || o.class(i+3) != text {
		return
	}
	if name := o.unquote(i + 3); !strings.HasPrefix(name, "CARGO_") && name != "OUT_DIR" {
		f.setting(name, f.o.after(i+2), i)
	}
}

func (f *facts) exit(paren int) {
	o := f.o
	if !o.is(paren, "(") {
		return
	}
	arg, sign := paren+1, ""
	if o.is(arg, "-") {
		arg, sign = arg+1, "-"
	}
	if o.class(arg) != literal || int(o.toks[paren].mate) != arg+1 {
		return
	}
	code := strings.ReplaceAll(string(o.text(arg)), "_", "")
	for _, suffix := range []string{"i32", "u8"} {
		code = strings.TrimSuffix(code, suffix)
	}
	if strings.Trim(code, "0123456789") == "" {
		f.add(source.Exit, sign+code, paren)
	}
}

func (o *outline) character(i int) string {
	b := string(o.text(i))
	if o.class(i) != literal && o.class(i) != text || len(b) < 3 || strings.Contains(b, `\`) {
		return ""
	}
	if c := []rune(strings.TrimPrefix(b[1:len(b)-1], "-")); len(c) == 1 && (b[0] == '\'' || b[0] == '"') {
		return toValid(string(c))
	}
	return ""
}

func (f *facts) attribute(a span) {
	if f.o.lastSegment(a) == "derive" {
		f.describes(a)
	}
}
