package engine_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/engine/enginetest"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/session"
)

// bench is a repository of programs, see machine_test.go.
type bench struct {
	*enginetest.Repository
	model engine.Model
}

// chain is a repository in which a/z rests on a/y, that on a/x, and that on a number; b/x rests on another one.
func chain(t *testing.T) *bench {
	t.Helper()
	r := enginetest.NewRepository(t.TempDir(), map[string]string{
		"prog/a": "+x +y +z", "prog/b": "+x", "prog/a/x": "d0", "prog/a/y": "a/x", "prog/a/z": "a/y", "prog/b/x": "d1", "data/0": "1", "data/1": "1",
	})
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return &bench{Repository: r}
}

func (b *bench) engine(t *testing.T) *engine.Engine {
	t.Helper()
	files := b.Files()
	config, err := b.Open(files, &machines{files: files, drafts: map[engine.Unit]int{}})
	if err != nil {
		t.Fatal(err)
	}
	config.Model = b.model
	return engine.New(config)
}

func (b *bench) update(t *testing.T) *engine.Report {
	t.Helper()
	r, err := b.engine(t).Update(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// verdicts verifies a session, and returns the outcomes by the subjects of the frames.
func (b *bench) verdicts(t *testing.T, id string) map[string]frame.Outcome {
	t.Helper()
	e := b.engine(t)
	if err := e.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	r, err := e.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	v, err := e.Verify(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]frame.Outcome{}
	for _, verdict := range v.Verdicts {
		f, _ := r.Tree.Frame(verdict.FrameID)
		out[f.Query] = verdict.Outcome
	}
	return out
}

// TestAChainOfEvidenceFalls checks that an invalidated conclusion invalidates its transitive dependants, and not its siblings.
func TestAChainOfEvidenceFalls(t *testing.T) {
	t.Parallel()
	b := chain(t)
	first := b.update(t)
	all := map[string]frame.Outcome{b.Prompt: frame.Holds, "a/x": frame.Holds, "a/y": frame.Holds, "a/z": frame.Holds, "b/x": frame.Holds}
	if got := b.verdicts(t, first.Session); !maps.Equal(got, all) {
		t.Errorf("at first %v", got)
	}
	b.Write("data/0", "2")
	some := map[string]frame.Outcome{b.Prompt: frame.Fell, "a/x": frame.Fell, "a/y": frame.Fell, "a/z": frame.Fell, "b/x": frame.Holds}
	if got := b.verdicts(t, first.Session); !maps.Equal(got, some) {
		t.Errorf("after the edit %v", got)
	}
	r := b.update(t)
	var reasons []string
	for _, f := range r.Fell {
		reasons = append(reasons, fmt.Sprintf("%s: %s (%s)", f.Unit, f.Reasons[0], f.Reasons[0].Because))
	}
	if want := []string{
		"a/x: data/0 changed (evidence_changed())", "a/y: a/x was re-evaluated (evidence_changed())", "a/z: a/y was re-evaluated (evidence_changed())",
	}; !slices.Equal(reasons, want) {
		t.Errorf("fell for %q, want %q", reasons, want)
	}
}

// TestACascadeStopsWhereNothingIsConcludedOtherwise holds to early cutoff.
func TestACascadeStopsWhereNothingIsConcludedOtherwise(t *testing.T) {
	t.Parallel()
	b := chain(t)
	b.update(t)
	b.Write("data/0", fmt.Sprint(1+6)) // the conclusion is the remainder
	if r := b.update(t); fmt.Sprint(r.Ran, r.Updated) != "[a/x] []" {
		t.Errorf("ran %v, of which came out otherwise: %v", r.Ran, r.Updated)
	}
}

// TestTheSameWorkIsTheSameSession holds a trigger that is delivered again to the same frames.
func TestTheSameWorkIsTheSameSession(t *testing.T) {
	t.Parallel()
	frames := func() (string, []frame.Frame) {
		b := chain(t)
		id := b.update(t).Session
		e := b.engine(t)
		if err := e.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
		r, err := e.Session(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return id, r.Tree.Frames()
	}
	id, one := frames()
	again, other := frames()
	if id == "" || id != again || len(one) != 5 || !reflect.DeepEqual(one, other) {
		t.Errorf("session %q has\n%+v\nsession %q has\n%+v", id, one, again, other)
	}
}

func TestSessionsThatNothingRestsOnAreDropped(t *testing.T) {
	t.Parallel()
	b := chain(t)
	first := b.update(t)
	for i := range 60 {
		id := fmt.Sprintf("s-%012d", i)
		b.Write(b.Layout.Frames(id), fmt.Sprintf("session: %s f 2026-01-01 - x\nconcluded:\n- f outlived a/x\n", id))
	}
	b.Write("data/0", "2")
	last := b.update(t)
	for _, id := range []string{first.Session, last.Session} {
		if _, ok := b.Read(b.Layout.Frames(id)); !ok {
			t.Errorf("session %s is gone, and conclusions of it are in force", id)
		}
	}
	kept := 0
	for i := range 60 {
		if _, ok := b.Read(b.Layout.Frames(fmt.Sprintf("s-%012d", i))); ok {
			kept++
		}
	}
	if kept != 50 {
		t.Errorf("%d outlived sessions are kept, want 50", kept)
	}
}

// aside puts a session beside the others that set an analysis aside: it rested on a file and on a conclusion.
func (b *bench) aside(t *testing.T, prompt string) (id string) {
	t.Helper()
	const sessionID = "s-0123456789ab"
	tree := frame.NewTree(sessionID)
	id, err := tree.Start("is it still needed?", nil)
	if err != nil {
		t.Fatal(err)
	}
	evidence := []fact.Observation{fact.New(fact.Blobs, "data/1").As(fact.Digest("1")), engine.ConclusionOf(engine.Unit{Kind: "a", Subject: "z"}).As(conclusion(0).Digest)}
	if text, ok := b.Read(fileOf(engine.Unit{Kind: "a", Subject: "z"})); ok {
		evidence[1].Digest = decode([]byte(text)).Digest
	}
	if err := errors.Join(tree.Conclude(id, "it is", evidence, 0.5, `modified("data/*")`), tree.Suspend(id)); err != nil {
		t.Fatal(err)
	}
	data, err := session.Encode(session.Record{Tree: tree, Artifacts: session.Artifacts{
		SessionID: sessionID, InitialPrompt: prompt, RootFrameID: id, Files: map[string]session.FileRecord{
			"data/1": {Path: "data/1", Hash: fact.Digest("1"), Role: session.Read}, "data/2": {Path: "data/2", Role: session.Deleted},
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	b.Write(b.Layout.Frames(sessionID), string(data))
	return sessionID + "/" + id
}

// TestSuspendedFramesAreOffered checks that a suspended analysis is listed, and offered for the same task while its evidence is unchanged.
func TestSuspendedFramesAreOffered(t *testing.T) {
	t.Parallel()
	b := chain(t)
	b.update(t)
	id := b.aside(t, " bring all\nup to date ")
	was, _ := b.Read(b.Layout.Frames("s-0123456789ab"))
	for _, step := range []struct {
		name, file, text        string
		resumable               bool
		changed, added, deleted []string
		fallen                  string
	}{
		{name: "as it was", file: "README", text: "", resumable: true},
		{name: "a file changed", file: "data/1", text: "2", changed: []string{"data/1"}, fallen: "data/1 changed"},
		{name: "it is as it was", file: "data/1", text: "1", resumable: true},
		{name: "a file is gone", file: "data/1", text: "-", deleted: []string{"data/1"}, fallen: "data/1 is gone"},
		{name: "it is there again", file: "data/1", text: "1", resumable: true},
		{name: "a conclusion came out otherwise", file: "data/0", text: "2", fallen: "a/z was re-evaluated"},
		{name: "it is concluded as before", file: "data/0", text: "1", resumable: true},
		{name: "a file is there that was deleted", file: "data/2", text: "1", resumable: true, added: []string{"data/2"}},
	} {
		if b.Write(step.file, step.text); step.text == "-" {
			b.Remove(step.file)
		}
		r := b.update(t)
		if want := []string{id}; !slices.Equal(r.Suspended, want) || step.resumable != slices.Equal(r.Resumable, want) || len(r.Compared) != 1 {
			t.Fatalf("%s: suspended %v, resumable %v, compared %+v", step.name, r.Suspended, r.Resumable, r.Compared)
		}
		c := r.Compared[0]
		if !c.SamePrompt || !slices.Equal(c.Changed, step.changed) || !slices.Equal(c.Added, step.added) || !slices.Equal(c.Deleted, step.deleted) {
			t.Errorf("%s: compared %+v", step.name, c)
		}
		if (step.fallen != "") != (len(c.Fallen) == 1 && c.Fallen[0].Why == step.fallen) {
			t.Errorf("%s: fell %+v, want %q", step.name, c.Fallen, step.fallen)
		}
		if again := b.update(t); !reflect.DeepEqual(again.Compared, r.Compared) || !slices.Equal(again.Resumable, r.Resumable) {
			t.Errorf("%s: with nothing left to do %+v, before %+v", step.name, again.Compared, r.Compared)
		}
	}
	if now, _ := b.Read(b.Layout.Frames("s-0123456789ab")); now != was {
		t.Errorf("the session that set it aside is now\n%s", now)
	}
}

func TestSuspendedFramesOfAnotherTaskAreNotOffered(t *testing.T) {
	t.Parallel()
	b := chain(t)
	b.update(t)
	id := b.aside(t, "something else")
	if r := b.update(t); !slices.Equal(r.Suspended, []string{id}) || len(r.Resumable) > 0 || r.Compared[0].SamePrompt {
		t.Errorf("suspended %v, resumable %v, compared %+v", r.Suspended, r.Resumable, r.Compared)
	}
}

// oracle is a Model that records its requests.
type oracle struct {
	asked []string
	busy  atomic.Bool
	fail  map[string]error
}

func (o *oracle) Answer(ctx context.Context, q engine.Question) (string, error) {
	if o.busy.Swap(true) {
		return "", errors.New("asked while it was answering")
	}
	defer o.busy.Store(false)
	o.asked = append(o.asked, q.Frame.Query)
	draft, err := q.Draft()
	return draft, errors.Join(err, ctx.Err(), o.fail[q.Frame.Query])
}

// TestAModelIsAskedInOneOrder checks that requests are sequential, in the same order in every run, dependencies first, and never about
// derived units.
func TestAModelIsAskedInOneOrder(t *testing.T) {
	t.Parallel()
	for range 3 {
		b, o := chain(t), &oracle{}
		b.model = o
		b.Write("prog/c", "+x")
		b.Write("prog/b", "+x +y")
		b.Write("prog/b/y", "a/z ! c/x")
		b.update(t)
		if want := []string{"a/x", "b/x", "a/y", "a/z", "b/y"}; !slices.Equal(o.asked, want) {
			t.Errorf("asked %q, want %q", o.asked, want)
		}
	}
}

func TestAModelThatFails(t *testing.T) {
	t.Parallel()
	b, away := chain(t), errors.New("the model is away")
	o := &oracle{fail: map[string]error{"a/x": away}}
	b.model = o
	if _, err := b.engine(t).Update(t.Context()); !errors.Is(err, away) || !strings.Contains(err.Error(), "conclude a/x: answer: ") || len(o.asked) != 1 {
		t.Errorf("asked %q, got %v", o.asked, err)
	}
	o.fail = nil
	if r := b.update(t); len(r.Ran) != 4 {
		t.Errorf("ran %v when it was back", r.Ran)
	}
}

func TestCirclesAreNamed(t *testing.T) {
	t.Parallel()
	for name, programs := range map[string]map[string]string{
		"b/x → b/x":             {"prog/b/x": "b/x"},
		"a/x → a/z → a/y → a/x": {"prog/a/x": "a/z"},
		"units/a → units/a":     {"prog/a": "+x +y ?a/z +z"},
	} {
		b := chain(t)
		b.update(t)
		for file, text := range programs {
			b.Write(file, text)
		}
		units := strings.Split(name, " → ")
		_, err := b.engine(t).Update(t.Context())
		if !errors.Is(err, engine.ErrCircle) {
			t.Errorf("%s: got %v", name, err)
			continue
		}
		for _, u := range units {
			if !strings.Contains(err.Error(), u) {
				t.Errorf("%v does not name %s", err, u)
			}
		}
	}
}

// TestAListOfACheckIsNoPremise: a check that lists units on a conclusion which it does not store has them listed again.
func TestAListOfACheckIsNoPremise(t *testing.T) {
	t.Parallel()
	r := enginetest.NewRepository(t.TempDir(), map[string]string{"prog/a": "+z", "prog/b": "", "prog/c": "", "data/1": "2"})
	t.Cleanup(func() { _ = r.Close() })
	b := &bench{Repository: r}
	b.update(t)
	r.Write("prog/c", "+x ?a/z +y")
	r.Write("prog/a/z", "d1")
	if err := b.engine(t).Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.Write("prog/a/z", "")
	b.update(t)
	stored := r.Stored()
	if stored[".causal/c/x.json"] == nil || stored[".causal/c/y.json"] != nil {
		t.Errorf("stored are %v", slices.Sorted(maps.Keys(stored)))
	}
}

func TestAConclusionOfACheckIsNoPremise(t *testing.T) {
	t.Parallel()
	r := enginetest.NewRepository(t.TempDir(), map[string]string{
		"prog/a": "+x", "prog/b": "", "prog/c": "+y +z", "prog/a/x": "d1", "prog/c/y": "a/x", "prog/c/z": "d2", "data/1": "0", "data/2": "5",
	})
	t.Cleanup(func() { _ = r.Close() })
	b := &bench{Repository: r}
	b.update(t)
	r.Write("data/1", "1")
	r.Write("prog/c/z", "c/y") // concludes the same as d2 did
	if err := b.engine(t).Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.Write("data/1", "0")
	b.update(t)
	if got := decode(r.Stored()[".causal/c/z.json"]); got.Body != 5 {
		t.Errorf("c/z is %v", got.Body)
	}
}
