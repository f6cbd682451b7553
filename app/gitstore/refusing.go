package gitstore

import (
	"context"
	"fmt"
)

// refusing is the part of a backend that needs the git program and a work tree. Adapters that lack one embed it, with the
// error that says what they lack.
type refusing struct{ lacks error }

func (r refusing) refuse(what string) error { return fmt.Errorf("%s: %w", what, r.lacks) }

func (refusing) begin(context.Context) {}

func (r refusing) resolve(context.Context, string) (Commit, error) {
	return Commit{}, r.refuse("look up a revision")
}

func (r refusing) status(context.Context, func() []string) (Status, error) {
	return Status{}, r.refuse("compare the work tree with the commit")
}

func (r refusing) hidden(context.Context) (map[string]bool, error) {
	return nil, r.refuse("read the index")
}

func (r refusing) tree(context.Context, string) ([]Entry, error) {
	return nil, r.refuse("list the files of a commit")
}

func (r refusing) diff(context.Context, string, string) ([]Change, error) {
	return nil, r.refuse("compare commits")
}

func (r refusing) blobs(context.Context, []string, int64, func(Blob) error) error {
	return r.refuse("read files of a commit")
}

func (r refusing) lastCommit(context.Context, string, []string) (Commit, bool, error) {
	return Commit{}, false, r.refuse("find the last commit of a file")
}

func (r refusing) messages(context.Context, string, string, func(Message) error) error {
	return r.refuse("read the messages of commits")
}

func (r refusing) everBelow(context.Context, string, string, string) (map[string]string, error) {
	return nil, r.refuse("read the history of files")
}

func (r refusing) mergeBase(context.Context, string, string) (string, error) {
	return "", r.refuse("find a merge base")
}

func (r refusing) tags(context.Context) ([]string, error) { return nil, r.refuse("list tags") }

func (r refusing) tagNamed(context.Context, string, string) (Tag, error) {
	return Tag{}, r.refuse("look up a tag")
}

func (r refusing) newestTag(context.Context, string) (Tag, error) {
	return Tag{}, r.refuse("find the newest tag")
}

func (r refusing) remoteURL(context.Context, string) (string, error) {
	return "", r.refuse("look up a remote")
}

func (r refusing) remoteHead(context.Context, string) (string, error) {
	return "", r.refuse("look up the default branch of a remote")
}

func (r refusing) authorName(context.Context) (string, error) {
	return "", r.refuse("name an author")
}

func (r refusing) commit(context.Context, []Change, string) error { return r.refuse("commit") }
func (r refusing) stage(context.Context, []string) error          { return r.refuse("stage") }
