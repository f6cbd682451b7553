package server

import (
	"context"
	"path/filepath"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/model"
)

// ModelOptions selects the model and the repositories that may use it. The zero value is no model.
type ModelOptions struct {
	model.Settings

	For    []string // owners and repositories, as CheckModelFor expects; empty for none
	Tokens int      // per repository and day
}

// Everybody in ModelOptions.For means all repositories.
const Everybody = "*"

// CheckModelFor checks that each entry is an owner, a repository or Everybody.
func CheckModelFor(list []string) error {
	var named []string
	for _, entry := range list {
		if entry != Everybody {
			named = append(named, entry)
		}
	}
	return CheckAllow(named)
}

func (o ModelOptions) asks(owner, name string) bool {
	for _, entry := range o.For {
		if entry == Everybody || (allowList{entry}).allows(owner, name) {
			return o.Name != "" && !o.Offline
		}
	}
	return false
}

func (s *Server) modelOf(quota *model.Quota) func(context.Context, github.Repository, string) (*model.Run, func()) {
	return func(ctx context.Context, repo github.Repository, dir string) (*model.Run, func()) {
		if !s.o.Model.asks(repo.Owner, repo.Name) {
			return nil, func() {}
		}
		used := filepath.Join(dir, "model.tokens")
		left := quota.Left(used)
		if left == 0 {
			s.log.WarnContext(ctx, "the repository has used the model's tokens of today", "tokens", quota.Tokens)
			return nil, func() {}
		}
		run := model.Open(s.o.Model.Settings, model.Options{
			Dir: dir, Tokens: left, Note: func(text string) { s.log.WarnContext(ctx, "model", "text", text) },
		})
		return run, func() {
			r := run.Report()
			if err := quota.Use(used, r.TokensIn+r.TokensOut); err != nil {
				s.log.WarnContext(ctx, "model", "error", err)
			}
		}
	}
}
