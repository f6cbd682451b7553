package memory_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/memory"
)

// told is a chain of events, each the cause of the next, with whatever else is given.
func told(t *testing.T, add ...func(*ledger.Log, ledger.ID) ledger.Event) *ledger.Log {
	t.Helper()
	log, _ := ledger.New(nil)
	last := ledger.ID("")
	for _, fn := range add {
		e, err := log.Add(fn(log, last))
		if err != nil {
			t.Fatal(err)
		}
		last = e.ID
	}
	return log
}

// because is an event that the one before led to.
func because(text, how string) func(*ledger.Log, ledger.ID) ledger.Event {
	return func(_ *ledger.Log, cause ledger.ID) ledger.Event {
		return ledger.Event{Type: ledger.Happening, Text: text, Cause: cause, Relationship: how}
	}
}

// happened is an event of which no cause is known.
func happened(text string) func(*ledger.Log, ledger.ID) ledger.Event {
	return func(*ledger.Log, ledger.ID) ledger.Event { return ledger.Event{Type: ledger.Happening, Text: text} }
}

// recall is what the memory of a log tells by words.
func recall(t *testing.T, log *ledger.Log, question string, top int) memory.Context {
	t.Helper()
	m, err := memory.New(t.Context(), log, memory.NewWords())
	if err != nil {
		t.Fatal(err)
	}
	c, err := m.Recall(t.Context(), question, top)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRecall(t *testing.T) {
	t.Parallel()
	crash := told(t, happened("A bug report named a crash."), because("The log was searched", "it gave the time."), because("A nil customer was found", "the stack was there"),
		because("The export checks for customers", "that is the mend"), because("A test was added", "to keep it"), because("The test failed once", "on another machine"), happened("The plants were watered"))
	for _, c := range []struct {
		name, question, narrative string
		log                       *ledger.Log
		matches, consequences     int
	}{
		{"nothing is known", "why", memory.Nothing, told(t), 0, 0},
		{"no word of it", "zeppelin quarantine", memory.Nothing, crash, 0, 0},
		{"a root cause", "plants", "Initially, The plants were watered.", crash, 1, 0},
		{"one step", "log searched", "Initially, A bug report named a crash. This led to The log was searched (it gave the time).", crash, 1, 2},
		{
			"a chain", "why was a nil customer found", "Initially, A bug report named a crash. This led to The log was searched (it gave the time)." +
				" Which in turn caused A nil customer was found (the stack was there).", crash, 2, 2,
		},
	} {
		got := recall(t, c.log, c.question, 2)
		if got.Narrative() != c.narrative || len(got.Matches) != c.matches || len(got.Consequences) != c.consequences || !got.Complete {
			t.Errorf("%s: %q, %d matches, %d consequences, complete %v", c.name, got.Narrative(), len(got.Matches), len(got.Consequences), got.Complete)
		}
	}
}

// TestBrokenChain: where a cause is not there, what is known is told, and that it is not all.
func TestBrokenChain(t *testing.T) {
	t.Parallel()
	log := told(t, happened("first"), because("second", "so"), because("third", "and so"))
	lines := strings.SplitAfter(string(log.Added()[0].Data), "\n")
	data := []byte(lines[1] + lines[2])
	broken, problems := ledger.New([]ledger.Batch{{Path: ledger.BatchPath(data), Data: data}})
	if len(problems) == 0 {
		t.Fatal("nothing is missing")
	}
	c := recall(t, broken, "third", 5)
	if c.Complete || c.Narrative() != "What led to this at first is not in the log. Initially, second. This led to third (and so)." {
		t.Errorf("%v: %s", c.Complete, c.Narrative())
	}
}

// TestPresent: a question about what gave way is answered with what holds, however often it was changed.
func TestPresent(t *testing.T) {
	t.Parallel()
	log, _ := ledger.New(nil)
	e, err := log.Add(ledger.Event{Type: ledger.Proposition, Text: "Audit records are kept for 30 days"})
	for i := 0; err == nil && i < 400; i++ {
		e, err = log.Add(ledger.Event{Type: ledger.Refinement, Text: fmt.Sprintf("Audit records are kept for %d days", 31+i), Targets: []ledger.ID{e.ID}})
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := recall(t, log, "how long are audit records kept, 30 days?", 5).Narrative(); got != "Initially, Audit records are kept for 430 days." {
		t.Error(got)
	}
}
