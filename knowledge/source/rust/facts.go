package rust

import (
	"bytes"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// facts finds the behaviour surface by the idioms of the standard library, clap, axum, actix and rocket.
func (o *outline) facts() []source.Fact {
	f := &facts{o: o, seen: map[source.Fact]bool{}, parsers: map[string]source.Fact{}}
	f.clap = bytes.Contains(o.src, []byte("clap")) || bytes.Contains(o.src, []byte("structopt"))
	b := &builders{facts: f, ids: map[string]int{}}
	r := &routing{facts: f, done: map[int]bool{}, serve: mayServe(o.src)}
	r.any = f.clap || r.serve
	for i := range o.toks {
		t := o.toks[i]
		switch {
		case t.skip:
		case t.class == word:
			r.enter(i)
			if f.clap {
				b.enter(i, r.here(i).id)
			}
			f.word(i)
			if o.is(i-1, ".") && string(o.text(i)) == "route" && o.is(i+1, "(") && !r.done[i] && o.class(i+2) == text && o.is(i+3, ",") {
				r.routed(i+2, i+4, int(o.toks[i+1].mate), r.below(r.here(i), i+2))
			}
		case t.class == punct && o.src[t.start] == '#' && o.is(i+1, "["):
			f.attribute(span{From: i + 2, To: int(o.toks[i+1].mate)})
		}
	}
	return f.list
}

// mayServe reports whether a file may register routes.
func mayServe(src []byte) bool {
	return bytes.Contains(src, []byte("Router")) || bytes.Contains(src, []byte("web::")) || bytes.Contains(src, []byte("routes!"))
}

type facts struct {
	o    *outline
	list []source.Fact
	seen map[source.Fact]bool

	clap     bool                   // the file may make a command line with clap
	constant map[string]string      // what functions return, once it was asked for
	parsers  map[string]source.Fact // what types say of the program that they describe
	// described and filled are where the types begin that were read last, for the one and the other: several attributes may say so.
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

// word looks at calls by the name at i.
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
	case "parse", "try_parse", "from_args":
		f.parses(i)
	}
}

// sole returns the token of the only argument of the call whose parenthesis is at i; false when there are more.
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

// isConstant reports whether a name is written as those of constants are.
func isConstant(name string) bool { return len(name) > 1 && name == strings.ToUpper(name) }

// setting notes a variable with what the methods behind it take where it is not set.
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

// mostMethods is how many methods behind a variable are looked at.
const mostMethods = 6

// otherwise is the literal in `.unwrap_or_else(|_| "x".to_string())` and the like, or what source.Fact has for its Usage, of the chain of
// methods that begins at i.
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

// conversions are the words that make an owned text, or a closure, of a literal.
var conversions = map[string]bool{
	"to_string": true, "to_owned": true, "into": true, "String": true, "from": true, "_": true, "|": true, "||": true, "::": true, "(": true, ")": true, ".": true,
}

// soleText is the only literal between tokens beside which nothing but conversions stands.
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

// environment looks at env!("X") and option_env!("X"). What the build tool itself sets is no one's to set.
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

// character is the value of a character literal, or of a string of one.
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

// methods are the routing functions and attributes, by the HTTP method that they stand for.
var methods = map[string]string{
	"get": "GET", "post": "POST", "put": "PUT", "delete": "DELETE", "patch": "PATCH", "head": "HEAD", "options": "OPTIONS",
	"trace": "TRACE", "connect": "CONNECT",
}

// attribute looks at #[get("/x")] on handlers and at #[arg(…)] on fields.
func (f *facts) attribute(a span) {
	o := f.o
	name := o.lastSegment(a)
	if name == "derive" {
		f.describes(a)
		return
	}
	method, ok := methods[name]
	paren := a.From + 1
	for paren < a.To && !o.is(paren, "(") {
		paren++
	}
	if !ok || paren >= a.To || o.class(paren+1) != text {
		return
	}
	path, _, _ := strings.Cut(o.unquote(paren+1), "?")
	handler := f.functionBehind(a.To + 1)
	if strings.HasPrefix(path, "/") {
		f.list = append(f.list, source.Fact{Kind: source.Route, Name: method + " " + path, Of: handler, Value: handler, Line: int(o.toks[paren+1].line)})
	}
}

// functionBehind is the name of the function behind the attributes that may go on at i.
func (f *facts) functionBehind(i int) string {
	o := f.o
	i = o.behindAttributes(i)
	i, _ = o.visibility(i)
	for o.is(i, "async") || o.is(i, "unsafe") || o.is(i, "const") {
		i++
	}
	if !o.is(i, "fn") || o.class(i+1) != word {
		return ""
	}
	return toValid(o.name(i + 1))
}
