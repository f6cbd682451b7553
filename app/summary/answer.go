package summary

import (
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/markdown"
)

// origins describes the sources of answers.
var origins = map[string]string{
	report.FromModel: "written by a model; each sentence links to its source", report.FromIndex: "from the index, no model was asked",
	report.FromStored: "the answer that this repository keeps; it still holds",
}

// Answer formats the answer to a question about the repository at a commit. Texts of a model or a child process
// become plain text without headings, links or mentions.
func Answer(web, head, question string, a report.Answer) string {
	var lines []string
	for _, s := range a.Sentences {
		text := Words(s.Text)
		if a.From != report.FromIndex {
			clean, ok := grounding.CleanSentence(s.Text)
			if !ok {
				continue
			}
			text = markdown.Sentence(clean)
		}
		lines = append(lines, "- "+text+sources(web, head, s.Cites))
	}
	origin := origins[a.From]
	switch {
	case a.Failed:
		origin = "from the index: the model gave no answer"
	case a.From == report.FromModel && len(lines) == 0:
		origin = "a model was asked"
	case a.From != report.FromIndex:
		origin += fmt.Sprintf(" · confidence %.2g", a.Confidence)
	}
	if len(lines) == 0 {
		lines = append(lines, "No answer was found.")
	}
	var open []string
	for _, text := range a.Open {
		open = append(open, "- "+Words(text))
	}
	if len(open) > 0 {
		open = append([]string{"Open:", ""}, open...)
	}
	return Join(heading(question), List(lines), strings.Join(open, "\n"), "<sub>"+origin+"</sub>")
}

// Unanswered formats the reason why a question has no answer.
func Unanswered(question string, why error) string {
	return Join(heading(question), "No answer was found: "+Words(why.Error())+".")
}

func heading(question string) string { return "**Question:** " + Words(question) }
