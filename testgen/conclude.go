package testgen

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/testgen/spec"
)

// TransformInput implements engine.Plugin.
func (p *Plugin) TransformInput(in engine.Input, core engine.CoreContext) (map[string]any, error) {
	slice := map[string]any{"subject": in.Unit.Subject}
	if in.Unit.Kind != Kind {
		return slice, nil
	}
	slice["session"] = core.Artifacts().SessionID
	if because, file := cause(in.Reasons); file != "" {
		slice["because"], slice["through"] = because, file
	}
	t, err := targetOf(in, in.Unit.Subject)
	if err != nil || t == nil || t.Reason != "" {
		return slice, err
	}
	cases, seeds := t.Propose()
	proposed, err := json.Marshal(proposal{t.Rationale, encodeCases(cases), seeds})
	if err != nil {
		return nil, fmt.Errorf("propose tests of %s: %w", in.Unit.Subject, err)
	}
	slice["signature"], slice["documentation"], slice["proposal"] = t.Signature, t.Doc, string(proposed)
	if prior, ok := previous(in); ok {
		slice["prior_rationale"] = prior.Rationale
	}
	return slice, nil
}

// proposal is the JSON of an answer, with cases in the form of spec lines.
type proposal struct {
	Rationale string   `json:"rationale"`
	Cases     []string `json:"cases"`
	Seeds     []string `json:"seeds"`
}

func encodeCases(cases []spec.Case) []string {
	out := []string{}
	for i := range cases {
		out = append(out, cases[i].String())
	}
	return out
}

// Draft implements engine.Plugin.
func (p *Plugin) Draft(slice map[string]any) (string, error) {
	if text, ok := slice["proposal"].(string); ok {
		return text, nil
	}
	return `{"rationale":"","cases":[],"seeds":[]}`, nil
}

// ParseOutput implements engine.Plugin.
func (p *Plugin) ParseOutput(raw string, in engine.Input, f frame.Frame) (engine.Conclusion, error) {
	if in.Unit.Kind == codeKind {
		return p.concludeCode(in)
	}
	return p.concludeSpec(raw, in, f)
}

// Spec is the body of a conclusion about a function.
type Spec struct{ *spec.Spec }

func previous(in engine.Input) (*spec.Spec, bool) {
	if in.Previous == nil {
		return nil, false
	}
	s, ok := in.Previous.Body.(Spec)
	return s.Spec, ok && s.Spec != nil
}

func targetOf(r engine.Reader, subject string) (*Target, error) {
	return survey.Ask[*Target](r, fact.New(planFacts, subject))
}

// now returns the current digests of a target, including everything it reaches in other modules.
func now(r engine.Reader, subject string, t *Target) (spec.Depends, error) {
	dir, symbol := Split(subject)
	d := spec.Depends{Language: t.Language}
	var err error
	if d.Interface, err = survey.Ask[string](r, fact.Of(fact.Symbols, dir, symbol)); err != nil {
		return d, err
	}
	if d.Body, err = survey.Ask[string](r, fact.Of(fact.Bodies, dir, symbol)); err != nil {
		return d, err
	}
	parts := []string{d.Body}
	for _, n := range t.Reaches {
		body, err := survey.Ask[string](r, fact.Of(fact.Bodies, n.Dir, n.Name))
		if err != nil {
			return d, err
		}
		parts = append(parts, n.Dir, n.Name, body)
	}
	if len(parts) > 1 {
		d.Body = fact.Digest(parts...)
	}
	return d, nil
}

func conditionOf(subject string, t *Target) string {
	dir, symbol := Split(subject)
	text := fmt.Sprintf("symbol_changed(%s, %s) or body_changed(%[1]s, %[2]s)", strconv.Quote(dir), strconv.Quote(symbol))
	if t == nil {
		return text
	}
	for _, n := range t.Reaches[:min(len(t.Reaches), mostTerms)] {
		text += fmt.Sprintf(" or body_changed(%s, %s)", strconv.Quote(n.Dir), strconv.Quote(n.Name))
	}
	return text
}

// mostTerms limits the names of other modules in a condition; the digest covers all of them.
const mostTerms = 12

// concludeSpec updates a spec to the current state of its target. Recorded results stay: only a run can replace them.
func (p *Plugin) concludeSpec(raw string, in engine.Input, f frame.Frame) (engine.Conclusion, error) {
	t, err := targetOf(in, in.Unit.Subject)
	if err != nil {
		return engine.Conclusion{}, err
	}
	prior, had := previous(in)
	if t == nil {
		if !had {
			return engine.Conclusion{}, fmt.Errorf("there is no %s", in.Unit.Subject)
		}
		return conclusionOf(in.Unit.Subject, orphan(in, prior, f), nil), nil
	}
	d, err := now(in, in.Unit.Subject, t)
	if err != nil {
		return engine.Conclusion{}, err
	}
	var s *spec.Spec
	if !had {
		if s, err = fresh(raw); err != nil {
			return engine.Conclusion{}, err
		}
		s.DependsOn = d
	} else {
		if s = clone(prior); s.Status == spec.Quarantined {
			s.Fell = nil // the target exists again
		}
	}
	s.Target, s.Condition = t.Spec, conditionOf(in.Unit.Subject, t)
	settle(s, t, d, func() {
		if again, err := fresh(raw); err == nil {
			propose(s, again, d)
		}
	})
	if s.Status == spec.Invalidated && s.Fell == nil {
		s.Fell = fellThrough(in.Unit.Subject, s, t, d, f.ContextSlice)
	}
	c := conclusionOf(in.Unit.Subject, s, t)
	if in.Previous == nil || in.Previous.Digest != c.Digest {
		s.FrameID = f.ID
	}
	return c, nil
}

func fresh(raw string) (*spec.Spec, error) {
	var answer proposal
	if err := json.Unmarshal([]byte(raw), &answer); err != nil {
		return nil, fmt.Errorf("the answer does not propose tests: %w", err)
	}
	s := &spec.Spec{Rationale: answer.Rationale, Provenance: spec.Provenance{Generator: "det/1", Seeds: answer.Seeds, LLM: "none"}}
	for _, text := range answer.Cases {
		c, err := spec.DecodeCase(text)
		if err != nil {
			return nil, fmt.Errorf("the answer has an invalid case: %w", err)
		}
		if s.Case(c.ID) == nil {
			s.Cases = append(s.Cases, *c)
		}
	}
	s.Sign(s.Texts()...)
	return s, nil
}

func clone(s *spec.Spec) *spec.Spec {
	c := *s
	c.Cases = slices.Clone(s.Cases)
	return &c
}

// orphan returns a hand-edited spec whose target is gone, with instructions to move it to another function.
func orphan(in engine.Input, prior *spec.Spec, f frame.Frame) *spec.Spec {
	s := clone(prior)
	for i := range s.Cases {
		s.Cases[i].Became = nil
	}
	s.Status, s.Observed = spec.Quarantined, spec.Depends{}
	file := specFile(in.Unit.Subject)
	because := NameOf(file) + " is gone, and a person wrote in its spec. If it has a new name, move this file over the spec of that and change symbol; else delete it"
	if prior.Fell == nil || prior.Fell.Because != because {
		session, _ := f.ContextSlice["session"].(string)
		s.Fell = &spec.Fell{Because: because, File: file, Session: session}
	}
	return s
}

// propose replaces the cases of a spec without recorded results. Hand-written parts stay.
func propose(s, again *spec.Spec, now spec.Depends) {
	s.Cases = beside(s, again.Cases)
	s.Sign(again.Texts()...)
	s.DependsOn, s.Provenance.Seeds, s.Evidence.Verified = now, again.Provenance.Seeds, ""
}

// settle determines the status of a spec. It calls again to replace the cases if nothing is recorded.
func settle(s *spec.Spec, t *Target, now spec.Depends, again func()) {
	equal := func(d spec.Depends) bool { return d.Interface == now.Interface && d.Body == now.Body }
	for i := range s.Cases {
		if c := &s.Cases[i]; c.Became != nil && c.Want.Equal(c.Became) {
			c.Became = nil // the author accepted the result by editing the spec
		}
	}
	recorded := slices.ContainsFunc(s.Cases, func(c spec.Case) bool { return c.Coded() && c.Want != nil })
	waiting := slices.ContainsFunc(s.Cases, func(c spec.Case) bool { return c.Became != nil })
	seen := equal(s.Observed)
	if seen && !waiting { // the author accepted all results
		s.DependsOn, s.Observed = s.Observed, spec.Depends{}
	}
	same := equal(s.DependsOn)
	if !seen || same && !waiting { // results seen with another body are obsolete
		s.Observed, waiting = spec.Depends{}, false
		for i := range s.Cases {
			s.Cases[i].Became = nil
		}
	}
	switch {
	case t.Reason != "":
		s.Status, s.Fell = spec.Quarantined, nil
	case recorded && same && !waiting:
		s.Status, s.Fell, s.DependsOn.Language = spec.Active, nil, now.Language
	case recorded:
		s.Status = spec.Invalidated
	default:
		if !same {
			again()
		}
		s.Fell, s.Status = nil, spec.Quarantined
		if slices.ContainsFunc(s.Cases, func(c spec.Case) bool { return c.Waits() }) {
			s.Status = spec.Pending
		}
	}
}

// cause returns which body change among the reasons caused the evaluation, and the file; no term for an interface
// change.
func cause(reasons []engine.Reason) (because, file string) {
	for _, r := range reasons {
		switch f := r.Change.Fact; {
		case r.File == "":
		case f.Family == fact.Symbols:
			return "", r.File
		case f.Family == fact.Bodies:
			return fmt.Sprintf("body_changed(%q, %q)", ModuleName(f.Of), f.Name), r.File
		}
	}
	return "", ""
}

func fellThrough(subject string, s *spec.Spec, t *Target, now spec.Depends, slice map[string]any) *spec.Fell {
	dir, symbol := Split(subject)
	text := func(key string) string { v, _ := slice[key].(string); return v }
	because := fmt.Sprintf("symbol_changed(%q, %q)", ModuleName(dir), symbol)
	if s.DependsOn.Interface == now.Interface {
		because = cmp.Or(text("because"), strings.Replace(because, "symbol", "body", 1))
	}
	return &spec.Fell{Because: because, File: cmp.Or(text("through"), t.File), Session: text("session")}
}

func conclusionOf(subject string, s *spec.Spec, t *Target) engine.Conclusion {
	bare := *s
	bare.FrameID = ""
	c := engine.Conclusion{
		Text: fmt.Sprintf("%s is %s, with %d cases", s.Target.Symbol, s.Status, s.Kept()), Body: Spec{s}, Digest: fact.Digest(string(bare.Encode())), Confidence: 1,
		Condition: conditionOf(subject, t),
	}
	if t != nil && t.Reason == "" && (s.Status == spec.Active || s.Status == spec.Invalidated) && s.Kept() > 0 {
		c.Excerpts = map[string]string{codeExcerpt: t.CodeFile}
	}
	return c
}

// codeExcerpt is the part of a conclusion with the path of its tests.
const codeExcerpt = "code"

func (p *Plugin) concludeCode(in engine.Input) (engine.Conclusion, error) {
	file := in.Unit.Subject
	subjects, err := survey.Ask[[]string](in, fact.New(fileFacts, file))
	if err != nil {
		return engine.Conclusion{}, err
	}
	var list []Coded
	for _, subject := range subjects {
		s, err := survey.Ask[Spec](in, engine.ConclusionOf(engine.Unit{Kind: Kind, Subject: subject}))
		if err != nil {
			return engine.Conclusion{}, err
		}
		if s.Spec == nil || s.Status != spec.Active && s.Status != spec.Invalidated {
			continue
		}
		t, err := targetOf(in, subject)
		if err != nil {
			return engine.Conclusion{}, err
		}
		if t != nil && t.Reason == "" {
			list = append(list, Coded{specFile(subject), s.Spec, t})
		}
	}
	l := p.languageOf(file)
	if l == nil || len(list) == 0 {
		return engine.Conclusion{}, fmt.Errorf("nothing is known of what %s tests", file)
	}
	data, _, err := l.Code(list)
	if err != nil {
		return engine.Conclusion{}, err
	}
	return codeConclusion(file, data), nil
}

// code is the body of a conclusion about a test file.
type code []byte

func codeConclusion(file string, c code) engine.Conclusion {
	return engine.Conclusion{Text: "the tests in " + file, Body: c, Digest: fact.Digest(string(c)), Confidence: 1, Condition: "evidence_changed()"}
}
