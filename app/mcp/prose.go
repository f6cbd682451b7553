package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

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
