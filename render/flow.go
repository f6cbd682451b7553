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

// stepsOf are the flows of a module as its node has them.
func stepsOf(k *survey.Module, flows []source.Flow) []node.Step {
	if len(flows) == 0 {
		return nil
	}
	declared := make(map[string]*source.Declared, len(k.Declared))
	for i := range k.Declared {
		declared[k.Declared[i].Name] = &k.Declared[i]
	}
	var out []node.Step
	for _, f := range flows {
		steps := append([]source.Step{{Use: source.Use{Module: k.Module.Path, Name: f.Entry}}}, f.Steps...)
		for _, s := range steps {
			step := node.Step{Flow: f.Entry, From: s.From, Name: s.Name}
			if d := declared[s.Name]; s.Module != k.Module.Path {
				step.Module = s.Module
			} else if d != nil {
				step.File, step.Doc, step.Content = path.Base(d.Path), node.Opening(d.Doc), d.Content
			}
			out = append(out, step)
		}
	}
	return out
}

// flowsOf are the flows of a node as the survey has them.
func flowsOf(n *node.Node) []source.Flow {
	var out []source.Flow
	for _, s := range n.Flows {
		if s.From == "" {
			out = append(out, source.Flow{Entry: s.Flow})
			continue
		}
		use := source.Use{Module: s.Module, Name: s.Name}
		if s.Module == "" {
			use.Module = n.Path
		}
		last := &out[len(out)-1]
		last.Steps = append(last.Steps, source.Step{From: s.From, Use: use})
	}
	return out
}

// flow is one flow as it is shown: its steps with where they stand, whatever page they are shown on.
type flow struct {
	Title    string      `json:"title"` // of the module
	Language string      `json:"language"`
	Steps    []node.Step `json:"steps"`
}

// shownFlows are the flows of a module, each by itself.
func shownFlows(n *node.Node) []flow {
	var out []flow
	for _, s := range n.Flows {
		if s.From == "" {
			out = append(out, flow{n.Module, n.Language, nil})
		}
		if len(out) > 0 {
			last := &out[len(out)-1]
			last.Steps = append(last.Steps, s)
		}
	}
	return out
}

// flowExcerpt is what the entry page may show of a module's flows: the first one.
func flowExcerpt(n *node.Node) string {
	list := shownFlows(n)
	if len(list) == 0 || n.Stale != "" {
		return ""
	}
	f := list[0]
	f.Steps = slices.Clone(f.Steps)
	for i := range f.Steps { // JSON has no bytes either
		f.Steps[i].Module, f.Steps[i].File = canonical.Path(f.Steps[i].Module), canonical.Path(f.Steps[i].File)
	}
	text, err := json.Marshal(f)
	if err != nil {
		panic(err) // it is texts
	}
	return string(text)
}

func readFlow(text string) (flow, error) {
	var f flow
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		return flow{}, fmt.Errorf("read a flow: %w", err)
	}
	for i := range f.Steps {
		s := &f.Steps[i]
		var err, err2 error
		s.Module, err = canonical.ParsePath(s.Module)
		s.File, err2 = canonical.ParsePath(s.File)
		if err = errors.Join(err, err2); err != nil {
			return flow{}, fmt.Errorf("read a flow: %w", err)
		}
	}
	return f, nil
}

// flowWriter writes flows of one module on a page.
type flowWriter struct {
	config Config
	graph  graph
	page   string // the path of the page
	module string
}

// text is a flow as people read it: a picture, and each step with its first sentence.
func (w flowWriter) text(f flow) string {
	var b strings.Builder
	if fence := w.sequence(f); fence != "" {
		b.WriteString(fence + paragraph)
	}
	depth := map[string]int{}
	for _, s := range f.Steps {
		if s.From != "" {
			depth[s.Name] = depth[s.From] + 1
		}
		b.WriteString(strings.Repeat("  ", depth[s.Name]) + "- " + w.step(f, s) + "\n")
	}
	return b.String() + "\n"
}

// step is one step with a link to it, and what its author says of it.
func (w flowWriter) step(f flow, s node.Step) string {
	if s.Module != "" {
		link := relative(w.page, w.config.Layout.Page(s.Module))
		return markdown.Link(markdown.Code(label(w.graph, s.Module)+"."+shortName(s)), link)
	}
	text := markdown.Link(markdown.Code(shortName(s)), w.config.fileLink(w.page, path.Join(w.module, s.File), s.At, s.Lines))
	if about := markdown.Summary(s.Doc, f.Language); about != "" {
		text += ": *“" + about + "”*"
	}
	return text
}

// shortName is what a step is called within its module: without the file where that is a namespace.
func shortName(s node.Step) string {
	if prefix := source.Prefix(s.File, true); s.File != "" && prefix != "" && strings.HasPrefix(s.Name, prefix) {
		return strings.TrimPrefix(s.Name, prefix)
	}
	return s.Name
}

// sequence draws the calls between the parts that a flow passes through: types and files of the module, and other modules. Where all
// of it is in one part there is nothing to see.
func (w flowWriter) sequence(f flow) string {
	var lanes, calls []string
	ids := map[string]string{}
	lane := func(s node.Step) string {
		name := w.lane(s)
		if ids[name] == "" {
			ids[name] = "p" + strconv.Itoa(len(ids))
			lanes = append(lanes, "  participant "+ids[name]+" as "+markdown.MermaidText(name))
		}
		return ids[name]
	}
	at := map[string]node.Step{}
	for _, s := range f.Steps {
		at[s.Name] = s
		to := lane(s)
		if s.From != "" {
			calls = append(calls, "  "+lane(at[s.From])+"->>"+to+": "+markdown.MermaidText(shortName(s)))
		}
	}
	if len(lanes) < 2 {
		return ""
	}
	return "```mermaid\nsequenceDiagram\n" + strings.Join(append(lanes, calls...), "\n") + "\n```"
}

// lane is the part that a step belongs to.
func (w flowWriter) lane(s node.Step) string {
	if s.Module != "" {
		return label(w.graph, s.Module)
	}
	if owner, _, member := strings.Cut(shortName(s), "."); member {
		return owner
	}
	return strings.TrimSuffix(canonical.Path(s.File), path.Ext(s.File))
}

// flows shows how the code of the module goes on.
func (p *page) flows() {
	list := shownFlows(p.node)
	if len(list) == 0 {
		return
	}
	p.heading(2, howItWorks)
	w := flowWriter{p.config, p.graph, p.path, p.node.Path}
	for _, f := range list {
		p.b.WriteString(w.text(f))
	}
}

// howItWorks is the heading above the flows of a module.
const howItWorks = "How it works"
