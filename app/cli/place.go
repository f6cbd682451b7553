package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/model"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/store"
)

type place struct {
	*workspace.Workspace
	world IO
}

func (w IO) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(w.Dir, name)
}

// inPlace runs fn in the repository that contains a directory.
func inPlace(ctx context.Context, world IO, at string, fn func(*place) error) error {
	return openAt(ctx, world, workspace.WorkTree{Dir: at}, fn)
}

// openAt is inPlace for a given source.
func openAt(ctx context.Context, world IO, from workspace.WorkTree, fn func(*place) error) error {
	from.Dir, from.Now = world.path(from.Dir), world.Now
	w, err := workspace.Open(ctx, from)
	if err != nil {
		return err
	}
	defer func() { _ = w.Close() }()
	return fn(&place{w, world})
}

// looking runs fn with a read-only engine.
func looking(ctx context.Context, world IO, at string, fn func(*place, *workspace.Knowledge) error) error {
	return inPlace(ctx, world, at, func(p *place) error {
		e, err := p.Look()
		if err != nil {
			return err
		}
		return fn(p, e)
	})
}

// offlineFlag adds --offline, which sets CAUSAL_OFFLINE for one command.
func (w *IO) offlineFlag(c *cobra.Command) {
	offline := false
	c.Flags().BoolVar(&offline, "offline", false, "ask no model")
	getenv := w.Getenv
	w.Getenv = func(name string) string {
		if offline && name == model.OfflineSetting {
			return "1"
		}
		return getenv(name)
	}
}

// openModel opens the configured model. A read-only command (looks) gets only cached answers.
func (p *place) openModel(looks bool) error {
	err := p.OpenModel(p.world.Getenv, looks, func(text string) { _, _ = plain.Fprintf(p.world.Err, "causal: %s\n", text) })
	if err != nil {
		return usage(err)
	}
	return nil
}

// needModel opens the model for a command that requires one.
func (p *place) needModel(u prompt.Use) error {
	if err := p.openModel(false); err != nil {
		return err
	}
	switch {
	case p.Model == nil:
		return fmt.Errorf("no model is set: set %s", model.NameSetting)
	case !p.Config.Model.Allows(u):
		return fmt.Errorf("model.use in %s does not list %s", store.Config, u)
	case !p.Model.Allows(u):
		return errors.New("causal is offline")
	}
	return nil
}

func (p *place) tellModel() {
	_, _ = io.WriteString(p.world.Err, p.Model.Report().Text())
}

// lock prevents concurrent runs that write. It waits and names the other process.
func (p *place) lock(ctx context.Context) error {
	return p.Lock(ctx, func(process string) {
		if process != "" {
			process = " (process " + process + ")"
		}
		_, _ = plain.Fprintf(p.world.Err, "waiting for another run%s\n", process)
	})
}
