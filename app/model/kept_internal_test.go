package model

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/atomic"
	"github.com/causaldocs/causal/knowledge/prompt"
)

// TestSweep: the answers that were not used for the longest time are removed when there are too many.
func TestSweep(t *testing.T) {
	t.Parallel()
	k := keptIn(t.TempDir())
	key := func(i int) string { return fmt.Sprintf("%064x", i) }
	large := outcome{Response: prompt.Response{Answer: json.RawMessage(`"` + strings.Repeat("x", mostKept/8) + `"`)}}
	old := time.Now().Add(-time.Hour)
	for i := range 8 {
		if err := k.write(key(i), large); err != nil {
			t.Fatal(err)
		}
		if name := k.file(key(i)); i < 7 {
			if err := os.Chtimes(name, old.Add(time.Duration(i)*time.Minute), old.Add(time.Duration(i)*time.Minute)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if k.size > leftAfter {
		t.Errorf("%d bytes are kept", k.size)
	}
	for i, want := range map[int]bool{0: false, 1: false, 7: true} {
		if _, ok := k.read(key(i)); ok != want {
			t.Errorf("answer %d is there: %v", i, ok)
		}
	}
	if leftovers, _ := filepath.Glob(filepath.Join(k.dir, "*", atomic.Leftover)); len(leftovers) > 0 {
		t.Errorf("%v", leftovers)
	}
	if _, ok := k.read(key(99)); ok {
		t.Error("an answer that nobody kept")
	}
	if err := os.WriteFile(k.file(key(7)), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok := k.read(key(7)); ok {
		t.Error("half an answer is one")
	}
}

// TestWrongAnswersAreKeptForADay: a request with a wrong answer is not repeated for a day, whether it is read in between or not.
func TestWrongAnswersAreKeptForADay(t *testing.T) {
	t.Parallel()
	k := keptIn(t.TempDir())
	key := fmt.Sprintf("%064x", 1)
	if err := k.write(key, outcome{Wrong: "no object"}); err != nil {
		t.Fatal(err)
	}
	for age, want := range map[time.Duration]bool{0: true, wrongFor - time.Hour: true, wrongFor + time.Hour: false} {
		at := time.Now().Add(-age)
		if err := os.Chtimes(k.file(key), at, at); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if r, ok := k.read(key); ok != want || r.Wrong != "no object" {
				t.Errorf("after %s: %t, %+v", age, ok, r)
			}
		}
	}
}
