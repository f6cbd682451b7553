package survey

import (
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
)

// tableChange holds the differences between a module's table and the remembered one. It separates the dependants that
// can see a change from the others.
type tableChange struct {
	whole bool
	// came holds the added and removed names; changed also holds the names with another digest.
	came, changed map[string]bool
	surface       bool // the digest of the exported interface changed
	public        bool // the published names may have changed
}

// compareTables compares a module's table with the remembered one. It returns nil if they are equal.
func compareTables(old, now source.Table) *tableChange {
	c := &tableChange{came: map[string]bool{}, changed: map[string]bool{}, surface: old.Interface != now.Interface}
	for _, pair := range [][2]map[string]source.Digest{{old.Names, now.Names}, {now.Names, old.Names}} {
		for name, digest := range pair[0] {
			other, ok := pair[1][name]
			ok = ok && old.Types[name] == now.Types[name] // a different kind of symbol
			if !ok {
				c.came[name] = true
			}
			if !ok || other != digest {
				c.changed[name] = true
			}
		}
	}
	for _, pair := range [][2]map[string]bool{{old.Required, now.Required}, {now.Required, old.Required}} {
		for name := range pair[0] {
			if !pair[1][name] {
				c.came[name] = true
			}
		}
	}
	// a re-exported name may lead to another module, before and after the change
	passes := len(old.Forwards)+len(old.Stars)+len(now.Forwards)+len(now.Stars) > 0
	c.whole = passes && len(c.came) > 0 || !maps.Equal(old.Files, now.Files) || !maps.Equal(old.Outlets(), now.Outlets()) ||
		!maps.EqualFunc(old.Forwards, now.Forwards, sameTargets) || !maps.EqualFunc(old.Stars, now.Stars, sameTargets)
	c.public = c.whole || len(c.came) > 0 || !maps.Equal(old.Local, now.Local) || !maps.Equal(old.Modules, now.Modules) ||
		!maps.EqualFunc(old.Public, now.Public, slices.Equal[[]string])
	if !c.whole && !c.surface && !c.public && len(c.changed) == 0 {
		return nil
	}
	return c
}

func sameTargets(a, b []source.Target) bool {
	return slices.EqualFunc(a, b, func(x, y source.Target) bool {
		return x.Dir == y.Dir && x.File == y.File && x.All == y.All && slices.Equal(x.Names, y.Names)
	})
}

// relinks reports whether imports of these names may resolve differently: a name was removed, a member was added to a
// name that stood for the whole, or a wildcard covered a missing name.
func (c *tableChange) relinks(names []string) bool {
	if c.whole || len(c.came) == 0 {
		return c.whole
	}
	for _, name := range names {
		if strings.HasSuffix(name, "*") || c.came[name] || reaches(c.came, name+".") {
			return true
		}
	}
	return false
}

// facts lists the changed facts of the table. A fact without a name covers all facts of its family with the same Of.
func (c *tableChange) facts(module string) []fact.Fact {
	if c.whole {
		return []fact.Fact{fact.Of(fact.Symbols, module, "")}
	}
	var out []fact.Fact
	for name := range c.changed {
		out = append(out, fact.Of(fact.Symbols, module, name))
		for at := range len(name) {
			if name[at] == '.' {
				out = append(out, fact.Of(fact.Symbols, module, name[:at+1]+"*"))
			}
		}
	}
	if c.surface {
		out = append(out, fact.Of(fact.Symbols, module, "*"))
	}
	return out
}

func reaches(names map[string]bool, prefix string) bool {
	for name := range names {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// usesOf lists the names of another module that a module depends on, without loading its whole record.
func (s *Survey) usesOf(module, other string) ([]string, bool) {
	var names []string
	if r, loaded := s.records[module]; loaded {
		if r == nil {
			return nil, false
		}
		for _, u := range r.Uses {
			if u.Module == other {
				names = append(names, u.Name)
			}
		}
		return names, true
	}
	var uses string
	ok := s.Index.Get(usesOfModule, module, &uses)
	for uses != "" {
		var to, name string
		to, uses, _ = strings.Cut(uses, "\x00")
		name, uses, _ = strings.Cut(uses, "\x00")
		if to == other {
			names = append(names, name)
		}
	}
	return names, ok
}

// encodeUses encodes uses for usesOf. Each part ends with a byte that neither paths nor names contain.
func encodeUses(uses []source.Use) string {
	out := []byte{}
	for _, u := range uses {
		out = append(append(append(append(out, u.Module...), 0), u.Name...), 0)
	}
	return string(out)
}
