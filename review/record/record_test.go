package record

import (
	"bytes"
	"errors"
	"io/fs"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/life"
)

var at = time.Date(2025, 11, 4, 12, 30, 0, 0, time.FixedZone("far", 3600))

// state has one finding of each status.
func state() *life.State {
	s := &life.State{}
	for i, status := range []life.Status{life.Open, life.Fixed, life.Dismissed, life.Carried} {
		s.Findings = append(s.Findings, &life.Entry{
			Finding: finding.Finding{
				ID: "f-" + string(status), Rule: "lint/loud", Severity: finding.Warning, Path: "a b/é\xff.go", Line: i + 1, EndLine: i + 1, Symbol: "F",
				Quote: "x <b> \u2028 y", Pattern: "p-1", Message: "Is loud.",
			},
			Status: status, FirstSeen: "c1", History: []life.Event{{Event: life.New, Commit: "c1"}, {Event: string(status), Commit: "c2", Reason: "why", Actor: "ann"}},
		})
	}
	return s
}

func TestRecordReadsBack(t *testing.T) {
	t.Parallel()
	r := New(Change{Key: "pr-12", Base: "b", Head: "h", Outcome: Merged, At: at, Author: "ann"}, state())
	data, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(string(data), "\n"); len(lines) != 6 || lines[0] != `{"key":"pr-12","base":"b","head":"h","outcome":"merged","at":"2025-11-04T11:30:00Z","author":"ann"}` {
		t.Errorf("%s", data)
	}
	back, err := Decode("pr-12", data)
	if err != nil || !reflect.DeepEqual(back, r) {
		t.Errorf("%v: %+v, want %+v", err, back, r)
	}
	if r.Findings[1].FixedBy != "c2" || r.Findings[0].FixedBy != "" {
		t.Errorf("fixed by %q and %q", r.Findings[1].FixedBy, r.Findings[0].FixedBy)
	}
}

func TestUnmergedTellsNothingElse(t *testing.T) {
	t.Parallel()
	data, err := New(Change{Key: "pr-1", Outcome: Unmerged, At: at}, state()).Encode()
	if err != nil || bytes.Count(data, []byte("\n")) != 1 {
		t.Errorf("%v: %s", err, data)
	}
}

// memory is Files in memory.
type memory map[string][]byte

func (m memory) Read(name string) ([]byte, error) {
	if data, ok := m[name]; ok {
		return data, nil
	}
	return nil, fs.ErrNotExist
}

func (m memory) Write(name string, data []byte) (bool, error) {
	m[name] = data
	return true, nil
}

// occupied is Files in which something else is in the way.
type occupied struct{ memory }

func (occupied) Read(string) ([]byte, error) { return nil, errors.New("a directory") }

func TestSaveWritesOnce(t *testing.T) {
	t.Parallel()
	files := memory{}
	r := New(Change{Key: "pr-1", Outcome: Merged, At: at}, state())
	if written, err := Save(files, r); !written || err != nil {
		t.Fatal(written, err)
	}
	before := string(files[".causal/reviews/pr-1.jsonl"])
	r.Findings = nil
	if written, err := Save(files, r); written || err != nil || string(files[".causal/reviews/pr-1.jsonl"]) != before || before == "" {
		t.Errorf("written again: %v, %v", written, err)
	}
	if written, err := Save(occupied{files}, r); written || err == nil {
		t.Errorf("written over what is in the way: %v, %v", written, err)
	}
	if _, err := Save(files, New(Change{Key: "../x", Outcome: Merged, At: at}, state())); err == nil || len(files) != 1 {
		t.Error("written outside")
	}
}

func TestCheckKey(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"pr-12", "push-4c1f0aa", "a.b_c", "ключ", strings.Repeat("x", longestKey)} {
		if err := CheckKey(key); err != nil {
			t.Error(err)
		}
		if got, ok := KeyOf(Path(key)); got != key || !ok {
			t.Errorf("%s is the record of %q", Path(key), got)
		}
	}
	for _, key := range []string{
		"", ".", "..", ".x", "a/b", `a\b`, "../pr-1", "a\nb", "a\x00", "a\u202eb", "a\xff", "con", "NUL.txt", "a.", "a ", "-x", "a:b", strings.Repeat("x", longestKey+1),
	} {
		if CheckKey(key) == nil {
			t.Errorf("%q is a key", key)
		}
	}
	for _, name := range []string{"x.jsonl", Dir + "/a/b.jsonl", Dir + "/x.json", Dir + "/.jsonl"} {
		if key, ok := KeyOf(name); ok {
			t.Errorf("%s is the record of %q", name, key)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	data, _ := New(Change{Key: "pr-1", Outcome: Merged, At: at}, state()).Encode()
	for _, test := range []struct{ old, new, want string }{
		{string(data), "", "empty"},
		{`"pr-1"`, `"pr-2"`, `about "pr-2"`},
		{`"merged"`, `"lost"`, "outcome"},
		{`"merged"`, `"unmerged"`, "not merged"},
		{`"line":2`, `"line":0`, "line 3"},
		{`"line":2`, `"lines":2`, "line 3"},
		{`"line":2`, `"line":"2"`, "line 3"},
		{`"id":"f-fixed"`, `"id":"f-open"`, "line 3"},
		{"}\n", "} {}\n", "line 1"},
		{"}\n", "}\n\n", "line 2"},
	} {
		text := strings.Replace(string(data), test.old, test.new, 1)
		if _, err := Decode("pr-1", []byte(text)); err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "pr-1.jsonl") {
			t.Errorf("%s for %s: %v", test.new, test.old, err)
		}
	}
}

func TestFixed(t *testing.T) {
	t.Parallel()
	old := New(Change{Key: "pr-2", Outcome: Merged, At: at}, state())
	late := New(Change{Key: "pr-1", Outcome: Merged, At: at.Add(time.Hour)}, state())
	f := FixedIn([]*Record{late, old})
	back := finding.Finding{Pattern: "p-1", Path: old.Findings[1].Path}
	if key, ok := f.Key(back); !ok || key != "pr-1" {
		t.Errorf("%q %v", key, ok)
	}
	if key, ok := f.Key(finding.Finding{Pattern: "p-1", Path: "elsewhere.go", Symbol: "F"}); !ok || key != "pr-1" {
		t.Errorf("by its symbol: %q %v", key, ok)
	}
	for _, other := range []finding.Finding{{Pattern: "p-2", Path: back.Path, Symbol: "F"}, {Pattern: "p-1", Path: "elsewhere.go", Symbol: "G"}, {}} {
		if key, ok := f.Key(other); ok {
			t.Errorf("%+v was fixed in %s", other, key)
		}
	}
}

// TestEveryRecordReadsBack: whatever texts its findings hold.
func TestEveryRecordReadsBack(t *testing.T) {
	t.Parallel()
	text := rapid.StringN(0, 20, 60)
	rapid.Check(t, func(rt *rapid.T) {
		s := state()
		for _, e := range s.Findings {
			e.Message, e.Quote, e.Symbol, e.History[1].Reason = text.Draw(rt, "message"), text.Draw(rt, "quote"), text.Draw(rt, "symbol"), text.Draw(rt, "reason")
			e.Path = "x" + string(rapid.SliceOfN(rapid.Byte(), 0, 9).Draw(rt, "path"))
		}
		r := New(Change{Key: "k", Outcome: Merged, At: at}, s)
		data, err := r.Encode()
		if err != nil {
			rt.Fatal(err)
		}
		if back, err := Decode("k", data); err != nil || !reflect.DeepEqual(back, r) {
			rt.Fatalf("%v:\n%s", err, data)
		}
	})
}

// FuzzDecode: whatever a file holds, it is a record that is written back as it was read, or an error.
func FuzzDecode(f *testing.F) {
	data, _ := New(Change{Key: "k", Outcome: Merged, At: at}, state()).Encode()
	f.Add(data)
	f.Add([]byte(`{"key":"k","outcome":"unmerged","at":"2025-11-04T11:30:00Z"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Decode("k", data)
		if err != nil {
			return
		}
		first, err := r.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Decode("k", first); err != nil || len(again.Findings) != len(r.Findings) {
			t.Fatalf("%v:\n%s", err, first)
		}
	})
}
