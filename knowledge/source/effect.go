package source

import (
	"maps"
	"slices"
	"strings"
)

// Effect says how near a function is to what leads out of the program: to storage, to the network, to an output or to another process.
type Effect uint8

// The file of a function uses another one that leads out, or the function itself does.
const (
	nearEffect   Effect = 1
	directEffect Effect = 2
)

// Effector is a Resolver of a language that knows what leads out of a program.
type Effector interface {
	Effects() *Effects
}

// Effects are what leads out of a program, and what ends it.
type Effects struct {
	names map[string]string // by imports: names with spaces between them, or all names where there is none
	ends  string
}

// EffectsOf are the effects of packages as a whole, and of some names of others; those without an import are names that nothing declares.
// The functions that end the program have their import before them. All are separated by spaces.
func EffectsOf(packages, ends string, some map[string]string) *Effects {
	for p := range strings.FieldsSeq(packages) {
		some[p] = ""
	}
	return &Effects{some, " " + ends + " "}
}

// has reports whether a name of an import, or of one above it that is listed as a whole, is among the effects.
func (e *Effects) has(imported, name string) bool {
	names, ok := e.names[imported]
	for at := len(imported); !ok && at > 0; {
		if at = strings.LastIndexAny(imported[:at], "/.:"); at > 0 {
			names, ok = e.names[imported[:at]]
			ok = ok && names == ""
		}
	}
	return ok && (names == "" || strings.Contains(" "+names+" ", " "+first(name)+" "))
}

// end reports whether a function ends the program.
func (e *Effects) end(imported, name string) bool {
	return strings.Contains(e.ends, " "+strings.TrimPrefix(imported+"."+name, ".")+" ")
}

func effectsOf(r Resolver) *Effects {
	if e, ok := r.(Effector); ok {
		return e.Effects()
	}
	return nil
}

// addEffects notes which functions and files of a module use something that leads out of the program.
func (t *Table) addEffects(m Module, r map[string]Resolver) {
	found := map[string]bool{} // by the names of the module
	for i := range m.Units {
		u := &m.Units[i]
		effects := effectsOf(r[u.File.Language])
		if effects == nil || u.File.Test || !usesEffect(u, effects) {
			continue
		}
		prefix, bound := Prefix(u.Path, u.File.Scoped), bindingsOf(u, rulesOf[u.File.Language])
		if u.File.Scoped {
			t.setEffect(prefix+wholeFile, directEffect)
		}
		for j := range u.File.Symbols {
			s := &u.File.Symbols[j]
			found[prefix+s.Name] = slices.ContainsFunc(s.Body, func(r Reference) bool { return !r.Open && !r.Apart && bound.hasEffect(u, r.Name, effects) })
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
				if s := &u.File.Symbols[j]; isFunction(s.Kind) && !u.File.Test && !found[prefix+s.Name] {
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
	// nearRounds is how many calls within a module are followed from a function to one that leads out of the program.
	nearRounds = 3
	// wholeFile stands behind the prefix of a file in the effects of a table.
	wholeFile = "*"
)

// usesEffect reports whether a file imports something that leads out of the program.
func usesEffect(u *Unit, effects *Effects) bool {
	return slices.ContainsFunc(u.File.Imports, func(imp Import) bool {
		return effects.has(imp.Path, "") || slices.ContainsFunc(imp.Names, func(n Name) bool { return effects.has(imp.Path, n.Name) })
	})
}

// hasEffect reports whether a name that imports bind leads out of the program.
func (b bindings) hasEffect(u *Unit, name string, effects *Effects) bool {
	head, rest, _ := strings.Cut(name, ".")
	for _, n := range b.names[head] {
		if effects.has(n.imp.Path, n.name) {
			return true
		}
	}
	return slices.ContainsFunc(b.whole[head].of(first(rest)), func(i int) bool { return effects.has(u.File.Imports[i].Path, first(rest)) })
}

// leadsTo reports whether a function calls one that is found, or calls something and is a member of a type that is.
func (s *Symbol) leadsTo(prefix string, found map[string]bool) bool {
	member := found[prefix+parent(s.Name)]
	return slices.ContainsFunc(s.Body, func(r Reference) bool {
		return r.Kind == RefCall && !r.Apart && (member || !r.Open && found[prefix+r.Name])
	})
}

// setEffect notes the effect of a function, or of a file.
func (t *Table) setEffect(name string, e Effect) {
	if t.Effects == nil {
		t.Effects = map[string]Effect{}
	}
	t.Effects[name] = max(t.Effects[name], e)
}

// effectOf is the effect of a function of the module.
func (t Table) effectOf(name string) Effect {
	return max(t.Effects[name], min(t.Effects[first(name)+"."+wholeFile], nearEffect))
}

// SetNear notes which files, by the prefixes of their names, use those of others that use something that leads out.
func (t *Table) SetNear(prefixes map[string]bool) {
	t.Effects = maps.Clone(t.Effects)
	maps.DeleteFunc(t.Effects, func(_ string, e Effect) bool { return e == nearEffect })
	for prefix := range prefixes {
		t.setEffect(prefix+wholeFile, nearEffect)
	}
}

// Outlets are the files that use something that leads out of the program.
func (t Table) Outlets() map[string]bool {
	out := map[string]bool{}
	for name, e := range t.Effects {
		if e == directEffect && strings.HasSuffix(name, wholeFile) {
			out[name] = true
		}
	}
	return out
}

// Near reports whether what is at a place uses something that leads out of the program.
func (l Linker) Near(t Target) bool {
	table, _ := l.Table(t.Dir)
	return table.Effects[table.Files[t.File]+wholeFile] == directEffect
}
