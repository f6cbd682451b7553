package answer

import (
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// Limits of the orientation, which agents read at the start of every task.
const (
	mostOriented = 400 // words
	longestPoint = 135 // characters of a line
)

// Orientation summarizes the state of a project for the start of a task: decisions, open objections, and stale pages.
type Orientation struct {
	AsOf         Scope   `json:"as_of"`
	Focus        string  `json:"focus,omitempty"`
	Settled      []Point `json:"settled"`
	Contested    []Point `json:"contested"`
	Unchallenged []Point `json:"unchallenged"`
	Open         []Point `json:"open"`
	Resolved     []Point `json:"resolved"`
	More         int     `json:"more"` // omitted points
	Docs         *Docs   `json:"docs,omitempty"`

	log     *workspace.Ledger
	unknown bool // no event matches the focus
}

// Point is an event on one line.
type Point struct {
	ID   ledger.ID   `json:"id"`
	Type ledger.Type `json:"type"`
	Text string      `json:"text"`
	By   []Other     `json:"by,omitempty"` // events that contest or replaced it; for an open objection, its targets
}

// Other is an event related to a point.
type Other struct {
	ID   ledger.ID   `json:"id"`
	Type ledger.Type `json:"type"`
	Text string      `json:"text"`
}

// Docs counts the modules, and lists the modules and other pages that are out of date.
type Docs struct {
	Modules int      `json:"modules"`
	Stale   []string `json:"stale"`

	none bool // no page was written yet
}

// DocsOf returns the state of the pages after a run of the engine.
func DocsOf(w *workspace.Workspace, e *workspace.Knowledge) *Docs {
	d := &Docs{Stale: []string{}, none: !w.Files.Has(w.Layout.Index())}
	for _, m := range e.Modules() {
		d.Modules++
		if !m.Fresh {
			d.Stale = append(d.Stale, m.Path)
		}
	}
	d.Stale = append(d.Stale, e.StalePages()...)
	return d
}

// Orient summarizes the state of a project, or only of events that match a focus. Parked and withdrawn positions are
// omitted.
func Orient(log *workspace.Ledger, focus string) *Orientation {
	r := reasoning.NewRecorder(log.Log)
	o := &Orientation{AsOf: ScopeOf(log), Focus: focus, log: log}
	var only map[ledger.ID]float64
	if focus != "" {
		only = r.Near(focus)
		if o.unknown = len(only) == 0; o.unknown {
			only = nil
		}
	}
	s := r.Graph().State(only)
	o.Settled, o.Contested, o.Unchallenged = o.points(s.Current, reasoning.Settled), o.points(s.Current, reasoning.Contested), o.points(s.Current, reasoning.Unchallenged)
	o.Open, o.Resolved = []Point{}, []Point{}
	for _, i := range s.Pending() {
		o.Open = append(o.Open, o.point(i, i.Event.Targets...))
	}
	for _, i := range s.Past { // contradictions are listed with their targets
		if i.Status == reasoning.Superseded && i.Event.Type != ledger.Contradiction {
			o.Resolved = append(o.Resolved, o.point(i, i.SupersededBy))
		}
	}
	o.fit()
	return o
}

func (o *Orientation) points(items []reasoning.Item, standing reasoning.Standing) []Point {
	out := []Point{}
	for _, i := range items {
		if i.Standing == standing {
			out = append(out, o.point(i, i.Challenges...))
		}
	}
	return out
}

func (o *Orientation) point(i reasoning.Item, by ...ledger.ID) Point {
	p := Point{ID: i.Event.ID, Type: i.Event.Type, Text: plain.Line(i.Event.Text, plain.Longest)}
	for _, id := range by {
		if e, ok := o.log.Find(id); ok {
			p.By = append(p.By, Other{e.ID, e.Type, plain.Line(e.Text, plain.Longest)})
		}
	}
	return p
}

// part is a section of the summary; by describes the events of its points.
type part struct {
	title, by string
	points    *[]Point
}

// replaced introduces the event that replaced a position.
const replaced = "was replaced by"

func (o *Orientation) parts() []part {
	return []part{
		{"SETTLED", "", &o.Settled},
		{"CONTESTED", "against it", &o.Contested},
		{"UNCHALLENGED", "", &o.Unchallenged},
		{"OPEN QUESTIONS", "contradicts", &o.Open},
		{"RECENTLY RESOLVED", replaced, &o.Resolved},
	}
}

// fit drops the last points of the longest section until the text is short enough.
func (o *Orientation) fit() {
	for len(strings.Fields(o.state())) > mostOriented {
		longest := &o.Settled
		for _, p := range o.parts() {
			if len(*p.points) > len(*longest) {
				longest = p.points
			}
		}
		drop := max(1, len(*longest)/4) // a log may have thousands
		*longest = (*longest)[:len(*longest)-drop]
		o.More += drop
	}
}

func (o *Orientation) state() string {
	var b strings.Builder
	for _, p := range o.parts() {
		for i, point := range *p.points {
			if i == 0 {
				plain.Add(&b, "%s\n", p.title)
			}
			plain.Add(&b, "%s\n", point.line(p.by))
		}
	}
	return b.String()
}

// line formats a point. Its own text gets at least half of the line.
func (p Point) line(how string) string {
	head := []rune("- " + p.ID.Short() + "  " + p.Text)
	if len(p.By) == 0 {
		return cut(head, longestPoint)
	}
	if p.By[0].Type == ledger.Contradiction && how == replaced {
		how = "was contradicted by"
	}
	tail := []rune("; " + how + ": " + p.By[0].ID.Short() + "  " + p.By[0].Text)
	room := max(longestPoint/2, longestPoint-len(tail))
	begin := cut(head, room)
	return begin + cut(tail, longestPoint-len([]rune(begin)))
}

func cut(text []rune, most int) string {
	if len(text) <= most {
		return string(text)
	}
	return string(text[:most-1]) + "…"
}

// mostStale bounds the stale modules that are named.
const mostStale = 5

// Text formats the answer in fewer than 450 words.
func (o *Orientation) Text() string {
	var b strings.Builder
	switch {
	case o.AsOf.Events == 0:
		b.WriteString("No decisions have been recorded yet.\n")
	case o.unknown:
		plain.Add(&b, "No recorded event matches the words of %q. All recorded events:\n", plain.Line(o.Focus, longestPoint/2))
	}
	b.WriteString(o.state())
	if o.More > 0 {
		plain.Add(&b, "and %d more\n", o.More)
	}
	if o.Docs != nil {
		plain.Add(&b, "DOCS\n%s\n", o.Docs.line())
	}
	plain.Add(&b, "%s\n", ScopeText(o.log))
	return b.String()
}

func (d *Docs) line() string {
	if len(d.Stale) == 0 {
		return "all pages are fresh (" + summary.Count(d.Modules, "module") + ")"
	}
	if d.none {
		return "there are no pages yet; `causal update` writes them"
	}
	shown, more := d.Stale, ""
	if rest := len(d.Stale) - mostStale; rest > 0 {
		shown, more = shown[:mostStale], fmt.Sprintf(", and %d more", rest)
	}
	text := plain.Line("stale: "+strings.Join(shown, ", "), plain.Longest)
	return cut([]rune(text), longestPoint-len(more)) + more
}
