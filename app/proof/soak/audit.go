package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/proof/trial"
	"github.com/causaldocs/causal/app/summary"
)

// audit checks every repository after the kills.
func (s *soak) audit(ctx context.Context) error {
	s.say("%s: comparing with clean runs", s.title)
	for _, p := range s.places {
		a := &auditor{place: p, stage: s.stage, tally: &s.tally, runs: p.repo.CheckRuns, clone: filepath.Join(s.dir, "clones", filepath.Base(p.repo.Dir()))}
		for _, look := range []func(context.Context) error{a.docs, a.commits, a.checks, a.pullRequests} {
			if err := look(ctx); err != nil {
				return fmt.Errorf("look at %s: %w", p.repo.FullName(), err)
			}
		}
	}
	return nil
}

// auditor looks at one repository.
type auditor struct {
	*place
	*stage
	tally *tally
	runs  func(commit string) []githubsim.CheckRun
	clone string
}

// breach records a violation.
func (a *auditor) breach(promise, format string, args ...any) {
	a.tally.found[promise]++
	a.fault("%s: %s", a.repo.FullName(), fmt.Sprintf(format, args...))
}

// docs compares the published docs with a clean run at the same commit.
func (a *auditor) docs(ctx context.Context) error {
	if _, err := trial.Output(ctx, "", "git", "clone", "-q", a.repo.Dir(), a.clone); err != nil {
		return err
	}
	if _, err := trial.Output(ctx, a.clone, a.causal, "check"); err != nil {
		a.breach(stale, "%v", err)
	}
	have, err := content(a.clone)
	if err != nil {
		return err
	}
	for _, own := range written {
		if err := os.RemoveAll(filepath.Join(a.clone, own)); err != nil {
			return err
		}
	}
	if _, err := trial.Output(ctx, a.clone, a.causal, "update"); err != nil {
		return err
	}
	want, err := content(a.clone)
	if err != nil {
		return err
	}
	if len(want) == 0 {
		a.breach(undocumented, "a clean run writes nothing")
	}
	a.tally.files += len(want)
	all := maps.Clone(have)
	maps.Copy(all, want)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if have[name] != want[name] {
			a.breach(unlike, "%s differs from a clean run", name)
		}
	}
	return nil
}

// written are the directories that a clean run writes.
var written = []string{".causal/nodes", ".causal/frames", "docs/causal"}

// provenance are the beginnings of lines that say when something was last verified.
var provenance = []string{"last_verified: ", "commit: ", "frame_id: ", "  hash: ", "  at: ", "  lines: "}

// content reads nodes and pages without provenance.
func content(dir string) (map[string]string, error) {
	out := map[string]string{}
	files := os.DirFS(dir)
	for _, top := range []string{".causal/nodes", "docs/causal"} {
		err := fs.WalkDir(files, top, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := fs.ReadFile(files, name)
			var kept []string
			for line := range strings.SplitSeq(string(data), "\n") {
				if !slices.ContainsFunc(provenance, func(prefix string) bool { return strings.HasPrefix(line, prefix) }) {
					kept = append(kept, line)
				}
			}
			out[name] = strings.Join(kept, "\n")
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return out, nil
}

// commits looks for superfluous commits of the server: empty ones, and repeated ones without a push in between. It also looks for analyses
// that were set aside and not resumed although the pull request is open.
func (a *auditor) commits(ctx context.Context) error {
	out, err := trial.Output(ctx, a.repo.Dir(), "git", "log", "--first-parent", "--reverse", "--format=%H%x1f%T%x1f%an%x1f%s", "main")
	if err != nil {
		return err
	}
	tree, parent := "", ""
	said := map[string]string{} // the server's last headline, by its subject: the docs or a pull request
	for line := range strings.Lines(out) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), "\x1f", 4)
		id, now, author, headline := f[0], f[1], f[2], f[3]
		about := headline
		if number := pullNumber.FindString(headline); number != "" {
			about = number
		}
		switch {
		case author != botLogin:
			a.tally.landed++
			delete(said, summary.Headline)
		case now == tree:
			a.breach(empty, "commit %s (%s) changes nothing", id, headline)
		case said[about] == headline:
			a.breach(twice, "commit %s (%s) comes a second time", id, headline)
		}
		if author == botLogin {
			said[about] = headline
			a.countDocs(headline, id, parent)
		}
		tree, parent = now, id
	}
	for _, p := range a.repo.Pulls() {
		last := said[fmt.Sprintf("#%d", p.Number)]
		if strings.HasPrefix(last, "Set aside ") && (p.State == "open" || p.Merged) {
			a.breach(notTakenUp, "the analysis of #%d was set aside and not resumed", p.Number)
		}
	}
	return nil
}

// countDocs counts a commit of docs, and looks for the check run on the commit that it describes.
func (a *auditor) countDocs(headline, id, parent string) {
	if headline != summary.Headline {
		return
	}
	a.tally.docs++
	if parent != "" && len(a.runs(parent)) == 0 {
		a.breach(untold, "no check run on %s, whose docs are %s", parent, id)
	}
}

var pullNumber = regexp.MustCompile(`#\d+`)

const botLogin = "causal[bot]"

// checks looks for duplicate check runs on a commit, and for failed ones.
func (a *auditor) checks(ctx context.Context) error {
	out, err := trial.Output(ctx, a.repo.Dir(), "git", "rev-list", "--all")
	if err != nil {
		return err
	}
	for commit := range strings.FieldsSeq(out) {
		names := map[string]int{}
		for _, run := range a.runs(commit) {
			names[run.Name]++
			if run.Status != "completed" || run.Conclusion == "failure" {
				a.breach(failing, "check run %q on %s is %s %s: %s", run.Name, commit, run.Status, run.Conclusion, run.Title)
			}
		}
		for name, n := range names {
			if n > 1 {
				a.breach(checkedTwice, "%d check runs %q on %s", n, name, commit)
			}
		}
	}
	return nil
}

// pullRequests checks that each open pull request has one comment, and each other at most one.
func (a *auditor) pullRequests(context.Context) error {
	for _, p := range a.repo.Pulls() {
		a.tally.pulls[fate(p)]++
		said := 0
		for _, c := range a.repo.Comments(p.Number) {
			if c.Author == botLogin {
				said++
			}
		}
		if said > 1 || p.State == "open" && said == 0 {
			a.breach(untoldPulls, "%d comments on #%d", said, p.Number)
		}
		if p.State == "open" && len(a.runs(p.HeadID)) == 0 {
			a.breach(untoldPulls, "no check run on the head of #%d", p.Number)
		}
	}
	return nil
}

// fate is the state of a pull request, or "merged".
func fate(p githubsim.Pull) string {
	if p.Merged {
		return "merged"
	}
	return p.State
}
