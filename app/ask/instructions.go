package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/knowledge/prompt"
)

// instructions are the same for all questions and frames.
const instructions = `You answer questions about a repository. Navigate with the tools: begin with the index below the question, search or grep to find places, read only the lines that matter. Give a part of the question that needs much reading to the tool ask.

End with the tool answer. Rules for it:
- Few plain sentences in the language of the question. No markup except backticks around code names.
- Each sentence cites at least one place that a tool showed in this conversation: FILE:LINE, FILE:FROM-TO, a module as node showed it, or the id of an event.
- Code names must occur in what the sentence cites, or be names that node showed. A sentence that breaks a rule is dropped.
- confidence is from 0 to 1: how sure you are that the answer is right and complete.
- open lists what could not be found out. If nothing was found, the answer is an empty list.

` + prompt.DataRule

// answerSchema is the form of an answer.
var answerSchema = json.RawMessage(`{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"causal.answer/v1","type":"object",` +
	`"properties":{"answer":{"type":"array","maxItems":60,"items":{"type":"object","properties":{"text":{"type":"string"},"cites":{"type":"array","items":{"type":"string"}}},` +
	`"required":["text","cites"],"additionalProperties":false}},"confidence":{"type":"number","minimum":0,"maximum":1},"open":{"type":"array","items":{"type":"string"}}},` +
	`"required":["answer","confidence","open"],"additionalProperties":false}`)

// The bounds of the index.
const (
	mostIndex    = 8 << 10 // bytes
	longestEntry = 120
)

// index lists the modules with their purposes. It is no evidence: sentences cannot cite it.
func (r *run) index() string {
	var b strings.Builder
	list := r.Knowledge.Modules()
	for i, m := range list {
		purpose := m.Purpose
		if r.Knowledge.Conceals(m.Path) {
			purpose = ""
		}
		line := strings.TrimSpace(m.Path + "  " + strings.Join(strings.Fields(plain.Cut(purpose, longestEntry)), " "))
		if b.Len()+len(line) > mostIndex {
			fmt.Fprintf(&b, "and %d more modules\n", len(list)-i)
			break
		}
		b.WriteString(line + "\n")
	}
	return prompt.Data("index of modules", b.String())
}

// opening is the first message of a frame.
func (t *talk) opening(ctx context.Context, earlier *stored) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "Question: %s\n", t.frame.Query)
	if t.attempt > 0 {
		fmt.Fprintf(&b, "Attempt: %d\n", t.attempt+1)
	}
	if t.frame.Context != "" {
		b.WriteString(prompt.Data("context from the frame that asks", t.frame.Context))
	}
	if earlier != nil {
		text, err := t.told(ctx, earlier.Root)
		if err != nil {
			return "", err
		}
		for _, o := range earlier.Root.evidence() {
			t.frame.add(o)
		}
		b.WriteString(prompt.Data("earlier in this session", earlier.Question+"\n"+text))
	}
	if t.level > 0 {
		b.WriteString("This is a part of a larger question. Answer only this part.\n")
	}
	return b.String() + "\n" + t.index(), nil
}
