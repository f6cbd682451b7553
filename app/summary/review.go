package summary

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/life"
)

// Review is the result of a pull request's review.
type Review struct {
	Report  *report.Review
	Left    int               // further findings that are not in Report
	Names   map[string]string // display names of findings, by ID
	Posted  map[string]string // URLs of review conversations, by ID
	Unsure  map[string]bool   // findings without a conversation because they are unsure, by ID
	Answers bool              // commands are answered
	Deaf    string            // page on which an owner accepts the permissions for commands; empty if accepted
	Paused  bool              // Report is nil
	From    int               // pull request with the same branch whose findings were taken over; 0 for none
}

// longestMessage bounds the bytes of a finding's message, about two paragraphs.
const longestMessage = 2000

// Title counts findings and failed checks; empty if there are none.
func (r *Review) Title() string {
	if r == nil || r.Report == nil {
		return ""
	}
	var parts []string
	if n := len(r.Report.Findings); n > 0 {
		parts = append(parts, Count(n+r.Left, "finding"))
	}
	return strings.Join(append(parts, failed(r.Report)...), ", ")
}

func failed(r *report.Review) []string {
	if n := len(r.Coverage.Failed); n > 0 {
		return []string{Count(n, "check") + " failed"}
	}
	return nil
}

// Outcome summarizes a review in one line: the number of findings, and the files that were and were not examined.
func Outcome(r *report.Review) string {
	examined, missed := review.Count(r.Coverage.Examined), review.Count(r.Coverage.Missed)
	text := "no findings"
	switch n := len(r.Findings); {
	case n > 0:
		text = Count(n, "finding")
	case examined+missed+len(r.NotAnalysed) == 0:
		text = "no change to review: no reviewed file differs from " + r.Base[:min(len(r.Base), 10)] + " (--base names another commit)"
	}
	text = strings.Join(append([]string{text}, failed(r)...), ", ")
	for _, c := range []struct {
		n    int
		what string
	}{{len(r.Fixed), "fixed"}, {len(r.Carried), "not checked again"}, {len(r.Outdated), "outdated"}, {len(r.Dismissed), "dismissed"}} {
		if c.n > 0 {
			text += fmt.Sprintf(", %d %s", c.n, c.what)
		}
	}
	if examined+missed > 0 {
		text += ": " + Count(examined, "file") + " examined" + byLanguage(r.Coverage.Examined)
	}
	if missed > 0 {
		text += fmt.Sprintf("; not examined: %d", missed) + byLanguage(r.Coverage.Missed)
	}
	if n := len(r.Dropped) - r.Coverage.Unplaced; n > 0 {
		text += fmt.Sprintf("; %d omitted", n)
	}
	if n := r.Coverage.Unplaced; n > 0 {
		text += "; " + Count(n, "result") + " of tools cannot be placed in a file"
	}
	return text
}

func byLanguage(list []review.FileCount) string {
	switch len(list) {
	case 0:
		return ""
	case 1:
		return " (" + plain.Line(list[0].Language, longestText) + ")"
	}
	var parts []string
	for _, f := range list {
		parts = append(parts, fmt.Sprintf("%d %s", f.Files, plain.Line(f.Language, longestText)))
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// Row is the review's row in the table.
func (r *Review) Row() string {
	switch {
	case r == nil:
		return ""
	case r.Paused:
		return "paused: `/causal resume` continues it"
	}
	states := map[string]int{}
	for _, f := range r.Report.Findings {
		states[f.State]++
	}
	var parts []string
	for _, s := range []struct {
		n    int
		what string
	}{
		{states[life.New], "new"}, {states[life.Reopened], "back"}, {states[string(life.Open)] + states[life.Changed], "from before"}, {r.Left, "more"},
		{len(r.Report.Fixed), "fixed"}, {len(r.Report.Carried), "not checked again"}, {len(r.Report.Outdated), "code removed"}, {len(r.Report.Dismissed), "dismissed"},
		{len(r.Report.Dropped), "omitted"},
	} {
		if s.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", s.n, s.what))
		}
	}
	if r.From != 0 {
		parts = append(parts, fmt.Sprintf("taken over from #%d, which came from this branch", r.From))
	}
	for _, o := range r.Report.Summary {
		parts = append(parts, markdown.Cell(text(o.Text, longestText)))
	}
	for _, f := range r.Report.Coverage.Failed {
		parts = append(parts, Code(f.Check)+" failed")
	}
	if n := len(r.Report.NotAnalysed); n > 0 {
		parts = append(parts, "not analysed: "+markdown.Cell(skipped(r.Report.NotAnalysed)))
	}
	return strings.Join(parts, " · ")
}

func skipped(list []finding.Skipped) string {
	var names []string
	for _, s := range list {
		names = append(names, Code(s.Path)+" "+text(s.Reason, longestText))
	}
	return named(names)
}

// text formats a message, whose code is in backquotes.
func text(s string, most int) string {
	parts := strings.Split(plain.Line(s, most), "`")
	if len(parts)%2 == 0 { // unbalanced
		return markdown.Escape(strings.Join(parts, "`"))
	}
	for i, part := range parts {
		if i%2 == 1 && part != "" {
			parts[i] = markdown.Code(part)
		} else {
			parts[i] = markdown.Escape(part)
		}
	}
	return strings.Join(parts, "")
}

// breaking lists the broken symbols.
func (r *Review) breaking() string {
	if r == nil || r.Report == nil {
		return ""
	}
	var parts []string
	for _, f := range r.Report.Findings {
		if f.Rule == "api-break" && f.Severity.AtLeast(finding.Warning) {
			parts = append(parts, markdown.Cell(Code(f.Symbol))+hit(f.Dependants))
		}
	}
	return named(parts)
}

// hit lists the modules that use a broken symbol.
func hit(places []finding.Place) string {
	if len(places) == 0 {
		return ""
	}
	var modules []string
	for _, p := range places {
		if name := markdown.Cell(Code(p.Module)); !slices.Contains(modules, name) {
			modules = append(modules, name)
		}
	}
	return fmt.Sprintf(", used in %s (%s in this repository)", named(modules), Count(len(places), "place"))
}

// Remembered lists earlier findings in the same files.
func (r *Review) Remembered() string {
	if r == nil || r.Report == nil {
		return ""
	}
	var parts []string
	for _, e := range r.Report.Earlier {
		what := Code(e.Path) + " in " + keyed(e.Key) + ": " + text(e.Message, longestText)
		switch {
		case e.FixedBy != "":
			what += ", fixed by " + Code(e.FixedBy[:min(len(e.FixedBy), 10)])
		case e.Status == life.Fixed:
			what += ", fixed"
		}
		parts = append(parts, markdown.Cell(what))
	}
	if len(parts) == 0 {
		return ""
	}
	return "last time: " + named(parts)
}

// keyed formats the key of a change.
func keyed(key string) string {
	if number, ok := strings.CutPrefix(key, "pr-"); ok && number != "" && strings.Trim(number, "0123456789") == "" {
		return "#" + number
	}
	return Code(key)
}

// list formats all findings, folded.
func (r *Review) list(web string) string {
	if r == nil || r.Report == nil {
		return ""
	}
	var parts []string
	if lines := r.Findings(web); len(lines) > 0 {
		parts = append(parts, List(lines))
	}
	past := func(title string, list []report.Past, more func(report.Past) string) {
		var lines []string
		for _, p := range list {
			lines = append(lines, "- "+r.name(p.ID)+Code(p.Rule)+" in "+Code(p.Path)+more(p))
		}
		if len(lines) > 0 {
			parts = append(parts, "**"+title+"**\n\n"+List(lines))
		}
	}
	none := func(report.Past) string { return "" }
	past("Fixed", r.Report.Fixed, none)
	past("Not checked again", r.Report.Carried, func(p report.Past) string { return ": " + text(p.Why, longestText) })
	past("Code removed", r.Report.Outdated, none)
	past("Dismissed", r.Report.Dismissed, func(p report.Past) string { return ": " + Words(p.Reason) + ", by " + Code(p.Actor) })
	if n := len(r.Report.Coverage.Failed); n > 0 {
		lines := make([]string, n)
		for i, f := range r.Report.Coverage.Failed {
			lines[i] = "- " + Code(f.Check) + ": " + text(f.Reason, longestText)
		}
		parts = append(parts, "**Failed checks**\n\n"+List(lines))
	}
	if len(parts) == 0 {
		return ""
	}
	return Fold("Review", strings.Join(parts, "\n\n"))
}

// Findings formats each current finding as one line.
func (r *Review) Findings(web string) []string {
	var lines []string
	for _, f := range r.Report.Findings {
		where := Code(fmt.Sprintf("%s:%d", f.Path, f.Line))
		link := r.Posted[f.ID]
		if link == "" && f.Side == finding.Right {
			link = fmt.Sprintf("%s#L%d", address(web, "blob", r.Report.Head, f.Path), f.Line)
		}
		if link != "" && len(link) <= longestAddress {
			where = "[" + where + "](" + link + ")"
		}
		lines = append(lines, fmt.Sprintf("- %s%s %s %s: %s", r.name(f.ID), f.Severity, Code(f.Rule), where, text(f.Message, longestText)))
	}
	return lines
}

func (r *Review) name(id string) string {
	if name := r.Names[id]; name != "" {
		return "**" + name + "** "
	}
	return ""
}

// Remark is the review comment of a finding: the message, a suggestion, and the commands to answer it.
func (r *Review) Remark(f report.Finding) string {
	parts := []string{fmt.Sprintf("**%s** %s", f.Severity, text(f.Message, longestMessage))}
	if used := hit(f.Dependants); used != "" {
		parts[0] = strings.TrimSuffix(parts[0], ".") + ". It is" + strings.TrimPrefix(used, ",") + "."
	}
	if s := f.Suggestion; s != nil && s.Path == f.Path {
		if block := suggested(s.Replacement); block != "" {
			parts = append(parts, block)
		}
	}
	foot := Code(f.Rule)
	if f.Principle != nil {
		foot += " · principle " + Code(*f.Principle)
	}
	if name := r.Names[f.ID]; name != "" && r.Answers {
		foot = name + " · " + foot + " · `/causal explain " + name + "` · `/causal dismiss " + name + " reason`"
	}
	return strings.Join(append(parts, "<sub>"+foot+"</sub>"), "\n\n")
}

// suggested formats code as a suggestion block. It is empty if GitHub would commit other text than the code: if it is
// too long or has invisible characters.
func suggested(code string) string {
	const word = "suggestion"
	block := markdown.Fence(word, code)
	mark, _, _ := strings.Cut(block, word)
	want := mark + word + "\n"
	if code != "" {
		for line := range strings.SplitSeq(code, "\n") {
			want += strings.TrimRight(line, " \t\r") + "\n"
		}
	}
	if len(code) > longestMessage || block != want+mark || plain.Text(block, len(block)) != block {
		return ""
	}
	return block
}

// Explain describes the evidence of a finding.
func (r *Review) Explain(id string) string {
	if r == nil || r.Report == nil {
		return "The pull request is not being reviewed."
	}
	at := slices.IndexFunc(r.Report.Findings, func(f report.Finding) bool { return f.ID == id })
	if at < 0 {
		return r.name(id) + "no longer exists."
	}
	f := r.Report.Findings[at]
	lines := []string{
		fmt.Sprintf("%s%s %s in %s: %s", r.name(id), f.Severity, Code(f.Rule), Code(fmt.Sprintf("%s:%d", f.Path, f.Line)), text(f.Message, longestMessage)),
		markdown.Fence("", plain.Text(f.Quote, longestMessage)),
	}
	var facts []string
	for _, d := range f.Affected() {
		facts = append(facts, "- affects "+Code(fmt.Sprintf("%s:%d", d.Path, d.Line)))
	}
	facts = append(facts, "- invalid when "+Code(f.Condition))
	if f.FirstSeen != "" {
		facts = append(facts, "- first seen in "+Code(f.FirstSeen[:min(len(f.FirstSeen), 10)]))
	}
	if f.Principle != nil {
		facts = append(facts, "- principle "+Code(*f.Principle))
	}
	return strings.Join(append(lines, List(facts)), "\n\n")
}

var levels = map[finding.Severity]string{finding.Error: "failure", finding.Warning: "warning", finding.Note: "notice"}

// Annotations returns the sure findings without a conversation. Findings in the old version are attached to the file.
func (r *Review) Annotations() []github.Annotation {
	if r == nil || r.Report == nil {
		return nil
	}
	var out []github.Annotation
	for _, f := range r.Report.Findings {
		if r.Posted[f.ID] != "" || r.Unsure[f.ID] {
			continue
		}
		a := github.Annotation{
			Path: f.Path, Line: f.Line, EndLine: f.EndLine, Level: levels[f.Severity], Title: strings.TrimSpace(r.Names[f.ID] + " " + f.Rule), Message: f.Message,
		}
		if f.Side == finding.Left {
			a.Line, a.EndLine = 0, 0
		}
		out = append(out, a)
	}
	return out
}
