package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// many has a function for each form of parameters, receivers and results.
const many = `package main

import "fmt"

type box[T any] struct{ v T }

type count int

func (c *count) add(n int) { *c += count(n) }

func (count) same(_ int, _ string) bool { return true }

func (b box[T]) is(f func(T) bool) (ok bool) {
	ok = f(b.v) && true
	return
}

func total(start int, more ...int) (n int, err error) {
	n = start
	for _, m := range more {
		n += m
	}
	if n < 0 {
		return 0, fmt.Errorf("it is %d", n)
	}
	return n, nil
}

func empty[T any]() int { var b []T; return len(b) + 1 }

func none(int, string) bool { return 1 > 1 }

func even(n int) bool {
	if n == 0 {
		return true
	}
	return !even(n - 1)
}

func main() {
	var c count
	c.add(2)
	n, err := total(1, 2)
	_, failed := total(-5)
	fmt.Println(c, c.same(1, ""), box[int]{3}.is(func(n int) bool { return n > 2 }), n, err, failed, empty[string](), even(3), none(1, ""))
}
`

// TestSchema builds a program once with all its mutants, and runs it without a mutant and with one of each kind.
func TestSchema(t *testing.T) {
	long(t)
	t.Parallel()
	list, err := mutants("main.go", []byte(many))
	if err != nil {
		t.Fatal(err)
	}
	var all []numbered
	for i, m := range list {
		all = append(all, numbered{m, i + 1})
	}
	text, err := schema([]byte(many), all)
	if err != nil {
		t.Fatal(err)
	}
	program := buildProgram(t, map[string]string{"main.go": string(text), chooserFile: fmt.Sprintf(chooserCode, "main")})
	for _, c := range []struct {
		line, kind string
		says       string
	}{
		{"", "", "2 true true 3 <nil> it is -5 1 false false\n"},
		{"*c += count(n)", sum, "-2 true true 3 <nil> it is -5 1 false false\n"},
		{"same(_ int, _ string) bool { return", truth, "2 false true 3 <nil> it is -5 1 false false\n"},
		{"n += m", sum, "2 true true 0 it is -1 it is -5 1 false false\n"},
		{"return 0, fmt.Errorf", droppedError, "2 true true 3 <nil> <nil> 1 false false\n"},
		{"func empty[T any]", sum, "2 true true 3 <nil> it is -5 -1 false false\n"},
		{"if n == 0 {", comparison, "2 true true 3 <nil> it is -5 1 true false\n"},
		{"return !even", logic, "2 true true 3 <nil> it is -5 1 true false\n"},
		{"func none(int, string)", comparison, "2 true true 3 <nil> it is -5 1 false true\n"},
	} {
		chosen := 0
		for _, m := range all {
			if line := strings.Split(many, "\n")[m.line-1]; c.line != "" && chosen == 0 && m.kind == c.kind && strings.Contains(line, c.line) {
				chosen = m.number
			}
		}
		if got := say(t, program, chosen); got != c.says || (chosen == 0) != (c.line == "") {
			t.Errorf("%s in %q, number %d: it says %q, want %q", c.kind, c.line, chosen, got, c.says)
		}
	}
}

func buildProgram(t *testing.T, files map[string]string) string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command")
	}
	dir := t.TempDir()
	files["go.mod"] = "module example.com/many\n\ngo 1.24\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.CommandContext(t.Context(), "go", "build", "-o", "many", ".")
	c.Dir, c.Env = dir, environment()
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("it does not build: %v\n%s\n%s", err, out, files["main.go"])
	}
	return filepath.Join(dir, "many")
}

// say runs a program with a mutant chosen.
func say(t *testing.T, program string, mutant int) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), program)
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%d", chosenVar, mutant))
	var out strings.Builder
	c.Stdout = &out
	if err := c.Run(); err != nil {
		t.Errorf("mutant %d: %v", mutant, err)
	}
	return out.String()
}
