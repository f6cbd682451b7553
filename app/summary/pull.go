// Package summary formats the results of a run for GitHub: comments, checks, commits and pull requests. The server
// and the Action share it.
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

// Marker identifies the summary comment of a pull request.
const Marker = "causal:summary"

// Pull is the content of a pull request's summary.
type Pull struct {
	Web     string // the repository's URL
	Base    string // base branch
	Layout  store.Layout
	Report  *report.Update    // of the head commit
	Pages   []Page            // sorted by path
	Aside   map[string]string // queries of suspended frames, by frame
	Files   int               // changed source files; negative if unknown
	Push    string            // effect of the latest push on earlier conclusions; may be empty
	RunsURL string            // page of the repository's runs; may be empty
	Review  *Review           // nil without a review
}

// Page is a changed page with its diff.
type Page struct {
	Path  string
	Lines []string
}

// Pages returns the changed pages among differing files.
func Pages(layout store.Layout, differing []store.Difference) []Page {
	var out []Page
	for _, file := range differing {
		if !layout.IsPage(file.Name) {
			continue
		}
		if edit := Diff(string(file.Before), string(file.After)); len(edit) > 0 {
			out = append(out, Page{file.Name, edit})
		}
	}
	return out
}

// Nodes returns the invalidated modules, sorted.
func Nodes(r *report.Update) []string {
	set := map[string]bool{}
	for _, i := range r.Invalidated {
		set[i.Node] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// Title summarizes the result in one line.
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

// Fresh reports whether nothing needs attention.
func (p Pull) Fresh() bool {
	return len(p.Report.Invalidated)+len(p.Report.Blocked) == 0 && p.Review.Title() == "" && TestsTitle(p.Report.Tests) == ""
}

// Verdict says what becomes stale and why, without diffs of pages.
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

// Markdown returns the comment. It only depends on the result, so an unchanged result needs no edit.
func (p Pull) Markdown() string { return strings.Join(p.Parts(), "\n\n") }

// Parts returns the parts of the comment, the most important first.
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

// docs lists the invalidated nodes, each with its first reason.
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

// pageOf returns the page of a node. The child process is not trusted: its value must be a page.
func (p Pull) pageOf(i report.Invalidated) string {
	if i.Page != "" && p.Layout.IsPage(i.Page) && path.Clean(i.Page) == i.Page {
		return i.Page
	}
	return p.Layout.Page(i.Node)
}

// setAside lists suspended analyses that can be resumed.
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

// PageDiff formats the diffs of pages, folded; empty if there are none.
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

// named joins names, the first ones by name.
func named(list []string) string {
	more := len(list) - mostInLine
	if more <= 0 {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:mostInLine], ", "), more)
}

// Annotations mark the files that make something stale.
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
