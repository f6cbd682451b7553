package testrun

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/python"
	"github.com/causaldocs/causal/testgen/spec"
)

// tree is a testgen.Repository over a directory, in which bodies only depend on themselves.
type tree struct{ root string }

func (r tree) Files(dir string) (out []string, err error) {
	list, err := os.ReadDir(filepath.Join(r.root, dir))
	for _, e := range list {
		if !e.IsDir() {
			out = append(out, path.Join(dir, e.Name()))
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return out, err
}

func (r tree) Read(name string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(r.root, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

func (tree) Dir(string, string) (string, bool) { return "", false }

func (r tree) Open(dir string) (testgen.Module, error) { return python.Language.Open(r, dir) }

func (tree) Reach(_, symbol string) (testgen.Reach, bool, error) {
	return testgen.Reach{Within: []string{symbol}}, true, nil
}

const lab = `import random, time
class Refused(Exception):
    pass
def steady(n: int) -> int:
    """Twice as much.

    >>> steady(4)
    8
    >>> steady(5)
    11
    """
    return 2 * n
def parse(text: str) -> float:
    if text == "a":
        raise Refused(text)
    return float(text)
def order(n: int) -> str:
    return ",".join({str(n + i) for i in range(40)})
def pair(n: int) -> list[str]:
    """Two texts of 2."""
    return list({str(n + i) for i in range(2)})
def stated(a: int, b: int) -> int:
    """Adds, so that stated(2, 2) is 5."""
    return a + b
def zone(n: int) -> str:
    return time.strftime("%H:%M", time.localtime(n))
def wait(n: int) -> int:
    while n < 0:
        pass
    return n
def fill(n: int) -> int:
    return len(bytearray(3 << 30)) if n > 0 else n
def leave(n: int) -> int:
    raise SystemExit(n)
def normalize(text: str) -> str:
    return text + "!"
def clean(text: str) -> str:
    return " ".join(text.split())
def letters(text: str) -> set[str]:
    return set(text.upper())
def touch(text: str) -> str:
    with open("touched", "w") as f:
        f.write(text)
    return text
class Box:
    def __init__(self, size: int = 3):
        self.size = size
    def room(self, used: int = 0) -> int:
        return self.size - used
`

// laboratory is a work tree with the module lab, and jobs for all of its functions.
func laboratory(t *testing.T) (*Runner, []*Job) {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{"pyproject.toml": "[tool.pytest.ini_options]\naddopts = \"--no-such-option\"\n", "lab.py": lab, "tests/test_lab.py": "import lab\n\ndef test_steady():\n    assert lab.steady(1) == 2\n"} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	m, err := tree{root}.Open(".")
	if err != nil {
		t.Fatal(err)
	}
	var jobs []*Job
	for _, symbol := range m.Symbols() {
		target, err := m.Target(symbol)
		if err != nil {
			t.Fatal(err)
		}
		if target.Reason != "" {
			continue
		}
		cases, _ := target.Propose()
		s := &spec.Spec{Target: target.Spec, Status: spec.Pending, Rationale: target.Rationale, Cases: cases}
		subject := testgen.Subject(".", symbol)
		jobs = append(jobs, &Job{Subject: subject, File: store.Layout{}.Spec(".", symbol), Spec: s, Target: target})
	}
	return &Runner{Root: root, callLimit: 2 * time.Second, Warn: func(m *MissingError) { t.Skip(m.Error()) }}, jobs
}

// TestPython runs functions of every kind, and checks which cases are kept and why others are not.
func TestPython(t *testing.T) {
	r, jobs := laboratory(t)
	if slices.ContainsFunc(jobs, func(j *Job) bool { return j.Subject == "./lab.touch" }) {
		t.Error("what writes files is tried")
	}
	out, sum, err := r.Run(context.Background(), jobs)
	if err != nil {
		t.Fatal(err)
	}
	for symbol, want := range map[string]string{ // part of the text of a case
		"steady": "want: {int: 8}", "parse": "raises: lab.Refused", "order": "another result in another run", "pair": "another result in another run", "stated": "the documentation says 5, and it gives 4", "zone": "another result in another run",
		"wait": "time limit of 2s", "fill": "more memory than 1 GiB", "leave": "it ends the program", "clean": "law: idempotent", "normalize": "it does not hold",
		"letters": "want: {set: [\"", "Box.room": "{Box: {call: \"Box\", args: []}}",
	} {
		rec := out["./lab."+symbol]
		if rec == nil || rec.Chosen == nil {
			t.Errorf("%s was not run", symbol)
			continue
		}
		said := ""
		kept := 0
		for i := range rec.Chosen.Cases {
			c := &rec.Chosen.Cases[i]
			said += c.String() + "\n"
			if c.Coded() {
				kept++
			}
		}
		if !strings.Contains(said, want) {
			t.Errorf("%s: expected %s in\n%s", symbol, want, said)
		}
		if stable := !slices.Contains([]string{"order", "pair", "zone", "leave", "fill"}, symbol); stable != (kept > 0) {
			t.Errorf("%s: %d cases are kept:\n%s", symbol, kept, said)
		}
	}
	if said := out["./lab.steady"].Chosen.Cases; !slices.ContainsFunc(said, func(c spec.Case) bool { return strings.Contains(c.Quarantined, "shows 11, and it gives 10") }) {
		t.Errorf("documentation that is wrong: %v", said)
	}
	if sum.Candidates == 0 || sum.Before == 0 || sum.After <= sum.Before || sum.After > sum.Statements {
		t.Errorf("%+v", sum)
	}
	if list, err := os.ReadDir(r.Root); err != nil || len(list) != 3 {
		t.Errorf("the work tree has %v", list)
	}
}

// TestPythonWithoutPytest: without pytest, the reason is reported and the specs are unchanged.
func TestPythonWithoutPytest(t *testing.T) {
	r, jobs := laboratory(t)
	t.Setenv("PATH", t.TempDir())
	t.Setenv("VIRTUAL_ENV", "")
	var said []string
	r.Warn = func(m *MissingError) { said = append(said, m.Error()) }
	out, _, err := r.Run(context.Background(), jobs)
	if err != nil || len(out) > 0 || len(said) != 1 || !strings.Contains(said[0], "no python3") {
		t.Errorf("%v: %v, %v", err, out, said)
	}
}

// TestPythonBuilds: handwritten tests that do not parse are reported.
func TestPythonBuilds(t *testing.T) {
	r, _ := laboratory(t)
	places := []Place{{python.Language.Name, "."}}
	if err := r.Builds(context.Background(), places); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.Root, "tests", "test_broken.py"), []byte("\ndef test(:\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var bad *BuildError
	if err := r.Builds(context.Background(), places); !errors.As(err, &bad) || !strings.Contains(err.Error(), "tests/test_broken.py:2: SyntaxError") {
		t.Error(err)
	}
}
