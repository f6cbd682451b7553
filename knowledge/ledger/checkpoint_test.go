package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"pgregory.net/rapid"
)

// shelf is a log in memory.
type shelf map[string][]byte

func (s shelf) Below(string) ([]string, error) { return slices.Sorted(maps.Keys(s)), nil }

func (s shelf) Read(name string) ([]byte, error) {
	data, ok := s[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return data, nil
}

// signerOf makes the same key for the same number each time.
func signerOf(t tester, n byte) *Signer {
	t.Helper()
	secret, err := NewSecret(bytes.NewReader(bytes.Repeat([]byte{n}, 32)), "causal")
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSigner(secret + "\n")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// put stores the files of a log and a checkpoint.
func (s shelf) put(t tester, log *Log, signer *Signer) File {
	t.Helper()
	for _, b := range each(log) {
		s[b.Path] = b.Data
	}
	f, ok, err := log.Checkpoint(signer)
	if err != nil || !ok {
		t.Fatalf("no checkpoint: %v", err)
	}
	s[f.Path], s[signer.KeyFile().Path] = f.Data, signer.KeyFile().Data
	return f
}

// verify does the work of causal verify.
func (s shelf) verify(t tester, past Past, o Outside) (*Whole, Held) {
	t.Helper()
	w, err := Open(s, past)
	if err != nil {
		t.Fatal(err)
	}
	held, err := w.Hold(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return w, held
}

func add(t tester, log *Log, e Event) ID {
	t.Helper()
	added, err := log.Add(e)
	if err != nil {
		t.Fatal(err)
	}
	return added.ID
}

// TestCheckpointForm: a checkpoint of the same log has the same bytes, in the form that others read.
func TestCheckpointForm(t *testing.T) {
	t.Parallel()
	log, _ := New(nil)
	signer := signerOf(t, 1)
	if f, ok, err := log.Checkpoint(signer); ok || err != nil {
		t.Fatalf("an empty log has the checkpoint %v, %v", f, err)
	}
	id := add(t, log, Event{Type: Proposition, Text: "first"})
	f, ok, err := log.Checkpoint(signer)
	if err != nil || !ok {
		t.Fatal(err)
	}
	raw, _ := hex.DecodeString(string(id))
	leaf := sha256.Sum256(append([]byte{0}, raw...))
	want := fmt.Sprintf("causal log checkpoint 1\nevents 1\nroot %x\nhead %s\n", leaf, id)
	key, err := ParseKey(string(signer.KeyFile().Data))
	if err != nil {
		t.Fatal(err)
	}
	n, err := note.Open(f.Data, note.VerifierList(key))
	if err != nil || n.Text != want {
		t.Errorf("%v: %v, want %q", err, n, want)
	}
	again, _, _ := readAgain(log).Checkpoint(signerOf(t, 1))
	if other, _, _ := log.Checkpoint(signerOf(t, 2)); !bytes.Equal(again.Data, f.Data) || bytes.Equal(other.Data, f.Data) || again.Path != f.Path {
		t.Error("a checkpoint does not follow from the log and the key alone")
	}
	if !strings.HasPrefix(f.Path, ".causal/log/checkpoints/") || !IsCheckpoint(f.Path) || IsBatch(f.Path) || !IsKey(signer.KeyFile().Path) {
		t.Errorf("it lies at %s, the key at %s", f.Path, signer.KeyFile().Path)
	}
}

// TestRoot: the root of a set is that of the tree over its sorted ids, however the set came about.
func TestRoot(t *testing.T) {
	t.Parallel()
	var root func(ids []ID, bit int) [32]byte
	root = func(ids []ID, bit int) [32]byte {
		raw := make([][]byte, len(ids))
		for i, id := range ids {
			raw[i], _ = hex.DecodeString(string(id))
		}
		if len(ids) == 1 {
			return sha256.Sum256(append([]byte{0}, raw[0]...))
		}
		at := 0
		for at < len(ids) && raw[at][bit/8]&(0x80>>(bit%8)) == 0 {
			at++
		}
		if at == 0 || at == len(ids) {
			return root(ids, bit+1)
		}
		l, r := root(ids[:at], bit+1), root(ids[at:], bit+1)
		return sha256.Sum256(slices.Concat([]byte{1}, l[:], r[:]))
	}
	rapid.Check(t, func(t *rapid.T) {
		var ids []ID
		for i := range rapid.IntRange(1, 40).Draw(t, "events") {
			ids = append(ids, ID(sumOf([]byte{byte(i)})))
		}
		slices.Sort(ids)
		want := root(ids, 0)
		f := &forest{}
		if got := f.of(ids); got.hash != want || got.events != len(ids) {
			t.Fatalf("%d ids: %v, want %v", len(ids), got, want)
		}
		var parts []*set
		for range rapid.IntRange(1, 4).Draw(t, "parts") {
			parts = append(parts, f.of(slices.Compact(slices.Sorted(slices.Values(rapid.SliceOfN(rapid.SampledFrom(ids), 0, 20).Draw(t, "part"))))))
		}
		var s *set
		for _, p := range append(parts, f.of(ids)) {
			s = f.union(s, p)
		}
		if s.hash != want || s.events != len(ids) {
			t.Fatalf("of parts it is %v, want %v", s, want)
		}
		if made := f.made; f.union(s, parts[0]) != s || f.made != made {
			t.Fatal("a set is made again with what it has")
		}
	})
}

// TestSupersets: any log holds to any checkpoint that was made of less of it; without an event that one has seen, none of them does.
func TestSupersets(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all, signer, s := drawLog(t), signerOf(t, 1), shelf{}
		var part []Event
		var made []File
		var cuts []int
		for i, e := range all.Events() {
			part = append(part, e)
			if rapid.Bool().Draw(t, "checkpoint") {
				log, _ := New(batches(part)) // the target may be in a later part
				made, cuts = append(made, s.put(t, log, signer)), append(cuts, i)
			}
		}
		for _, b := range each(all) {
			s[b.Path] = b.Data
		}
		w, held := s.verify(t, nil, Outside{})
		if len(w.Problems) > 0 {
			t.Fatalf("an honest log: %v", w.Problems)
		}
		if len(made) == 0 {
			return
		}
		last := len(cuts) - 1
		if held.Covered != cuts[last]+1 || held.Newest != made[last].Path {
			t.Fatalf("%d events are covered by %s, and not %d", held.Covered, held.Newest, cuts[last]+1)
		}
		lost := rapid.IntRange(0, cuts[last]).Draw(t, "lost")
		for _, b := range batches([]Event{all.Events()[lost]}) {
			delete(s, b.Path)
		}
		if w, _ = s.verify(t, nil, Outside{}); !slices.ContainsFunc(w.Problems, func(p Problem) bool { return p.Kind == Truncated && p.File != "" }) {
			t.Fatalf("event %d is gone, and told is %v", lost, w.Problems)
		}
		for _, f := range made {
			delete(s, f.Path)
		}
		if w, _ = s.verify(t, nil, Outside{Copies: made}); !slices.ContainsFunc(w.Problems, func(p Problem) bool { return p.Kind == Truncated || p.Kind == Rewritten }) {
			t.Fatalf("event %d is gone with the checkpoints, and the copies tell %v", lost, w.Problems)
		}
	})
}

// TestHold checks the kind and file of each problem with checkpoints and keys.
func TestHold(t *testing.T) {
	t.Parallel()
	ann, bob := signerOf(t, 1), signerOf(t, 2)
	log, _ := New(nil)
	add(t, log, Event{Type: Proposition, Text: "first"})
	base := shelf{}
	old := base.put(t, log, ann)
	add(t, log, Event{Type: Proposition, Text: "second"})
	newest := base.put(t, log, ann)
	last := each(log)[1].Path
	annKey, bobKey := verifierOf(t, ann), verifierOf(t, bob)
	other, _ := New(nil)
	for i := range 3 {
		add(t, other, Event{Type: Proposition, Text: fmt.Sprint("another ", i)})
	}
	rewritten := shelf{}
	rewritten.put(t, other, bob)
	forge := func(old, with string) File {
		data := bytes.Replace(newest.Data, []byte(old), []byte(with), 1)
		sum := sumOf(data)
		return File{".causal/log/checkpoints/" + sum[:2] + "/" + sum + ".note", data}
	}
	forged, cut := forge("events 2", "events 1"), forge("\n\n", "\n")
	lying, err := note.Sign(&note.Note{Text: Checkpoint{1, log.setOf(t).hash, log.Heads()}.text()}, ann)
	if err != nil {
		t.Fatal(err)
	}
	tooNew, _ := note.Sign(&note.Note{Text: "causal log checkpoint 2\nmood good\n"}, ann)
	for _, c := range []struct {
		name    string
		change  func(shelf)
		outside Outside
		want    []Problem
	}{
		{"nothing", func(shelf) {}, Outside{}, nil},
		{"line ends of Windows", func(s shelf) { s[old.Path] = bytes.ReplaceAll(old.Data, []byte("\n"), []byte("\r\n")) }, Outside{}, nil},
		{"its own key counts", func(shelf) {}, Outside{Keys: []note.Verifier{annKey, bobKey}}, nil},
		{"a copy", func(s shelf) { delete(s, newest.Path) }, Outside{Copies: []File{{"copy", newest.Data}}}, nil},
		{"a copy that nobody signed whom the log knows", func(s shelf) { clear(s); maps.Copy(s, rewritten) }, Outside{Copies: []File{{"copy", newest.Data}}}, []Problem{{Kind: Rewritten, File: "copy", Detail: "the log has 3 others"}}},
		{"the last event is gone", func(s shelf) { delete(s, last) }, Outside{}, []Problem{{Kind: Truncated, File: newest.Path, Event: log.Heads()[0], Detail: "not there"}}},
		{"all is gone but what was seen", func(s shelf) { clear(s) }, Outside{Seen: []File{newest}, SeenIn: "there"}, []Problem{{Kind: Truncated, File: newest.Path, Detail: "which there remembers"}}},
		{"other bytes", func(s shelf) { s[old.Path] = append(slices.Clone(old.Data), '\n') }, Outside{}, []Problem{{Kind: Edited, File: old.Path}}},
		{"another text", func(s shelf) { s[forged.Path] = forged.Data }, Outside{}, []Problem{{Kind: Rewritten, File: forged.Path, Detail: "not signed with the key"}}},
		{"another text, elsewhere", func(shelf) {}, Outside{Copies: []File{{"copy", forged.Data}}}, []Problem{{Kind: Rewritten, File: "copy"}}},
		{"a signer that lies", func(s shelf) { s[pathOf(lying)] = lying }, Outside{}, []Problem{{Kind: Rewritten, File: pathOf(lying), Detail: "heads have seen others"}}},
		{"no note", func(s shelf) { s[cut.Path] = cut.Data }, Outside{}, []Problem{{Kind: Unreadable, File: cut.Path, Detail: "no signed checkpoint"}}},
		{"a newer form", func(s shelf) { s[pathOf(tooNew)] = tooNew }, Outside{}, []Problem{{Kind: Unreadable, File: pathOf(tooNew), Detail: "newer version"}}},
		{"too large", func(s shelf) { s[pathOf(make([]byte, MostCheckpoint+1))] = make([]byte, MostCheckpoint+1) }, Outside{}, []Problem{{Kind: Unreadable, Detail: "are the most"}}},
		{"no key", func(s shelf) { delete(s, ann.KeyFile().Path) }, Outside{}, []Problem{{Kind: Unreadable, File: newest.Path}, {Kind: Unreadable, File: old.Path, Detail: "no key of the log"}}},
		{"an edited key", func(s shelf) { s[bob.KeyFile().Path] = ann.KeyFile().Data }, Outside{}, []Problem{{Kind: Edited, File: bob.KeyFile().Path}}},
		{"a key that is none", func(s shelf) { s[keysDir+"/"+sumOf([]byte("x"))+".pub"] = []byte("x") }, Outside{}, []Problem{{Kind: Unreadable, Detail: "no key to verify with"}}},
		{"the key of somebody else", func(shelf) {}, Outside{Keys: []note.Verifier{bobKey}}, []Problem{{Kind: Truncated, File: checkpointsDir, Detail: "no checkpoint"}}},
		{"a copy of somebody else", func(shelf) {}, Outside{Keys: []note.Verifier{annKey}, Copies: []File{{"copy", rewritten.any()}}}, []Problem{{Kind: Unreadable, File: "copy", Detail: "none of the keys"}}},
		{"all is another", func(s shelf) { clear(s); maps.Copy(s, rewritten) }, Outside{}, nil},
	} {
		s := maps.Clone(base)
		c.change(s)
		w, _ := s.verify(t, nil, c.outside)
		slices.SortFunc(c.want, func(a, b Problem) int { return strings.Compare(a.File, b.File) })
		if !slices.EqualFunc(w.Problems, c.want, func(a, b Problem) bool {
			return a.Kind == b.Kind && (b.Event == "" || a.Event == b.Event) && (b.File == "" || a.File == b.File) && strings.Contains(a.Detail, b.Detail)
		}) {
			t.Errorf("%s: %+v, want %+v", c.name, w.Problems, c.want)
		}
	}
}

// TestTaken: where one commit took events away that a checkpoint has seen, it is named; many checkpoints say so once.
func TestTaken(t *testing.T) {
	t.Parallel()
	log, _ := New(nil)
	s, signer, past := shelf{}, signerOf(t, 1), Past{}
	for i := range 5 {
		add(t, log, Event{Type: Proposition, Text: fmt.Sprint(i)})
		s.put(t, log, signer)
	}
	first := each(log)[0].Path
	past[first] = "c0ffee"
	delete(s, first)
	w, _ := s.verify(t, past, Outside{})
	var kinds []Kind
	for _, p := range w.Problems {
		kinds = append(kinds, p.Kind)
		if p.Kind == Truncated && (p.Commit != "c0ffee" || !strings.Contains(p.Detail, "; 4 more do not hold either")) {
			t.Errorf("%+v", p)
		}
	}
	if slices.Sort(kinds); !slices.Equal(kinds, []Kind{Dangling, Missing, Truncated}) {
		t.Errorf("%v", w.Problems)
	}
}

func (l *Log) setOf(t tester) *set {
	t.Helper()
	var found *set
	if err := l.seen([][]ID{l.Heads()}, func(_ int, s *set) { found = s }); err != nil {
		t.Fatal(err)
	}
	return found
}

func pathOf(data []byte) string {
	sum := sumOf(data)
	return ".causal/log/checkpoints/" + sum[:2] + "/" + sum + ".note"
}

// any is a checkpoint of a shelf.
func (s shelf) any() []byte {
	for name, data := range s {
		if IsCheckpoint(name) {
			return data
		}
	}
	return nil
}

func verifierOf(t tester, s *Signer) note.Verifier {
	t.Helper()
	v, err := ParseKey(s.Key())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestManyCheckpoints: a checkpoint for each event takes each event once, and so does one for each of two branches that are merged now and then.
func TestManyCheckpoints(t *testing.T) {
	t.Parallel()
	const n = 2000
	for name, parents := range map[string]func(ids []ID) []ID{
		"a line": func([]ID) []ID { return nil },
		"two branches": func(ids []ID) []ID {
			if i := len(ids); i > 1 && i%20 != 0 {
				return ids[i-2 : i-1]
			}
			return nil
		},
	} {
		log, _ := New(nil)
		var ids []ID
		var lists [][]ID
		var sizes []int
		for i := range n {
			ids = append(ids, add(t, log, Event{Type: Proposition, Text: fmt.Sprint(i), Parents: parents(ids)}))
			seen := map[ID]bool{}
			log.mark(ids[i:], seen)
			lists, sizes = append(lists, ids[i:i+1]), append(sizes, len(seen))
		}
		compared := 0
		err := log.seen(lists, func(i int, found *set) {
			if compared++; found.events != sizes[i] {
				t.Fatalf("%s: %d events are seen by number %d, want %d", name, found.events, i, sizes[i])
			}
		})
		if err != nil || compared != n {
			t.Errorf("%s: %d of %d: %v", name, compared, n, err)
		}
	}
}

// TestTooManyBranches checks that a log that is expensive to order is reported, and not traversed.
func TestTooManyBranches(t *testing.T) {
	t.Parallel()
	log, _ := New(nil)
	s, signer := shelf{}, signerOf(t, 1)
	var a, b []ID
	for i := range 1000 {
		a = append(a, add(t, log, Event{Type: Proposition, Text: fmt.Sprint("a", i), Parents: slices.Clone(a[max(0, i-1):])}))
		b = append(b, add(t, log, Event{Type: Proposition, Text: fmt.Sprint("b", i), Parents: slices.Clone(b[max(0, i-1):])}))
	}
	for i := range 2000 {
		add(t, log, Event{Type: Proposition, Text: fmt.Sprint("m", i), Parents: []ID{a[i*7%1000], b[i*13%1000]}})
	}
	s.put(t, log, signer)
	w, _ := s.verify(t, nil, Outside{})
	if len(w.Problems) != 1 || w.Problems[0].Kind != Unreadable || !strings.Contains(w.Problems[0].Detail, "too many branches") {
		t.Errorf("%v", w.Problems)
	}
}

// FuzzCheckpoint checks that a checkpoint that can be read encodes to the same bytes, and that no unsigned one is accepted.
func FuzzCheckpoint(f *testing.F) {
	secret, _ := NewSecret(bytes.NewReader(make([]byte, 32)), "causal")
	signer, err := NewSigner(secret)
	if err != nil {
		f.Fatal(err)
	}
	key, _ := ParseKey(signer.Key())
	log, _ := New(nil)
	_, _ = log.Add(Event{Type: Proposition, Text: "first"})
	first, _, _ := log.Checkpoint(signer)
	f.Add(first.Data)
	f.Add(bytes.Replace(first.Data, []byte("head"), []byte("tail"), 1))
	f.Add([]byte("causal log checkpoint 2\n\n— causal AAAAAAA=\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := File{"x", data}.open(note.VerifierList(key))
		if err != nil {
			return
		}
		if len(c.Heads) == 0 || c.Events < len(c.Heads) || !bytes.HasPrefix(data, []byte(c.text())) {
			t.Fatalf("%q is read as %+v", data, c)
		}
		if c.signed && c.text() != string(first.Data[:len(c.text())]) {
			t.Fatalf("%q counts as signed", data)
		}
	})
}
