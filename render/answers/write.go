package answers

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/store"
)

func write(l store.Layout, list []*Answer) string {
	var b strings.Builder
	b.WriteString("# Answers\n\nA language model or a coding agent answered these questions about this project. Each sentence leads to its sources. " +
		"causal re-checks the evidence and marks an answer that no longer holds.\n\n")
	for _, a := range list {
		fmt.Fprintf(&b, "## %s\n\n", markdown.Escape(a.Question))
		banner(&b, a)
		for _, s := range a.Sentences {
			fmt.Fprintf(&b, "- %s (%s)\n", markdown.Sentence(s.Text), sources(l, a, s.Cites))
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

// sources lists cites. An invalid answer has no links, since the places may be gone.
func sources(l store.Layout, a *Answer, cites []grounding.Cite) string {
	var out []string
	for _, c := range cites {
		text := markdown.Code(c.String())
		if to := linkOf(l, a, c); to != "" && len(a.Invalid) == 0 {
			text = markdown.Link(text, to)
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// linkOf links to lines of a file, or to the page of a module in the answer's evidence; empty for others.
func linkOf(l store.Layout, a *Answer, c grounding.Cite) string {
	if module, ok := strings.CutPrefix(c.Ref, "node "); ok && slices.ContainsFunc(a.Evidence, func(o fact.Observation) bool {
		return o.Fact == fact.New(fact.Conclusions, "module/"+module)
	}) {
		return markdown.Path(strings.TrimPrefix(l.Page(module), l.Docs+"/"))
	}
	if c.File == "" {
		return ""
	}
	to := strings.Repeat("../", strings.Count(Page(l), "/")) + markdown.Path(c.File)
	if c.From == 0 {
		return to
	}
	if ext := strings.ToLower(path.Ext(c.File)); ext == ".md" || ext == ".markdown" {
		to += "?plain=1" // rendered Markdown has no lines
	}
	if to += fmt.Sprintf("#L%d", c.From); c.To > c.From {
		to += fmt.Sprintf("-L%d", c.To)
	}
	return to
}
