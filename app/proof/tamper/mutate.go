package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"github.com/causaldocs/causal/knowledge/ledger"
)

// change manipulates the files of a log. It returns the affected files and events; a problem must name one of them.
type change struct {
	name   string
	honest bool // not a manipulation; it must not be reported
	make   func(h *history, f files, rng *rand.Rand) (touched []string, err error)
}

func anyFile(string) bool { return true }

// edit changes the bytes of a file of a kind, which keeps its name.
func edit(kind func(string) bool, fn func(data []byte, rng *rand.Rand) []byte) func(*history, files, *rand.Rand) ([]string, error) {
	return func(h *history, f files, rng *rand.Rand) ([]string, error) {
		name := pick(rng, h.names(kind))
		f[name] = fn(slices.Clone(f[name]), rng)
		return []string{name}, nil
	}
}

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

var changes = []change{
	{"a bit of a file is flipped", false, edit(anyFile, func(data []byte, rng *rand.Rand) []byte {
		data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
		return data
	})},
	{"a file is truncated", false, edit(anyFile, func(data []byte, rng *rand.Rand) []byte { return data[:rng.IntN(len(data))] })},
	{"bytes are inserted into a file", false, edit(anyFile, func(data []byte, rng *rand.Rand) []byte {
		return slices.Insert(data, rng.IntN(len(data)+1), byte(rng.IntN(256)))
	})},
	{"events of a file are reordered", false, edit(ledger.IsBatch, func(data []byte, rng *rand.Rand) []byte {
		lines := bytes.SplitAfter(data, []byte("\n"))
		rng.Shuffle(len(lines)-1, func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		return bytes.Join(lines, nil)
	})},
	{"the text of an event changes", false, edit(ledger.IsBatch, func(data []byte, rng *rand.Rand) []byte {
		return bytes.Replace(data, []byte("Statement"), []byte(pick(rng, []string{"Judgement", "statement", "A statement"})), 1+rng.IntN(3))
	})},
	{"a file is removed", false, func(h *history, f files, rng *rand.Rand) ([]string, error) {
		name := pick(rng, h.names(anyFile))
		delete(f, name)
		return []string{name}, nil
	}},
	{"two files are swapped", false, func(h *history, f files, rng *rand.Rand) ([]string, error) {
		a, b := pick(rng, h.names(anyFile)), pick(rng, h.names(anyFile))
		f[a], f[b] = f[b], f[a]
		return []string{a, b}, nil
	}},
	{"a file is renamed", false, func(h *history, f files, rng *rand.Rand) ([]string, error) {
		name := pick(rng, h.names(ledger.IsBatch))
		other := ledger.BatchPath(fmt.Append(nil, rng.Uint64()))
		f[other] = f[name]
		delete(f, name)
		return []string{name, other}, nil
	}},
	{"a forged file is added", false, func(_ *history, f files, rng *rand.Rand) ([]string, error) {
		data := fmt.Appendf(nil, `{"text":"Forged %d","type":"proposition"}`+"\n", rng.Uint64())
		f[ledger.BatchPath(data)] = data
		return []string{ledger.BatchPath(data)}, nil
	}},
	{"an event is replaced, with a new id and file", false, replaceEvent},
	{"an event is removed from its file, which is renamed", false, dropEvent},
	{"an event is inserted into a file, which is renamed", false, insertEvent},
	{"an event with a forged position is added", false, misplace},
	{"the newest events and their checkpoints are removed", false, takeNewest},
	{"all events from one on are rewritten", false, func(h *history, f files, rng *rand.Rand) ([]string, error) {
		return h.rewriteAll(f, rng, func(*ledger.Log) error { return nil })
	}},
	{"the same, without keys and checkpoints", false, func(h *history, f files, rng *rand.Rand) ([]string, error) {
		return h.rewriteAll(f, rng, func(*ledger.Log) error { strip(f); return nil })
	}},
	{"the same, signed with another key", false, func(h *history, f files, rng *rand.Rand) ([]string, error) {
		return h.rewriteAll(f, rng, func(log *ledger.Log) error { strip(f); return sign(f, log, h.stranger) })
	}},
	{"a checkpoint is edited and renamed", false, func(h *history, f files, rng *rand.Rand) ([]string, error) {
		name := pick(rng, h.names(ledger.IsCheckpoint))
		return rename(f, name, bytes.Replace(f[name], []byte("events "), []byte("events "+pick(rng, []string{"1", "2", "3"})), 1)), nil
	}},
	{"a checkpoint is signed with an unknown key", false, func(h *history, f files, _ *rand.Rand) ([]string, error) {
		before := maps.Clone(f)
		err := sign(f, h.log, h.stranger)
		delete(f, h.stranger.KeyFile().Path)
		return added(before, f), err
	}},
	{"an event of another author", true, func(h *history, f files, rng *rand.Rand) ([]string, error) {
		log, err := h.again()
		if err != nil {
			return nil, err
		}
		if _, err := log.Add(ledger.Event{Type: ledger.Proposition, Text: fmt.Sprint("Another thought ", rng.Uint64())}); err != nil {
			return nil, err
		}
		for _, b := range log.Added() {
			f[b.Path] = b.Data
		}
		return nil, sign(f, log, h.stranger)
	}},
	{"Windows line ends", true, func(_ *history, f files, _ *rand.Rand) ([]string, error) {
		for name, data := range f {
			f[name] = bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))
		}
		return nil, nil
	}},
}

// added are the files that were not there before.
func added(before, after files) (names []string) {
	for name := range after {
		if _, there := before[name]; !there {
			names = append(names, name)
		}
	}
	return names
}

// mutateFiles applies each change about equally often, and verifies the result.
func (h *history) mutateFiles(ctx context.Context, n int, seed uint64, t *tally) error {
	var group sync.WaitGroup
	limit := make(chan struct{}, runtime.GOMAXPROCS(0))
	failed := make(chan error, n)
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		limit <- struct{}{}
		group.Go(func() {
			defer func() { <-limit }()
			if err := h.try(changes[i%len(changes)], drawn(seed, uint64(i)+1), t); err != nil {
				failed <- err
			}
		})
	}
	group.Wait()
	select {
	case err := <-failed:
		return err
	default:
		return ctx.Err()
	}
}

// sameText compares files, ignoring the Windows line ends.
func sameText(a, b []byte) bool {
	return bytes.Equal(bytes.ReplaceAll(a, []byte("\r\n"), []byte("\n")), bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")))
}

// mostDraws is the greatest number of attempts to draw an effective change.
const mostDraws = 1000

// try makes one change, and asks first who knows the least: the files alone, then the history of git, then a copy that was kept elsewhere.
func (h *history) try(c change, rng *rand.Rand, t *tally) error {
	f := maps.Clone(h.files)
	touched, err := c.make(h, f, rng)
	for draws := 0; err == nil && !c.honest && maps.EqualFunc(f, h.files, sameText); draws++ {
		if draws == mostDraws {
			return fmt.Errorf("%s: no effect", c.name)
		}
		f = maps.Clone(h.files)
		touched, err = c.make(h, f, rng)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	kept := ledger.Outside{Copies: []ledger.File{{Path: "copy", Data: h.newest.Data}}}
	found, named := byNobody, false
	for by, with := range []struct {
		past    ledger.Past
		outside ledger.Outside
	}{{}, {past: h.past}, {h.past, kept}} {
		w, _, err := verify(f, with.past, with.outside)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if len(w.Problems) > 0 {
			found, named = min(found, foundBy(by)), names(w.Problems, append(touched, "copy"))
		}
		if named { // more knowledge cannot find less
			break
		}
	}
	t.add(c, found, named)
	return nil
}

// names reports whether a problem names one of the affected files, events or commits.
func names(problems []ledger.Problem, touched []string) bool {
	return slices.ContainsFunc(problems, func(p ledger.Problem) bool {
		return slices.Contains(touched, p.File) || p.Event != "" && slices.Contains(touched, string(p.Event)) || p.Commit != "" && slices.Contains(touched, p.Commit)
	})
}
