package gitstore

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// usualDepths are the numbers of generations fetched in turn until a question is answered. Most branches are young.
var usualDepths = []int{128, 2048, everything}

// everything is git's value for an unlimited depth.
const everything = 0x7fffffff

// MergeBase returns the merge base of two commits, or "" if there is none. It fetches only as much history as needed,
// and only commits.
func (m *Mirror) MergeBase(ctx context.Context, a, b string) (string, error) {
	for _, id := range []string{a, b} {
		if !sha1Format.isID(id) {
			return "", fmt.Errorf("merge base with %q: not a commit id: %w", id, ErrUnknownObject)
		}
	}
	if a == b {
		return a, nil
	}
	if m.leader != nil {
		return m.leader.MergeBase(ctx, a, b)
	}
	base := ""
	err := m.deepening(ctx, []string{a, b}, func() ([]string, error) {
		var err error
		base, err = m.history.git.line(ctx, "merge-base", a, b)
		if exitCode(err) == 1 {
			return nil, nil
		}
		return []string{base}, err
	})
	return base, err
}

func (m *Mirror) isAncestor(ctx context.Context, commit, of string) (bool, error) {
	if commit == of {
		return true, nil
	}
	found := false
	err := m.deepening(ctx, []string{of, commit}, func() ([]string, error) {
		_, err := m.history.git.run(ctx, nil, "merge-base", "--is-ancestor", commit, of)
		if found = err == nil; found {
			return []string{of, commit}, nil // final: more history cannot change it
		}
		if exitCode(err) == 1 {
			err = nil
		}
		return []string{commit}, err
	})
	return found, err
}

// deepening asks a question about the ancestors of tips, and repeats it with more history as long as the answer may
// change. ask returns the commits whose ancestors do not matter.
func (m *Mirror) deepening(ctx context.Context, tips []string, ask func() (settled []string, err error)) error {
	return m.mending(ctx, m.history, func() error {
		absent, err := m.history.absent(ctx, tips, "^{commit}")
		if err != nil {
			return err
		}
		i := 0
		if m.history.whole() {
			i = len(m.depths) - 1 // a smaller depth would truncate the history
		}
		for fetch := len(absent) > 0; ; fetch = true {
			if fetch {
				err := m.locked(ctx, func() error {
					return m.remote.fetch(ctx, m.history, specs(tips), m.depths[i], m.history.filter)
				})
				if err != nil {
					return err
				}
				i++
			}
			settled, err := ask()
			if err != nil {
				return err
			}
			if certain, err := m.certain(ctx, tips, settled); certain || err != nil || i == len(m.depths) {
				return err
			}
		}
	})
}

// certain reports whether the history reachable from tips, excluding the settled commits, is complete.
func (m *Mirror) certain(ctx context.Context, tips, settled []string) (bool, error) {
	cut, err := shallow(m.history.dir)
	if err != nil || len(cut) == 0 {
		return true, err
	}
	args := append([]string{"rev-list"}, tips...)
	for _, id := range settled {
		args = append(args, "^"+id)
	}
	out, err := m.history.git.run(ctx, nil, args...)
	if err != nil {
		return false, err
	}
	for id := range strings.FieldsSeq(string(out)) {
		if cut[id] {
			return false, nil
		}
	}
	return true, nil
}

func (c *bareRepo) whole() bool {
	return !exists(filepath.Join(c.dir, "shallow")) && exists(filepath.Join(c.dir, filepath.FromSlash(refs)))
}
