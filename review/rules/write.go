package rules

import (
	"fmt"
	"strings"

	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/record"
)

// Limits of the page. The files of the principles have everything.
const (
	mostShown   = 100  // principles per section
	mostChanges = 10   // last changes per principle
	mostAuthors = 5    // names per principle
	longestWhy  = 1000 // bytes
)

type writer struct {
	repository string
	layout     store.Layout
	b          strings.Builder
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.b, format+"\n\n", args...) }

func (w *writer) page(frontMatter bool, problem string, entries []entry) string {
	w.b.WriteString(keep.Head(frontMatter, title))
	w.line("# " + title)
	if problem != "" {
		w.line("> **Not all records of closed changes can be read,** so this page may be out of date: %s", markdown.Escape(problem))
	}
	w.line("Recurring findings of reviews, and the team's decisions about them. A review names the principle that a finding belongs to. " +
		"Where causal can check a principle itself, it does so also without the tool that found it first.")
	of := func(status ...principle.Status) (list []entry) {
		for _, e := range entries {
			for _, s := range status {
				if e.Principle.Principle != nil && e.Status == s {
					list = append(list, e)
				}
			}
		}
		return list
	}
	w.section("In force", "", of(principle.Active))
	w.section("Waiting for approval", "To activate one of these, set its `status` to `active`.", of(principle.Candidate))
	w.ended(of(principle.Demoted, principle.Declined, principle.Expired))
	w.broken(entries)
	w.footer()
	return strings.TrimRight(w.b.String(), "\n") + "\n"
}

func (w *writer) section(title, about string, entries []entry) {
	if len(entries) == 0 {
		return
	}
	w.line("## %s", title)
	if about != "" {
		w.line("%s", about)
	}
	for _, e := range entries[:min(len(entries), mostShown)] {
		w.principle(e)
	}
	if more := len(entries) - mostShown; more > 0 {
		w.line("And %d more, in %s.", more, markdown.Code(principle.Dir))
	}
}

func (w *writer) principle(e entry) {
	w.line("### %s", clipped(e.Rule, e.slug))
	if e.Why != "" {
		w.line("%s", clipped(e.Why, ""))
	}
	w.line("%s", w.origin(e))
	changes := e.Evidence
	if more := len(changes) - mostChanges; more > 0 {
		changes = changes[more:]
		fmt.Fprintf(&w.b, "- %d earlier changes\n", more)
	}
	for _, c := range changes {
		fmt.Fprintf(&w.b, "- %s\n", w.change(c, e.account))
	}
	w.b.WriteString("\n")
	w.line("%s", held(e.Check))
	w.line("Its file is %s; %s shows its history.", w.file(e.slug), markdown.Code("causal why principle/"+e.slug))
}

func (w *writer) origin(e entry) string {
	if e.account == nil {
		return "The records of its changes are missing."
	}
	first, last := e.account.Changes[0].At, e.account.Changes[len(e.account.Changes)-1].At
	text := "Found on " + first
	if n := len(e.account.Changes); n > 1 {
		text = fmt.Sprintf("Found in %d merged changes, from %s to %s", n, first, last)
	}
	fixed, dismissed, authors := e.account.Counts()
	text += fmt.Sprintf(": fixed in %d, dismissed in %d.", fixed, dismissed)
	if len(authors) == 0 {
		return text
	}
	names := []string{}
	for _, a := range authors[:min(len(authors), mostAuthors)] {
		names = append(names, markdown.Escape(a))
	}
	if more := len(authors) - mostAuthors; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return text + " They were made by " + strings.Join(names, ", ") + "."
}

var (
	pull = lazyregexp.New(`^pr-([1-9][0-9]{0,9})$`)
	push = lazyregexp.New(`^push-([0-9a-f]{7,64})$`)
)

func (w *writer) change(c principle.Evidence, a *principle.Account) string {
	name := markdown.Code(c.Key)
	if m := pull.FindStringSubmatch(c.Key); m != nil && w.repository != "" {
		name = markdown.Link("pull request "+m[1], w.repository+"/pull/"+m[1])
	}
	if m := push.FindStringSubmatch(c.Key); m != nil && w.repository != "" {
		name = markdown.Link(name, w.repository+"/commit/"+m[1])
	}
	text := name + ", " + markdown.Escape(c.At)
	if c.FixedBy != "" {
		return text + ": fixed by " + w.commit(c.FixedBy)
	}
	if a != nil {
		for _, o := range a.Changes {
			if o.Key == c.Key && o.Dismissed {
				return text + ": dismissed"
			}
		}
	}
	return text
}

var commitID = lazyregexp.New(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

func (w *writer) commit(id string) string {
	if !commitID.MatchString(id) {
		return markdown.Code(id)
	}
	if w.repository == "" {
		return markdown.Code(id[:10])
	}
	return markdown.Link(markdown.Code(id[:10]), w.repository+"/commit/"+id)
}

func held(c *principle.Check) string {
	switch {
	case c == nil:
		return "It has no check: a person removed it."
	case c.Shape == "":
		return fmt.Sprintf("The original tool detects it; its severity is %s.", a(string(c.Severity)))
	}
	return fmt.Sprintf("In %s, a changed line is reported as %s if it matches: %s", markdown.Escape(c.Language), a(string(c.Severity)), markdown.Code(c.Shape))
}

func a(noun string) string {
	if strings.HasPrefix(noun, "e") {
		return "an " + noun
	}
	return "a " + noun
}

func (w *writer) ended(entries []entry) {
	if len(entries) == 0 {
		return
	}
	var list strings.Builder
	for _, e := range entries[:min(len(entries), mostShown)] {
		because := e.account.Because(e.Principle.Principle)
		if because == "" {
			because = "by a person"
		}
		fmt.Fprintf(&list, "- %s: %s, %s. %s\n", clipped(e.Rule, e.slug), e.Status, because, w.file(e.slug))
	}
	if more := len(entries) - mostShown; more > 0 {
		fmt.Fprintf(&list, "- and %d more, in %s\n", more, markdown.Code(principle.Dir))
	}
	w.line("## Not in force")
	w.line("<details markdown=\"1\">\n<summary>Demoted, declined and expired ones</summary>\n\n%s\n</details>", markdown.Folded(list.String()))
}

func (w *writer) broken(entries []entry) {
	var list strings.Builder
	for _, e := range entries {
		if e.Problem != "" {
			fmt.Fprintf(&list, "- %s: %s\n", w.file(e.slug), markdown.Escape(e.Problem))
		}
	}
	if list.Len() > 0 {
		w.line("## Not readable")
		w.line("While these cannot be read, nothing new becomes a principle.")
		w.line("%s", strings.TrimRight(list.String(), "\n"))
	}
}

func (w *writer) footer() {
	w.line("## How to change one")
	w.line("Edit its file: word `rule` and `why` as you like, and delete `check` to stop checking code. " +
		"`status: demoted` or `status: declined` ends it for good; causal then leaves the file unchanged. A deleted file comes back. " +
		"An active principle is demoted when reviewers dismiss it in more than a quarter of its last 20 changes. It expires when no change " +
		"has it for 180 days, and returns with the next such change.")
	w.b.WriteString(keep.Footer + "\n<summary>Sources of this page</summary>\n\n")
	w.line("This page is derived from the files in %s and the records of closed changes in %s, and is stale when one of them changes. Written by %s.",
		markdown.Code(principle.Dir), markdown.Code(record.Dir), markdown.Code(Version))
	w.b.WriteString("</details>\n")
}

func (w *writer) file(slug string) string {
	up := strings.Repeat("../", strings.Count(Page(w.layout), "/"))
	return markdown.Link(markdown.Code(slug+".yml"), up+markdown.Path(principle.Path(slug)))
}

func clipped(text, otherwise string) string {
	if len(text) > longestWhy {
		text = strings.ToValidUTF8(text[:longestWhy], "") + "…"
	}
	if strings.TrimSpace(text) == "" {
		text = otherwise
	}
	return markdown.Escape(text)
}
