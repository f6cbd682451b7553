package bot

import (
	"context"
	"path/filepath"
	"strconv"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/engine"
)

// workshop is the workspace of one job.
type workshop struct{ *workspace.Workspace }

// place says what to open.
type place struct {
	commit string // that is described
	rules  string // the commit whose configuration counts: the base of a pull request, never its head
	branch string // whose head permanent links may lead to
	pull   int    // the number of the pull request; 0 for the branch
}

// repositories is where what is kept of repositories lies, each by its number.
const repositories = "repositories"

// open prepares a run. Close the workshop after use.
func (b *Bot) open(ctx context.Context, c Client, repo github.Repository, at place) (*workshop, error) {
	w, err := workspace.Open(ctx, workspace.Mirrored{
		Dir:    filepath.Join(b.config.Dir, repositories, strconv.FormatInt(repo.ID, 10)),
		Remote: workspace.Remote{URL: repo.GitURL, Token: c.Token},
		Commit: at.commit, Rules: at.rules, Branch: at.branch, Pull: at.pull,
	})
	return &workshop{w}, err
}

// update runs the engine over the commit.
func (w *workshop) update(ctx context.Context) (*engine.Report, error) {
	e, err := w.Engine()
	if err != nil {
		return nil, err
	}
	return e.Update(ctx)
}

// cause is the commit in words.
func (w *workshop) cause() string {
	id := w.Commit.ID
	return id[:min(len(id), 10)] + " " + w.Commit.Subject
}

// mostFrames is how large a call tree may be to be kept with its run; all are in the repository.
const mostFrames = 256 << 10

// frames is the call tree of a session that this run wrote.
func (w *workshop) frames(session string) string {
	if session == "" {
		return ""
	}
	data, err := w.Files.Read(w.Layout.Frames(session))
	if err != nil || len(data) > mostFrames {
		return ""
	}
	return string(data)
}
