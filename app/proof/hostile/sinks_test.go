package hostile_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"

	"github.com/causaldocs/causal/app/action"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/proof/hostile"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/finding"
)

// sinks are all outputs within this process that may contain text of other people, each with its rules.
var sinks = []struct {
	name  string
	write func(text string) string
	holds []rule
}{
	{"line of a commit", func(s string) string { return "- " + plain.InCommit(s) }, []rule{visible, oneLine, noReference, noSwitch, within(300)}},
	{"commit", commit, []rule{visible, noReference, noSwitch, onlyOurTrailers, within(20 << 10), linesWithin(600)}},
	{"name in a comment", summary.Code, []rule{visible, oneLine, onlyText, within(2000)}},
	{"words in a comment", summary.Words, []rule{visible, oneLine, onlyText, within(10_000)}},
	{"error in a comment", func(s string) string { return summary.Said(errors.New(s)) }, []rule{visible, onlyText, within(20 << 10)}},
	{"comment on a pull request", comment, []rule{visible, onlyText, within(60_000)}},
	{"comment on a pull request with a review", reviewed, []rule{visible, onlyText, noMarker, within(60_000)}},
	{"comment on a line", func(s string) string { return found(s).Remark(found(s).Report.Findings[0]) }, []rule{visible, onlyText, noMarker, onlyOurSuggestion, within(25_000)}},
	{"explanation of a finding", func(s string) string { return found(s).Explain("f-1") }, []rule{visible, onlyText, noMarker, within(25_000)}},
	{"reasons of a check", func(s string) string { return summary.Why(stale(s)) }, []rule{visible, onlyText, within(60_000)}},
	{"blocked statements", func(s string) string { return summary.Blocked(stale(s)) }, []rule{visible, onlyText, within(60_000)}},
	{"reasons that a commit gives", summary.FromCommit, []rule{visible, onlyText, within(60_000)}},
	{"proposal", func(s string) string { return summary.Proposal(s, s) }, []rule{visible, onlyText, within(10_000)}},
	{"cell of a table", func(s string) string { return "| | |\n|---|---|\n| a | " + markdown.Cell(summary.Code(s)) + " |" }, []rule{visible, onlyText, twoCells}},
	{"words on a page", markdown.Escape, []rule{visible, oneLine, onlyText}},
	{"code on a page", func(s string) string { return markdown.Fence("go", s) }, []rule{visible, onlyText}},
	{"doc comment on a page", func(s string) string { return markdown.Plain(s, "go") }, []rule{visible, oneLine}},
	{"line of a terminal", terminal, []rule{visible, oneLine, noCommand, within(7000)}},
	{"error on a terminal", unformatted, []rule{visible, noCommand}},
	{"line of JSON", func(s string) string { return string(plain.JSON(mustJSON(s))) }, []rule{visible, oneLine, sameJSON}},
	{"log as JSON", logged(func(b *bytes.Buffer, o *slog.HandlerOptions) slog.Handler { return slog.NewJSONHandler(b, o) }), []rule{visible, oneLine, within(200_000)}},
	{"log as text", logged(func(b *bytes.Buffer, o *slog.HandlerOptions) slog.Handler { return slog.NewTextHandler(b, o) }), []rule{visible, oneLine, within(200_000)}},
	{"command to the runner", failed, []rule{visible, oneLine, oneCommand, within(20_000)}},
	{"property of a command", func(s string) string { return "::notice title=" + plain.Property(s) + "::x" }, []rule{visible, oneLine, oneCommand}},
}

// TestTextOfStrangersIsText runs all of it through every place.
func TestTextOfStrangersIsText(t *testing.T) {
	t.Parallel()
	for _, sink := range sinks {
		t.Run(sink.name, func(t *testing.T) {
			t.Parallel()
			for _, c := range append(hostile.Texts(), hostile.Names()...) {
				got := sink.write(c.Text)
				for _, holds := range sink.holds {
					if problem := holds(c.Text, got); problem != "" {
						t.Errorf("%s: %s in\n%.600q", c.Label, problem, got)
					}
				}
			}
		})
	}
}

func stale(s string) *report.Update {
	return &report.Update{
		Session:     "s-0123456789ab",
		Invalidated: []report.Invalidated{{Node: s, Because: s, File: s, Detail: s}, {Node: s + "x", Because: s}},
		Blocked:     []report.Blocked{{Node: s, Page: s, Because: s, Mend: s}},
		Resumable:   []string{s},
	}
}

func commit(s string) string {
	return summary.Headline + "\n\n" + summary.Message(stale(s), strings.Repeat("c", 40))
}

func comment(s string) string {
	return summary.Pull{
		Web: "https://github.com/octo/shop", Base: s, Layout: store.Layout{Docs: "docs/causal"}, Report: stale(s), Files: 2,
		Pages: []summary.Page{{Path: s, Lines: []string{"-" + s, "+" + s}}}, Aside: map[string]string{s: s},
	}.Markdown()
}

// found is a review whose names and texts are all one hostile text.
func found(s string) *summary.Review {
	past := []report.Past{{ID: "f-2", Rule: s, Path: s, Why: s, Reason: s, Actor: s}}
	return &summary.Review{
		Names: map[string]string{"f-1": "F1", "f-2": "F2"}, Answers: true,
		Report: &report.Review{
			Head: strings.Repeat("c", 40), Fixed: past, Carried: past, Outdated: past, Dismissed: past, Summary: []review.Omission{{Rule: s, Text: s}},
			NotAnalysed: []finding.Skipped{{Path: s, Reason: s}}, Earlier: []review.Earlier{{Key: s, Path: s, Message: s, FixedBy: s}},
			Findings: []report.Finding{{
				ID: "f-1", Rule: s, Severity: finding.Error, Path: s, Line: 1, EndLine: 1, Side: finding.Right, Symbol: s, Quote: s, Message: s, Principle: &s,
				FirstSeen: s, Condition: s, Dependants: []finding.Place{{Module: s, Path: s, Line: 1}},
				Suggestion: &finding.Suggestion{Path: s, Line: 1, EndLine: 1, Replacement: s},
			}, {ID: "f-3", Rule: "api-break", Severity: finding.Error, Path: s, Line: 1, EndLine: 1, Side: finding.Right, Symbol: s, Message: s}},
		},
	}
}

func reviewed(s string) string {
	return summary.Pull{Web: "https://github.com/octo/shop", Base: "main", Layout: store.Layout{Docs: "docs/causal"}, Report: stale(s), Review: found(s)}.Markdown()
}

func terminal(s string) string {
	var out bytes.Buffer
	if _, err := plain.Fprintf(&plain.Terminal{W: &out}, "%s: %v: %-20s", s, errors.New(s), report.Invalidated{File: s, Detail: s}); err != nil {
		panic(err)
	}
	return out.String()
}

// unformatted prints a text without escaping.
func unformatted(s string) string {
	var out bytes.Buffer
	if _, err := fmt.Fprintf(&plain.Terminal{W: &out}, "causal: %s\n", s); err != nil {
		panic(err)
	}
	return out.String()
}

func logged(handler func(*bytes.Buffer, *slog.HandlerOptions) slog.Handler) func(string) string {
	return func(s string) string {
		var out bytes.Buffer
		log := slog.New(handler(&out, &slog.HandlerOptions{ReplaceAttr: plain.Attr}))
		log.With("branch", s).Warn("run failed", "error", errors.New(s), "list", []string{s, s}, "reason", report.Invalidated{File: s}, slog.Group("g", "x", s))
		return strings.TrimSuffix(out.String(), "\n")
	}
}

func failed(s string) string {
	var out bytes.Buffer
	action.Fail(action.World{Out: &out}, errors.New(s))
	return strings.TrimSuffix(out.String(), "\n")
}

// rule returns the problem of an output, or "".
type rule func(text, got string) string

func visible(_, got string) string { return hostile.Unseen(got) }

// noMarker rejects the marker by which the server recognises its own comments.
func noMarker(_, got string) string {
	if strings.Contains(got, "<!-- causal:") {
		return "a marker"
	}
	return ""
}

// onlyOurSuggestion allows one suggestion block, with the text unchanged except for its line ends.
func onlyOurSuggestion(text, got string) string {
	page, err := parse(got)
	if err != nil {
		return err.Error()
	}
	n := 0
	for e := range page.Descendants() {
		if e.Type == html.ElementNode && e.Data == "code" && strings.Contains(fmt.Sprint(e.Attr), "language-suggestion") {
			if n++; n > 1 || e.FirstChild != nil && strings.TrimSuffix(e.FirstChild.Data, "\n") != strings.ReplaceAll(text, "\r\n", "\n") {
				return "another suggestion"
			}
		}
	}
	return ""
}

func oneLine(_, got string) string {
	if strings.ContainsAny(got, "\n\r") {
		return "more than one line"
	}
	return ""
}

func within(most int) rule {
	return func(_, got string) string {
		if len(got) > most {
			return fmt.Sprintf("%d bytes, at most %d", len(got), most)
		}
		return ""
	}
}

func linesWithin(most int) rule {
	return func(_, got string) string {
		for line := range strings.SplitSeq(got, "\n") {
			if len(line) > most {
				return fmt.Sprintf("a line of %d bytes", len(line))
			}
		}
		return ""
	}
}

// references are interpreted by GitHub in plain text: mentions, closing keywords, links.
var references = regexp.MustCompile(`(?i)@[a-z0-9]|#[0-9]|\bgh-[0-9]|https?://`)

func noReference(_, got string) string { return references.FindString(got) }

var switches = regexp.MustCompile(`(?i)\[(skip|no|ci)[^\]]*(ci|skip|actions)\]|\*\*\*NO_CI\*\*\*|(?m)^skip-checks:`)

func noSwitch(_, got string) string { return switches.FindString(got) }

var trailer = regexp.MustCompile(`^[A-Za-z-]+: `)

func onlyOurTrailers(_, got string) string {
	paragraphs := strings.Split(got, "\n\n")
	if len(paragraphs) != 3 || paragraphs[0] != summary.Headline {
		return fmt.Sprintf("%d paragraphs", len(paragraphs))
	}
	if last := strings.Split(paragraphs[2], "\n"); len(last) != 2 || !strings.HasPrefix(last[0], "Causal-Session: ") || !strings.HasPrefix(last[1], "Causal-Head: ccc") {
		return fmt.Sprintf("trailers %q", last)
	}
	for line := range strings.SplitSeq(paragraphs[1], "\n") {
		if trailer.MatchString(line) {
			return line
		}
	}
	return ""
}

func noCommand(_, got string) string {
	for line := range strings.SplitSeq(strings.ReplaceAll(got, "\r", "\n"), "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
			return line
		}
	}
	return ""
}

var ours = regexp.MustCompile(`^::(error|notice) title=[^:,]*::`)

func oneCommand(_, got string) string {
	if !ours.MatchString(got) || strings.Contains(got, "##[") {
		return "another command"
	}
	return ""
}

var gfm = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote), goldmark.WithRendererOptions(gmhtml.WithUnsafe()))

// elements are those of generated Markdown.
var elements = map[string]bool{
	"html": true, "head": true, "body": true, "p": true, "code": true, "pre": true, "ul": true, "li": true, "h3": true, "table": true,
	"thead": true, "tbody": true, "tr": true, "th": true, "td": true, "strong": true, "details": true, "summary": true, "sub": true, "a": true,
}

// onlyText parses Markdown like GitHub. It allows only generated elements and links, and references only within code, where GitHub ignores
// them.
func onlyText(_, got string) string {
	page, err := parse(got + "\n\nsentinel")
	if err != nil {
		return err.Error()
	}
	problem, sentinel := "", false
	for n := range page.Descendants() {
		switch {
		case n.Type == html.CommentNode:
			problem = "a comment: " + n.Data
		case n.Type == html.ElementNode && !elements[n.Data]:
			problem = "an element: " + n.Data
		case n.Type == html.ElementNode && n.Data == "a":
			for _, a := range n.Attr {
				if a.Key != "href" || !strings.HasPrefix(a.Val, "https://github.com/octo/shop/blob/") && !strings.HasPrefix(a.Val, "https://evil.example") {
					problem = fmt.Sprintf("a link: %v", n.Attr)
				}
			}
		case n.Type == html.TextNode && !inside(n, "code", "pre", "a"):
			if found := inText.FindString(n.Data); found != "" {
				problem = "a reference: " + found
			}
			sentinel = sentinel || strings.Contains(n.Data, "sentinel") && n.Parent.Data == "p"
		}
	}
	if problem == "" && !sentinel {
		problem = "it swallows the following text"
	}
	return problem
}

var inText = regexp.MustCompile(`(?i)@[a-z0-9]|#[0-9]|\bgh-[0-9]|:rocket:`)

func twoCells(_, got string) string {
	page, err := parse(got)
	if err != nil {
		return err.Error()
	}
	cells := 0
	for n := range page.Descendants() {
		if n.Type == html.ElementNode && n.Data == "td" {
			cells++
		}
	}
	if cells != 2 {
		return fmt.Sprintf("%d cells", cells)
	}
	return ""
}

func parse(md string) (*html.Node, error) {
	var out bytes.Buffer
	if err := gfm.Convert([]byte(md), &out); err != nil {
		return nil, err
	}
	return html.Parse(&out)
}

func inside(n *html.Node, names ...string) bool {
	for a := range n.Ancestors() {
		for _, name := range names {
			if a.Data == name {
				return true
			}
		}
	}
	return false
}

func mustJSON(s string) []byte {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return data
}

func sameJSON(text, got string) string {
	var back string
	if err := json.Unmarshal([]byte(got), &back); err != nil {
		return err.Error()
	}
	if back != strings.ToValidUTF8(text, "\uFFFD") && utf8.ValidString(text) {
		return "another text: " + back
	}
	return ""
}
