package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/gofrs/flock"

	"github.com/causaldocs/causal/app/cli"
)

// holdLock takes a repository's lock as a run does.
func holdLock(t *testing.T, r *repo) *flock.Flock {
	t.Helper()
	r.write(".git/causal/lock", strconv.Itoa(os.Getpid()))
	l := flock.New(r.path(".git/causal/lock"))
	if got, err := l.TryLock(); err != nil || !got {
		t.Fatalf("take the lock: %v, %v", got, err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// started is an update that runs beside the test, and the first line that it says.
type started struct {
	line string
	out  bytes.Buffer
	done chan int
	stop context.CancelFunc
}

// updateBeside starts an update and returns once it has said something.
func updateBeside(t *testing.T, r *repo) *started {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	s := &started{done: make(chan int, 1), stop: stop}
	t.Cleanup(stop)
	read, write := io.Pipe()
	go func() {
		code := cli.Run(ctx, []string{"update"}, cli.IO{Out: &s.out, Err: write, Getenv: os.Getenv, Now: r.now, Dir: r.dir})
		_ = write.Close()
		s.done <- code
	}()
	said := bufio.NewReader(read)
	line, err := said.ReadString('\n')
	if err != nil {
		t.Fatalf("the update said nothing: %v", err)
	}
	s.line = line
	go func() { _, _ = io.Copy(io.Discard, said) }()
	return s
}

func TestSecondRunWaitsAndSaysForWhom(t *testing.T) {
	t.Parallel()
	r := newShop(t)
	l := holdLock(t, r)
	second := updateBeside(t, r)
	if want := "waiting for another run (process " + strconv.Itoa(os.Getpid()) + ")"; !strings.Contains(second.line, want) {
		t.Errorf("the second run says %q, want %q", second.line, want)
	}
	if r.has(".causal/nodes") {
		t.Error("the second run wrote while the first held the lock")
	}
	if err := l.Unlock(); err != nil {
		t.Fatal(err)
	}
	if code := <-second.done; code != cli.ExitClean {
		t.Errorf("the second run ended with exit code %d", code)
	}
	sameAsScratch(t, r)
}

func TestWaitingRunCanBeInterrupted(t *testing.T) {
	t.Parallel()
	r := newShop(t)
	holdLock(t, r)
	second := updateBeside(t, r)
	second.stop()
	if code := <-second.done; code != cli.ExitFailure {
		t.Errorf("an interrupted run ended with exit code %d, want %d", code, cli.ExitFailure)
	}
	if r.has(".causal/nodes") {
		t.Error("the interrupted run wrote")
	}
}

// TestReadersDoNotWait: a command that only reads works while an update holds the lock.
func TestReadersDoNotWait(t *testing.T) {
	t.Parallel()
	r := newShop(t)
	r.update()
	holdLock(t, r)
	r.causal(cli.ExitClean, "check")
	r.causal(cli.ExitClean, "why", "money")
}

func TestUpdatesAtOnceAllSucceed(t *testing.T) {
	t.Parallel()
	r := newShop(t)
	r.writeAll(manyModules(20))
	r.commit("Grow")
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			cmd := exec.Command("causal", "update")
			cmd.Dir = r.dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("causal update: %v\n%s", err, out)
			}
		})
	}
	group.Wait()
	r.causal(cli.ExitClean, "check")
	sameAsScratch(t, r)
}
