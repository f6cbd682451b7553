package sandbox

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/model"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/prompt"
)

// Main is the main function of a child. It returns the exit code.
func Main() int {
	if err := serve(context.Background(), os.Stdin, os.Stdout, confined); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// serve performs one task. It confines the process before it reads anything of the repository.
func serve(ctx context.Context, in io.Reader, out io.Writer, confine func(Limits) error) error {
	in = bufio.NewReader(in)
	m, err := receive(in)
	if err == nil && m.Task == nil {
		err = errMessage
	}
	if err != nil {
		return fmt.Errorf("read the task: %w", err)
	}
	if err := confine(m.Task.Limits); err != nil {
		return fmt.Errorf("set limits: %w", err)
	}
	parent := &asker{in: in, out: out, asks: model.Settings{Provider: m.Task.Provider, Name: m.Task.Model}}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	place := tellPlace(ctx, parent)
	task := m.Task.Task
	task.Signer, err = parent.signer(ctx, m.Task.Key)
	if err != nil {
		return fmt.Errorf("read the task: %w", err)
	}
	result, err := perform(ctx, task, parent, place)
	if err != nil {
		return parent.tell(message{Failed: failureOf(err)})
	}
	return parent.tell(message{Result: result})
}

func failureOf(err error) *failed {
	var asked *askedError
	f := &failed{Text: err.Error(), Asked: errors.As(err, &asked)}
	f.Refused = workspace.Mendable(err) || !f.Asked && errors.Is(err, gitstore.ErrTooLarge)
	return f
}

func perform(ctx context.Context, t Task, parent *asker, place *place) (_ *Result, err error) {
	at := workspace.Mirrored{
		Dir: t.Dir, Remote: workspace.Remote{URL: t.URL}, Leader: parent, Commit: t.Commit, Rules: t.Rules, Branch: t.Branch, Group: t.Group, Reading: place.reading,
	}
	if t.Pull != nil {
		at.Pull, at.Lands = t.Pull.Number, t.Pull.Lands
	}
	if t.Direct != nil {
		at.Also = append(at.Also, t.Direct.From)
	}
	if t.Push != nil {
		at.Also = append(at.Also, t.Push.Head)
	}
	if t.Carry != "" {
		at.Also = append(at.Also, t.Carry)
	}
	w, err := workspace.Open(ctx, at)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if !t.publishes() { // the branch run asks for this prose
		w.Config.Model.Use = slices.DeleteFunc(slices.Clone(w.Config.Model.Use), func(u prompt.Use) bool { return u == prompt.Docs })
	}
	w.Signer, w.Model = t.Signer, parent.model(w.Config.Model)
	a := &analysis{task: t, workspace: w, parent: parent}
	if t.Asking != nil {
		return a.candidates(ctx)
	}
	if t.Pull != nil {
		if a.changes, err = a.pullChanges(ctx); err != nil {
			return nil, err
		}
	}
	if r := a.ignored(); r != nil {
		return r, nil
	}
	if len(t.Questions) > 0 {
		return a.answers(ctx)
	}
	if t.Carry != "" {
		if a.pending, err = w.Carry(ctx, t.Carry); err != nil {
			return nil, err
		}
	}
	if a.ended, err = w.EndPrinciples(t.End); err != nil {
		return nil, err
	}
	if w.Config.Bot.Comments {
		if a.heard, err = w.Hear(t.Say); err != nil {
			return nil, err
		}
	}
	if t.OnlyAsks() {
		return &Result{Bot: w.Config.Bot, Docs: w.Layout.Docs, Heard: a.heard}, nil
	}
	if t.Direct != nil {
		err = a.direct(ctx)
	}
	if t.Pull != nil && t.Pull.Close != nil {
		err = a.close(ctx)
	}
	if err != nil {
		return nil, err
	}
	specs, err := a.specs(ctx)
	if err != nil {
		return nil, err
	}
	if a.knowledge, err = w.Engine(); err != nil {
		return nil, err
	}
	a.knowledge.OnProgress(place.progress)
	if a.report, err = a.knowledge.Update(ctx); err != nil {
		return nil, err
	}
	if err := a.pushed(ctx); err != nil {
		return nil, err
	}
	specs.Tell(a.report)
	r, err := a.result(ctx)
	if err == nil {
		r.Report.Model = w.Model.Report()
	}
	return r, err
}
