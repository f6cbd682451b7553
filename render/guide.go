package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/survey"
)

// guide writes the entry point for coding agents, after llmstxt.org: a name, a summary, and lists of links.
type guide struct {
	sheet
	intro  introduction
	system system
	spare  []Overview // the existing ones
	// there reports whether a part of a module has a page; nil means that all do.
	there func(topic) bool
}

// guideBytes bounds the guide: an agent reads it whole and needs room for the linked pages.
const guideBytes = 56 << 10

// guideNotes are the lengths in characters to which module descriptions are cut, one after another, if the guide is too
// large; 0 means uncut.
var guideNotes = []int{0, 100, 40}

type guideSection struct {
	heading string
	lines   []guideLine
}

type guideLine struct {
	link, about string
	why         string // to read it, as Markdown
	module      string // set if the line may be left out
	aside       bool   // of low priority
	written     bool   // by a model
}

func (x *guide) render() string {
	modules := x.graph.Linked()
	name, about, _ := x.intro.of(x.config, x.graph)
	head := "# " + markdown.Escape(name) + "\n\n"
	if about != "" {
		head += "> " + markdown.Escape(about) + "\n\n"
	}
	// Parsers of llms.txt expect nothing before the title, and only links under a heading.
	head += keep.Mark + "\nLinks are relative to this file and lead to Markdown. A module page lists the API under the names that callers use, " +
		"with declarations, documentation, links to the source, dependencies and dependants. " + origin(modules) + "\n"
	sections, text := x.sections(modules, name), ""
	for _, longest := range guideNotes {
		if text = writeGuide(sections, longest); len(head)+len(text) <= guideBytes {
			return head + text
		}
	}
	shortest := guideNotes[len(guideNotes)-1]
	return head + writeGuide(fewer(sections, modules, len(head)+len(text)-guideBytes, shortest), shortest)
}

func origin(modules []Summary) string {
	if slices.ContainsFunc(modules, func(m Summary) bool { return m.Written }) {
		return byModel + " marks text by a language model. All other content is derived from the code."
	}
	return "All content is derived from the code."
}

// sections orders the links: the reading order of newcomers, then the other modules, then those of low priority.
func (x *guide) sections(modules []Summary, name string) []guideSection {
	first := guideSection{heading: "Read in this order"}
	told := map[string]bool{}
	var bundles []survey.Bundle // with a line
	for _, r := range x.system.order(modules, name) {
		told[r.module.Path] = true
		l := x.line(r.module)
		l.module, l.why = "", r.why
		first.lines = append(append(first.lines, l), x.partLines(r.module.Path)...)
	}
	out := []guideSection{{heading: "Start here", lines: x.pages()}, first}
	last := guideSection{heading: "Optional", lines: []guideLine{{link: x.link("all modules", x.config.Layout.ModuleList()), about: "one line for each"}}}
	for _, s := range shelves {
		here := guideSection{heading: s.heading}
		for _, m := range modules {
			if !s.want(m) || told[m.Path] {
				continue
			}
			if b := x.graph.Bundle(m.Path); b.Name == "" {
				here.lines = append(append(here.lines, x.line(m)), x.partLines(m.Path)...)
			} else if !slices.Contains(bundles, b) {
				bundles = append(bundles, b)
				here.lines = append(here.lines, x.bundleLine(b, m.Path))
			}
		}
		if !s.aside {
			out = append(out, here)
			continue
		}
		for _, l := range here.lines {
			l.aside = true
			last.lines = append(last.lines, l)
		}
	}
	return append(out, last)
}

// pages links to the entry page, the existing overviews, and the pages of other plugins.
func (x *guide) pages() []guideLine {
	entry, _ := overviewOf(x.config.Layout, entryPage)
	out := []guideLine{{link: x.link("overview", entry.Path), about: entry.About}}
	for _, o := range x.spare {
		out = append(out, guideLine{link: x.link(o.Subject, o.Path), about: o.About})
	}
	for _, o := range x.config.Others {
		out = append(out, guideLine{link: x.link(o.Title, o.Path), about: o.About})
	}
	return out
}

func (x *guide) link(title, path string) string {
	return markdown.Link(markdown.Escape(title), x.to(path))
}

func (x *guide) line(m Summary) guideLine {
	link := x.moduleCode(m.Path)
	return guideLine{link: link, about: m.Purpose, module: m.Path, written: m.Written}
}

// partLines links to the parts of a divided module.
func (x *guide) partLines(module string) []guideLine {
	var out []guideLine
	parts := x.graph.Parts(module)
	for i, p := range parts.Parts {
		if x.there != nil && !x.there(topic{module: module, part: p.Name}) {
			continue
		}
		link := markdown.Link(markdown.Code(label(x.graph, module)+" "+parts.Label(i)), x.to(x.config.Layout.Part(module, p.Name)))
		about := ""
		if parts.Grouped(i) {
			about = someNames(p.Files)
		}
		out = append(out, guideLine{link: link, about: about, module: module})
	}
	return out
}

// bundleLine links to the page of a bundle.
func (x *guide) bundleLine(b survey.Bundle, module string) guideLine {
	return guideLine{link: x.link(bundleTitle(b), x.config.Layout.Bundle(b.Dir, b.Name)), about: "small modules of " + canonical.Path(b.Dir), module: module}
}

// writeGuide writes the sections that have lines, with module descriptions of at most longest characters.
func writeGuide(sections []guideSection, longest int) string {
	var b strings.Builder
	for _, s := range sections {
		if len(s.lines) == 0 {
			continue
		}
		b.WriteString("\n## " + s.heading + "\n\n")
		for _, l := range s.lines {
			b.WriteString(l.text(longest))
		}
	}
	return b.String()
}

func (l guideLine) text(longest int) string {
	about := l.about
	if r := []rune(about); longest > 0 && len(r) > longest && l.module != "" {
		about = string(r[:longest-1]) + "…"
	}
	about = markdown.Escape(about)
	if l.written {
		about += " " + byModel
	}
	switch {
	case l.why != "" && about != "":
		about += " (" + l.why + ")"
	case l.why != "":
		about = l.why
	}
	if about != "" {
		about = ": " + about
	}
	return "- " + l.link + about + "\n"
}

// fewer leaves out modules until the guide is that much shorter, and says so: those of low priority first, then the
// least used.
func fewer(sections []guideSection, modules []Summary, excess, longest int) []guideSection {
	users := map[string]int{}
	for _, m := range modules {
		for _, d := range m.Deps {
			users[d]++
		}
	}
	var spare []guideLine
	for _, s := range sections {
		spare = append(spare, s.lines...)
	}
	spare = slices.DeleteFunc(spare, func(l guideLine) bool { return l.module == "" })
	slices.SortStableFunc(spare, func(a, b guideLine) int {
		return cmp.Or(rankOf(b.aside)-rankOf(a.aside), users[a.module]-users[b.module])
	})
	out := map[string]bool{}
	excess += len(leftOut)
	for ; excess > 0 && len(spare) > 0; spare = spare[1:] {
		out[spare[0].module] = true
		excess -= len(spare[0].text(longest))
	}
	for i, s := range sections {
		sections[i].lines = slices.DeleteFunc(s.lines, func(l guideLine) bool { return out[l.module] })
	}
	last := &sections[len(sections)-1].lines[0]
	last.about += leftOut
	return sections
}

const leftOut = ", including modules that are not listed here because few others use them"
