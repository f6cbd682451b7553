package render

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/render/node"
)

// manyProblems is how many files a page names that could not be read whole.
const manyProblems = 5

// banner opens the warning below the first paragraph of a page.
const banner = "> ⚠ **"

// status warns of a page that cannot be trusted.
func (p *page) status() { p.b.WriteString(statusOf(p.node)) }

// statusOf is the warning on the pages of a module, empty if they can be trusted.
func statusOf(n *node.Node) string {
	if n.Stale != "" {
		return banner + "Stale** · " + markdown.Escape(n.Stale) + ". This is the last readable version." + paragraph
	}
	problems := n.Problems()
	if len(problems) == 0 {
		return ""
	}
	if more := len(problems) - manyProblems; more > 0 {
		problems = append(problems[:manyProblems:manyProblems], count(more, "more file"))
	}
	return banner + "Partial** · could not read all of " + markdown.Escape(strings.Join(problems, "; ")) + paragraph
}

// withStatus is a stored page with another warning, where status writes it: below the heading and the paragraph that follows. ok is
// false if there is no such page, or if it holds both sides of a merge.
func withStatus(stored, status string) (page string, ok bool) {
	stored = strings.ReplaceAll(stored, "\r\n", "\n")
	head, rest, found := strings.Cut(stored, "\n# ")
	title, rest, titled := strings.Cut(rest, paragraph)
	lead, rest, led := strings.Cut(rest, paragraph)
	if !found || !titled || !led || keep.Conflicted(stored) {
		return "", false
	}
	if strings.HasPrefix(rest, banner) {
		_, rest, _ = strings.Cut(rest, paragraph)
	}
	return head + "\n# " + title + paragraph + lead + paragraph + status + rest, true
}
