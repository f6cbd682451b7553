package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render/node"
)

// The overview on the entry page is written from the conclusions about the modules, and kept in store.Overview.

var entryAsks = slot{overviewSlot, "slot `overview`: three to six sentences for a new colleague: what the repository is, its main parts, and how they work together. Cite modules as \"module/PATH\".", 6}

const moduleEvidence = "module"

// mostModules bounds the modules that a model sees; with fewer than fewestModules there is no overview.
const (
	mostModules   = 150
	fewestModules = 2
)

type entryProse struct {
	*node.Overview
	outrun  []string // modules whose lines changed since, as Markdown
	open    bool
	dropped []prompt.Dropped
}

// digest covers a stored page and its overview.
func (o entryProse) digest(page string) string {
	if o.Overview == nil {
		return page
	}
	return fact.Digest(page, string(o.Encode()))
}

// storedOverview reads the kept overview, or nil. It is invalid if the file has conflict markers or other damage.
func (d *Docs) storedOverview() (o *node.Overview, valid bool) {
	data, err := d.files.Read(store.Overview)
	if err != nil {
		return nil, false
	}
	o, err = node.DecodeOverview(data)
	if valid = err == nil; valid {
		return o, true
	}
	if o, err = node.DecodeOverview(node.Ours(data)); err != nil {
		return nil, false
	}
	return o, false
}

// shownModules returns a model's input about the repository.
func (d *Docs) shownModules(g graph) *shownModule {
	if d.config.Text == nil {
		return nil
	}
	modules := slices.DeleteFunc(slices.Clone(g.Linked()), func(m Summary) bool {
		return m.Kind == kindTests || isExample(m) || d.config.Hidden(m.Path+"/_")
	})
	if len(modules) < fewestModules {
		return nil
	}
	s := &shownModule{}
	var paths, lines []string
	for _, m := range modules[:min(len(modules), mostModules)] {
		cite, line := modelCite(m.Path), moduleText(m)
		s.AddRef(cite, line)
		s.AddNames(m.Title, canonical.Path(m.Path))
		s.evidence = append(s.evidence, evidence(moduleEvidence, m.Path, source.DigestOf(line)))
		paths, lines = append(paths, m.Path), append(lines, cite+" "+line)
	}
	s.evidence = append(s.evidence, evidence(listEvidence, ".", source.DigestOf(paths...)))
	s.text = prompt.Data("modules", strings.Join(lines, "\n"))
	return s
}

// moduleText returns the line of a module. It leaves out a derived purpose, which may name hidden code.
func moduleText(m Summary) string {
	text := fmt.Sprintf("%s, %s", m.Title, LanguageTitle(m.Language))
	if m.Kind != "" {
		text += ", " + m.Kind
	}
	if m.Purpose != "" && !m.Derived {
		text += ": " + strings.Join(strings.Fields(m.Purpose), " ")
	}
	if len(m.Deps) > 0 {
		deps := make([]string, len(m.Deps))
		for i, dep := range m.Deps {
			deps[i] = canonical.Path(dep)
		}
		text += " (depends on " + strings.Join(deps, ", ") + ")"
	}
	return text
}

// askPage returns the request for the entry page, or nil if its slot is not open.
func (d *Docs) askPage(in engine.Input, _ map[string]any) (*prompt.Request, error) {
	if in.Unit.Subject != entryPage {
		return nil, nil
	}
	g := &factGraph{facts: facts{r: in}, indexes: &d.indexes}
	shown := d.shownModules(g)
	if g.err != nil {
		return nil, g.err
	}
	if o := d.entryProse(shown, ""); shown == nil || !in.Again && !o.open {
		return nil, nil
	}
	return proseRequest(in.Unit, []slot{entryAsks}, shown.text), nil
}

// entryProse returns the overview from a model's answer, or else the kept one.
func (d *Docs) entryProse(shown *shownModule, raw string) entryProse {
	kept, _ := d.storedOverview()
	if shown == nil {
		return entryProse{Overview: kept}
	}
	var dropped []prompt.Dropped
	if answer, ok := readProse(raw); ok {
		var list []node.Sentence
		list, dropped = answer.hold([]slot{entryAsks}, &shown.Shown, func(cites []grounding.Cite) []string {
			var out []string
			for _, c := range cites {
				out = append(out, c.Ref)
			}
			return out
		})
		if len(list) > 0 {
			return entryProse{Overview: &node.Overview{Prose: list, ProseEvidence: shown.evidence}, dropped: dropped}
		}
	}
	out := entryProse{Overview: kept, open: kept == nil, dropped: dropped}
	if kept == nil {
		return out
	}
	for _, e := range kept.ProseEvidence {
		if !slices.Contains(shown.evidence, e) {
			name := "the list of modules"
			if e.Of != listEvidence+" ." {
				name = markdown.Code(strings.TrimPrefix(e.Of, moduleEvidence+" "))
			}
			out.outrun = append(out.outrun, name)
		}
	}
	out.open = len(out.outrun) > 0
	return out
}

const mostOutrun = 5

func (x *indexPage) overview() {
	if x.prose.Overview == nil {
		return
	}
	list := slices.DeleteFunc(slices.Clone(x.prose.Prose), func(s node.Sentence) bool { return s.Text == "" })
	text := proseText(list, func(cite string) string {
		module, ok := moduleOfCite(cite)
		if _, there := x.graph.Title(module); !ok || !there {
			return markdown.Code(cite)
		}
		return x.moduleCode(module)
	})
	if text == "" {
		return
	}
	x.line("## Overview")
	if outrun := x.prose.outrun; len(outrun) > 0 {
		if more := len(outrun) - mostOutrun; more > 0 {
			outrun = append(outrun[:mostOutrun:mostOutrun], count(more, "more module"))
		}
		x.b.WriteString(outrunBanner(&node.Node{Outrun: outrun, Prose: list}))
	}
	x.line(text)
	x.line("<sub>" + strings.Replace(byModelLegend, "the code that", "the page that", 1) + "</sub>")
}

func (d *Docs) storeOverview(p *Page) error {
	if p.prose.Overview == nil {
		return nil
	}
	_, err := d.files.Write(store.Overview, p.prose.Encode())
	return err
}

// pageDigest returns the Stored digest of a concluded page.
func (p *Page) pageDigest(before *Page) string {
	return p.prose.digest(keep.FileDigest(p.generated, before.generated))
}
