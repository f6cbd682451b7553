// Package render is the Living Docs plugin: it turns the facts about a module into a knowledge node, and nodes into
// Markdown pages. Facts are read from the code; prose is quoted from it,
// or written by a model if one is configured.
package render

import (
	"fmt"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Version is part of every node's generator. Raise it when the same input gives another node or page.
const Version = "docs/42"

// Files stores the plugin's output.
type Files interface {
	Read(name string) ([]byte, error)
	Write(name string, data []byte) (changed bool, err error)
	Remove(name, upTo string) error
	// Below returns all files below a directory, none if it does not exist.
	Below(dir string) ([]string, error)
}

// Config holds the page settings.
type Config struct {
	Layout store.Layout
	// Repository is the web address of the repository for permanent links, empty for relative links.
	Repository string
	// FrontMatter enables the front matter of pages.
	FrontMatter bool
	// Others are pages of other plugins that the entry page lists.
	Others []Other
	// More lists further pages of other plugins from facts; it may be nil.
	More func(r engine.Reader) ([]Other, error)
	// Tested adds tests to pages: a room answers TestedFacts.
	Tested bool
	// Happened adds the log of modules to pages: a room answers ledger.HappenedFacts.
	Happened bool
	// Text reads a file for a model; nil disables models. Hidden reports whether a model may not see a file; nil hides
	// none.
	Text   func(file string) ([]byte, error)
	Hidden func(file string) bool
}

// Other is a page of another plugin. It exists if there are units of a kind.
type Other struct {
	Kind, Path   string
	Title, About string
}

func (o Other) there(f *facts) bool { return len(f.units(o.Kind)) > 0 }

// of reads the settings as facts, which invalidates a page only if a setting that it depends on changes.
func (c Config) of(f *facts) Config {
	c.Repository = ask(f, survey.Setting, survey.Repository)
	if f.err == nil {
		c.FrontMatter, f.err = survey.FrontMatter(f.r)
	}
	return c
}

// Docs is the plugin. It implements engine.Plugin.
type Docs struct {
	config   Config
	files    Files
	versions map[string]int
	leftOut  func(module string) bool
	latest   latest
	indexes  partIndexes
}

// New returns the plugin with its storage. leftOut reports whether the configuration excludes the source of a missing
// module.
func New(config Config, files Files, languages []source.Language, leftOut func(module string) bool) *Docs {
	d := &Docs{config: config, files: files, versions: map[string]int{}, leftOut: leftOut, indexes: partIndexes{byModule: map[string]*source.PartIndex{}}}
	if d.config.Hidden == nil {
		d.config.Hidden = func(string) bool { return false }
	}
	for _, l := range languages {
		d.versions[l.Name()] = l.Version()
	}
	return d
}

var _ engine.Plugin = (*Docs)(nil)

// Vocabulary is the vocabulary of the conditions of Living Docs.
var Vocabulary = engine.Vocabulary(survey.Words)

// The kinds of units.
const (
	ModuleKind = "module" // knowledge node, by module path
	PageKind   = "page"   // page of a module by its path, or an overview
)

// ModuleUnit returns the unit of a module.
func ModuleUnit(path string) engine.Unit { return engine.Unit{Kind: ModuleKind, Subject: path} }

// Kinds implements engine.Plugin.
func (d *Docs) Kinds() []engine.Kind { return []engine.Kind{d.moduleKind(), d.pageKind()} }

// TransformInput implements engine.Plugin. A model sees the documentation of a module, its contents, and the changed
// files. Pages have no input.
func (d *Docs) TransformInput(in engine.Input, _ engine.CoreContext) (map[string]any, error) {
	if in.Unit.Kind == PageKind {
		return map[string]any{"page": canonical.Path(in.Unit.Subject)}, nil
	}
	return transformModule(in)
}

// Draft implements engine.Plugin: it answers without a model.
func (d *Docs) Draft(slice map[string]any) (string, error) {
	if _, page := slice["page"]; page {
		return "{}", nil
	}
	return string(mustJSON(draftOf(slice))), nil
}

// ParseOutput implements engine.Plugin.
func (d *Docs) ParseOutput(raw string, in engine.Input, f frame.Frame) (engine.Conclusion, error) {
	if in.Unit.Kind == PageKind {
		return d.concludePage(raw, in)
	}
	return d.concludeModule(raw, in, f.ContextSlice)
}

// Store implements engine.Plugin: it writes the node or the page.
func (d *Docs) Store(c engine.Conclusion, _ frame.Frame) error {
	name, data := d.config.Layout.Node(c.Unit.Subject), []byte(nil)
	switch body := c.Body.(type) {
	case *Module:
		data = body.Node.Encode()
	case *Page:
		if name = d.pathOfPage(c.Unit.Subject); body.generated == "" {
			if err := d.files.Remove(name, d.config.Layout.Docs); err != nil {
				return fmt.Errorf("store %s: %w", c.Unit, err)
			}
			return nil
		}
		data = []byte(keep.Join(body.generated, body.keeps))
		if err := d.storeOverview(body); err != nil {
			return fmt.Errorf("store %s: %w", c.Unit, err)
		}
	}
	if _, err := d.files.Write(name, data); err != nil {
		return fmt.Errorf("store %s: %w", c.Unit, err)
	}
	return nil
}
