package confine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMain makes the test binary what starts others, or what is started and misbehaves.
func TestMain(m *testing.M) {
	if IsLauncher() {
		os.Exit(Launch())
	}
	if len(os.Args) > 2 && os.Args[1] == "misbehave" {
		misbehave(os.Args[2], os.Args[3:])
		return
	}
	os.Exit(m.Run())
}

// misbehave does what a program should not do, or be able to, and says what came of it.
func misbehave(how string, args []string) {
	var err error
	switch how {
	case "end":
		_, _ = fmt.Fprint(os.Stdout, "ended")
		os.Exit(7)
	case "environment":
		_, _ = fmt.Fprintln(os.Stdout, strings.Join(os.Environ(), "\n"))
	case "directory":
		dir, _ := os.Getwd()
		_, _ = fmt.Fprint(os.Stdout, dir)
	case "wait":
		select {}
	case "wait with a child":
		child := exec.Command(os.Args[0], "misbehave", "wait")
		child.Stdout = os.Stdout // has whoever reads that wait for the child, too
		if err = child.Start(); err == nil {
			_, _ = fmt.Fprintln(os.Stdout, child.Process.Pid)
			select {}
		}
	case "talk":
		line := bytes.Repeat([]byte("x"), 1<<20)
		for range 3 * said / len(line) {
			_, _ = os.Stdout.Write(line)
		}
	case "memory":
		much := make([]byte, 2*memory) // nothing is there before it is used: what counts is what may be
		_, _ = fmt.Fprint(os.Stdout, len(much))
	case "dial":
		_, err = net.Dial("tcp", args[0])
	case "listen":
		_, err = net.Listen("tcp", "127.0.0.1:0")
	case "datagram":
		_, err = net.Dial("udp", args[0])
	case "write":
		err = os.WriteFile(args[0], []byte("written"), 0o600)
	case "append":
		var f *os.File
		if f, err = os.OpenFile(args[0], os.O_APPEND|os.O_WRONLY, 0); err == nil {
			_, err = f.WriteString("more")
		}
	case "truncate":
		err = os.Truncate(args[0], 0)
	case "remove":
		err = os.Remove(args[0])
	case "make a directory":
		err = os.Mkdir(args[0], 0o700)
	case "make a link":
		err = os.Symlink("/", args[0])
	case "move":
		err = os.Rename(args[0], args[1])
	case "write with a child":
		err = exec.Command(os.Args[0], "misbehave", "write", args[0]).Run()
	case "read":
		var data []byte
		data, err = os.ReadFile(args[0])
		_, _ = fmt.Fprint(os.Stdout, string(data))
	case "much in a file":
		var f *os.File
		if f, err = os.Create(args[0]); err == nil {
			err = f.Truncate(fileSize + 1)
		}
	}
	if err != nil {
		_, _ = fmt.Fprint(os.Stdout, err)
		os.Exit(1)
	}
}

// started is the test binary as a program that misbehaves in a directory of its own.
func started(t *testing.T, how string, args ...string) (p Program, said *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	said = &bytes.Buffer{}
	return Program{Launcher: self, Dir: t.TempDir(), Path: self, Args: append([]string{"misbehave", how}, args...), Time: time.Minute, Out: said}, said
}

// linux skips what the kernel of Linux does alone.
func linux(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux takes that from a program")
	}
}

func TestEnd(t *testing.T) {
	t.Parallel()
	for _, launched := range []bool{true, false} {
		p, said := started(t, "end")
		if !launched {
			p.Launcher = ""
		}
		var exit *exec.ExitError
		if err := p.Run(t.Context()); !errors.As(err, &exit) || exit.ExitCode() != 7 || said.String() != "ended" {
			t.Errorf("launched %v: %v, said %q", launched, err, said)
		}
	}
}

func TestNothingToStart(t *testing.T) {
	t.Parallel()
	p, said := started(t, "end")
	p.Path = filepath.Join(p.Dir, "none")
	var exit *exec.ExitError // is what a program ends with that was started
	if err := p.Run(t.Context()); err == nil || errors.As(err, &exit) || !strings.Contains(said.String(), "no such file") && !strings.Contains(said.String(), "cannot find") {
		t.Errorf("got %v, said %q", err, said)
	}
}

// TestEnvironment: a program gets what it needs to run, and nothing that this process was told in confidence.
func TestEnvironment(t *testing.T) {
	t.Setenv("GITHUB_TOKEN", "secret")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	for _, launched := range []bool{true, false} {
		p, said := started(t, "environment")
		if p.Env = []string{"TZ=Asia/Tokyo"}; !launched {
			p.Launcher = ""
		}
		if err := p.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		var names []string
		for line := range strings.Lines(said.String()) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			names = append(names, name)
			if (name == "HOME" || name == "TMPDIR") && !strings.HasPrefix(value, p.Dir) {
				t.Errorf("%s is %s, outside of %s", name, value, p.Dir)
			}
		}
		slices.Sort(names)
		if runtime.GOOS != "windows" && strings.Join(names, " ") != "GOROOT HOME LC_ALL PATH TEMP TMP TMPDIR TZ" && strings.Join(names, " ") != "HOME LC_ALL PATH TEMP TMP TMPDIR TZ" {
			t.Errorf("launched %v: it knows %v", launched, names)
		}
	}
}

func TestDirectory(t *testing.T) {
	t.Parallel()
	p, said := started(t, "directory")
	p.Work = filepath.Join(p.Dir, "below")
	if err := errors.Join(os.Mkdir(p.Work, 0o700), p.Run(t.Context())); err != nil {
		t.Fatal(err)
	}
	want, _ := filepath.EvalSymlinks(p.Work)
	if got, _ := filepath.EvalSymlinks(said.String()); got != want {
		t.Errorf("it runs in %s, not in %s", got, want)
	}
}

// TestTime: what takes too long ends with all that it started.
func TestTime(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"wait", "wait with a child"} {
		p, said := started(t, how)
		p.Time = 500 * time.Millisecond
		start := time.Now()
		if err := p.Run(t.Context()); !errors.Is(err, ErrTime) {
			t.Errorf("%s: got %v", how, err)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: it took %v", how, took)
		}
		if pid := strings.TrimSpace(said.String()); runtime.GOOS == "linux" && pid != "" {
			status, there := []byte(nil), true
			for there && time.Since(start) < 20*time.Second { // the kernel ends a killed process when it is scheduled next
				var err error
				status, err = os.ReadFile("/proc/" + pid + "/status")
				if there = err == nil && !strings.Contains(string(status), "Z (zombie)"); there {
					time.Sleep(time.Millisecond)
				}
			}
			if there {
				t.Errorf("%s: its child is still there:\n%s", how, status)
			}
		}
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	p, _ := started(t, "wait")
	if err := p.Run(ctx); err == nil || errors.Is(err, ErrTime) {
		t.Errorf("got %v", err)
	}
}

// TestMemory: what takes too much ends, and nothing else with it.
func TestMemory(t *testing.T) {
	t.Parallel()
	linux(t)
	p, said := started(t, "memory")
	var exit *exec.ExitError
	if err := p.Run(t.Context()); !errors.As(err, &exit) || !strings.Contains(said.String(), "out of memory") {
		t.Errorf("got %v, said %.300q", err, said)
	}
}

// TestTalk: what says too much is heard to some length, and ends as it does.
func TestTalk(t *testing.T) {
	t.Parallel()
	p, heard := started(t, "talk")
	if err := p.Run(t.Context()); err != nil {
		t.Error(err)
	}
	if heard.Len() != said {
		t.Errorf("%d bytes are kept of what it said, not %d", heard.Len(), said)
	}
	p, _ = started(t, "talk")
	p.Out = nil
	if err := p.Run(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestNetwork(t *testing.T) {
	t.Parallel()
	linux(t)
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("the filter is written for amd64 and arm64")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip("no network here at all")
	}
	defer func() { _ = l.Close() }()
	for _, how := range []string{"dial", "datagram", "listen"} {
		p, said := started(t, how, l.Addr().String())
		if err := p.Run(t.Context()); err == nil || !strings.Contains(said.String(), "permission denied") {
			t.Errorf("%s: %v, said %q", how, err, said)
		}
		p, said = started(t, how, l.Addr().String())
		if p.Launcher = ""; p.Run(t.Context()) != nil {
			t.Errorf("%s fails also where it is not confined: %s", how, said)
		}
	}
}
