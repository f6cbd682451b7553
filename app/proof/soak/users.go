package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/causaldocs/causal/app/githubsim"
)

// mostCommits limits the changes per repository that affect its docs. The server pauses a repository with more commits per hour, because
// only a loop makes so many.
const mostCommits = 10

// place is a repository with simulated users.
type place struct {
	repo    *githubsim.Repository
	project *project
	left    int // of mostCommits
	texts   map[string]string

	mu   sync.Mutex // locked during an action
	head string     // the last known head of the default branch
}

func newPlace(sim *githubsim.Server, name string, random *rand.Rand) (*place, error) {
	p := &place{project: newProject(random, 4), left: mostCommits, texts: map[string]string{}}
	var err error
	if p.repo, err = sim.CreateRepository(name, githubsim.FromFiles(p.project.texts())); err != nil {
		return nil, err
	}
	p.head, err = p.read()
	return p, err
}

// read is the head of the default branch, without asking the simulated GitHub, which would slow it down.
func (p *place) read() (string, error) {
	text, err := os.ReadFile(filepath.Join(p.repo.Dir(), "refs", "heads", "main"))
	return strings.TrimSpace(string(text)), err
}

// published reports whether the server has moved the default branch.
func (p *place) published() bool {
	if !p.mu.TryLock() {
		return false
	}
	defer p.mu.Unlock()
	head, err := p.read()
	if err != nil || head == p.head {
		return false
	}
	p.head = head
	return true
}

// actions are the possible actions, repeated by weight.
var actions = []string{
	"push", "push", "push", "push", "push", "push", "open", "open", "extend", "extend", "replace", "close", "close", "reopen", "reopen", "merge",
}

const owner = "octo"

// act performs a random action and returns its name.
func (p *place) act() (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	action := actions[p.project.random.IntN(len(actions))]
	err := p.do(&action)
	if err != nil {
		return action, fmt.Errorf("%s: %s: %w", p.repo.FullName(), action, err)
	}
	p.head, err = p.read()
	return action, err
}

// do carries a action out, or a push where the action is not possible now.
func (p *place) do(action *string) error {
	open, closed := p.pulls()
	switch {
	case *action == "open" && len(open) < 2:
		branch := fmt.Sprintf("change-%d", p.project.name())
		if _, err := p.repo.Push(branch, p.propose(branch)); err != nil {
			return err
		}
		_, err := p.repo.OpenPull(branch, "main", "Propose "+branch, owner)
		return err
	case *action == "extend" && len(open) > 0:
		_, err := p.repo.Push(open[0].Head, p.propose(open[0].Head))
		return err
	case *action == "replace" && len(open) > 0:
		_, err := p.repo.ForcePush(open[0].Head, p.repo.Head("main"), p.propose(open[0].Head))
		return err
	case *action == "close" && len(open) > 0:
		return p.repo.ClosePull(open[0].Number, owner)
	case *action == "reopen" && len(closed) > 0:
		return p.repo.ReopenPull(closed[0].Number, owner)
	case *action == "merge" && len(open) > 0 && p.left > 0:
		p.left--
		_, err := p.repo.MergePull(open[0].Number, owner)
		return err
	}
	*action = "push"
	docs := p.left > 0 && p.project.random.IntN(3) > 0
	if docs {
		p.left--
	}
	_, err := p.repo.Push("main", p.project.change(docs))
	return err
}

// pulls returns the open pull requests and those closed without a merge, in random order.
func (p *place) pulls() (open, closed []githubsim.Pull) {
	list := p.repo.Pulls()
	p.project.random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	for _, pull := range list {
		switch {
		case pull.State == "open":
			open = append(open, pull)
		case !pull.Merged:
			closed = append(closed, pull)
		}
	}
	return open, closed
}

// propose adds a function to a file of this branch only, so a merge never conflicts.
func (p *place) propose(branch string) githubsim.Change {
	n := p.project.name()
	name := p.project.packages[n%len(p.project.packages)].name
	if p.texts[branch] == "" {
		p.texts[branch] = name + "\n"
	}
	name, text, _ := strings.Cut(p.texts[branch], "\n")
	text += fmt.Sprintf("\n// Proposed%d is proposed.\nfunc Proposed%d() {}\n", n, n)
	p.texts[branch] = name + "\n" + text
	return githubsim.Change{
		Write:   map[string]string{name + "/" + strings.ReplaceAll(branch, "-", "_") + ".go": "package " + name + "\n" + text},
		Message: "Propose a function",
	}
}

// act performs actions in random places until the context ends, and returns their counts.
func act(ctx context.Context, places []*place, random *rand.Rand, pause time.Duration) (map[string]int, error) {
	done := map[string]int{}
	for ctx.Err() == nil {
		action, err := places[random.IntN(len(places))].act()
		if err != nil {
			return done, err
		}
		done[action]++
		sleep(ctx, time.Duration(random.Int64N(int64(2*pause))))
	}
	return done, nil
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// anyPublished reports whether the server has committed somewhere since this was asked last.
func anyPublished(places []*place) bool {
	return slices.ContainsFunc(places, (*place).published)
}
