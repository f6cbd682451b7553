package review

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/sarif"
)

// ModelTool is the tool name of findings that a model reports, and ModelRule is their rule.
const (
	ModelTool = "model"
	ModelRule = ModelTool + "/review"
)

// Model answers questions about a change. Drop records the unused parts of an answer.
type Model interface {
	prompt.Model
	Drop(unit string, list ...prompt.Dropped)
}

// Question asks a model about a change.
type Question struct {
	Base, Head string // commits; Head is empty for the work tree
	Shown      *Shown
}

func (q Question) unit() string {
	head := q.Head
	if head == "" {
		head = "worktree"
	}
	return "change/" + q.Base + ".." + head
}

func (q Question) ask(ctx context.Context, m Model, system, schema string, answer any) error {
	got, err := m.Complete(ctx, prompt.Request{
		Use: prompt.Review, Unit: q.unit(), Schema: json.RawMessage(schema), System: system + " " + prompt.DataRule,
		Turns: []prompt.Turn{{Role: prompt.User, Text: q.Shown.all.String()}},
	})
	if err != nil {
		return err
	}
	if err := json.Unmarshal(got.Answer, answer); err != nil {
		return &prompt.FailedError{Reason: prompt.NotTheForm, Err: fmt.Errorf("read the answer about %s: %w", q.unit(), err)}
	}
	return nil
}

const findingsPrompt = `You review a change of a repository. You see its diff, places that use the changed symbols, earlier findings in these files, and the principles of the repository. ` +
	`In the diff each line has a sign, its number and a tab before it. ` +
	`Report defects that the change introduces: wrong results, lost errors, races, leaks, security problems, broken callers, violated principles. ` +
	`Do not report style, do not praise, and do not guess: without a defect, report nothing. ` +
	`Each finding names the file and quotes the code that is wrong exactly as it is in the new version, without sign and number. ` +
	`The title is one sentence of at most 100 characters, and why says in at most 400 characters what goes wrong and when. ` +
	`A suggestion says in words how to fix it, or is empty. All are plain text without links or markup; names of code are in backticks and occur in what you see. ` +
	`The severity is error if users are certainly hurt, warning if they may be, else note.`

const findingsSchema = `{"title":"causal.review/v1","type":"object","additionalProperties":false,"required":["findings"],"properties":{"findings":{"type":"array","items":` +
	`{"type":"object","additionalProperties":false,"required":["file","quote","title","why","severity","suggestion"],"properties":{` +
	`"file":{"type":"string"},"quote":{"type":"string"},"title":{"type":"string"},"why":{"type":"string"},` +
	`"severity":{"type":"string","enum":["note","warning","error"]},"suggestion":{"type":"string"}}}}}}`

type modelFinding struct {
	File       string           `json:"file"`
	Quote      string           `json:"quote"`
	Title      string           `json:"title"`
	Why        string           `json:"why"`
	Severity   finding.Severity `json:"severity"`
	Suggestion string           `json:"suggestion"`
}

const mostOfModel = 20

// Findings asks a model for defects of the change. The results count like those of a linter named ModelTool.
func (q Question) Findings(ctx context.Context, m Model) ([]sarif.Result, error) {
	var answer struct {
		Findings []modelFinding `json:"findings"`
	}
	if err := q.ask(ctx, m, findingsPrompt, findingsSchema, &answer); err != nil {
		return nil, err
	}
	var out []sarif.Result
	for i, f := range answer.Findings {
		result, dropped := q.Shown.hold(f)
		if i >= mostOfModel {
			result, dropped = nil, []prompt.Dropped{{Text: f.Title, Reason: prompt.NotTheForm}}
		}
		m.Drop(q.unit(), dropped...)
		if result != nil {
			out = append(out, *result)
		}
	}
	return out, nil
}

// hold turns a finding into a result if its quote is in the file and its text is valid.
func (s *Shown) hold(f modelFinding) (*sarif.Result, []prompt.Dropped) {
	drop := func(reason prompt.Reason) (*sarif.Result, []prompt.Dropped) {
		return nil, []prompt.Dropped{{Text: f.Title, Reason: reason}}
	}
	file := s.files[path.Clean(f.File)]
	if file == nil || file.Gone {
		return drop(prompt.NoSuchPlace)
	}
	first, last, ok := s.locate(file, f.Quote)
	if !ok {
		return drop(prompt.NoSuchPlace)
	}
	if !f.Severity.Valid() {
		return drop(prompt.NotTheForm)
	}
	stand, dropped := s.sentences(f.Title, f.Why)
	if len(dropped) > 0 {
		return drop(dropped[0].Reason)
	}
	if strings.TrimSpace(f.Suggestion) != "" {
		var suggestion []string
		if suggestion, dropped = s.sentences(f.Suggestion); len(suggestion) > 0 {
			stand = append(stand, "Suggestion: "+suggestion[0])
		}
	}
	return &sarif.Result{
		Rule: ModelRule, Category: finding.Correctness, Severity: f.Severity, Path: file.Path, Region: sarif.Region{Line: first, EndLine: last},
		Message: strings.Join(stand, " "),
	}, dropped
}

// sentences checks texts against everything that the model saw, and ends each with a full stop.
func (s *Shown) sentences(texts ...string) (out []string, dropped []prompt.Dropped) {
	const all = "all"
	var words grounding.Shown
	words.AddNames(s.names...)
	words.AddRef(all, s.all.String())
	var claims []grounding.Claim
	for _, text := range texts {
		claims = append(claims, grounding.Claim{Text: text, Cites: []string{all}})
	}
	stand, dropped := words.Hold(claims)
	for _, one := range stand {
		text := one.Text
		if !strings.ContainsAny(text[len(text)-1:], ".!?") {
			text += "."
		}
		out = append(out, text)
	}
	return out, dropped
}

const summaryPrompt = `You summarise a change of a repository for its reviewers. You see its diff, places that use the changed symbols, earlier findings in these files, and the principles of the repository. ` +
	`In the diff each line has a sign, its number and a tab before it. ` +
	`Write three to five sentences that say what the change does and what it means for those who use the code. Do not judge it. ` +
	`Each sentence is plain text without links or markup, of at most 300 characters, and cites the lines of the new version on which it rests, as path:first-last. ` +
	`Names of code are in backticks and occur in the lines that are cited.`

const summarySchema = `{"title":"causal.summary/v1","type":"object","additionalProperties":false,"required":["sentences"],"properties":{"sentences":{"type":"array","items":` +
	`{"type":"object","additionalProperties":false,"required":["text","cites"],"properties":{"text":{"type":"string"},"cites":{"type":"array","items":{"type":"string"}}}}}}}`

const mostSentences = 5

// Summary asks a model to describe the change in sentences with sources.
func (q Question) Summary(ctx context.Context, m Model) ([]grounding.Sentence, error) {
	var answer struct {
		Sentences []grounding.Claim `json:"sentences"`
	}
	if err := q.ask(ctx, m, summaryPrompt, summarySchema, &answer); err != nil {
		return nil, err
	}
	claims := answer.Sentences[:min(len(answer.Sentences), mostSentences)]
	for _, more := range answer.Sentences[len(claims):] {
		m.Drop(q.unit(), prompt.Dropped{Text: more.Text, Reason: prompt.NotTheForm})
	}
	stand, dropped := q.Shown.Hold(claims)
	m.Drop(q.unit(), dropped...)
	return stand, nil
}
