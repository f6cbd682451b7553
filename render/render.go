// Package render is the Living Docs plugin: it turns what the core knows of a module into a knowledge node, and nodes
// into Markdown pages that people read. Facts come from the code; the only words are those that people wrote in it.
package render

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/node"
	"github.com/causaldocs/causal/knowledge/store"
)

// Version is part of every node's generator: raise it when the same input gives another node or page.
const Version = "docs/4"

// Files is where the plugin keeps what it makes.
type Files interface {
	Read(name string) ([]byte, error)
	Write(name string, data []byte) (changed bool, err error)
	Remove(name, upTo string) error
}

// Config is what a user may set about pages.
type Config struct {
	Layout store.Layout
	// Repository is the address of the repository on the web, for permanent links; empty for relative ones.
	Repository string
	// Branch is what links to a directory as a whole lead to.
	Branch string
	// FrontMatter is false for pages without any.
	FrontMatter bool
}

// Docs is the plugin.
type Docs struct {
	config  Config
	library engine.Library
	files   Files
	stored  sync.Map // nodes of this run by module, so that rendering need not read them again
}

// New returns the plugin over what the core knows and a place to write.
func New(config Config, library engine.Library, files Files) *Docs {
	return &Docs{config: config, library: library, files: files}
}

var (
	_ engine.Plugin    = (*Docs)(nil)
	_ engine.Presenter = (*Docs)(nil)
)

// TransformInput decides what a model would see of a module: its documentation as written, and what is in it.
func (d *Docs) TransformInput(raw any, _ engine.CoreContext) (map[string]any, error) {
	in, ok := raw.(engine.Input)
	if !ok {
		return nil, fmt.Errorf("living docs take a module, not %T", raw)
	}
	m := in.Known.Module
	slice := map[string]any{"module": m.Path, "language": m.Language(), "kind": kindOf(in.Known)}
	if doc, file := m.Doc(); doc != "" {
		slice["doc"], slice["doc_file"] = lead(doc), file
	} else if r := in.Known.Readme; r != nil && r.File.Doc != "" {
		slice["readme"], slice["readme_file"] = lead(r.File.Doc), r.Path
	}
	slice["name"] = nameOf(in.Known)
	slice["contents"] = composition(in.Known)
	return slice, nil
}

// lead is what the purpose is taken from: the first paragraphs of a documentation. A frame keeps what it was shown.
func lead(doc string) string {
	const enough = 1200
	if len(doc) <= enough {
		return doc
	}
	if i := strings.LastIndex(doc[:enough], "\n\n"); i > 0 {
		return doc[:i]
	}
	return strings.ToValidUTF8(doc[:enough], "")
}

// answer is what a model, or the plugin's own draft, says of a module.
type answer struct {
	Purpose string `json:"purpose"`
	From    string `json:"from"`
	File    string `json:"file,omitempty"`
}

// Draft answers without a model: the first sentence that somebody wrote about the module, or what is in it.
func (d *Docs) Draft(slice map[string]any) (string, error) {
	text := func(key string) string { s, _ := slice[key].(string); return s }
	a := answer{From: node.FromDerived, Purpose: text("contents")}
	if s := purpose(text("doc"), text("language"), text("name")); s != "" {
		a = answer{From: node.FromDoc, Purpose: s, File: text("doc_file")}
	} else if s := purpose(text("readme"), "markdown", text("name")); s != "" {
		a = answer{From: node.FromDoc, Purpose: s, File: text("readme_file")}
	}
	out, err := json.Marshal(a)
	return string(out), err
}

// ParseOutput makes the node: the purpose from the answer, everything else from the code.
func (d *Docs) ParseOutput(raw string, f frame.Frame) (engine.Parsed, error) {
	var a answer
	if err := json.Unmarshal([]byte(raw), &a); err != nil {
		return engine.Parsed{}, fmt.Errorf("read the answer: %w", err)
	}
	module, _ := f.ContextSlice["module"].(string)
	in, ok := d.library.Input(module)
	if !ok {
		return engine.Parsed{}, fmt.Errorf("module %q is not there", module)
	}
	n := build(in, a)
	c, err := derive(n)
	if err != nil {
		return engine.Parsed{}, fmt.Errorf("condition of %s: %w", module, err)
	}
	n.InvalidationCondition = c.String()
	if in.Previous != nil {
		if u, broken := in.Known.Broken(); broken && canKeep(in.Previous) {
			n = keepLast(in, n, u)
		}
	}
	n.Seal()
	provenance(in, n)
	return engine.Parsed{
		Conclusion: n.Purpose, Evidence: engine.EvidenceOf(n), Confidence: confidence(n),
		InvalidationCondition: c, Digest: string(n.Digest), Node: n,
	}, nil
}

// Store writes the node.
func (d *Docs) Store(p engine.Parsed, _ frame.Frame) error {
	n := p.Node
	if _, err := d.files.Write(d.config.Layout.Node(n.Path), n.Encode()); err != nil {
		return fmt.Errorf("store node of %s: %w", n.Path, err)
	}
	d.stored.Store(n.Path, n)
	return nil
}

// derive builds the invalidation condition from what the node was derived from.
func derive(n *node.Node) (condition.Condition, error) {
	pattern := "*"
	if n.Path != "." {
		dir, err := condition.PathGlob(n.Path)
		if err != nil {
			return condition.Condition{}, err
		}
		pattern = dir.String() + "/*"
	}
	terms := []condition.Condition{engine.Vocabulary.Call("modified", pattern)}
	if slices.ContainsFunc(n.Uses, func(u node.Use) bool { return u.Name != "" }) {
		terms = append(terms, engine.Vocabulary.Call("interface_changed", "*")) // of anything that the uses name
	}
	return condition.Any(terms...), nil
}

// confidence is 1 for what was read whole: it is a reading, not a guess. What was read in part, or is kept from
// before, is less.
func confidence(n *node.Node) float64 {
	switch {
	case n.Stale != "":
		return 0.3
	case len(n.Problems()) > 0:
		return 0.6
	}
	return 1
}
