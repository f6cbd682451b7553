package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawLog makes a log that several people wrote without always knowing of each other.
func drawLog(t *rapid.T) *Log {
	log, _ := New(nil)
	var ids []ID
	for i := range rapid.IntRange(1, 20).Draw(t, "events") {
		e := Event{Type: Proposition, Text: fmt.Sprint("event ", i)}
		if len(ids) > 0 && rapid.Bool().Draw(t, "apart") {
			e.Parents = rapid.SliceOfN(rapid.SampledFrom(ids), 0, 3).Draw(t, "seen")
			if e.Parents == nil {
				e.Parents = []ID{}
			}
		}
		if len(ids) > 0 && rapid.Bool().Draw(t, "contradicts") {
			e.Type, e.Targets = Contradiction, []ID{rapid.SampledFrom(ids).Draw(t, "target")}
		} else if rapid.Bool().Draw(t, "happened") {
			e.Type, e.About = Happening, "module/cart"
		}
		added, err := log.Add(e)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, added.ID)
	}
	return log
}

// each makes a file of each event.
func each(log *Log) []Batch {
	var out []Batch
	for _, e := range log.Events() {
		out = append(out, batches([]Event{e})...)
	}
	return out
}

func same(a, b *Log) bool {
	return slices.EqualFunc(a.Events(), b.Events(), func(x, y Event) bool { return x.ID == y.ID }) && slices.Equal(a.Heads(), b.Heads())
}

// TestOrder checks that the same events in any files and order are the same log, that no event precedes an event that it has seen, and
// that ancestry equals a traversal of all parents.
func TestOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		log := drawLog(t)
		for _, files := range [][]Batch{log.Added(), rapid.Permutation(each(log)).Draw(t, "order"), append(each(log), log.Added()...)} {
			if again, problems := New(files); !same(log, again) || len(problems) > 0 {
				t.Fatalf("read again it is %+v, with %v", again.Events(), problems)
			}
		}
		ancestors := map[ID]map[ID]bool{}
		for _, e := range log.Events() {
			seen := map[ID]bool{}
			for _, p := range e.Parents {
				if ancestors[p] == nil {
					t.Fatalf("%s stands before %s, which it has seen", e.Text, p)
				}
				seen[p] = true
				for a := range ancestors[p] {
					seen[a] = true
				}
			}
			ancestors[e.ID] = seen
		}
		for _, a := range log.Events() {
			for _, b := range log.Events() {
				if got := log.Saw(a.ID, b.ID); got != ancestors[a.ID][b.ID] {
					t.Fatalf("%s saw %s: %v", a.Text, b.Text, got)
				}
			}
		}
	})
}

// TestTampering checks that every manipulation of the files is detected without git, except the removal of events without successors.
func TestTampering(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		files := each(drawLog(t))
		i := rapid.IntRange(0, len(files)-1).Draw(t, "file")
		data := slices.Clone(files[i].Data)
		how := rapid.SampledFrom([]string{"bit", "cut", "emptied", "renamed", "swapped", "another event", "not before what it saw"}).Draw(t, "how")
		switch how {
		case "bit":
			data[rapid.IntRange(0, len(data)-1).Draw(t, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
			files[i].Data = data
		case "cut":
			files[i].Data = data[:rapid.IntRange(0, len(data)-1).Draw(t, "length")]
		case "emptied":
			files[i].Data = nil
		case "renamed":
			files[i].Path = BatchPath([]byte("other"))
		case "swapped":
			j := rapid.IntRange(0, len(files)-1).Draw(t, "other")
			if i == j {
				return
			}
			files[i].Data, files[j].Data = files[j].Data, data
		case "another event":
			files[i].Data = bytes.Replace(data, []byte("event"), []byte("evenT"), 1)
			files[i].Path = BatchPath(files[i].Data)
		case "not before what it saw":
			e := Event{Type: Proposition, Text: "forged", Lamport: 7 + int64(len(files))}
			e.ID = e.identify()
			files = append(files, batches([]Event{e})...)
		}
		if _, problems := New(files); len(problems) == 0 {
			t.Fatalf("%s: nothing was found", how)
		}
	})
}

// TestProblems checks the kind, file and event of each problem.
func TestProblems(t *testing.T) {
	t.Parallel()
	log, _ := New(nil)
	first, _ := log.Add(Event{Type: Proposition, Text: "first"})
	target := first.ID
	second, _ := log.Add(Event{Type: Contradiction, Text: "second", Targets: []ID{target}})
	whole := each(log)
	edited := bytes.Replace(whole[0].Data, []byte("first"), []byte("worst"), 1)
	for _, c := range []struct {
		name  string
		files []Batch
		want  []Problem
	}{
		{"nothing", whole, nil},
		{"line ends of Windows", []Batch{{Path: whole[0].Path, Data: bytes.ReplaceAll(whole[0].Data, []byte("\n"), []byte("\r\n"))}, whole[1]}, nil},
		{"another text", []Batch{{Path: whole[0].Path, Data: edited}}, []Problem{{Edited, "", whole[0].Path, "", "content"}, {Edited, target, whole[0].Path, "", "its id does not match"}}},
		{"a parent that is gone", whole[1:], []Problem{{Dangling, second.ID, whole[1].Path, "", target.Short()}}},
		{"a newer version", batchOf(`{"id":"` + strings.Repeat("0", 64) + `","lamport":1,"mood":"good","text":"x","type":"proposition","v":2}`), []Problem{{Unreadable, ID(strings.Repeat("0", 64)), "", "", "newer version"}}},
		{"no JSON", batchOf("x"), []Problem{{Unreadable, "", "", "", "no event"}}},
		{"an empty file", []Batch{{Path: BatchPath(nil)}}, []Problem{{Edited, "", "", "", "empty"}}},
		{"too large a file", []Batch{{Path: "x", Data: make([]byte, MostBatch+1)}}, []Problem{{Unreadable, "", "x", "", "are the most"}}},
	} {
		_, got := New(c.files)
		if !slices.EqualFunc(got, c.want, func(a, b Problem) bool {
			return a.Kind == b.Kind && a.Event == b.Event && (b.File == "" || a.File == b.File) && strings.Contains(a.Detail, b.Detail)
		}) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func batchOf(line string) []Batch {
	data := []byte(line + "\n")
	return []Batch{{Path: BatchPath(data), Data: data}}
}

// TestMissing checks that a file that git knows and the log lacks is reported, with the commit that removed it.
func TestMissing(t *testing.T) {
	t.Parallel()
	there := batchOf("{}")
	past := Past{there[0].Path: "c1", ".causal/log/aa/1.jsonl": "", ".causal/log/bb/2.jsonl": "c2c2c2c2c2c2", ".causal/log/README.md": "c3"}
	got := past.Missing([]string{there[0].Path})
	if len(got) != 2 || got[0].File != ".causal/log/aa/1.jsonl" || got[0].Commit != "" || got[1].Commit != "c2c2c2c2c2c2" || got[1].Kind != Missing {
		t.Errorf("%+v", got)
	}
}

// TestDuplicates: the same words from the same place are one event; without a place they are said again.
func TestDuplicates(t *testing.T) {
	t.Parallel()
	log, _ := New(nil)
	first, err := log.Add(Event{Type: Proposition, Text: "x", Source: "pr/1#2"})
	if err != nil {
		t.Fatal(err)
	}
	id := first.ID
	for _, l := range []*Log{log, readAgain(log)} {
		if again, err := l.Add(Event{Type: Proposition, Text: "x", Source: "pr/1#2"}); !errors.Is(err, ErrDuplicate) || again.ID != id {
			t.Errorf("%+v, %v", again, err)
		}
	}
	for range 2 {
		other, err := log.Add(Event{Type: Proposition, Text: "x"})
		if err != nil {
			t.Fatal(err)
		}
		// Without text, the events have a target in common, or not.
		for twice := range 2 {
			_, err := log.Add(Event{Type: Confirm, Source: "pr/1#2", Targets: []ID{other.ID}})
			if errors.Is(err, ErrDuplicate) != (twice == 1) {
				t.Errorf("the confirmation of %s: %v", other.ID.Short(), err)
			}
		}
	}
}

func readAgain(log *Log) *Log {
	l, _ := New(log.Added())
	return l
}

// TestBatches: a batch has no more events and bytes than a reader takes.
func TestBatches(t *testing.T) {
	t.Parallel()
	log, _ := New(nil)
	for i := range mostEvents + 1 {
		if _, err := log.Add(Event{Type: Proposition, Text: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 100 {
		if _, err := log.Add(Event{Type: Proposition, Text: fmt.Sprint(i) + strings.Repeat("x", MostText-10)}); err != nil {
			t.Fatal(err)
		}
	}
	files := log.Added()
	for _, b := range files {
		if len(b.Data) > MostBatch || bytes.Count(b.Data, []byte("\n")) > mostEvents || len(b.Events) == 0 {
			t.Errorf("%s has %d bytes", b.Path, len(b.Data))
		}
	}
	if again, problems := New(files); !same(log, again) || len(problems) > 0 || len(files) != 3 {
		t.Errorf("%d files: %v", len(files), problems)
	}
}

// TestManyHeads: where more branches are open than an event may name, the newest are joined.
func TestManyHeads(t *testing.T) {
	t.Parallel()
	log, _ := New(nil)
	for i := range mostRefs + 10 {
		if _, err := log.Add(Event{Type: Proposition, Text: fmt.Sprint(i), Parents: []ID{}}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if _, err := log.Add(Event{Type: Proposition, Text: "join"}); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(log.Heads()); n != 1 {
		t.Errorf("%d heads are left", n)
	}
}

// TestLooked checks that after too many steps, only events on one line count as seen.
func TestLooked(t *testing.T) {
	t.Parallel()
	log, _ := New(nil)
	var ids []ID
	for i, parents := range [][]int{{}, {0}, {0}, {1, 2}} {
		e := Event{Type: Proposition, Text: fmt.Sprint(i), Parents: []ID{}}
		for _, p := range parents {
			e.Parents = append(e.Parents, ids[p])
		}
		added, err := log.Add(e)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, added.ID)
	}
	for _, want := range []bool{true, false} {
		if got := log.Saw(ids[3], ids[2]); got != want || !log.Saw(ids[1], ids[0]) {
			t.Errorf("the merge saw its side: %v, want %v", got, want)
		}
		log.looked.Store(mostLooked)
	}
}
