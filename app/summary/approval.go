package summary

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/review/principle"
)

// Approvals is the branch of the one pull request that asks people which principles they want.
const Approvals = "causal/principles"

// Own reports whether a branch is of a pull request that causal keeps.
func Own(branch string) bool { return branch == Rolling || branch == Approvals }

// Asking is the title of that pull request, and the headline of its commit.
const Asking = "Approve principles"

// AskingCommit is the body of its commit.
func AskingCommit(c *report.Candidates) string {
	var lines []string
	for _, one := range c.List {
		lines = append(lines, "- "+plain.InCommit(one.Slug))
	}
	return strings.Join(lines, "\n")
}

// Approval is the text of that pull request: of each principle what it asks for, why, where it comes from, and how to do without it.
// web is the repository's address on the web.
func Approval(web string, c *report.Candidates) string {
	parts := []string{
		"Reviews of this repository have the recurring findings below. Merging this pull request turns them into " + these(c) + " for later reviews. " +
			"Closing it without a merge declines all of them, for good.",
		"To decline one, comment `/causal decline` and its name, or set its `status` to `declined` on this branch before merging. " +
			"You can also edit `rule` and `why` here. After a commit by another author, causal leaves this branch unchanged; later principles " +
			"follow when this pull request is merged or closed.",
	}
	for _, one := range c.List {
		parts = append(parts, candidate(web, one))
	}
	if c.Left > 0 {
		parts = append(parts, Count(c.Left, "more principle")+" will follow.")
	}
	return strings.Join(parts, "\n\n")
}

func these(c *report.Candidates) string {
	if len(c.List) == 1 {
		return "a principle"
	}
	return "principles"
}

func candidate(web string, c report.Candidate) string {
	lines := []string{"### " + Code(c.Slug), Words(c.Rule), Words(c.Why)}
	if c.Found == 0 {
		lines = append(lines, "The records of its changes are missing.")
	} else {
		lines = append(lines, fmt.Sprintf("Found in %s: fixed in %d, dismissed in %d.", Count(c.Found, "merged change"), c.Fixed, c.Dismissed))
	}
	var changes []string
	for _, o := range c.Changes {
		changes = append(changes, "- "+occurrence(web, o))
	}
	if more := c.Found - len(c.Changes); more > 0 {
		changes = append(changes, "- and "+Count(more, "earlier one"))
	}
	lines = append(lines, List(changes), "Its file is "+Code(principle.Path(c.Slug))+".")
	return Join(lines...)
}

// key is that of a change that was closed: a pull request, or a push.
var key = lazyregexp.New(`^(pr|push)-([0-9a-f]{1,64})$`)

// occurrence links to a change, and says what became of the finding there.
func occurrence(web string, o report.Occurrence) string {
	text := Code(o.Key)
	if m := key.FindStringSubmatch(o.Key); m != nil {
		text = markdown.Link(text, address(web, map[string]string{"pr": "pull", "push": "commit"}[m[1]], m[2]))
	}
	text += ", " + Words(o.At)
	switch {
	case o.FixedBy != "":
		return text + ": fixed by " + Code(o.FixedBy[:min(len(o.FixedBy), 10)])
	case o.Dismissed:
		return text + ": dismissed"
	}
	return text
}

// Turned says in that pull request, once it is closed, what became of the principles that it asked about.
func Turned(slugs []string, proposed string) string {
	var names []string
	for _, slug := range slices.Sorted(slices.Values(slugs)) {
		names = append(names, "- "+Code(slug)+", in "+Code(principle.Path(slug)))
	}
	when := "These principles are declined, because this was closed without a merge"
	if proposed != "" {
		when += "; their files say so when " + proposed + " is merged"
	}
	return when + ":\n\n" + List(names) + "\n\nThey are not proposed again. To activate one later, set its `status` to `active`."
}
