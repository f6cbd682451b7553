package survey

import (
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
)

// tableChange is how a module's table differs from the remembered one. By it the modules that rest on the difference are
// told from those that rest on the same module and cannot see it.
type tableChange struct {
	// whole: the module is new or gone, or passes names on in another way. Everything that rests on it is concerned.
	whole bool
	// came are the names that were added or are gone; changed are these and those with another digest.
	came, changed map[string]bool
	surface       bool // the digest of all that is exported is another
	public        bool // callers may reach other names, or what they reach by other names
}

// compareTables compares a module's table with the remembered one; nil when they are equal.
func compareTables(old, now source.Table) *tableChange {
	c := &tableChange{came: map[string]bool{}, changed: map[string]bool{}, surface: old.Interface != now.Interface}
	for _, pair := range [][2]map[string]source.Digest{{old.Names, now.Names}, {now.Names, old.Names}} {
		for name, digest := range pair[0] {
			other, ok := pair[1][name]
			ok = ok && old.Types[name] == now.Types[name] // or it is another thing of that name
			if !ok {
				c.came[name] = true
			}
			if !ok || other != digest {
				c.changed[name] = true
			}
		}
	}
	// a name that is passed on may lead on to another module, and so may one that is not there any more
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

// relinks reports whether imports that led to these names of the module may lead to others now: a name is gone, a
// member was added that was taken for the whole, or a wildcard stands for what could not be found.
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

// facts are those of the table that differ. One without a name stands for all of its family about the module.
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

// usesOf lists the names of another module that a module rests on, without loading all that is remembered of it.
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

// encodeUses writes uses for usesOf, each part ended by a byte that neither paths nor names hold.
func encodeUses(uses []source.Use) string {
	out := []byte{}
	for _, u := range uses {
		out = append(append(append(append(out, u.Module...), 0), u.Name...), 0)
	}
	return string(out)
}
