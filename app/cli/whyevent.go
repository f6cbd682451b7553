package cli

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render/decisions"
)

// namesEvent reports whether a target may be an event: a quotation, or digits with which ids begin. Whether one is is for the log to say.
func namesEvent(target string) bool {
	return quotes(target) || len(target) >= 8 && strings.Trim(target, "0123456789abcdef") == ""
}

func quotes(target string) bool {
	return len(target) > 2 && strings.HasPrefix(target, `"`) && strings.HasSuffix(target, `"`)
}

type whyEvent struct {
	Event logEvent   `json:"event"`
	State *item      `json:"state,omitempty"` // of a position
	Trail []logEvent `json:"trail"`
	AsOf  scope      `json:"as_of"`
}

// whyEvent tells the trail of the event that a target names. False when none does: digits may name a frame, and what is quoted a path.
func (p *place) whyEvent(ctx context.Context, target string, asJSON bool) (bool, error) {
	log, err := p.Ledger(ctx, false)
	if err != nil {
		return false, err
	}
	r := reasoning.NewRecorder(log.Log)
	id, err := r.Find(target)
	var dropped *reasoning.DropError
	switch {
	case errors.As(err, &dropped) && dropped.Reason == reasoning.NoCandidate:
		return false, nil
	case errors.As(err, &dropped):
		return true, exit{ExitFindings, errors.New("why " + target + ": " + dropped.Detail + p.choose(log, dropped.Candidates))}
	case err != nil:
		return false, err
	}
	p.doubt(log)
	e, _ := log.Find(id)
	answer := whyEvent{Event: eventOf(e), AsOf: scopeOf(log), Trail: []logEvent{}}
	told := r.Graph().Item(id)
	if e.Type.Position() {
		answer.State = &itemsOf([]reasoning.Item{told})[0]
	}
	for _, t := range told.Trail {
		step, _ := log.Find(t)
		answer.Trail = append(answer.Trail, eventOf(step))
	}
	return true, p.world.answer(asJSON, answer, func(w io.Writer) error { return printWhyEvent(w, log, told, answer.Trail) })
}

// explainDecisions tells of the page of decisions.
func (p *place) explainDecisions(ctx context.Context, a *whyAnswer, e *workspace.Knowledge, file string) error {
	a.Generator, a.File, a.Page, a.Pages = decisions.Version, file, file, []string{file}
	a.Name, a.Says, a.From = "the page of decisions", "what holds, what is contested and what was given up", "from the events of the log"
	a.Because = append(a.Because, because{What: store.Log, Level: "content", How: read})
	x, ok, err := e.DecisionsPage(ctx)
	if err != nil || !ok {
		return err
	}
	a.Fresh, a.Stale = x.Fresh, x.Reasons
	if x.Conclusion != nil {
		a.explainConclusion(x)
	}
	return nil
}

// choose lists what may have been meant.
func (p *place) choose(log *workspace.Ledger, list []reasoning.Candidate) string {
	var rows [][]string
	for _, c := range candidatesOf(log, list) {
		rows = append(rows, []string{"causal why " + c.ID.Short(), oneLine(c.Text)})
	}
	if len(rows) == 0 {
		return ""
	}
	return "; choose one\n  " + strings.Join(table(rows), "\n  ")
}

func printWhyEvent(w io.Writer, log *workspace.Ledger, i reasoning.Item, trail []logEvent) error {
	var b strings.Builder
	plain.Add(&b, "%s\n%s\n", oneLine(i.Event.Text), standsNow(i))
	if by, ok := log.Find(i.SupersededBy); ok {
		how := "gave way to"
		if by.Type == ledger.Contradiction {
			how = "fell to"
		}
		plain.Add(&b, "it %s %s: %s\n", how, by.ID.Short(), oneLine(by.Text))
	}
	if i.Event.Source != "" {
		plain.Add(&b, "source: %s\n", i.Event.Source)
	}
	plain.Add(&b, "\n")
	number := map[ledger.ID]int{}
	for n, e := range trail {
		number[e.ID] = n + 1
	}
	for _, e := range trail {
		mark := " "
		if e.ID == i.Event.ID {
			mark = ">"
		}
		plain.Add(&b, "%s %2d  %-13s  %s  %s\n", mark, number[e.ID], e.Type, e.ID.Short(), oneLine(e.Text))
		plain.Add(&b, "      %s\n", strings.Join(slices.DeleteFunc([]string{did(e, number), e.Actor, day(e.At)}, func(s string) bool { return s == "" }), "; "))
	}
	plain.Add(&b, "\n%s\n", told(log))
	_, err := io.WriteString(w, b.String())
	return err
}

// standsNow is what became of an event, in words.
func standsNow(i reasoning.Item) string {
	text := string(i.Event.Type) + " " + i.Event.ID.Short()
	if i.Status != "" {
		text += " is " + string(i.Status)
	}
	if i.Standing != reasoning.None && i.Status != "" {
		text += ", " + string(i.Standing)
	}
	return text
}

// acts are what an event does to its targets, in words.
var acts = map[ledger.Type]string{
	ledger.Contradiction: "speaks against", ledger.Refinement: "takes the place of", ledger.Synthesis: "draws on", ledger.Park: "puts aside",
	ledger.Resume: "takes up again", ledger.Withdraw: "takes back", ledger.Confirm: "confirms",
}

// did is what an event does to others of a trail, by their numbers.
func did(e logEvent, number map[ledger.ID]int) string {
	var parts []string
	say := func(how string, ids []ledger.ID) {
		var names []string
		for _, id := range slices.SortedFunc(slices.Values(ids), func(a, b ledger.ID) int { return number[a] - number[b] }) {
			if n := number[id]; n > 0 {
				names = append(names, strconv.Itoa(n))
			} else {
				names = append(names, id.Short())
			}
		}
		if len(names) > 0 {
			parts = append(parts, how+" "+strings.Join(names, ", "))
		}
	}
	say(acts[e.Type], e.Targets)
	say("answers", e.Resolves)
	say("considers", e.Considers)
	if e.Cause != "" {
		say("because of", []ledger.ID{e.Cause})
	}
	return strings.Join(parts, ", ")
}
