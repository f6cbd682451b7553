package bot

import (
	"context"
	"path/filepath"
	"strconv"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/session"
)

// workshop is the workspace of one job.
type workshop struct{ *workspace.Workspace }

// repositories is where what is kept of repositories lies, each by its number.
const repositories = "repositories"

// open prepares a run over one commit of a repository. Close the workshop after use.
func (b *Bot) open(ctx context.Context, c Client, repo github.Repository, at workspace.Mirrored) (*workshop, error) {
	at.Dir = b.kept(repo.ID)
	at.Remote = workspace.Remote{URL: repo.GitURL, Token: c.Token}
	w, err := workspace.Open(ctx, at)
	return &workshop{w}, err
}

// kept is where what is kept of a repository lies.
func (b *Bot) kept(repository int64) string {
	return filepath.Join(b.config.Dir, repositories, strconv.FormatInt(repository, 10))
}

// cause is the commit in words.
func (w *workshop) cause() string {
	id := w.Commit.ID
	return id[:min(len(id), 10)] + " " + w.Commit.Subject
}

// mostFrames is how large a call tree may be to be kept with its run; all are in the repository.
const mostFrames = 256 << 10

// frames is the whole call tree of a session that this run wrote.
func (w *workshop) frames(ctx context.Context, id string) string {
	if id == "" {
		return ""
	}
	e, err := w.Engine()
	if err != nil {
		return ""
	}
	r, err := e.Session(ctx, id)
	if err != nil {
		return ""
	}
	r.Concluded = nil
	data, err := session.Encode(r)
	if err != nil || len(data) > mostFrames {
		return ""
	}
	return string(data)
}
