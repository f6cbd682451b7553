package render

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

const (
	// flowsShown limits the flows on the page of a module, and flowsKept those with the ones without a declaration that the entry page may show.
	flowsShown = 2
	flowsKept  = 5
)

// supporting matches files and functions that support tests: test_utils.rs, fake_release.
var supporting = lazyregexp.New(`^(?:test|fake|mock)_`)

// stepsOf returns the flows of a module, in order of their start: a main that leaves the program, a route handler, code
// from the README, the API. Within each, flows with most steps that leave the program are first.
func stepsOf(k *survey.Module, r survey.Typing, flows []source.Flow, quoted []string) []node.Step {
	all := k.Module.WithUnnamed(k.Declared)
	declared := make(map[string]*source.Declared, len(all))
	for i := range all {
		declared[all[i].Name] = &all[i]
	}
	begins := map[string]bool{} // files
	for _, u := range k.Module.Units {
		begins[u.Path] = u.File.Main
	}
	rank := func(f source.Flow) int {
		d := declared[f.Entry]
		_, inside := r.Of(d)
		switch {
		case d.Kind == source.Script && begins[d.Path] && f.Effects > 0, (lastElement(f.Entry) == "main" || mainNames[lastElement(f.Entry)] && begins[d.Path]) && f.Effects > 0:
			return 0
		case d.Kind == source.Answer && sideRoute.MatchString(d.Symbol.Name), d.Kind == source.Script:
			return 5
		case f.Handler || d.Kind == source.Action:
			return 1
		case slices.Contains(quoted, lastElement(f.Entry)) && !inside:
			return 2
		case d.Exported && (!inside || !r.Files[d.Path].Ruled):
			return 3
		}
		return 4
	}
	test := map[string]bool{}
	for i := range k.Module.Units {
		test[k.Module.Units[i].Path] = tests(&k.Module.Units[i])
	}
	flows = slices.DeleteFunc(slices.Clone(flows), func(f source.Flow) bool {
		d := declared[f.Entry]
		renders := source.TraitsOfFile(d.Path).Renders
		helper := !f.Handler && (supporting.MatchString(path.Base(d.Path)) || supporting.MatchString(lastElement(f.Entry)))
		return helper || test[d.Path] || renders != nil && renders(d.Path, d.Symbol) || composes(k, declared, f)
	})
	routes := central(k.Module.Units)
	worth := func(f source.Flow) int {
		if d := declared[f.Entry]; d.Kind == source.Answer {
			return routeRank(shownStart(d.Symbol.Name))
		}
		return routes[lastElement(f.Entry)]
	}
	slices.SortStableFunc(flows, func(a, b source.Flow) int { return cmp.Or(rank(a)-rank(b), worth(b)-worth(a)) })
	unnamed := func(f source.Flow) int {
		if declared[f.Entry].Kind.IsUnnamed() {
			return 1
		}
		return 0
	}
	if len(flows) > 0 && unnamed(flows[0]) > 0 { // another flow shows more than a second one of a literal
		slices.SortStableFunc(flows[1:], func(a, b source.Flow) int { return unnamed(a) - unnamed(b) })
	}
	var out []node.Step
	shown, passed := 0, map[source.Use]bool{}
	for _, f := range flows {
		again := 0
		for _, s := range f.Steps {
			if passed[s.Use] {
				again++
			}
		}
		kept := shown >= flowsShown && shown < flowsKept && unnamed(f) > 0 // for the entry page
		if !kept && (shown >= flowsShown || again*2 > len(f.Steps)) {
			continue
		}
		shown++
		for _, s := range append([]source.Step{{Use: source.Use{Module: k.Module.Path, Name: f.Entry}, More: f.More}}, f.Steps...) {
			passed[s.Use] = true
			step := node.Step{Flow: f.Entry, From: s.From, Name: s.Name, Within: s.Within, When: string(s.When), More: s.More}
			owner, _, _ := strings.Cut(s.Name, ".")
			if d := declared[s.Name]; s.Module != k.Module.Path {
				step.Module = s.Module
			} else if d != nil {
				step.File, step.Doc = path.Base(d.Path), node.Opening(d.Doc)
			} else if d = declared[owner]; d != nil { // of an interface
				step.File = path.Base(d.Path)
			}
			out = append(out, step)
		}
	}
	return out
}

// unnamedStart matches the start of a flow that has no declaration, see source.UnnamedName.
var unnamedStart = lazyregexp.New(`^(?:[^ ]*\.)?(program|command|route) (.+)$`)

// startKind returns the kind of the code with which a flow starts, if it has no declaration.
func startKind(name string) source.Kind {
	if m := unnamedStart.FindStringSubmatch(name); m != nil {
		return source.Kind(m[1])
	}
	return ""
}

// shownStart returns the name of a start that has no declaration as pages show it.
func shownStart(name string) string {
	return source.Fill(unnamedStart.FindStringSubmatch(name)[2], func(string) string { return "…" })
}

// composes reports whether most steps of a flow only declare commands or routes, which other pages list.
func composes(k *survey.Module, declared map[string]*source.Declared, f source.Flow) bool {
	n := 0
	for _, s := range f.Steps {
		d := declared[s.Name]
		if d == nil || s.Module != k.Module.Path {
			continue
		}
		for _, u := range k.Module.Units {
			if u.Path == d.Path && slices.ContainsFunc(u.File.Facts, func(f source.Fact) bool {
				return (f.Kind == source.Command || f.Kind == source.Route) && f.Line >= d.Line && f.Line <= d.End
			}) {
				n++
			}
		}
	}
	return 2*n > len(f.Steps)
}

// central ranks the handlers of a module's routes, by the last element of their names. See routeRank.
func central(units []source.Unit) map[string]int {
	out := map[string]int{}
	for i := range units {
		for _, f := range units[i].File.Facts {
			if f.Kind != source.Route {
				continue
			}
			for name := range strings.FieldsFuncSeq(f.Value, func(r rune) bool { return strings.ContainsRune("(), :", r) }) {
				out[lastElement(name)] = max(out[lastElement(name)], routeRank(f.Name))
			}
		}
	}
	return out
}

// unnamed matches a route of which nothing but computed parts is known.
var unnamed = lazyregexp.New(`^(?:[A-Z]+ )?/?(?:\$\([^)]*\)/?)+$`)

// routeRank is highest for a central feature that modifies data, then for other central features, then for side routes
// such as login, that modify data, and for unnamed routes.
func routeRank(name string) (rank int) {
	if unnamed.MatchString(name) {
		return 0
	}
	if !sideRoute.MatchString(name) {
		rank = 2
	}
	if method, _, _ := strings.Cut(name, " "); method == "POST" || method == "PUT" || method == "PATCH" {
		rank++
	}
	return rank
}

// mainNames are usual names of the function with which a program begins.
var mainNames = map[string]bool{"main": true, "run": true, "cli": true, "serve": true}

// keepFlows returns the flows of a kept node, none if one passes through a removed file.
func keepFlows(was, now *node.Node) []node.Step {
	gone := func(s node.Step) bool {
		return s.Module == "" && !slices.ContainsFunc(now.Sources, func(f node.Source) bool { return path.Base(f.Path) == s.File })
	}
	if slices.ContainsFunc(was.Flows, gone) {
		return nil
	}
	return was.Flows
}

type flow struct {
	Language string      `json:"language"`
	Steps    []node.Step `json:"steps"`

	module string
}

// leaves reports whether a flow calls other modules.
func (f *flow) leaves() bool {
	return slices.ContainsFunc(f.Steps, func(s node.Step) bool { return s.Module != "" })
}

func shownFlows(n *node.Node) []flow {
	var out []flow
	for _, s := range n.Flows {
		if s.From == "" {
			out = append(out, flow{Language: n.Language, module: n.Path})
		}
		if len(out) > 0 {
			last := &out[len(out)-1]
			last.Steps = append(last.Steps, s)
		}
	}
	return out
}

// flowsExcerpt is the excerpt of a node's flows for the entry page.
func flowsExcerpt(n *node.Node) string {
	list := shownFlows(n)
	if len(list) == 0 {
		return ""
	}
	for i := range list {
		list[i].Steps = slices.Clone(list[i].Steps)
		for j := range list[i].Steps { // the excerpt has no positions
			s := &list[i].Steps[j]
			s.Module, s.File = canonical.Path(s.Module), canonical.Path(s.File)
		}
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func readFlows(module, text string) ([]flow, error) {
	var list []flow
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fmt.Errorf("read the flows of %s: %w", module, err)
	}
	for i := range list {
		list[i].module = module
		for j := range list[i].Steps {
			s := &list[i].Steps[j]
			var err, err2 error
			s.Module, err = canonical.ParsePath(s.Module)
			s.File, err2 = canonical.ParsePath(s.File)
			if err = errors.Join(err, err2); err != nil {
				return nil, fmt.Errorf("read the flows of %s: %w", module, err)
			}
		}
	}
	return list, nil
}

func (p *page) flows() {
	list := shownFlows(p.node)
	list = list[:min(len(list), flowsShown)]
	list = slices.DeleteFunc(list, func(f flow) bool { return len(f.Steps) <= fewestShown })
	text := p.prose(howSlot)
	if len(list) == 0 && text == "" {
		return
	}
	p.heading(2, howItWorks)
	if text != "" {
		p.line("%s", text)
	}
	w := flowWriter{config: p.config, graph: p.graph, page: p.path}
	for i := range list {
		p.b.WriteString(w.text(w.treeOf(&list[i], nil)))
	}
}

const (
	howItWorks = "How it works"
	// fewestShown is the number of steps up to which a flow is not shown.
	fewestShown = 2
)
