package workspace

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render"
	"github.com/causaldocs/causal/render/decisions"
	"github.com/causaldocs/causal/render/node"
)

// Choice is a possible meaning of a target.
type Choice struct {
	Typed string // the unambiguous target
	About string // a short description
}

// AmbiguousError reports a target with several meanings.
type AmbiguousError struct {
	Target  string
	Choices []Choice
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%s is ambiguous: it has %d meanings", e.Target, len(e.Choices))
}

// UnknownError reports a target without a match.
type UnknownError struct {
	Target  string
	Because string   // a short reason
	Nearest []Choice // suggestions, the nearest first
}

func (e *UnknownError) Error() string { return e.Target + ": " + e.Because }

// Resolve resolves a target that was typed in a directory. It needs Knowledge.Look, and never picks one of several
// equal matches.
func (w *Workspace) Resolve(e *Knowledge, dir, text string) (Meant, error) {
	a, dir := w.askable(e), Seen(dir)
	if filepath.IsAbs(text) {
		text = filepath.Join(Seen(filepath.Dir(text)), filepath.Base(text))
	}
	t := ParseTarget(w.Repo.Root(), dir, text)
	m, err := a.resolve(t)
	if !isUnknown(err) {
		return e.orSkill(a, t, m, err)
	}
	if m, ok, failed := w.printed(a, dir, text); ok || failed != nil {
		return m, failed
	}
	if m, ok, failed := e.skillNamed(a, t); ok || failed != nil {
		return m, failed
	}
	return m, err
}

// Seen returns a directory in the form of the repository's root: absolute, with links resolved.
func Seen(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return dir
}

type askable struct {
	layout     store.Layout
	modules    []Summary
	paths      map[string]bool // of the modules
	has        func(name string) (file, dir bool)
	load       func(module string) *node.Node
	read       func(name string) []byte
	nodes      map[string]*node.Node
	principles []string
	// rootTitle is the title of the root if it is unambiguous.
	rootTitle string
}

func (w *Workspace) askable(e *Knowledge) *askable {
	a := newAskable(w.Layout, e.Modules(), e.Has, w.Node, func(name string) []byte {
		data, err := w.Files.Read(name)
		if err != nil {
			return nil
		}
		return data
	})
	a.principles = e.Principles()
	return a
}

func newAskable(l store.Layout, modules []Summary, has func(string) (bool, bool), load func(string) *node.Node, read func(string) []byte) *askable {
	a := &askable{
		layout: l, modules: modules, paths: map[string]bool{}, has: has, load: load, read: read, nodes: map[string]*node.Node{}, rootTitle: rootTitleOf(modules),
	}
	for _, m := range modules {
		a.paths[m.Path] = true
	}
	return a
}

// node returns the node of a module, an empty one if there is none.
func (a *askable) node(module string) *node.Node {
	n, ok := a.nodes[module]
	if !ok {
		if n = a.load(module); n == nil {
			n = &node.Node{Path: module}
		}
		a.nodes[module] = n
	}
	return n
}

func (a *askable) goModule() string { return modfile.ModulePath(a.read("go.mod")) }

func (a *askable) resolve(t Target) (Meant, error) {
	found := a.byPath(t)
	switch {
	case len(found) > 1:
		return Meant{}, a.severalPaths(t, found)
	case len(found) == 1 && t.Anchor == "":
		return found[0], nil
	case len(found) == 1:
		if m, ok := a.within(found[0], t.Anchor); ok {
			return m, nil
		}
		return Meant{}, a.unknownIn(t, found[0].Module, t.Anchor)
	}
	return a.byName(t)
}

func (a *askable) byPath(t Target) []Meant {
	var out []Meant
	for _, p := range t.Paths {
		m, ok := a.at(p)
		if ok && !slices.ContainsFunc(out, m.same) {
			out = append(out, m)
		}
	}
	return out
}

// at resolves a path. A page or node file stands for its subject.
func (a *askable) at(name string) (Meant, bool) {
	if _, ok := render.OverviewAt(a.layout, name); ok {
		return Meant{Meaning: MeansOverview, File: name}, true
	}
	if module, several := render.ModuleAt(a.layout, name); several {
		return Meant{Meaning: MeansOverview, File: name}, true
	} else if a.paths[module] {
		return Meant{Meaning: MeansModule, Module: module}, true
	}
	if module, ok := a.layout.ModuleOf(name); ok && a.paths[module] {
		return Meant{Meaning: MeansModule, Module: module}, true
	}
	if a.paths[name] {
		return Meant{Meaning: MeansModule, Module: name}, true
	}
	if m, ok := a.atSpec(name); ok {
		return m, true
	}
	if kind, ok := decisions.KindOf(a.layout, name); ok {
		return Meant{Meaning: meansPage[kind], File: name}, a.read(name) != nil
	}
	if m, ok := a.atAnswer(name); ok {
		return m, a.read(name) != nil
	}
	if m, ok := a.atSkill(name); ok {
		return m, true
	}
	if a.layout.Owns(name) {
		return a.atPrinciple(name)
	}
	m := Meant{Meaning: MeansFile, File: name}
	if dir := path.Dir(name); a.paths[dir] {
		m.Module = dir
	}
	if file, _ := a.has(name); file {
		return m, true
	}
	gone := m.Module != "" && slices.ContainsFunc(a.node(m.Module).Sources, func(s node.Source) bool { return s.Path == name })
	return m, gone
}

func (a *askable) severalPaths(t Target, found []Meant) error {
	e := &AmbiguousError{Target: t.Text}
	for _, m := range found {
		from := m.File
		if from == "" {
			from = m.Module
		}
		rel, err := filepath.Rel(t.Dir, from)
		if err != nil {
			rel = from
		}
		if rel = filepath.ToSlash(rel); !strings.HasPrefix(rel, ".") {
			rel = "./" + rel
		}
		if t.Anchor != "" {
			rel += "#" + t.Anchor
		}
		e.Choices = append(e.Choices, Choice{rel, string(m.Meaning) + " " + from})
	}
	return e
}

// Target is a parsed question target. The text can be a path or a name.
type Target struct {
	Text   string   // as typed
	Dir    string   // where it was typed, relative to the root
	Paths  []string // possible paths relative to the root, the one relative to Dir first
	Anchor string   // after "#"
	Bare   string   // without the punctuation that a language puts around a name
	Name   string   // Bare with dots as separators
}

// blanks may surround a target that was copied from a page.
const blanks = " \t\r\n`"

// ParseTarget parses a target that was typed in a directory of the repository at root. Both are absolute.
func ParseTarget(root, dir, text string) Target {
	t := Target{Text: strings.Trim(text, blanks), Dir: "."}
	if rel, ok := below(root, dir); ok {
		t.Dir = rel
	}
	name := t.Text
	if at := strings.IndexByte(t.Text, '#'); at > 0 {
		name, t.Anchor = t.Text[:at], t.Text[at+1:]
	}
	t.Paths = pathsOf(root, t.Dir, name)
	t.Bare = strings.TrimSuffix(strings.TrimPrefix(t.Text, "@"), "()")
	t.Name = dotted(t.Bare)
	return t
}

// pathsOf lists the possible paths of a text. An explicit path has one meaning. Any other may be relative to the
// directory, as in a shell, or to the root, as on pages.
func pathsOf(root, dir, text string) []string {
	if text == "" {
		return nil
	}
	if filepath.IsAbs(text) {
		if rel, ok := below(root, text); ok {
			return []string{rel}
		}
		return nil
	}
	text = filepath.ToSlash(text)
	begins := []string{dir, "."}
	if first, _, _ := strings.Cut(text, "/"); first == "." || first == ".." {
		begins = begins[:1]
	}
	var out []string
	for _, from := range begins {
		if p := path.Join(from, text); inside(p) && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

func below(root, name string) (string, bool) {
	rel, err := filepath.Rel(root, name)
	if err != nil {
		return "", false
	}
	rel = filepath.ToSlash(rel)
	return rel, inside(rel)
}

// inside reports whether a clean path is local to the root. It need not be valid UTF-8.
func inside(p string) bool { return filepath.IsLocal(filepath.FromSlash(p)) }

var dots = strings.NewReplacer("::", ".", "/", ".", "#", ".")

func dotted(name string) string { return strings.Trim(dots.Replace(name), ".") }

func (a *askable) within(at Meant, anchor string) (Meant, bool) {
	if at.Module == "" {
		return at, at.Meaning == MeansOverview
	}
	n := a.node(at.Module)
	var other []*node.Symbol
	for i := range n.PublicAPI {
		s := &n.PublicAPI[i]
		switch {
		case at.File != "" && path.Join(n.Path, s.File) != at.File:
		case s.Name == anchor:
			return symbolOf(n, s), true
		case slices.ContainsFunc(Published(s), func(name string) bool { return name == anchor || markdown.Slug(name) == anchor }):
			other = append(other, s)
		}
	}
	for _, said := range []func(node.Behavior) bool{
		func(b node.Behavior) bool { return b.Name == anchor }, func(b node.Behavior) bool { return calls(anchor, b) },
	} {
		if i := slices.IndexFunc(n.Behaviour, said); i >= 0 {
			return elementOf(n, n.Behaviour[i]), true
		}
	}
	if len(other) == 1 {
		return symbolOf(n, other[0]), true
	}
	return a.heading(n, anchor)
}

func (a *askable) heading(n *node.Node, anchor string) (Meant, bool) {
	var numbered markdown.Slugger
	for line := range strings.Lines(string(a.read(a.layout.Page(n.Path)))) {
		title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if !ok || !strings.HasPrefix(line, "#") {
			continue
		}
		own := ""
		if rest, ok := strings.CutPrefix(title, `<a id="`); ok {
			own, title, _ = strings.Cut(rest, `"></a>`)
		}
		title = strings.Trim(title, " \r\n`")
		if slug := numbered.Slug(title); anchor != slug && anchor != own {
			continue
		}
		for i := range n.PublicAPI {
			if s := &n.PublicAPI[i]; slices.Contains(Published(s), title) {
				return symbolOf(n, s), true
			}
		}
		return Meant{Meaning: MeansModule, Module: n.Path}, true
	}
	return Meant{}, false
}
