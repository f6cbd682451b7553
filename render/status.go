package render

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
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
		return outrunBanner(n)
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

// keptParts are the parts that a module is no longer divided into and that have a stored page, while a file of the module does not
// parse: what is in that file counts for nothing then.
func (d *Docs) keptParts(r engine.Reader, modules []string, divided survey.Division) ([]string, error) {
	files, err := d.files.Below(d.config.Layout.Docs)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, file := range files {
		t, ok := topicAt(d.config.Layout, file)
		divides := func(p source.Part) bool { return p.Name == t.part }
		if !ok || t.part == "" || slices.ContainsFunc(divided.Parts[t.module], divides) || !slices.Contains(modules, t.module) {
			continue
		}
		value, err := r.Read(engine.ConclusionOf(ModuleUnit(t.module)))
		if err != nil {
			return nil, err
		}
		if m, ok := value.(*Module); ok && !m.Node.Fresh() {
			out = append(out, t.subject())
		}
	}
	return out, nil
}
