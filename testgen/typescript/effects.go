package typescript

import (
	"path"
	"slices"
	"strings"

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

// harmless are the deterministic modules of Node.js, with their exceptions.
var harmless = map[string][]string{
	"path": {"resolve", "relative", "default", "*", "sep", "delimiter", "join", "normalize"}, "path/posix": {"resolve", "relative"}, "path/win32": {"resolve"}, "url": nil, "querystring": nil,
	"buffer": nil, "string_decoder": nil, "punycode": nil, "util": nil, "assert": nil, "assert/strict": nil,
}

// effect returns the module if using a name of it makes results unpredictable, else an empty string.
func effect(at, name string) string {
	bare := strings.TrimPrefix(at, "node:")
	if odd, ok := harmless[bare]; ok {
		if first, _, _ := strings.Cut(name, "."); slices.Contains(odd, first) {
			return bare
		}
		return ""
	}
	return bare
}

// reaches returns why the results of a function are unpredictable, or an empty string. others are the names that it
// reaches in other modules, which the caller has to check.
func (p *Package) reaches(r testgen.Reach) (reason string, others []testgen.Name) {
	bad, others := r.Effects(func(at, name string) string {
		if p.onlyType(r.Within, testgen.Name{Path: at, Name: name}) {
			return ""
		}
		return effect(at, name)
	})
	for _, name := range r.Within {
		d := p.declared(name)
		if d == nil {
			continue
		}
		bad = append(bad, d.globals()...)
		if d.kind == aVariable && d.file.assigns[d.name] {
			return "reaches the variable " + d.name + ", which calls change", nil
		}
	}
	if len(bad) > 0 {
		slices.SortFunc(bad, func(a, b string) int { return strings.Compare(path.Base(a), path.Base(b)) })
		return "reaches " + strings.Join(slices.Compact(bad), ", "), others
	}
	return "", others
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
	found := false
	for _, name := range within {
		d := p.declared(name)
		if d == nil {
			continue
		}
		for local, in := range d.file.imports {
			if in.path != n.Path || in.name != first && in.name != "*" && local != first && n.Name != "*" && n.Name != "" {
				continue
			}
			if !in.typeOnly && d.usesValue(local) {
				return false
			}
			found = true
		}
	}
	return found
}

// before are the tokens after which a name is a type.
var before = map[string]bool{":": true, "<": true, "|": true, "&": true, "as": true, "satisfies": true, "extends": true, "implements": true, "is": true, "keyof": true}

// usesValue reports whether a declaration uses a name as a value. It errs on the side of true.
func (d *decl) usesValue(name string) bool {
	t := d.file.tokens
	for i := d.from; i < min(d.to, len(t)); i++ {
		if t[i].Kind == ecma.Word && t[i].Text == name && (i == 0 || !before[t[i-1].Text]) {
			return true
		}
	}
	return false
}

// globals lists the globals of a declaration that make results unpredictable.
func (d *decl) globals() []string {
	var out []string
	t := d.file.tokens
	for i := d.from; i < min(d.to, len(t)); i++ {
		members, known := globals[t[i].Text]
		if t[i].Kind != ecma.Word || i > d.from && (t[i-1].Text == "." || t[i-1].Text == "?.") {
			continue
		}
		if known && d.bound(t[i].Text) {
			continue
		}
		next := func(n int) ecma.Token {
			if i+n < len(t) {
				return t[i+n]
			}
			return ecma.Token{}
		}
		switch {
		case t[i].Text == "Date" && i > d.from && t[i-1].Text == "new" && (next(1).Text != "(" || next(2).Text == ")"):
			out = append(out, "the current time")
		case t[i].Text == "Date" && i > d.from && t[i-1].Text != "new" && next(1).Text == "(" && t[i-1].Text != "function":
			out = append(out, "the current time")
		case known && members == nil && next(1).Text != ":" && !before[at(t, i-1).Text]:
			out = append(out, t[i].Text)
		case known && (next(1).Text == "." || next(1).Text == "?.") && slices.Contains(members, next(2).Text):
			out = append(out, t[i].Text+"."+next(2).Text)
		}
	}
	return out
}

func at(t []ecma.Token, i int) ecma.Token {
	if i < 0 || i >= len(t) {
		return ecma.Token{}
	}
	return t[i]
}

// bound reports whether the file imports or declares a name.
func (d *decl) bound(name string) bool {
	_, imported := d.file.imports[name]
	return imported || d.file.decls[name] != nil || d.bindings()[name]
}

// longestParams limits the tokens in the parameters of a nested function.
const longestParams = 200

// bindings returns the names that a declaration binds in any scope inside it.
func (d *decl) bindings() map[string]bool {
	if d.locals != nil {
		return d.locals
	}
	d.locals = map[string]bool{}
	t := d.file.tokens
	for i := d.from + 1; i < min(d.to, len(t)); i++ {
		switch prev := t[i-1].Text; {
		case t[i].Kind == ecma.Word && (prev == "const" || prev == "let" || prev == "var" || prev == "function" && i > d.from+3):
			if t[i].Text != d.name {
				d.locals[t[i].Text] = true
			}
		case t[i].Kind == ecma.Word && at(t, i+1).Text == "=>":
			d.locals[t[i].Text] = true
		case t[i].Text == "(" && t[i].Match > i && t[i].Match-i < longestParams && !controls[prev]:
			if next := at(t, t[i].Match+1).Text; next == "=>" || next == "{" || next == ":" {
				d.bindParams(i)
			}
		case (t[i].Text == "{" || t[i].Text == "[") && (prev == "const" || prev == "let" || prev == "var") && t[i].Match-i < longestParams:
			d.bindParams(i)
		}
	}
	return d.locals
}

// controls are words followed by parentheses that hold no parameters.
var controls = map[string]bool{"if": true, "for": true, "while": true, "switch": true, "with": true, "return": true}

func (d *decl) bindParams(open int) {
	t := d.file.tokens
	for i := open + 1; i < t[open].Match; i++ {
		switch t[i-1].Text {
		case "(", ",", "{", "[", "...", ":":
			if next := at(t, i+1).Text; t[i].Kind == ecma.Word && next != "." && next != "(" {
				d.locals[t[i].Text] = true
			}
		}
	}
}

// changing are methods that modify their receiver.
var changing = []string{"set", "add", "push", "pop", "shift", "unshift", "delete", "clear", "splice", "fill", "sort", "reverse", "next"}

// findAssigned finds the variables of the file that functions modify.
func (f *file) findAssigned() {
	f.assigns = map[string]bool{}
	for _, d := range f.decls {
		if d.kind != aFunction && d.kind != aClass {
			continue
		}
		for i := d.from; i < min(d.to, len(f.tokens)); i++ {
			v := f.decls[f.tokens[i].Text]
			if v == nil || v.kind != aVariable || f.tokens[i].Kind != ecma.Word || at(f.tokens, i-1).Text == "." || d.bindings()[v.name] {
				continue
			}
			if f.changes(i) {
				f.assigns[v.name] = true
			}
		}
	}
}

// changes reports whether the code after a variable modifies it or a part of it.
func (f *file) changes(i int) bool {
	if prev := at(f.tokens, i-1).Text; prev == "++" || prev == "--" || prev == "delete" {
		return true
	}
	for n := i + 1; n < len(f.tokens); n++ {
		switch t := f.tokens[n]; {
		case t.Text == "[" && t.Match > n:
			n = t.Match
		case t.Text == "." || t.Text == "?.":
			if slices.Contains(changing, at(f.tokens, n+1).Text) && at(f.tokens, n+2).Text == "(" {
				return true
			}
			n++
		case t.Text == "!":
		case t.Kind == ecma.Punct && (t.Text == "=" || t.Text == "++" || t.Text == "--" || len(t.Text) > 1 && strings.HasSuffix(t.Text, "=") && !comparisons[t.Text]):
			return t.Text != "=" || at(f.tokens, n+1).Text != ">"
		default:
			return false
		}
	}
	return false
}

var comparisons = map[string]bool{"==": true, "===": true, "!=": true, "!==": true, "<=": true, ">=": true}
