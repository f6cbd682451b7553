package source

import (
	"maps"
	"slices"
	"strings"
)

// Effect is the distance of a function from an external effect: storage, network, output or another process.
type Effect uint8

// directEffect marks a function with an effect, and nearEffect one whose file uses a file with an effect.
const (
	nearEffect   Effect = 1
	directEffect Effect = 2
)

// Effector is a Resolver of a language with known external effects.
type Effector interface {
	Effects() *Effects
}

// Effects holds a language's external effects and the functions that end the program.
type Effects struct {
	names map[string]string // by import path: space-separated names, empty for all names
	ends  string
}

// EffectsOf returns the effects of whole packages and of some names of other packages; an empty package stands for
// undeclared global names. ends lists the functions that end the program, qualified by import path. All lists are
// space-separated.
func EffectsOf(packages, ends string, some map[string]string) *Effects {
	for p := range strings.FieldsSeq(packages) {
		some[p] = ""
	}
	return &Effects{some, " " + ends + " "}
}

// Has reports whether a name of an import has an effect. A parent path that is listed as a whole counts too.
func (e *Effects) Has(imported, name string) bool {
	names, ok := e.names[imported]
	for at := len(imported); !ok && at > 0; {
		if at = strings.LastIndexAny(imported[:at], "/.:"); at > 0 {
			names, ok = e.names[imported[:at]]
			ok = ok && names == ""
		}
	}
	return ok && (names == "" || strings.Contains(" "+names+" ", " "+first(name)+" "))
}

func (e *Effects) end(imported, name string) bool {
	return strings.Contains(e.ends, " "+strings.TrimPrefix(imported+"."+name, ".")+" ")
}

func effectsOf(r Resolver) *Effects {
	if e, ok := r.(Effector); ok {
		return e.Effects()
	}
	return nil
}

func (t *Table) addEffects(m Module, r map[string]Resolver) {
	found := map[string]bool{} // by name in the module
	for i := range m.Units {
		u := &m.Units[i]
		effects := effectsOf(r[u.File.Language])
		if effects == nil || u.File.Test || !usesEffect(u, effects) {
			continue
		}
		prefix, bound := Prefix(u.Path, u.File.Scoped), bindingsOf(u, TraitsOf(u.File.Language).Resolution)
		if u.File.Scoped {
			t.setEffect(prefix+wholeFile, directEffect)
		}
		for j := range u.File.Symbols {
			s := &u.File.Symbols[j]
			found[prefix+s.Name] = slices.ContainsFunc(s.Body, func(r Reference) bool {
				return !r.Open && !r.Branch.IsApart() && bound.hasEffect(u, r.Name, effects)
			})
		}
	}
	if len(found) == 0 {
		return
	}
	for range nearRounds {
		for i := range m.Units {
			u := &m.Units[i]
			prefix := Prefix(u.Path, u.File.Scoped)
			for j := range u.File.Symbols {
				if s := &u.File.Symbols[j]; s.runs() && !u.File.Test && !found[prefix+s.Name] {
					found[prefix+s.Name] = s.leadsTo(prefix, found)
				}
			}
		}
	}
	for name, is := range found {
		if _, named := t.Names[name]; is && named {
			t.setEffect(name, directEffect)
		}
	}
}

const (
	nearRounds = 3
	// wholeFile follows the prefix of a file in a table's effects.
	wholeFile = "*"
)

func usesEffect(u *Unit, effects *Effects) bool {
	return slices.ContainsFunc(u.File.Imports, func(imp Import) bool {
		return effects.Has(imp.Path, "") || slices.ContainsFunc(imp.Names, func(n Name) bool { return effects.Has(imp.Path, n.Name) })
	})
}

func (b bindings) hasEffect(u *Unit, name string, effects *Effects) bool {
	head, rest, _ := strings.Cut(name, ".")
	for _, n := range b.names[head] {
		if effects.Has(n.imp.Path, n.name) {
			return true
		}
	}
	return slices.ContainsFunc(b.whole[head].of(first(rest)), func(i int) bool { return effects.Has(u.File.Imports[i].Path, first(rest)) })
}

// leadsTo reports whether a function calls one in found, or calls anything and is a member of a type in found.
func (s *Symbol) leadsTo(prefix string, found map[string]bool) bool {
	member := found[prefix+parent(s.Name)]
	return slices.ContainsFunc(s.Body, func(r Reference) bool {
		return r.Kind == RefCall && !r.Branch.IsApart() && (member || !r.Open && found[prefix+r.Name])
	})
}

func (t *Table) setEffect(name string, e Effect) {
	set(&t.Effects, name, max(t.Effects[name], e))
}

func (t Table) effectOf(name string) Effect {
	return max(t.Effects[name], min(t.Effects[first(name)+"."+wholeFile], nearEffect))
}

// SetNear records the files, by name prefix, that use files with an external effect.
func (t *Table) SetNear(prefixes map[string]bool) {
	t.Effects = maps.Clone(t.Effects)
	maps.DeleteFunc(t.Effects, func(_ string, e Effect) bool { return e == nearEffect })
	for prefix := range prefixes {
		t.setEffect(prefix+wholeFile, nearEffect)
	}
}

// Outlets returns the files with an external effect.
func (t Table) Outlets() map[string]bool {
	out := map[string]bool{}
	for name, e := range t.Effects {
		if e == directEffect && strings.HasSuffix(name, wholeFile) {
			out[name] = true
		}
	}
	return out
}

// Near reports whether a target's file has an external effect.
func (l Linker) Near(t Target) bool {
	table, _ := l.Table(t.Dir)
	return table.Effects[table.Files[t.File]+wholeFile] == directEffect
}
