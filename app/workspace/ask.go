package workspace

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/knowledge/source/languages"
)

// Path is what people call a file or a directory, from the repository's root. An anchor is cut off.
func (w *Workspace) Path(target string) (name, anchor string) {
	target, anchor, _ = strings.Cut(target, "#")
	if filepath.IsAbs(target) {
		if rel, err := filepath.Rel(w.Repo.Root(), target); err == nil {
			target = rel
		}
	}
	return path.Clean(filepath.ToSlash(target)), anchor
}

// ModuleOf is the module that a path is about: a page's, a node file's, a source file's, or the directory itself.
func (w *Workspace) ModuleOf(name string) string {
	if m, ok := w.Layout.ModuleOf(name); ok {
		return m
	}
	for _, l := range languages.All() {
		for _, ext := range l.Extensions() {
			if strings.HasSuffix(name, ext) {
				return path.Dir(name)
			}
		}
	}
	return name
}

// Sessions lists the sessions that are kept, by id.
func (w *Workspace) Sessions() ([]string, error) {
	names, err := w.Files.List(w.Layout.FramesDir())
	if err != nil {
		return nil, err
	}
	var out []string
	for _, n := range names {
		if w.Layout.IsFrames(n) {
			out = append(out, w.Layout.SessionOf(n))
		}
	}
	slices.Sort(out)
	return out, nil
}

// LastChange is the newest commit of the history that changed one of the files; false when there is none.
func (w *Workspace) LastChange(ctx context.Context, files ...string) (gitstore.Commit, bool, error) {
	head, err := w.Repo.Head(ctx)
	if err != nil || head.ID == "" || len(files) == 0 {
		return gitstore.Commit{}, false, err
	}
	return w.Repo.LastCommit(ctx, head.ID, files...)
}
