package action

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/causaldocs/causal/app/assembly"
	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/gitstore"
)

// rules is the configuration that counts. That of a pull request is its base's: a proposal must not choose by which rules
// it is judged. A shallow checkout does not have the base; then it is fetched, and when that fails so does the run.
func (j *job) rules(ctx context.Context, repo *gitstore.Repo, head string) (*config.Config, error) {
	if j.base == "" {
		return assembly.ConfigAt(ctx, repo, head)
	}
	if base, err := repo.Resolve(ctx, j.base); err == nil {
		found, err := assembly.ConfigAt(ctx, repo, base.ID)
		if !errors.Is(err, gitstore.ErrUnknownObject) {
			return found, err
		}
	}
	found, err := j.fetchRules(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the configuration of the base, %s, which is not in this checkout: %w; "+
			"let the token read it with `permissions: contents: read`, or give actions/checkout `fetch-depth: 0`", j.base, err)
	}
	return found, nil
}

// fetchRules reads it from GitHub, into a mirror that is thrown away.
func (j *job) fetchRules(ctx context.Context) (found *config.Config, err error) {
	client, err := j.client(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(j.temp, "causal-base-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for the base: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	mirror, err := gitstore.OpenMirror(ctx, filepath.Join(dir, "mirror"), client.GitURL(), client.Token)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, mirror.Close()) }()
	if err := mirror.Fetch(ctx, j.base); err != nil {
		return nil, err
	}
	return assembly.ConfigAt(ctx, mirror.Repo(), j.base)
}

// client speaks to GitHub with the token of the job. What a token of another's writes is of that other, who has to be
// known to find it again.
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
