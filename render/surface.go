package render

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// fixtureScript matches a script that creates the data of tests.
var fixtureScript = lazyregexp.New(`(?i)(?:^|[/_-])(?:gen(?:erate)?|create|make|build|seed|tests?)[^/]*fixtures?\.\w+$`)

// behaviorOf returns the behaviour surface of a module, without tests.
func behaviorOf(k *survey.Module, implements []source.Implementation) []node.Behavior {
	var out []node.Behavior
	names := namesIn(k, implements)
	for i := range k.Module.Units {
		u := &k.Module.Units[i]
		if u.File.Test || tests(u) {
			continue
		}
		for _, f := range u.File.Facts {
			if f.Kind == source.Naming || f.Kind == source.Data && fixtureScript.MatchString(u.Path) {
				continue
			}
			b := node.Behavior{
				Kind: f.Kind, Name: f.Name, File: path.Base(u.Path), ID: f.ID, Of: f.Of, Also: f.Also, Value: f.Value,
				Default: f.Default, Usage: f.Usage, Guard: f.Guard, Help: f.Help, Doc: f.Doc, Line: f.Line,
			}
			if u.File.Guard != "" {
				b.Guard = u.File.Guard
			}
			for _, b := range names.implemented(b) {
				if names.resolve(u, &b) {
					out = append(out, b)
				}
			}
		}
	}
	out = append(names.withoutIdleJoins(settle(out)), names.texts()...)
	slices.SortFunc(out, func(a, b node.Behavior) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.File, b.File), cmp.Compare(a.Of, b.Of),
			cmp.Compare(a.ID, b.ID), cmp.Compare(a.Line, b.Line))
	})
	return slices.CompactFunc(out, func(a, b node.Behavior) bool { return placeless(a) == placeless(b) })
}

// withoutIdleJoins removes joins of functions without a command or flag that other modules cannot name.
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

// testConfigs are the names of test runner configurations, up to the first dot.
var testConfigs = map[string]bool{"vitest": true, "jest": true, "playwright": true, "karma": true, "cypress": true}

func tests(u *source.Unit) bool {
	stem, rest, _ := strings.Cut(path.Base(u.Path), ".")
	if testConfigs[stem] && strings.HasPrefix(rest, "conf") || strings.HasPrefix(rest, "stories.") {
		return true
	}
	return slices.ContainsFunc(u.File.Imports, func(i source.Import) bool {
		return source.IsTestImport(i.Path) || strings.HasPrefix(i.Path, "org.junit.")
	})
}

// behaviorNames resolves the IDs in the facts of a module's files.
type behaviorNames struct {
	k    *survey.Module
	here map[string]bool // the IDs of the module
	// by variable: the only name that its declaration refers to
	types map[string]string
	// declarations that other modules cannot name
	unexported map[string]bool
	// named holds the names that types give themselves.
	named      map[string]naming
	implements []source.Implementation
	typesOf    map[string][]string // the types that implement an interface of the module
	mounted    map[string]int      // how often the code mounts an ID
	constants  map[string]string
	// methods by their last names; empty if two types have one
	methods map[string]string
	// defaults that flags name; empty if two files disagree
	holds map[string]string
	// bare holds the IDs by last element, empty if ambiguous.
	bare map[string]string
}

func namesIn(k *survey.Module, implements []source.Implementation) behaviorNames {
	n := behaviorNames{
		k: k, here: map[string]bool{}, types: map[string]string{}, unexported: map[string]bool{}, named: map[string]naming{},
		implements: implements, typesOf: map[string][]string{}, mounted: map[string]int{}, constants: map[string]string{}, methods: map[string]string{}, holds: map[string]string{}, bare: map[string]string{},
	}
	for _, i := range implements {
		if i.Of.Module == k.Module.Path {
			n.typesOf[i.Of.Name] = append(n.typesOf[i.Of.Name], i.Type)
		}
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
			if text, ok := constantText(d); ok {
				hold(n.constants, d.Name, text)
			} else if _, err := strconv.Atoi(d.Value()); err == nil {
				hold(n.constants, d.Name, d.Value())
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
			if f.Kind == source.Mount && !u.File.Test && !tests(u) {
				n.mounted[f.ID]++
			}
			made := f.Kind == source.Mount && f.Usage == source.Fallback // has the paths of its own router
			if f.ID != "" && f.Kind != source.Join && (f.Kind != source.Mount || made) && (f.Kind != source.Config || f.Of == source.Program) {
				n.here[prefix+f.ID] = true
			}
			if f.Of != "" && !n.binds(u, f.Of) && f.Kind != source.Env && f.Kind != source.Reads && f.Kind != source.Exit && f.Kind != source.Data {
				n.here[prefix+f.Of] = true
			}
		}
	}
	for id := range n.here {
		hold(n.bare, lastElement(id), id)
	}
	return n
}

// binds reports whether an import of a file binds the first segment of a dotted name.
func (n behaviorNames) binds(u *source.Unit, name string) bool {
	first, _, _ := strings.Cut(strings.TrimSuffix(name, "()"), ".")
	if _, own := n.declaration(source.Prefix(u.Path, u.File.Scoped) + first); own {
		return false // an import has the name for one of its members
	}
	return slices.ContainsFunc(u.File.Imports, func(i source.Import) bool {
		return slices.ContainsFunc(i.Names, func(n source.Name) bool { return cmp.Or(n.As, n.Name) == first })
	})
}

// external reports whether a name leads to an import of another repository, by its address.
func (n behaviorNames) external(u *source.Unit, name string) bool {
	local, _, _ := strings.Cut(name, ".")
	return slices.ContainsFunc(u.File.Imports, func(i source.Import) bool {
		host, _, _ := strings.Cut(i.Path, "/")
		return cmp.Or(i.As, path.Base(i.Path)) == local && strings.Contains(host, ".") && slices.Contains(n.k.External, i.Path)
	})
}

// resolve resolves the IDs of an element within the module. It reports false for an element that is useless alone: it
// joins something unknown.
func (n behaviorNames) resolve(u *source.Unit, b *node.Behavior) bool {
	if b.Kind == source.Register {
		return n.registration(u, b)
	}
	if owner, _, _ := strings.Cut(b.ID, "."); b.Kind == source.Holds && n.unexported[source.Prefix(u.Path, u.File.Scoped)+owner] {
		return false // other modules cannot name it, and the module's flags have the default
	}
	var known bool
	if written, ok := strings.CutPrefix(b.Name, source.Named); ok && (b.Kind == source.Env || b.Kind == source.Exit) {
		b.Name = n.spelled(u, written)
		if b.Kind == source.Exit && b.Name != source.Unknown {
			b.Help = written // the constant
		}
	}
	if b.Kind == source.Command {
		n.worded(u, b)
	}
	if b.Kind == source.Flag && b.Usage != "" {
		n.fallback(u, b)
	}
	written := b.Name
	if b.Kind == source.Route || b.Kind == source.Mount {
		b.Name = n.filled(u, b.Name)
	}
	if b.Kind == source.Route || b.Kind == source.Job {
		n.handler(u, b, written)
	}
	if b.Of != "" {
		if b.Of, known = n.meant(u, b.Of); !known {
			if b.Kind == source.Env || b.Kind == source.Reads || b.Kind == source.Exit {
				return false // the argument is external
			}
			b.Of = ""
			if b.Kind == source.Mount && b.Usage == source.Handed {
				b.Of = source.Program // by a function that is not known
			}
		}
	}
	if file, ok := strings.CutPrefix(b.ID, "@."); ok && b.Kind == source.Mount {
		b.ID = "@/" + path.Join(path.Dir(u.Path), "."+file)
	}
	if b.Kind == source.Mount && strings.HasPrefix(b.ID, "@") {
		return b.Of != "" || strings.Contains(b.ID, "/")
	}
	if place, ok := strings.CutPrefix(b.ID, "@."); ok && b.Kind == source.Join {
		b.ID, known = n.exported(path.Join(path.Dir(u.Path), "."+place))
		return known && b.Of != ""
	}
	if b.Kind == source.Join || b.Kind == source.Mount {
		written := b.ID
		if b.ID, known = n.meant(u, written); !known && b.Kind == source.Mount {
			b.ID, known = n.thing(u, written)
			known = known && strings.HasPrefix(b.ID, outside)
		}
		return known && b.Of != "" && b.ID != b.Of
	}
	if b.Kind == source.Config && b.Of != source.Program {
		if b.ID, known = n.meant(u, b.ID); !known {
			if b.Name == "" && !n.external(u, strings.TrimLeft(b.Value, "*")) {
				b.Value = ""
			}
			b.ID = "" // a local value
		}
		return b.Of != ""
	}
	if b.ID != "" && b.ID != source.Program && b.Kind != source.Route && b.Kind != source.Job {
		b.ID = source.Prefix(u.Path, u.File.Scoped) + b.ID
	}
	return true
}

// exported resolves "path#name", a name that a file exports. The file is in this module, or represents or is in one that this
// module uses.
func (n behaviorNames) exported(place string) (string, bool) {
	file, name, _ := strings.Cut(place, "#")
	dir, base := path.Split(file)
	if own := base + "." + name; path.Clean(dir) == n.k.Module.Path && n.here[own] {
		return own, true
	}
	for _, use := range n.k.Uses {
		switch use.Module {
		case file:
			return file + "#" + name, true
		case path.Clean(dir):
			return use.Module + "#" + base + "." + name, true
		}
	}
	return "", false
}

// implemented returns a mount of an interface's method for each type that implements the interface. Several mounts of
// several types stay alone: which mount is for which type is not known.
func (n behaviorNames) implemented(b node.Behavior) []node.Behavior {
	owner, method, ok := strings.Cut(b.ID, ".")
	if b.Kind != source.Mount || !ok || n.here[b.ID] {
		return []node.Behavior{b}
	}
	out, types := []node.Behavior{b}, n.typesOf[owner]
	if len(types) > 1 && n.mounted[b.ID] > 1 {
		return out
	}
	for _, name := range types {
		b.ID = name + "." + method
		out = append(out, b)
	}
	return out
}

// spelled expands constants of the module in a name, as in [source.Named].
func (n behaviorNames) spelled(u *source.Unit, written string) string {
	parts := strings.Split(written, "+")
	for i, p := range parts {
		if p == source.Unknown || strings.HasPrefix(p, source.Text) {
			continue
		}
		parts[i] = source.Unknown
		if id, known := n.meant(u, p); known && len(parts) == 1 && strings.Contains(id, "#") {
			return source.Placeholder(id) // until all modules are known
		}
		if text := n.constants[source.Prefix(u.Path, u.File.Scoped)+p]; text != "" {
			parts[i] = source.Text + text
		}
	}
	if len(parts) == 1 {
		return strings.TrimPrefix(parts[0], source.Text)
	}
	return source.Joined(parts)
}

// worded resolves the constants of other files of the module in the usage line and the help of a command.
func (n behaviorNames) worded(u *source.Unit, b *node.Behavior) {
	constant := func(text string) (string, bool) {
		written, is := strings.CutPrefix(text, source.Named)
		if !is || strings.ContainsAny(written, " ./") {
			return text, false
		}
		return n.constants[source.Prefix(u.Path, u.File.Scoped)+written], true
	}
	if line, is := constant(b.Name); is {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if b.Name = name; b.Usage == "" {
			b.Usage = strings.TrimSpace(rest)
		}
	}
	b.Help, _ = constant(b.Help)
}

// fallback resolves a flag's default within the module. Defaults of other modules are resolved later, with all modules.
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

// hold records a value, or "" if two files disagree.
func hold(holds map[string]string, id, text string) {
	if was, known := holds[id]; known && was != text {
		text = ""
	}
	holds[id] = text
}

// meant resolves a name in a file to an ID.
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
	all := false
	for i := range u.File.Imports {
		if id, ok := n.imported(&u.File.Imports[i], name); ok {
			return id, true
		}
		all = all || u.File.Imports[i].All
	}
	id := n.bare[name]
	return id, all && u.File.Scoped && id != ""
}

// imported resolves a name that an import binds.
func (n behaviorNames) imported(imp *source.Import, name string) (string, bool) {
	local := cmp.Or(imp.As, imp.Path[strings.LastIndexAny(imp.Path, "/.:")+1:])
	if rest, ok := strings.CutPrefix(name, local+"."); ok {
		if id, ok := n.member(imp, rest); ok {
			return id, true
		}
	}
	first := len(name)
	if i := strings.IndexAny(name, ".("); i >= 0 {
		first = i
	}
	for _, m := range imp.Names {
		if cmp.Or(m.As, m.Name) != name[:first] {
			continue
		}
		if id, ok := n.member(imp, m.Name+name[first:]); ok {
			return id, true
		}
	}
	return "", false
}

// member resolves a name behind an import among the known uses of other modules.
func (n behaviorNames) member(imp *source.Import, name string) (string, bool) {
	bare := strings.TrimSuffix(name, "()")
	top, _, _ := strings.Cut(bare, ".")
	at := slashed(imp.Path)
	var found []source.Use
	for _, use := range n.k.Uses {
		if file, all := strings.CutSuffix(use.Name, ".*"); all && strings.HasPrefix(bare, file+".") && leadsTo(imp.Path, at, use) {
			return use.Module + "#" + name, true
		}
		if rest, ok := strings.CutPrefix(name, path.Base(use.Module)+"."); ok && use.Name == "*" && (at == "" || strings.HasSuffix(path.Dir(use.Module), at)) {
			return use.Module + "#" + rest, true // a wildcard import of a directory
		}
		if last := lastElement(use.Name); last != top && use.Name != bare || !leadsTo(imp.Path, at, use) {
			continue
		}
		if use.Name == bare && top != bare {
			return use.Module + "#" + name, true
		}
		found = append(found, use)
	}
	if len(found) > 0 {
		return originOf(found) + strings.TrimPrefix(name, top), true
	}
	for _, own := range []string{path.Base(at) + "." + name, name} {
		if d, declared := n.declaration(own); n.here[own] || declared && d.Kind == source.Var && leadsTo(imp.Path, at, source.Use{Module: n.k.Module.Path}) {
			return own, true
		}
	}
	id := n.bare[name] // that the module hands out for another file
	if id != "" && leadsTo(imp.Path, at, source.Use{Module: n.k.Module.Path}) {
		return id, true
	}
	return n.only(imp, name, top)
}

// only resolves a name behind an import of the project that names no place in it, such as the name of a package: the only use
// of the name, or the only one in this module.
func (n behaviorNames) only(imp *source.Import, name, top string) (string, bool) {
	if slices.Contains(n.k.External, imp.Path) || strings.HasPrefix(imp.Path, ".") {
		return "", false
	}
	id, found := n.bare[name], slices.DeleteFunc(slices.Clone(n.k.Uses), func(u source.Use) bool { return lastElement(u.Name) != top })
	if len(found) == 0 {
		return id, id != ""
	}
	origin := originOf(found)
	several := slices.ContainsFunc(found, func(u source.Use) bool {
		return u.Module != found[0].Module || !strings.HasSuffix(origin, u.Name)
	})
	return origin + strings.TrimPrefix(name, top), id == "" && !several
}

// originOf returns the ID of the first use, or of the only other one if the first stands for it: a re-exported name is shorter.
func originOf(uses []source.Use) string {
	at := uses[0]
	if len(uses) == 2 && uses[1].Module == at.Module && strings.HasSuffix(uses[1].Name, "."+at.Name) {
		at = uses[1]
	}
	return at.Module + "#" + at.Name
}

// slashed returns an import path with slashes, relative to its package if it begins with a name for that.
func slashed(written string) string {
	return strings.NewReplacer(".", "/", "::", "/").Replace(strings.TrimLeft(source.TrimOwn(written), "./"))
}

// leadsTo reports whether an import may refer to a used declaration; at is the import path with slashes.
func leadsTo(written, at string, use source.Use) bool {
	file, _, scoped := strings.Cut(use.Name, ".")
	if dir, name := path.Split(at); dir != "" && source.Prefix(name, true) == "" && leadsTo(written, path.Clean(dir), use) {
		return true // such files share the namespace of their directory
	}
	if file, ending := path.Split(at); file != "" && strings.HasPrefix(written, ".") && strings.HasSuffix(written, "."+ending) &&
		leadsTo(strings.TrimSuffix(written, "."+ending), path.Clean(file), use) {
		return true // the path includes the file extension
	}
	if _, rest, ok := strings.Cut(at, "/"); ok && strings.ContainsAny(written[:1], "$@~#") {
		at = rest // the first segment is an alias of a project directory
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
