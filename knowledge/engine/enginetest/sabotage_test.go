package enginetest_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/engine/enginetest"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
)

// saboteur is the register with something wrong in it.
type saboteur struct {
	register
	transform func(in engine.Input) engine.Input
	parse     func(c engine.Conclusion, raw string, in engine.Input, err error) (engine.Conclusion, error)
}

func (p saboteur) TransformInput(in engine.Input, core engine.CoreContext) (map[string]any, error) {
	if p.transform != nil {
		in = p.transform(in)
	}
	return p.register.TransformInput(in, core)
}

func (p saboteur) ParseOutput(raw string, in engine.Input, f frame.Frame) (engine.Conclusion, error) {
	if p.transform != nil {
		in = p.transform(in)
	}
	c, err := p.register.ParseOutput(raw, in, f)
	if p.parse != nil {
		return p.parse(c, raw, in, err)
	}
	return c, err
}

// past is a Reader that finds the lists of other units in their files, where the engine does not see it.
type past struct {
	engine.Reader
	files engine.Files
}

func (r past) Read(f fact.Fact) (any, error) {
	if f.Family != fact.Excerpts {
		return r.Reader.Read(f)
	}
	u, err := engine.ParseUnit(f.Of)
	if err != nil {
		return nil, err
	}
	data, err := r.files.Read(storedIn(u.Subject))
	return string(data), err
}

var count atomic.Int64

func resealed(c engine.Conclusion, t todos) engine.Conclusion {
	sealed := t.conclusion()
	sealed.Excerpts = c.Excerpts
	return sealed
}

// sabotage maps faults of a plugin to the test of the suite that detects them.
var sabotage = map[string]struct {
	test string
	make func(files engine.Files) engine.Plugin
}{
	"it reads past its reader": {"edits", func(files engine.Files) engine.Plugin {
		return saboteur{register: register{files}, transform: func(in engine.Input) engine.Input { in.Reader = past{in.Reader, files}; return in }}
	}},
	"it counts": {"the_same_bytes", func(files engine.Files) engine.Plugin {
		return saboteur{register: register{files}, parse: func(c engine.Conclusion, _ string, _ engine.Input, err error) (engine.Conclusion, error) {
			t, ok := c.Body.(todos)
			if ok {
				t.Summary = fmt.Sprint("conclusion ", count.Add(1))
				c = resealed(c, t)
			}
			return c, err
		}}
	}},
	"it rests on everything": {"edits", func(files engine.Files) engine.Plugin {
		return saboteur{register: register{files}, transform: func(in engine.Input) engine.Input {
			_, _ = in.Read(fact.New(fact.Blobs, "README.md"))
			return in
		}}
	}},
	"it believes the answer": {"a_hostile_model", func(files engine.Files) engine.Plugin {
		return saboteur{register: register{files}, parse: func(c engine.Conclusion, raw string, in engine.Input, err error) (engine.Conclusion, error) {
			if err != nil && json.Valid([]byte(raw)) && raw != "null" {
				_, _ = files.Write(storedIn(in.Unit.Subject), []byte(raw))
			}
			return c, err
		}}
	}},
	"it keeps what is no more": {"edits", func(files engine.Files) engine.Plugin { return keeper{register{files}} }},
}

// keeper never removes anything.
type keeper struct{ register }

func (p keeper) Kinds() []engine.Kind {
	kinds := p.register.Kinds()
	for i := range kinds {
		kinds[i].Remove = func(string) (engine.Removal, error) { return engine.Removal{}, nil }
	}
	return kinds
}

const sabotaged = "CAUSAL_SABOTAGED"

// TestTheSuiteFindsWhatIsWrong runs the suite with faulty plugins, each in a separate process.
func TestTheSuiteFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	for name, wrong := range sabotage {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSabotaged$")
			c.Env = append(os.Environ(), sabotaged+"="+name)
			out, err := c.CombinedOutput()
			failed := regexp.MustCompile(`(?m)^ +--- FAIL: TestSabotaged/(\S+)`).FindAllStringSubmatch(string(out), -1)
			if err == nil || !slices.ContainsFunc(failed, func(m []string) bool { return m[1] == wrong.test }) || strings.Contains(string(out), "panic:") {
				t.Errorf("the test %q does not fail:\n%s", wrong.test, out)
			}
		})
	}
}

// TestSabotaged is what TestTheSuiteFindsWhatIsWrong runs.
func TestSabotaged(t *testing.T) {
	wrong, ok := sabotage[os.Getenv(sabotaged)]
	if !ok {
		t.Skip("it runs within another test")
	}
	enginetest.Run(t, func(t testing.TB) enginetest.Subject {
		return enginetest.InMemory(t, todoFiles, func(files engine.Files) []engine.Plugin { return []engine.Plugin{wrong.make(files)} }, todoEdits...)
	})
}
