package workspace_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/ledger"
)

// logRepo makes a repository with a log that has a key.
func logRepo(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, args := range [][]string{{"init", "-q", "-b", "main", "--template="}, {"commit", "-q", "--allow-empty", "-m", "start"}} {
		if out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "user.name=Ada", "-c", "user.email=ada@example.com"}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	return dir
}

func openLog(t *testing.T, dir string) *workspace.Workspace {
	t.Helper()
	w, err := workspace.Open(t.Context(), workspace.WorkTree{Dir: dir, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// record works like causal record: it locks, adds an event and saves it.
func record(ctx context.Context, dir, text string) error {
	w, err := workspace.Open(ctx, workspace.WorkTree{Dir: dir, Now: time.Now})
	if err != nil {
		return err
	}
	defer func() { _ = w.Close() }()
	if err := w.Lock(ctx, func(string) {}); err != nil {
		return err
	}
	log, err := w.Ledger(ctx, false)
	if err != nil {
		return err
	}
	if _, err := log.Add(ledger.Event{Type: ledger.Proposition, Text: text}); err != nil {
		return err
	}
	_, err = w.SaveLedger(log)
	return err
}

// TestSaveLedgerAtOnce: writers at once lose nothing, and whatever each has signed holds.
func TestSaveLedgerAtOnce(t *testing.T) {
	t.Parallel()
	dir := logRepo(t)
	if _, made, err := openLog(t, dir).MakeKey(bytes.NewReader(make([]byte, 32))); err != nil || !made {
		t.Fatalf("%v, %v", made, err)
	}
	const writers, records = 4, 3
	var group sync.WaitGroup
	for i := range writers {
		group.Go(func() {
			for n := range records {
				if err := record(t.Context(), dir, fmt.Sprint(i, " says ", n)); err != nil {
					t.Errorf("writer %d: %v", i, err)
				}
			}
		})
	}
	group.Wait()
	w := openLog(t, dir)
	log, err := w.Ledger(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	held, err := w.HoldLedger(t.Context(), log, ledger.Outside{})
	if err != nil || len(log.Problems) > 0 || len(log.Events()) != writers*records || held.Covered != writers*records {
		t.Errorf("%d events, %d of them covered, with %v, %v", len(log.Events()), held.Covered, log.Problems, err)
	}
	if _, err := os.Stat(filepath.Join(dir, ".git", "causal", "checkpoints.json")); !os.IsNotExist(err) {
		t.Errorf("what is not committed is remembered: %v", err)
	}
}

// TestKeys checks that a clone has one key that only its owner can read, and that a broken key is reported before an event is recorded.
func TestKeys(t *testing.T) {
	t.Parallel()
	dir := logRepo(t)
	w := openLog(t, dir)
	if f, there, err := w.Key(); there || err != nil {
		t.Fatalf("%v, %v", f, err)
	}
	first, made, err := w.MakeKey(bytes.NewReader(bytes.Repeat([]byte{7}, 32)))
	if err != nil || !made {
		t.Fatalf("%v, %v", made, err)
	}
	again, made, err := w.MakeKey(bytes.NewReader(bytes.Repeat([]byte{8}, 32)))
	if err != nil || made || again.Path != first.Path {
		t.Errorf("another key was made: %v, %v, %v", again, made, err)
	}
	private := filepath.Join(dir, ".git", "causal", "key")
	if info, err := os.Stat(private); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if data, err := w.Files.Read(first.Path); err != nil || strings.Contains(string(data), "PRIVATE") || !slices.Equal(data, first.Data) {
		t.Errorf("%s, %v", data, err)
	}
	if err := os.WriteFile(private, []byte("broken\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := w.Ledger(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := log.Add(ledger.Event{Type: ledger.Proposition, Text: "x"}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.SaveLedger(log); err == nil || !strings.Contains(err.Error(), "causal init") {
		t.Errorf("a broken key: %v", err)
	}
	if names, _ := w.Files.Below(".causal/log"); slices.ContainsFunc(names, ledger.IsBatch) {
		t.Errorf("something was recorded: %v", names)
	}
}
