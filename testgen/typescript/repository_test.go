package typescript

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/survey/surveytest"
	"github.com/causaldocs/causal/testgen"
)

var update = flag.Bool("update", false, "write the golden files anew")

// repository are the files of a made-up one. It implements surveytest.Files.
type repository map[string]string

// All implements surveytest.Files.
func (r repository) All() map[string]string { return r }

// forgetful remembers nothing. It implements testgen.Memory.
type forgetful struct{}

func (forgetful) Get(string, any) bool  { return false }
func (forgetful) Put(string, any) error { return nil }

// vitest is a package.json of a project with vitest.
const vitest = `{"type": "module", "devDependencies": {"vitest": "^3.0.0", "typescript": "~5.4.2"}}`

// open reads the TypeScript of a directory as the plugin does.
func open(t *testing.T, files repository, dir string) testgen.Module {
	t.Helper()
	s, done, err := surveytest.Look(context.Background(), t.TempDir(), files, languages.All())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := done(); err != nil {
			t.Error(err)
		}
	})
	m, err := testgen.NewPlans(s, []*testgen.Language{Language}, forgetful{}, nil, nil).Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// planOf is what tests of a function can be made from.
func planOf(t *testing.T, files repository, dir, symbol string) *Plan {
	t.Helper()
	m := open(t, files, dir)
	if m == nil {
		t.Fatalf("%s holds no TypeScript", dir)
	}
	target, err := m.Target(symbol)
	if err != nil {
		t.Fatal(err)
	}
	if target == nil {
		t.Fatalf("there is no %s; there are %v", symbol, m.Symbols())
	}
	return PlanOf(target)
}

// golden compares what was made with a file.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s is otherwise now (-update writes it anew):\n%s", name, got)
	}
}
