package skills

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/lexical"
	"github.com/causaldocs/causal/knowledge/skill"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render"
	"github.com/causaldocs/causal/render/node"
)

const (
	mostSymbols    = 5000
	mostReferences = 500
	mostHits       = 50
	mostEach       = 200 // items of a list that a capability looks up one by one
)

var nodeKeys = []string{"path", "title", "purpose", "doc", "language", "kind", "dependencies", "external", "symbols", "behaviour", "sources"}

var codeCapabilities = []capability{{
	skill.Spec{
		ID: "code.modules", About: "Lists the modules of the repository, by path.",
		Input: []skill.Field{opt("under", skill.String, "Only modules in this directory.")},
		Output: []skill.Field{
			rows("modules", "Modules", "path", "directory (the one above, `.` for the root)", "name (the path; the title of the root)", "title", "purpose", "described (whether a person or a model wrote the purpose)", "language", "kind", "api", "dependencies", "used_by", "users (their number)", "tested (whether it has test files, or tests of another module import it)", "page (a link)"), opt("count", skill.Integer, "Number of modules."),
		},
	}, (*session).modules,
}, {
	skill.Spec{
		ID: "code.node", About: "Describes one module, or each of a list.", Either: []string{"module", "modules"},
		Input: []skill.Field{
			opt("module", skill.String, "Path of the module."),
			opt("modules", skill.List, "Modules: paths, or items that have a `path` as those of code.modules, at most 200."),
		},
		Output: []skill.Field{
			keyed("node", skill.Map, "The module, with the input `module`", nodeKeys), keyed("by_module", skill.List, "Modules, one for each item of `modules`", nodeKeys),
		},
	}, (*session).nodes,
}, {
	skill.Spec{
		ID: "code.symbols", About: "Lists the exported symbols of a module, or of all modules. Those of internal packages are among them.",
		Input:  []skill.Field{opt("module", skill.String, "Path of a module."), opt("under", skill.String, "Only modules in this directory."), opt("most", skill.Integer, "Number of symbols, 5000 by default.")},
		Output: []skill.Field{rows("symbols", "Symbols", "module", "name", "kind", "signature", "doc (its first sentence)", "deprecated", "file", "public (whether callers outside of the repository reach it)"), opt("count", skill.Integer, "Number of symbols.")},
	}, (*session).symbols,
}, {
	skill.Spec{
		ID: "code.references", About: "Lists what refers to a symbol, or to each of a list. References in tests are not listed, and at most 500 of a symbol.", Either: []string{"symbol", "symbols"},
		Input: []skill.Field{
			opt("symbol", skill.String, "Module and name, such as internal/money.Parse."),
			opt("symbols", skill.List, "Symbols: items that have `module` and `name` as those of code.symbols, or texts such as internal/money.Parse, at most 200."),
		},
		Output: []skill.Field{
			rows("references", "References to all of them", "module", "name of the declaration", "path", "line", "certain (false where the name may mean another symbol: a member of a value whose type is unknown, or one that may be overridden)"),
			opt("count", skill.Integer, "Number of references."),
			rows("by_symbol", "Symbols, one for each item of `symbols`", "module", "name", "references (as above)", "count"),
		},
	}, (*session).references,
}, {
	skill.Spec{
		ID: "code.search", About: "Finds modules and exported symbols by words.",
		Input:  []skill.Field{req("query", skill.String, "What to find."), opt("most", skill.Integer, "Number of hits, 50 by default.")},
		Output: []skill.Field{rows("hits", "Hits, the best first", "kind (module or symbol)", "target", "text"), opt("count", skill.Integer, "Number of hits.")},
	}, (*session).search,
}, {
	skill.Spec{
		ID: "code.project", About: "Finds the commands that build, run and test the repository, and what introduces it.",
		Output: []skill.Field{
			rows("commands", "Commands", "purpose (install, run, build, test or check)", "command", "runs (the command behind it)", "from (the file that has it)"),
			opt("readme", skill.String, "Path of the README; empty without one."), opt("documents", skill.List, "Paths of other documents for contributors."),
			opt("root", skill.String, "Link to the root of the repository."), opt("pages", skill.String, "Link to the directory of the pages."),
		},
	}, (*session).project,
}}

// modulesOf lists the modules. A run that asks a model omits modules with files that no model may see.
func (s *session) modulesOf(under string) ([]render.Summary, error) {
	list, err := render.Summaries(s.reader)
	if err != nil {
		return nil, err
	}
	out := list[:0:0]
	for _, m := range list {
		if !below(m.Path, under) {
			continue
		}
		if s.guarded {
			n, err := s.read(m.Path)
			if err != nil {
				return nil, err
			}
			if n == nil || s.conceals(n) {
				continue
			}
		}
		out = append(out, m)
	}
	return out, nil
}

// modulesIn lists the modules in the directory of the input under.
func (s *session) modulesIn(in map[string]any) ([]render.Summary, error) {
	under := strings.TrimSuffix(text(in, "under"), "/")
	list, err := s.modulesOf(under)
	if err != nil || len(list) > 0 || under == "" {
		return list, err
	}
	there, err := survey.Exists(s.reader, path.Clean(under))
	if err == nil && !there {
		err = s.unknown("directory", under)
	}
	return nil, err
}

func (s *session) unknown(what, name string) error {
	list, err := s.modulesOf("")
	if err != nil {
		return err
	}
	names := []string{}
	for _, m := range list {
		names = append(names, m.Path)
		for dir := path.Dir(m.Path); what != "module" && dir != "."; dir = path.Dir(dir) {
			names = append(names, dir)
		}
	}
	return fmt.Errorf("there is no %s %q%s", what, name, nearest(name, names))
}

const mostNear = 3

func nearest(name string, known []string) string {
	slices.Sort(known)
	known = slices.Compact(known)
	away := map[string]int{}
	for _, k := range known {
		away[k] = levenshtein.ComputeDistance(name, k)
		if base := path.Base(name); path.Base(k) == base {
			away[k] = min(away[k], 1)
		}
	}
	known = slices.DeleteFunc(known, func(k string) bool { return away[k] > max(2, len(name)/3) })
	slices.SortStableFunc(known, func(a, b string) int { return away[a] - away[b] })
	if len(known) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(known[:min(len(known), mostNear)], ", ") + "?"
}

func (s *session) conceals(n *node.Node) bool {
	return slices.ContainsFunc(n.Sources, func(f node.Source) bool { return !s.config.Shows(f.Path) })
}

func (s *session) read(module string) (*node.Node, error) {
	v, err := s.reader.Read(engine.ConclusionOf(render.ModuleUnit(module)))
	if err != nil {
		return nil, err
	}
	if m, ok := v.(*render.Module); ok && m != nil && m.Node != nil {
		s.warn(render.Unread(m.Node))
		return m.Node, nil
	}
	return nil, nil
}

func (s *session) node(module string) (*node.Node, error) {
	n, err := s.read(module)
	if err == nil && (n == nil || s.guarded && s.conceals(n)) {
		err = s.unknown("module", module)
	}
	return n, err
}

func (s *session) modules(in map[string]any) (map[string]any, error) {
	list, err := s.modulesIn(in)
	if err != nil {
		return nil, err
	}
	users := map[string][]string{}
	for _, m := range list {
		for _, d := range m.Deps {
			users[d] = append(users[d], m.Path)
		}
	}
	out := make([]any, 0, len(list))
	for _, m := range list {
		tested, err := render.HasTests(s.reader, m.Path)
		if err != nil {
			return nil, err
		}
		s.warn(m.Unread)
		name := m.Path
		if name == "." {
			name = m.Title
		}
		out = append(out, map[string]any{
			"path": m.Path, "directory": path.Dir(m.Path), "tested": tested, "name": name, "title": m.Title, "purpose": m.Purpose, "described": !m.Derived, "language": m.Language, "kind": m.Kind, "api": m.API,
			"dependencies": texts(m.Deps), "used_by": texts(users[m.Path]), "users": len(users[m.Path]), "page": "/" + s.config.Layout.Page(m.Path),
		})
	}
	return map[string]any{"modules": out, "count": len(out)}, nil
}

func texts(list []string) []any {
	out := make([]any, len(list))
	for i, t := range list {
		out[i] = t
	}
	return out
}

func symbolOf(n *node.Node, x *node.Symbol) map[string]any {
	return map[string]any{
		"module": n.Path, "name": x.Name, "kind": string(x.Kind), "signature": x.Signature, "doc": strings.Join(strings.Fields(node.Opening(x.Doc)), " "),
		"deprecated": x.Deprecated, "file": path.Join(n.Path, x.File), "public": !x.Inside,
	}
}

func symbolsOf(n *node.Node) []any {
	out := []any{}
	for i := range n.PublicAPI {
		out = append(out, symbolOf(n, &n.PublicAPI[i]))
	}
	return out
}

// described converts a node to a value. It cuts documentation like the stored node, so both are alike.
func described(n *node.Node) map[string]any {
	behaviour := []any{}
	for _, b := range n.Behaviour {
		behaviour = append(behaviour, map[string]any{"kind": string(b.Kind), "name": b.Name, "value": b.Value, "default": b.Default, "usage": b.Usage, "help": b.Help})
	}
	sources := []any{}
	for _, f := range n.Sources {
		sources = append(sources, map[string]any{"path": f.Path, "role": f.Role})
	}
	return map[string]any{
		"path": n.Path, "title": n.Module, "purpose": n.Purpose, "doc": strings.Join(strings.Fields(node.Opening(n.Doc)), " "), "language": n.Language, "kind": n.Kind,
		"dependencies": texts(n.Dependencies), "external": texts(n.External), "symbols": symbolsOf(n), "behaviour": behaviour, "sources": sources,
	}
}

func (s *session) symbols(in map[string]any) (map[string]any, error) {
	var paths []string
	if module := text(in, "module"); module != "" {
		paths = []string{module}
	} else {
		list, err := s.modulesIn(in)
		if err != nil {
			return nil, err
		}
		for _, m := range list {
			paths = append(paths, m.Path)
		}
	}
	out := []any{}
	for _, module := range paths {
		n, err := s.node(module)
		if err != nil {
			return nil, err
		}
		out = append(out, symbolsOf(n)...)
	}
	most := limit(in, mostSymbols)
	if most == mostSymbols && len(out) > most {
		s.warn(fmt.Sprintf("only %d of %d symbols are listed; limit the step with under", most, len(out)))
	}
	out = out[:min(len(out), most)]
	return map[string]any{"symbols": out, "count": len(out)}, nil
}

// locate splits a symbol into its module and its name there.
func (s *session) locate(symbol string) (module, name string, err error) {
	list, err := s.modulesOf("")
	if err != nil {
		return "", "", err
	}
	best := -1
	for _, m := range list {
		prefix := m.Path
		if m.Path == "." && !strings.HasPrefix(symbol, "..") {
			prefix = m.Title // as other commands print the root
		}
		if rest, ok := strings.CutPrefix(symbol, prefix+"."); ok && len(m.Path) > best {
			module, name, best = m.Path, rest, len(m.Path)
		}
	}
	if best < 0 {
		return "", "", fmt.Errorf("no module has the symbol %q; write it as MODULE.NAME", symbol)
	}
	return module, name, nil
}

func (s *session) undeclared(module, name string) error {
	n, err := s.node(module)
	if err != nil {
		return err
	}
	var names []string
	for i := range n.PublicAPI {
		names = append(names, n.PublicAPI[i].Name)
	}
	return fmt.Errorf("the module %s has no symbol %q%s", module, name, nearest(name, names))
}

func (s *session) refer(item any) (_ any, err error) {
	symbol, _ := item.(map[string]any)
	module, name := text(symbol, "module"), text(symbol, "name")
	switch typed, isText := item.(string); {
	case isText:
		module, name, err = s.locate(typed)
	case module == "" || name == "":
		err = errors.New("a symbol needs a module and a name")
	}
	if err != nil {
		return nil, err
	}
	there, err := engine.Digest(s.reader, fact.Of(fact.Callers, module, name))
	if err != nil {
		return nil, err
	}
	if there == "" {
		return nil, s.undeclared(module, name)
	}
	list, err := survey.CallersOf(s.reader, module, name)
	if err != nil {
		return nil, err
	}
	if len(list) > mostReferences {
		s.warn(fmt.Sprintf("only %d of %d references to %s are listed", mostReferences, len(list), name))
	}
	out := []any{}
	for _, x := range list[:min(len(list), mostReferences)] {
		if s.guarded && !s.config.Shows(x.Path) {
			continue
		}
		if _, err := engine.Digest(s.reader, survey.BlobFact(x.Path)); err != nil { // lines are not part of the fact
			return nil, err
		}
		out = append(out, map[string]any{"module": x.Module, "name": x.Name, "path": x.Path, "line": x.Line, "certain": x.Certain})
	}
	return map[string]any{"module": module, "name": name, "references": out, "count": len(out)}, nil
}

func (s *session) references(in map[string]any) (map[string]any, error) {
	list, err := each(in, "symbol", s.refer)
	all := []any{}
	for _, x := range list {
		all = append(all, x.(map[string]any)["references"].([]any)...)
	}
	return map[string]any{"references": all, "count": len(all), "by_symbol": list}, err
}

func (s *session) nodes(in map[string]any) (map[string]any, error) {
	list, err := each(in, "module", func(item any) (any, error) {
		name, isText := item.(string)
		if module, _ := item.(map[string]any); !isText {
			name = text(module, "path")
		}
		n, err := s.node(name)
		if err != nil {
			return nil, err
		}
		return skill.Plain(described(n))
	})
	out := map[string]any{"by_module": list, "node": errors.New("the output node needs the input module")}
	if err == nil && in["module"] != nil {
		out["node"] = list[0]
	}
	return out, err
}

// each looks up the input, or each item of the list in the plural input.
func each(in map[string]any, name string, look func(item any) (any, error)) ([]any, error) {
	items, isList := in[name+"s"].([]any)
	switch one := in[name]; {
	case isList == (one != nil):
		return nil, fmt.Errorf("give either %s or %ss", name, name)
	case !isList:
		items = []any{one}
	case len(items) > mostEach:
		return nil, fmt.Errorf("%ss has %d items, and at most %d are looked up: filter them first", name, len(items), mostEach)
	}
	out := []any{}
	for i, item := range items {
		found, err := look(item)
		if err != nil && isList {
			err = fmt.Errorf("%ss, item %d: %w", name, i, err)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, found)
	}
	return out, nil
}

func (s *session) search(in map[string]any) (map[string]any, error) {
	list, err := s.modulesOf("")
	if err != nil {
		return nil, err
	}
	index, hits := lexical.New(), map[string]map[string]any{}
	add := func(kind, target, said string) {
		key := kind + " " + target
		if hits[key] == nil {
			hits[key] = map[string]any{"kind": kind, "target": target, "text": said}
			index.Add(key, target+" "+strings.NewReplacer("/", " ", ".", " ", "_", " ").Replace(target)+" "+said)
		}
	}
	for _, m := range list {
		add("module", m.Path, m.Purpose)
		n, err := s.node(m.Path)
		if err != nil {
			return nil, err
		}
		for _, x := range symbolsOf(n) {
			x := x.(map[string]any)
			add("symbol", m.Path+"."+x["name"].(string), strings.TrimSpace(x["signature"].(string)+" "+x["doc"].(string)))
		}
	}
	out := []any{}
	for _, m := range index.Search(text(in, "query"), limit(in, mostHits)) {
		out = append(out, hits[m.Key])
	}
	return map[string]any{"hits": out, "count": len(out)}, nil
}

func (s *session) hides(name string) bool { return s.guarded && !s.config.Shows(name) }

func digestOf(v any) (string, error) {
	data, err := marshal(v)
	return fact.Digest(string(data)), err
}
