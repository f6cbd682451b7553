package typescript

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/ecma"
	"github.com/causaldocs/causal/testgen"
)

// globals are undeclared names whose values differ between machines or runs. If members are listed, only those count.
var globals = map[string][]string{
	"process": nil, "fetch": nil, "performance": nil, "setTimeout": nil, "setInterval": nil, "setImmediate": nil, "queueMicrotask": nil,
	"requestAnimationFrame": nil, "window": nil, "document": nil, "navigator": nil, "location": nil, "localStorage": nil, "sessionStorage": nil,
	"XMLHttpRequest": nil, "WebSocket": nil, "Worker": nil, "indexedDB": nil, "history": nil, "alert": nil, "confirm": nil, "prompt": nil,
	"HTMLElement": nil, "Deno": nil, "Bun": nil, "chrome": nil, "__dirname": nil, "__filename": nil, "require": nil,
	"WeakRef": nil, "FinalizationRegistry": nil,
	"Date": {"now"}, "Math": {"random"}, "crypto": {"randomUUID", "getRandomValues"}, "Temporal": {"Now"}, "import": {"meta"},
}

// harmless are the deterministic modules of Node.js, with names that are not.
var harmless = map[string][]string{
	"path": {"resolve", "relative", "default", "*", "sep", "delimiter", "join", "normalize"}, "path/posix": {"resolve", "relative"}, "path/win32": {"resolve"}, "url": nil, "querystring": nil,
	"buffer": nil, "string_decoder": nil, "punycode": nil, "util": nil, "assert": nil, "assert/strict": nil,
}

var effects = testgen.Effects{
	Names:    harmless,
	Harmless: func(module string) bool { _, listed := harmless[module]; return listed },
	Split:    func(path, name string) (module, rest string) { return strings.TrimPrefix(path, "node:"), name },
}

// reaches returns why the results of a function are unpredictable, or an empty string. others are the names that it
// reaches in other modules, which the caller has to check.
func (p *Package) reaches(r testgen.Reach) (reason string, others []testgen.Name) {
	bad, others := effects.Outside(r, func(n testgen.Name) bool { return p.onlyType(r.Within, n) })
	for _, name := range r.Within {
		d := p.declared(name)
		if d == nil {
			continue
		}
		bad = append(bad, d.globals()...)
		if d.file.changed[d.Name] {
			return "reaches the variable " + d.Name + ", which calls change", nil
		}
	}
	return testgen.Reason(bad), others
}

// declared returns the declaration of a name, or that of the value it is a member of.
func (p *Package) declared(name string) *decl {
	for {
		if d := p.names[name]; d != nil {
			return d
		}
		i := strings.LastIndexByte(name, '.')
		if i < 0 {
			return nil
		}
		name = name[:i]
	}
}

// onlyType reports whether declarations use only types of an external module.
func (p *Package) onlyType(within []string, n testgen.Name) bool {
	first, _, _ := strings.Cut(n.Name, ".")
	found, value := false, false
	for _, name := range within {
		d := p.declared(name)
		if d == nil {
			continue
		}
		d.tokens(func(i int) {
			t := d.file.Tokens[i]
			in, member := d.file.bound(t.Text)
			if t.Free && in != nil && in.Path == n.Path && (member == "" || member == first || n.Name == "*" || n.Name == "") {
				found, value = true, value || t.Value
			}
		})
	}
	return found && !value
}

// globals lists the globals of a declaration that make results unpredictable.
func (d *decl) globals() []string {
	var out []string
	f := d.file
	d.tokens(func(i int) {
		t := f.Tokens[i]
		members, known := globals[t.Text]
		if !known || t.Text != "import" && (!t.Value || f.declares(t.Text)) {
			return
		}
		next := f.at(i + 1).Text
		switch {
		case t.Text == "Date" && f.at(i-1).Text == "new":
			if next != "(" || f.at(i+2).Text == ")" {
				out = append(out, "the current time")
			}
		case t.Text == "Date" && next == "(":
			out = append(out, "the current time")
		case members == nil:
			out = append(out, t.Text)
		case (next == "." || next == "?.") && slices.Contains(members, f.at(i+2).Text):
			out = append(out, t.Text+"."+f.at(i+2).Text)
		}
	})
	return out
}

// changing are methods that modify their receiver.
var changing = []string{"set", "add", "push", "pop", "shift", "unshift", "delete", "clear", "splice", "fill", "sort", "reverse", "next"}

// findChanged finds the variables of the file that functions modify.
func (f *file) findChanged() {
	f.changed = map[string]bool{}
	for _, d := range f.decls {
		if d.Kind != source.Func && d.Kind != source.Method && d.Kind != source.Class {
			continue
		}
		d.tokens(func(i int) {
			v := f.decls[f.Tokens[i].Text]
			if f.Tokens[i].Free && v != nil && (v.Kind == source.Var || v.Kind == source.Const || v.Kind == source.Func) && f.changes(i) {
				f.changed[v.Name] = true
			}
		})
	}
}

// changes reports whether the code after a variable modifies it or a part of it.
func (f *file) changes(i int) bool {
	if prev := f.at(i - 1).Text; prev == "++" || prev == "--" || prev == "delete" {
		return true
	}
	for n := i + 1; n < len(f.Tokens); n++ {
		switch t := f.Tokens[n]; {
		case t.Text == "[" && t.Match > n:
			n = t.Match
		case t.Text == "." || t.Text == "?.":
			if slices.Contains(changing, f.at(n+1).Text) && f.at(n+2).Text == "(" {
				return true
			}
			n++
		case t.Text == "!":
		case t.Kind == ecma.Punct && (t.Text == "=" || t.Text == "++" || t.Text == "--" || len(t.Text) > 1 && strings.HasSuffix(t.Text, "=") && !comparisons[t.Text]):
			return t.Text != "=" || f.at(n+1).Text != ">"
		default:
			return false
		}
	}
	return false
}

var comparisons = map[string]bool{"==": true, "===": true, "!=": true, "!==": true, "<=": true, ">=": true}
