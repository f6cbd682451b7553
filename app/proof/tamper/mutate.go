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

// change is something that is done to the files of a log. What is told of it has to name one of the files or events that it returns.
type change struct {
	name   string
	honest bool // is no tampering, and may not be told
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
	{"a file is cut off", false, edit(anyFile, func(data []byte, rng *rand.Rand) []byte { return data[:rng.IntN(len(data))] })},
	{"bytes come into a file", false, edit(anyFile, func(data []byte, rng *rand.Rand) []byte {
		return slices.Insert(data, rng.IntN(len(data)+1), byte(rng.IntN(256)))
	})},
	{"events of a file change places", false, edit(ledger.IsBatch, func(data []byte, rng *rand.Rand) []byte {
		lines := bytes.SplitAfter(data, []byte("\n"))
		rng.Shuffle(len(lines)-1, func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		return bytes.Join(lines, nil)
	})},
	{"the text of an event changes", false, edit(ledger.IsBatch, func(data []byte, rng *rand.Rand) []byte {
		return bytes.Replace(data, []byte("Statement"), []byte(pick(rng, []string{"Judgement", "statement", "A statement"})), 1+rng.IntN(3))
	})},
	{"a file is taken away", false, func(h *history, f files, rng *rand.Rand) ([]string, error) {
		name := pick(rng, h.names(anyFile))
		delete(f, name)
		return []string{name}, nil
	}},
	{"two files have each other's content", false, func(h *history, f files, rng *rand.Rand) ([]string, error) {
		a, b := pick(rng, h.names(anyFile)), pick(rng, h.names(anyFile))
		f[a], f[b] = f[b], f[a]
		return []string{a, b}, nil
	}},
	{"a file has another name", false, func(h *history, f files, rng *rand.Rand) ([]string, error) {
		name := pick(rng, h.names(ledger.IsBatch))
		other := ledger.BatchPath(fmt.Append(nil, rng.Uint64()))
		f[other] = f[name]
		delete(f, name)
		return []string{name, other}, nil
	}},
	{"a file comes that is none", false, func(_ *history, f files, rng *rand.Rand) ([]string, error) {
		data := fmt.Appendf(nil, `{"text":"Forged %d","type":"proposition"}`+"\n", rng.Uint64())
		f[ledger.BatchPath(data)] = data
		return []string{ledger.BatchPath(data)}, nil
	}},
	{"an event is said anew, with its id and its file", false, replaceEvent},
	{"an event is taken out of its file, which is named anew", false, dropEvent},
	{"an event is put into a file, which is named anew", false, insertEvent},
	{"an event of a forged place in the order comes", false, misplace},
	{"the newest events are taken away with what vouches for them", false, takeNewest},
	{"all is rewritten from an event on", false, func(h *history, f files, rng *rand.Rand) ([]string, error) {
		return h.rewriteAll(f, rng, func(*ledger.Log) error { return nil })
	}},
	{"the same, without keys and checkpoints", false, func(h *history, f files, rng *rand.Rand) ([]string, error) {
		return h.rewriteAll(f, rng, func(*ledger.Log) error { strip(f); return nil })
	}},
	{"the same, signed with another key", false, func(h *history, f files, rng *rand.Rand) ([]string, error) {
		return h.rewriteAll(f, rng, func(log *ledger.Log) error { strip(f); return sign(f, log, h.stranger) })
	}},
	{"a checkpoint says something else, and is named anew", false, func(h *history, f files, rng *rand.Rand) ([]string, error) {
		name := pick(rng, h.names(ledger.IsCheckpoint))
		return rename(f, name, bytes.Replace(f[name], []byte("events "), []byte("events "+pick(rng, []string{"1", "2", "3"})), 1)), nil
	}},
	{"a checkpoint is signed with a key that nobody has", false, func(h *history, f files, _ *rand.Rand) ([]string, error) {
		before := maps.Clone(f)
		err := sign(f, h.log, h.stranger)
		delete(f, h.stranger.KeyFile().Path)
		return added(before, f), err
	}},
	{"a record of somebody else", true, func(h *history, f files, rng *rand.Rand) ([]string, error) {
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
	{"line ends of Windows", true, func(_ *history, f files, _ *rand.Rand) ([]string, error) {
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

// mutateFiles does each change about equally often, and verifies what comes of it.
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

// sameText reports whether two files are the same to a reader, who takes back what git does to line ends on Windows.
func sameText(a, b []byte) bool {
	return bytes.Equal(bytes.ReplaceAll(a, []byte("\r\n"), []byte("\n")), bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")))
}

// mostDraws is how often a change is drawn again that leaves everything as it is.
const mostDraws = 1000

// try makes one change, and asks first who knows the least: the files alone, then the history of git, then a copy that was kept elsewhere.
func (h *history) try(c change, rng *rand.Rand, t *tally) error {
	f := maps.Clone(h.files)
	touched, err := c.make(h, f, rng)
	for draws := 0; err == nil && !c.honest && maps.EqualFunc(f, h.files, sameText); draws++ {
		if draws == mostDraws {
			return fmt.Errorf("%s: it changes nothing", c.name)
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
		if named { // who knows more is told no less
			break
		}
	}
	t.add(c, found, named)
	return nil
}

// names reports whether what was found names any of some files, events and commits.
func names(problems []ledger.Problem, touched []string) bool {
	return slices.ContainsFunc(problems, func(p ledger.Problem) bool {
		return slices.Contains(touched, p.File) || p.Event != "" && slices.Contains(touched, string(p.Event)) || p.Commit != "" && slices.Contains(touched, p.Commit)
	})
}
