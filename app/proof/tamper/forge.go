package main

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/causaldocs/causal/knowledge/ledger"
)

// rewritten returns a log in which one event has another text and all its descendants have new ids, with its files by their old paths. It
// requires write access, but no key.
func (h *history) rewritten(victim int, text string) (map[string]ledger.Batch, *ledger.Log, error) {
	log, _ := ledger.New(nil)
	ids := map[ledger.ID]ledger.ID{}
	renamed := func(list []ledger.ID) []ledger.ID {
		out := make([]ledger.ID, 0, len(list))
		for _, id := range list {
			out = append(out, ids[id])
		}
		return out
	}
	var order []ledger.ID
	for i, e := range h.log.Events() {
		former := e.ID
		e.Targets, e.Parents = renamed(e.Targets), renamed(e.Parents)
		if i == victim {
			e.Text = text
		}
		added, err := log.Add(e)
		if err != nil {
			return nil, nil, fmt.Errorf("rewrite the log: %w", err)
		}
		ids[former] = added.ID
		order = append(order, former)
	}
	lines := map[ledger.ID][]byte{}
	for _, b := range log.Added() {
		for line := range bytes.Lines(b.Data) {
			lines[order[len(lines)]] = line
		}
	}
	out := map[string]ledger.Batch{}
	for name, data := range h.files {
		if !ledger.IsBatch(name) {
			continue
		}
		one, _ := ledger.New([]ledger.Batch{{Path: name, Data: data}})
		var b ledger.Batch
		for _, e := range one.Events() {
			b.Data = append(b.Data, lines[e.ID]...)
		}
		b.Path = ledger.BatchPath(b.Data)
		out[name] = b
	}
	return out, log, nil
}

// apply replaces the batches of the log.
func apply(f files, batches map[string]ledger.Batch) {
	for name := range batches {
		delete(f, name)
	}
	for _, b := range batches {
		f[b.Path] = b.Data
	}
}

// strip removes checkpoints and keys.
func strip(f files) {
	for name := range f {
		if ledger.IsCheckpoint(name) || ledger.IsKey(name) {
			delete(f, name)
		}
	}
}

// sign lays down a checkpoint of a log.
func sign(f files, log *ledger.Log, by *ledger.Signer) error {
	c, ok, err := log.Checkpoint(by)
	if err != nil || !ok {
		return fmt.Errorf("sign a log: %w", err)
	}
	f[c.Path], f[by.KeyFile().Path] = c.Data, by.KeyFile().Data
	return nil
}

// rewriteAll has one event say something else, and all after it say that they have seen that.
func (h *history) rewriteAll(f files, rng *rand.Rand, after func(*ledger.Log) error) ([]string, error) {
	victim := rng.IntN(len(h.log.Events()))
	batches, log, err := h.rewritten(victim, fmt.Sprint("It has always been so ", rng.Uint64()))
	if err != nil {
		return nil, err
	}
	apply(f, batches)
	touched := slices.Collect(maps.Keys(batches))
	for _, e := range h.log.Events()[victim:] {
		touched = append(touched, string(e.ID))
	}
	return touched, after(log)
}

// names are the files of a kind, sorted.
func (h *history) names(kind func(string) bool) []string {
	names, _ := h.files.Below("")
	return slices.DeleteFunc(names, func(name string) bool { return !kind(name) })
}
