package worktree

import (
	"context"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Committed is one commit with causal's own files. It implements survey.Tree.
type Committed struct{ *Revision }

// AtCommit returns a commit of a repository.
func AtCommit(repo *gitstore.Repo, commit gitstore.Commit) Committed {
	return Committed{&Revision{Tree: &Tree{repo: repo}, commit: commit}}
}

// State implements survey.Tree.
func (c Committed) State(context.Context, func() survey.State) (survey.State, error) {
	return survey.State{Commit: c.commit.ID}, nil
}
