package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/inspect"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// arguments are those of all tools.
type arguments struct {
	Query, Target, Path, Pattern, Glob, About, Question, Context string
	From, To                                                     int
}

// parameter is one argument of a tool.
type parameter struct {
	name, kind, about string
	optional          bool
}

// tool is a tool for the model.
type tool struct {
	name, about string
	parameters  []parameter
	run         func(t *talk, ctx context.Context, in arguments) (about, text string, err error)
}

func needed(name, about string) parameter { return parameter{name: name, kind: "string", about: about} }

func optional(name, kind, about string) parameter { return parameter{name, kind, about, true} }

var tools []tool

func init() { //nolint:gochecknoinits // the tools call each other: a child frame has them as well
	tools = []tool{
		{"search", "Finds files and recorded events by words, with the lines that have them.", []parameter{needed("query", "a few words")}, (*talk).search},
		{"node", "Describes a module: purpose, public API with places, dependencies, dependants.", []parameter{needed("target", "a module, symbol or file")}, (*talk).node},
		{"why", "Explains a statement of the documentation, or a recorded event: its evidence.", []parameter{needed("target", "a module, symbol, file, principle or event id")}, (*talk).why},
		{"read", "Shows lines of a file, at most 400 a call.", []parameter{needed("path", "from the root of the repository"), optional("from", "integer", "first line"), optional("to", "integer", "last line")}, (*talk).read},
		{"grep", "Finds lines by a regular expression (RE2).", []parameter{needed("pattern", "the expression"), optional("glob", "string", "paths to look into, such as **/*.go; all by default")}, (*talk).grep},
		{"history", "Lists the last commits that changed a file.", []parameter{needed("path", "from the root of the repository")}, (*talk).history},
		{"decisions", "Lists recorded decisions, objections and their standing.", []parameter{optional("about", "string", "a topic; all by default")}, (*talk).decisions},
		{askTool, "Answers a part of the question in a separate conversation with the same tools.", []parameter{needed("question", "the part"), optional("context", "string", "what has to be known to answer it")}, (*talk).child},
	}
}

const askTool = "ask"

// tools lists the tools of a request, without the answer.
func (t *talk) tools() []prompt.Tool {
	var out []prompt.Tool
	for _, tool := range tools {
		if tool.name != askTool || t.level < t.depth {
			out = append(out, prompt.Tool{Name: tool.name, Description: tool.about, Schema: tool.schema()})
		}
	}
	return out
}

func (t tool) schema() json.RawMessage {
	properties, required := map[string]any{}, []string{}
	for _, p := range t.parameters {
		properties[p.name] = map[string]string{"type": p.kind, "description": p.about}
		if !p.optional {
			required = append(required, p.name)
		}
	}
	data, _ := json.Marshal(map[string]any{"type": "object", "properties": properties, "required": required}) // strings alone
	return data
}

// call runs one call and returns its output as data.
func (t *talk) call(ctx context.Context, c prompt.Call) (string, error) {
	for _, tool := range tools {
		if tool.name != c.Name || tool.name == askTool && t.level >= t.depth {
			continue
		}
		var in arguments
		if err := json.Unmarshal(c.Arguments, &in); err != nil {
			return "the arguments have another form than the tool", nil //nolint:nilerr // the model gets the error
		}
		about, text, err := tool.run(t, ctx, in)
		if err != nil {
			return "", err
		}
		return prompt.Data(tool.name, plain.Line(about, 200)+"\n"+text), nil // a path is data as well
	}
	return "there is no such tool", nil
}

// mostLines is how many lines one call reads.
const mostLines = 400

// look runs a call that looks into files.
func (t *talk) look(ctx context.Context, c inspect.Call) (about, text string, err error) {
	out, err := t.Knowledge.Shown().Run(ctx, c)
	if err != nil {
		return "", "", err
	}
	for _, p := range out.Places {
		t.shown.AddLines(p.File, p.From, p.Lines)
	}
	for _, e := range out.Events {
		t.event(e)
	}
	return c.About, out.Text, t.observe(ctx, c.Pinned(out).Fact())
}

func (t *talk) search(ctx context.Context, in arguments) (about, text string, err error) {
	return t.look(ctx, inspect.Call{Tool: inspect.Search, About: strings.TrimSpace(in.Query)})
}

func (t *talk) read(ctx context.Context, in arguments) (about, text string, err error) {
	from := max(in.From, 1)
	to := in.To
	if to == 0 || to > from+mostLines-1 {
		to = from + mostLines - 1
	}
	to = max(to, from)
	return t.look(ctx, inspect.Call{Tool: inspect.Read, About: in.Path, From: from, To: to})
}

func (t *talk) grep(ctx context.Context, in arguments) (about, text string, err error) {
	glob := in.Glob
	if glob == "" {
		glob = "**"
	}
	return t.look(ctx, inspect.Call{Tool: inspect.Grep, About: in.Pattern, Glob: glob})
}

func (t *talk) history(ctx context.Context, in arguments) (about, text string, err error) {
	return t.look(ctx, inspect.Call{Tool: inspect.History, About: in.Path})
}

// event lets sentences cite an event, by its id or the beginning of it.
func (t *talk) event(e *ledger.Event) {
	for _, name := range []string{string(e.ID), e.ID.Short(), "event " + e.ID.Short()} {
		t.shown.AddRef(name, e.Text, grounding.Cite{Ref: "event " + e.ID.Short()})
	}
}

func (t *talk) decisions(ctx context.Context, in arguments) (about, text string, err error) {
	d := answer.DecisionsOf(t.Ledger, in.About, false)
	for _, list := range [][]answer.Item{d.Current, d.Contested, d.Open, d.Past} {
		for _, i := range list {
			if e, ok := t.Ledger.Find(i.ID); ok {
				t.event(e)
			}
		}
	}
	return in.About, d.Text(), t.observe(ctx, ledger.Positions)
}

// target resolves a target to the fact behind it; refused is the reason for showing nothing.
func (t *talk) target(ctx context.Context, target string) (f fact.Fact, refused string, err error) {
	unknown := workspace.FactOf(workspace.Meant{})
	if err := t.Knowledge.Look(ctx); err != nil {
		return unknown, "", err
	}
	m, err := t.Workspace.Resolve(t.Knowledge, t.Workspace.Root(), target)
	if refused = meant(err); refused != "" {
		return unknown, refused, nil
	}
	if err != nil {
		return unknown, "", err
	}
	if m.Meaning == workspace.MeansAnswer || m.Meaning == workspace.MeansAnswers {
		return unknown, "answers of models are no source", nil
	}
	if m.Module != "" && t.Knowledge.Conceals(m.Module) {
		return workspace.FactOf(m), "some files of " + m.Module + " may not be shown: read the others", nil
	}
	return workspace.FactOf(m), "", nil
}

// meant explains an ambiguous or unknown target; empty for other errors.
func meant(err error) string {
	var several *workspace.AmbiguousError
	var unknown *workspace.UnknownError
	var choices []workspace.Choice
	switch {
	case errors.As(err, &several):
		choices = several.Choices
	case errors.As(err, &unknown):
		choices = unknown.Nearest
	default:
		return ""
	}
	out := err.Error()
	for _, c := range choices[:min(len(choices), 10)] {
		out += "\n" + c.Typed + "  " + c.About
	}
	return out
}

func (t *talk) node(ctx context.Context, in arguments) (about, text string, err error) {
	f, refused, err := t.target(ctx, in.Target)
	if err != nil || refused != "" {
		return in.Target, refused, errors.Join(err, t.observe(ctx, f))
	}
	k, err := answer.Node(ctx, t.Workspace, t.Knowledge, t.Workspace.Root(), in.Target)
	if err != nil {
		return "", "", err
	}
	if k == nil {
		return t.why(ctx, in)
	}
	t.nodeShown(k)
	return in.Target, k.Text(), t.observe(ctx, f)
}

// nodeShown lets sentences cite a node by its module, and its symbols by their names.
func (t *talk) nodeShown(k *answer.Known) {
	cite := grounding.Cite{Ref: "node " + k.Module}
	t.shown.AddRef(k.Module, k.Text(), cite)
	t.shown.AddRef(cite.Ref, k.Text(), cite)
	t.shown.AddNames(k.Module, path.Base(k.Module))
	for _, d := range k.PublicAPI {
		qualified := path.Base(k.Module) + "." + d.Name
		t.shown.AddNames(d.Name, qualified)
		t.shown.AddRef(qualified, d.Signature+"\n"+d.Doc, cite)
	}
}

func (t *talk) why(ctx context.Context, in arguments) (about, text string, err error) {
	if answer.NamesEvent(in.Target) {
		trail, err := answer.TrailOf(t.Ledger, in.Target)
		if err == nil {
			return t.trail(ctx, in.Target, trail)
		}
		if dropped := new(reasoning.DropError); !errors.As(err, &dropped) {
			return "", "", err
		}
	}
	f, refused, err := t.target(ctx, in.Target)
	if err != nil || refused != "" {
		return in.Target, refused, errors.Join(err, t.observe(ctx, f))
	}
	w, err := answer.Explain(ctx, t.Workspace, t.Knowledge, t.Workspace.Root(), in.Target)
	if refused := meant(err); refused != "" {
		return in.Target, refused, t.observe(ctx, f)
	}
	if err != nil {
		return "", "", err
	}
	text = w.Text(false)
	if w.Module != "" {
		t.shown.AddRef("node "+w.Module, text, grounding.Cite{Ref: "node " + w.Module})
		t.shown.AddNames(w.Module, w.Symbol)
	}
	return in.Target, text, t.observe(ctx, f)
}

func (t *talk) trail(ctx context.Context, target string, trail *answer.Trail) (about, text string, err error) {
	rest := ledger.Positions
	for _, x := range append([]answer.Event{trail.Event}, trail.Trail...) {
		e, ok := t.Ledger.Find(x.ID)
		if !ok {
			continue
		}
		t.event(e)
		if !e.Type.Position() {
			rest = ledger.AllEvents
		}
	}
	return target, trail.Text(), t.observe(ctx, rest)
}

// child asks a part of the question in a child frame.
func (t *talk) child(ctx context.Context, in arguments) (about, text string, err error) {
	question := strings.Join(strings.Fields(in.Question), " ")
	if question == "" || len(question)+len(in.Context) > 4*LongestQuestion {
		return question, fmt.Sprintf("a question has from 1 to %d bytes", LongestQuestion), nil
	}
	f := t.known[frameKey(question, in.Context)]
	if f == nil {
		if f, err = t.ask(ctx, t.level+1, question, in.Context, nil); err != nil {
			return "", "", err
		}
		t.known[frameKey(question, in.Context)] = f
	}
	t.frame.adopt(f)
	text, err = t.told(ctx, f)
	return question, text, err
}

// adopt makes a frame a child, once.
func (f *Frame) adopt(child *Frame) {
	if !slices.Contains(f.Children, child) {
		f.Children = append(f.Children, child)
	}
}

// told is the answer of another frame with the cited lines, which this frame may cite as well.
func (t *talk) told(ctx context.Context, f *Frame) (string, error) {
	var b strings.Builder
	if len(f.Sentences) == 0 {
		b.WriteString("no answer was found\n")
	}
	seen := map[grounding.Cite]bool{}
	var cited []grounding.Cite
	for _, s := range f.Sentences {
		names := make([]string, len(s.Cites))
		for i, c := range s.Cites {
			names[i] = c.String()
			if !seen[c] {
				seen[c] = true
				cited = append(cited, c)
			}
			if c.Ref != "" {
				t.shown.AddRef(c.Ref, s.Text, c)
			}
		}
		fmt.Fprintf(&b, "- %s [%s]\n", s.Text, strings.Join(names, ", "))
	}
	for _, open := range f.Open {
		b.WriteString("open: " + open + "\n")
	}
	for _, c := range cited {
		if c.File == "" {
			continue
		}
		out, err := t.Knowledge.Shown().Run(ctx, inspect.Call{Tool: inspect.Read, About: c.File, From: c.From, To: c.To})
		if err != nil {
			return "", err
		}
		for _, p := range out.Places {
			t.shown.AddLines(p.File, p.From, p.Lines)
		}
		b.WriteString("\n" + c.String() + "\n" + out.Text)
	}
	return b.String(), nil
}
