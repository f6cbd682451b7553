package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/causaldocs/causal/app/atomic"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/life"
)

type reviewInput struct {
	change workspace.Change
	head   gitstore.Commit // the reviewed commit, or the base of the work tree
	memory *review.Memory
	state  string
	was    []byte
}

// readInput reads all inputs before the review. Unreadable input is a usage error.
func (p *place) readInput(ctx context.Context, flags reviewFlags) (*reviewInput, error) {
	in := &reviewInput{}
	head, err := p.Repo.Resolve(ctx, cmp.Or(flags.head, "HEAD"))
	if flags.head == "" && errors.Is(err, gitstore.ErrUnknownRevision) {
		return nil, usage(errors.New("there is no change to review: the repository has no commits"))
	}
	if err != nil {
		return nil, usage(fmt.Errorf("there is no change to review: %w", err))
	}
	in.head = head
	base, err := p.BaseOf(ctx, flags.base, head)
	if err != nil {
		return nil, err
	}
	logs, err := p.readLogs(flags.sarif)
	if err != nil {
		return nil, usage(err)
	}
	if in.memory, err = review.Remember(p.Files); err != nil {
		return nil, usage(err)
	}
	state, err := in.readState(p, flags)
	if err != nil {
		return nil, usage(err)
	}
	if flags.dismiss != "" {
		who, err := p.Repo.AuthorName(ctx)
		if err != nil {
			return nil, usage(err)
		}
		if err := state.Dismiss(flags.dismiss, flags.why, who, head.ID); err != nil {
			return nil, usage(err)
		}
	}
	in.change = workspace.Change{
		Base: base, Outside: logs.Outside, Nowhere: logs.Nowhere, Given: review.NewGiven(logs.Faults, in.memory), Without: p.given(append([]string{flags.state}, flags.sarif...)),
		Ran: logs.Ran, Failed: logs.Failed, State: state, Model: p.Model,
	}
	if flags.vet {
		in.change.Vet = p.world.Getenv
	}
	if flags.head != "" {
		in.change.Head = head.ID
	}
	return in, nil
}

func (p *place) readLogs(names []string) (*workspace.Logs, error) {
	logs := workspace.NewLogs()
	typed, err := filepath.Abs(p.world.path("."))
	if err != nil {
		return nil, fmt.Errorf("read logs: %w", err)
	}
	for _, name := range names {
		if err := logs.Add(p.world.path(name), name, p.Repo.Root(), typed); err != nil {
			return nil, err
		}
	}
	return logs, nil
}

// readState reads the findings of earlier reviews of the change; none if the file is missing.
func (in *reviewInput) readState(p *place, flags reviewFlags) (*life.State, error) {
	if flags.state == "" {
		return &life.State{}, nil
	}
	in.state = p.world.path(flags.state)
	f, err := os.Open(in.state)
	if errors.Is(err, fs.ErrNotExist) {
		return &life.State{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the state %s: %w", flags.state, errors.Unwrap(err))
	}
	defer func() { _ = f.Close() }()
	if in.was, err = io.ReadAll(io.LimitReader(f, life.LargestState+1)); err != nil {
		return nil, fmt.Errorf("read the state %s: %w", flags.state, err)
	}
	s, err := life.Decode(in.was)
	if err != nil {
		return nil, fmt.Errorf("read the state %s: %w", flags.state, err)
	}
	return s, nil
}

// keepState writes the state file atomically.
func (in *reviewInput) keepState() error {
	if in.state == "" {
		return nil
	}
	data, err := in.change.State.Encode()
	if err != nil {
		return err
	}
	if bytes.Equal(data, in.was) {
		return nil
	}
	if err := atomic.Write(in.state, data, 0o600); err != nil {
		return fmt.Errorf("keep the state: %w", err)
	}
	return nil
}

// given reports which repository files are inputs of the command and thus not part of the change.
func (p *place) given(names []string) func(path string) bool {
	paths := map[string]bool{}
	for _, name := range names {
		abs, err := filepath.Abs(p.world.path(name))
		if name == "" || err != nil {
			continue
		}
		if dir, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
			abs = filepath.Join(dir, filepath.Base(abs))
		}
		if in, err := filepath.Rel(p.Repo.Root(), abs); err == nil && !strings.HasPrefix(in, "..") {
			paths[filepath.ToSlash(in)] = true
		}
	}
	return func(path string) bool { return paths[path] }
}
