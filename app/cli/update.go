package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/render"
)

type updateFlags struct {
	rev, since string
	staged     bool
	dryRun     bool
	diff       bool
	exitCode   bool
	commit     bool
	add        bool
	json       bool
	session    string
}

func newUpdate(world IO) *cobra.Command {
	var flags updateFlags
	c := &cobra.Command{
		Use:   "update [path]",
		Short: "Update nodes and pages after a change",
		Long: `Update the nodes under .causal/ and the pages of the repository that contains path (default: the current directory). Only
changed parts are evaluated again. Uncommitted files count; ignored files do not. The first update of a clone from GitHub or GitLab
also writes .causal/config.yml with the address of the repository.

--staged documents the staged files, and --add stages the result: a pre-commit hook uses both. --commit documents HEAD and commits
the result; uncommitted code is left out. On the branch in the configuration, and without other uncommitted files, the log also
records the changes for callers in the new commits.

A file that does not parse is reported with its line, and its page keeps the last readable text: causal check then fails.

With CAUSAL_MODEL, a language model writes the prose that nobody wrote; --offline asks none. A model that fails does not change the
exit code.

The exit code is 0 when every page could be written, and 1 when you must solve a problem first, such as a file in the way of a
page. With --exit-code it is also 1 when a file was written.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, pair := range [][2]string{{"rev", "staged"}, {"commit", "staged"}, {"add", "rev"}, {"add", "commit"}, {"add", "dry-run"}} {
				if cmd.Flags().Changed(pair[0]) && cmd.Flags().Changed(pair[1]) {
					return usage(fmt.Errorf("--%s cannot be combined with --%s", pair[0], pair[1]))
				}
			}
			return runUpdate(cmd.Context(), world, first(args, "."), flags)
		},
	}
	world.offlineFlag(c)
	c.Flags().StringVar(&flags.rev, "rev", "", "document this revision instead of the work tree")
	c.Flags().StringVar(&flags.since, "since", "", "list the files that changed since this revision in the output of --json")
	c.Flags().BoolVar(&flags.staged, "staged", false, "document the staged files instead of the work tree")
	c.Flags().BoolVar(&flags.dryRun, "dry-run", false, "report what an update would do, and write no file")
	c.Flags().BoolVar(&flags.diff, "diff", false, "print how the pages change")
	c.Flags().BoolVar(&flags.exitCode, "exit-code", false, "exit with 1 when a file was written")
	c.Flags().BoolVar(&flags.commit, "commit", false, "document HEAD, and commit the files of causal")
	c.Flags().BoolVar(&flags.add, "add", false, "stage the changed files of causal")
	c.Flags().BoolVar(&flags.json, "json", false, "print one JSON object")
	c.Flags().StringVar(&flags.session, "session-id", "", "add the run to this coding-agent session (default: the current one, if any)")
	return c
}

func first(args []string, otherwise string) string {
	if len(args) > 0 {
		return args[0]
	}
	return otherwise
}

func runUpdate(ctx context.Context, world IO, at string, flags updateFlags) error {
	from := workspace.WorkTree{Dir: at, Revision: flags.rev}
	if flags.staged {
		from.Staged = workspace.StagedSources
	}
	if !flags.dryRun && !flags.staged && flags.rev == "" {
		if err := configure(ctx, world, at); err != nil {
			return err
		}
	}
	if flags.commit && flags.rev == "" {
		var err error
		if from.Revision, err = committed(ctx, world, at); err != nil {
			return err
		}
		flags.rev = from.Revision
	}
	return openAt(ctx, world, from, func(p *place) error {
		if err := p.openModel(flags.dryRun); err != nil {
			return err
		}
		if at != "." {
			p.tellWhole(at)
		}
		if flags.commit && !flags.dryRun {
			if err := p.Repo.CanCommit(); err != nil {
				return err
			}
		}
		report, err := p.update(ctx, from, flags)
		if err != nil {
			return err
		}
		if flags.since != "" {
			if err := p.since(ctx, report, flags.since); err != nil {
				return err
			}
		}
		if flags.commit && !flags.dryRun {
			if err := p.commit(ctx, report); err != nil {
				return err
			}
		}
		if flags.add {
			if err := p.stage(ctx, report, flags.staged); err != nil {
				return err
			}
		}
		if p.madeFiles() || p.mayBeIgnored() {
			p.warn(p.ignored(ctx))
		}
		p.tellFormer()
		if p.isFirst() {
			p.tellSite()
			p.tellPrettier()
		}
		return p.tellUpdate(report, flags)
	})
}

// committed returns the revision that update --commit documents: HEAD if files other than causal's have changes; empty
// for the work tree, which is equivalent otherwise.
func committed(ctx context.Context, world IO, at string) (revision string, err error) {
	err = inPlace(ctx, world, at, func(p *place) error {
		status, err := p.Repo.Status(ctx)
		if err != nil {
			return err
		}
		if status.Head == "" {
			return usage(errors.New("the repository has no commits: commit the code, then run causal update --commit"))
		}
		foreign := 0
		for _, c := range status.Changes {
			if !p.Layout.Owns(c.Path) {
				foreign++
			}
		}
		if foreign > 0 {
			revision = status.Head
			_, err = plain.Fprintf(world.Err, "%s not committed: the pages describe %s\n", summary.Count(foreign, "file"), short(status.Head))
		}
		return err
	})
	return revision, err
}

func (p *place) tellWhole(at string) {
	if !p.IsRoot(p.world.path(at)) {
		_, _ = plain.Fprintf(p.world.Err, "updating the whole repository, not only %s\n", at)
	}
}

// update runs or plans the update under the lock.
func (p *place) update(ctx context.Context, from workspace.WorkTree, flags updateFlags) (*report.Update, error) {
	if err := p.lock(ctx); err != nil {
		return nil, err
	}
	if !flags.dryRun {
		if err := p.Files.Sweep(); err != nil {
			return nil, err
		}
	}
	if err := p.renewAnswers(ctx, from); err != nil {
		return nil, err
	}
	specs, err := p.TestsOrProblem(ctx, workspace.SpecsRun{Looks: flags.dryRun})
	if err != nil {
		return nil, err
	}
	prepare, run := p.Engine, (*workspace.Knowledge).Update
	if flags.dryRun {
		prepare, run = p.Look, (*workspace.Knowledge).Plan
	}
	e, err := prepare()
	if err != nil {
		return nil, err
	}
	progress := newProgress(p.world)
	defer progress.clear()
	e.OnProgress(progress.show)
	r, err := run(e, ctx)
	if err != nil {
		return nil, err
	}
	if p.isFirst() {
		if r.Coverage, err = e.Coverage(ctx); err != nil {
			return nil, err
		}
	}
	specs.Tell(r)
	if flags.commit && !flags.dryRun && flags.rev == "" {
		if err := p.Committed(ctx, r); err != nil {
			return nil, err
		}
		if e, err = p.Engine(); err != nil {
			return nil, err
		}
	}
	if r.Session != "" && !flags.dryRun {
		p.saveRun(ctx, flags.session, e, r.Session)
	}
	return r, nil
}

// madeFiles reports whether the run created nodes or pages.
func (p *place) madeFiles() bool {
	for name, before := range p.Files.Changed() {
		if before == nil && !p.Layout.IsFrames(name) {
			return true
		}
	}
	return false
}

func (p *place) since(ctx context.Context, report *report.Update, rev string) error {
	c, err := p.Repo.Resolve(ctx, rev)
	if err != nil {
		return usage(err)
	}
	files, err := p.ChangedSince(ctx, c.ID)
	if err != nil {
		return fmt.Errorf("compare with %s: %w", rev, err)
	}
	report.Base, report.ChangedFiles = c.ID, files
	return nil
}

// commit commits only causal's own files, regardless of their last author.
func (p *place) commit(ctx context.Context, report *report.Update) error {
	own, err := p.changed(ctx)
	if err != nil || len(own) == 0 {
		return err
	}
	c, err := p.Repo.CommitPaths(ctx, own, summary.Headline+"\n\n"+summary.Reasons(report), gitstore.Trailer{Key: summary.SessionTrailer, Value: cmp.Or(report.Session, "none")})
	if err != nil {
		return fmt.Errorf("commit the update: %w", err)
	}
	_, _ = plain.Fprintf(p.world.Err, "committed %s as %s\n", summary.Count(len(own), "file"), short(c.ID))
	return nil
}

func (p *place) changed(ctx context.Context) ([]string, error) {
	status, err := p.Repo.Status(ctx)
	if err != nil {
		return nil, err
	}
	var own []string
	for _, c := range status.Changes {
		if p.Layout.Owns(c.Path) {
			own = append(own, c.Path)
		}
	}
	return own, nil
}

// stage stages causal's files, except pages that need a person's correction, and warns of sources that are not staged: the staged pages
// describe them.
func (p *place) stage(ctx context.Context, r *report.Update, staged bool) error {
	status, err := p.Repo.Status(ctx)
	if err != nil {
		return err
	}
	sources := source.NewClassifier(languages.All())
	var own, others []string
	for _, name := range status.Unstaged {
		switch {
		case !p.Layout.Owns(name):
			if sources.Classify(name).Readable {
				others = append(others, name)
			}
		case !slices.ContainsFunc(r.Blocked, func(b report.Blocked) bool { return b.Page == name }):
			own = append(own, name)
		}
	}
	if err := p.Repo.Stage(ctx, own); err != nil {
		return fmt.Errorf("stage the update: %w", err)
	}
	if len(others) > 0 && !staged {
		if more := len(others) - mostUnstaged; more > 0 {
			others = append(others[:mostUnstaged], fmt.Sprintf("and %d more", more))
		}
		p.warn([]ailment{{
			Says: "the staged pages describe changes that are not staged: " + strings.Join(others, ", "),
			Mend: "stage these files too, or document only what is staged: causal update --staged --add",
		}})
	}
	return nil
}

// mostUnstaged bounds the files in the warning about sources that are not staged.
const mostUnstaged = 3

func short(id string) string { return id[:min(len(id), 10)] }

// tellUpdate prints the outcome. Problems that need a person set exit code 1.
func (p *place) tellUpdate(r *report.Update, flags updateFlags) error {
	for _, b := range r.Blocked {
		_, _ = plain.Fprintf(p.world.Err, "causal: %s: %s\n  fix: %s\n", cmp.Or(b.Page, "none"), strings.TrimPrefix(b.Because, b.Page+" "), b.Mend)
	}
	if files := p.Unfit(); len(files) > 0 {
		_, _ = plain.Fprintf(p.world.Err, "causal: %s left out: the directory name is too long for a page: %s\n", summary.Count(len(files), "file"), files[0])
	}
	if r.Model = p.Model.Report(); !flags.json {
		p.tellModel()
	}
	differing := r.Differing
	if !flags.dryRun {
		p.tellUnread(r)
		var err error
		if differing, err = p.Files.Differing(); err != nil {
			return err
		}
	}
	err := p.world.answer(flags.json, r, func() string {
		text := ""
		if flags.diff {
			text = diffText(p.Layout, differing)
		}
		if p.isFirst() && !flags.dryRun {
			return text + p.firstText(r)
		}
		return text + updateText(r, flags.dryRun)
	})
	return orFindings(err, len(r.Blocked) > 0 || flags.exitCode && len(differing) > 0)
}

const mostUnread = 20

// tellUnread lists unparsable files in compiler format: FILE:LINE: problem.
func (p *place) tellUnread(r *report.Update) {
	var list []string
	for _, module := range slices.Concat(r.Stale, r.Partial) {
		if n := p.Node(module); n != nil {
			list = append(list, n.Problems()...)
		}
	}
	for i, problem := range list {
		if i == mostUnread {
			_, _ = plain.Fprintf(p.world.Err, "… and %s more that cannot be parsed\n", summary.Count(len(list)-i, "file"))
			break
		}
		_, _ = plain.Fprintf(p.world.Err, "%s\n", strings.Replace(problem, ": line ", ":", 1))
	}
}

func updateText(r *report.Update, dryRun bool) string {
	var b strings.Builder
	verb, pages := "updated", "written"
	if dryRun {
		verb, pages = "would be updated", "would be written"
	}
	const most = 30
	for i, m := range r.Updated {
		if i == most {
			plain.Add(&b, "  … and %d more\n", len(r.Updated)-most)
			break
		}
		plain.Add(&b, "  %-30s %s\n", m, reasonsOf(r, m))
	}
	for _, u := range alone(r) {
		plain.Add(&b, "  %-30s %s\n", u.Kind+"/"+u.Subject, why(u.Reasons[0]))
	}
	for _, m := range r.Removed {
		plain.Add(&b, "  %-30s removed: %s\n", m, reasonsOf(r, m))
	}
	for _, m := range r.Stale {
		plain.Add(&b, "  %-30s stale: kept the last readable text\n", m)
	}
	addPartial(&b, r)
	for _, c := range r.Compared {
		plain.Add(&b, "  %-30s %s\n", c.SessionID, comparison(c))
	}
	addTests(&b, r.Tests, pages)
	if len(r.Updated)+len(r.Removed)+len(r.PagesWritten)+specFiles(r.Tests) == 0 {
		if len(r.Blocked) == 0 {
			b.WriteString("everything is up to date, ")
		}
		b.WriteString("nothing was written\n")
	} else {
		plain.Add(&b, "%d %s, %d unchanged; %s %s\n", len(r.Updated), verb, r.Unchanged, summary.Count(len(r.PagesWritten), "page"), pages)
	}
	return b.String()
}

func addPartial(b *strings.Builder, r *report.Update) {
	for _, m := range r.Partial {
		plain.Add(b, "  %-30s partial: a file could be read in part only\n", m)
	}
}

// mostAlone bounds the list of units invalidated independently of their modules.
const mostAlone = 10

// alone lists units that were invalidated without their own module, which means that the reason lies elsewhere. It omits
// units created together with their module.
func alone(r *report.Update) []report.Unit {
	var out []report.Unit
	for _, u := range r.Units {
		switch {
		case len(u.Reasons) == 0, len(out) == mostAlone:
		case slices.Contains(r.Updated, aboutModule(u)), slices.Contains(r.Removed, aboutModule(u)):
		case len(r.Updated) > 0 && u.Reasons[0].Because == engine.BecauseNew:
		default:
			out = append(out, u)
		}
	}
	return out
}

// why describes a reason. A page that lists units is invalidated when one is added or removed.
func why(r engine.Reason) string {
	if r.Change.Fact.Family == fact.Units {
		return "the list of " + strings.TrimSuffix(r.Change.Fact.Name, "s") + "s changed"
	}
	return r.String()
}

func aboutModule(u report.Unit) string {
	if module, ok := render.ModuleOfPage(u.Subject); ok && u.Kind == render.PageKind {
		return module
	}
	return u.Subject
}

// comparison describes how a run relates to a suspended session.
func comparison(c session.Comparison) string {
	text := "set aside earlier: " + c.Prompt
	for _, part := range []struct {
		what string
		list []string
	}{{"changed since", c.Changed}, {"there again", c.Added}, {"gone since", c.Deleted}} {
		if n := len(part.list); n > 0 {
			text += fmt.Sprintf("; %s %s", summary.Count(n, "file"), part.what)
		}
	}
	switch {
	case !c.SamePrompt:
		return text + "; this is another task"
	case len(c.Resumable) > 0:
		return text + "; it can be resumed"
	case len(c.Fallen) > 0:
		return text + "; " + summary.Count(len(c.Fallen), "frame") + " would be invalidated"
	}
	return text
}

func reasonsOf(r *report.Update, module string) string {
	var out []string
	for _, i := range r.Invalidated {
		if i.Node == module {
			out = append(out, i.String())
		}
	}
	if len(out) > 3 {
		out = append(out[:3], fmt.Sprintf("and %d more", len(out)-3))
	}
	return strings.Join(out, "; ")
}
