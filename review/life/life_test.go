package life

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/match"
)

// world is a change over time: its files, and every version of them that there was.
type world struct {
	t     testing.TB
	files map[string]string
	moved map[string]string // where a file is now
	ran   map[string]bool
	heads int
	state *State
	bad   map[string]string // files that cannot be read
	was   map[string]string // contents by blob; nil when they are forgotten
	// begins: the next run is the first one of another change
	begins bool
}

func newWorld(t testing.TB, path, text string) *world {
	return &world{t: t, files: map[string]string{path: text}, moved: map[string]string{}, ran: map[string]bool{"lint": true}, state: &State{}, was: map[string]string{}}
}

func blob(text string) string { return "blob of " + text }

// run reviews the files as they are: lint dislikes lines with !, and the own rule those with ?.
func (w *world) run() Outcome {
	w.heads++
	run := Run{Base: "base", Head: fmt.Sprint("head", w.heads), Ran: w.ran, Unread: w.bad, Begins: w.begins}
	for path, text := range w.files {
		lines := change.Split([]byte(text))
		version := match.NewText(path, lines, blob(text))
		for i, line := range lines {
			for mark, rule := range map[string]string{"!": "lint/loud", "?": "own-rule"} {
				if strings.Contains(line, mark) && (rule == "own-rule" && w.bad[path] == "" || rule != "own-rule" && w.ran["lint"]) {
					f := finding.Finding{Rule: rule, Path: path, Line: i + 1, EndLine: i + 1, Side: finding.Right, Message: "Said " + mark, Severity: finding.Warning}
					version.Fill(&f)
					run.Findings = append(run.Findings, f)
				}
			}
		}
		if w.was != nil {
			w.was[blob(text)] = text
		}
	}
	run.Became = func(path, id string) match.Version {
		for w.moved[path] != "" {
			path = w.moved[path]
		}
		if _, ok := w.files[path]; !ok {
			return match.Version{}
		}
		v := match.Version{Path: path}
		if text, ok := w.was[id]; ok {
			lines := change.Compare(change.Split([]byte(text)), change.Split([]byte(w.files[path])))
			v.Lines = &lines
		}
		return v
	}
	run.Text = func(path string) *match.Text {
		text, ok := w.files[path]
		if !ok {
			return nil
		}
		return match.NewText(path, change.Split([]byte(text)), blob(text))
	}
	run.Declares = func(path, symbol string) bool { return strings.Contains(w.files[path], symbol+" {") }
	o := Reconcile(w.state, run)
	w.keep()
	return o
}

// keep puts the state through its stored form.
func (w *world) keep() {
	w.t.Helper()
	data, err := w.state.Encode()
	if err != nil {
		w.t.Fatal(err)
	}
	if w.state, err = Decode(data); err != nil {
		w.t.Fatalf("%v:\n%s", err, data)
	}
}

// brief is an outcome in words, with the letter of each finding in the order in which they were minted.
func (w *world) brief(o Outcome, names map[string]string) string {
	name := func(e *Entry) string {
		if names[e.ID] == "" {
			names[e.ID] = string(rune('A' + len(names)))
		}
		return names[e.ID]
	}
	var b strings.Builder
	for _, f := range o.Findings {
		fmt.Fprintf(&b, "%s %s %s:%d, ", name(f.Entry), f.State, f.Path, f.Line)
	}
	for _, list := range [][]*Entry{o.Fixed, o.Carried, o.Outdated, o.Dismissed} {
		for _, e := range list {
			fmt.Fprintf(&b, "%s %s %s, ", name(e), e.Status, e.Why)
		}
	}
	return strings.TrimRight(b.String(), " ,")
}

const loud = "f {\n b\n a!\n c\n}\n"

func TestLife(t *testing.T) {
	t.Parallel()
	type step struct {
		edit func(w *world)
		want string
	}
	put := func(text string) func(w *world) { return func(w *world) { w.files["f.js"] = text } }
	ran := func(how map[string]bool, text string) func(w *world) {
		return func(w *world) { w.ran, w.files["f.js"] = how, text }
	}
	off, on, failed := map[string]bool{}, map[string]bool{"lint": true}, map[string]bool{"lint": false}
	for _, test := range []struct {
		name, text string
		steps      []step
	}{
		{"stays", loud, []step{{put(loud), "A open f.js:3"}, {put("x\n" + loud), "A open f.js:4"}, {put("x\n" + strings.ReplaceAll(loud, "a!", "  a !")), "A open f.js:4"}}},
		{"edited", loud, []step{{put(strings.Replace(loud, "a!", "aa!", 1)), "A changed f.js:3"}}},
		{"fixed and back", loud, []step{{put(strings.Replace(loud, "!", "", 1)), "A fixed"}, {put("x\n" + strings.Replace(loud, "!", "", 1)), "A fixed"}, {put(loud), "A reopened f.js:3"}, {put(loud), "A open f.js:3"}}},
		{"did not run", loud, []step{{ran(off, loud), "A carried lint did not run"}, {ran(off, "x\ny\n"+loud), "A carried lint did not run"}, {ran(on, "x\n"+loud), "A open f.js:4"}}},
		{"failed", loud, []step{{ran(failed, loud), "A carried lint failed"}}},
		{"did not run, edited", loud, []step{{ran(off, strings.Replace(loud, "a!", "b", 1)), "A carried lint did not run"}, {ran(on, strings.Replace(loud, "a!", "b", 1)), "A fixed"}}},
		{"did not run, line deleted", loud, []step{{ran(off, strings.Replace(loud, " a!\n", "", 1)), "A outdated"}, {ran(off, loud), "A carried lint did not run"}}},
		{"did not run, function deleted", loud + "g {\n}\n", []step{{ran(off, "g {\n}\n"), "A outdated"}, {ran(on, "g {\n}\n"), "A fixed"}}},
		{"file deleted", loud, []step{{func(w *world) { delete(w.files, "f.js") }, "A outdated"}, {put(loud), "A reopened f.js:3"}}},
		{"file deleted, did not run", loud, []step{{func(w *world) { w.ran = off; delete(w.files, "f.js") }, "A outdated"}}},
		{"renamed", loud, []step{{func(w *world) { w.files = map[string]string{"g.js": loud}; w.moved["f.js"] = "g.js" }, "A open g.js:3"}}},
		{"forgotten", loud, []step{{func(w *world) { w.was = nil; w.files["f.js"] = "x\n" + loud }, "A open f.js:4"}}},
		{"own rule", "f {\n a?\n}\n", []step{{ran(off, "f {\n b\n}\n"), "A fixed"}}},
		{"own rule, not read", "f {\n a?\n}\n", []step{{func(w *world) { w.bad = map[string]string{"f.js": "does not parse"} }, "A carried f.js does not parse"}}},
		{"one of two", "f {\n a!\n b\n a!\n}\n", []step{{put("f {\n b\n a!\n}\n"), "B open f.js:3, A fixed"}}},
		{"another beside it", loud, []step{{put(loud + "g {\n z!\n}\n"), "A open f.js:3, B new f.js:7"}}},
		{"dismissed", loud, []step{
			{func(w *world) { w.dismiss("A") }, "A dismissed"}, {put("x\n" + loud), "A dismissed"}, {put(strings.Replace(loud, "!", "", 1)), "A dismissed"},
			{put(loud), "A dismissed"}, {put(strings.Replace(loud, "a!", "aa!", 1)), "A reopened f.js:3"},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "f.js", test.text)
			names := map[string]string{}
			if first := w.brief(w.run(), names); !strings.HasPrefix(first, "A new f.js:") {
				t.Fatal(first)
			}
			for i, s := range test.steps {
				s.edit(w)
				if got := w.brief(w.run(), names); got != s.want {
					t.Fatalf("step %d: %s, want %s", i+1, got, s.want)
				}
			}
		})
	}
}

// dismiss dismisses the only finding.
func (w *world) dismiss(string) {
	if err := w.state.Dismiss(w.state.Findings[0].ID, "it is meant", "ann", "head"); err != nil {
		w.t.Fatal(err)
	}
}

// TestHistory: a finding tells what happened to it, and when.
func TestHistory(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "f.js", loud)
	w.run()
	w.files["f.js"] = strings.Replace(loud, "!", "", 1)
	o := w.run()
	if got := fmt.Sprint(w.state.Findings[0].History); got != "[{new head1  } {fixed head2  }]" || o.Fixed[0].FixedBy() != "head2" || o.Fixed[0].FirstSeen != "head1" {
		t.Errorf("%s, fixed by %s", got, o.Fixed[0].FixedBy())
	}
	w.files["f.js"] = loud
	w.run()
	w.dismiss("A")
	w.keep()
	if reason, actor := w.state.Findings[0].Dismissal(); reason != "it is meant" || actor != "ann" || w.state.Findings[0].FixedBy() != "" {
		t.Errorf("%+v", w.state.Findings[0])
	}
	for range 2 * mostEvents {
		for _, text := range []string{"f {\n}\n", loud} {
			w.files["f.js"] = text
			w.run()
		}
		w.state.Findings[0].Status = Open
	}
	if history := w.state.Findings[0].History; len(history) > mostEvents || history[0].Event != New {
		t.Errorf("%d events from %v", len(history), history[0])
	}
}

func TestDismissRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "f.js", loud)
	w.run()
	id := w.state.Findings[0].ID
	for want, args := range map[string][3]string{
		"no such finding": {"f-none", "why", "ann"}, "say why": {id, " ", "ann"}, "longer": {id, strings.Repeat("x", longestReason+1), "ann"}, "author is unknown": {id, "why", ""},
	} {
		if err := w.state.Dismiss(args[0], args[1], args[2], ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", args, err)
		}
	}
	if w.state.Findings[0].Status != Open {
		t.Error("what was refused was done")
	}
}

// TestLeftStaysWhenItsFileGoes: a finding about what only the old version has is fixed when it is mended, wherever.
func TestLeftStaysWhenItsFileGoes(t *testing.T) {
	t.Parallel()
	old := match.NewText("money.go", []string{"func Parse() {}"}, "old")
	f := finding.Finding{Rule: "api-break", Path: "money.go", Line: 1, EndLine: 1, Side: finding.Left, Symbol: "Parse", Severity: finding.Error}
	old.Fill(&f)
	r := Run{Findings: []finding.Finding{f}, Became: func(string, string) match.Version { return match.Version{} }, Text: func(string) *match.Text { return nil }}
	s := &State{}
	Reconcile(s, r)
	if o := Reconcile(s, r); len(o.Findings) != 1 || o.Findings[0].State != string(Open) {
		t.Errorf("%+v", o)
	}
	r.Findings = nil
	if o := Reconcile(s, r); len(o.Fixed) != 1 {
		t.Errorf("%+v", o)
	}
}

// TestBegins: a change takes over what it has in common with another, and nothing else, as what is not there would count as fixed.
func TestBegins(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "f.js", "f {\n a!\n b!\n c?\n d!\n}\n")
	names := map[string]string{}
	w.brief(w.run(), names)
	w.dismiss("A")
	w.files = map[string]string{"f.js": "g {\n}\nf {\n a!\n b!\n}\n"}
	w.begins = true
	o := w.run()
	if got, want := w.brief(o, names), "B open f.js:5, A dismissed"; got != want || o.Forgotten != 2 || len(w.state.Findings) != 2 {
		t.Errorf("%s, %d forgotten, %d known, want %s", got, o.Forgotten, len(w.state.Findings), want)
	}
}

// TestReconcileTwice: the same run once more changes no byte, and tells of nothing new.
func TestReconcileTwice(t *testing.T) {
	t.Parallel()
	line := rapid.SampledFrom([]string{"f {", "g {", "}", " a!", " b!", " c", " a?", "", "d! e?"})
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(t, "f.js", "")
		for range rapid.IntRange(1, 4).Draw(rt, "runs") {
			w.files = map[string]string{}
			for _, path := range []string{"f.js", "g.js"} {
				if rapid.Bool().Draw(rt, "there") {
					w.files[path] = strings.Join(rapid.SliceOfN(line, 0, 12).Draw(rt, "text"), "\n")
				}
			}
			w.ran = rapid.SampledFrom([]map[string]bool{{}, {"lint": true}, {"lint": false}}).Draw(rt, "ran")
			if len(w.state.Findings) > 0 && rapid.Bool().Draw(rt, "dismiss") {
				w.dismiss("")
			}
			w.run()
			before, _ := w.state.Encode()
			o := w.run()
			after, _ := w.state.Encode()
			if !bytes.Equal(before, after) {
				rt.Fatalf("before:\n%s\nafter:\n%s", before, after)
			}
			for _, f := range o.Findings {
				if f.State != string(Open) {
					rt.Fatalf("%s is %s", f.ID, f.State)
				}
			}
			if n := len(o.Findings) + len(o.Fixed) + len(o.Carried) + len(o.Outdated) + len(o.Dismissed); n != len(w.state.Findings) {
				rt.Fatalf("%d of %d findings are told", n, len(w.state.Findings))
			}
		}
	})
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "f.js", loud)
	w.run()
	good, err := w.state.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ old, new, want string }{
		{string(good), "", "ends too early"},
		{string(good), "{ not a state", "line 1"},
		{string(good), string(good[:len(good)/2]), "ends too early"},
		{string(good), "[]", "line 1"},
		{`"version":1`, `"version":2`, "version 2"},
		{`"line":3`, `"line":0`, "lines 0 to 3"},
		{`"line":3`, `"line":"3"`, "line 2"},
		{`"rule":`, `"ruler":`, "ruler"},
		{`"path":"f.js"`, `"path":"../f.js"`, "no path"},
		{`"path":"f.js"`, `"path":"/f.js"`, "no path"},
		{`"id":"f-`, `"id":"x-`, "begin with f-"},
		{`"severity":"warning"`, `"severity":"bad"`, "severity"},
		{`"status":"open"`, `"status":"shut"`, "status"},
		{`"side":"right"`, `"side":"up"`, "side"},
		{"\n]}\n", "\n]}{}", "follows"},
		{`"history":[`, `"history":[{"event":""},`, "history"},
	} {
		text := strings.Replace(string(good), test.old, test.new, 1)
		if _, err := Decode([]byte(text)); text == string(good) || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s for %s: %v", test.new, test.old, err)
		}
	}
	twice := bytes.Replace(good, []byte("[\n"), append([]byte("[\n"), append(bytes.Split(good, []byte("\n"))[1], ',')...), 1)
	if _, err := Decode(twice); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("%v:\n%s", err, twice)
	}
}

// FuzzDecode: whatever a file holds, it is a state that is written back as it was read, or an error.
func FuzzDecode(f *testing.F) {
	w := newWorld(f, "f.js", loud)
	w.run()
	good, _ := w.state.Encode()
	f.Add(good)
	f.Add([]byte(`{"version":1,"findings":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Decode(data)
		if err != nil {
			return
		}
		first, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Decode(first)
		if err != nil {
			t.Fatalf("%v:\n%s", err, first)
		}
		if second, _ := again.Encode(); !bytes.Equal(first, second) {
			t.Fatalf("%s\n%s", first, second)
		}
	})
}
