package workspace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"time"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/govet"
	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/skill"
	"github.com/causaldocs/causal/knowledge/state"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/life"
	"github.com/causaldocs/causal/review/sarif"
)

// Logs are the results of linters: by path, without a path, and which tools ran.
type Logs struct {
	Faults  map[string][]sarif.Result
	Outside []sarif.Result // results with paths outside of the root: another machine may have written them
	Nowhere []review.Dropped
	Ran     map[string]bool // as life.Run has it
	Failed  []review.Failure
}

// NewLogs returns empty logs.
func NewLogs() *Logs { return &Logs{Faults: map[string][]sarif.Result{}, Ran: map[string]bool{}} }

// Add reads a file. name is used in messages, and roots are prefixes that its paths may have.
func (l *Logs) Add(file, name string, roots ...string) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("read %s: %w", name, errors.Unwrap(err))
	}
	defer func() { _ = f.Close() }()
	log, err := sarif.Read(f, name, roots...)
	if err != nil {
		return err
	}
	for _, run := range log.Runs {
		if was, known := l.Ran[run.Tool]; !known || was {
			l.Ran[run.Tool] = run.Looked()
		}
		if !run.Looked() {
			l.Failed = append(l.Failed, review.Failure{Check: run.Tool, Reason: run.Unfinished})
		}
		for _, r := range run.Results {
			switch {
			case r.Path == "" && r.Outside != "":
				l.Outside = append(l.Outside, r)
				continue
			case r.Path == "":
				l.Nowhere = append(l.Nowhere, review.Dropped{Rule: r.Rule, Line: r.Line, Reason: r.Dropped})
				continue
			}
			l.Faults[r.Path] = append(l.Faults[r.Path], r)
		}
	}
	return nil
}

// ask asks a model for findings and for a summary of the change. The findings join those of linters. A model that fails
// is a failed check: the review continues and keeps earlier findings of the model.
func (r *reviewing) ask(ctx context.Context, head *survey.Survey, room *change.Room) ([]grounding.Sentence, error) {
	w := r.workspace
	if !r.Model.Allows(prompt.Review) || w.Config.Review.Off {
		return nil, nil
	}
	shown, err := r.Given.Show(changeReader{facts{ctx, head}, room}, func(file string) bool { return !w.Shows(file) })
	if err != nil || shown.Empty() {
		return nil, err
	}
	q := review.Question{Base: r.Base.ID, Head: r.Head, Shown: shown}
	if !w.Config.Review.Ignores(review.ModelRule) {
		if err := r.askFindings(ctx, q); err != nil {
			return nil, err
		}
	}
	done := r.asking("summary")
	overview, err := q.Summary(ctx, r.Model)
	done()
	_, err = answered(err)
	return overview, err
}

type askedStep struct {
	state.TraceStep
	state.Usage
}

func (r *reviewing) asking(what string) (done func()) {
	began, before := time.Now(), usageOf(r.Model)
	return func() {
		now := usageOf(r.Model)
		r.asked = append(r.asked, askedStep{
			state.TraceStep{
				StepID: what, CapabilityID: "model", Status: state.Completed, StartedAt: began, LatencyMS: time.Since(began).Milliseconds(),
				Reads: []string{"change"}, Writes: []string{what},
			}, state.Usage{LLMCalls: now.LLMCalls - before.LLMCalls, TokensIn: now.TokensIn - before.TokensIn, TokensOut: now.TokensOut - before.TokensOut},
		})
	}
}

func (r *reviewing) askFindings(ctx context.Context, q review.Question) error {
	done := r.asking("findings")
	results, err := q.Findings(ctx, r.Model)
	done()
	looked, err := answered(err)
	if err != nil {
		return err
	}
	r.Ran[review.ModelTool] = looked
	for _, one := range results {
		r.Given.Faults[one.Path] = append(r.Given.Faults[one.Path], one)
	}
	return nil
}

// answered reports whether a model gave an answer. A missing answer is in the report of its Run and is no error.
func answered(err error) (bool, error) {
	var failed *prompt.FailedError
	if errors.As(err, &failed) {
		return false, nil
	}
	return err == nil, err
}

type changeReader struct {
	facts
	room *change.Room
}

func (c changeReader) Read(f fact.Fact) (any, error) {
	if !slices.Contains(c.room.Families(), f.Family) {
		return c.facts.Read(f)
	}
	return c.room.Value(c.ctx, f)
}

const baseInput = "base"

// addSkills adds the findings of skills, and the skills that failed, to a review. It starts the engine only if a skill
// runs on review.
func (w *Workspace) addSkills(ctx context.Context, c *Change) error {
	files, err := w.skillFiles()
	if err != nil || !slices.ContainsFunc(files, func(f skill.File) bool { return skill.Mentions(f.Data, skill.OnReview) }) {
		return err
	}
	k, err := w.Look()
	if err != nil {
		return err
	}
	set, err := k.Skills()
	if err != nil {
		return err
	}
	if err := k.Look(ctx); err != nil {
		return err
	}
	var failed []review.Failure
	fails := func(id, why string) {
		failed = append(failed, review.Failure{Check: skills.Kind + "/" + id, Reason: why})
	}
	for _, f := range files { // a broken skill has no rule; its problems give the reason
		if id, _ := skill.IDOf(f.Name); set.Broken[id] != nil && skill.Mentions(f.Data, skill.OnReview) {
			fails(id, set.Broken[id][0].String())
		}
	}
	for _, id := range slices.Sorted(maps.Keys(set.Skills)) {
		s := set.Skills[id]
		if !s.Runs(skill.OnReview) || w.Config.Review.Ignores(skills.Kind+"/"+id) {
			continue
		}
		why, err := k.reviewSkill(ctx, set, s, c)
		if err != nil {
			return err
		}
		if why != nil {
			fails(id, why.Error())
		}
	}
	c.Ran[skills.Kind], c.Failed = len(failed) == 0, slices.Concat(c.Failed, failed)
	return nil
}

func (k *Knowledge) reviewSkill(ctx context.Context, set *skill.Set, s *skill.Skill, c *Change) (why, err error) {
	inputs := map[string]any{}
	if _, wants := s.Inputs[baseInput]; wants {
		inputs[baseInput] = c.Base.ID
	}
	r, err := k.skilled.Run(ctx, set, s.ID, inputs, k.Engine.Reader(ctx), nil)
	if err == nil && errors.Is(r.Err, skills.ErrInterrupted) {
		err = r.Err
	}
	if err != nil {
		return nil, err
	}
	k.workspace.traceSkill(skills.Kind+"/"+s.ID, r.Run)
	for _, f := range r.Findings {
		c.Given.Faults[f.Path] = append(c.Given.Faults[f.Path], sarif.Result{
			Rule: skills.Kind + "/" + s.ID, Category: finding.Maintainability, Severity: finding.Severity(f.Severity), Path: f.Path,
			Region: sarif.Region{Line: f.Line, EndLine: f.EndLine}, Message: f.Message,
		})
	}
	return r.Err, nil
}

// vet runs go vet on the changed packages and adds its results to those of linters. It returns the packages that it
// skipped, and the reason if it did not run. A repository without Go files needs no reason.
func (r *reviewing) vet(ctx context.Context, head *survey.Survey, room *change.Room) (skipped []finding.Skipped, absent string, err error) {
	if r.Vet == nil {
		return nil, "", nil
	}
	files, err := head.Entries(ctx)
	if err != nil || !slices.ContainsFunc(files, func(e survey.Entry) bool { return path.Ext(e.Path) == ".go" }) {
		return nil, "", err
	}
	root, why, err := r.workspace.Sources(ctx)
	if err != nil || why != "" {
		return nil, why, err
	}
	said, err := govet.Look(ctx, root, r.Vet, room.Present())
	if err != nil || said.Absent != "" {
		return nil, said.Absent, err
	}
	before, known := r.Ran[govet.Tool] // the user may have given a log of the same tool
	r.Ran[govet.Tool] = said.Looked() && (before || !known)
	for _, one := range said.Results {
		r.Given.Faults[one.Path] = append(r.Given.Faults[one.Path], one)
	}
	return said.Skipped, "", nil
}

// Sources returns the directory with the shown sources, or why there is none.
func (w *Workspace) Sources(ctx context.Context) (root, why string, err error) {
	switch {
	case w.disk == nil:
		return "", "there is no work tree", nil
	case w.view == onDisk:
		return w.disk.Root(), "", nil
	}
	status, err := w.disk.Status(ctx)
	if err != nil {
		return "", "", fmt.Errorf("check whether the work tree is clean: %w", err)
	}
	if status.Head != w.Commit.ID {
		return "", "the checked-out commit is not " + w.Commit.ID[:min(len(w.Commit.ID), 10)], nil
	}
	at := slices.IndexFunc(status.Changes, func(c gitstore.Change) bool { return c.Kind != gitstore.Untracked || forGo(c.Path) })
	if at >= 0 {
		return "", "the work tree has uncommitted changes: " + status.Changes[at].Path, nil
	}
	return w.disk.Root(), "", nil
}

func forGo(name string) bool {
	return path.Ext(name) == ".go" || slices.Contains([]string{"go.mod", "go.sum", "go.work", "go.work.sum", "modules.txt"}, path.Base(name))
}

// muted is the reason for dropping a finding that the configuration mutes.
const muted = "muted in " + store.Config

// mute drops muted findings before the comparison with earlier reviews, and removes them from the earlier state,
// because nobody fixed them. Findings that were already fixed or dismissed keep their state.
func (r *reviewing) mute(found *review.Found) {
	ignores := r.workspace.Config.Review.Ignores
	var dropped []review.Dropped
	found.Findings = slices.DeleteFunc(found.Findings, func(f finding.Finding) bool {
		if !ignores(f.Rule) {
			return false
		}
		dropped = append(dropped, review.Dropped{Rule: f.Rule, Path: f.Path, Line: f.Line, Reason: muted})
		return true
	})
	found.Omitted = slices.DeleteFunc(found.Omitted, func(o review.Omission) bool {
		if !ignores(o.Rule) {
			return false
		}
		dropped = append(dropped, review.Dropped{Rule: o.Rule, Reason: muted})
		return true
	})
	found.Drop(dropped...)
	r.State.Findings = slices.DeleteFunc(r.State.Findings, func(e *life.Entry) bool {
		return ignores(e.Rule) && (e.Status == life.Open || e.Status == life.Carried)
	})
}
