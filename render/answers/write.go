package answers

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/store"
)

// write renders the page without its front matter.
func write(l store.Layout, list []*Answer) string {
	var b strings.Builder
	b.WriteString("# Answers\n\nA language model answered these questions about this project. Each sentence leads to its sources. " +
		"causal re-checks the evidence and marks an answer that no longer holds.\n\n")
	for _, a := range list {
		fmt.Fprintf(&b, "## %s\n\n", markdown.Escape(a.Question))
		banner(&b, a)
		for _, s := range a.Sentences {
			fmt.Fprintf(&b, "- %s (%s)\n", markdown.Sentence(s.Text), sources(l, s.Cites, len(a.Invalid) == 0))
		}
		fmt.Fprintf(&b, "\nConfidence: %s\n\n", strconv.FormatFloat(a.Confidence, 'g', 3, 64))
		if len(a.Open) > 0 {
			b.WriteString("Open:\n\n")
			for _, text := range a.Open {
				b.WriteString("- " + markdown.Escape(text) + "\n")
			}
			b.WriteByte('\n')
		}
	}
	b.WriteString("---\n\n" + markdown.Code("causal ask --keep QUESTION") + " adds an answer.\n")
	return b.String()
}

// mostCauses is how many causes a banner names.
const mostCauses = 3

func banner(b *strings.Builder, a *Answer) {
	if len(a.Invalid) == 0 {
		return
	}
	causes := make([]string, 0, mostCauses+1)
	for _, c := range a.Invalid[:min(len(a.Invalid), mostCauses)] {
		causes = append(causes, markdown.Escape(c))
	}
	if more := len(a.Invalid) - len(causes); more > 0 {
		causes = append(causes, fmt.Sprintf("and %d more", more))
	}
	fmt.Fprintf(b, "> [!WARNING]\n> This answer may be wrong now: %s. %s with a model asks again.\n\n", strings.Join(causes, "; "), markdown.Code("causal update"))
}

// sources lists cites. An invalid answer has no links: the places may be gone.
func sources(l store.Layout, cites []grounding.Cite, links bool) string {
	var out []string
	for _, c := range cites {
		text := markdown.Code(c.String())
		if c.File != "" && links {
			to := strings.Repeat("../", strings.Count(Page(l), "/")) + markdown.Path(c.File)
			if c.From > 0 {
				to += fmt.Sprintf("#L%d-L%d", c.From, c.To)
			}
			text = markdown.Link(text, to)
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}
