package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/app/proof/trial"
	"github.com/causaldocs/causal/knowledge/store"
)

func git(ctx context.Context, dir string, args ...string) (string, error) {
	return trial.Git(ctx, dir, nil, args...)
}

// commit is one commit of the history.
type commit struct {
	ID      string `json:"id"`
	Subject string `json:"subject"`
}

func (c commit) String() string { return c.ID[:min(len(c.ID), 10)] + " " + c.Subject }

// history lists the last n first-parent commits and their base, oldest first.
func history(ctx context.Context, dir string, n int) ([]commit, error) {
	out, err := git(ctx, dir, "log", "--first-parent", "--reverse", "--max-count="+strconv.Itoa(n+1), "--format=%H %s")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", trial.ErrUnfit, err)
	}
	var list []commit
	for line := range strings.Lines(out) {
		id, subject, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		list = append(list, commit{id, subject})
	}
	return list, nil
}

// own are the paths where causal writes in a repository without a configuration.
func own() []string { return append([]string{store.Top}, pageDirs...) }

// refuseOwn fails when any of the commits holds files where causal writes: the walk leaves its own there from one
// commit to the next.
func refuseOwn(ctx context.Context, dir string, list []commit) error {
	first, last := list[0].ID, list[len(list)-1].ID
	there, err := git(ctx, dir, append([]string{"ls-tree", "--name-only", first, "--"}, own()...)...)
	if err != nil {
		return err
	}
	came, err := git(ctx, dir, append([]string{"log", "--first-parent", "--max-count=1", "--format=%H", first + ".." + last, "--"}, own()...)...)
	if err != nil {
		return err
	}
	if there != "" || came != "" {
		return fmt.Errorf("%w: it has files under %s in the commits to walk", trial.ErrUnfit, strings.Join(own(), " or "))
	}
	return nil
}

// checkout brings the work tree to a commit. Files that git does not know, as causal's own, stay.
func checkout(ctx context.Context, dir string, c commit) error {
	_, err := git(ctx, dir, "checkout", "--quiet", "--force", "--detach", c.ID)
	return err
}

// forget removes everything that causal ever wrote in a clone, its index included.
func forget(dir string) error {
	var err error
	for _, p := range append(own(), ".git/causal") {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, filepath.FromSlash(p))))
	}
	return err
}
