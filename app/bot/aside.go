package bot

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/publish"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/render"
)

// setAside keeps the analysis of a pull request that was closed without a merge in the repository, as a session whose root
// is suspended: whoever makes the same change again is told of it. It returns the session; empty when there was nothing
// to keep, or when nothing may be committed.
func (b *Bot) setAside(ctx context.Context, c Client, a *analysis) (string, error) {
	var err error
	if a.report, err = a.workshop.Update(ctx); err != nil || len(a.report.Invalidated) == 0 {
		return "", err
	}
	ctx = inSession(ctx, a.report.Session)
	record, err := a.record(ctx)
	if err != nil {
		return "", err
	}
	data, err := session.Encode(record)
	if err != nil {
		return "", fmt.Errorf("set the analysis aside: %w", err)
	}
	name := a.workshop.Layout.Frames(record.SessionID)
	if there, err := a.onBase(ctx, name); err != nil || there {
		return record.SessionID, err // an earlier run did not get further than this
	}
	if !a.commits() {
		return "", nil
	}
	intended := a.prior // should this run end here, whoever opens the pull request again finds what to take up
	intended.Aside = record.SessionID
	if err := b.remember(ctx, c, a, intended); err != nil {
		return "", err
	}
	done, err := b.commitToBase(ctx, c, a, github.Commit{
		Headline: fmt.Sprintf("Set aside what #%d would have made stale", a.pull.Number),
		Body:     summary.SessionTrailer + ": " + record.SessionID, Write: map[string][]byte{name: data},
	})
	if err != nil || !done {
		return "", err
	}
	return record.SessionID, nil
}

// takeUp removes a session that was set aside: its pull request was opened again, or merged.
func (b *Bot) takeUp(ctx context.Context, c Client, a *analysis) error {
	if a.prior.Aside == "" {
		return nil
	}
	name := a.workshop.Layout.Frames(a.prior.Aside)
	there, err := a.onBase(ctx, name)
	if err != nil || !there {
		return err
	}
	_, err = b.commitToBase(ctx, c, a, github.Commit{
		Headline: fmt.Sprintf("Take up again what #%d makes stale", a.pull.Number),
		Body:     summary.SessionTrailer + ": " + a.prior.Aside, Delete: []string{name},
	})
	return err
}

// onBase reports whether the base branch has a file. What a session's file holds follows from its name.
func (a *analysis) onBase(ctx context.Context, name string) (bool, error) {
	list, err := a.workshop.Repo.Tree(ctx, a.base)
	return slices.ContainsFunc(list, func(e gitstore.Entry) bool { return e.Path == name }), err
}

// commits reports whether the bot commits to the base branch at all.
func (a *analysis) commits() bool {
	return a.workshop.Config.Bot.Mode == config.ModeCommit && a.pull.Base == a.repo.DefaultBranch
}

// commitToBase commits to the base branch where that may be, and reports whether it did.
func (b *Bot) commitToBase(ctx context.Context, c Client, a *analysis, commit github.Commit) (bool, error) {
	if !a.commits() {
		return false, nil
	}
	commit.Branch = a.pull.Base
	return publish.Direct(ctx, c, commit)
}

// record is the analysis as a session: a root that is suspended, and a frame for each node that would have fallen, with what
// was observed when it was derived anew.
func (a *analysis) record(ctx context.Context) (session.Record, error) {
	changes, err := a.changes(ctx)
	if err != nil {
		return session.Record{}, err
	}
	artifacts := session.Artifacts{InitialPrompt: workspace.PullPrompt}
	terms := make([]condition.Condition, 0, len(changes))
	for _, change := range changes {
		artifacts.Note(change.Path, change.Old, change.New)
		glob, err := condition.PathGlob(change.Path)
		if err != nil {
			return session.Record{}, fmt.Errorf("condition of %s: %w", change.Path, err)
		}
		terms = append(terms, render.Vocabulary.Call("modified", glob.String()))
	}
	artifacts.SessionID = session.ID(workspace.PullPrompt, artifacts.Files)
	tree := frame.NewTree(artifacts.SessionID)
	root, err := tree.Start(fmt.Sprintf("pull request #%d: %s", a.pull.Number, a.pull.Title), map[string]any{"head": a.pull.HeadSHA})
	if err != nil {
		return session.Record{}, err
	}
	artifacts.RootFrameID = root
	seen, err := a.observed(ctx, changes)
	if err != nil {
		return session.Record{}, err
	}
	wrong := condition.Any(terms...).String()
	reasons := a.reasons()
	var cited []fact.Observation
	for _, node := range slices.Sorted(maps.Keys(reasons)) {
		id, err := tree.Spawn(root, "module/"+node, nil)
		if err == nil {
			err = tree.Conclude(id, "it goes stale: "+reasons[node], seen[node], 1, wrong)
		}
		if err == nil {
			err = tree.Complete(id)
		}
		if err != nil {
			return session.Record{}, err
		}
		cited = append(cited, fact.Frame(id))
	}
	err = tree.Conclude(root, fmt.Sprintf("it makes %d modules stale", len(reasons)), cited, 1, wrong)
	if err == nil {
		err = tree.Suspend(root)
	}
	return session.Record{Artifacts: artifacts, Tree: tree}, err
}

// observed is what each node that fell rests on in the pull request, or, where there is no such module any more, that its files are
// gone. A frame without either would be offered again whatever became of the code.
func (a *analysis) observed(ctx context.Context, changes []gitstore.Change) (map[string][]fact.Observation, error) {
	e, err := a.workshop.Engine()
	if err != nil {
		return nil, err
	}
	out := map[string][]fact.Observation{}
	for module := range a.reasons() {
		x, ok, err := e.Explain(ctx, module)
		if err != nil {
			return nil, err
		}
		if ok && x.Conclusion != nil {
			out[module] = x.Conclusion.Evidence
		}
	}
	for _, c := range changes {
		if module := path.Dir(c.Path); c.New == "" && slices.Contains(a.report.Removed, module) {
			out[module] = append(out[module], fact.Absent(c.Path))
		}
	}
	return out, nil
}

// reasons say of each node that falls why, in one line.
func (a *analysis) reasons() map[string]string {
	out := map[string]string{}
	for _, i := range a.report.Invalidated {
		why := i.Because
		if i.Detail != "" {
			why = i.Detail
		}
		if out[i.Node] != "" {
			why = out[i.Node] + "; " + why
		}
		out[i.Node] = why
	}
	return out
}

// aside names analyses that were set aside and that nothing speaks against taking up again, by their frames.
func (w *workshop) aside(frames []string) map[string]string {
	out := map[string]string{}
	for _, f := range frames {
		id, frameID, _ := strings.Cut(f, "/")
		data, err := w.Files.Read(w.Layout.Frames(id))
		if err != nil {
			continue
		}
		r, err := session.Decode(data)
		if err != nil {
			continue
		}
		if found, ok := r.Tree.Frame(frameID); ok {
			out[f] = summary.Words(found.Query)
		}
	}
	return out
}
