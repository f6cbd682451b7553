package java

import (
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/surface"
)

func (u *unit) facts(p *parser) []source.Fact {
	out := append(p.calls(), p.routes()...)
	if commands := p.picocli(); len(commands) > 0 {
		out = append(out, commands...)
	} else {
		out = append(out, p.flags()...)
	}
	out = append(append(append(out, p.provided...), p.data()...), p.configuration()...)
	slices.SortStableFunc(out, func(a, b source.Fact) int { return a.Line - b.Line })
	return out
}

// call is a token chain of names and parentheses that precedes a literal.
type call struct {
	kind    source.FactKind
	literal uint8
	chain   []string
	library string // must be imported; the text must look like a variable
}

const environment = "core.env.Environment"

var calls = map[string][]call{
	"System": {
		{source.Env, text, []string{".", "getenv", "("}, ""},
		{source.Env, text, []string{".", "getenv", "(", ")", ".", "get", "("}, ""},
		{source.Env, text, []string{".", "getenv", "(", ")", ".", "getOrDefault", "("}, ""},
		{source.Env, text, []string{".", "getenv", "(", ")", ".", "containsKey", "("}, ""},
		{source.Exit, number, []string{".", "exit", "("}, ""},
	},
	"getProperty": {{source.Env, text, []string{"("}, environment}},
	"Runtime": {
		{source.Exit, number, []string{".", "getRuntime", "(", ")", ".", "exit", "("}, ""},
		{source.Exit, number, []string{".", "getRuntime", "(", ")", ".", "halt", "("}, ""},
	},
}

const commonsCLI = "org.apache.commons.cli"

// calls finds facts in literal arguments of standard library calls, and of Commons CLI if imported.
func (p *parser) calls() []source.Fact {
	u := p.unit
	cli := slices.ContainsFunc(p.imports, func(i source.Import) bool { return i.Path == commonsCLI })
	spring := strings.Contains(p.src, environment)
	var out []source.Fact
	for i := range int32(len(u.toks)) {
		if u.toks[i].kind != word {
			continue
		}
		name := u.text(i)
		for _, c := range calls[name] {
			if c.library != "" && !spring {
				continue
			}
			if f, ok := p.called(i, c); ok {
				out = append(out, f)
			}
		}
		if cli && u.kind(i-1) == '.' && u.kind(i+1) == '(' {
			out = append(out, u.cliFlags(i, name)...)
		}
	}
	return out
}

func (p *parser) called(i int32, c call) (source.Fact, bool) {
	u := p.unit
	for k, want := range c.chain {
		at := i + 1 + int32(k)
		if u.kind(at) == 0 || u.text(at) != want {
			return source.Fact{}, false
		}
	}
	at := i + 1 + int32(len(c.chain))
	sign := ""
	if c.literal == number && u.kind(at) == '-' {
		sign = "-"
		at++
	}
	if u.kind(at) != c.literal || u.kind(at+1) != ')' && u.kind(at+1) != ',' {
		computed := c.kind == source.Env && u.kind(at) != ')' && c.library == ""
		return source.Fact{Kind: c.kind, Name: p.constant(at), Line: int(u.line(i))}, computed
	}
	value := u.text(at)
	if c.literal == text {
		value = u.literal(at)
	}
	if value == "" || c.library != "" && !(surface.IsVariable(value) && strings.Contains(value, "_")) {
		return source.Fact{}, false
	}
	f := source.Fact{Kind: c.kind, Name: sign + u.shown(value), Line: int(u.line(i))}
	if c.kind == source.Env {
		f.Default = u.otherwise(at)
	}
	return f, true
}

// mostAsked bounds the constants without an owner, because each is looked up among all types.
const mostAsked = 64

// constant returns the name of a variable that a constant at token i may hold, with its type.
func (p *parser) constant(i int32) string {
	name, end := p.dotted(i)
	if !surface.IsVariable(name[strings.LastIndexByte(name, '.')+1:]) || p.kind(end) != ')' && p.kind(end) != ',' {
		return source.Unknown
	}
	owner := ""
	for j := 0; j < len(p.decls) && !strings.Contains(name, ".") && p.asked < mostAsked; j++ {
		if d := p.decls[j]; isType(d.kind) && d.all.From <= i && i < d.all.To {
			owner = d.name + "."
		}
	}
	p.asked++
	return source.Named + p.shown(owner+name)
}

// otherwise returns the literal default of the variable named at token i: getOrDefault("X", "d"),
// Optional.ofNullable(System.getenv("X")).orElse("d").
func (u *unit) otherwise(i int32) string {
	switch {
	case u.kind(i+1) == ',' && u.kind(i+3) == ')':
		return u.literal(i + 2)
	case u.kind(i+2) == ')' && u.kind(i+3) == '.' && u.isWord(i+4, "orElse") && u.kind(i+5) == '(' && u.kind(i+7) == ')':
		return u.literal(i + 6)
	}
	return ""
}

// cliFlags reads Options.addOption("v", "verbose", ...), Option.builder("v") and longOpt("verbose").
func (u *unit) cliFlags(i int32, name string) []source.Fact {
	var out []source.Fact
	flag := func(at int32, dashes string) {
		if s := u.literal(at); s != "" {
			out = append(out, source.Fact{Kind: source.Flag, Name: dashes + s, Line: int(u.line(at))})
		}
	}
	arg := i + 2
	switch name {
	case "builder":
		if u.isWord(i-2, "Option") && u.kind(arg+1) == ')' {
			flag(arg, "-")
		}
	case "longOpt":
		if u.kind(arg+1) == ')' {
			flag(arg, "--")
		}
	case "addOption":
		isFlag := func(at int32) bool { return u.isWord(at, "true") || u.isWord(at, "false") }
		if u.kind(arg+1) == ',' && isFlag(arg+2) {
			flag(arg, "-")
		}
		if u.kind(arg+1) == ',' && u.kind(arg+3) == ',' && isFlag(arg+4) {
			flag(arg, "-")
			flag(arg+2, "--")
		}
	}
	return out
}

// literal returns the string literal at token i, or "" if it has escapes that only Java knows.
func (u *unit) literal(i int32) string {
	if u.kind(i) != text {
		return ""
	}
	s := u.text(i)
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return ""
	}
	if strings.IndexByte(s, '\\') < 0 {
		return u.shown(s[1 : len(s)-1])
	}
	plain, _ := strconv.Unquote(s)
	return u.shown(plain)
}

var (
	flagAnnotations = map[string]bool{"Option": true, "Parameter": true}
	flagAttributes  = map[string]bool{"names": true, "name": true, "aliases": true}
)

func (p *parser) flags() []source.Fact {
	var out []source.Fact
	for _, a := range p.notes {
		if !flagAnnotations[a.name] || a.args == 0 {
			continue
		}
		for attribute, at := range p.attributes(a) {
			if !flagAttributes[attribute] {
				continue
			}
			for _, i := range p.strings(at) {
				if s := p.literal(i); len(s) > 1 && s[0] == '-' {
					out = append(out, source.Fact{Kind: source.Flag, Name: s, Line: int(p.line(i))})
				}
			}
		}
	}
	return out
}
