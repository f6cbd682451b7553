// Command soak tests the running server: that no work is lost or done twice when the server is killed repeatedly, that it accepts bursts
// of webhooks, the cost of a push until its docs are published, and hostile pull requests. It needs no account and no network: this
// process simulates GitHub and starts the real server as a child.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/causaldocs/causal/app/proof/trial"
)

const usage = `usage: soak [kills|door|flood|push|hostile|all]

  kills    kill the server and its children at random moments during pushes, then compare the docs with clean runs
  door     deliver webhooks at a steady rate, then look for each in the queue
  flood    send large unsigned bodies without end during signed deliveries
  push     measure a push to a large repository until its docs are published
  hostile  open some hundred hostile pull requests and check the answers, the delays of others and the memory; then check
           out each, and run the command line and the step of the Action
  all      all of these (default)

If CAUSAL_TEST_POSTGRES is the URL of a PostgreSQL server whose user may create databases, kills also runs two replicas.
The exit code is 1 if a promise is broken.
`

var proof = trial.Program{Name: "soak", Usage: usage, Define: define}

func main() {
	if len(os.Args) == 3 && os.Args[1] == doorServer {
		if err := serveDoor(context.Background(), os.Args[2], os.Stdout); err != nil {
			_, _ = fmt.Fprintln(os.Stderr, "soak:", err)
			os.Exit(trial.ExitFailure)
		}
		return
	}
	proof.Main()
}

// part is one of the tests.
type part struct {
	name string
	run  func(ctx context.Context, t *stage) error
}

var parts = []part{{"kills", killServers}, {"door", measureDoor}, {"flood", flood}, {"push", measurePushes}, {"hostile", runAttacks}}

func define(*flag.FlagSet) trial.Run {
	return func(ctx context.Context, args []string, out, talk io.Writer) (holds bool, err error) {
		chosen := slices.DeleteFunc(slices.Clone(parts), func(p part) bool { return len(args) == 1 && args[0] != "all" && args[0] != p.name })
		if len(args) > 1 || len(chosen) == 0 {
			return false, trial.ErrArguments
		}
		err = perform(ctx, chosen, out, talk)
		if errors.Is(err, errBroken) {
			_, _ = fmt.Fprintln(talk, "soak:", err)
			return false, nil
		}
		return err == nil, err
	}
}

// stage holds the directory and the output of a part.
type stage struct {
	dir    string // kept when something did not hold
	causal string // the program
	out    io.Writer
	talk   io.Writer
	broken []string // violations
}

func (t *stage) fault(format string, args ...any) {
	t.broken = append(t.broken, fmt.Sprintf(format, args...))
}

func (t *stage) say(format string, args ...any) { _, _ = fmt.Fprintf(t.talk, format+"\n", args...) }

// table prints rows of cells.
func (t *stage) table(title string, rows ...[]any) {
	_, _ = fmt.Fprintf(t.out, "\n%s\n", title)
	w := tabwriter.NewWriter(t.out, 2, 0, 2, ' ', 0)
	for _, row := range rows {
		_, _ = fmt.Fprintf(w, "  "+strings.TrimSuffix(strings.Repeat("%v\t", len(row)), "\t")+"\n", row...)
	}
	_ = w.Flush()
}

var errBroken = errors.New("a promise is broken")

// perform runs the parts in sequence, each in a separate directory.
func perform(ctx context.Context, list []part, out, talk io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "causal-soak-")
	if err != nil {
		return err
	}
	defer func() {
		if err == nil {
			err = os.RemoveAll(dir)
			return
		}
		_, _ = fmt.Fprintln(talk, "soak: files are in "+dir)
	}()
	program := filepath.Join(dir, "causal")
	if err := trial.Build(ctx, program); err != nil {
		return err
	}
	var broken []string
	for _, p := range list {
		t := &stage{dir: filepath.Join(dir, p.name), causal: program, out: out, talk: talk}
		if err := os.Mkdir(t.dir, 0o755); err != nil {
			return err
		}
		if err := p.run(ctx, t); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		for _, what := range t.broken {
			broken = append(broken, p.name+": "+what)
		}
	}
	if len(broken) > 0 {
		_, _ = fmt.Fprintln(out, "\nViolations:\n  "+strings.Join(broken, "\n  "))
		return errBroken
	}
	return nil
}
