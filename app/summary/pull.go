// Package summary is what people read of a run on GitHub: what a pull request makes stale and why, how pages will read
// otherwise, what a commit and a proposal say. The server and the Action say the same things in the same words.
package summary

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/store"
)

// Marker names the one comment on a pull request.
const Marker = "causal:summary"

// Pull is what a pull request makes stale.
type Pull struct {
	Web     string // the repository's address on the web
	Base    string // the branch that it is for
	Layout  store.Layout
	Report  *report.Update    // of a run over what it proposes
	Pages   []Page            // in the order of their paths
	Aside   map[string]string // what the frames asked that were set aside, by frame
	Files   int               // of source that it changes; negative when that is not known
	Push    string            // what the newest push means for what was concluded before, in words; empty when nothing
	RunsURL string            // of the page of the repository's runs; empty when there is none
	Review  *Review           // nil when it was not reviewed
}

// Page is how one page will read otherwise.
type Page struct {
	Path  string
	Lines []string
}

// Pages finds in the files that differ how the pages will read.
func Pages(layout store.Layout, differing []store.Difference) []Page {
	var out []Page
	d := differ{mostSteps}
	for _, file := range differing {
		if !layout.IsPage(file.Name) {
			continue
		}
		if edit := d.compare(string(file.Before), string(file.After)); len(edit) > 0 {
			out = append(out, Page{file.Name, edit})
		}
	}
	return out
}

// Nodes are the modules that fall, sorted.
func Nodes(r *report.Update) []string {
	set := map[string]bool{}
	for _, i := range r.Invalidated {
		set[i.Node] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// Title says it in one line.
func (p Pull) Title() string {
	title := p.docsTitle()
	if found := p.Review.Title(); found != "" {
		title += ", " + found
	}
	if tests := TestsTitle(p.Report.Tests); tests != "" {
		title += ", " + tests
	}
	return title
}

// Fresh reports whether there is nothing that anybody has to look at.
func (p Pull) Fresh() bool {
	return len(p.Report.Invalidated)+len(p.Report.Blocked) == 0 && p.Review.Title() == "" && TestsTitle(p.Report.Tests) == ""
}

// Verdict says what goes stale and why, without the diff of the pages.
func (p Pull) Verdict() string {
	return Join("When this is merged into "+Code(p.Base)+", "+p.Title()+".", Why(p.Report), Tests(p.Report.Tests))
}

func (p Pull) docsTitle() string {
	switch n := len(p.Pages); n {
	case 0:
		return "no page goes stale"
	case 1:
		return "1 page goes stale"
	default:
		return fmt.Sprintf("%d pages go stale", n)
	}
}

// Markdown is the comment: the answer, then the reason, then the detail folded away. It says nothing that changes while
// nothing does.
func (p Pull) Markdown() string { return strings.Join(p.Parts(), "\n\n") }

// Parts are those of the comment, the most important first.
func (p Pull) Parts() []string {
	out := []string{"### causal · " + p.Title(), p.table()}
	if overview := p.Review.Overview(p.Web); overview != "" {
		out = append(out, overview)
	}
	if why := Why(p.Report); why != "" {
		out = append(out, Fold("Why each node goes stale", why))
	}
	if tests := Tests(p.Report.Tests); tests != "" {
		out = append(out, Fold("Invalidated tests", tests))
	}
	for _, part := range []string{PageDiff(p.Pages), p.Review.list(p.Web)} {
		if part != "" {
			out = append(out, part)
		}
	}
	return append(out, p.footer())
}

func (p Pull) table() string {
	rows := []string{"| | |", "|---|---|"}
	row := func(head, text string) {
		if text != "" {
			rows = append(rows, "| **"+head+"** | "+text+" |")
		}
	}
	row("Docs", p.docs())
	row("Breaking", p.Review.breaking())
	row("Review", p.Review.Row())
	row("Tests", p.tests())
	row("Memory", p.Review.Remembered())
	row("Set aside", p.setAside())
	row("Mend", p.blocked())
	row("This push", p.Push)
	if len(rows) == 2 {
		return "No node or page depends on the changed files."
	}
	return strings.Join(rows, "\n")
}

// docs names the nodes that fall, each with its first reason.
func (p Pull) docs() string {
	nodes := Nodes(p.Report)
	if len(nodes) == 0 {
		return ""
	}
	var parts []string
	for i, m := range nodes {
		if i == mostInLine {
			parts = append(parts, fmt.Sprintf("and %d more", len(nodes)-i))
			break
		}
		at := slices.IndexFunc(p.Report.Invalidated, func(i report.Invalidated) bool { return i.Node == m })
		page := address(p.Web, "blob", p.Base, p.pageOf(p.Report.Invalidated[at]))
		name := markdown.Cell(Code(m))
		if len(page) <= longestAddress {
			name = "[" + name + "](" + page + ")"
		}
		parts = append(parts, name+": "+markdown.Cell(Code(p.Report.Invalidated[at].String())))
	}
	end := "Its page is brought up to date when this merges."
	if len(nodes) > 1 {
		end = "Their pages are brought up to date when this merges."
	}
	return strings.Join(parts, " · ") + ". " + end
}

// pageOf is the page that tells of a node. What a run says of it is taken only where it can be one.
func (p Pull) pageOf(i report.Invalidated) string {
	if i.Page != "" && p.Layout.IsPage(i.Page) && path.Clean(i.Page) == i.Page {
		return i.Page
	}
	return p.Layout.Page(i.Node)
}

// setAside names analyses that were set aside and may be worth taking up.
func (p Pull) setAside() string {
	if len(p.Report.Resumable) == 0 {
		return ""
	}
	var parts []string
	for _, f := range p.Report.Resumable[:min(len(p.Report.Resumable), mostInLine)] {
		text := Words(p.Aside[f])
		if text == "" {
			text = Code(f)
		}
		parts = append(parts, markdown.Cell(text))
	}
	return "can be resumed: " + strings.Join(parts, ", ")
}

func (p Pull) blocked() string {
	if len(p.Report.Blocked) == 0 {
		return ""
	}
	b := p.Report.Blocked[0]
	text := markdown.Cell(Code(b.Because)) + ": " + markdown.Cell(Code(b.Mend))
	if more := len(p.Report.Blocked) - 1; more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return text
}

// PageDiff shows how pages change, folded; empty where none does.
func PageDiff(pages []Page) string {
	var all []string
	n := 0
	for _, page := range pages {
		all = append(append(all, "@@ "+page.Path+" @@"), page.Lines...)
		n += len(page.Lines)
	}
	if n == 0 {
		return ""
	}
	return Fold("How the pages change ("+Count(n, "line")+")", fenced(all))
}

func (p Pull) footer() string {
	text := "no model"
	if m := p.Report.Model; m != nil {
		text = "model " + Code(m.Name)
	}
	if p.Files >= 0 {
		text = Count(p.Files, "source file") + " changed, " + text
	}
	if p.RunsURL != "" {
		text += " · [runs](" + p.RunsURL + ")"
	}
	switch {
	case p.Review == nil:
	case p.Review.Answers:
		text += " · `/causal help`"
	case p.Review.Deaf != "":
		text += " · commands need an owner to [accept the permissions of the App](" + p.Review.Deaf + ")"
	}
	return "<sub>" + text + "</sub>"
}

// named lists names in a line.
func named(list []string) string {
	more := len(list) - mostInLine
	if more <= 0 {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:mostInLine], ", "), more)
}

// Annotations stand beside the files that make something stale.
func (p Pull) Annotations() []github.Annotation {
	nodes := map[string][]string{}
	for _, i := range p.Report.Invalidated {
		if i.File != "" && !slices.Contains(nodes[i.File], i.Node) {
			nodes[i.File] = append(nodes[i.File], i.Node)
		}
	}
	var out []github.Annotation
	for _, file := range slices.Sorted(maps.Keys(nodes)) {
		out = append(out, github.Annotation{
			Path: file, Line: 1, Level: "notice", Title: "Docs depend on this file",
			Message: "This change makes stale: " + named(nodes[file]),
		})
	}
	return append(out, p.Review.Annotations()...)
}
