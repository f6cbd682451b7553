package workspace

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

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
