package engine_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/engine/enginetest"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
)

// TestAgainstFromScratch compares the engine with one that runs everything from scratch, over random worlds and edits.
func TestAgainstFromScratch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	example := 0
	rapid.Check(t, func(t *rapid.T) {
		example++
		h := &history{repository: enginetest.NewRepository(fmt.Sprintf("%s/%d", dir, example%4), nil), past: map[string][]string{}, touched: map[string]bool{}}
		if err := h.repository.Forget(); err != nil {
			t.Fatal(err)
		}
		defer func() {
			_ = h.repository.Close()
			_ = os.RemoveAll(fmt.Sprintf("%s/%d", dir, example%4))
		}()
		h.order = rapid.Permutation(names()).Draw(t, "order")
		for _, kind := range kinds {
			h.edit(t, "prog/"+kind)
		}
		for _, unit := range h.order {
			h.edit(t, "prog/"+unit)
		}
		h.update(t)
		t.Repeat(map[string]func(*rapid.T){
			"edit": h.edits, "update": h.update, "kill": h.kill, "check": h.check, "look": h.look, "forget": h.forget, "touch": h.touch, "": func(*rapid.T) {},
		})
		h.settle(t)
		h.update(t)
	})
}

func names() []string {
	var out []string
	for _, kind := range kinds {
		for _, subject := range []string{"x", "y", "z"} {
			out = append(out, kind+"/"+subject)
		}
	}
	return out
}

// history is a sequence of actions on a world, and the expected knowledge of the engine.
type history struct {
	repository *enginetest.Repository
	order      []string // programs mostly read earlier subjects
	past       map[string][]string

	before    map[engine.Unit]*answered // when the engine was done last
	touched   map[string]bool           // stored files that were edited since
	forgot    bool                      // the index was lost since
	disturbed bool                      // a run was killed since
	checked   bool                      // a check saw another state since; derived conclusions are cached
	edited    bool
	circle    bool
	orphaned  bool // a run was killed or met a circle, or a stored file changed: the provenance of some conclusions is unknown
}

func (h *history) naive() (*scratch, error) {
	s := &scratch{read: h.repository.Read}
	return s, s.conclude()
}

// edit gives a program another text.
func (h *history) edit(t *rapid.T, file string) {
	h.edited = true
	unit := strings.TrimPrefix(file, "prog/")
	var list []string
	if slices.Contains(kinds, unit) {
		for _, subject := range []string{"x", "y", "z"} {
			switch rapid.IntRange(0, 9).Draw(t, "there") {
			case 0:
			case 1:
				list = append(list, "?"+h.data(t), "+"+subject)
			case 2:
				list = append(list, "?"+h.reference(t, -1), "+"+subject)
			default:
				list = append(list, "+"+subject)
			}
		}
	} else {
		place := slices.Index(h.order, unit)
		for range rapid.IntRange(0, 4).Draw(t, "length") {
			list = append(list, rapid.SampledFrom([]string{"", "", "?"}).Draw(t, "conditional")+rapid.OneOf(
				rapid.Custom(h.data), rapid.Custom(func(t *rapid.T) string { return h.reference(t, place) }), rapid.Custom(func(t *rapid.T) string { return h.reference(t, place) }),
			).Draw(t, "word"))
		}
		if rapid.IntRange(0, 3).Draw(t, "afterwards") == 0 {
			list = slices.Insert(list, len(list)/2, "!")
		}
	}
	h.write(t, file, strings.Join(list, " "))
}

// write writes a file and reports the change.
func (h *history) write(t *rapid.T, file, text string) {
	t.Logf("%s: %s", file, text)
	h.repository.Write(file, text)
}

func (h *history) remove(t *rapid.T, file string) {
	t.Logf("%s is removed", file)
	h.repository.Remove(file)
}

func (h *history) data(t *rapid.T) string {
	return fmt.Sprint(rapid.SampledFrom([]string{"d", "f"}).Draw(t, "family"), rapid.IntRange(0, 3).Draw(t, "data"))
}

// reference returns a word that reads a conclusion, for the program at a place in the order.
func (h *history) reference(t *rapid.T, place int) string {
	among := h.order
	if place >= 0 && rapid.IntRange(0, 19).Draw(t, "upwards") > 0 {
		among = h.order[:place]
	}
	if len(among) == 0 || place < 0 && rapid.IntRange(0, 4).Draw(t, "rarely") > 0 {
		return h.data(t)
	}
	unit := rapid.SampledFrom(among).Draw(t, "unit")
	switch rapid.IntRange(0, 9).Draw(t, "what") {
	case 0:
		return unit[:1] + "/*"
	case 1:
		return unit + "#p"
	case 2, 3:
		return unit + "#q"
	}
	return unit
}

// edits changes some files.
func (h *history) edits(t *rapid.T) {
	if rapid.IntRange(0, 4).Draw(t, "another order") == 0 {
		i, j := rapid.IntRange(0, len(h.order)-1).Draw(t, "i"), rapid.IntRange(0, len(h.order)-1).Draw(t, "j")
		h.order = slices.Clone(h.order)
		h.order[i], h.order[j] = h.order[j], h.order[i]
		h.edit(t, "prog/"+h.order[i])
		h.edit(t, "prog/"+h.order[j])
	}
	for range rapid.IntRange(1, 3).Draw(t, "edits") {
		switch rapid.IntRange(0, 5).Draw(t, "what") {
		case 0:
			h.edit(t, "prog/"+rapid.SampledFrom(kinds).Draw(t, "kind"))
		case 1, 2:
			h.edit(t, "prog/"+rapid.SampledFrom(h.order).Draw(t, "unit"))
		default:
			h.edited = true
			name := "data/" + h.data(t)[1:]
			if rapid.IntRange(0, 5).Draw(t, "remove") == 0 {
				h.remove(t, name)
			} else {
				h.write(t, name, fmt.Sprint(rapid.IntRange(0, 3).Draw(t, "number")))
			}
		}
	}
	if h.circle {
		h.settle(t)
	}
}

// settle ends circles.
func (h *history) settle(t *rapid.T) {
	for range 20 {
		if _, err := h.naive(); err == nil {
			return
		}
		for _, unit := range h.order {
			h.edit(t, "prog/"+unit)
		}
	}
	for _, kind := range kinds {
		h.write(t, "prog/"+kind, "+x +z")
	}
	for _, unit := range h.order {
		h.write(t, "prog/"+unit, "d1")
	}
}

// touch edits stored conclusions without telling the engine.
func (h *history) touch(t *rapid.T) {
	var files []string
	for name, data := range h.repository.Stored() {
		files = append(files, name)
		if text := string(data); !slices.Contains(h.past[name], text) {
			h.past[name] = append(h.past[name], text)
		}
	}
	slices.Sort(files)
	if len(files) == 0 {
		return
	}
	name := rapid.SampledFrom(files).Draw(t, "file")
	h.orphaned = true
	switch rapid.IntRange(0, 3).Draw(t, "how") {
	case 0:
		h.remove(t, name)
	case 1:
		h.write(t, name, "{}")
	default:
		old := slices.Clone(h.past[name])
		slices.Sort(old)
		h.write(t, name, rapid.SampledFrom(old).Draw(t, "old"))
	}
	h.touched[name] = true
}

func (h *history) forget(t *rapid.T) {
	if err := h.repository.Forget(); err != nil {
		t.Fatal(err)
	}
	t.Log("the index is lost")
	h.forgot = true
}

// open prepares a run.
func (h *history) open(t *rapid.T) (*engine.Engine, *machines, *enginetest.Files) {
	return h.openFor(t, rapid.IntRange(1, 3).Draw(t, "workers"))
}

func (h *history) openFor(t *rapid.T, workers int) (*engine.Engine, *machines, *enginetest.Files) {
	files := h.repository.Files()
	p := &machines{files: files, drafts: map[engine.Unit]int{}}
	config, err := h.repository.Open(files, p)
	if err != nil {
		t.Fatal(err)
	}
	config.Workers = workers
	return engine.New(config), p, files
}

// most limits the reads of stored conclusions in a run, to detect endless loops.
const most = 3000

func (h *history) bounded(t *rapid.T, p *machines) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.loads > most {
		t.Fatalf("read what is stored %d times", p.loads)
	}
}

func (h *history) update(t *rapid.T) {
	t.Log("update")
	e, p, files := h.open(t)
	_, err := e.Update(context.Background())
	h.bounded(t, p)
	s, want := h.naive()
	h.circle = want != nil
	if want != nil || err != nil {
		if !errors.Is(err, engine.ErrCircle) || want == nil {
			t.Fatalf("the engine says %v, from scratch it is %v", err, want)
		}
		h.disturbed, h.orphaned = true, true
		return
	}
	h.compare(t, s)
	for u, n := range p.drafts {
		if n > 1 {
			t.Errorf("%s was drafted %d times", u, n)
		}
	}
	h.minimal(t, s, p, files)
	h.before, h.touched, h.forgot, h.disturbed, h.edited, h.checked = s.units, map[string]bool{}, false, false, false, false
}

// compare compares stored conclusions with a run from scratch.
func (h *history) compare(t *rapid.T, s *scratch) {
	stored := h.repository.Stored()
	maps.DeleteFunc(stored, func(name string, _ []byte) bool { return h.repository.Layout.IsFrames(name) })
	for u, a := range s.units {
		name := fileOf(u)
		if !a.exists {
			continue
		}
		if want := string(encode(u, a.value, a.evidence)); string(stored[name]) != want {
			t.Errorf("%s holds\n%s, want\n%s", name, stored[name], want)
		}
		delete(stored, name)
	}
	for name := range stored {
		t.Errorf("%s is there", name)
	}
}

// minimal checks that a run evaluated only the necessary units.
func (h *history) minimal(t *rapid.T, s *scratch, p *machines, files *enginetest.Files) {
	if h.disturbed || h.before == nil {
		return
	}
	for u := range p.drafts {
		was := h.before[u]
		need := was == nil || !was.exists || h.touched[fileOf(u)] || (h.forgot || h.checked) && u.Kind == derived || h.touchedSession()
		for i := 0; !need && i < len(was.evidence); i++ {
			o := was.evidence[i]
			_, digest, err := s.now(o.Fact)
			need = err != nil || digest != o.Digest && !slices.Contains(hidden[u.Kind], o.Family)
		}
		if !need {
			t.Errorf("%s was run without need", u)
		}
	}
	if !h.edited && len(h.touched) == 0 && len(files.Changed()) > 0 {
		t.Errorf("a run with nothing to do wrote %v", slices.Sorted(maps.Keys(files.Changed())))
	}
}

func (h *history) touchedSession() bool {
	for name := range h.touched {
		if h.repository.Layout.IsFrames(name) {
			return true
		}
	}
	return false
}

// kill ends a run at any place, without anything that it would have done afterwards.
func (h *history) kill(t *rapid.T) {
	e, p, _ := h.openFor(t, 1) // one after the other: the same run is killed at the same place
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	after := rapid.IntRange(0, 6).Draw(t, "after")
	if rapid.Bool().Draw(t, "by the disk") {
		h.repository.FailAfter(after)
		defer h.repository.FailAfter(-1)
	} else {
		p.draft = func(n int) {
			if n > after {
				cancel()
			}
		}
	}
	h.disturbed, h.orphaned = true, true
	_, err := e.Update(ctx)
	t.Logf("killed: %v", err)
	h.bounded(t, p)
	if err != nil && !errors.Is(err, enginetest.ErrDisk) && !errors.Is(err, context.Canceled) && !errors.Is(err, engine.ErrCircle) {
		t.Fatal(err)
	}
}

// clean reports whether the engine was done and nothing changed since.
func (h *history) clean() bool {
	return h.before != nil && !h.edited && !h.disturbed && len(h.touched) == 0
}

func (h *history) check(t *rapid.T) {
	e, p, files := h.open(t)
	report, err := e.Check(context.Background())
	t.Logf("check: %v", err)
	h.checked = true
	h.bounded(t, p)
	s, circle := h.naive()
	if err != nil {
		if circle == nil || !errors.Is(err, engine.ErrCircle) {
			t.Fatalf("check: %v, from scratch it is %v", err, circle)
		}
		return
	}
	if changed := files.Changed(); len(changed) > 0 {
		t.Errorf("a check wrote %v", changed)
	}
	found := len(report.Fell) + len(report.Removed)
	switch {
	case h.clean() && found > 0:
		t.Errorf("with nothing to do a check found %+v, %+v", report.Fell, report.Removed)
	case found == 0 && circle != nil:
		t.Error("a check does not find a circle")
	case found == 0:
		h.compare(t, s)
	}
	for _, f := range report.Fell {
		if len(f.Reasons) == 0 || f.Reasons[0].Because == "" {
			t.Errorf("%s fell without a reason", f.Unit)
		}
	}
}

// look explains every unit.
func (h *history) look(t *rapid.T) {
	e, p, files := h.open(t)
	err := e.Look(context.Background())
	t.Logf("look: %v", err)
	h.checked = true
	if err != nil {
		if _, circle := h.naive(); circle == nil || !errors.Is(err, engine.ErrCircle) {
			t.Fatalf("look: %v, from scratch it is %v", err, circle)
		}
		return
	}
	h.bounded(t, p)
	for _, kind := range kinds {
		for _, subject := range e.Subjects(kind) {
			u := engine.Unit{Kind: kind, Subject: subject}
			x, ok, err := e.Explain(context.Background(), u)
			if err != nil || !ok {
				t.Fatalf("explain %s: %v, %v", u, ok, err)
			}
			if !h.clean() || h.forgot { // without an index, derived conclusions are unknown
				continue
			}
			known := x.Frame != nil && x.Verdict != nil && x.Verdict.Outcome == "holds"
			if !x.Fresh || !known && !(h.orphaned && x.Frame == nil && x.Lost != "") {
				t.Errorf("%s is explained by %+v, verdict %+v, lost %q", u, x, x.Verdict, x.Lost)
			}
		}
	}
	if changed := files.Changed(); len(changed) > 0 {
		t.Errorf("a look wrote %v", changed)
	}
}
