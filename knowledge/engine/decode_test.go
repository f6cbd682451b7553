package engine_test

import (
	"fmt"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/engine/enginetest"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/golang"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/knowledge/survey/surveytest"
)

// deepNotes use expensive evidence about a module and its imports.
type deepNotes struct{ notes }

func (p deepNotes) TransformInput(in engine.Input, core engine.CoreContext) (map[string]any, error) {
	k, err := survey.Read(in, in.Unit.Subject)
	if err != nil {
		return nil, err
	}
	modules := []string{in.Unit.Subject}
	for _, u := range k.Uses {
		modules = append(modules, u.Module)
	}
	for _, m := range modules {
		if _, err := survey.FlowsOf(in, m); err != nil {
			return nil, err
		}
		if _, err := survey.ExamplesOf(in, m); err != nil {
			return nil, err
		}
		if _, err := survey.ImplementsOf(in, m); err != nil {
			return nil, err
		}
	}
	return p.notes.TransformInput(in, core)
}

// mostDecoded is how many modules an update may look into for one added function.
const mostDecoded = 5

// TestAnAddedFunctionDecodesFewModules adds a function to a module that all others use as evidence. Facts that cannot have changed must
// not be computed again.
func TestAnAddedFunctionDecodesFewModules(t *testing.T) {
	t.Parallel()
	const modules = 40
	files := map[string]string{"go.mod": "module x\n", "hub/hub.go": "package hub\n\nfunc Hub() int { return 1 }\n"}
	for i := range modules {
		files[fmt.Sprintf("m%d/m.go", i)] = fmt.Sprintf("package m\n\nimport (\n\t\"x/hub\"\n\t\"x/m%d\"\n)\n\nfunc M() int { return m.M() + hub.Hub() }\n", (i+1)%modules)
	}
	r := enginetest.NewRepository(t.TempDir(), files)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	run := func() (*engine.Report, int) {
		own := r.Files()
		c, err := r.Open(own, deepNotes{notes{own}})
		if err != nil {
			t.Fatal(err)
		}
		decoded := 0
		c.World, c.Words = survey.New(survey.Config{
			Tree: surveytest.Tree{Files: r}, Index: c.Index, Batch: c.Batch, Languages: []source.Language{golang.Language{}}, Owned: r.Layout.Owns,
			Excluded: func(string) bool { return false }, MaxBytes: 1 << 20, Decoding: func(modules int) { decoded += modules },
		}), survey.Words
		report, err := engine.New(c).Update(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return report, decoded
	}
	if first, decoded := run(); len(first.Ran) != modules+1 || decoded < modules {
		t.Fatalf("the first update ran %d and decoded %d modules", len(first.Ran), decoded)
	}
	r.Write("hub/hub.go", files["hub/hub.go"]+"\nfunc Added() int { return 2 }\n")
	report, decoded := run()
	if fmt.Sprint(report.Ran) != "[note/hub]" {
		t.Errorf("ran %v", report.Ran)
	}
	if report.Judged <= modules {
		t.Errorf("judged %d units: the test needs all of them to rest on the hub", report.Judged)
	}
	if decoded > mostDecoded {
		t.Errorf("decoded %d modules for one added function, want at most %d", decoded, mostDecoded)
	}
}
