package testrun

import (
	"context"
	"fmt"
	"slices"

	"github.com/causaldocs/causal/testgen"
)

// ask asks the model for cases of the specs that get new ones. A spec without an answer goes on without it.
func (r *Runner) ask(ctx context.Context, jobs []*Job) error {
	if r.Model == nil {
		return nil
	}
	for _, j := range jobs {
		if !j.anew() || r.Shows != nil && !r.Shows(j.Target.File) {
			continue
		}
		asked, err := testgen.Ask(ctx, r.Model, "spec/"+j.Subject, j.Spec, j.Target)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil: // the model's report has the error
			continue
		}
		j.proposed = asked.Cases
		for _, text := range asked.Dropped {
			r.say(fmt.Sprintf("%s: ignored a proposal of %s: %s", j.File, r.Model.Name(), text))
		}
	}
	return nil
}

// credit adds the model to the provenance of specs with a case that it proposed.
func (r *Runner) credit(jobs []*Job, recorded map[string]*testgen.Recorded) {
	for _, j := range jobs {
		if one := recorded[j.Subject]; len(j.proposed) > 0 && one != nil && one.Chosen != nil && slices.Contains(one.Chosen.Seeds, testgen.FromModel) {
			j.Spec.Provenance.LLM = r.Model.Name()
		}
	}
}

func (r *Runner) say(text string) {
	if r.Say != nil {
		r.Say(text)
	}
}
