package summary

import (
	"fmt"
	"strings"

	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/markdown"
)

// mostCites bounds the links of one sentence.
const mostCites = 3

// Overview formats the model's summary of the change, with links to the cited places. It is empty without a model.
func (r *Review) Overview(web string) string {
	if r == nil || r.Report == nil || len(r.Report.Overview) == 0 {
		return ""
	}
	var lines []string
	for _, s := range r.Report.Overview {
		clean, ok := grounding.CleanSentence(s.Text) // the child process is not trusted
		if !ok {
			continue
		}
		lines = append(lines, "- "+markdown.Sentence(clean)+sources(web, r.Report.Head, s.Cites))
	}
	if len(lines) == 0 {
		return ""
	}
	return "**Summary of the change** · <sub>written by a model; each sentence links to its source</sub>\n\n" + List(lines)
}

// sources links places in a commit. Events and nodes have no link.
func sources(web, head string, cites []grounding.Cite) string {
	var parts []string
	for _, c := range cites[:min(len(cites), mostCites)] {
		place := Code(c.String())
		link := address(web, "blob", head, c.File)
		switch {
		case c.From > 0 && c.From == c.To:
			link += fmt.Sprintf("#L%d", c.From)
		case c.From > 0:
			link += fmt.Sprintf("#L%d-L%d", c.From, c.To)
		}
		if c.File != "" && len(link) <= longestAddress {
			place = "[" + place + "](" + link + ")"
		}
		parts = append(parts, place)
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
