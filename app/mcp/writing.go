package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/ask"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/render"
)

type proseUnit struct {
	Unit string `json:"unit,omitempty" jsonschema:"one of the open units, such as module/internal/money; default: the first"`
}

type proseAnswer struct {
	Unit  string      `json:"unit"  jsonschema:"the unit of the request, such as module/internal/money"`
	Slots []proseSlot `json:"slots" jsonschema:"the sentences of each slot; leave a slot out if the code does not show enough for it"`
}

type proseSlot struct {
	Slot      string            `json:"slot"      jsonschema:"the name of the slot, as in the request"`
	Sentences []grounding.Claim `json:"sentences" jsonschema:"plain sentences, each with the places that show it, as in the request"`
}

// openProse is the result of prose_open.
type openProse struct {
	Open []string `json:"open"`           // units
	Unit string   `json:"unit,omitempty"` // the unit shown in the text
}

// writtenProse is the result of prose_write.
type writtenProse struct {
	Unit    string                `json:"unit"`
	Dropped []report.ModelDropped `json:"dropped"`
	Pages   []string              `json:"pages_written"`
}

func (s *Server) addProse() {
	add(s, tool[proseUnit]{
		name: "prose_open", title: "List missing documentation", result: openProse{},
		about: "Lists the modules without a written purpose, overview or explanation, and those with prose that is out of date. Shows the code and the rules for one of them. Answer with prose_write.",
		rest:  "Read the named files for the rest.",
		run:   s.proseOpen,
	})
	add(s, tool[proseAnswer]{
		name: "prose_write", title: "Write documentation of a module", adds: true, result: writtenProse{},
		about: "Writes sentences for slots of a unit from prose_open, also instead of earlier ones, and updates the pages. Other slots stay. Each sentence needs cites. A sentence that cites places outside of the request, or names code that does not occur there, is dropped with the reason. If all are dropped, nothing is written.",
		run:   s.proseWrite,
	})
}

func (s *Server) proseOpen(ctx context.Context, _ string, in proseUnit) (*answered, error) {
	var list []*prompt.Request
	_, err := s.look(ctx, func(_ *workspace.Workspace, k *workspace.Knowledge) (_ *answered, err error) {
		list, err = k.Requests(ctx)
		return nil, err
	})
	if err != nil {
		return nil, err
	}
	out := openProse{Open: []string{}}
	for _, r := range list {
		out.Open = append(out.Open, r.Unit)
	}
	if len(list) == 0 {
		return &answered{text: "No documentation is missing: every slot is filled, or a person wrote it.", value: out}, nil
	}
	at := 0
	first := strings.Join(out.Open[:min(len(out.Open), mostOpen)], ", ")
	if in.Unit != "" {
		if at = slices.Index(out.Open, unitOf(in.Unit)); at < 0 {
			return nil, fmt.Errorf("no prose of %s is open; open units: %s", in.Unit, first)
		}
	}
	r := list[at]
	out.Unit = r.Unit
	return &answered{text: fmt.Sprintf("%d open: %s. Answer for %s with prose_write.\n\n%s\n\n%s", len(list), first, r.Unit, r.System, r.Turns[0].Text), value: out}, nil
}

const mostOpen = 20

// unitOf accepts a unit or a module path.
func unitOf(given string) string {
	if strings.HasPrefix(given, render.ModuleKind+"/") || strings.HasPrefix(given, render.PageKind+"/") {
		return given
	}
	return render.ModuleKind + "/" + given
}

func (s *Server) proseWrite(ctx context.Context, _ string, in proseAnswer) (*answered, error) {
	in.Unit = unitOf(in.Unit)
	raw, err := json.Marshal(map[string]any{"slots": in.Slots, "partial": true})
	if err != nil {
		return nil, err
	}
	var r *report.Update
	err = s.locked(ctx, s.looking, func(w *workspace.Workspace) (err error) {
		r, err = w.WriteProse(ctx, in.Unit, raw)
		return err
	})
	if err != nil {
		return nil, err
	}
	out := writtenProse{Unit: in.Unit, Dropped: dropped(r, in.Unit), Pages: r.PagesWritten}
	text, written := writtenText(out, in)
	return &answered{text: text, value: out, failed: !written}, nil
}

func dropped(r *report.Update, unit string) []report.ModelDropped {
	out := []report.ModelDropped{}
	for _, d := range r.Dropped {
		if d.Unit.String() == unit {
			out = append(out, report.ModelDropped{Unit: unit, Text: plain.Line(d.Text, plain.Longest), Reason: d.Reason})
		}
	}
	return out
}

// writtenText also reports whether a sentence was written.
func writtenText(w writtenProse, in proseAnswer) (string, bool) {
	all := 0
	for _, s := range in.Slots {
		all += len(s.Sentences)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d of %d sentences written; %d pages updated\n", w.Unit, all-len(w.Dropped), all, len(w.Pages))
	for _, d := range w.Dropped {
		fmt.Fprintf(&b, "dropped: %s: %q\n", d.Why(), d.Text)
	}
	return b.String(), all > len(w.Dropped)
}

type givenAnswer struct {
	Question   string            `json:"question"       jsonschema:"the question, in one sentence that needs no context"`
	Answer     []grounding.Claim `json:"answer"         jsonschema:"plain sentences, each with the places that show it: FILE:FROM-TO, FILE:LINE, FILE, a module, a symbol such as money.Parse, or the id of an event"`
	Confidence float64           `json:"confidence"     jsonschema:"how sure you are that the answer is right and complete, from 0 to 1"`
	Open       []string          `json:"open,omitempty" jsonschema:"what you could not find out"`
}

// keptAnswer is the result of answer_keep.
type keptAnswer struct {
	Question  string                `json:"question"`
	Sentences []ask.Sentence        `json:"answer"`
	Dropped   []report.ModelDropped `json:"dropped"`
	Kept      string                `json:"kept"`
	Replaced  bool                  `json:"replaced"`
	Condition string                `json:"invalidation_condition"`
	Pages     []string              `json:"pages_written"`
}

func (s *Server) addAnswers() {
	add(s, tool[givenAnswer]{
		name: "answer_keep", title: "Keep an answer", adds: true, result: keptAnswer{},
		about: "Stores an answer that you found in the code, with its question, in the repository and on the page of answers. Each sentence needs cites of places as they are now: these are the evidence, and causal marks the answer when they change. A sentence that cites another place, names code that does not occur in the cited places, or has markup is dropped with the reason. Replaces an earlier answer to the question.",
		run:   s.answerKeep,
	})
}

func (s *Server) answerKeep(ctx context.Context, _ string, in givenAnswer) (*answered, error) {
	var kept *ask.Kept
	var r *report.Update
	err := s.locked(ctx, s.looking, func(*workspace.Workspace) error {
		err := s.open(ctx, func(w *workspace.Workspace) (err error) {
			kept, err = s.keep(ctx, w, in)
			return err
		})
		if err != nil || kept.Kept == "" {
			return err
		}
		return s.open(ctx, func(w *workspace.Workspace) (err error) { // reopen to see the new file
			r, err = w.Update(ctx, workspace.SpecsRun{})
			return err
		})
	})
	if wrong, ok := errors.AsType[*ask.UsageError](err); ok {
		return nil, fmt.Errorf("%w; nothing was stored", wrong)
	}
	if err != nil {
		return nil, err
	}
	out := keptAnswer{
		Question: kept.Question, Sentences: kept.Sentences, Dropped: []report.ModelDropped{}, Kept: kept.Kept, Replaced: kept.Replaced && kept.Kept != "",
		Condition: kept.Condition, Pages: []string{},
	}
	for _, d := range kept.Dropped {
		out.Dropped = append(out.Dropped, report.ModelDropped{Unit: "answer/" + ask.Slug(kept.Question), Text: plain.Line(d.Text, plain.Longest), Reason: d.Reason})
	}
	if r != nil {
		out.Pages = append(out.Pages, r.PagesWritten...)
	}
	return &answered{text: out.text(len(in.Answer)), value: out, failed: out.Kept == ""}, nil
}

// keep stores an answer with the state of the work tree as evidence.
func (s *Server) keep(ctx context.Context, w *workspace.Workspace, in givenAnswer) (*ask.Kept, error) {
	e, err := w.LookApart()
	if err != nil {
		return nil, err
	}
	asker, err := ask.New(ctx, w, e)
	if err != nil {
		return nil, err
	}
	return asker.Keep(ctx, ask.Given{Question: in.Question, Sentences: in.Answer, Confidence: in.Confidence, Open: in.Open})
}

func (k keptAnswer) text(given int) string {
	var b strings.Builder
	switch {
	case k.Kept == "":
		b.WriteString("nothing was stored: no sentence is valid\n")
	case k.Replaced:
		plain.Add(&b, "replaced %s: %d of %d sentences\n", k.Kept, len(k.Sentences), given)
	default:
		plain.Add(&b, "kept in %s: %d of %d sentences\n", k.Kept, len(k.Sentences), given)
	}
	for _, d := range k.Dropped {
		why := d.Why()
		if d.Reason == prompt.NoSuchPlace {
			why = "cites a place that does not exist or may not be shown"
		}
		plain.Add(&b, "dropped: %s: %q\n", why, d.Text)
	}
	if k.Kept != "" {
		plain.Add(&b, "invalid if %s\n", plain.Line(k.Condition, plain.Longest))
	}
	return b.String()
}
