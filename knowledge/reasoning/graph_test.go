package reasoning_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/ledger"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// history is a log as a test writes it, its events called by names.
type history struct {
	t     *testing.T
	log   *ledger.Log
	ids   map[string]ledger.ID
	graph *reasoning.Graph
}

// newHistory writes events, each as "name type targets" with "/after" names that it has seen, all where there is none, and "+" before a
// contradiction that it answers: "R refinement A +C /A".
func newHistory(t *testing.T, events ...string) *history {
	t.Helper()
	log, _ := ledger.New(nil)
	h := &history{t: t, log: log, ids: map[string]ledger.ID{}}
	for _, text := range events {
		words := strings.Fields(text)
		e := ledger.Event{Type: ledger.Type(words[1]), Text: words[0]}
		for _, w := range words[2:] {
			switch {
			case w == "challenges":
				e.Effect = ledger.Challenges
			case w == "supersedes":
				e.Supersedes = true
			case w[0] == '/':
				e.Parents = append([]ledger.ID{}, e.Parents...)
				if w != "/" {
					e.Parents = append(e.Parents, h.ids[w[1:]])
				}
			case w[0] == '+':
				e.Resolves = append(e.Resolves, h.ids[w[1:]])
			default:
				e.Targets = append(e.Targets, h.ids[w])
			}
		}
		added, err := log.Add(e)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		h.ids[words[0]] = added.ID
	}
	h.graph = reasoning.New(log)
	return h
}

// state is "status standing superseded_by open…" of an event.
func (h *history) state(name string) string {
	names := map[ledger.ID]string{}
	for n, id := range h.ids {
		names[id] = n
	}
	id := h.ids[name]
	parts := []string{string(h.graph.Status(id)), string(h.graph.Standing(id))}
	if by := h.graph.SupersededBy(id); h.graph.Status(id) == reasoning.Superseded {
		parts = append(parts, "by "+names[by])
	}
	if h.graph.Holds(id) {
		var open []string
		for _, c := range h.graph.Open(id) {
			open = append(open, names[c])
		}
		slices.Sort(open)
		parts = append(parts, open...)
	}
	return strings.Join(parts, " ")
}

// TestStates: what the worked examples leave open.
func TestStates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		events []string
		want   map[string]string
	}{
		{"an objection to an objection upholds what it was made to", []string{"A proposition", "C contradiction A", "D contradiction C"}, map[string]string{"A": "active settled", "C": "superseded none by D", "D": "active unchallenged"}},
		{"an objection that was put better still stands", []string{"A proposition", "C contradiction A", "R refinement C"}, map[string]string{"A": "superseded none by C", "C": "superseded none by R", "R": "active unchallenged"}},
		{"a refinement taken back gives its place back", []string{"A proposition", "R refinement A", "W withdraw R"}, map[string]string{"A": "active unchallenged", "R": "parked none"}},
		{"a refinement put aside does not", []string{"A proposition", "R refinement A", "P park R"}, map[string]string{"A": "superseded none by R", "R": "parked none"}},
		{"an objection put aside is not open", []string{"A proposition", "C contradiction A challenges", "P park C"}, map[string]string{"A": "active unchallenged"}},
		{"taken up again", []string{"A proposition", "C contradiction A", "W withdraw C", "B resume C"}, map[string]string{"A": "superseded none by C", "C": "active unchallenged"}},
		{"parked again on a branch that did not know of that", []string{"A proposition", "P park A", "B resume A /P", "Q park A /P"}, map[string]string{"A": "parked none"}},
		{"a second refinement of the same, by somebody who knew", []string{"A proposition", "R refinement A", "S refinement A"}, map[string]string{"A": "superseded none by R", "R": "superseded none by S", "S": "active unchallenged"}},
		{"two refinements side by side", []string{"A proposition", "R refinement A /A", "S refinement A /A"}, map[string]string{"R": "active contested S", "S": "active contested R"}},
		{"one of them goes on", []string{"A proposition", "R refinement A /A", "S refinement A /A", "T refinement R /R"}, map[string]string{"S": "active contested T", "T": "active contested S", "R": "superseded none by T"}},
		{"somebody who saw both decides", []string{"A proposition", "R refinement A /A", "S refinement A /A", "T refinement R S"}, map[string]string{"R": "superseded none by T", "S": "superseded none by T", "T": "active unchallenged"}},
		{"an objection passes on until somebody saw it", []string{"A proposition", "C contradiction A /A", "R refinement A /A", "S refinement R /R"}, map[string]string{"R": "superseded none by S", "S": "active contested C"}},
		{"and no further", []string{"A proposition", "C contradiction A /A", "R refinement A /A", "S refinement R"}, map[string]string{"S": "active unchallenged"}},
		{"an objection to what was left already", []string{"A proposition", "R refinement A", "C contradiction A"}, map[string]string{"A": "superseded none by R", "R": "active unchallenged", "C": "active unchallenged"}},
		{"confirmed by somebody who did not know the objection", []string{"A proposition", "C contradiction A /A", "K confirm A /A"}, map[string]string{"A": "active contested C"}},
		{"confirmed in spite of it does not undo it", []string{"A proposition", "C contradiction A", "K confirm A"}, map[string]string{"A": "superseded none by C"}},
		{"a confirmation taken back", []string{"A proposition", "K confirm A", "W withdraw K"}, map[string]string{"A": "active unchallenged"}},
		{"a synthesis leaves its parts", []string{"A proposition", "B proposition", "S synthesis A B"}, map[string]string{"A": "active unchallenged", "S": "active unchallenged"}},
		{"a synthesis inherits what was said elsewhere", []string{"A proposition", "B proposition", "C contradiction A /B", "S synthesis A B supersedes /B"}, map[string]string{"A": "superseded none by S", "S": "active contested C"}},
		{"what has not seen something cannot defeat it", []string{"A proposition", "C contradiction A /"}, map[string]string{"A": "active contested C"}},
		{"an answer to two", []string{"A proposition", "C contradiction A", "D contradiction A", "R refinement +C +D"}, map[string]string{"A": "superseded none by R", "C": "resolved unchallenged", "D": "resolved unchallenged", "R": "resolved settled"}},
		{"an answer that fell", []string{"A proposition", "C contradiction A", "R refinement +C", "D contradiction R"}, map[string]string{"A": "superseded none by R", "R": "superseded none by D"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newHistory(t, c.events...)
			for name, want := range c.want {
				if got := h.state(name); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
		})
	}
}

// TestPartial: an event has seen the events that it names, even when the events between them are missing.
func TestPartial(t *testing.T) {
	t.Parallel()
	h := newHistory(t, "A proposition", "B proposition", "C contradiction A")
	var kept []ledger.Batch
	for _, b := range h.log.Added() {
		for line := range strings.Lines(string(b.Data)) {
			if !strings.Contains(line, `"text":"B"`) {
				kept = append(kept, ledger.Batch{Path: ledger.BatchPath([]byte(line)), Data: []byte(line)})
			}
		}
	}
	partial, _ := ledger.New(kept)
	h.graph = reasoning.New(partial)
	if got := h.state("A"); got != "superseded none by C" || !slices.Equal(partial.Gaps(), []ledger.ID{h.ids["B"]}) {
		t.Errorf("A is %q; the log lacks %v", got, partial.Gaps())
	}
}

// drawHistory records events of all types, by people who do not always know of each other.
func drawHistory(t *rapid.T, added func(*ledger.Log, *ledger.Event)) *ledger.Log {
	log, _ := ledger.New(nil)
	var ids []ledger.ID
	for i := range rapid.IntRange(1, 15).Draw(t, "events") {
		e := ledger.Event{Type: rapid.SampledFrom(ledger.Types).Draw(t, "type"), Text: fmt.Sprint("event ", i)}
		if len(ids) < 2 {
			e.Type = ledger.Proposition
		}
		some := func(label string, least, most int) []ledger.ID {
			return rapid.SliceOfNDistinct(rapid.SampledFrom(ids), min(least, len(ids)), min(most, len(ids)), rapid.ID).Draw(t, label)
		}
		switch e.Type {
		case ledger.Proposition, ledger.Happening:
		case ledger.Synthesis:
			e.Targets, e.Supersedes = some("parts", 2, 3), rapid.Bool().Draw(t, "supersedes")
		case ledger.Refinement:
			e.Targets, e.Resolves = some("targets", 0, 2), some("resolves", 0, 2)
		default:
			e.Targets = some("targets", 1, 2)
		}
		if e.Type == ledger.Contradiction && rapid.Bool().Draw(t, "challenges") {
			e.Effect = ledger.Challenges
		}
		if len(ids) > 0 && rapid.IntRange(0, 2).Draw(t, "apart") == 0 {
			e.Parents = append([]ledger.ID{}, some("seen", 0, 2)...)
		}
		a, err := log.Add(e)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, a.ID)
		added(log, a)
	}
	return log
}

// TestReplay: what follows from events is the same however they came, one behind the other or all at once from files, and holds together: what
// was superseded was so by something that is there, and what is told as current is not past.
func TestReplay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var grown *reasoning.Graph
		log := drawHistory(t, func(log *ledger.Log, e *ledger.Event) {
			if grown == nil {
				grown = reasoning.New(log)
				return
			}
			grown.Add(e)
		})
		again, problems := ledger.New(log.Added())
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		g := reasoning.New(again)
		told := map[ledger.ID]int{}
		s := g.State(nil)
		for _, i := range slices.Concat(s.Current, s.Open, s.Past) {
			told[i.Event.ID]++
		}
		for _, e := range again.Events() {
			item, other := g.Item(e.ID), grown.Item(e.ID)
			if item.Status != other.Status || item.Standing != other.Standing || item.SupersededBy != other.SupersededBy || !slices.Equal(item.Trail, other.Trail) {
				t.Fatalf("%s is %+v, and %+v where it grew", e.Text, item, other)
			}
			want := 0
			if e.Type.Position() {
				want = 1
			}
			if told[e.ID] != want {
				t.Fatalf("%s is told %d times", e.Text, told[e.ID])
			}
			if _, ok := again.Find(item.SupersededBy); (item.Status == reasoning.Superseded) != ok {
				t.Fatalf("%s is %s, by %q", e.Text, item.Status, item.SupersededBy)
			}
			if !slices.Contains(item.Trail, e.ID) || (item.Standing == reasoning.None) == item.Holds() && e.Type.Position() {
				t.Fatalf("%s: %+v", e.Text, item)
			}
		}
	})
}

// TestLongHistories: a chain of ten thousand changes, and as many objections to objections, are told in time.
func TestLongHistories(t *testing.T) {
	t.Parallel()
	for _, kind := range []ledger.Type{ledger.Refinement, ledger.Contradiction} {
		log, _ := ledger.New(nil)
		last, err := log.Add(ledger.Event{Type: ledger.Proposition, Text: "first"})
		for i := 0; err == nil && i < 10_000; i++ {
			last, err = log.Add(ledger.Event{Type: kind, Text: fmt.Sprint(i), Targets: []ledger.ID{last.ID}})
		}
		if err != nil {
			t.Fatal(err)
		}
		g := reasoning.New(log)
		if id := last.ID; g.Status(id) != reasoning.Active || len(g.Trail(id)) == 0 {
			t.Errorf("the last %s is %s", kind, g.Status(id))
		}
		if first := log.Events()[0].ID; kind == ledger.Contradiction && g.Status(first) != reasoning.Active { // an even number of objections
			t.Errorf("the first is %s", g.Status(first))
		}
	}
}
