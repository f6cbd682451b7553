package session

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/costtest"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden files")

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func records(pairs ...string) map[string]FileRecord {
	files := map[string]FileRecord{}
	for i := 0; i+1 < len(pairs); i += 2 {
		files[pairs[i]] = FileRecord{Path: pairs[i], Hash: pairs[i+1], Role: Read}
	}
	return files
}

// authSession is a session that pivoted from the code to the database.
func authSession(t testing.TB) Record {
	t.Helper()
	ok := must[string](t)
	files := records("internal/auth/auth.go", "5d1e", "internal/db/pool.go", "77ab")
	prompt := "find the auth problem\nin the logs of Tuesday"
	tree := frame.NewTree(ID(prompt, files))
	root := ok(tree.Start("find the auth problem", map[string]any{"log": "GET /login 401\nGET /login 401\n", "since": "2026-02-18"}))
	auth := ok(tree.Refine(root, "focus on JWT", map[string]any{"files": []string{"internal/auth/auth.go"}, "limit": 20, "strict": true}))
	check(t, tree.Conclude(auth, "there is no expiry check", []fact.Observation{
		fact.File("internal/auth/auth.go", "5d1e"), fact.Absent("internal/auth/refresh.go"), fact.Listing("internal/auth", "01"),
	}, 0.75, `modified("internal/auth/*.go")`))
	db := ok(tree.Pivot(auth, "could be the database", nil))
	check(t, tree.Conclude(db, "the pool is exhausted: 1 connection", []fact.Observation{
		fact.File("internal/db/pool.go", "77ab"), fact.Text("all 401 follow a timeout: see line 47"),
	}, 1, `modified("internal/db/pool.go")`))
	check(t, tree.Complete(db))
	check(t, tree.Conclude(root, "sessions are lost", []fact.Observation{fact.Frame(db)}, 0.8, fmt.Sprintf("conclusion_changed(%q)", db)))
	if _, err := tree.InvalidatePremise(auth, "internal/auth/auth.go changed in 9e0d2c1"); err != nil {
		t.Fatal(err)
	}
	return Record{Artifacts{
		SessionID: tree.SessionID(), InitialPrompt: prompt, RootFrameID: root, ConversationLog: "sessions/log.jsonl", Commit: "9e0d2c1", Date: "2026-02-18",
		Files: files, Concluded: []Conclusion{{"module/db", "f2", "0aB-", nil}, {"module/internal/auth pages", "f1", "77ab", []fact.Observation{fact.File("a b.go", "5d1e"), fact.Absent("go.work"), fact.Symbol("money", "Parse", "")}}},
	}, tree}
}

func TestGolden(t *testing.T) {
	t.Parallel()
	want := authSession(t)
	data := must[[]byte](t)(Encode(want))
	golden := filepath.Join("testdata", "session.yml")
	if *update {
		check(t, os.WriteFile(golden, data, 0o644))
	}
	if expected := must[[]byte](t)(os.ReadFile(golden)); string(expected) != string(data) {
		t.Errorf("encoded\n%s\nwant\n%s", data, expected)
	}
	got := must[Record](t)(Decode(data))
	sameRecord(t, got, want)
	if again := must[[]byte](t)(Encode(got)); string(again) != string(data) {
		t.Errorf("encoding again gives\n%s", again)
	}
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func sameRecord(t fataler, got, want Record) {
	t.Helper()
	if !reflect.DeepEqual(got.Artifacts, want.Artifacts) {
		t.Fatalf("artifacts\n%+v, want\n%+v", got.Artifacts, want.Artifacts)
	}
	if !reflect.DeepEqual(got.Tree.Frames(), want.Tree.Frames()) {
		t.Fatalf("frames\n%+v, want\n%+v", got.Tree.Frames(), want.Tree.Frames())
	}
}

// anyText draws texts that YAML could take for something else, among others.
func anyText() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"null", "~", "true", "no", "on", "1", "1.5", "1e3", "0x1f", "0o7", ".inf", ".nan", "2026-02-18", "12:30:45", "<<", "=",
		"- a", "a: b", "a #b", "# c", "!tag", "&a", "*a", "%x", "@x", "`x`", "'", `"`, "{a", "[a", "|", ">", "?", ": ", "---", "...",
		" lead", "trail ", "\ttab", "a\nb\n", "a\n\n\nb", "\n", "\n lead\nb", "a\r\nb", "\r", "\u0085", "\u2028", "\ufeff", "\x00\x1b\x7f",
		"a\n  b\n c", "\u00a0", "é", "😀", "\ufffd", "a \nb", "\ta\nb", strings.Repeat("long ", 100),
	}))
}

func anyValue(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		kind := rapid.IntRange(0, 6).Draw(t, "kind")
		if depth == 0 {
			kind %= 5
		}
		switch kind {
		case 0:
			return nil
		case 1:
			return rapid.Bool().Draw(t, "bool")
		case 2:
			return rapid.Int().Draw(t, "int")
		case 3:
			return rapid.Float64().Draw(t, "float")
		case 4:
			return anyText().Draw(t, "text")
		case 5:
			return rapid.SliceOfN(anyValue(depth-1), 0, 3).Draw(t, "list")
		default:
			return rapid.MapOfN(anyText(), anyValue(depth-1), 0, 3).Draw(t, "map")
		}
	})
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		some := func() string { return "x" + anyText().Draw(t, "text") }
		files := map[string]FileRecord{}
		for _, p := range rapid.SliceOfN(anyText(), 0, 4).Draw(t, "paths") {
			if p != "" {
				files[p] = FileRecord{p, some(), rapid.SampledFrom([]Role{Read, Modified, Created}).Draw(t, "role")}
			}
		}
		tree := frame.NewTree(some())
		root, err := tree.Start(some(), rapid.MapOfN(anyText(), anyValue(3), 0, 4).Draw(t, "slice"))
		if err != nil {
			t.Fatal(err)
		}
		evidence := []fact.Observation{fact.Text(some()), fact.File(some(), some()), fact.Symbol(anyText().Draw(t, "m"), some(), some())}
		if err := tree.Conclude(root, some(), evidence, rapid.Float64Range(0, 1).Draw(t, "confidence"), some()); err != nil {
			t.Fatal(err)
		}
		child, err := tree.Spawn(root, some(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tree.InvalidatePremise(child, some()); err != nil {
			t.Fatal(err)
		}
		want := Record{Artifacts{
			SessionID: tree.SessionID(), InitialPrompt: anyText().Draw(t, "prompt"), RootFrameID: root, ConversationLog: anyText().Draw(t, "log"), Files: files,
		}, tree}
		if len(files) == 0 {
			want.Files = nil
		}
		data, err := Encode(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(data)
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		sameRecord(t, got, want)
		again, err := Encode(got)
		if err != nil || string(again) != string(data) {
			t.Fatalf("encoding again gives %v\n%s\nafter\n%s", err, again, data)
		}
		if id, err := got.Tree.Start(got.Tree.Frames()[0].Query, got.Tree.Frames()[0].ContextSlice); err != nil || id != root {
			t.Fatalf("what was read back derives the id %s, not %s: %v", id, root, err)
		}
	})
}

func TestDecodeErrors(t *testing.T) {
	t.Parallel()
	good := string(must[[]byte](t)(Encode(authSession(t))))
	replace := func(old, with string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%q is not in the session", old)
		}
		return strings.Replace(good, old, with, 1)
	}
	tests := map[string]struct{ in, want string }{
		"empty":           {"", "no documents"},
		"not a mapping":   {"- a\n", "line 1"},
		"syntax":          {"session_id: [\n", "line 2"},
		"unknown key":     {replace("conversation_log:", "transcript:"), "transcript"},
		"unknown key 2":   {replace("  depth: 0", "  deep: 0"), "line 17"},
		"duplicate key":   {good + "session_id: x\n", "session_id"},
		"two documents":   {good + "---\nsession_id: x\n", "document"},
		"type":            {replace("depth: 0", "depth: deep"), "line 17"},
		"status":          {replace("status: completed", "status: done"), `unknown status "done"`},
		"line of a frame": {replace("status: suspended", "status: later"), "line 30: frame "},
		"role":            {replace("role: read", "role: seen"), `unknown role "seen"`},
		"hash":            {replace(`hash: "5d1e", `, ""), "hash is missing"},
		"root":            {replace("root_frame_id: ", "root_frame_id: x"), "is not a root"},
		"session_id":      {"initial_prompt: x\n", "session_id is missing"},
		"alias":           {"session_id: &a x\ninitial_prompt: *b\n", "b"},
		"timestamp":       {replace(`since: "2026-02-18"`, "since: 2026-02-18"), "context_slice.since"},
	}
	for name, tt := range tests {
		if r, err := Decode([]byte(tt.in)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %+v, %v; want %q", name, r.Artifacts, err, tt.want)
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		change func(*Record)
		want   string
	}{
		"no id":         {func(r *Record) { r.SessionID = "" }, "session_id is missing"},
		"other session": {func(r *Record) { r.SessionID = "s-2" }, "of session"},
		"no tree":       {func(r *Record) { r.Tree = nil }, "no call tree"},
		"no root":       {func(r *Record) { r.RootFrameID = "" }, "is not a root"},
		"prompt":        {func(r *Record) { r.InitialPrompt = "\xff" }, "UTF-8"},
		"path":          {func(r *Record) { r.Files[""] = FileRecord{"", "1", Read} }, "the path is empty"},
		"other path":    {func(r *Record) { r.Files["a"] = FileRecord{"b", "1", Read} }, `another path, "b"`},
		"bytes":         {func(r *Record) { r.Files["\xff"] = FileRecord{"\xff", "1", Read} }, "UTF-8"},
		"role":          {func(r *Record) { r.Files["a"] = FileRecord{"a", "1", "seen"} }, `role "seen"`},
	}
	for name, tt := range tests {
		r := authSession(t)
		tt.change(&r)
		if data, err := Encode(r); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q\n%s", name, err, tt.want, data)
		}
	}
}

func TestEmptySession(t *testing.T) {
	t.Parallel()
	data := must[[]byte](t)(Encode(Record{Artifacts{SessionID: "s-1"}, frame.NewTree("s-1")}))
	if string(data) != "session_id: s-1\n" {
		t.Errorf("encoded %q", data)
	}
	if r := must[Record](t)(Decode(data)); r.Tree.Len() != 0 || r.SessionID != "s-1" {
		t.Errorf("decoded %+v", r)
	}
}

func TestID(t *testing.T) {
	t.Parallel()
	if got := ID("find auth problem", records("a.go", "1", "b.go", "2")); got != "s-e143e345797a" {
		t.Errorf("the derivation of ids changed: %s", got)
	}
	base := ID("p", records("a", "1", "b", "2"))
	for name, other := range map[string]string{
		"prompt": ID("q", records("a", "1", "b", "2")), "hash": ID("p", records("a", "1", "b", "3")),
		"path": ID("p", records("a", "1", "c", "2")), "fewer": ID("p", records("a", "1")),
		"role": ID("p", map[string]FileRecord{"a": {"a", "1", Read}, "b": {"b", "2", Created}}),
	} {
		if other == base {
			t.Errorf("another %s gives the same id", name)
		}
	}
	if ID("", nil) != ID("", map[string]FileRecord{}) {
		t.Error("no files and nil files differ")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(must[[]byte](f)(Encode(authSession(f))))
	f.Add([]byte("session_id: a\nframes:\n  - {frame_id: x, depth: 0, query: q, status: active, validity: valid}\nroot_frame_id: x\n"))
	f.Add([]byte("session_id: &a x\ninitial_prompt: *a\n"))
	f.Add([]byte("session_id: x\nframes: [{context_slice: {<<: {a: 1}, b: !!binary aGk=}}]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		costtest.Hold(t, data, func(data []byte) { _, _ = Decode(data) })
		r, err := Decode(data)
		if err != nil {
			return
		}
		first, err := Encode(r)
		if err != nil {
			t.Fatalf("what was decoded does not encode: %v", err)
		}
		again, err := Decode(first)
		if err != nil {
			t.Fatalf("what was encoded does not decode: %v\n%s", err, first)
		}
		second, err := Encode(again)
		if err != nil || string(first) != string(second) {
			t.Fatalf("not stable: %v\n%s\n%s", err, first, second)
		}
	})
}

// TestASessionIsSmall: what a first run of thousands of modules leaves behind.
func TestASessionIsSmall(t *testing.T) {
	t.Parallel()
	r := Record{Artifacts{SessionID: "s-0123456789ab", InitialPrompt: "look", RootFrameID: "00112233aabbccdd"}, frame.NewTree("s-0123456789ab")}
	for i := range 5000 {
		r.Concluded = append(r.Concluded, Conclusion{
			Unit: fmt.Sprintf("module/internal/services/area%04d/implementation", i), Frame: "00112233aabbccdd", Digest: "V3vSrSTUU6MMQC_i",
		})
	}
	data := must[[]byte](t)(Encode(r))
	if perUnit := len(data) / 5000; len(data) > 1<<20 || perUnit > 100 {
		t.Errorf("%d bytes, %d for each conclusion", len(data), perUnit)
	}
	got, err := Decode(data)
	if err != nil || !reflect.DeepEqual(got.Concluded, r.Concluded) {
		t.Errorf("it does not read back: %v", err)
	}
}

func TestNote(t *testing.T) {
	t.Parallel()
	var a Artifacts
	a.Note("a.go", "", "1")
	a.Note("b.go", "1", "2")
	a.Note("c\xff.go", "1", "")
	want := map[string]FileRecord{
		"a.go": {"a.go", "1", Created}, "b.go": {"b.go", "2", Modified}, `"c\xff.go"`: {`"c\xff.go"`, "", Deleted},
	}
	if !reflect.DeepEqual(a.Files, want) {
		t.Errorf("got %+v, want %+v", a.Files, want)
	}
	a.SessionID = "s-0"
	if _, err := Encode(Record{a, frame.NewTree("s-0")}); err != nil {
		t.Error(err)
	}
}
