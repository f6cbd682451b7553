package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/proof/trial"
	"github.com/causaldocs/causal/webhooks"
	"github.com/causaldocs/causal/webhooks/queue"
)

const (
	files      = 5000
	rounds     = 9 // the server may commit 10 times within an hour
	mostWrites = 4 // to GitHub, of one push
	// firstRun is how long the server may take over a repository that it sees for the first time.
	firstRun = 10 * time.Minute
	// longestPush is how long it may take to publish the docs of a push, on a machine that is busy with others.
	longestPush = time.Minute
	// mostProcessor is the processor time of a server and its children for one push.
	mostProcessor = 300 * time.Millisecond
	// mostBytes is how much may be fetched for an edit of one file.
	mostBytes = int64(1 << 20)
)

// round is the cost of one push.
type round struct {
	published time.Duration // since the push
	run       time.Duration // of the job
	processor time.Duration // of the server and its children
	bytes     int64         // that the server fetched
	git       time.Duration // of a bare git fetch of the same commit
	gitBytes  int64
	writes    int
	checks    int    // check runs on the pushed commit
	commit    string // of the server
}

// pushing is the trial in progress.
type pushing struct {
	*stage

	sim    *githubsim.Server
	repo   *githubsim.Repository
	server *replica
	bare   string // a repository that has everything up to the last push
}

func measurePushes(ctx context.Context, t *stage) (err error) {
	p := &pushing{stage: t, bare: filepath.Join(t.dir, "bare.git")}
	if p.sim, err = newGitHub(t.dir); err != nil {
		return err
	}
	defer func() {
		if p.server != nil {
			p.server.destroy()
		}
		err = errors.Join(err, p.sim.Close())
	}()
	first, err := p.begin(ctx)
	if err != nil {
		return err
	}
	var pushes []round
	for n := range rounds {
		r, err := p.push(ctx, n)
		if err != nil {
			return err
		}
		pushes = append(pushes, r)
	}
	if err := errors.Join(p.server.stop(), p.details(ctx, pushes)); err != nil {
		return err
	}
	for _, v := range p.sim.Violations() {
		t.fault("request violates GitHub's description: %s", v)
	}
	p.show(fmt.Sprintf("a push to a repository of %d files: median of %d, fastest to slowest", files, rounds), pushFigures(first, pushes, len(p.sim.Violations())))
	return nil
}

// begin makes the repository, and has the server document it for the first time.
func (p *pushing) begin(ctx context.Context) (time.Duration, error) {
	var err error
	if p.repo, err = p.sim.CreateRepository(owner+"/large", githubsim.FromFiles(synthesize())); err != nil {
		return 0, err
	}
	p.repo.SetPrivate(false)
	if p.server, err = newReplica(p.stage, p.sim, "server", ""); err != nil {
		return 0, err
	}
	if err := errors.Join(p.server.start(ctx), p.server.ready(ctx)); err != nil {
		return 0, err
	}
	p.sim.SetWebhook(p.server.public + webhooks.DefaultPath)
	head := p.repo.Head("main")
	began := time.Now()
	if _, err := p.sim.Install(p.repo); err != nil {
		return 0, err
	}
	p.say("push: the first run over %d files", files)
	if _, err := p.published(ctx, head, firstRun); err != nil {
		return 0, err
	}
	took := time.Since(began)
	_, err = trial.Output(ctx, p.dir, "git", "clone", "-q", "--bare", p.repo.CloneURL(), p.bare)
	return took, errors.Join(err, p.idle(ctx))
}

// idle waits until the server has no deliveries and no jobs left.
func (p *pushing) idle(ctx context.Context) error {
	return eventually(ctx, time.Minute, func() (bool, error) {
		if err := p.sim.Settle(ctx); err != nil {
			return false, err
		}
		jobs, err := p.server.jobs(ctx)
		return jobs["queued"]+jobs["running"]+jobs["waiting"] == 0, err
	})
}

// published waits until the branch leaves a commit, and returns its new head.
func (p *pushing) published(ctx context.Context, commit string, patience time.Duration) (string, error) {
	file := filepath.Join(p.repo.Dir(), "refs", "heads", "main")
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for end := time.After(patience); ; {
		text, err := os.ReadFile(file)
		if head := strings.TrimSpace(string(text)); err == nil && head != commit {
			return head, nil
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return "", ctx.Err()
		case <-end:
			return "", fmt.Errorf("no commit was published; see %s", p.server.log.Name())
		}
	}
}

// push edits one file, and then has git fetch the same commit.
func (p *pushing) push(ctx context.Context, n int) (round, error) {
	name := fmt.Sprintf("p%04d/f1.go", n)
	text, found := p.repo.Read("main", name)
	if !found {
		return round{}, fmt.Errorf("%s does not exist: the repository is too small for the number of rounds", name)
	}
	writes := len(p.sim.Writes(p.repo))
	pid := p.server.life.cmd.Process.Pid
	before, err := processorTime(pid)
	if err != nil {
		return round{}, err
	}
	head, err := p.repo.Push("main", githubsim.Change{Write: map[string]string{name: text + "\n// Added is new.\nfunc Added() {}\n"}, Message: "Add a function"})
	if err != nil {
		return round{}, err
	}
	began := time.Now()
	var r round
	if r.commit, err = p.published(ctx, head, longestPush); err != nil {
		return r, err
	}
	r.published = time.Since(began)
	if err := p.idle(ctx); err != nil {
		return r, err
	}
	after, err := processorTime(pid)
	if err != nil {
		return r, err
	}
	r.processor = after - before
	r.checks = len(p.repo.CheckRuns(head))
	r.writes = len(p.sim.Writes(p.repo)) - writes
	r.git, r.gitBytes, err = p.fetch(ctx, head)
	return r, err
}

// fetch runs a bare git fetch of a commit, and returns its time and size.
func (p *pushing) fetch(ctx context.Context, commit string) (time.Duration, int64, error) {
	trace := filepath.Join(p.dir, "trace-"+commit)
	cmd := exec.CommandContext(ctx, "git", "-c", "fetch.unpackLimit=1", "fetch", "--progress", "--no-tags", "origin", commit)
	cmd.Dir, cmd.Env = p.bare, append(os.Environ(), "GIT_TRACE2_EVENT="+trace)
	began := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, 0, fmt.Errorf("git fetch: %w\n%s", err, out)
	}
	took := time.Since(began)
	data, err := os.ReadFile(trace)
	var bytesFetched int64
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		var event struct{ Category, Key, Value string }
		if json.Unmarshal(lines.Bytes(), &event) == nil && event.Category == "progress" && event.Key == "total_bytes" {
			n, _ := strconv.ParseInt(event.Value, 10, 64) // git writes numbers
			bytesFetched += n
		}
	}
	return took, bytesFetched, err
}

// details adds the server's own measurements.
func (p *pushing) details(ctx context.Context, rounds []round) error {
	q, err := queue.Open(ctx, "sqlite://"+filepath.ToSlash(filepath.Join(p.server.data, "queue.db")), queue.Options{})
	if err != nil {
		return err
	}
	runs, err := q.Runs(ctx, queue.Filter{Limit: 1000})
	if err := errors.Join(err, q.Close()); err != nil {
		return err
	}
	for _, run := range runs {
		var d bot.Detail
		if len(run.Detail) == 0 {
			continue
		}
		if err := json.Unmarshal(run.Detail, &d); err != nil {
			return fmt.Errorf("read run %d: %w", run.ID, err)
		}
		for i := range rounds {
			if d.Commit == rounds[i].commit {
				rounds[i].run, rounds[i].bytes = run.Ended.Sub(run.Started), d.Fetched
			}
		}
	}
	return nil
}

func pushFigures(first time.Duration, rounds []round, violations int) []figure {
	told := 0
	for _, r := range rounds {
		told += r.checks
	}
	duration := func(of func(round) time.Duration) [3]time.Duration {
		return middle(rounds, func(r round) time.Duration { return of(r).Round(time.Microsecond) })
	}
	return []figure{
		measured("from the push to the published commit", duration(func(r round) time.Duration { return r.published }), longestPush),
		measured("the run, to the last of its writes", duration(func(r round) time.Duration { return r.run }), longestPush),
		measured("processor time of the server and its children", duration(func(r round) time.Duration { return r.processor }), mostProcessor),
		measured("git fetch of the pushed commit", duration(func(r round) time.Duration { return r.git }), longestPush),
		measured("bytes that the server fetched", middle(rounds, func(r round) int64 { return r.bytes }), mostBytes),
		measured("bytes that git fetch fetched", middle(rounds, func(r round) int64 { return r.gitBytes }), mostBytes),
		measured("writes to GitHub", middle(rounds, func(r round) int { return r.writes }), mostWrites),
		exactly("check runs on pushed commits", told, len(rounds)),
		atMost("the first run", first.Round(time.Millisecond), firstRun),
		exactly("requests outside of GitHub's description", violations, 0),
	}
}

// middle is the median, the least and the most.
func middle[T cmp.Ordered](rounds []round, of func(round) T) [3]T {
	list := make([]T, len(rounds))
	for i, r := range rounds {
		list[i] = of(r)
	}
	slices.Sort(list)
	return [3]T{list[len(list)/2], list[0], list[len(list)-1]}
}

// synthesize makes packages of ten files, each using the package before it.
func synthesize() map[string]string {
	out := map[string]string{"go.mod": "module example.com/made\n"}
	for n := range files / 10 {
		pkg := fmt.Sprintf("p%04d", n)
		for f := range 10 {
			text := fmt.Sprintf("package %s\n\n// F%d does %d.\nfunc F%d(a int) int { return a * %d }\n", pkg, f, f, f, n)
			if f == 0 && n > 0 {
				text = fmt.Sprintf("// Package %s is number %d.\npackage %s\n\nimport \"example.com/made/p%04d\"\n\n// F0 calls the one before.\nfunc F0() int { return p%04d.F1(1) }\n", pkg, n, pkg, n-1, n-1)
			}
			out[fmt.Sprintf("%s/f%d.go", pkg, f)] = text
		}
	}
	return out
}
