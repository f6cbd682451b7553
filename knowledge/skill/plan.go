package skill

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/state"
)

// File is a file with a skill.
type File struct {
	Name string
	Data []byte
	// Unread is the reason why the file could not be read; empty if it was.
	Unread string
}

// Set is a set of skills that may run each other.
type Set struct {
	Skills   map[string]*Skill // those without problems
	Broken   map[string][]Problem
	Problems []Problem // of all, sorted
	Specs    Specs
}

// Read parses and plans skills.
func Read(files []File, specs Specs) *Set {
	set := &Set{Skills: map[string]*Skill{}, Broken: map[string][]Problem{}, Specs: specs}
	for _, f := range files {
		s, problems := parse(f)
		id, ok := IDOf(f.Name)
		if !ok {
			id = s.ID
		}
		if set.Skills[id] != nil || set.Broken[id] != nil {
			problems = append(problems, Problem{File: f.Name, Line: 1, What: fmt.Sprintf("another file has the skill %s", id)})
		}
		set.Skills[id] = s
		set.blame(id, problems)
	}
	for _, id := range slices.Sorted(maps.Keys(set.Skills)) {
		p := &planner{set: set, id: id, skill: set.Skills[id], parser: parser{file: set.Skills[id].File}}
		p.plan()
		set.blame(id, p.problems)
	}
	set.settle()
	return set
}

// Reject adds problems, by skill id, that only the calling program can detect.
func (set *Set) Reject(problems map[string][]Problem) {
	for id, list := range problems {
		set.blame(id, list)
	}
	set.settle()
}

func (set *Set) settle() {
	set.blameCallers()
	set.Problems = nil
	for id, problems := range set.Broken {
		delete(set.Skills, id)
		set.Problems = append(set.Problems, problems...)
	}
	slices.SortFunc(set.Problems, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, strings.Compare(a.What, b.What))
	})
	set.Problems = slices.Compact(set.Problems)
}

// Line returns the line of a key of a step, such as input.path.
func (s *Step) Line(key string) int { return s.at(key) }

// Line returns the line of a key of a skill.
func (s *Skill) Line(key string) int { return max(s.lines[key], 1) }

func (set *Set) blame(id string, problems []Problem) {
	if len(problems) > 0 {
		set.Broken[id] = append(set.Broken[id], problems...)
	}
}

// blameCallers adds a problem to skills that run one with problems.
func (set *Set) blameCallers() {
	for changed := true; changed; {
		changed = false
		for _, id := range slices.Sorted(maps.Keys(set.Skills)) {
			if set.Broken[id] != nil {
				continue
			}
			for _, step := range set.Skills[id].Steps {
				if called, ok := step.runs(); ok && set.Broken[called] != nil {
					cause := cmp.Or(set.Broken[called][0].Cause, set.Broken[called][0].File)
					set.blame(id, []Problem{{File: step.file, Line: step.at("input.skill"), What: fmt.Sprintf("the skill %s has problems: correct %s", called, cause), Cause: cause}})
					changed = true
				}
			}
		}
	}
}

func (s *Step) runs() (string, bool) {
	id, ok := s.Input["skill"].(string)
	return id, ok && s.Uses == RunSkill
}

// Calls lists the skills that a skill runs, directly and through others, with itself.
func (set *Set) Calls(id string) []string {
	seen := map[string]bool{}
	for todo := []string{id}; len(todo) > 0; todo = todo[1:] {
		s := set.Skills[todo[0]]
		if s == nil || seen[todo[0]] {
			continue
		}
		seen[todo[0]] = true
		for i := range s.Steps {
			if called, ok := s.Steps[i].runs(); ok {
				todo = append(todo, called)
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// ReadsOnly reports whether a skill and its nested skills change nothing.
func (set *Set) ReadsOnly(id string) bool {
	return !slices.ContainsFunc(set.Calls(id), func(called string) bool {
		return slices.ContainsFunc(set.Skills[called].Steps, func(s Step) bool { return set.Specs[s.Uses].Writes })
	})
}

// Uses reports whether a skill, or one that it runs, has a step with the capability.
func (set *Set) Uses(id, capability string) bool {
	return slices.ContainsFunc(set.Calls(id), func(called string) bool {
		return slices.ContainsFunc(set.Skills[called].Steps, func(s Step) bool { return s.Uses == capability })
	})
}

type planner struct {
	parser
	set     *Set
	id      string
	skill   *Skill
	written map[string]Type  // by target
	plain   map[string]bool  // targets that were written
	shapes  map[string]shape // by target
	order   []string
}

func (p *planner) plan() {
	s := p.skill
	p.written, p.plain, p.shapes = map[string]Type{}, map[string]bool{}, map[string]shape{}
	if len(s.Steps) == 0 && len(p.set.Broken[p.id]) == 0 {
		p.wrong(s.lines["steps"], "a skill needs at least one step")
	}
	ids := map[string]bool{}
	for i := range s.Steps {
		step := &s.Steps[i]
		switch {
		case !IsID(strings.ToLower(step.ID)):
			p.wrong(step.at("id"), "a step needs an id of letters, digits, dashes and underscores")
		case ids[step.ID]:
			p.wrong(step.at("id"), "two steps have the id %q", step.ID)
		}
		ids[step.ID] = true
		p.step(step)
	}
	p.circle()
}

func (p *planner) step(s *Step) {
	spec, ok := p.set.Specs[s.Uses]
	if !ok {
		p.wrong(s.at("uses"), "unknown capability %q; `causal skills capabilities` lists them", s.Uses)
	}
	if ok {
		p.input(s, spec)
		p.otherwise(s, spec)
	}
	p.condition(s)
	p.reads(s)
	p.output(s, spec, ok)
}

func (p *planner) input(s *Step, spec Spec) {
	for _, key := range slices.Sorted(maps.Keys(s.Input)) {
		f, known := field(spec.Input, key)
		value := s.Input[key]
		line := s.at("input." + key)
		switch {
		case !known:
			p.wrong(line, "%s does not take the input %q; it takes %s", spec.ID, key, cmp.Or(names(spec.Input), "none"))
			continue
		case isRef(value):
			continue
		case value == nil && f.Required:
			p.wrong(line, "the input %q of %s is empty", key, spec.ID)
		case !f.Type.Holds(value):
			p.wrong(line, "the input %q of %s must be %s", key, spec.ID, f.Type.article())
		case f.Check != nil && value != nil:
			if err := f.Check(value); err != nil {
				p.wrong(s.lineOf("input."+key, err), "the input %q: %v", key, err)
			}
		}
		p.refers(s, f, value, line)
	}
	for _, f := range spec.Input {
		if _, given := s.Input[f.Name]; f.Required && !given {
			p.wrong(s.at("input"), "%s needs the input %q", spec.ID, f.Name)
		}
	}
	given := slices.DeleteFunc(slices.Clone(spec.Either), func(name string) bool { return s.Input[name] == nil })
	if len(spec.Either) > 0 && len(given) != 1 {
		p.wrong(s.at("input"), "%s needs one of the inputs %s", spec.ID, strings.Join(spec.Either, ", "))
	}
	if s.Uses == RunSkill {
		p.called(s)
	}
}

func isRef(value any) bool {
	text, ok := value.(string)
	if !ok {
		return false
	}
	_, _, ok = state.ParseRef(text)
	return ok
}

func (t Type) article() string {
	if t == Integer || t == Any {
		return "an " + string(t)
	}
	return "a " + string(t)
}

func (p *planner) called(s *Step) {
	id, ok := s.runs()
	other := p.set.Skills[id]
	switch {
	case !ok:
		return
	case isRef(id):
		p.wrong(s.at("input.skill"), "the name of the skill must not be a reference")
		return
	case other == nil:
		p.wrong(s.at("input.skill"), "there is no skill %q", id)
		return
	case p.set.Broken[id] != nil: // its inputs may be unknown; callers of a skill with problems get a separate problem
		return
	}
	given, isMap := s.Input["inputs"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		in, known := other.Inputs[name]
		if !known {
			p.wrong(s.at("input.inputs"), "the skill %s has no input %q", id, name)
		} else if value := given[name]; !isRef(value) && !in.Type.Holds(value) {
			p.wrong(s.at("input.inputs"), "the input %q of the skill %s must be %s", name, id, in.Type.article())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(other.Inputs)) {
		if _, has := given[name]; other.Inputs[name].Required && !has && (isMap || s.Input["inputs"] == nil) {
			p.wrong(s.at("input.inputs"), "the skill %s needs the input %q", id, name)
		}
	}
}

func (p *planner) otherwise(s *Step, spec Spec) {
	if s.Else != nil && !spec.Else {
		p.wrong(s.at("else"), "a step with %s cannot have else", spec.ID)
	}
	for _, key := range slices.Sorted(maps.Keys(s.Else)) {
		if _, known := field(spec.Output, key); !known {
			p.wrong(s.at("else."+key), "%s has no output %q; it has %s", spec.ID, key, names(spec.Output))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.Output)) {
		name, _, _ := strings.Cut(key, ".")
		if _, known := field(spec.Output, name); s.Else != nil && known {
			if _, has := s.Else[name]; !has {
				p.wrong(s.at("else"), "else has no %q, which output needs", name)
			}
		}
	}
}

func (p *planner) condition(s *Step) {
	if _, given := s.lines["if"]; !given {
		return
	}
	e, err := Compile(s.If, StateNames...)
	if err != nil {
		p.wrong(s.at("if"), "if: %v", err)
		return
	}
	s.cond = e
	for _, ref := range e.Refs {
		s.refs[ref] = cmp.Or(s.refs[ref], s.at("if"))
	}
}

// reads rejects references to values that no earlier step writes.
func (p *planner) reads(s *Step) {
	for _, ref := range slices.Sorted(maps.Keys(s.refs)) {
		n, path, _ := state.ParseRef(ref)
		line := s.refs[ref]
		if _, declared := p.skill.Inputs[path[0]]; n == state.Inputs && !declared {
			p.wrong(line, "%s: the skill has no input %q", ref, path[0])
		}
		if state.IsStrict(n) && !p.available(ref) {
			p.wrong(line, "%s is read, and no earlier step writes it", ref)
		}
		p.reaches(ref, line)
	}
}

func (p *planner) available(ref string) bool {
	return slices.ContainsFunc(p.order, func(target string) bool {
		return target == ref || strings.HasPrefix(ref, target+".") || strings.HasPrefix(target, ref+".")
	})
}

func (p *planner) output(s *Step, spec Spec, known bool) {
	if err := state.CheckStrategy(s.Merge); err != nil {
		p.wrong(s.at("merge_strategy"), "%v", err)
	}
	var targets []string
	shapes := map[string]shape{}
	for _, key := range slices.Sorted(maps.Keys(s.Output)) {
		target, line := s.Output[key], s.at("output."+key)
		kind := p.produced(spec, key, known, line)
		if _, _, err := state.ParseTarget(target); err != nil {
			p.wrong(line, "%v", err)
			continue
		}
		if plain := s.Merge == "" || s.Merge == state.Overwrite; plain && (p.plain[target] || slices.Contains(targets, target)) {
			p.wrong(line, "target %q is written twice; set config.merge_strategy", target)
		}
		p.place(target, kind, s.Merge, line)
		shapes[target] = p.shapeOf(s, spec, key, line)
		targets = append(targets, target)
	}
	for _, target := range targets {
		p.plain[target] = true
		p.note(target, shapes[target])
		p.order = append(p.order, target)
	}
}

func (p *planner) produced(spec Spec, key string, known bool, line int) Type {
	name, rest, deep := strings.Cut(key, ".")
	f, ok := field(spec.Output, name)
	switch {
	case !known:
		return Any
	case !ok && isRef(key):
		if n, _, _ := state.ParseRef(key); state.IsStrict(n) && !p.available(key) {
			p.wrong(line, "%s is read, and no earlier step writes it", key)
		}
		return Any
	case !ok:
		p.wrong(line, "%s has no output %q; it has %s", spec.ID, name, cmp.Or(names(spec.Output), "none"))
	case deep && rest == "":
		p.wrong(line, "the output %q ends with a dot", key)
	case deep:
		return Any
	}
	return f.Type
}

// place checks that a value of a type fits the target, where the types are known.
func (p *planner) place(target string, kind Type, how state.Strategy, line int) {
	words := strings.Split(target, ".")
	for i := 2; i < len(words); i++ {
		above := strings.Join(words[:i], ".")
		if t := p.typeAt(above); t != Map && t != Any {
			p.wrong(line, "target %q: %s is %s", target, above, t.article())
			return
		}
	}
	before := p.typeAt(target)
	if how == state.Append && (kind != List && kind != Any || before != List && before != Any) {
		p.wrong(line, "append to %q: both values have to be lists", target)
	}
	switch {
	case how == state.DeepMerge && (kind == Any || before == Any):
		kind = Any
	case how == state.Append:
		kind = List
	}
	p.written[target] = kind
}

func (p *planner) typeAt(target string) Type {
	if t, ok := p.written[target]; ok {
		return cmp.Or(t, Any)
	}
	if slot, ok := strings.CutPrefix(target, "working."); ok && !strings.Contains(slot, ".") {
		if slot == state.WorkingSlots[0] {
			return Map
		}
		return List
	}
	return Any
}

func (p *planner) circle() {
	for i := range p.skill.Steps {
		step := &p.skill.Steps[i]
		called, ok := step.runs()
		if ok && p.set.Skills[called] != nil && slices.Contains(p.set.Calls(called), p.skill.ID) {
			p.wrong(step.at("input.skill"), "the skills %s and %s run each other in a circle", p.skill.ID, called)
		}
	}
}
