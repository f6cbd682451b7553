package main

import (
	"bytes"
	"testing"

	"github.com/causaldocs/causal/knowledge/ledger"
)

// TestSize: what a push takes is bounded, and does not grow with the log.
func TestSize(t *testing.T) {
	t.Parallel()
	few, err := measure(t.Context(), 100)
	if err != nil {
		t.Fatal(err)
	}
	many, err := measure(t.Context(), 200)
	if err != nil {
		t.Fatal(err)
	}
	if few.told < 200 || many.told <= few.told || many.events <= few.events || many.pack <= many.log() {
		t.Fatalf("a hundred pushes take %+v, two hundred %+v", few, many)
	}
	if many.log() > 200*most || many.log()-few.log() > 100*most {
		t.Errorf("a hundred pushes take %+v, two hundred %+v", few, many)
	}
}

// TestProject: the log that is measured is a whole one, and the same each time.
func TestProject(t *testing.T) {
	t.Parallel()
	var first, second bytes.Buffer
	if _, err := write(&first, newProject(), 20); err != nil {
		t.Fatal(err)
	}
	if _, err := write(&second, newProject(), 20); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Fatalf("the same pushes are told otherwise: %v", err)
	}
	var batches []ledger.Batch
	for text := range bytes.SplitSeq(first.Bytes(), []byte("M 100644 inline ")) {
		name, rest, ok := bytes.Cut(text, []byte("\ndata "))
		if !ok || !ledger.IsBatch(string(name)) {
			continue
		}
		_, data, _ := bytes.Cut(rest, []byte("\n"))
		data, _, _ = bytes.Cut(data, []byte("\n\n"))
		data = append(bytes.TrimSpace(data), '\n')
		batches = append(batches, ledger.Batch{Path: string(name), Data: data})
	}
	log, problems := ledger.New(batches)
	if len(batches) != 20 || len(problems) > 0 || len(log.Heads()) != 1 {
		t.Errorf("%d files, %d heads: %v", len(batches), len(log.Heads()), problems)
	}
}
