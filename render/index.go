package render

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/markdown"
)

// renderIndex is the entry page. It holds nothing of a module's inside but its one line, and no date: branches that
// work on different modules rarely meet here.
func renderIndex(c Config, g engine.Graph, readme []byte) string {
	modules := g.Modules()
	x := &indexPage{config: c, graph: g}
	name, about := introduction(c, readme)
	x.frontMatter(name, about)
	x.line("# " + markdown.Escape(name))
	if about != "" {
		x.line(markdown.Escape(about))
	}
	if len(modules) == 0 {
		x.line("There is no source in a programming language here yet.")
	}
	x.architecture(modules)
	x.table("Entry points", modules, func(s engine.Summary) bool { return s.Kind == kindCommand })
	x.table("Modules", modules, func(s engine.Summary) bool { return s.Kind == "" })
	x.table("Tests", modules, func(s engine.Summary) bool { return s.Kind == kindTests })
	return strings.TrimRight(x.b.String(), "\n") + "\n"
}

type indexPage struct {
	config Config
	graph  engine.Graph
	b      strings.Builder
}

func (x *indexPage) line(s string) { x.b.WriteString(s + "\n\n") }

func (x *indexPage) frontMatter(name, about string) {
	if !x.config.FrontMatter {
		x.b.WriteString(bareMark + "\n")
		return
	}
	var f front
	f.open()
	f.text("type", "Repository")
	f.text("title", name)
	f.text("description", about)
	f.text("resource", x.config.treeLink("."))
	f.by()
	x.b.WriteString(f.close())
}

func (x *indexPage) architecture(modules []engine.Summary) {
	fence, note := architecture(modules)
	if fence == "" {
		return
	}
	x.line("## Architecture")
	x.line(fence)
	if note != "" {
		x.line(note)
	}
}

func (x *indexPage) table(heading string, modules []engine.Summary, want func(engine.Summary) bool) {
	modules = slices.DeleteFunc(slices.Clone(modules), func(s engine.Summary) bool { return !want(s) })
	if len(modules) == 0 {
		return
	}
	x.line("## " + heading)
	x.b.WriteString("| Module | What it is for |\n|---|---|\n")
	for _, m := range modules {
		label := m.Path
		if label == "." {
			label = m.Title
		}
		link := markdown.Link(markdown.Code(label), relative(x.config.Layout.Index(), x.config.Layout.Page(m.Path)))
		purpose := markdown.Escape(m.Purpose)
		if m.Derived {
			purpose = "*" + purpose + "*"
		}
		x.b.WriteString("| " + markdown.Cell(link) + " | " + markdown.Cell(purpose) + " |\n")
	}
	x.b.WriteString("\n")
	if slices.ContainsFunc(modules, func(s engine.Summary) bool { return s.Derived }) {
		x.line("Lines in italics are derived from what is in the module: nobody has described it yet.")
	}
}

// readmeTitle is a heading of the first level, in either of Markdown's spellings, or one that is underlined with dashes.
var readmeTitle = regexp.MustCompile(`(?m)^# +(.+?) *#*$|^(\S.*)\n(?:={3,}|-{3,})$`)

// introduction is the repository's name and what it is, in its own words.
func introduction(c Config, readme []byte) (name, about string) {
	if m := readmeTitle.FindSubmatch(readme); m != nil {
		name = markdown.Plain(source.Unlinked(string(m[1])+string(m[2])), "markdown")
	}
	if c.Repository != "" {
		name = cmp.Or(name, path.Base(c.Repository))
	}
	return cmp.Or(name, "Repository"), markdown.Plain(source.Readme(readme).Doc, "markdown")
}
