package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/causaldocs/causal/app/cli"
)

// inspector is the variable of the environment that names the command line of the Inspector of the Model Context Protocol, for those who have it.
const inspector = "CAUSAL_TEST_MCP_INSPECTOR"

// TestScripts runs the command line as users type it: testdata/script holds a script for each command.
//
// "causal update" runs the command in this process. "exec causal update" starts the program, which scripts need where causal
// reads standard input, PATH, or a variable that is meant for git.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			for _, v := range os.Environ() {
				name, _, _ := strings.Cut(v, "=")
				if strings.HasPrefix(name, "GIT_") || name == "GOCACHE" || name == "HOME" || name == inspector {
					e.Vars = append(e.Vars, v)
				}
			}
			return nil
		},
		Condition: func(name string) (bool, error) { return name == "inspector" && os.Getenv(inspector) != "", nil },
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"causal": succeeds, "exits": exits, "commit": commit, "keys": keys, "replace": replace,
		},
	})
}

// succeeds runs causal and expects success, or any failure after "!", as in "! causal why nobody".
func succeeds(ts *testscript.TestScript, fails bool, args []string) {
	if code := causal(ts, args); (code != cli.ExitClean) != fails {
		ts.Fatalf("causal %s: exit code %d", strings.Join(args, " "), code)
	}
}

// causal runs a command line in this process.
func causal(ts *testscript.TestScript, args []string) int {
	return cli.Run(context.Background(), args, cli.IO{
		In: strings.NewReader(""), Out: ts.Stdout(), Err: ts.Stderr(), Getenv: ts.Getenv, Now: time.Now, Dir: ts.MkAbs("."),
	})
}

// exits runs a command and expects an exit code: "exits 2 causal update --nope", "exits 0 exec causal mcp".
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if args[1] == "causal" {
		got = causal(ts, args[2:])
	} else if err := ts.Exec(args[2], args[3:]...); err != nil {
		var failed *exec.ExitError
		if !errors.As(err, &failed) {
			ts.Fatalf("%v", err)
		}
		got = failed.ExitCode()
	}
	if got != want {
		ts.Fatalf("%s: exit code %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

// commit commits all files, in a new repository when there is none: "commit 'Say it better'".
func commit(ts *testscript.TestScript, _ bool, args []string) {
	if _, err := os.Stat(ts.MkAbs(".git")); err != nil {
		ts.Check(os.CopyFS(ts.MkAbs("."), os.DirFS(emptyRepo())))
	}
	ts.Check(ts.Exec("git", "add", "--all"))
	ts.Check(ts.Exec("git", "commit", "--quiet", "--message="+args[0]))
}

// replace edits a file: "replace FILE OLD NEW".
func replace(ts *testscript.TestScript, _ bool, args []string) {
	before := ts.ReadFile(args[0])
	if !strings.Contains(before, args[1]) {
		ts.Fatalf("%s is not in %s:\n%s", args[1], args[0], before)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(before, args[1], args[2])), 0o644))
}

// keys expects that a JSON object has exactly these keys, at a path of keys and positions in it:
// "keys stdout . fresh stale", "keys stdout stale.0 node page".
func keys(ts *testscript.TestScript, _ bool, args []string) {
	var value any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &value))
	for _, step := range strings.FieldsFunc(args[1], func(r rune) bool { return r == '.' }) {
		switch v := value.(type) {
		case map[string]any:
			value = v[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(v) {
				ts.Fatalf("there is no %s in a list of %d", step, len(v))
			}
			value = v[i]
		}
	}
	object, ok := value.(map[string]any)
	if got := slices.Sorted(maps.Keys(object)); !ok || !slices.Equal(got, slices.Sorted(slices.Values(args[2:]))) {
		ts.Fatalf("%s has the keys %q, want %q", args[1], got, args[2:])
	}
}
