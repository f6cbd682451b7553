package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/proof/hostile"
	"github.com/causaldocs/causal/webhooks"
)

// Bounds during the attacks.
const (
	mostServer  = 300 << 20 // bytes of memory of the server
	mostChild   = 1<<30 + 64<<20
	mostDelay   = 2 * time.Second // from the delivery of a neighbour's push to its docs, the slowest of a hundred
	pushesEvery = 500 * time.Millisecond
	neighbours  = 20
	victims     = 4                // repositories that are attacked
	checkWait   = 30 * time.Minute // for the check runs of all attacks
)

// runAttacks sends the attacks to a server, and then through the command line and the Action.
func runAttacks(ctx context.Context, t *stage) error {
	if err := attackServer(ctx, t); err != nil {
		return err
	}
	return checkOut(ctx, t)
}

// attackTest is a server under attack, with other active repositories.
type attackTest struct {
	*stage

	sim     *githubsim.Server
	server  *replica
	victims []*githubsim.Repository
	forks   []*githubsim.Repository
	// neighbours take turns: the server writes docs so and so often an hour to one of them.
	neighbours []*githubsim.Repository
	heads      []attacked
	served     []served
	children   atomic.Int64 // the most memory that a child had
}

// attacked is an attack with its pull request.
type attacked struct {
	hostile.Attack

	in           *githubsim.Repository
	head, branch string
}

// served is a neighbour's push, and when its docs were there.
type served struct {
	head       string
	documented time.Time
}

// attackServer opens a pull request from a fork for each attack, and measures the effects on the server and on other repositories.
func attackServer(ctx context.Context, t *stage) (err error) {
	b := &attackTest{stage: t}
	if b.sim, err = newGitHub(t.dir); err != nil {
		return err
	}
	defer func() {
		if b.server != nil {
			b.server.destroy()
		}
		err = errors.Join(err, b.sim.Close())
	}()
	if err := b.begin(ctx); err != nil {
		return err
	}
	if err := b.prepare(ctx); err != nil { // before the measurement, because it needs processor time
		return err
	}
	if err := b.attack(); err != nil {
		return err
	}
	began := time.Now()
	watching, stop := context.WithCancel(ctx)
	var group sync.WaitGroup
	var pushing error
	group.Go(func() { pushing = b.pushRepeatedly(watching) })
	group.Go(func() { b.watch(watching) })
	err = b.told(ctx)
	stop()
	group.Wait()
	if err = errors.Join(err, pushing, b.server.alive()); err != nil {
		return err
	}
	return b.hold(time.Since(began))
}

// begin has the server document the victims and the neighbours.
func (b *attackTest) begin(ctx context.Context) (err error) {
	shop := map[string]string{
		"go.mod": "module example.com/shop\n", "README.md": "# Shop\n\nSells things.\n",
		"money/money.go": "// Package money holds amounts.\npackage money\n\n// Amount is in cents.\ntype Amount int64\n",
		"cart/cart.go":   "// Package cart adds up.\npackage cart\n\nimport \"example.com/shop/money\"\n\nfunc Total() money.Amount { return 0 }\n",
	}
	make := func(name string) (*githubsim.Repository, error) {
		r, err := b.sim.CreateRepository(owner+"/"+name, githubsim.FromFiles(shop))
		if err == nil {
			r.SetPrivate(false)
		}
		return r, err
	}
	for n := range neighbours {
		r, err := make(fmt.Sprintf("neighbour-%d", n))
		if err != nil {
			return err
		}
		b.neighbours = append(b.neighbours, r)
	}
	for n := range victims {
		v, err := make(fmt.Sprintf("victim-%d", n))
		if err != nil {
			return err
		}
		b.victims = append(b.victims, v)
	}
	if b.server, err = newReplica(b.stage, b.sim, "server", ""); err != nil {
		return err
	}
	if err := errors.Join(b.server.start(ctx), b.server.ready(ctx)); err != nil {
		return err
	}
	b.sim.SetWebhook(b.server.public + webhooks.DefaultPath)
	if _, err := b.sim.Install(slices.Concat(b.victims, b.neighbours)...); err != nil {
		return err
	}
	for _, r := range slices.Concat(b.victims, b.neighbours) {
		if _, err := documented(ctx, r, "", firstRun); err != nil {
			return err
		}
	}
	for _, v := range b.victims {
		fork, err := v.Fork("mallory")
		if err != nil {
			return err
		}
		b.forks = append(b.forks, fork)
	}
	return nil
}

// documented waits until the head of main is a commit of docs other than a former one.
func documented(ctx context.Context, r *githubsim.Repository, former string, patience time.Duration) (string, error) {
	end := time.Now().Add(patience)
	for {
		head := r.Head("main")
		if log, err := r.Log("main"); err == nil && head != former && len(log) > 0 && strings.HasPrefix(log[0][1], "Update docs") {
			return head, nil
		}
		if time.Now().After(end) {
			return "", fmt.Errorf("the docs of %s are not published within %v", r.FullName(), patience)
		}
		sleep(ctx, 5*time.Millisecond)
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
	}
}

// pushRepeatedly pushes to a neighbour again and again, and notes when its docs are there.
func (b *attackTest) pushRepeatedly(ctx context.Context) error {
	for n := 0; ; n++ {
		text := fmt.Sprintf("// Package money holds amounts.\npackage money\n\n// Amount is in cents, for the %dth time.\ntype Amount int64\n", n)
		r := b.neighbours[n%len(b.neighbours)]
		head, err := r.Push("main", githubsim.Change{Write: map[string]string{"money/money.go": text}, Message: "Change it"})
		if err != nil {
			return err
		}
		_, err = documented(ctx, r, head, 5*time.Minute)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		b.served = append(b.served, served{head, time.Now()})
		sleep(ctx, pushesEvery)
	}
}

// watch notes the most memory that a child had.
func (b *attackTest) watch(ctx context.Context) {
	parent := strconv.Itoa(b.server.life.cmd.Process.Pid)
	for ctx.Err() == nil {
		found, _ := filepath.Glob("/proc/[0-9]*/status")
		for _, name := range found {
			if s := statusOf(name); s["PPid"] == parent {
				b.children.Store(max(b.children.Load(), bytesOf(s["VmRSS"])))
			}
		}
		sleep(ctx, 20*time.Millisecond)
	}
}

// statusOf reads a status file of /proc; nil elsewhere.
func statusOf(name string) map[string]string {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	out := map[string]string{}
	for line := range strings.Lines(string(data)) {
		key, value, _ := strings.Cut(line, ":")
		out[key] = strings.TrimSpace(value)
	}
	return out
}

func bytesOf(kilobytes string) int64 {
	n, _ := strconv.ParseInt(strings.TrimSuffix(kilobytes, " kB"), 10, 64)
	return n << 10
}

// prepare makes the commits of the attacks.
func (b *attackTest) prepare(ctx context.Context) error {
	for n, a := range hostile.Attacks() {
		at := n % len(b.victims)
		branch := fmt.Sprintf("attack-%d", n)
		if err := a.Commit(ctx, b.forks[at].Dir(), branch, b.forks[at].Head("main")); err != nil {
			b.say("hostile: skipped, git rejects it: %s: %v", a.Label, err)
			continue
		}
		b.heads = append(b.heads, attacked{a, b.victims[at], b.forks[at].Head(branch), branch})
	}
	if len(b.heads) == 0 {
		return errors.New("there is no such attack")
	}
	return nil
}

// attack opens all pull requests first and then delivers all webhooks, because the simulated GitHub needs more processor time than the
// server.
func (b *attackTest) attack() error {
	b.sim.Hold()
	defer b.sim.Release(false)
	for _, a := range b.heads {
		if _, err := a.in.OpenPull("mallory:"+a.branch, "main", a.Title, "mallory"); err != nil {
			return fmt.Errorf("propose %q: %w", a.Label, err)
		}
	}
	b.say("hostile: %d pull requests are open", len(b.heads))
	return nil
}

// told waits until every attack has a completed check run.
func (b *attackTest) told(ctx context.Context) error {
	open, said := slices.Clone(b.heads), time.Now()
	err := eventually(ctx, checkWait, func() (bool, error) {
		open = slices.DeleteFunc(open, func(a attacked) bool {
			return slices.ContainsFunc(a.in.CheckRuns(a.head), func(r githubsim.CheckRun) bool { return r.Status == "completed" })
		})
		if time.Since(said) > 15*time.Second {
			jobs, err := b.server.jobs(ctx)
			b.say("hostile: %d without a check run; jobs: %v %v", len(open), jobs, err)
			said = time.Now()
		}
		return len(open) == 0, b.server.alive()
	})
	if errors.Is(err, errPatience) {
		for _, a := range open {
			b.fault("no check run for: %s", a.Label)
		}
		return nil
	}
	return err
}

// delays are the sorted times from the delivery of a push to its docs, without the time until the delivery.
func (b *attackTest) delays() []time.Duration {
	told := map[string]time.Time{}
	for _, d := range b.sim.Deliveries() {
		var push struct{ After string }
		if d.Event == "push" && json.Unmarshal(d.Payload, &push) == nil && told[push.After].IsZero() {
			told[push.After] = d.Sent
		}
	}
	out := make([]time.Duration, 0, len(b.served))
	for _, p := range b.served {
		out = append(out, p.documented.Sub(told[p.head]))
	}
	slices.Sort(out)
	return out
}

// hold compares the measurements with their bounds.
func (b *attackTest) hold(took time.Duration) error {
	server := bytesOf(statusOf(fmt.Sprintf("/proc/%d/status", b.server.life.cmd.Process.Pid))["VmHWM"])
	delays := b.delays()
	if len(delays) == 0 {
		return errors.New("the neighbours did not push")
	}
	p99 := delays[len(delays)*99/100]
	b.table("attacks", []any{"pull requests", len(b.heads)}, []any{"time", took.Round(time.Second)},
		[]any{"neighbours' pushes", len(delays)}, []any{"their docs, median", delays[len(delays)/2].Round(time.Millisecond)},
		[]any{"their docs, p99", p99.Round(time.Millisecond)}, []any{"memory of the server, MB", server >> 20}, []any{"of a child, at most, MB", b.children.Load() >> 20})
	words := map[string]int{}
	for _, a := range b.heads {
		for _, r := range a.in.CheckRuns(a.head) {
			words[r.Conclusion]++
			if strings.Contains(r.Title, "analysis stopped") {
				words["of these stopped"]++
				b.say("hostile: %s: %s", a.Label, r.Title)
			}
		}
	}
	b.table("check runs", []any{words})
	if p99 > mostDelay {
		b.fault("a neighbour's docs took %v, at most %v", p99, mostDelay)
	}
	if server > mostServer {
		b.fault("the server had %d MB of memory, at most %d", server>>20, mostServer>>20)
	}
	if n := b.children.Load(); n > mostChild {
		b.fault("a child had %d MB of memory, at most %d", n>>20, int64(mostChild)>>20)
	}
	for _, v := range b.sim.Violations() {
		b.fault("request violates GitHub's description: %s", v)
	}
	return nil
}
