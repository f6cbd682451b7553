package action

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/publish"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
)

func check(ctx context.Context, j *job) (r Result, err error) {
	w, err := j.open(ctx)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	found, err := w.Check(ctx)
	if err != nil {
		return Result{}, err
	}
	r = Result{Mode: j.mode, Conclusion: Fresh, Head: w.Commit.ID, Check: found, Stale: staleNames(found)}
	r.Title = summary.Checked(found)
	if len(r.Stale) > 0 {
		r.Conclusion, r.failed = Stale, true
	}
	r.parts = checkParts(r, w.Layout)
	for _, s := range found.Stale {
		r.annotations = append(r.annotations, staleNote(w, s))
	}
	return r, nil
}

func bringUpToDate(ctx context.Context, j *job) (r Result, err error) {
	client, err := j.client(ctx)
	if err != nil {
		return Result{}, err
	}
	w, err := j.open(ctx)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	branch, err := j.branch(w.Commit.ID)
	if err != nil {
		return Result{}, err
	}
	var said []string
	if w.Model, err = j.model(w, func(text string) { said = append(said, text) }); err != nil {
		return Result{}, err
	}
	report, notes, err := j.update(ctx, w)
	if err == nil && j.pull == nil && branch == w.Config.Branch && !w.Config.Bot.DryRun {
		err = w.Committed(ctx, report)
	}
	if err != nil {
		return Result{}, err
	}
	report.Model = w.Model.Report()
	r = Result{Mode: j.mode, Head: w.Commit.ID, Report: report, Stale: summary.Nodes(report), Conclusion: Fresh, Notes: append(notes, said...)}
	if text := report.Model.Text(); text != "" {
		r.Notes = append(r.Notes, text)
	}
	if r.failed = len(report.Blocked) > 0; r.failed {
		r.Conclusion, r.Title, r.annotations = Blocked, summary.BlockedTitle(report), blockedNotes(report)
	}
	way := publish.Update{Report: report, Files: w.Files, Branch: branch, Head: w.Commit.ID, Mode: ways[j.mode], Subject: w.Config.Bot.Subject, Rolls: j.mode == Propose, Contended: true}
	if w.Config.Bot.DryRun {
		way.Mode, way.Rolls = config.ModeCheck, false
	}
	made, err := publish.Publish(ctx, client, way)
	switch {
	case err == nil && made.Conclusion == Stale:
		r.Conclusion, r.Title = Stale, "dry run: "+made.Title
		r.Notes = append(r.Notes, fmt.Sprintf("Nothing is published, because `bot.dry_run` is set: %s would be written or removed.", summary.Count(len(made.Files), "file")))
	case errors.Is(err, github.ErrHeadMoved):
		r.Conclusion, r.Title, err = Moved, "the branch has moved on", nil
		r.Notes = append(r.Notes, fmt.Sprintf("Nothing is published: %s has newer commits than this job. The job of the newer push updates the docs.", branch))
	case made.Conclusion != Fresh, !r.failed:
		r.Conclusion, r.Title, r.Changed, r.Commit, r.Pull = made.Conclusion, made.Title, made.Files, made.Commit, made.Pull.URL
	}
	r.parts = publishParts(r)
	if tests := summary.Tests(report.Tests); tests != "" {
		r.parts = append(r.parts, tests)
	}
	r.failed = r.failed || j.left(report.Tests)
	return r, mended(j.mode, err)
}

// ways maps the publishing modes to their configuration values.
var ways = map[Mode]config.Mode{Commit: config.ModeCommit, Propose: config.ModePullRequest}

// mends lists the fixes to suggest for publishing errors, by mode.
var mends = map[Mode]map[error]string{
	Commit: {github.ErrProtected: "use `mode: pr`, which keeps one pull request with the docs"},
	Propose: {
		github.ErrForbidden: "a workflow's token may open pull requests only where \"Allow GitHub Actions to create and approve pull requests\" is on, in the settings of the repository under Actions",
		github.ErrForeign:   "merge or close its pull request and delete the branch: the next push proposes the docs again",
	},
}

func mended(mode Mode, err error) error {
	for kind, text := range mends[mode] {
		if errors.Is(err, kind) {
			return fmt.Errorf("%w; %s", err, text)
		}
	}
	return err
}

func comment(ctx context.Context, j *job) (r Result, err error) {
	client, err := j.client(ctx)
	if err != nil {
		return Result{}, err
	}
	w, err := j.open(ctx)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	report, notes, err := j.update(ctx, w)
	if err == nil {
		err = j.caused(ctx, w, report.Tests)
	}
	if err != nil {
		return Result{}, err
	}
	differing, err := w.Files.Differing()
	if err != nil {
		return Result{}, err
	}
	s := summary.Pull{
		Web: j.page(), Base: j.pull.Base.Ref, Layout: w.Layout, Report: report, Pages: summary.Pages(w.Layout, differing),
		Files: sourceFiles(ctx, client, j.pull.Number, w.Layout.Owns),
	}
	r = Result{Mode: j.mode, Conclusion: Told, Title: s.Title(), Head: w.Commit.ID, Report: report, Stale: summary.Nodes(report), Notes: notes}
	r.parts, r.annotations = s.Parts(), s.Annotations()
	if why := silent(j, w.Config.Bot); why != "" {
		r.Notes = append(r.Notes, fmt.Sprintf("There is no comment on the pull request: %s.", why))
		return r, nil
	}
	_, err = client.Comment(ctx, j.pull.Number, summary.Marker, s.Markdown())
	return r, err
}

// silent returns the reason why the pull request gets no comment, or "".
func silent(j *job, settings config.Bot) string {
	switch why := j.readOnly(); {
	case why != "":
		return why + ", and so the token may only read"
	case settings.DryRun:
		return "`bot.dry_run` is set"
	case !settings.Comments:
		return "`bot.comments` is off"
	}
	return ""
}

// sourceFiles counts the changed files that causal does not own, for display only. It returns -1 if GitHub does not
// list all files.
func sourceFiles(ctx context.Context, client *github.Client, number int, owns func(string) bool) int {
	files, more, err := client.PullFiles(ctx, number)
	if err != nil || more {
		return -1
	}
	n := 0
	for _, f := range files {
		if !owns(f) {
			n++
		}
	}
	return n
}

func staleNames(found *report.Check) []string {
	set := map[string]bool{}
	for _, s := range found.Stale {
		set[strings.TrimSpace(cmp.Or(s.Node, s.Page))] = true
	}
	return slices.Sorted(maps.Keys(set))
}
