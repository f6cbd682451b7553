package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/causaldocs/causal/app/githubsim"
	_ "github.com/causaldocs/causal/app/githubsim/openapi/contract" // validates every request with GitHub's OpenAPI description
	"github.com/causaldocs/causal/app/web"
)

// secret signs deliveries.
const secret = "soak-soak-soak" //nolint:gosec // it protects nothing

// newGitHub is a simulated GitHub with the App, without a rate limit.
func newGitHub(dir string) (*githubsim.Server, error) {
	return githubsim.New(githubsim.Options{
		Dir: filepath.Join(dir, "github"), Limit: 1 << 30,
		App: &githubsim.App{ID: 7, Slug: "causal", Name: "causal", Owner: owner, Secret: secret},
	})
}

// replica is a `causal serve` that is killed and restarted.
type replica struct {
	program, data, database string
	listen, admin           string
	public                  string // as GitHub reaches the server
	env                     []string
	log                     *os.File
	life                    *life
	seen                    atomic.Pointer[life] // the same, for who looks on meanwhile
}

// life is one process of a replica.
type life struct {
	cmd    *exec.Cmd
	ended  chan struct{}
	err    error     // that it ended with
	killed time.Time // zero unless the test killed it
}

// newReplica prepares a server with a new data directory and free ports. It uses SQLite without a database URL.
func newReplica(t *stage, sim *githubsim.Server, name, database string) (*replica, error) {
	r := &replica{program: t.causal, data: filepath.Join(t.dir, name), database: database}
	var err error
	for _, address := range []*string{&r.listen, &r.admin} {
		if *address, err = freeAddress(); err != nil {
			return nil, err
		}
	}
	r.public = "http://" + r.listen
	app := sim.App()
	c := web.Credentials{Host: sim.URL(), ID: app.ID, Slug: app.Slug, WebhookSecret: app.Secret, PrivateKey: app.PEM()}
	r.env = append(os.Environ(), strings.Split(strings.TrimSpace(c.Environment()), "\n")...)
	r.log, err = os.Create(r.data + ".log")
	return r, err
}

// nextPort stays below the ports that the system gives to connections: one of those could take a server's place between
// its death and its return.
var nextPort = 20000 + os.Getpid()%5000

// freeAddress returns an address that stays free while a server is down.
func freeAddress() (string, error) {
	for range 1000 {
		nextPort++
		address := net.JoinHostPort("127.0.0.1", strconv.Itoa(nextPort))
		l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", address)
		if err == nil {
			return address, l.Close()
		}
	}
	return "", errors.New("no port is free")
}

func (r *replica) start(ctx context.Context) error {
	args := []string{"serve", "--listen", r.listen, "--admin", r.admin, "--data", r.data, "--public-url", r.public}
	if r.database != "" {
		args = append(args, "--database-url", r.database)
	}
	l := &life{cmd: exec.CommandContext(ctx, r.program, args...), ended: make(chan struct{})}
	l.cmd.Env, l.cmd.Stdout, l.cmd.Stderr = r.env, r.log, r.log
	if err := l.cmd.Start(); err != nil {
		return fmt.Errorf("start the server: %w", err)
	}
	go func() {
		l.err = l.cmd.Wait()
		close(l.ended)
	}()
	r.life = l
	r.seen.Store(l)
	return nil
}

// alive returns an error if the server has exited unexpectedly.
func (r *replica) alive() error {
	select {
	case <-r.life.ended:
		return fmt.Errorf("the server exited unexpectedly: %w\n%s", errors.Join(r.life.err, errBroken), r.logTail())
	default:
		return nil
	}
}

// logTail are the end of the server's log, which goes with the directory.
func (r *replica) logTail() string {
	data, err := os.ReadFile(r.log.Name())
	if err != nil {
		return err.Error()
	}
	return string(data[max(0, len(data)-4<<10):])
}

// kill sends SIGKILL. It returns an error if the server has already exited.
func (r *replica) kill() error {
	err := r.alive()
	r.life.killed = time.Now()
	r.destroy()
	return err
}

// destroy kills the process, if any.
func (r *replica) destroy() {
	if r.life == nil {
		return
	}
	_ = r.life.cmd.Process.Kill() // fails only after the exit
	<-r.life.ended
}

// stop asks the server to end, which it has to do in order.
func (r *replica) stop() error {
	if err := r.life.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("stop the server: %w", err)
	}
	<-r.life.ended
	return errors.Join(r.life.err, r.log.Close())
}

// jobs returns the number of jobs by state, from the metrics.
func (r *replica) jobs(ctx context.Context) (map[string]int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+r.admin+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	jobs := map[string]int{}
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		label, value, _ := strings.Cut(lines.Text(), "} ")
		state, is := strings.CutPrefix(label, `causal_queue_jobs{state="`)
		if n, err := strconv.Atoi(value); is && err == nil {
			jobs[strings.TrimSuffix(state, `"`)] = n
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(jobs) == 0 {
		return nil, errors.New("the metrics have no jobs")
	}
	return jobs, nil
}

// ready waits until the server answers.
func (r *replica) ready(ctx context.Context) error {
	return eventually(ctx, time.Minute, func() (bool, error) {
		if err := r.alive(); err != nil {
			return false, err
		}
		_, err := r.jobs(ctx)
		return err == nil, nil
	})
}

var errPatience = errors.New("timeout")

// eventually waits until something holds.
func eventually(ctx context.Context, patience time.Duration, holds func() (bool, error)) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errPatience)
	defer cancel()
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for {
		if ok, err := holds(); ok || err != nil {
			return err
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
