package reverts_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/ledger"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/knowledge/reasoning"
	"github.com/causaldocs/causal/knowledge/reverts"
)

// id returns an ID for the commit with a number.
func id(n int) string { return fmt.Sprintf("%07d%s", n, strings.Repeat("a", 33)) }

// told is a history of commits with these messages, the oldest first. {n} is replaced by the ID of a commit, and
// {n:short} by its abbreviation.
func told(messages ...string) *reverts.History {
	h := reverts.New()
	for n := len(messages); n > 0; n-- {
		text := messages[n-1]
		for i := range messages {
			text = strings.ReplaceAll(text, fmt.Sprintf("{%d}", i+1), id(i+1))
			text = strings.ReplaceAll(text, fmt.Sprintf("{%d:short}", i+1), id(i + 1)[:9])
		}
		h.Take(reverts.Commit{ID: id(n), Author: "Ada", At: fmt.Sprintf("2026-01-%02dT00:00:00Z", n), Message: text}, true)
	}
	return h
}

// record records the events of a history and returns the graph.
func record(t testing.TB, log *ledger.Log, h *reverts.History) *reasoning.Graph {
	t.Helper()
	r := reasoning.NewRecorder(log)
	for _, d := range h.Drafts() {
		if _, err := r.Record(d.Draft, "", d.At); err != nil && !strings.HasPrefix(err.Error(), "it is recorded already") {
			t.Errorf("%+v: %v", d, err)
		}
	}
	return r.Graph()
}

func TestDrafts(t *testing.T) {
	t.Parallel()
	const add = "Add a cache"
	revert := func(of string, n int, more ...string) string {
		return fmt.Sprintf("Revert %q\n\nThis reverts commit {%d}.\n%s", of, n, strings.Join(more, ""))
	}
	for name, c := range map[string]struct {
		history []string
		want    []string // type, status and text of the positions
		lost    int
	}{
		"none":     {[]string{add, "Fix it"}, nil, 0},
		"a revert": {[]string{add, revert(add, 1)}, []string{"proposition superseded Add a cache", `contradiction active Revert "Add a cache"`}, 0},
		"with a reason": {
			[]string{add, revert(add, 1, "\nIt filled the disk\nwithin a day.\n\nSee:\n- here\n\nSigned-off-by: Ada <a@b.c>\nChange-Id: 12\n")},
			[]string{"proposition superseded Add a cache", "contradiction active It filled the disk within a day.\n\nSee:\n- here"}, 0},
		"with a title of its own": {
			[]string{add, "cache: revert it, since disks are full\n\nThis reverts commit {1:short}.\n\nWe have to measure first."},
			[]string{"proposition superseded Add a cache", "contradiction active cache: revert it, since disks are full\n\nWe have to measure first."}, 0},
		"with a reference only": {[]string{add, revert(add, 1, "\nfixes #12\n")}, []string{"proposition superseded Add a cache", "contradiction active Revert \"Add a cache\"\n\nfixes #12"}, 0},
		"a revert of a revert": {
			[]string{add, revert(add, 1), revert("Revert "+add, 2)}, []string{"proposition active Add a cache", `contradiction parked Revert "Add a cache"`}, 0},
		"reapplied": {
			[]string{add, revert(add, 1), "Reapply \"Add a cache\"\n\nThis reverts commit {2}."}, []string{"proposition active Add a cache", `contradiction parked Revert "Add a cache"`}, 0},
		"once more": {
			[]string{add, revert(add, 1), revert("Revert", 2), revert("Reapply", 3)}, []string{"proposition superseded Add a cache", `contradiction active Revert "Add a cache"`}, 0},
		"and once more": {
			[]string{add, revert(add, 1), revert("Revert", 2), revert("Reapply", 3), revert("Revert", 4)},
			[]string{"proposition active Add a cache", `contradiction parked Revert "Add a cache"`}, 0},
		"reverted again": {
			[]string{add, revert(add, 1), revert("Revert", 2), revert(add, 1, "\nIt leaks all the same.")},
			[]string{"proposition superseded Add a cache", `contradiction parked Revert "Add a cache"`, "contradiction active It leaks all the same."}, 0},
		"picked to another branch": {
			[]string{add, revert(add, 1), revert(add, 1, "\n(cherry picked from commit {2})"), revert("Revert", 3)},
			[]string{"proposition active Add a cache", `contradiction parked Revert "Add a cache"`}, 0},
		"two at once": {
			[]string{add, "Add a log", "Revert both\n\nThis reverts commit {1}.\nThis reverts commit {2}.\nThis reverts commit {1}."},
			[]string{"proposition superseded Add a cache", "proposition superseded Add a log", "contradiction active Revert both"}, 0},
		"a revert and something else at once": {
			[]string{add, revert(add, 1), "Add a log", "Revert both\n\nThis reverts commits {2} and {3}."},
			[]string{"proposition active Add a cache", `contradiction parked Revert "Add a cache"`, "proposition superseded Add a log", "contradiction active Revert both"}, 0},
		"a merge": {
			[]string{add, "Merge pull request #2 from ada/log\n\nAdd a log", "Revert \"Merge pull request #2 from ada/log\"\n\nThis reverts commit {2}, reversing\nchanges made to {1}."},
			[]string{"proposition superseded Add a log", `contradiction active Revert "Merge pull request #2 from ada/log"`}, 0},
		"another history":    {[]string{add, "Revert \"Gone\"\n\nThis reverts commit 1234567890123456789012345678901234567890."}, nil, 1},
		"what comes later":   {[]string{"Revert \"Later\"\n\nThis reverts commit {2}.", "Later"}, nil, 1},
		"itself":             {[]string{"Revert\n\nThis reverts commit {1}."}, nil, 1},
		"a carried message":  {[]string{add, "Add a log (#3)\n\n* Revert it\n\nThis reverts commit {1}."}, nil, 0},
		"a title without id": {[]string{add, "Revert \"Add a cache\"\n\nIt is slow."}, nil, 0},
		"no message": {
			[]string{"", revert("", 1)}, []string{"proposition superseded commit " + id(1), `contradiction active Revert ""`}, 0},
	} {
		log, _ := ledger.New(nil)
		h := told(c.history...)
		g := record(t, log, h)
		var got []string
		for _, e := range log.Events() {
			if e.Type.Position() {
				got = append(got, fmt.Sprintf("%s %s %s", e.Type, g.Status(e.ID), e.Text))
			}
			if !strings.HasPrefix(e.Source, "000000") || e.Actor != "Ada" || !strings.HasPrefix(e.At, "2026-01-") {
				t.Errorf("%s: %+v", name, e)
			}
		}
		if !slices.Equal(got, c.want) || h.Lost() != c.lost {
			t.Errorf("%s: got %q, %d lost", name, got, h.Lost())
		}
		if n := len(log.Events()); n > 0 {
			if record(t, log, told(c.history...)); len(log.Events()) != n {
				t.Errorf("%s: recorded again there are %d events and not %d", name, len(log.Events()), n)
			}
		}
	}
}

// TestEarlier: an older commit counts if a requested one reverts it, directly or not.
func TestEarlier(t *testing.T) {
	t.Parallel()
	h := reverts.New()
	take := func(n int, asked bool, text string) { h.Take(reverts.Commit{ID: id(n), Message: text}, asked) }
	take(5, true, "Reapply\n\nThis reverts commit "+id(4)+".")
	if h.Complete() {
		t.Error("it wants nothing")
	}
	take(4, false, "Revert\n\nThis reverts commit "+id(1)+".")
	take(3, false, "Revert \"2\"\n\nThis reverts commit "+id(2)+".")
	take(2, false, "2")
	if h.Complete() {
		t.Error("it wants nothing, and 1 is missing")
	}
	take(1, false, "1")
	if n := len(h.Drafts()); n != 3 || !h.Complete() {
		t.Errorf("there are %d drafts", n)
	}
}

// TestParity: after any reverts in one line, a commit is in effect if the last undone one was a revert.
func TestParity(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const things = 3
		holds, messages := map[int]bool{}, []string{}
		effects := [][]int{} // changes by commit, negative if it removes something
		for i := range things {
			messages = append(messages, fmt.Sprintf("Add %d", i+1))
			effects = append(effects, []int{i + 1})
			holds[i+1] = true
		}
		for range rapid.IntRange(1, 12).Draw(t, "reverts") {
			of := rapid.IntRange(1, len(messages)).Draw(t, "of")
			var does []int
			for _, e := range effects[of-1] {
				if holds[max(e, -e)] != (e > 0) {
					t.SkipNow() // git would have nothing to revert
				}
				holds[max(e, -e)] = e < 0
				does = append(does, -e)
			}
			messages = append(messages, fmt.Sprintf("Revert\n\nThis reverts commit {%d}.", of))
			effects = append(effects, does)
		}
		log, _ := ledger.New(nil)
		r := reasoning.NewRecorder(log)
		for _, d := range told(messages...).Drafts() {
			if _, err := r.Record(d.Draft, "", d.At); err != nil {
				t.Fatalf("%+v: %v", d, err)
			}
		}
		for _, e := range log.Events() {
			var n int
			if _, err := fmt.Sscanf(e.Text, "Add %d", &n); err == nil && r.Graph().Holds(e.ID) != holds[n] {
				t.Fatalf("%q: %s is %s", messages, e.Text, r.Graph().Status(e.ID))
			}
		}
	})
}

// FuzzTake: no message makes an event that the log refuses.
func FuzzTake(f *testing.F) {
	f.Add("Add a cache", "Revert \"Add a cache\"\n\nThis reverts commit 0000001.\n\nIt is slow.\n\nSigned-off-by: Ada\n")
	f.Add("Merge pull request #1 from a/b\n\nx", "Reapply\r\nThis reverts merge commit 0000001aa, reversing\nchanges made to 1234567.\n")
	f.Add("\xff", "back out\n\nthis reverts commits 0000001,0000002")
	f.Fuzz(func(t *testing.T, first, second string) {
		log, _ := ledger.New(nil)
		record(t, log, told(strings.ToValidUTF8(first, "?"), strings.ToValidUTF8(second, "?")))
	})
}
