package workspace

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/knowledge/skill"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/sarif"
)

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
