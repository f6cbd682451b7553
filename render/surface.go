package render

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// behaviorOf is the behaviour surface of a module. What tests do is nobody's behaviour, wherever they stand.
func behaviorOf(k *survey.Module, implements []source.Implementation) []node.Behavior {
	var out []node.Behavior
	names := namesIn(k, implements)
	for i := range k.Module.Units {
		u := &k.Module.Units[i]
		if u.File.Test || tests(u) {
			continue
		}
		for _, f := range u.File.Facts {
			if f.Kind == source.Naming {
				continue
			}
			b := node.Behavior{
				Kind: f.Kind, Name: f.Name, File: path.Base(u.Path), ID: f.ID, Of: f.Of, Also: f.Also, Value: f.Value,
				Default: f.Default, Usage: f.Usage, Guard: f.Guard, Help: f.Help, Doc: f.Doc, Line: f.Line,
			}
			if u.File.Guard != "" {
				b.Guard = u.File.Guard
			}
			if names.resolve(u, &b) {
				out = append(out, b)
			}
		}
	}
	out = append(names.withoutIdleJoins(settle(out)), names.paths()...)
	slices.SortFunc(out, func(a, b node.Behavior) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.File, b.File), cmp.Compare(a.Of, b.Of),
			cmp.Compare(a.ID, b.ID), cmp.Compare(a.Line, b.Line))
	})
	return slices.CompactFunc(out, func(a, b node.Behavior) bool { return placeless(a) == placeless(b) })
}

// withoutIdleJoins removes the joins of functions that have no command or flag, and that other modules cannot name.
func (n behaviorNames) withoutIdleJoins(list []node.Behavior) []node.Behavior {
	for {
		has := map[string]bool{}
		for _, b := range list {
			has[b.Of] = true
			if b.Kind != source.Join {
				has[b.ID] = true
			}
		}
		kept := slices.DeleteFunc(slices.Clone(list), func(b node.Behavior) bool {
			return b.Kind == source.Join && !has[b.ID] && n.unexported[strings.TrimSuffix(b.ID, "()")]
		})
		if len(kept) == len(list) {
			return list
		}
		list = kept
	}
}

// testImports are what programs import to test: a file that does is one of tests, whatever it is called.
var testImports = map[string]bool{
	"testing": true, "pytest": true, "unittest": true, "jest": true, "@jest/globals": true, "vitest": true, "mocha": true, "node:test": true, "ava": true,
}

// testConfigs are what the files are called that configure test runners, up to the first dot.
var testConfigs = map[string]bool{"vitest": true, "jest": true, "playwright": true, "karma": true, "cypress": true}

func tests(u *source.Unit) bool {
	if stem, rest, _ := strings.Cut(path.Base(u.Path), "."); testConfigs[stem] && strings.HasPrefix(rest, "conf") {
		return true
	}
	return slices.ContainsFunc(u.File.Imports, func(i source.Import) bool {
		return testImports[i.Path] || strings.HasPrefix(i.Path, "org.junit.")
	})
}

// behaviorNames tells what the IDs in the facts of a module's files mean.
type behaviorNames struct {
	k    *survey.Module
	here map[string]bool // the IDs of the module
	// types are those of variables of the module, as far as their declarations name no other type of it
	types map[string]string
	// unexported are its declarations that other modules cannot name
	unexported map[string]bool
	// named are the names that types of the module give themselves.
	named map[string]naming
	// implements is what its types implement.
	implements []source.Implementation
	// constants are the texts of those of the module that hold one
	constants map[string]string
	// methods are those of its types by their last names; empty where two types have one
	methods map[string]string
	// holds are the defaults that flags of the module name; empty where two files disagree
	holds map[string]string
}

func namesIn(k *survey.Module, implements []source.Implementation) behaviorNames {
	n := behaviorNames{
		k: k, here: map[string]bool{}, types: map[string]string{}, unexported: map[string]bool{}, named: map[string]naming{},
		implements: implements, constants: map[string]string{}, methods: map[string]string{}, holds: map[string]string{},
	}
	for i := range k.Declared {
		d := &k.Declared[i]
		if !d.Exported {
			n.unexported[d.Name] = true
		}
		if d.Kind == source.Method {
			hold(n.methods, lastElement(d.Name), d.Name)
		}
		if d.Kind == source.Var && len(d.Refs) == 1 {
			n.types[d.Name] = d.Refs[0]
		} else if d.Kind == source.Const {
			_, value, _ := strings.Cut(d.Signature, " = ")
			if text, ok := constantText(d); ok {
				hold(n.constants, d.Name, text)
			} else if _, err := strconv.Atoi(value); err == nil {
				hold(n.constants, d.Name, value)
			}
		}
	}
	for i := range k.Module.Units {
		u := &k.Module.Units[i]
		prefix := source.Prefix(u.Path, u.File.Scoped)
		n.naming(u)
		for _, f := range u.File.Facts {
			if f.Kind == source.Register || f.Kind == source.Naming {
				continue
			}
			if f.Kind == source.Holds {
				hold(n.holds, prefix+f.ID, f.Default)
			}
			made := f.Kind == source.Mount && f.Usage == source.Fallback // it has the paths of its own router
			if f.ID != "" && f.Kind != source.Join && (f.Kind != source.Mount || made) && (f.Kind != source.Config || f.Of == source.Program) {
				n.here[prefix+f.ID] = true
			}
			if f.Of != "" && !binds(u, f.Of) && f.Kind != source.Env && f.Kind != source.Reads && f.Kind != source.Exit && f.Kind != source.Data {
				n.here[prefix+f.Of] = true
			}
		}
	}
	return n
}

// binds reports whether an import of a file names what a dotted name begins with.
func binds(u *source.Unit, name string) bool {
	first, _, _ := strings.Cut(strings.TrimSuffix(name, "()"), ".")
	if slices.ContainsFunc(u.File.Symbols, func(s source.Symbol) bool { return s.Name == first }) {
		return false // an import has the name for one of its members
	}
	return slices.ContainsFunc(u.File.Imports, func(i source.Import) bool {
		return slices.ContainsFunc(i.Names, func(n source.Name) bool { return cmp.Or(n.As, n.Name) == first })
	})
}

// resolve makes the IDs of an element those of the module. It reports false for one that says nothing then: it joins what
// nobody knows.
func (n behaviorNames) resolve(u *source.Unit, b *node.Behavior) bool {
	if b.Kind == source.Register {
		return n.registration(u, b)
	}
	if owner, _, _ := strings.Cut(b.ID, "."); b.Kind == source.Holds && n.unexported[source.Prefix(u.Path, u.File.Scoped)+owner] {
		return false // only the module itself can name it, and its flags have the default already
	}
	var known bool
	if written, ok := strings.CutPrefix(b.Name, source.Named); ok && (b.Kind == source.Env || b.Kind == source.Exit) {
		b.Name = n.spelled(u, written)
	}
	if b.Kind == source.Flag && b.Usage != "" {
		n.fallback(u, b)
	}
	if b.Kind == source.Route || b.Kind == source.Mount {
		b.Name = n.filled(u, b.Name)
	}
	if b.Kind == source.Route || b.Kind == source.Job {
		n.handler(u, b)
	}
	if b.Of != "" {
		if b.Of, known = n.meant(u, b.Of); !known {
			if b.Kind == source.Env || b.Kind == source.Reads || b.Kind == source.Exit {
				return false // its argument is none of the repository
			}
			b.Of = ""
		}
	}
	if file, ok := strings.CutPrefix(b.ID, "@."); ok && b.Kind == source.Mount {
		b.ID = "@/" + path.Join(path.Dir(u.Path), "."+file)
	}
	if b.Kind == source.Mount && strings.HasPrefix(b.ID, "@") {
		return b.Of != "" || strings.Contains(b.ID, "/")
	}
	if b.Kind == source.Join || b.Kind == source.Mount {
		b.ID, known = n.meant(u, b.ID)
		return known && b.Of != "" && b.ID != b.Of
	}
	if b.Kind == source.Config && b.Of != source.Program {
		if b.ID, known = n.meant(u, b.ID); !known {
			b.ID = "" // a value of its own
		}
		return b.Of != ""
	}
	if b.ID != "" && b.ID != source.Program && b.Kind != source.Route && b.Kind != source.Job {
		b.ID = source.Prefix(u.Path, u.File.Scoped) + b.ID
	}
	return true
}

// spelled is a name with constants of the module in it, as in [source.Named].
func (n behaviorNames) spelled(u *source.Unit, written string) string {
	parts := strings.Split(written, "+")
	for i, p := range parts {
		if p == source.Unknown || strings.HasPrefix(p, source.Text) {
			continue
		}
		parts[i] = source.Unknown
		if text := n.constants[source.Prefix(u.Path, u.File.Scoped)+p]; text != "" {
			parts[i] = source.Text + text
		}
	}
	if len(parts) == 1 {
		return strings.TrimPrefix(parts[0], source.Text)
	}
	return source.Joined(parts)
}

// fallback finds the default that a flag names. That of another module is found where all modules are known.
func (n behaviorNames) fallback(u *source.Unit, b *node.Behavior) {
	id, known := n.meant(u, b.Usage)
	if !known {
		id = source.Prefix(u.Path, u.File.Scoped) + b.Usage
		b.Default = n.constants[id]
	}
	if b.Usage = ""; strings.Contains(id, "#") {
		b.Usage = id
	} else if text := n.holds[id]; text != "" {
		b.Default = text
	}
}

// hold notes what something holds, if it is the same wherever that is said.
func hold(holds map[string]string, id, text string) {
	if was, known := holds[id]; known && was != text {
		text = ""
	}
	holds[id] = text
}

// meant is the ID that a name in a file stands for.
func (n behaviorNames) meant(u *source.Unit, name string) (string, bool) {
	if strings.HasPrefix(name, source.Program) {
		return name, true
	}
	prefix := source.Prefix(u.Path, u.File.Scoped)
	if n.here[prefix+name] {
		return prefix + name, true
	}
	if variable, method, ok := strings.Cut(name, "."); ok {
		if own := prefix + n.types[prefix+variable] + "." + method; n.here[own] {
			return own, true
		}
	}
	for i := range u.File.Imports {
		if id, ok := n.imported(&u.File.Imports[i], name); ok {
			return id, true
		}
	}
	return "", false
}

// imported is the ID that a name stands for if an import binds its beginning.
func (n behaviorNames) imported(imp *source.Import, name string) (string, bool) {
	local := cmp.Or(imp.As, imp.Path[strings.LastIndexAny(imp.Path, "/.:")+1:])
	if rest, ok := strings.CutPrefix(name, local+"."); ok {
		if id, ok := n.member(imp, rest); ok {
			return id, true
		}
	}
	first, rest, _ := strings.Cut(name, ".")
	for _, m := range imp.Names {
		if cmp.Or(m.As, m.Name) != first {
			continue
		}
		if id, ok := n.member(imp, strings.TrimSuffix(m.Name+"."+rest, ".")); ok {
			return id, true
		}
	}
	return "", false
}

// member is the ID of a name behind an import: of another module, one of those that this one is known to use.
func (n behaviorNames) member(imp *source.Import, name string) (string, bool) {
	bare := strings.TrimSuffix(name, "()")
	top, _, _ := strings.Cut(bare, ".")
	at := strings.NewReplacer(".", "/", "::", "/").Replace(strings.TrimLeft(imp.Path, "./"))
	for _, use := range n.k.Uses {
		if file, all := strings.CutSuffix(use.Name, ".*"); all && strings.HasPrefix(bare, file+".") && leadsTo(imp.Path, at, use) {
			return use.Module + "#" + name, true
		}
		if rest, ok := strings.CutPrefix(name, path.Base(use.Module)+"."); ok && use.Name == "*" && (at == "" || strings.HasSuffix(path.Dir(use.Module), at)) {
			return use.Module + "#" + rest, true // of a directory that is imported whole
		}
		last := use.Name[strings.LastIndexByte(use.Name, '.')+1:]
		if last != top && use.Name != bare || !leadsTo(imp.Path, at, use) {
			continue
		}
		if use.Name == bare {
			return use.Module + "#" + name, true
		}
		return use.Module + "#" + use.Name + strings.TrimPrefix(name, top), true
	}
	for _, own := range []string{path.Base(at) + "." + name, name} {
		if d, declared := n.declaration(own); n.here[own] || declared && d.Kind == source.Var && leadsTo(imp.Path, at, survey.Use{Module: n.k.Module.Path}) {
			return own, true
		}
	}
	return "", false
}

// leadsTo reports whether an import, whose path is at with slashes, may lead to what is used.
func leadsTo(written, at string, use survey.Use) bool {
	file, _, scoped := strings.Cut(use.Name, ".")
	if dir, name := path.Split(at); dir != "" && source.Prefix(name, true) == "" && leadsTo(written, path.Clean(dir), use) {
		return true // the names of such a file are those of its directory
	}
	if file, ending := path.Split(at); file != "" && strings.HasPrefix(written, ".") && strings.HasSuffix(written, "."+ending) &&
		leadsTo(strings.TrimSuffix(written, "."+ending), path.Clean(file), use) {
		return true // the path has the ending of the file
	}
	if _, rest, ok := strings.Cut(at, "/"); ok && strings.ContainsAny(written[:1], "$@~#") {
		at = rest // the first element is what the project calls one of its directories
	}
	for _, place := range []string{use.Module, path.Join(use.Module, file)} {
		if place == at || strings.HasSuffix(at, "/"+place) || strings.HasSuffix(place, "/"+at) {
			return true
		}
		if !scoped {
			break
		}
	}
	return use.Module == "." && strings.Contains(written, ".") || strings.Trim(written, ".") == ""
}
