package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/knowledge/index"
)

// skillBucket has the tags that skills saw last.
const skillBucket index.Bucket = "skills"

// keyTags has the tag signature of a clone, and keyAsked the tags of a mirror.
const (
	keyTags  = "tags"
	keyAsked = "asked"
)

// since returns the revision that a call compares with, zero for the beginning or without a tag. A mirror knows only
// tags and full commit ids.
func (h *skillHistory) since(ctx context.Context, head, name string) (gitstore.Tag, error) {
	if h.Mirror == nil {
		return h.sinceHere(ctx, head, name)
	}
	if name == "" || isCommit(name) {
		return h.fetched(ctx, gitstore.Tag{Name: name, Commit: name})
	}
	tag, err := h.remoteTag(ctx, name)
	if err != nil {
		return tag, err
	}
	h.tags[name] = tag
	if err := h.batch.Put(skillBucket, keyAsked, h.tags); err != nil {
		return tag, err
	}
	if tag.Name == "" && name != skills.LastTag {
		return tag, fmt.Errorf("%w: %s is not a tag or the full id of a commit", skills.ErrNoHistory, name)
	}
	return h.fetched(ctx, tag)
}

func (h *skillHistory) fetched(ctx context.Context, tag gitstore.Tag) (gitstore.Tag, error) {
	if tag.Name == "" {
		return tag, nil
	}
	return tag, h.Mirror.Fetch(ctx, tag.Commit)
}

func (h *skillHistory) sinceHere(ctx context.Context, head, name string) (gitstore.Tag, error) {
	if err := h.batch.Put(skillBucket, keyTags, h.tagSignature()); err != nil {
		return gitstore.Tag{}, err
	}
	switch {
	case name == skills.LastTag && head == "": // without a commit there is no tag
		return gitstore.Tag{}, nil
	case name != skills.LastTag:
		return gitstore.Tag{Name: name, Commit: name}, nil
	case h.Repo.IsShallow():
		return gitstore.Tag{}, skills.ErrNoHistory
	}
	return h.Repo.Tag(ctx, head, "")
}

func isCommit(text string) bool {
	return len(text) >= 40 && strings.Trim(text, "0123456789abcdef") == ""
}

func (w *Workspace) remoteTag(ctx context.Context, name string) (tag gitstore.Tag, err error) {
	tag, known := w.remoteTags[name]
	if known {
		return tag, nil
	}
	if name == skills.LastTag {
		tag, err = w.Repo.Tag(ctx, w.Commit.ID, "")
	} else {
		tag, err = w.Repo.Tag(ctx, w.Commit.ID, name)
	}
	if err != nil {
		return tag, err
	}
	if w.remoteTags == nil {
		w.remoteTags = map[string]gitstore.Tag{}
	}
	w.remoteTags[name] = tag
	return tag, nil
}

// tagSignature identifies the state of the tags by file times.
func (w *Workspace) tagSignature() string {
	var b strings.Builder
	for _, name := range []string{"packed-refs", "refs/tags"} {
		if info, err := os.Stat(filepath.Join(filepath.Dir(w.Repo.CloneDir()), filepath.FromSlash(name))); err == nil {
			fmt.Fprintln(&b, info.ModTime().UnixNano(), info.Size())
		}
	}
	return b.String()
}

// sameTags reports whether the tags are unchanged since skills saw them. It is true if no skill reads the history.
func (w *Workspace) sameTags(ctx context.Context) (bool, error) {
	if w.Mirror == nil {
		var seen string
		return !w.index.Get(skillBucket, keyTags, &seen) || seen == w.tagSignature(), nil
	}
	var seen map[string]gitstore.Tag
	if files, err := w.skillFiles(); err != nil || len(files) == 0 || !w.index.Get(skillBucket, keyAsked, &seen) {
		return true, err
	}
	for name, was := range seen {
		if is, err := w.remoteTag(ctx, name); err != nil || is != was {
			return false, err
		}
	}
	return true, nil
}
