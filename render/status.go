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

// manyProblems bounds the unreadable files that a page names.
const manyProblems = 5

const banner = "> ⚠ **"

func (p *page) status() { p.b.WriteString(statusOf(p.node)) }

// statusOf returns the warning on the pages of a module that is not up to date.
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

// withStatus replaces the warning of a stored page, below the heading and its paragraph. ok is false for a missing page
// or one with conflict markers.
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

// keptParts lists stored pages of parts that no longer exist while a file of the module does not parse: its content is
// unknown.
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
