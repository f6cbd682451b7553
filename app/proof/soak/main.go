// Command soak holds the running server to what it promises: that nothing is lost or doubled when it is killed again and
// again, that the door keeps up with bursts, and what a push costs until its docs are published. It needs no account and
// no network: GitHub is simulated in this process, the server is the real program in another.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"
)

// Exit codes are those of causal itself.
const (
	exitClean   = 0
	exitBroken  = 1
	exitUsage   = 2
	exitFailure = 3
)

const usage = `usage: soak [kills|door|flood|push|hostile|all] [flags]

  kills   kill the server and its children at random moments while people push, then compare the docs with clean runs
  door    deliver webhooks at a steady rate, and look for each of them in the queue
  flood   let strangers send large bodies without end beside signed deliveries
  push    measure a push to a large repository until its docs are published
  hostile open some hundred hostile pull requests, and look at what is told, at a neighbour, and at memory; then check each
          of them out, and run the command line and the step of the Action there
  all     all of these (the default)

$CAUSAL_TEST_POSTGRES, the URL of a PostgreSQL server whose user may create databases, adds a second round of kills: of
two replicas in turn. The exit code is 1 when something that is promised does not hold.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// part is one part of the program.
type part struct {
	name  string
	flags func(f *flag.FlagSet, s settings)
	run   func(ctx context.Context, s settings, t *stage) error
}

var trials = []part{
	{"kills", func(f *flag.FlagSet, s settings) {
		f.IntVar(&s.kills.times, "n", 200, "how often the server is killed")
		f.IntVar(&s.kills.children, "children", 200, "how often a process is killed that analyses a repository for it")
		f.IntVar(&s.kills.repositories, "repositories", 20, "how many repositories people push to")
		f.Uint64Var(&s.kills.seed, "seed", 1, "of all that happens at random")
	}, killServers},
	{"door", func(f *flag.FlagSet, s settings) {
		f.IntVar(&s.door.rate, "rate", 1000, "deliveries a second")
		f.IntVar(&s.door.seconds, "seconds", 60, "how long")
	}, knock},
	{"flood", func(f *flag.FlagSet, s settings) {
		f.IntVar(&s.flood.attackers, "strangers", 1000, "how many bodies come in at once")
		f.IntVar(&s.flood.rate, "signed", 50, "signed deliveries a second")
		f.IntVar(&s.flood.seconds, "during", 20, "how long, in seconds")
		f.IntVar(&s.flood.megabits, "megabits", 1000, "what the strangers send a second, in megabits")
	}, flood},
	{"push", func(f *flag.FlagSet, s settings) {
		f.IntVar(&s.push.files, "files", 5000, "how many files the repository has")
		f.IntVar(&s.push.rounds, "rounds", 9, "how many pushes")
	}, measurePushes},
	{"hostile", func(f *flag.FlagSet, s settings) {
		f.StringVar(&s.hostile.through, "through", "", "server, or checkout: the command line and the step of the Action; both where it is empty")
		f.StringVar(&s.hostile.only, "only", "", "attacks whose label has this text; all where it is empty")
		f.IntVar(&s.hostile.victims, "victims", 4, "how many repositories are attacked")
		f.DurationVar(&s.hostile.patience, "patience", 30*time.Minute, "how long it may take until all attacks are told of")
	}, beHostile},
}

// settings are what the flags say.
type settings struct {
	kills   *killSettings
	door    *doorSettings
	flood   *floodSettings
	push    *pushSettings
	hostile *hostileSettings
}

// stage is where a trial happens and what it has to say.
type stage struct {
	dir    string // kept when something did not hold
	causal string // the program
	out    io.Writer
	talk   io.Writer
	broken []string // what does not hold
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

func run(ctx context.Context, args []string, out, errs io.Writer) int {
	if len(args) > 0 && args[0] == doorServer {
		return code(errs, serveDoor(ctx, args[1:], out))
	}
	chosen := "all"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		chosen, args = args[0], args[1:]
	}
	s := settings{&killSettings{}, &doorSettings{}, &floodSettings{}, &pushSettings{}, &hostileSettings{}}
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() { _, _ = io.WriteString(errs, usage); flags.PrintDefaults() }
	var list []part
	for _, t := range trials {
		if chosen == "all" || chosen == t.name {
			t.flags(flags, s)
			list = append(list, t)
		}
	}
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitClean
	case err != nil:
		return exitUsage
	case len(list) == 0 || flags.NArg() > 0:
		flags.Usage()
		return exitUsage
	}
	return code(errs, perform(ctx, list, s, out, errs))
}

var errBroken = errors.New("something that is promised does not hold")

func code(errs io.Writer, err error) int {
	if err == nil {
		return exitClean
	}
	_, _ = fmt.Fprintln(errs, "soak: "+err.Error())
	if errors.Is(err, errBroken) {
		return exitBroken
	}
	return exitFailure
}

// perform runs trials one after the other, each in a directory of its own.
func perform(ctx context.Context, list []part, s settings, out, talk io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "causal-soak-")
	if err != nil {
		return err
	}
	defer func() {
		if err == nil {
			err = os.RemoveAll(dir)
			return
		}
		_, _ = fmt.Fprintln(talk, "soak: everything is left in "+dir)
	}()
	program, err := build(ctx, dir)
	if err != nil {
		return err
	}
	var broken []string
	for _, p := range list {
		t := &stage{dir: filepath.Join(dir, p.name), causal: program, out: out, talk: talk}
		if err := os.Mkdir(t.dir, 0o755); err != nil {
			return err
		}
		if err := p.run(ctx, s, t); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		for _, what := range t.broken {
			broken = append(broken, p.name+": "+what)
		}
	}
	return verdict(out, broken)
}

// verdict names what does not hold.
func verdict(out io.Writer, broken []string) error {
	if len(broken) == 0 {
		return nil
	}
	_, _ = fmt.Fprintln(out, "\nDoes not hold:\n  "+strings.Join(broken, "\n  "))
	return errBroken
}
