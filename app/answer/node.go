package answer

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/render/node"
)

// Known is the knowledge about a module in a short form.
type Known struct {
	Module       string          `json:"module"`
	Language     string          `json:"language"`
	Kind         string          `json:"kind,omitempty"`
	Fresh        bool            `json:"fresh"`
	Stale        []engine.Reason `json:"stale,omitempty"`
	Purpose      string          `json:"purpose"`
	PurposeFrom  string          `json:"purpose_from"`
	Doc          string          `json:"doc,omitempty"`
	Page         string          `json:"page"`
	Dependencies []string        `json:"dependencies"`
	UsedBy       []string        `json:"used_by"`
	Prose        []Prose         `json:"prose,omitempty"`
	PublicAPI    []Declared      `json:"public_api"`
	Behaviour    []Met           `json:"behaviour"`
	Sources      []string        `json:"sources"`
	Condition    string          `json:"invalidation_condition"`
}

// Prose is a sentence about a module that a model wrote.
type Prose struct {
	Slot  string   `json:"slot"` // overview or how
	Text  string   `json:"text"`
	Cites []string `json:"cites"`
}

// Declared is one element of a module's public API.
type Declared struct {
	Name       string `json:"name"`
	Kind       string `json:"kind"`
	Signature  string `json:"signature"`
	Doc        string `json:"doc,omitempty"` // first sentence
	Deprecated string `json:"deprecated,omitempty"`
	At         string `json:"at"` // file, with lines if known
}

// Met is an element of the user interface, such as a flag or a route.
type Met struct {
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Default string `json:"default,omitempty"`
	Help    string `json:"help,omitempty"`
	File    string `json:"file"`
}

func knownOf(x *workspace.Explanation) *Known {
	n := x.Node
	purpose, from, _ := n.Says()
	k := &Known{
		Module: n.Path, Language: n.Language, Kind: n.Kind, Fresh: x.Fresh, Stale: x.Reasons, Purpose: purpose, PurposeFrom: from,
		Doc: markdown.Plain(n.Doc, n.Language), Page: x.Page, Condition: n.InvalidationCondition,
		Dependencies: append([]string{}, n.Dependencies...), UsedBy: append([]string{}, x.UsedBy...),
		PublicAPI: []Declared{}, Behaviour: []Met{}, Sources: []string{},
	}
	for _, s := range n.Prose {
		if s.Text != "" && s.Slot != "purpose" {
			k.Prose = append(k.Prose, Prose{s.Slot, s.Text, s.Cites})
		}
	}
	for i := range n.PublicAPI {
		k.PublicAPI = append(k.PublicAPI, declared(n, &n.PublicAPI[i]))
	}
	for _, b := range n.Behaviour {
		if b.Name != "" && workspace.ElementWord(b.Kind) != "" {
			k.Behaviour = append(k.Behaviour, Met{workspace.ElementWord(b.Kind), b.Name, b.Default, b.Help, path.Join(n.Path, b.File)})
		}
	}
	for _, s := range n.Sources {
		k.Sources = append(k.Sources, s.Path)
	}
	return k
}

func declared(n *node.Node, s *node.Symbol) Declared {
	file := path.Join(n.Path, s.File)
	d := Declared{s.Name, string(s.Kind), s.Signature, markdown.Plain(s.Doc, languageOf(n, file)), s.Deprecated, file}
	if s.Lines != "" {
		d.At += ":" + s.Lines
	}
	return d
}

func (k *Known) Text() string {
	var b strings.Builder
	state := "fresh"
	if !k.Fresh {
		state = "stale"
	}
	plain.Add(&b, "%s  (%s, %s; %s)\n", k.Module, strings.TrimSpace(k.Language+" "+k.Kind), state, k.Page)
	if k.Purpose != "" {
		plain.Add(&b, "%s\n", k.Purpose)
	}
	for i, r := range k.Stale {
		if i == mostReasons {
			plain.Add(&b, "and %d more reasons\n", len(k.Stale)-i)
			break
		}
		plain.Add(&b, "stale: %s\n", r)
	}
	for _, list := range []struct {
		title string
		names []string
	}{{"depends on", k.Dependencies}, {"used by", k.UsedBy}} {
		if len(list.names) > 0 {
			plain.Add(&b, "%s: %s\n", list.title, strings.Join(list.names, ", "))
		}
	}
	for i, s := range k.Prose {
		if i == 0 {
			b.WriteString("\nwritten by a model\n")
		}
		plain.Add(&b, "  %s  (%s)\n", Line(s.Text), strings.Join(s.Cites, ", "))
	}
	for i, d := range k.PublicAPI {
		if i == 0 {
			b.WriteString("\npublic API\n")
		}
		plain.Add(&b, "  %s  %s  (%s)\n", Line(d.Signature), Line(d.Doc), d.At)
	}
	for i, m := range k.Behaviour {
		if i == 0 {
			b.WriteString("\nuser interface\n")
		}
		plain.Add(&b, "  %s %s  %s  (%s)\n", m.Kind, m.Name, Line(m.Help), m.File)
	}
	return b.String()
}

// Node returns the knowledge about the module that contains a target; nil if the target is something else. Its errors
// are those of Explain.
func Node(ctx context.Context, w *workspace.Workspace, e *workspace.Knowledge, dir, target string) (*Known, error) {
	if err := e.Look(ctx); err != nil {
		return nil, err
	}
	m, err := w.Resolve(e, dir, target)
	if err != nil || !slices.Contains(inModules, m.Meaning) {
		return nil, err
	}
	x, ok, err := e.Explain(ctx, m.Module)
	if err != nil || !ok || x.Node == nil {
		return nil, err
	}
	return knownOf(x), nil
}

var inModules = []workspace.Meaning{workspace.MeansModule, workspace.MeansSymbol, workspace.MeansElement, workspace.MeansFile}
