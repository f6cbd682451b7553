package workspace

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// How well a name fits, the best first. Whatever fits better than all else is meant; things that fit alike are a list to
// choose from.
const (
	fitsPlace  = iota // a module, or a file, by its name or the end of its path
	fitsWhole         // a symbol by the path of its module and its name there
	fitsShown         // the same with one of the other names that it is published under
	fitsName          // a symbol by its name alone, or with the short name of its module; an element
	fitsEnding        // a symbol by the last parts of its name
	fitsNot           // no better than nothing
)

// mostAlso is how many other things of the same name an answer mentions.
const mostAlso = 5

// candidate is one thing that a name fits.
type candidate struct {
	Meant
	fit   int
	tests bool   // it belongs to a module of tests
	from  string // the module that declares it, of a re-export
}

func (a *askable) byName(t Target) (Meant, error) {
	name := a.insideGo(t)
	var all []candidate
	for _, m := range a.modules {
		all = append(all, a.matches(t, name, m)...)
	}
	meant := a.meant(all)
	switch len(meant) {
	case 0:
		return Meant{}, a.unknown(t, name)
	case 1:
		one := meant[0].Meant
		for _, m := range all {
			if m.fit <= fitsName && !one.same(m.Meant) && len(one.Also) < mostAlso {
				one.Also = append(one.Also, a.typed(m.Meant))
			}
		}
		return one, nil
	}
	e := &AmbiguousError{Target: t.Text}
	for _, m := range meant {
		e.Choices = append(e.Choices, a.choice(m.Meant))
	}
	return Meant{}, e
}

// meant are the matches that fit best: not what only passes on another of them, and tests only where nothing else does.
func (a *askable) meant(all []candidate) []candidate {
	best := fitsNot
	for _, m := range all {
		best = min(best, m.fit)
	}
	all = slices.DeleteFunc(slices.Clone(all), func(m candidate) bool { return m.fit > best })
	code := slices.ContainsFunc(all, func(m candidate) bool { return !m.tests })
	return slices.DeleteFunc(slices.Clone(all), func(m candidate) bool {
		passedOn := m.from != "" && m.from != m.Module && slices.ContainsFunc(all, func(o candidate) bool { return o.Module == m.from })
		return passedOn || m.tests && code
	})
}

// insideGo is the name of a target without the path of the Go module, which stands for the root.
func (a *askable) insideGo(t Target) string {
	root := dotted(a.goModule())
	if rest, ok := strings.CutPrefix(t.Name, root+"."); ok && root != "" {
		return rest
	}
	return t.Name
}

// matches lists what a name fits in one module.
func (a *askable) matches(t Target, name string, m Summary) []candidate {
	var out []candidate
	add := func(meant Meant, fit int, from string) {
		if fit != fitsNot && !slices.ContainsFunc(out, func(o candidate) bool { return meant.same(o.Meant) }) {
			out = append(out, candidate{meant, fit, m.Kind == "tests", from})
		}
	}
	n := a.node(m.Path)
	if a.named(m, name) != fitsNot {
		add(Meant{Meaning: MeansModule, Module: m.Path}, fitsPlace, "")
	}
	for _, s := range n.Sources {
		if sourceNamed(t.Text, s) {
			add(Meant{Meaning: MeansFile, Module: m.Path, File: s.Path}, fitsPlace, "")
		}
	}
	rests := a.rests(m, name)
	for i := range n.PublicAPI {
		s := &n.PublicAPI[i]
		add(symbolOf(n, s), fitOf(s, name, rests), passedOnFrom(s))
	}
	for _, b := range n.Behaviour {
		if calls(t.Text, b) {
			add(elementOf(n, b), fitsName, "")
		}
	}
	return out
}

func passedOnFrom(s *node.Symbol) string {
	if s.Kind == source.Reexport {
		return s.From
	}
	return ""
}

// rest is what is left of a name behind the name of a module.
type rest struct {
	name  string
	whole bool // the module's name was whole
}

// rests cuts a name wherever what stands before the dot is a name of the module.
func (a *askable) rests(m Summary, name string) []rest {
	var out []rest
	for at := range len(name) {
		if name[at] != '.' {
			continue
		}
		if fit := a.named(m, name[:at]); fit != fitsNot {
			out = append(out, rest{name[at+1:], fit == fitsWhole})
		}
	}
	return out
}

// named tells how well a name fits a module: by its whole path, by its title or the end of its path, or not.
func (a *askable) named(m Summary, name string) int {
	place := dotted(m.Path)
	switch {
	case name == "":
		return fitsNot
	case name == place, m.Path == "." && name == a.rootTitle:
		return fitsWhole
	case name == dotted(m.Title), strings.HasSuffix(place, "."+name), name == dotted(path.Base(m.Path)):
		return fitsName
	}
	return fitsNot
}

// fitOf tells how well a name fits a symbol.
func fitOf(s *node.Symbol, name string, rests []rest) int {
	best := fitsNot
	shown := Published(s)
	for _, r := range append(rests, rest{name, false}) {
		switch {
		case r.whole && r.name == s.Name:
			best = min(best, fitsWhole)
		case r.whole && slices.Contains(shown, r.name):
			best = min(best, fitsShown)
		case slices.Contains(shown, r.name):
			best = min(best, fitsName)
		case strings.HasSuffix(s.Name, "."+r.name):
			best = min(best, fitsEnding)
		}
	}
	return best
}
