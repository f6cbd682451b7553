package sandbox

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/review/principle"
)

// mostFiles limits the files that a run may publish: 100,000 modules have so many nodes and pages.
const mostFiles = 200_001

var sessionID = lazyregexp.New(`^s-[0-9a-f]{12}$`)

// check validates the result of a task, because the parent reads and publishes the files that it names.
func (r *Result) check(t Task) error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", errMessage, fmt.Sprintf(format, args...))
	}
	if !r.Bot.Mode.Valid() || r.Covered && (t.Pull == nil || len(r.Bot.Ignore.Paths) == 0) {
		return wrong("a result without a mode, or files that nothing covers")
	}
	if err := r.checkHeard(t); err != nil {
		return err
	}
	if err := r.checkAnswers(t); err != nil {
		return err
	}
	if by, _ := r.Ignored(t); r.Report == nil && (by != "" || !t.updates()) {
		if !inside(r.Docs) || len(r.Write)+len(r.Remove)+len(r.Record) > 0 {
			return wrong("files of a task that makes none")
		}
		return r.checkCandidates(t)
	}
	if r.Report == nil {
		return wrong("a result without a report")
	}
	layout := store.Layout{Docs: r.Docs}
	if !inside(r.Docs) || layout.Owns(".") {
		return wrong("pages in %q", r.Docs)
	}
	if n := len(r.Write) + len(r.Remove); n > mostFiles {
		return wrong("%d files", n)
	}
	for _, list := range [][]string{r.Write, r.Remove} {
		for _, name := range list {
			if !inside(name) || !layout.Owns(name) || name == store.Config {
				return wrong("the file %q", name)
			}
		}
	}
	if slices.ContainsFunc(r.Remove, ledger.IsFile) {
		return wrong("a log of which something is removed")
	}
	foreign := func(name string) bool {
		return ledger.IsKey(name) && (t.Signer == nil || t.Signer.KeyFile().Path != name)
	}
	if slices.ContainsFunc(r.Write, foreign) {
		return wrong("a key that is not the one of the task")
	}
	for _, id := range []string{r.Session, r.Report.Session} {
		if id != "" && !sessionID.MatchString(id) {
			return wrong("the session %q", id)
		}
	}
	if slices.ContainsFunc(r.Ended, func(slug string) bool { return t.End[slug] == "" }) {
		return wrong("removed principles without a decision")
	}
	if specs := r.Report.Tests; specs != nil && max(len(specs.Invalidated), len(specs.BehaviourChanges)) > mostTold {
		return wrong("%d specs that do not hold", len(specs.Invalidated))
	}
	if len(r.Promoted) > mostFiles {
		return wrong("%d principles", len(r.Promoted))
	}
	if r.Candidates != nil {
		return wrong("unexpected candidates")
	}
	if r.Review != nil {
		if t.Pull == nil || t.Pull.Review == nil {
			return wrong("an unexpected review")
		}
		if err := r.Review.check(); err != nil {
			return err
		}
	}
	if (r.Session == "") != (len(r.Record) == 0) || len(r.Record) > store.LargestFile {
		return wrong("a session of %d bytes", len(r.Record))
	}
	return nil
}

func (r *Result) checkHeard(t Task) error {
	if len(r.Heard) > 0 && len(r.Heard) != len(t.Say) {
		return fmt.Errorf("%w: %d answers to %d sayings", errMessage, len(r.Heard), len(t.Say))
	}
	for _, h := range r.Heard {
		lists := [][]report.Event{h.Touched, h.Candidates, h.Trail}
		if s := h.State; s != nil {
			lists = append(lists, s.Settled, s.Contested, s.Unchallenged, s.Open, s.Past)
		}
		if slices.ContainsFunc(lists, func(l []report.Event) bool { return len(l) > mostTold }) {
			return fmt.Errorf("%w: an answer of more than %d events", errMessage, mostTold)
		}
	}
	return nil
}

func (r *Result) checkCandidates(t Task) error {
	c := r.Candidates
	if c == nil {
		return nil
	}
	slugs := slices.Clone(c.Decided)
	for _, one := range c.List {
		slugs = append(slugs, one.Slug)
	}
	unsound := func(slug string) bool { _, ok := principle.SlugOf(principle.Path(slug)); return !ok }
	if t.Asking == nil || c.Left < 0 || len(slugs) > mostFiles || slices.ContainsFunc(slugs, unsound) {
		return fmt.Errorf("%w: candidates %q", errMessage, slugs[:min(len(slugs), mostTold)])
	}
	return nil
}

// inside reports whether a name is a path in the repository, outside of directories that git or GitHub reads.
func inside(name string) bool {
	if name == "" || name == "." || path.Clean(name) != name || !filepath.IsLocal(filepath.FromSlash(name)) || strings.ContainsAny(name, "\\\x00\r\n") {
		return false
	}
	for part := range strings.SplitSeq(strings.ToLower(name), "/") {
		if part == ".git" || part == ".github" {
			return false
		}
	}
	return true
}
