package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/webhooks"
)

// killSettings of the trial of kills.
type killSettings struct {
	times, children, repositories int
	seed                          uint64
}

var standard = killSettings{times: 200, children: 200, repositories: 20, seed: 1}

const (
	longestLife = 3 * time.Second        // of a server that is killed at any moment
	longestWait = 15 * time.Second       // for a commit of the server, after which it is killed anyhow
	atWork      = 60 * time.Millisecond  // after a commit of the server, when it still has things to write
	pause       = 200 * time.Millisecond // mean time between two actions
	// behind is the clock skew of the simulated GitHub. A sweep ignores recent deliveries; the skew makes every delivery old enough for
	// the first sweep.
	behind = 40 * time.Second
	// settling is the time limit for recovery: a rescue, several sweeps, and the longest backoff, of a job whose servers were killed
	// repeatedly before one of its children was.
	settling = 25 * time.Minute
	// killingTime is the time limit for all kills. Children start only as often as pushes arrive.
	killingTime = 30 * time.Minute
)

// killServers kills one server on SQLite, and two replicas on PostgreSQL if it is available.
func killServers(ctx context.Context, t *stage) error {
	if err := newSoak(&standard, t, "one server on SQLite").run(ctx, ""); err != nil {
		return err
	}
	server := os.Getenv(postgresSetting)
	if server == "" {
		t.say("kills: no two replicas without " + postgresSetting)
		return nil
	}
	address, drop, err := createDatabase(ctx, server)
	if err != nil {
		return err
	}
	t.dir = filepath.Join(t.dir, "replicas")
	if err := os.Mkdir(t.dir, 0o755); err != nil {
		return err
	}
	return errors.Join(newSoak(&standard, t, "two replicas on PostgreSQL").run(ctx, address), drop())
}

// soak is a series of kills, with its counts.
type soak struct {
	*killSettings
	*stage

	title    string
	random   *rand.Rand
	sim      *githubsim.Server
	places   []*place
	replicas []*replica
	front    *front // of several replicas

	childKiller *childKiller
	tally
}

func newSoak(s *killSettings, t *stage, title string) *soak {
	return &soak{
		killSettings: s, stage: t, title: title, tally: *newTally(*s),
		random: rand.New(rand.NewPCG(s.seed, 0)), //nolint:gosec // reproducible
	}
}

func (s *soak) run(ctx context.Context, database string) (err error) {
	if s.sim, err = newGitHub(s.dir); err != nil {
		return err
	}
	defer func() {
		for _, r := range s.replicas {
			r.destroy()
		}
		err = errors.Join(err, s.sim.Close())
	}()
	s.sim.Skew(-behind)
	if err := s.begin(ctx, database); err != nil {
		return err
	}
	if err := s.killing(ctx); err != nil {
		return err
	}
	if err := s.settle(ctx); err != nil {
		return err
	}
	if err := s.audit(ctx); err != nil {
		return err
	}
	return s.report(ctx)
}

// begin makes the repositories, starts the servers and installs the App.
func (s *soak) begin(ctx context.Context, database string) error {
	var repos []*githubsim.Repository
	for n := range s.repositories {
		random := rand.New(rand.NewPCG(s.seed, uint64(n+1))) //nolint:gosec // reproducible
		p, err := newPlace(s.sim, fmt.Sprintf("%s/made-%02d", owner, n), random)
		if err != nil {
			return err
		}
		s.places, repos = append(s.places, p), append(repos, p.repo)
	}
	names := []string{"server"}
	if database != "" {
		names = []string{"replica-1", "replica-2"}
	}
	for _, name := range names {
		r, err := newReplica(s.stage, s.sim, name, database)
		if err != nil {
			return err
		}
		s.replicas = append(s.replicas, r)
	}
	address := s.replicas[0].public
	if len(s.replicas) > 1 {
		var err error
		if s.front, err = newFront(ctx, s.replicas); err != nil {
			return err
		}
		address = s.front.url
	}
	for _, r := range s.replicas {
		r.public = address
		if err := errors.Join(r.start(ctx), r.ready(ctx)); err != nil {
			return err
		}
	}
	s.sim.SetWebhook(address + webhooks.DefaultPath)
	_, err := s.sim.Install(repos...)
	return err
}

// killing kills the servers in turn, and their children, at random moments during other activity.
func (s *soak) killing(ctx context.Context) error {
	ctx, rest := context.WithTimeout(ctx, killingTime)
	defer rest()
	acting, done := context.WithCancel(ctx)
	defer done()
	people, observed := rand.New(rand.NewPCG(s.seed, 1<<32)), rand.New(rand.NewPCG(s.seed, 1<<33)) //nolint:gosec // they have to be the same every time
	s.childKiller = newChildKiller(observed, s.replicas, s.asked.children)
	var group sync.WaitGroup
	var errs [3]error
	group.Go(func() {
		s.actions, errs[0] = act(acting, s.places, people, pause)
		done()
	})
	var childKills sync.WaitGroup
	for i, childKill := range []func(context.Context) error{s.childKiller.killChildren, s.killInTurn} {
		childKills.Go(func() {
			if errs[1+i] = childKill(acting); errs[1+i] != nil {
				done()
			}
		})
	}
	childKills.Wait()
	done()
	group.Wait()
	if err := context.Cause(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return errors.Join(errs[:]...)
}

// killInTurn kills one server after the other. The figures show missing kills.
func (s *soak) killInTurn(ctx context.Context) error {
	for n := range s.times {
		if s.moment(ctx, n); ctx.Err() != nil {
			return nil
		}
		r := s.replicas[n%len(s.replicas)]
		if err := errors.Join(r.kill(), r.start(context.WithoutCancel(ctx))); err != nil {
			return err
		}
		if s.kills++; s.kills%20 == 0 {
			s.say("%s: %d of %d kills", s.title, s.kills, s.times)
		}
	}
	return nil
}

// moment waits for the next kill. Half of them come at a random time in the life of a server; the others soon after a commit of the
// server, before it has reported and recorded it.
func (s *soak) moment(ctx context.Context, n int) {
	if n%2 == 0 {
		sleep(ctx, time.Duration(s.random.Int64N(int64(longestLife))))
		return
	}
	look := time.NewTicker(2 * time.Millisecond)
	defer look.Stop()
	anyPublished(s.places) // ignore earlier commits
	for end := time.After(longestWait); ; {
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		case <-end:
			return
		}
		if anyPublished(s.places) {
			s.struck++
			sleep(ctx, time.Duration(s.random.Int64N(int64(atWork))))
			return
		}
	}
}

// settle waits until all deliveries were answered and nothing is left to do.
func (s *soak) settle(ctx context.Context) error {
	began := time.Now()
	s.say("%s: settling", s.title)
	var quiet, deliveries int
	err := eventually(ctx, settling, func() (bool, error) {
		if err := s.sim.Settle(ctx); err != nil {
			return false, err
		}
		now, err := s.replicas[0].jobs(ctx)
		if err != nil {
			return false, nil // it is starting
		}
		known := deliveries
		s.jobs, deliveries = now, len(s.sim.Deliveries())
		if quiet++; now["queued"]+now["running"]+now["waiting"] > 0 || deliveries != known {
			quiet = 0
		}
		return quiet > 8, nil
	})
	s.settled = time.Since(began)
	if errors.Is(err, errPatience) { // the figures show the remaining jobs
		return nil
	}
	return err
}
