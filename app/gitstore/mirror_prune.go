package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mostPacks is the number of packs, one per fetch, above which Prune repacks a cache.
const mostPacks = 30

// mostNames is the number of commits above which Prune removes those not kept.
const mostNames = 16

// Prune removes all commits except keep from caches with many commits, and repacks caches with many packs. It recreates
// a cache larger than limit bytes, because git never drops objects from such a repository. Pruned commits can be fetched
// again.
func (m *Mirror) Prune(ctx context.Context, limit int64, keep ...string) error {
	err := m.locked(ctx, func() error {
		m.mu.Lock()
		m.wanted = slices.DeleteFunc(m.wanted, func(id string) bool { return !slices.Contains(keep, id) })
		m.mu.Unlock()
		for _, c := range []*bareRepo{m.content, m.history} {
			size, packs, err := c.size()
			if err != nil {
				return err
			}
			names, err := os.ReadDir(filepath.Join(c.dir, filepath.FromSlash(refs)))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			if size <= limit && packs <= m.packs && len(names) <= m.names {
				continue // not worth a git process
			}
			err = nil
			if size <= limit {
				err = c.tidy(ctx, m.remote, packs > m.packs, keep)
			}
			if size > limit || damaged(err) {
				err = m.renew(ctx, c)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("prune mirror: %w", err)
	}
	return nil
}

func (c *bareRepo) size() (bytes int64, packs int, err error) {
	err = filepath.WalkDir(c.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		bytes += info.Size()
		if filepath.Ext(path) == ".pack" {
			packs++
		}
		return nil
	})
	return bytes, packs, err
}

func (c *bareRepo) tidy(ctx context.Context, r *remote, repack bool, keep []string) error {
	out, err := c.git.run(ctx, nil, "for-each-ref", "--format=%(refname)", refs)
	if err != nil {
		return err
	}
	var drop strings.Builder
	for ref := range strings.FieldsSeq(string(out)) {
		if !slices.Contains(keep, strings.TrimPrefix(ref, refs)) {
			drop.WriteString("delete " + ref + "\n")
		}
	}
	if drop.Len() > 0 {
		if err := c.git.write(ctx, strings.NewReader(drop.String()), "update-ref", "--stdin"); err != nil {
			return err
		}
		if err := c.trim(ctx); err != nil {
			return err
		}
	}
	if !repack {
		return nil
	}
	knowing := *c.git // git omits missing objects from a pack only if it knows a remote
	knowing.env = slices.Concat(c.git.env, r.environment(c, "", ""))
	return knowing.write(ctx, nil, "repack", "-a", "-d", "-q")
}

// trim removes unreachable commits from the shallow file, which every fetch sends.
func (c *bareRepo) trim(ctx context.Context) error {
	cut, err := shallow(c.dir)
	if err != nil || len(cut) == 0 {
		return err
	}
	out, err := c.git.run(ctx, nil, "rev-list", "--all")
	if err != nil {
		return err
	}
	var kept strings.Builder
	for id := range strings.FieldsSeq(string(out)) {
		if cut[id] {
			kept.WriteString(id + "\n")
		}
	}
	shallow := filepath.Join(c.dir, "shallow")
	if kept.Len() == 0 {
		return os.Remove(shallow)
	}
	if err := os.WriteFile(shallow+".lock", []byte(kept.String()), 0o644); err != nil {
		return fmt.Errorf("write %s: %w", shallow, err)
	}
	return os.Rename(shallow+".lock", shallow)
}
