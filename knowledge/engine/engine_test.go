package engine_test

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/node"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/golang"
	"github.com/causaldocs/causal/knowledge/store"
)

// memoryTree is a Tree held in memory. It implements engine.Tree.
type memoryTree struct {
	files map[string]string
	read  []string
}

func (t *memoryTree) State(context.Context, func() engine.State) (engine.State, error) {
	s := engine.State{}
	for _, p := range slices.Sorted(maps.Keys(t.files)) {
		s.Dirty = append(s.Dirty, engine.Dirty{Path: p, ID: string(source.DigestOf(t.files[p])), Mode: engine.Regular})
	}
	return s, nil
}

func (t *memoryTree) Head(context.Context) (engine.Commit, error) { return engine.Commit{}, nil }

func (t *memoryTree) Entries(_ context.Context, s engine.State) ([]engine.Entry, error) {
	var out []engine.Entry
	for _, d := range s.Dirty {
		out = append(out, engine.Entry{Path: d.Path, ID: d.ID, Mode: d.Mode})
	}
	return out, nil
}

func (t *memoryTree) Changes(_ context.Context, from, to engine.State) ([]engine.Change, bool, error) {
	was := map[string]string{}
	for _, d := range from.Dirty {
		was[d.Path] = d.ID
	}
	var out []engine.Change
	for _, d := range to.Dirty {
		if was[d.Path] != d.ID {
			out = append(out, engine.Change{Path: d.Path, Was: was[d.Path], ID: d.ID, Mode: engine.Regular})
		}
		delete(was, d.Path)
	}
	for p, id := range was {
		out = append(out, engine.Change{Path: p, Was: id})
	}
	return out, true, nil
}

func (t *memoryTree) Wrote(_ context.Context, s engine.State, _ map[string][]byte) (engine.State, error) {
	return s, nil
}

func (t *memoryTree) Read(_ context.Context, list []engine.Entry, _ int64, fn func(engine.Entry, []byte, error) error) error {
	for _, e := range list {
		t.read = append(t.read, e.Path)
		if err := fn(e, []byte(t.files[e.Path]), nil); err != nil {
			return err
		}
	}
	return nil
}

func (t *memoryTree) LastChange(context.Context, string) (string, error) { return "c0ffee", nil }

func (t *memoryTree) Published(context.Context, string) (bool, error) { return false, nil }

// notes is a Plugin that stores one node for each module, and misbehaves on demand.
type notes struct {
	library   engine.Library
	dir       *store.Dir
	condition func(module string) string
	meddle    func(ctx engine.CoreContext, f *frame.Frame)
	seen      []engine.CoreContext
}

func (p *notes) TransformInput(raw any, ctx engine.CoreContext) (map[string]any, error) {
	p.seen = append(p.seen, ctx)
	if p.meddle != nil {
		p.meddle(ctx, nil)
	}
	return map[string]any{"module": raw.(engine.Input).Known.Module.Path, "list": []any{"kept"}}, nil
}

func (p *notes) Draft(map[string]any) (string, error) { return "{}", nil }

func (p *notes) ParseOutput(_ string, f frame.Frame) (engine.Parsed, error) {
	module := f.ContextSlice["module"].(string)
	if p.meddle != nil {
		p.meddle(engine.CoreContext{}, &f)
	}
	in, _ := p.library.Input(module)
	n := &node.Node{Path: module, Module: module, Generator: in.Generator, Uses: in.Known.Uses}
	var evidence []fact.Observation
	for _, u := range in.Known.Module.Units {
		n.Sources = append(n.Sources, node.Source{Path: u.Path, Fingerprint: u.File.Content})
		evidence = append(evidence, fact.File(u.Path, string(u.File.Content)))
	}
	wrong := condition.Any()
	if n.InvalidationCondition = p.condition(module); n.InvalidationCondition != "" {
		var err error
		if wrong, err = engine.Vocabulary.Parse(n.InvalidationCondition); err != nil {
			return engine.Parsed{}, err
		}
	}
	n.Seal()
	return engine.Parsed{
		Conclusion: "read " + module, Evidence: evidence, Confidence: 1, InvalidationCondition: wrong,
		Digest: string(n.Digest), Node: n,
	}, nil
}

func (p *notes) Store(parsed engine.Parsed, _ frame.Frame) error {
	n := parsed.Node
	_, err := p.dir.Write(store.Layout{}.Node(n.Path), n.Encode())
	return err
}

type bench struct {
	model  engine.Model
	tree   *memoryTree
	plugin *notes
	dir    *store.Dir
	index  string
}

func setup(t *testing.T) *bench {
	t.Helper()
	dir, err := store.OpenDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = dir.Close() })
	return &bench{
		index: t.TempDir(), dir: dir,
		tree: &memoryTree{files: map[string]string{
			"go.mod": "module x\n", "a/a.go": "package a\n\nfunc A() int { return 1 }\n",
			"b/b.go": "package b\n\nimport \"x/a\"\n\nfunc B() int { return a.A() }\n", "c/c.go": "package c\n\nfunc C() {}\n",
		}},
		plugin: &notes{dir: dir, condition: func(module string) string {
			c := `modified("` + module + `/*")`
			if module == "b" {
				c += ` or symbol_changed("a", "A")`
			}
			return c
		}},
	}
}

func (b *bench) engine(t *testing.T) *engine.Engine {
	t.Helper()
	x, err := index.Open(b.index, "k")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return engine.New(engine.Config{
		Prompt: "look at everything", Model: b.model,
		Tree: b.tree, Index: x, Dir: b.dir, Layout: store.Layout{Docs: "docs"}, Languages: []source.Language{golang.Language{}},
		Excluded: func(string) bool { return false }, MaxBytes: 1 << 20, Generator: func(string) string { return "notes/1" },
		Plugin: func(l engine.Library) engine.Plugin { b.plugin.library = l; return b.plugin },
	})
}

// update runs once. The index is closed in between, as between two processes.
func (b *bench) update(t *testing.T) (*engine.Report, error) {
	t.Helper()
	var report *engine.Report
	var err error
	t.Run("update", func(t *testing.T) { report, err = b.engine(t).Update(context.Background()) })
	return report, err
}

func must(t *testing.T) func(*engine.Report, error) *engine.Report {
	return func(r *engine.Report, err error) *engine.Report {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

func TestOnlyWhatRestedOnTheChangeIsRunAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := must(t)(b.update(t))
	if want := []string{"a", "b", "c"}; !slices.Equal(first.Rerun, want) {
		t.Fatalf("first run: %v", first.Rerun)
	}
	for _, step := range []struct {
		name, file, text string
		rerun, read      []string
	}{
		{"nothing", "c/c.go", b.tree.files["c/c.go"], nil, nil},
		{"a comment", "a/a.go", "package a\n\n// here\n\nfunc A() int { return 1 }\n", nil, []string{"a/a.go"}},
		{"a body", "a/a.go", "package a\n\nfunc A() int { return 2 }\n", []string{"a"}, []string{"a/a.go"}},
		{"an interface", "a/a.go", "package a\n\nfunc A() int64 { return 2 }\n", []string{"a", "b"}, []string{"a/a.go"}},
		{"another symbol", "a/a.go", "package a\n\nfunc A() int64 { return 2 }\n\nfunc New() {}\n", []string{"a"}, []string{"a/a.go"}},
	} {
		b.tree.files[step.file], b.tree.read = step.text, nil
		r := must(t)(b.update(t))
		if !slices.Equal(r.Rerun, step.rerun) {
			t.Errorf("%s: re-ran %v, want %v", step.name, r.Rerun, step.rerun)
		}
		if !slices.Equal(b.tree.read, step.read) {
			t.Errorf("%s: read %v, want %v", step.name, b.tree.read, step.read)
		}
	}
}

// TestOldVersionsAreForgotten: versions of files are remembered for whoever comes back to them, but not without end.
func TestOldVersionsAreForgotten(t *testing.T) {
	t.Parallel()
	b := setup(t)
	version := func(n string) string { return "package c\n\nfunc C() int { return " + n + " }\n" }
	reads := func(file, text string) bool {
		b.tree.files[file], b.tree.read = text, nil
		must(t)(b.update(t))
		return slices.Contains(b.tree.read, file)
	}
	must(t)(b.update(t))
	if !reads("c/c.go", version("1")) || !reads("c/c.go", version("2")) || reads("c/c.go", version("1")) {
		t.Error("a version that was there before is read again, or a new one is not")
	}
	x, err := index.Open(b.index, "k")
	if err != nil {
		t.Fatal(err)
	}
	batch := x.NewBatch()
	if err := errors.Join(batch.PutMeta("grown", 1_000_000), batch.Commit(), x.Close()); err != nil {
		t.Fatal(err)
	}
	b.tree.files["b/b.go"], b.tree.read = "package b\n", nil
	r := must(t)(b.update(t))
	if !slices.Equal(r.Rerun, []string{"b"}) || slices.Contains(b.tree.read, "c/c.go") || slices.Contains(b.tree.read, "a/a.go") {
		t.Errorf("to forget, %v were run and %v read", r.Rerun, b.tree.read)
	}
	if !reads("c/c.go", version("2")) {
		t.Error("a version that is not there any more was not forgotten")
	}
	if reads("c/c.go", version("1")) {
		t.Error("the version that was there was forgotten")
	}
}

func TestAConclusionNeedsItsCondition(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.plugin.condition = func(string) string { return "" }
	if _, err := b.update(t); !errors.Is(err, engine.ErrNoCondition) {
		t.Errorf("got %v", err)
	}
	if _, err := b.dir.Read(store.Layout{}.Node("a")); err == nil {
		t.Error("the node was stored")
	}
}

// TestAForgottenInputIsFoundOut: a condition that does not mention an input does not make a stale node look fresh.
func TestAForgottenInputIsFoundOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.plugin.condition = func(string) string { return `modified("elsewhere/*")` }
	must(t)(b.update(t))
	b.tree.files["c/c.go"] = "package c\n\nfunc C() { _ = 1 }\n"
	if r := must(t)(b.update(t)); !slices.Equal(r.Rerun, []string{"c"}) {
		t.Errorf("re-ran %v", r.Rerun)
	}
}

// TestPluginsCannotChangeTheTree: whatever a plugin does to what it is given, the recorded call tree is the same.
func TestPluginsCannotChangeTheTree(t *testing.T) {
	t.Parallel()
	honest, meddling := setup(t), setup(t)
	meddling.plugin.meddle = func(ctx engine.CoreContext, f *frame.Frame) {
		for _, x := range append(ctx.Index.Frames(), ctx.CurrentFrame) {
			x.Status, x.ParentID, x.Conclusion = frame.Suspended, "elsewhere", "mine"
			x.Children = append(x.Children, "x")
			clear(x.ContextSlice)
		}
		for p := range ctx.Artifacts.Files {
			ctx.Artifacts.Files[p] = session.FileRecord{Path: p, Hash: "forged"}
		}
		for _, list := range [][]string{ctx.ChangedFiles, ctx.InvalidatedFrames, ctx.SuspendedFrames} {
			for i := range list {
				list[i] = "forged"
			}
		}
		if f != nil {
			f.ContextSlice["list"].([]any)[0] = "forged"
			f.Evidence, f.Children = append(f.Evidence, "text forged"), append(f.Children, "forged")
		}
	}
	a, b := must(t)(honest.update(t)), must(t)(meddling.update(t))
	name := store.Layout{}.Frames(a.Session)
	want, err := honest.dir.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	got, err := meddling.dir.Read(store.Layout{}.Frames(b.Session))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("the plugin changed the call tree:\n%s\nwant\n%s", got, want)
	}
	if strings.Contains(strings.Join(b.ChangedFiles, " "), "forged") {
		t.Error("the plugin changed the report")
	}
}

func TestThePluginIsToldWhatFell(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := must(t)(b.update(t))
	b.plugin.seen = nil
	b.tree.files["a/a.go"] = "package a\n\nfunc A() int { return 3 }\n"
	must(t)(b.update(t))
	if len(b.plugin.seen) != 1 {
		t.Fatalf("the plugin ran %d times", len(b.plugin.seen))
	}
	ctx := b.plugin.seen[0]
	if !slices.Equal(ctx.ChangedFiles, []string{"a/a.go"}) {
		t.Errorf("changed files %v", ctx.ChangedFiles)
	}
	if len(ctx.InvalidatedFrames) != 1 || !strings.HasPrefix(ctx.InvalidatedFrames[0], first.Session+"/") {
		t.Errorf("invalidated frames %v, want one of session %s", ctx.InvalidatedFrames, first.Session)
	}
	if ctx.CurrentFrame.Query != "module/a" || ctx.CurrentFrame.Depth != 1 {
		t.Errorf("current frame %+v", ctx.CurrentFrame)
	}
	if ctx.Artifacts.Files["a/a.go"].Hash == "" {
		t.Errorf("artifacts %+v", ctx.Artifacts)
	}
}

func TestTheSameWorkIsTheSameSession(t *testing.T) {
	t.Parallel()
	a, b := must(t)(setup(t).update(t)), must(t)(setup(t).update(t))
	if a.Session == "" || a.Session != b.Session {
		t.Errorf("sessions %q and %q", a.Session, b.Session)
	}
}

func TestSessionsThatNothingRestsOnAreDropped(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := must(t)(b.update(t))
	for _, m := range []string{"a", "b", "c"} {
		b.tree.files[m+"/"+m+".go"] += "\nfunc more() {}\n"
	}
	second := must(t)(b.update(t))
	if _, err := b.dir.Read(store.Layout{}.Frames(first.Session)); err == nil {
		t.Error("the first session is kept although every node was concluded anew")
	}
	if _, err := b.dir.Read(store.Layout{}.Frames(second.Session)); err != nil {
		t.Error(err)
	}
}

// TestSuspendedFramesAreOffered: an analysis that was set aside is listed, and offered for as long as its files are
// what it saw.
func TestSuspendedFramesAreOffered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	must(t)(b.update(t))
	file := b.tree.files["c/c.go"]
	tree := frame.NewTree("s-0123456789ab")
	id, err := tree.Start("is c still needed?", nil)
	if err != nil {
		t.Fatal(err)
	}
	hash := string(golang.Language{}.Extract("c/c.go", []byte(file)).Content)
	if err := tree.Conclude(id, "it is", []fact.Observation{fact.File("c/c.go", hash)}, 0.5, `modified("c/*")`); err != nil {
		t.Fatal(err)
	}
	if err := tree.Suspend(id); err != nil {
		t.Fatal(err)
	}
	data, err := session.Encode(session.Record{
		Artifacts: session.Artifacts{
			SessionID: "s-0123456789ab", InitialPrompt: "look at everything", RootFrameID: id,
			Files: map[string]session.FileRecord{"c/c.go": {Path: "c/c.go", Hash: hash, Role: session.Read}},
		},
		Tree: tree,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.dir.Write(store.Layout{}.Frames("s-0123456789ab"), data); err != nil {
		t.Fatal(err)
	}
	b.tree.files[store.Layout{}.Frames("s-0123456789ab")] = string(data)
	want := []string{"s-0123456789ab/" + id}
	for _, step := range []struct {
		text      string
		resumable []string
	}{{file, want}, {file + "\nfunc D() {}\n", nil}, {file, want}} {
		b.tree.files["c/c.go"] = step.text
		r := must(t)(b.update(t))
		if !slices.Equal(r.Suspended, want) || !slices.Equal(r.Resumable, step.resumable) {
			t.Errorf("suspended %v, resumable %v; want %v, %v", r.Suspended, r.Resumable, want, step.resumable)
		}
		if again := must(t)(b.update(t)); len(r.Compared) != 1 || !reflect.DeepEqual(again.Compared, r.Compared) {
			t.Errorf("compared %+v, and with nothing left to do %+v", r.Compared, again.Compared)
		}
	}
}
