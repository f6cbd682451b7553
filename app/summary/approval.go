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

// Approvals is the branch of the pull request that proposes principles.
const Approvals = "causal/principles"

// Own reports whether a branch belongs to a pull request by causal.
func Own(branch string) bool { return branch == Rolling || branch == Approvals }

// Asking is the title of that pull request and of its commit.
const Asking = "Approve principles"

// AskingCommit is the body of its commit.
func AskingCommit(c *report.Candidates) string {
	var lines []string
	for _, one := range c.List {
		lines = append(lines, "- "+plain.InCommit(one.Slug))
	}
	return strings.Join(lines, "\n")
}

// Approval is the text of that pull request: each principle with its reason, origin, and how to decline it. web is
// the repository's URL.
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

// key matches the key of a closed pull request or a push.
var key = lazyregexp.New(`^(pr|push)-([0-9a-f]{1,64})$`)

// occurrence links to a change and says whether the finding was fixed or dismissed there.
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

// Turned is a comment on that pull request after it was closed without a merge. It lists the declined principles.
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
