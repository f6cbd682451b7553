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

// guide writes what a coding agent reads first, after the convention of llmstxt.org: a name, what it is, and lists of links. It says
// which page to open for what, and nothing that those pages say.
type guide struct {
	config Config
	graph  graph
	intro  introduction
	system system
	spare  []Overview // those that are there
	// there reports whether a part of a module has a page; all have one if it is nil.
	there func(topic) bool
}

// guideBytes is how large it may be: an agent reads it whole, and has to have room for the pages that it leads to.
const guideBytes = 56 << 10

// guideNotes are to how many characters what is said of modules is cut where a guide is too large otherwise; 0 for not at all.
var guideNotes = []int{0, 100, 40}

// guideSection is a list of links under a heading.
type guideSection struct {
	heading string
	lines   []guideLine
}

// guideLine is a link with what is said of what it leads to.
type guideLine struct {
	link, about string
	why         string // to read it, as Markdown
	module      string // what it leads to where it may be left out
	aside       bool   // it helps few
	written     bool   // a model wrote what is said
}

func (x *guide) render() string {
	modules := x.graph.Linked()
	name, about, _ := x.intro.of(x.config, x.graph)
	head := "# " + markdown.Escape(name) + "\n\n"
	if about != "" {
		head += "> " + markdown.Escape(about) + "\n\n"
	}
	// Programs that read this expect nothing before the title, and nothing but links under a heading.
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

// origin says where the content is from.
func origin(modules []Summary) string {
	if slices.ContainsFunc(modules, func(m Summary) bool { return m.Written }) {
		return byModel + " marks text by a language model. All other content is derived from the code."
	}
	return "All content is derived from the code."
}

// sections are what there is to read: what a newcomer reads first, then the other modules in their order, and last what helps few.
func (x *guide) sections(modules []Summary, name string) []guideSection {
	first := guideSection{heading: "Read in this order"}
	told := map[string]bool{}
	var bundles []survey.Bundle // that have a line
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

// pages are the pages about the repository as a whole: the entry page, those that are there because there is something to tell, and
// those of others.
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
	return markdown.Link(markdown.Escape(title), relative(x.config.Layout.Guide(), path))
}

func (x *guide) line(m Summary) guideLine {
	link := markdown.Link(markdown.Code(label(x.graph, m.Path)), x.config.pageLink(x.config.Layout.Guide(), x.graph, m.Path))
	return guideLine{link: link, about: m.Purpose, module: m.Path, written: m.Written}
}

// partLines are the lines of what a large module is divided into.
func (x *guide) partLines(module string) []guideLine {
	var out []guideLine
	parts := x.graph.Parts(module)
	for i, p := range parts.Parts {
		if x.there != nil && !x.there(topic{module: module, part: p.Name}) {
			continue
		}
		link := markdown.Link(markdown.Code(label(x.graph, module)+" "+parts.Label(i)), relative(x.config.Layout.Guide(), x.config.Layout.Part(module, p.Name)))
		out = append(out, guideLine{link: link, about: "the API of " + parts.Label(i), module: module})
	}
	return out
}

// bundleLine is the line of small modules that share a page, one of which is given.
func (x *guide) bundleLine(b survey.Bundle, module string) guideLine {
	return guideLine{link: x.link(bundleTitle(b), x.config.Layout.Bundle(b.Dir, b.Name)), about: "small modules of " + canonical.Path(b.Dir), module: module}
}

// writeGuide is the sections with at most so many characters about a module, without those that have nothing to list.
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
	if l.why != "" {
		about = strings.TrimPrefix(about+" ("+l.why+")", " ")
	}
	if about != "" {
		about = ": " + about
	}
	return "- " + l.link + about + "\n"
}

// fewer leaves modules out until the guide is that much shorter, and says so: what helps few, and then what fewest others use.
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
		return cmp.Or(a.order()-b.order(), users[a.module]-users[b.module])
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

// leftOut is said of the list of modules where a guide lists fewer.
const leftOut = ", including modules that are not listed here because few others use them"

// order is 0 for what is left out first.
func (l guideLine) order() int {
	if l.aside {
		return 0
	}
	return 1
}
