package engine_test

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/engine/enginetest"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/testmode"
)

// copies is a plugin named after a directory. It concludes the content of each file in the directory, and a page from that.
type copies struct {
	files engine.Files
	dir   string
}

func (p copies) Kinds() []engine.Kind {
	generator := func(engine.Reader, string) (string, error) { return "copies/1", nil }
	kind := func(name string, derived bool) engine.Kind {
		stored := func(subject string) string { return ".causal/" + name + "/" + subject }
		return engine.Kind{
			Name: name, Derived: derived, Generator: generator, Path: stored,
			Owner: func(file string) (string, bool) { return path.Base(file), file == stored(path.Base(file)) },
			Subjects: func(r engine.Reader) ([]string, error) {
				if derived {
					v, err := r.Read(engine.UnitsOf(p.dir))
					list, _ := v.([]string)
					return list, err
				}
				v, err := r.Read(fact.New(fact.Listings, p.dir))
				list, _ := v.([]string)
				return list, err
			},
			Load: func(_ engine.Reader, subject string) (*engine.Conclusion, error) {
				data, err := p.files.Read(stored(subject))
				if err != nil {
					return nil, nil
				}
				evidence, text, _ := strings.Cut(string(data), "\n")
				c := copied(text)
				c.Generator = "copies/1 none"
				if derived {
					c.Generator = ""
					return &c, nil
				}
				o, err := fact.Parse(evidence)
				c.Evidence = []fact.Observation{o}
				return &c, err
			},
			Remove: func(subject string) (engine.Removal, error) {
				return engine.Removal{Done: true}, p.files.Remove(stored(subject), ".causal")
			},
		}
	}
	return []engine.Kind{kind(p.dir, false), kind(p.dir+"page", true)}
}

func copied(text string) engine.Conclusion {
	return engine.Conclusion{Text: "a copy", Body: text, Digest: fact.Digest(text), Confidence: 1, Condition: "evidence_changed()"}
}

func (p copies) TransformInput(in engine.Input, _ engine.CoreContext) (map[string]any, error) {
	f := fact.New(fact.Blobs, p.dir+"/"+in.Unit.Subject)
	if in.Unit.Kind != p.dir {
		f = engine.ConclusionOf(engine.Unit{Kind: p.dir, Subject: in.Unit.Subject})
	}
	v, err := in.Read(f)
	return map[string]any{"text": fmt.Sprintf("%s", v)}, err
}

func (p copies) Draft(slice map[string]any) (string, error) { return slice["text"].(string), nil }

func (p copies) ParseOutput(raw string, _ engine.Input, _ frame.Frame) (engine.Conclusion, error) {
	return copied(raw), nil
}

func (p copies) Store(c engine.Conclusion, _ frame.Frame) error {
	first := ""
	if c.Unit.Kind == p.dir {
		first = c.Evidence[0].String()
	}
	_, err := p.files.Write(".causal/"+c.Unit.Kind+"/"+c.Unit.Subject, []byte(first+"\n"+c.Body.(string)))
	return err
}

// many is a repository with n files in each of the directories.
func many(t testing.TB, n int, dirs ...string) *enginetest.Repository {
	files := map[string]string{}
	for _, dir := range dirs {
		for i := range n {
			files[fmt.Sprintf("%s/%d", dir, i)] = fmt.Sprint(i)
		}
	}
	r := enginetest.NewRepository(t.TempDir(), files)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func update(t testing.TB, r *enginetest.Repository, dirs ...string) *engine.Report {
	t.Helper()
	files := r.Files()
	var plugins []engine.Plugin
	for _, dir := range dirs {
		plugins = append(plugins, copies{files, dir})
	}
	config, err := r.Open(files, plugins...)
	if err != nil {
		t.Fatal(err)
	}
	e := engine.New(config)
	done, totals := map[string]int{}, map[string]int{}
	e.OnProgress(func(what string, n, of int) {
		if n != done[what]+1 || n > of {
			t.Errorf("progress: %s %d of %d after %d", what, n, of, done[what])
		}
		done[what] = n
		totals[what] = of
	})
	report, err := e.Update(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for what, n := range done {
		if n != totals[what] {
			t.Errorf("progress ends with %s %d of %d", what, n, totals[what])
		}
	}
	return report
}

// TestWhatAChangeCosts holds the work for one changed file to being the same in repositories of any size.
func TestWhatAChangeCosts(t *testing.T) {
	t.Parallel()
	for _, n := range []int{100, testmode.Of(2_000, 50_000)} {
		r := many(t, n, "one")
		if first := update(t, r, "one"); len(first.Ran) != 2*n {
			t.Fatalf("%d files: ran %d", n, len(first.Ran))
		}
		r.Write("one/7", "something else")
		report := update(t, r, "one")
		if fmt.Sprint(report.Ran) != "[one/7 onepage/7]" {
			t.Errorf("%d files: ran %v", n, report.Ran)
		}
		if report.Judged != 2 || report.Observed != 4 {
			t.Errorf("%d files: looked at %d units and %d facts", n, report.Judged, report.Observed)
		}
	}
}

var ten = []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

// TestPluginsWithNothingToDo holds nine plugins that a change does not concern to costing nothing.
func TestPluginsWithNothingToDo(t *testing.T) {
	t.Parallel()
	r := many(t, 50, ten...)
	update(t, r, ten...)
	r.Write("one/7", "something else")
	report := update(t, r, ten...)
	if report.Judged != 2 || report.Observed != 4 || fmt.Sprint(report.Ran) != "[one/7 onepage/7]" {
		t.Errorf("looked at %d units and %d facts, ran %v", report.Judged, report.Observed, report.Ran)
	}
}

// TestAPluginThatJoins holds to one being asked that was not there when the rest was concluded.
func TestAPluginThatJoins(t *testing.T) {
	t.Parallel()
	r := many(t, 2, "one", "two")
	update(t, r, "one")
	if report := update(t, r, "one", "two"); fmt.Sprint(report.Ran) != "[two/0 two/1 twopage/0 twopage/1]" {
		t.Errorf("ran %v", report.Ran)
	}
}

// BenchmarkPlugins measures one changed file with one plugin, and with nine more that it does not concern.
func BenchmarkPlugins(b *testing.B) {
	for _, dirs := range [][]string{ten[:1], ten} {
		b.Run(fmt.Sprint(len(dirs)), func(b *testing.B) {
			r := many(b, 1000, "one")
			update(b, r, dirs...)
			for i := 0; b.Loop(); i++ {
				r.Write("one/7", fmt.Sprint("version ", i))
				update(b, r, dirs...)
			}
		})
	}
}

// BenchmarkAllChanged measures an edit of every file.
func BenchmarkAllChanged(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := many(b, n, "one")
			update(b, r, "one")
			for i := 0; b.Loop(); i++ {
				b.StopTimer()
				for j := range n {
					r.Write(fmt.Sprintf("one/%d", j), fmt.Sprint(i, " ", j))
				}
				b.StartTimer()
				update(b, r, "one")
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/unit")
		})
	}
}
