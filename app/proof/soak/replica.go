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
	_ "github.com/causaldocs/causal/app/githubsim/openapi/contract" // every request is held to GitHub's description
	"github.com/causaldocs/causal/app/proof/trial"
	"github.com/causaldocs/causal/app/web"
)

// build builds the program that is put to the test, as it is released.
func build(ctx context.Context, dir string) (string, error) {
	program := filepath.Join(dir, "causal")
	if err := trial.Build(ctx, program); err != nil {
		return "", err
	}
	return program, nil
}

// secret signs deliveries that nobody else sees.
const secret = "soak-soak-soak" //nolint:gosec // it protects nothing

// newGitHub is a simulated GitHub with the App. What it would take in an hour is not what is looked at.
func newGitHub(dir string) (*githubsim.Server, error) {
	return githubsim.New(githubsim.Options{
		Dir: filepath.Join(dir, "github"), Limit: 1 << 30,
		App: &githubsim.App{ID: 7, Slug: "causal", Name: "causal", Owner: somebody, Secret: secret},
	})
}

// replica is one `causal serve`, which is killed and started again.
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
	killed time.Time // by its replica; zero where it was not
}

// newReplica prepares a server of its own data directory on free ports. One without a database of its own has SQLite.
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

// freeAddress is one that a server can return to.
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

// alive is an error where the server has ended by itself.
func (r *replica) alive() error {
	select {
	case <-r.life.ended:
		return fmt.Errorf("the server ended by itself: %w\n%s", errors.Join(r.life.err, errBroken), r.lastWords())
	default:
		return nil
	}
}

// lastWords are the end of the server's log, which goes with the directory.
func (r *replica) lastWords() string {
	data, err := os.ReadFile(r.log.Name())
	if err != nil {
		return err.Error()
	}
	return string(data[max(0, len(data)-4<<10):])
}

// kill is kill -9. A server that is dead already has failed by itself.
func (r *replica) kill() error {
	err := r.alive()
	r.life.killed = time.Now()
	r.destroy()
	return err
}

// destroy leaves no process behind, whatever has become of it.
func (r *replica) destroy() {
	if r.life == nil {
		return
	}
	_ = r.life.cmd.Process.Kill() // which fails only where it has ended
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

// jobs are the jobs by their state, as the admin port tells them.
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
		return nil, errors.New("the metrics tell nothing of jobs")
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

var errPatience = errors.New("it does not come to pass")

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
