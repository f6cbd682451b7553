package render

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// outside is the prefix of external import paths in the IDs of registries and registered things.
const outside = "!"

// naming is the name that a type gives itself, and the type of the value with the name.
type naming struct{ name, of string }

// registration resolves the IDs of a registration. It reports false if the registry is unknown, or the registered thing
// is.
func (n behaviorNames) registration(u *source.Unit, b *node.Behavior) bool {
	of, ok := n.thing(u, b.Of)
	if !ok {
		return false
	}
	b.Of = of
	if b.ID != "" {
		b.ID, _ = n.thing(u, b.ID)
	}
	if b.Name == "" && b.ID != "" {
		b.Name = n.nameFor(b.ID, of)
	}
	return b.Name != "" || b.ID != ""
}

// nameFor returns the name that a type gives itself for a registry: in a value of a type declared beside the registry,
// or by a method of an interface declared there.
func (n behaviorNames) nameFor(id, registry string) string {
	own, ok := n.named[id]
	if !ok {
		return ""
	}
	here := n.k.Module.Path
	beside, _, away := whose(here, registry)
	if own.of != "" {
		module, _, outside := whose(here, own.of)
		if module == beside && outside == away {
			return own.name
		}
		return ""
	}
	if !away && slices.ContainsFunc(n.implements, func(i source.Implementation) bool { return i.Type == id && i.Of.Module == beside }) {
		return own.name
	}
	return ""
}

// naming collects the names that types give themselves. Types with two names are ambiguous and have none.
func (n behaviorNames) naming(u *source.Unit) {
	prefix := source.Prefix(u.Path, u.File.Scoped)
	for _, f := range u.File.Facts {
		if f.Kind != source.Naming {
			continue
		}
		of, ok := "", true
		if f.Of != "" {
			of, ok = n.thing(u, f.Of)
		}
		if _, twice := n.named[prefix+f.ID]; twice || !ok {
			f.Name = ""
		}
		n.named[prefix+f.ID] = naming{f.Name, of}
	}
}

func (n behaviorNames) declaration(name string) (*source.Declared, bool) {
	at, ok := slices.BinarySearchFunc(n.k.Declared, name, func(d source.Declared, name string) int { return strings.Compare(d.Name, name) })
	if !ok {
		return nil, false
	}
	return &n.k.Declared[at], true
}

// thing resolves a name in a file: a name of the module, "dir#name" of another module, "!import#name" outside the
// repository.
func (n behaviorNames) thing(u *source.Unit, name string) (string, bool) {
	prefix := source.Prefix(u.Path, u.File.Scoped)
	if _, ok := n.declaration(prefix + name); ok {
		return prefix + name, true
	}
	first, rest, dotted := strings.Cut(name, ".")
	if d, ok := n.declaration(prefix + first); ok {
		for _, method := range []string{n.types[d.Name] + "." + rest, prefix + n.types[d.Name] + "." + rest} {
			if _, ok := n.declaration(method); ok {
				return method, true
			}
		}
		return prefix + name, dotted && (d.Kind == source.Var || d.Kind == source.Class) // the registry is a value or an inherited member
	}
	for i := range u.File.Imports {
		imp := &u.File.Imports[i]
		if local := cmp.Or(imp.As, imp.Path[strings.LastIndexAny(imp.Path, "/.:")+1:]); local == first && dotted {
			return n.taken(imp, rest)
		}
		for _, m := range imp.Names {
			if bound := cmp.Or(m.As, m.Name); bound == first && (!dotted || u.File.Scoped) && imp.As == "" {
				return n.taken(imp, strings.TrimSuffix(m.Name+"."+rest, "."))
			}
		}
	}
	return "", false
}

// taken resolves a name behind an import: external, or of the module that the import leads to among the known uses. A
// re-exported name is found if it is unique. Unknown uses are not resolved.
func (n behaviorNames) taken(imp *source.Import, name string) (string, bool) {
	if slices.Contains(n.k.External, imp.Path) {
		return outside + imp.Path + "#" + name, true
	}
	top, rest, _ := strings.Cut(name, ".")
	behind := func(id string) string { return strings.TrimSuffix(id+"."+rest, ".") }
	if own := n.declaredAs(imp, top); own != "" {
		return behind(own), true
	}
	at := slashed(imp.Path)
	var best, only *source.Use
	several := false // modules have the name
	for i := range n.k.Uses {
		use := &n.k.Uses[i]
		if file, all := strings.CutSuffix(use.Name, ".*"); all && file == top && rest != "" && leadsTo(imp.Path, at, *use) {
			return canonical.Path(use.Module) + "#" + name, true
		}
		if lastElement(use.Name) != top {
			continue
		}
		several = several || only != nil && only.Module != use.Module
		if only == nil || len(use.Name) > len(only.Name) { // a re-exported name is shorter
			only = use
		}
		if leadsTo(imp.Path, at, *use) && (best == nil || depthOf(use.Module) > depthOf(best.Module) || best.Module == use.Module && len(use.Name) > len(best.Name)) {
			best = use
		}
	}
	if best == nil && !several {
		best = only
	}
	if best == nil {
		return "", false
	}
	return canonical.Path(best.Module) + "#" + behind(best.Name), true
}

// declaredAs returns the declaration of this module that an import of one of its own files names.
func (n behaviorNames) declaredAs(imp *source.Import, top string) string {
	at := imp.Path
	if slices.Contains(source.TraitsOfFile(at).Suffixes, path.Ext(at)) {
		at = strings.TrimSuffix(at, path.Ext(at))
	}
	file := source.Prefix(at[strings.LastIndexAny(at, "/.:")+1:], true)
	if _, ok := n.declaration(file + top); ok && file != "" {
		return file + top
	}
	return ""
}

func lastElement(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// whose splits the ID of a registry or a registered thing into module and name. module is here for a local name, and
// the import path if away.
func whose(here, id string) (module, name string, away bool) {
	at := strings.LastIndexByte(id, '#')
	if at < 0 {
		return here, id, false
	}
	module, name = id[:at], id[at+1:]
	if p, ok := strings.CutPrefix(module, outside); ok {
		return p, name, true
	}
	if p, err := canonical.ParsePath(module); err == nil {
		module = p
	}
	return module, name, false
}

// typedAway returns an external name as code writes it, qualified by its package.
func typedAway(module, name string) string {
	base := path.Base(module)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		base = path.Base(path.Dir(module))
	}
	return base + "." + name
}
