package ledger

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/causaldocs/causal/knowledge/rapidseed"
)

// TestCanonical checks that fields are sorted by name, with minimal escaping (RFC 8785).
func TestCanonical(t *testing.T) {
	t.Parallel()
	e := Event{Type: Proposition, Text: "Naïve <b> & \"q\" \\ / \b\t\n\f\r\x01\u2028 9007199254740993", Actor: "a", Lamport: 1, Parents: []ID{}}
	want := `{"actor":"a","lamport":1,"text":"Naïve <b> & \"q\" \\ / \b\t\n\f\r\u0001` + "\u2028" + ` 9007199254740993","type":"proposition","v":1}`
	if got := string(e.canonical(false)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestReadAsWritten checks that any event decodes to itself, that encoding/json reads the same values, and that its fields are sorted.
func TestReadAsWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		log, _ := New(nil)
		said := Event{
			Type: Proposition, Text: rapid.String().Draw(t, "text"), Source: rapid.String().Draw(t, "source"), Actor: rapid.String().Draw(t, "actor"),
		}
		if rapid.Bool().Draw(t, "happened") {
			said.Type, said.About = Happening, rapid.String().Draw(t, "about")
		}
		e, err := log.Add(said)
		if errors.Is(err, ErrInvalid) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		line := e.canonical(true)
		back, err := decode(line)
		if err != nil || back.ID != e.ID || back.Text != e.Text || back.Source != e.Source || back.Actor != e.Actor || back.About != e.About {
			t.Fatalf("%s is read as %+v, %v", line, back, err)
		}
		var any map[string]any
		if err := json.Unmarshal(line, &any); err != nil || any["text"] != e.Text {
			t.Fatalf("%s: %v", line, err)
		}
		at := 0
		for _, key := range slices.Sorted(maps.Keys(any)) {
			next := strings.Index(string(line), `"`+key+`":`)
			if next < at {
				t.Fatalf("%s: %s stands too early", line, key)
			}
			at = next
		}
	})
}

// TestForm checks the error for each malformed event.
func TestForm(t *testing.T) {
	t.Parallel()
	log, _ := New(nil)
	a, err := log.Add(Event{Type: Proposition, Text: "a"})
	if err != nil {
		t.Fatal(err)
	}
	id := a.ID
	for _, c := range []struct {
		name string
		e    Event
		want string
	}{
		{"an unknown type", Event{Type: "musing", Text: "hm"}, `unknown event type "musing"`},
		{"no words", Event{Type: Proposition, Text: " \n"}, "says nothing"},
		{"too many words", Event{Type: Proposition, Text: strings.Repeat("x", MostText+1)}, "16384 are the most"},
		{"bytes that are no text", Event{Type: Proposition, Text: "\xff"}, "not UTF-8"},
		{"a long source", Event{Type: Proposition, Text: "x", Source: strings.Repeat("x", mostWords+1)}, "its source has"},
		{"an effect of a proposition", Event{Type: Proposition, Text: "x", Effect: Defeats}, "only a contradiction"},
		{"an unknown effect", Event{Type: Contradiction, Text: "x", Effect: "hurts", Targets: []ID{id}}, "no effect"},
		{"a synthesis of one", Event{Type: Synthesis, Text: "x", Targets: []ID{id, id}}, "two events"},
		{"a refinement that says to supersede", Event{Type: Refinement, Text: "x", Targets: []ID{id}, Supersedes: true}, "always does"},
		{"a proposition with a target", Event{Type: Proposition, Text: "x", Targets: []ID{id}}, "has no target"},
		{"a contradiction that resolves", Event{Type: Contradiction, Text: "x", Resolves: []ID{id}}, "only a refinement resolves"},
		{"a cause without words", Event{Type: Happening, Text: "x", Cause: id}, "cause and relationship belong together"},
		{"a proposition about a unit", Event{Type: Proposition, Text: "x", About: "module/cart"}, "only an effect"},
		{"a long unit", Event{Type: Happening, Text: "x", About: strings.Repeat("x", mostWords+1)}, "its unit has"},
		{"a unit that is no text", Event{Type: Happening, Text: "x", About: "module/\xff"}, "not UTF-8"},
		{"an id of nothing", Event{Type: Confirm, Targets: []ID{"0123456789"}}, "not there"},
	} {
		if _, err := log.Add(c.e); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if n := len(log.Events()); n != 1 || len(log.Added()) != 1 {
		t.Errorf("%d events were added", n)
	}
}

// FuzzBatch checks that the decoded events of any batch encode to its bytes.
func FuzzBatch(f *testing.F) {
	log, _ := New(nil)
	first, _ := log.Add(Event{Type: Proposition, Text: "first"})
	_, _ = log.Add(Event{Type: Contradiction, Text: "no", Targets: []ID{first.ID}})
	_, _ = log.Add(Event{Type: Happening, Text: "Total was removed", About: "module/cart", Cause: first.ID, Relationship: "it led to that"})
	f.Add(log.Added()[0].Data)
	f.Add([]byte("{}\n"))
	f.Add([]byte(`{"id":"` + strings.Repeat("0", 64) + `","type":"proposition","v":2}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		read, problems := New([]Batch{{Path: BatchPath(data), Data: data}})
		events := read.Events()
		for i := range events {
			if events[i].identify() != events[i].ID || events[i].check() != nil {
				t.Fatalf("%+v was read", events[i])
			}
		}
		if len(problems) == 0 && len(batches(events)) == 0 {
			t.Fatalf("nothing is wrong with %q, and nothing in it", data)
		}
	})
}
