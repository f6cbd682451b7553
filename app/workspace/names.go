package workspace

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// How well a name matches, best first. Only the best matches count; several of the same rank are ambiguous.
const (
	fitsPlace  = iota // a module or a file, by its name or a path suffix
	fitsWhole         // a symbol, by module path and name
	fitsShown         // a symbol, by module path and another published name
	fitsName          // a symbol, by its bare name or with the short name of its module; an element
	fitsEnding        // a symbol, by the last parts of its name
	fitsNot
)

const mostAlso = 5

type candidate struct {
	Meant
	fit   int
	tests bool   // belongs to a test module
	from  string // the declaring module of a re-export
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

// meant returns the best matches, without re-exports of other matches, and without tests if code matches.
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

// insideGo returns the name of a target without the Go module path, which stands for the root.
func (a *askable) insideGo(t Target) string {
	root := dotted(a.goModule())
	if rest, ok := strings.CutPrefix(t.Name, root+"."); ok && root != "" {
		return rest
	}
	return t.Name
}

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
		if calls(t.Text, b) || b.Kind == source.Command && a.isBelow(b.Name, t.Text) {
			add(elementOf(n, b), fitsName, "")
		}
	}
	return out
}

// isBelow reports whether a text is a command with names of programs and commands before it, as in "shop server run".
func (a *askable) isBelow(name, text string) bool {
	above, ok := strings.CutSuffix(text, " "+name)
	for word := range strings.FieldsSeq(above) {
		ok = ok && slices.ContainsFunc(a.modules, func(m Summary) bool {
			return path.Base(m.Path) == word || slices.ContainsFunc(a.node(m.Path).Behaviour, func(b node.Behavior) bool { return b.Kind == source.Command && b.Name == word })
		})
	}
	return ok && name != ""
}

func passedOnFrom(s *node.Symbol) string {
	if s.Kind == source.Reexport {
		return s.From
	}
	return ""
}

// rest is the part of a name after a module name.
type rest struct {
	name  string
	whole bool // the module was named by its full path
}

// rests splits a name at each dot where the part before it names the module.
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

// named ranks how well a name matches a module: fitsWhole, fitsName or fitsNot.
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

const (
	mostNearest = 3
	mostBelow   = 10
)

// unknown returns the error for a target without a match, with suggestions.
func (a *askable) unknown(t Target, name string) error {
	for _, p := range t.Paths {
		if list := a.below(p); len(list) > 0 {
			return &UnknownError{t.Text, "no source file in " + p + ", only in modules below it", list}
		}
	}
	module, rest := a.longestHead(name)
	if rest != "" {
		return a.unknownIn(t, module, rest)
	}
	return &UnknownError{t.Text, "no module, symbol, page, source file, variable, flag or route has this name", a.nearest(t.Bare, a.modules)}
}

func (a *askable) unknownIn(t Target, module, name string) error {
	i := slices.IndexFunc(a.modules, func(m Summary) bool { return m.Path == module })
	if i < 0 {
		return &UnknownError{t.Text, "the file is not part of a module", nil}
	}
	title := module
	if module == "." {
		title = a.modules[i].Title
	}
	if a.node(module).Language == "" {
		return &UnknownError{t.Text, "module " + title + " has no node yet", nil}
	}
	near := a.nearest(name, a.modules[i:i+1])
	for _, c := range a.nearest(t.Bare, a.modules) {
		if len(near) < mostNearest && !slices.Contains(near, c) {
			near = append(near, c)
		}
	}
	return &UnknownError{t.Text, fmt.Sprintf("module %s exports no %s", title, name), near}
}

// longestHead returns the module with the longest name that starts the target, and the remaining name. Both are empty
// for a tie.
func (a *askable) longestHead(name string) (module, left string) {
	for _, m := range a.modules {
		for _, r := range a.rests(m, name) {
			switch {
			case left == "" && module == "", len(r.name) < len(left):
				module, left = m.Path, r.name
			case len(r.name) == len(left) && m.Path != module:
				module = ""
			}
		}
	}
	if module == "" {
		return "", ""
	}
	return module, left
}

func (a *askable) below(dir string) []Choice {
	var out []Choice
	if _, there := a.has(dir); !there || dir == "." {
		return nil
	}
	for _, m := range a.modules {
		if strings.HasPrefix(m.Path, dir+"/") && len(out) < mostBelow {
			out = append(out, a.choice(Meant{Meaning: MeansModule, Module: m.Path}))
		}
	}
	return out
}

type near struct {
	Choice
	distance int
}

// nearest lists the modules, files, symbols and elements whose names differ least from the typed one.
func (a *askable) nearest(typed string, in []Summary) (out []Choice) {
	typed = strings.ToLower(typed)
	most := max(2, len(typed)/3) // the maximum edit distance
	var found []near
	try := func(m Meant, names ...string) {
		best := most + 1
		for _, name := range names {
			if d := len(name) - len(typed); d < best && -d < best {
				best = min(best, levenshtein.ComputeDistance(typed, strings.ToLower(name)))
			}
		}
		if best <= most && best < len(typed) {
			found = append(found, near{a.choice(m), best})
		}
	}
	for _, m := range in {
		n := a.node(m.Path)
		try(Meant{Meaning: MeansModule, Module: m.Path}, m.Path, m.Title, path.Base(m.Path))
		for _, f := range n.Sources {
			try(Meant{Meaning: MeansFile, Module: m.Path, File: f.Path}, f.Path, path.Base(f.Path))
		}
		for i := range n.PublicAPI {
			for _, name := range Published(&n.PublicAPI[i]) {
				last := name[strings.LastIndexByte(name, '.')+1:]
				try(symbolOf(n, &n.PublicAPI[i]), name, last, m.Title+"."+name, m.Path+"."+name)
			}
		}
		for _, b := range n.Behaviour {
			if b.Name != "" {
				try(elementOf(n, b), b.Name)
			}
		}
	}
	slices.SortStableFunc(found, func(x, y near) int {
		return cmp.Or(cmp.Compare(x.distance, y.distance), cmp.Compare(len(x.Typed), len(y.Typed)), cmp.Compare(x.Typed, y.Typed))
	})
	for _, f := range found {
		if len(out) < mostNearest && !slices.Contains(out, f.Choice) {
			out = append(out, f.Choice)
		}
	}
	return out
}
