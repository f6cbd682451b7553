package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/record"
	"github.com/causaldocs/causal/review/rules"
)

// MemoryAt reads the review memory of a commit. For a pull request that is its base, never its own head. Files that
// cannot be read are in unread and do not fail the review, because the change may be what repairs them.
func (w *Workspace) MemoryAt(ctx context.Context, commit string) (m *review.Memory, unread []finding.Skipped, err error) {
	files, err := w.committed(ctx, commit, ofReviews)
	broken := errors.Is(err, gitstore.ErrTooLarge)
	if err == nil {
		m, err = review.Remember(files)
		broken = err != nil
	}
	if broken {
		reason := "the records of earlier changes cannot be read: " + err.Error()
		return &review.Memory{}, []finding.Skipped{{Path: store.Top, Reason: reason}}, nil
	}
	return m, nil, err
}

// Remember reads the review memory of the workspace. Its errors need a fix by the user.
func (w *Workspace) Remember() (*review.Memory, error) {
	m, err := review.Remember(w.Files)
	if err != nil {
		return nil, &MemoryError{err}
	}
	return m, nil
}

// MemoryError reports a review memory that cannot be read.
type MemoryError struct{ Err error }

func (e *MemoryError) Error() string { return e.Err.Error() }

func (e *MemoryError) Unwrap() error { return e.Err }

// Carry copies records and events of a commit that the workspace lacks, and declines the candidates that the commit
// declines. The commit has proposals that are not merged yet. Carry reports whether it copied events.
func (w *Workspace) Carry(ctx context.Context, commit string) (events bool, err error) {
	log, err := w.Files.Below(store.Log)
	if err != nil && !errors.Is(err, store.ErrOccupied) {
		return false, err
	}
	there := map[string]bool{}
	for _, name := range log {
		there[name] = true
	}
	files, err := w.committed(ctx, commit, func(name string) bool { return ofReviews(name) || ledger.IsBatch(name) && !there[name] })
	if err != nil {
		return false, err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !ledger.IsBatch(name) || ledger.BatchPath(files[name]) != name {
			continue
		}
		events = true
		if _, err := w.Files.Write(name, files[name]); err != nil {
			return false, err
		}
	}
	return events, w.carryRecords(files)
}

func (w *Workspace) carryRecords(files committed) error {
	if err := w.carryDeclined(files); err != nil {
		return err
	}
	there, err := w.Files.List(record.Dir)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if _, ok := record.KeyOf(name); !ok || slices.Contains(there, name) {
			continue
		}
		if _, err := w.Files.Write(name, files[name]); err != nil {
			return err
		}
	}
	return nil
}

func ofReviews(name string) bool {
	dir := path.Dir(name)
	return dir == record.Dir || dir == principle.Dir
}

// carryDeclined applies declined candidates, unless the user has changed their status since. Only people decline a
// principle.
func (w *Workspace) carryDeclined(files committed) error {
	own, err := principle.All(w.Files)
	if err != nil {
		return err
	}
	declined := map[string]principle.Status{}
	for _, c := range principle.Candidates(nil, own, w.Config.Review.Policy()) {
		if files.decline(c.Slug) {
			declined[c.Slug] = principle.Declined
		}
	}
	_, err = w.EndPrinciples(declined)
	return err
}

func (w *Workspace) committed(ctx context.Context, commit string, wanted func(name string) bool) (committed, error) {
	if w.Mirror != nil {
		if err := w.Mirror.Fetch(ctx, commit); err != nil {
			return nil, err
		}
	}
	list, err := w.Repo.Tree(ctx, commit)
	if err != nil {
		return nil, err
	}
	named, ids, files := map[string][]string{}, []string(nil), committed{}
	for _, e := range list {
		if (e.Mode == gitstore.Regular || e.Mode == gitstore.Executable) && wanted(e.Path) {
			named[e.ID] = append(named[e.ID], e.Path)
			ids = append(ids, e.ID)
		}
	}
	err = w.Repo.ReadBlobs(ctx, ids, store.LargestFile, func(b gitstore.Blob) error {
		if b.Size > store.LargestFile {
			return fmt.Errorf("%s has %d bytes: %w", named[b.ID][0], b.Size, gitstore.ErrTooLarge)
		}
		for _, name := range named[b.ID] {
			files[name] = slices.Clone(b.Content)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read causal's files of %s: %w", commit, err)
	}
	return files, nil
}

// committed has files of a commit by path. It implements record.Kept.
type committed map[string][]byte

func (c committed) Read(name string) ([]byte, error) {
	data, ok := c[name]
	if !ok {
		return nil, fmt.Errorf("read %s: %w", name, fs.ErrNotExist)
	}
	return data, nil
}

func (c committed) List(dir string) ([]string, error) {
	var names []string
	for name := range c {
		if path.Dir(name) == dir {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

func (c committed) decline(slug string) bool {
	name := principle.Path(slug)
	p, err := principle.Read(name, c[name])
	return err == nil && p.Status == principle.Declined
}

// EndPrinciples demotes or declines principles and returns the ones that changed. It skips missing principles.
func (w *Workspace) EndPrinciples(slugs map[string]principle.Status) (ended []string, err error) {
	for _, slug := range slices.Sorted(maps.Keys(slugs)) {
		name := principle.Path(slug)
		if known, ok := principle.SlugOf(name); !ok || known != slug {
			continue
		}
		data, err := w.Files.Read(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			data, err = principle.End(name, data, slugs[slug])
		}
		if err != nil {
			return nil, &MemoryError{err}
		}
		if _, err := w.Files.Write(name, data); err != nil {
			return nil, err
		}
		ended = append(ended, slug)
	}
	return ended, nil
}

// Asks reports whether a pull request asks which principles are approved. Runs that write nothing ask nothing.
func (w *Workspace) Asks() bool {
	return w.Config.Review.Approval == config.ApprovalPullRequest && w.Config.Bot.Mode != config.ModeCheck && !w.Config.Bot.DryRun
}

// AsksAnew reports whether that pull request may need an update: a principle waits for approval, or this run has
// changed principles.
func (w *Workspace) AsksAnew(written []string) (bool, error) {
	if !w.Asks() || slices.Contains(written, rules.Page(w.Layout)) {
		return w.Asks(), nil
	}
	files, err := principle.All(w.Files)
	return len(principle.Candidates(nil, files, w.Config.Review.Policy())) > 0, err
}

// Candidates lists the principles of the workspace's commit that wait for approval, except those that the commit
// proposed declines; it has events that are not merged yet. pull is the head of the last pull request for approvals. A
// closed one is not asked about again. Both may be empty.
func (w *Workspace) Candidates(ctx context.Context, proposed, pull string, open bool) (*report.Candidates, error) {
	memory, unread, err := w.MemoryAt(ctx, w.Commit.ID)
	if err != nil {
		return nil, err
	}
	if len(unread) > 0 {
		return nil, &MemoryError{errors.New(unread[0].Reason)}
	}
	next, err := w.principlesOf(ctx, proposed)
	if err != nil {
		return nil, err
	}
	asked, err := w.principlesOf(ctx, pull)
	if err != nil {
		return nil, err
	}
	waiting := slices.DeleteFunc(principle.Candidates(memory.Records, memory.Principles, w.Config.Review.Policy()), func(c principle.Waiting) bool {
		return next.decline(c.Slug)
	})
	decided := principle.Decided(waiting, asked)
	if !open {
		waiting = slices.DeleteFunc(waiting, func(c principle.Waiting) bool { return slices.Contains(decided, c.Slug) })
	}
	c := report.OfCandidates(waiting)
	c.Decided = decided
	approved := maps.Clone(memory.Principles)
	for _, one := range c.List {
		approved[principle.Path(one.Slug)] = one.File
	}
	c.Same = maps.EqualFunc(approved, asked, bytes.Equal)
	return c, nil
}

func (w *Workspace) principlesOf(ctx context.Context, commit string) (committed, error) {
	if commit == "" {
		return nil, nil
	}
	files, err := w.committed(ctx, commit, func(name string) bool { return path.Dir(name) == principle.Dir })
	maps.DeleteFunc(files, func(name string, _ []byte) bool { _, ok := principle.SlugOf(name); return !ok })
	return files, err
}
