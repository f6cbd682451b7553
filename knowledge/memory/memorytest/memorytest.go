// Package memorytest is the conformance test suite for implementations of memory.Index.
package memorytest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/causaldocs/causal/knowledge/memory"
)

// Run tests an index. fresh returns an empty one.
func Run(t *testing.T, fresh func(t *testing.T) memory.Index) {
	t.Helper()
	for _, test := range []struct {
		name string
		run  func(*testing.T, memory.Index)
	}{
		{"nothing is found in an empty one", empty},
		{"a blank question finds nothing", blank},
		{"what is asked for by its own words comes first", itself},
		{"the best come first, and of equal ones those that were added first", order},
		{"no more is listed than is asked for", top},
		{"what is added again is there once", again},
		{"texts of every kind are kept", kinds},
		{"what is added is found at once", growing},
		{"a question is never an order", orders},
		{"searches may run at once", atOnce},
		{"who gives up is not answered", givenUp},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, fresh(t)) })
	}
	t.Run("one by one is the same as all at once", func(t *testing.T) { rebuilt(t, fresh(t), fresh(t)) })
}

var told = []memory.Text{
	{Key: "report", Text: "A bug report named a crash in the invoice export"},
	{Key: "nil", Text: "A nil customer was found in the stack of the crash"},
	{Key: "mend", Text: "The export checks whether there is a customer"},
	{Key: "plants", Text: "The plants in the hall were watered"},
	{Key: "coffee", Text: "Somebody descaled the coffee machine of the second floor"},
}

func add(t *testing.T, index memory.Index, texts ...memory.Text) {
	t.Helper()
	if err := index.Add(t.Context(), texts...); err != nil {
		t.Fatal(err)
	}
}

func search(t *testing.T, index memory.Index, question string, top int) []string {
	t.Helper()
	hits, err := index.Search(t.Context(), question, top)
	if err != nil {
		t.Fatalf("%.80q: %v", question, err)
	}
	keys := []string{}
	for i, h := range hits {
		if i > 0 && h.Score > hits[i-1].Score {
			t.Errorf("%.80q: %v is not in order", question, hits)
		}
		keys = append(keys, h.Key)
	}
	return keys
}

func empty(t *testing.T, index memory.Index) {
	if got := search(t, index, "a crash in the export", 5); len(got) > 0 {
		t.Error(got)
	}
	add(t, index)
	if got := search(t, index, "a crash in the export", 5); len(got) > 0 {
		t.Error(got)
	}
}

func blank(t *testing.T, index memory.Index) {
	add(t, index, told...)
	for _, question := range []string{"", "   ", "\n\t\u00a0"} {
		if got := search(t, index, question, 5); len(got) > 0 {
			t.Errorf("%q finds %v", question, got)
		}
	}
}

func itself(t *testing.T, index memory.Index) {
	add(t, index, told...)
	for _, text := range told {
		if got := search(t, index, text.Text, 5); len(got) == 0 || got[0] != text.Key {
			t.Errorf("%q finds %v", text.Text, got)
		}
	}
}

func order(t *testing.T, index memory.Index) {
	add(t, index, told[3], memory.Text{Key: "z", Text: told[0].Text}, memory.Text{Key: "a", Text: told[0].Text}, told[1], memory.Text{Key: "m", Text: told[0].Text})
	if got := search(t, index, told[0].Text, 3); !slices.Equal(got, []string{"z", "a", "m"}) {
		t.Errorf("equal texts are found as %v", got)
	}
}

func top(t *testing.T, index memory.Index) {
	for i := range 30 {
		add(t, index, memory.Text{Key: fmt.Sprintf("%02d", i), Text: fmt.Sprintf("The invoice export of day %d was slow", i)})
	}
	whole := search(t, index, "slow invoice export", 30)
	for _, n := range []int{1, 2, 10} {
		if got := search(t, index, "slow invoice export", n); len(got) != n || !slices.Equal(got, whole[:n]) {
			t.Errorf("the best %d are %v, of %v", n, got, whole)
		}
	}
	if got := search(t, index, "slow invoice export", 100); len(got) != 30 {
		t.Errorf("%d of 30 are found", len(got))
	}
}

func again(t *testing.T, index memory.Index) {
	add(t, index, told[0], told[1], told[0])
	add(t, index, told[1], told[2], told[2])
	if got := search(t, index, told[0].Text, 10); len(slices.Compact(slices.Sorted(slices.Values(got)))) != len(got) || !slices.Contains(got, "report") {
		t.Errorf("found %v", got)
	}
}

func kinds(t *testing.T, index memory.Index) {
	long := strings.Repeat("The migration of the ledger to Zürich took another night, and nobody knows why; ", 46)
	texts := []memory.Text{
		{Key: "long", Text: long[:3700]},
		{Key: "cjk", Text: "\u7f13\u5b58\u5728\u90e8\u7f72\u540e\u5931\u6548"},
		{Key: "accents", Text: "Der Schlüssel für die Prüfung läuft übermorgen ab"},
		{Key: "emoji", Text: "🚀 rollout paused 🛑 because of 👩‍👩‍👧"},
		{Key: "quotes", Text: "O'Brien said \"; DROP TABLE events; --\nand 'left'"},
		{Key: "code", Text: "if x == nil { return fmt.Errorf(\"%w\", err) } // <b>&amp;</b>"},
	}
	add(t, index, texts...)
	for _, text := range texts {
		if got := search(t, index, text.Text, 3); len(got) == 0 || got[0] != text.Key {
			t.Errorf("%.40q finds %v", text.Text, got)
		}
	}
}

func growing(t *testing.T, index memory.Index) {
	for _, text := range told {
		add(t, index, text)
		if got := search(t, index, text.Text, 1); !slices.Equal(got, []string{text.Key}) {
			t.Errorf("%q finds %v", text.Text, got)
		}
	}
}

func orders(t *testing.T, index memory.Index) {
	add(t, index, told...)
	for _, question := range []string{`"`, `'`, "'; DROP TABLE events; --", "crash AND (", "export*", "NEAR(", "\x00", "%s $1 ? :x", strings.Repeat("(", 1000)} {
		search(t, index, question, 5)
	}
	itself(t, index)
}

func atOnce(t *testing.T, index memory.Index) {
	add(t, index, told...)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for _, text := range told {
				hits, err := index.Search(t.Context(), text.Text, 1)
				if err != nil || len(hits) != 1 || hits[0].Key != text.Key {
					t.Errorf("%q finds %v, %v", text.Text, hits, err)
				}
			}
		})
	}
	group.Wait()
}

func givenUp(t *testing.T, index memory.Index) {
	add(t, index, told...)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := index.Search(ctx, told[0].Text, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("the search: %v", err)
	}
	if err := index.Add(ctx, memory.Text{Key: "late", Text: "Somebody came late"}); !errors.Is(err, context.Canceled) {
		t.Errorf("the addition: %v", err)
	}
}

func rebuilt(t *testing.T, one, all memory.Index) {
	for _, text := range told {
		add(t, one, text)
	}
	add(t, all, told...)
	for _, question := range []string{"crash", "customer of the export", "which plants were watered", told[4].Text} {
		a, err := one.Search(t.Context(), question, 10)
		if err != nil {
			t.Fatal(err)
		}
		b, err := all.Search(t.Context(), question, 10)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a, b) {
			t.Errorf("%q: %v, and %v", question, a, b)
		}
	}
}
