package render

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// Module is the body of a module's conclusion.
type Module struct {
	// Node is the knowledge node. If it was loaded from its file, it has only the openings of documentations.
	Node  *node.Node
	shown func(k *survey.Module) []source.Unit // to a model
	// source reads the documented source; nil if the node is complete.
	source func() (*survey.Module, []survey.Manual, error)
	other  func(module string) (*survey.Module, error)
}

// tracedFiles traces the difference of two nodes of a module to its files.
func tracedFiles(stored, now *engine.Conclusion) (files map[string]bool, ok bool) {
	a, known := stored.Body.(*Module)
	b, made := now.Body.(*Module)
	if !known || !made {
		return nil, false
	}
	return node.DifferingFiles(a.Node, b.Node)
}

// latest caches the outline of the last module: the pages of its parts are written one after another.
type latest struct {
	mu     sync.Mutex
	module *Module
	found  *outline
}

func (l *latest) outline(m *Module, parts *source.PartIndex) (*outline, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.module == m && l.found.index == parts {
		return l.found, nil
	}
	n, err := m.whole()
	if err != nil {
		return nil, err
	}
	l.module, l.found = m, newOutline(n, parts)
	return l.found, nil
}

// whole returns the node with the parts that its file leaves out: full documentations and tests. Reading the source
// needs no evidence, since the conclusion's digest covers it. A node that keeps an old text is returned unchanged: its
// source cannot be read.
func (m *Module) whole() (*node.Node, error) {
	if m.source == nil || !m.Node.Fresh() {
		return m.Node, nil
	}
	k, manual, err := m.source()
	if err != nil {
		return nil, fmt.Errorf("read what %s documents: %w", m.Node.Path, err)
	}
	n := *m.Node
	n.Outrun = outrun(k, m.shown(k), n.ProseEvidence)
	n.PublicAPI = slices.Clone(n.PublicAPI)
	declared := byName(k)
	if err := inheritedDocs(&n, k, m.other); err != nil {
		return nil, err
	}
	for i := range n.PublicAPI {
		if s := &n.PublicAPI[i]; s.Doc != "" && s.Inherited == "" && s.DocFrom == "" {
			if d := declared[s.Name]; d != nil {
				s.Doc, s.Overloads = d.Doc, d.Overloads
			}
		}
	}
	describe(&n, manual)
	for _, u := range k.Module.Units {
		n.Tests = append(n.Tests, u.File.Tests...)
	}
	slices.Sort(n.Tests)
	return &n, nil
}

func (d *Docs) moduleKind() engine.Kind {
	return engine.Kind{
		Name:      ModuleKind,
		Derived:   true,
		Hidden:    []fact.Family{fact.Symbols}, // nodes have the names of other modules, and no signatures
		Subjects:  func(r engine.Reader) ([]string, error) { return survey.Modules(r) },
		Generator: d.generator,
		Path:      d.config.Layout.Node,
		Owner: func(file string) (string, bool) {
			if !d.config.Layout.IsNode(file) {
				return "", false
			}
			return d.config.Layout.ModuleOf(file)
		},
		Ask: d.askModule, Load: d.loadModule, Remove: d.removeModule, Annotate: nameSymbols, Differing: tracedFiles,
		Gone: func(_ engine.Reader, module string) engine.Reason {
			if d.leftOut(module) {
				return engine.Reason{Because: "excluded", Detail: "its source is excluded by " + store.Config}
			}
			return engine.Reason{Because: "removed", Detail: "its source is gone"}
		},
	}
}

// generator returns the versions of the plugin and of the language that determine a module's conclusion.
func (d *Docs) generator(r engine.Reader, module string) (string, error) {
	language, err := survey.LanguageOf(r, module)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %s/%d", Version, strings.ReplaceAll(language, " ", "-"), d.versions[language]), nil
}

// transformModule selects a model's view of a module.
func transformModule(in engine.Input) (map[string]any, error) {
	f := &facts{r: in}
	k := ask(f, survey.Read, in.Unit.Subject)
	described, typing := ask(f, description, k), ask(f, survey.TypingOf, k)
	implements := ask(f, survey.ImplementsOf, in.Unit.Subject)
	if f.err != nil {
		return nil, f.err
	}
	m := k.Module
	slice := map[string]any{"module": canonical.Path(m.Path), "language": m.Language(), "kind": kindOf(k)}
	if doc, file := m.Doc(); doc != "" && !ofOneClass(k, doc) {
		slice["doc"], slice["doc_file"] = lead(doc), canonical.Path(file)
	} else if r := k.Readme; r != nil && r.File.Doc != "" {
		slice["readme"], slice["readme_file"] = lead(r.File.Doc), canonical.Path(r.Path)
	} else if described.Text != "" {
		slice["described"], slice["described_file"] = described.Text, canonical.Path(described.File)
	} else if d, ok := namesake(k, typing); ok {
		slice["symbol"], slice["symbol_file"] = lead(d.Doc), canonical.Path(d.Path)
	}
	slice["name"], slice["contents"] = nameOf(k), composition(k, implements)
	return slice, nil
}

// concludeModule makes the node: prose from a model's answer, everything else from the code.
func (d *Docs) concludeModule(raw string, in engine.Input, slice map[string]any) (engine.Conclusion, error) {
	f, module := &facts{r: in}, in.Unit.Subject
	k := ask(f, survey.Read, module)
	described, r := ask(f, description, k), ask(f, survey.TypingOf, k)
	flows, implements := ask(f, survey.FlowsOf, module), ask(f, survey.ImplementsOf, module)
	manual, quoted := ask(f, survey.ManualOf, module), ask(f, survey.ExamplesOf, module)
	var shown []string
	if len(flows) > flowsShown {
		shown = ask(f, survey.QuotedOf, ".")
	}
	heirs := heirsOf(f, k)
	if f.err != nil {
		return engine.Conclusion{}, f.err
	}
	n := build(k, r, flows, shown, implements, manual, heirs, draftOf(slice))
	n.Manifest, n.Described = described.File, described.Text
	n.Examples = append(n.Examples, quotations(quoted)...)
	c, err := derive(n, slices.ContainsFunc(k.Uses, func(u source.Use) bool { return u.Name != "" }))
	if err != nil {
		return engine.Conclusion{}, fmt.Errorf("condition of %s: %w", in.Unit.Subject, err)
	}
	n.InvalidationCondition = c.String()
	if u, unread := k.Broken(); unread {
		if was, ok := canKeep(in.Previous); ok {
			n = keepLast(was, n, u)
		}
	}
	was := nodeOf(in.Previous)
	open, dropped, err := d.addProse(n, was, k, flows, raw)
	if err != nil {
		return engine.Conclusion{}, err
	}
	n.Seal()
	was = cmp.Or(was, &node.Node{})
	places(k, heirs, in.Origin, was, n)
	placesOfQuotations(quoted, in.Origin, was, n)
	placesOfManual(manual, in.Origin, was, n)
	out := conclusionOf(n)
	out.Open, out.Dropped = open, dropped
	return out, nil
}

func conclusionOf(n *node.Node) engine.Conclusion {
	x := extensionsIn(n)
	excerpts := pluggedParts(x)
	maps.Copy(excerpts, map[string]string{
		labelPart: n.Module, linePart: summaryOf(n).encode(), depsPart: encodePaths(n.Dependencies), flowPart: flowsExcerpt(n), surfacePart: encodeSurface(n),
		extensionPart: encodeExtensions(x), dataPart: encodeData(n), testsPart: hasTestFiles(n),
	})
	c := storedConclusion(&Module{Node: n})
	c.Digest, c.Excerpts = string(n.Whole()), excerpts
	return c
}

// storedConclusion returns the conclusion in a node's file.
func storedConclusion(m *Module) engine.Conclusion {
	n := m.Node
	return engine.Conclusion{
		Text: cmp.Or(n.Purpose, canonical.Path(n.Path)), Body: m, Digest: string(n.Digest), Stored: string(n.Digest), Outdated: n.Outdated,
		Confidence: confidence(n), Condition: n.InvalidationCondition, Kept: n.Stale, Partial: len(n.Problems()) > 0,
	}
}

// The excerpts of a node that other pages depend on.
const (
	labelPart = "label" // the module's title
	linePart  = "line"  // its line in lists of modules
	depsPart  = "deps"  // its dependencies
	flowPart  = "flow"  // its flows
	testsPart = "tests" // whether it has test files
)

// nodeOf returns the node of a conclusion, nil without any.
func nodeOf(c *engine.Conclusion) *node.Node {
	if c == nil || c.Body == nil {
		return nil
	}
	return c.Body.(*Module).Node
}

// description returns the description in a manifest of an otherwise undescribed module.
func description(r survey.Reader, k *survey.Module) (survey.Description, error) {
	doc, _ := k.Module.Doc()
	if !undescribed(kindOf(k), doc, k.Readme != nil) {
		return survey.Description{}, nil
	}
	return survey.DescriptionOf(r, k.Module.Path)
}

// undescribed reports whether the description in a manifest counts: only if nothing closer exists, since every change
// of the manifest would otherwise invalidate the module.
func undescribed(kind, doc string, readme bool) bool {
	return kind != kindTests && doc == "" && !readme
}

// obstacle reports a foreign file in the place of a node, which the user has to move.
func obstacle(err error) []engine.Problem {
	return []engine.Problem{{Because: err.Error() + ", which is never overwritten", Mend: "remove it; the next run writes the node"}}
}

// loadModule reads the node of a module. It is blocked if the file cannot be a causal node.
func (d *Docs) loadModule(r engine.Reader, module string) (*engine.Conclusion, error) {
	data, err := d.files.Read(d.config.Layout.Node(module))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, store.ErrTooLarge):
		return &engine.Conclusion{Damaged: "cannot be read: " + err.Error()}, nil
	case errors.Is(err, store.ErrOccupied):
		return &engine.Conclusion{Blocked: obstacle(err)}, nil
	case err != nil:
		return nil, fmt.Errorf("read node: %w", err)
	}
	n, err := node.Decode(data)
	switch {
	case err != nil:
		c := &engine.Conclusion{Damaged: "cannot be read: " + err.Error()}
		if ours, failed := node.Decode(node.Ours(data)); failed == nil && ours.Path == module { // the next node keeps its prose
			c.Body = &Module{Node: ours}
		}
		return c, nil
	case n.Path != module:
		return &engine.Conclusion{Damaged: fmt.Sprintf("is about %s", n.Path)}, nil
	}
	c := storedConclusion(&Module{Node: n, shown: d.shownUnits, source: func() (*survey.Module, []survey.Manual, error) {
		f := &facts{r: r}
		k, manual := ask(f, survey.Read, module), ask(f, survey.ManualOf, module)
		return k, manual, f.err
	}, other: func(module string) (*survey.Module, error) { return survey.Read(r, module) }})
	return &c, nil
}

func (d *Docs) removeModule(module string) (engine.Removal, error) {
	name := d.config.Layout.Node(module)
	_, err := d.files.Read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return engine.Removal{}, nil
	case errors.Is(err, store.ErrTooLarge):
		err = nil
	case errors.Is(err, store.ErrOccupied):
		return engine.Removal{Blocked: obstacle(err)}, nil
	}
	if err == nil {
		err = d.files.Remove(name, store.Top)
	}
	return engine.Removal{Done: err == nil}, err
}

// derive builds the condition from the node's inputs. uses reports whether it names symbols of other modules.
func derive(n *node.Node, uses bool) (condition.Condition, error) {
	pattern := "*"
	if n.Path != "." {
		dir, err := condition.PathGlob(n.Path)
		if err != nil {
			return condition.Condition{}, err
		}
		pattern = dir.String() + "/*"
	}
	terms := []condition.Condition{Vocabulary.Call("modified", pattern)}
	for i := range n.PublicAPI {
		if s := &n.PublicAPI[i]; s.From != "" && s.Inherited != "" {
			file, err := condition.PathGlob(s.Source)
			if err != nil {
				return condition.Condition{}, err
			}
			terms = append(terms, Vocabulary.Call("modified", file.String()))
		}
	}
	if uses {
		terms = append(terms, Vocabulary.Call("interface_changed", "*")) // of any used name
	}
	return condition.Any(terms...), nil
}

// confidence is 1 for a module that was read completely, and less for one that was read in part or kept.
func confidence(n *node.Node) float64 {
	switch {
	case n.Stale != "":
		return 0.3
	case len(n.Problems()) > 0:
		return 0.6
	}
	return 1
}
