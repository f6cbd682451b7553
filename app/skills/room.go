package skills

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/skill"
	"github.com/causaldocs/causal/knowledge/state"
)

// skillFacts is the fact family skill <id>; skill . is the list of skills.
const skillFacts fact.Family = "skill"

// sourceFacts is the fact family skillsource <id>, the text of a skill file. Only errors have positions in it.
const sourceFacts fact.Family = "skillsource"

var allSkills = fact.New(skillFacts, ".")

// Room answers facts about skills and the git history. It implements engine.Room, and reads the skills on first use.
type Room struct {
	config *Config
	own    func() []string
	set    func() (*skill.Set, error)

	mu       sync.Mutex
	answered map[string]answered
}

// NewRoom returns the room. own lists causal's own files that changed since the last run.
func NewRoom(c *Config, own func() []string) *Room {
	return &Room{config: c, own: own, set: sync.OnceValues(c.Load), answered: map[string]answered{}}
}

// Set returns the skills.
func (r *Room) Set() (*skill.Set, error) { return r.set() }

// Load reads and plans the skills of the repository.
func (c *Config) Load() (*skill.Set, error) {
	files, err := c.Read()
	if err != nil {
		return nil, err
	}
	return c.Plan(files), nil
}

// Plan plans skills, and checks the paths of their pages.
func (c *Config) Plan(files []skill.File) *skill.Set {
	set := skill.Read(files, Specs)
	problems := map[string][]skill.Problem{}
	for _, id := range slices.Sorted(maps.Keys(set.Skills)) {
		s := set.Skills[id]
		wrong := func(line int, format string, args ...any) {
			problems[id] = append(problems[id], skill.Problem{File: s.File, Line: line, What: fmt.Sprintf(format, args...)})
		}
		if s.Runs(skill.OnUpdate) && !set.Uses(id, pageID) {
			wrong(s.Line("when"), "a skill that runs on update needs a step with %s", pageID)
		}
		if s.Runs(skill.OnReview) && !set.Uses(id, findingID) {
			wrong(s.Line("when"), "a skill that runs on review needs a step with %s", findingID)
		}
		for name, in := range s.Inputs {
			if in.Required && in.Default == nil && (s.Runs(skill.OnUpdate) || s.Runs(skill.OnReview)) {
				wrong(s.Line("inputs"), "the input %q needs a default for runs on update or review", name)
			}
		}
		for i := range s.Steps {
			step := &s.Steps[i]
			if step.Uses != pageID {
				continue
			}
			name, known := pathOf(s, step)
			line := step.Line("input.path")
			switch {
			case known && c.Taken(c.Layout.Docs+"/"+name):
				wrong(line, "path %q: causal writes that page itself", name)
			case known && checkPage(name) != nil:
				wrong(line, "%v", checkPage(name))
			case !known && slices.ContainsFunc(updaters(set), func(top string) bool { return slices.Contains(set.Calls(top), id) }):
				wrong(line, "the path of a page on update must be a text, or refer to frame or to an input with a default")
			}
		}
	}
	rivals(set, problems)
	set.Reject(problems)
	return set
}

func rivals(set *skill.Set, problems map[string][]skill.Problem) {
	refuse := func(id, page string, step, first *skill.Step) {
		problems[id] = append(problems[id], skill.Problem{File: step.File(), Line: step.Line("input.path"), What: fmt.Sprintf("path %q: the step at %s writes that page", page, first.Place("input.path"))})
	}
	for _, id := range slices.Sorted(maps.Keys(set.Skills)) {
		first := map[string]*skill.Step{}
		for page, step := range pageSteps(set.Skills[id]) {
			if other := first[page]; other != nil && other.If == "" && step.If == "" { // of alternatives, only one may run
				refuse(id, page, step, other)
			} else if other == nil || other.If != "" {
				first[page] = step
			}
		}
	}
	writers, steps := map[string]string{}, map[string]*skill.Step{}
	for _, top := range updaters(set) {
		for _, id := range set.Calls(top) {
			for page, step := range pageSteps(set.Skills[id]) {
				if other := writers[page]; other != "" && other != top {
					refuse(top, page, step, steps[page])
					continue
				}
				writers[page], steps[page] = top, step
			}
		}
	}
}

// pageSteps returns the steps of a skill that write a page, with the paths that are known before a run.
func pageSteps(s *skill.Skill) iter.Seq2[string, *skill.Step] {
	return func(yield func(string, *skill.Step) bool) {
		for i := range s.Steps {
			step := &s.Steps[i]
			if name, ok := pathOf(s, step); ok && step.Uses == pageID && !yield(name, step) {
				return
			}
		}
	}
}

func updaters(set *skill.Set) (out []string) {
	for _, id := range slices.Sorted(maps.Keys(set.Skills)) {
		if set.Skills[id].Runs(skill.OnUpdate) {
			out = append(out, id)
		}
	}
	return out
}

func pathOf(s *skill.Skill, step *skill.Step) (string, bool) {
	given, _ := s.Given(nil)
	n, _, isRef := state.ParseRef(text(step.Input, "path"))
	if isRef && n != state.Frame && n != state.Inputs {
		return "", false
	}
	v, err := state.New(state.Options{Inputs: given, Frame: s.Frame}).Resolve(step.Input["path"])
	name, ok := v.(string)
	return name, ok && err == nil
}

// pagesOf lists the pages of a skill and of the skills that it runs, sorted.
func pagesOf(set *skill.Set, id string) (out []string) {
	for _, called := range set.Calls(id) {
		for name := range pageSteps(set.Skills[called]) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Families implements engine.Room.
func (*Room) Families() []fact.Family { return []fact.Family{skillFacts, sourceFacts, historyFacts} }

// Digest implements engine.Room.
func (r *Room) Digest(ctx context.Context, f fact.Fact) (string, error) {
	if f.Family == historyFacts {
		a, err := r.history(ctx, f)
		switch {
		case err != nil || errors.Is(a.err, ErrNoHistory):
			return "", err
		case a.err != nil:
			return fact.Digest("error", a.err.Error()), nil
		}
		return digestOf(a.value)
	}
	set, err := r.set()
	if err != nil {
		return "", err
	}
	if f == allSkills {
		var parts []string
		for _, id := range updaters(set) {
			parts = append(parts, append([]string{id}, pagesOf(set, id)...)...)
		}
		parts = append(append(parts, ""), slices.Sorted(maps.Keys(set.Broken))...)
		if len(set.Skills)+len(set.Broken) == 0 {
			return "", nil
		}
		return fact.Digest(parts...), nil
	}
	s := set.Skills[f.Name]
	switch {
	case s == nil:
		return digestOf(set.Broken[f.Name])
	case f.Family == sourceFacts:
		return s.Source(), nil
	}
	return digestOf(s)
}

// Value implements engine.Room.
func (r *Room) Value(ctx context.Context, f fact.Fact) (any, error) {
	if f.Family == historyFacts {
		return r.history(ctx, f)
	}
	return r.set()
}

type answered struct {
	value map[string]any
	err   error
}

// history answers a call, once per run. It returns only context errors and ErrInterrupted: other failures are facts.
func (r *Room) history(ctx context.Context, f fact.Fact) (answered, error) {
	call, err := parseCall(f)
	if err != nil {
		return answered{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	a, known := r.answered[f.Name]
	if !known {
		a.value, a.err = r.config.History(ctx, call)
		if ctx.Err() != nil {
			return answered{}, ctx.Err()
		}
		if errors.Is(a.err, ErrInterrupted) {
			return answered{}, a.err
		}
		r.answered[f.Name] = a
	}
	a.value, _ = state.Copy(a.value).(map[string]any)
	return a, nil
}

// Changed implements engine.Room. Any change may be a change of the history.
func (r *Room) Changed() (facts []fact.Fact, all bool) {
	facts = []fact.Fact{{Family: historyFacts}}
	if slices.ContainsFunc(r.own(), func(file string) bool { return strings.HasPrefix(file, skill.Dir+"/") }) {
		facts = append(facts, allSkills, fact.Fact{Family: skillFacts}, fact.Fact{Family: sourceFacts})
	}
	return facts, false
}

// Explain implements engine.Room.
func (r *Room) Explain(_ []fact.Observation, changes []fact.Change, _ func(fact.Family, string) []fact.Observation) []condition.Cause {
	var causes []condition.Cause
	for _, c := range changes {
		cause := condition.Cause{Change: c, Detail: "the skill changed"}
		switch {
		case c.Fact.Family == historyFacts:
			call, _ := parseCall(c.Fact)
			since := " since " + r.since(c.Fact, call)
			cause.Detail = map[string]string{ChangesCall: "files changed" + since, LogCall: "there are other commits" + since, APICall: "the API changed" + since}[call.Name]
		case c.Fact == allSkills:
			cause.Detail = "there are other skills"
		default:
			cause.File = skill.Path(c.Fact.Name)
		}
		causes = append(causes, cause)
	}
	return causes
}

// since returns the revision that a call compares with: the commit of the tag, once it is known.
func (r *Room) since(f fact.Fact, call HistoryCall) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	tag, _ := r.answered[f.Name].value["since"].(string)
	return cmp.Or(tag, call.Since, "the beginning")
}

var _ engine.Room = (*Room)(nil)

func skillFact(id string) fact.Fact { return fact.New(skillFacts, id) }

// Describe describes a fact that a skill read; empty for internal facts.
func Describe(f fact.Fact) (what, level string) {
	switch f.Family {
	case skillFacts:
		if f == allSkills {
			return "", ""
		}
		return skill.Path(f.Name), "content"
	case historyFacts:
		call, _ := parseCall(f)
		return map[string]string{ChangesCall: "files and commits", LogCall: "commits", APICall: "changes of the API"}[call.Name] + " since " + cmp.Or(call.Since, "the beginning"), "history"
	case fact.Conclusions:
		return strings.Replace(f.Name, "/", " ", 1), "conclusion"
	case fact.Excerpts:
		return strings.Replace(f.Of, "/", " ", 1), f.Name
	case fact.Units:
		return "list of " + f.Name + "s", "list"
	case fact.Blobs:
		return f.Name, "content"
	case fact.Callers:
		return "references to " + f.Of + "." + f.Name, "references"
	case ledger.EventFacts:
		return "events of the log", "content"
	}
	return "", ""
}
