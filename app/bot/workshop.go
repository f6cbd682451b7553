package bot

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/store"
)

type workshop struct {
	*sandbox.Result

	at     workspace.Mirrored
	mirror *gitstore.Mirror
	files  *store.Dir
}

const repositories = "repositories"

func (b *Bot) kept(repository int64) string {
	return filepath.Join(b.config.Dir, repositories, strconv.FormatInt(repository, 10))
}

// open runs a task in the scratch directory of its lane. Close the workshop after use.
func (b *Bot) open(ctx context.Context, c Client, repo github.Repository, t sandbox.Task) (_ *workshop, err error) {
	t.Dir, t.URL = b.kept(repo.ID), repo.GitURL
	w := &workshop{at: workspace.Mirrored{Dir: t.Dir, Commit: t.Commit, Rules: t.Rules, Branch: t.Branch, Group: t.Group}}
	if t.Pull != nil {
		w.at.Pull = t.Pull.Number
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.Close())
		}
	}()
	if w.mirror, err = workspace.OpenMirror(ctx, t.Dir, workspace.Remote{URL: repo.GitURL, Token: c.Token}); err != nil {
		return nil, err
	}
	switch {
	case t.Pull != nil && t.Pull.Fork:
		w.mirror.Yield()
	case t.Pull == nil && t.Group == "": // the author of a pull request could make an eager fetch too large
		w.mirror.Eager()
	}
	if t.Group == "" && (t.Pull == nil || t.Pull.Lands) { // other runs publish nothing
		if t.Signer, err = b.config.Signer(repo.ID); err != nil {
			return nil, err
		}
	}
	if b.config.Model != nil && (t.Pull == nil || !t.Pull.Fork) { // forks must not spend the operator's tokens
		m, done := b.config.Model(ctx, repo, t.Dir)
		defer done()
		t.Model = m
	}
	if w.Result, err = b.config.Run(ctx, t, w.mirror); err != nil {
		return nil, err
	}
	w.files, err = w.at.Scratch()
	return w, err
}

// Close releases everything, once. It drops the index of the run unless it was kept.
func (w *workshop) Close() error {
	err := w.at.Drop()
	if w.files != nil {
		err = errors.Join(err, w.files.Close())
	}
	if w.mirror != nil {
		err = errors.Join(err, w.mirror.Close())
	}
	w.files, w.mirror = nil, nil
	return err
}

func (w *workshop) layout() store.Layout { return store.Layout{Docs: w.Docs} }
