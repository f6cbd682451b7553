package action

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/workspace"
)

// open prepares a run. The caller closes the workspace.
func (j *job) open(ctx context.Context) (*workspace.Workspace, error) {
	w, err := workspace.Open(ctx, workspace.Checkout{Dir: j.dir, Temp: j.temp, Base: j.base, Ref: j.ref, Remote: j.remote})
	if _, missing := os.Stat(j.dir); errors.Is(err, gitstore.ErrNotRepository) || err != nil && errors.Is(missing, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: there is no git repository in %s: let actions/checkout run before, on a runner that has git", ErrUsage, j.dir)
	}
	return w, err
}

// remote returns the remote to fetch the pull request's base from if the checkout lacks it.
func (j *job) remote(ctx context.Context) (workspace.Remote, error) {
	client, err := j.client(ctx)
	if err != nil {
		return workspace.Remote{}, err
	}
	return workspace.Remote{URL: client.GitURL(), Token: client.Token}, nil
}

// client returns a client for the job's token. For a custom token it looks up the login, by which it later finds its
// own comments.
func (j *job) client(ctx context.Context) (*github.Client, error) {
	c := github.TokenConfig{Token: j.token, Repository: j.repository, Options: github.Options{BaseURL: j.api, Now: j.world.Now}}
	client, err := github.NewTokenClient(c)
	if err != nil || j.lent {
		return client, err
	}
	if c.Login, err = client.Viewer(ctx); err != nil {
		return nil, err
	}
	return github.NewTokenClient(c)
}
