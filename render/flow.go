package render

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

const flowsShown = 2

// stepsOf returns the flows of a module, in order of their start: a main that leaves the program, a route handler, code
// from the README, the API. Within each, flows with most steps that leave the program are first.
func stepsOf(k *survey.Module, r survey.Typing, flows []source.Flow, quoted []string) []node.Step {
	declared := make(map[string]*source.Declared, len(k.Declared))
	for i := range k.Declared {
		declared[k.Declared[i].Name] = &k.Declared[i]
	}
	begins := map[string]bool{} // files
	for _, u := range k.Module.Units {
		begins[u.Path] = u.File.Main
	}
	rank := func(f source.Flow) int {
		d := declared[f.Entry]
		_, inside := r.Of(d)
		switch {
		case (lastElement(f.Entry) == "main" || mainNames[lastElement(f.Entry)] && begins[d.Path]) && f.Effects > 0:
			return 0
		case f.Handler:
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
	flows = slices.DeleteFunc(slices.Clone(flows), func(f source.Flow) bool { return test[declared[f.Entry].Path] })
	slices.SortStableFunc(flows, func(a, b source.Flow) int { return rank(a) - rank(b) })
	var out []node.Step
	shown, passed := 0, map[source.Use]bool{}
	for _, f := range flows {
		again := 0
		for _, s := range f.Steps {
			if passed[s.Use] {
				again++
			}
		}
		if shown == flowsShown || again*2 > len(f.Steps) {
			continue
		}
		shown++
		for _, s := range append([]source.Step{{Use: source.Use{Module: k.Module.Path, Name: f.Entry}}}, f.Steps...) {
			passed[s.Use] = true
			step := node.Step{Flow: f.Entry, From: s.From, Name: s.Name, When: string(s.When)}
			if d := declared[s.Name]; s.Module != k.Module.Path {
				step.Module = s.Module
			} else if d != nil {
				step.File, step.Doc = path.Base(d.Path), node.Opening(d.Doc)
			}
			out = append(out, step)
		}
	}
	return out
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

type flowWriter struct {
	config Config
	graph  graph
	page   string
}

// told is a step with its flow and its distance in calls from the start.
type told struct {
	node.Step

	flow  *flow
	depth int
	from  string // the calling lane, empty at the start
}

// tell lists the steps of a flow. A step that starts a flow of another module is followed by that flow's steps.
func (w flowWriter) tell(f *flow, next func(module, entry string) *flow) []told {
	var out []told
	depth, lane := map[string]int{}, map[string]string{}
	for _, s := range f.Steps {
		one := told{Step: s, flow: f}
		if s.From != "" {
			one.depth, one.from = depth[s.From]+1, lane[s.From]
		}
		if s.Module == "" { // a function of that name in another module calls nothing here
			depth[s.Name], lane[s.Name] = one.depth, w.lane(s)
		}
		follow := (*flow)(nil)
		if s.Module != "" && next != nil {
			follow = next(s.Module, s.Name)
		}
		if follow == nil {
			out = append(out, one)
			continue
		}
		for i, more := range w.tell(follow, nil) {
			if i == 0 {
				more.from, more.When = one.from, one.When
			}
			more.depth += one.depth
			out = append(out, more)
		}
	}
	return out
}

// inCases begins the text of a step that its caller runs only in some cases.
func inCases(s told, mark string) string {
	if s.When == "" {
		return ""
	}
	return "in " + s.When + mark
}

// text writes a flow as a diagram and a list of steps.
func (w flowWriter) text(steps []told) string {
	var b strings.Builder
	if fence := w.sequence(steps); fence != "" {
		b.WriteString(fence + paragraph)
	}
	for _, s := range steps {
		b.WriteString(strings.Repeat("    ", s.depth) + "- " + inCases(s, ": ") + w.step(s) + "\n")
	}
	return b.String() + "\n"
}

func (w flowWriter) step(s told) string {
	if s.Module != "" {
		name := markdown.Code(label(w.graph, s.Module) + "." + shortName(s.Step))
		if _, there := w.graph.Title(s.Module); !there { // a kept node may name a removed module
			return name
		}
		return markdown.Link(name, w.config.pageLink(w.page, w.graph, s.Module))
	}
	text := markdown.Link(markdown.Code(shortName(s.Step)), w.config.fileLink(w.page, path.Join(s.flow.module, s.File), s.At, s.Lines))
	if about := markdown.Summary(s.Doc, s.flow.Language); about != "" {
		text += ": *“" + about + "”*"
	}
	return text
}

// shortName returns the name of a step within its module, without a file that is a namespace. An unnamed default export
// is named after its file.
func shortName(s node.Step) string {
	if file, ok := strings.CutSuffix(s.Name, ".default"); ok && s.Module != "" {
		return file
	}
	if prefix := source.Prefix(s.File, true); s.File != "" && prefix != "" && strings.HasPrefix(s.Name, prefix) {
		return strings.TrimPrefix(s.Name, prefix)
	}
	return s.Name
}

// sequence draws the calls between types, files and other modules. A flow within one lane has no diagram.
func (w flowWriter) sequence(steps []told) string {
	var lanes, calls []string
	ids := map[string]string{}
	id := func(lane string) string {
		if ids[lane] == "" {
			ids[lane] = "p" + strconv.Itoa(len(ids))
			lanes = append(lanes, "  participant "+ids[lane]+" as "+markdown.MermaidText(lane))
		}
		return ids[lane]
	}
	for _, s := range steps {
		to := w.lane(s.Step)
		if s.from != "" {
			calls = append(calls, "  "+id(s.from)+"->>"+id(to)+": "+markdown.MermaidText(inCases(s, " ")+shortName(s.Step)))
		}
	}
	if len(lanes) < 2 {
		return ""
	}
	return "```mermaid\nsequenceDiagram\n" + strings.Join(append(lanes, calls...), "\n") + "\n```"
}

// lane returns the lane of a step: a type, a file, or another module.
func (w flowWriter) lane(s node.Step) string {
	if s.Module != "" {
		return label(w.graph, s.Module)
	}
	if owner, _, member := strings.Cut(shortName(s), "."); member {
		return owner
	}
	return strings.TrimSuffix(canonical.Path(s.File), path.Ext(s.File))
}

func (p *page) flows() {
	list := shownFlows(p.node)
	list = slices.DeleteFunc(list, func(f flow) bool { return len(f.Steps) <= fewestShown })
	text := p.prose(howSlot)
	if len(list) == 0 && text == "" {
		return
	}
	p.heading(2, howItWorks)
	if text != "" {
		p.line("%s", text)
	}
	w := flowWriter{p.config, p.graph, p.path}
	for i := range list {
		p.b.WriteString(w.text(w.tell(&list[i], nil)))
	}
}

const (
	howItWorks = "How it works"
	// fewestShown is the number of steps up to which a flow is not shown.
	fewestShown = 2
)
