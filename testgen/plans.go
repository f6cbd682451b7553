package testgen

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/testgen/spec"
)

// The families of facts that Plans provides.
const (
	planFacts     fact.Family = "testplan" // testplan <subject>: the target
	testableFacts fact.Family = "testable" // testable <module>: functions that could be tested
	fileFacts     fact.Family = "testfile" // testfile <path>: subjects whose tests are in a file
	wantedFacts   fact.Family = "wanted"   // wanted .: functions that should have a spec, and existing specs
)

// Memory caches facts about modules between runs.
type Memory interface {
	Get(key string, into any) bool
	Put(key string, value any) error
}

// Wanted selects functions without a spec that should get one.
type Wanted interface {
	Has(module, symbol string) bool
	None() bool
	String() string
}

// Plans provides facts about the testable functions of a repository. It implements engine.Room on top of the survey.
type Plans struct {
	survey    *survey.Survey
	languages []*Language
	memory    Memory
	files     Files
	wanted    Wanted
	stored    map[string]bool // subjects of existing specs; true for hand-edited ones

	mu      sync.Mutex
	ctx     context.Context // of the current question
	opened  map[string]Module
	known   map[string]*known
	stale   map[string]bool // modules whose cache entries are out of date
	all     bool
	noticed bool
}

type known struct {
	Manifest string     `json:"m,omitempty"` // manifests that apply, with digests
	Symbols  []Testable `json:"s,omitempty"`
	Looked   []string   `json:"l,omitempty"` // other directories that the plans depend on
}

// Testable is a function that could be tested.
type Testable struct {
	Name     string `json:"n"`
	Reason   string `json:"r,omitempty"`
	CodeFile string `json:"f"`
	Digest   string `json:"d"`
}

// NewPlans returns the provider on top of a survey.
func NewPlans(s *survey.Survey, languages []*Language, memory Memory, files Files, wanted Wanted) *Plans {
	return &Plans{survey: s, languages: languages, memory: memory, files: files, wanted: wanted, opened: map[string]Module{}, known: map[string]*known{}, stale: map[string]bool{}}
}

// Families implements engine.Room.
func (p *Plans) Families() []fact.Family {
	return []fact.Family{planFacts, testableFacts, fileFacts, wantedFacts}
}

// Digest implements engine.Room.
func (p *Plans) Digest(ctx context.Context, f fact.Fact) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ctx = ctx
	if err := p.notice(); err != nil {
		return "", err
	}
	switch f.Family {
	case planFacts:
		dir, symbol := Split(f.Name)
		k, err := p.know(dir)
		if err != nil {
			return "", err
		}
		if t := k.symbol(symbol); t != nil {
			return t.Digest, nil
		}
		return "", nil
	case testableFacts:
		k, err := p.know(f.Name)
		if err != nil || k.Symbols == nil {
			return "", err
		}
		data, err := json.Marshal(k.Symbols)
		return fact.Digest(string(data)), err
	case wantedFacts:
		stored, err := p.specs()
		return fact.Digest(p.wanted.String(), fmt.Sprint(stored)), err
	}
	list, err := p.behind(f.Name)
	if err != nil || len(list) == 0 {
		return "", err
	}
	return fact.Digest(list...), nil
}

// Value implements engine.Room. It returns the Target of a plan, the Testables of a module, or the subjects of a file.
func (p *Plans) Value(ctx context.Context, f fact.Fact) (any, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ctx = ctx
	if err := p.notice(); err != nil {
		return nil, err
	}
	switch f.Family {
	case planFacts:
		dir, symbol := Split(f.Name)
		m, err := p.Open(dir)
		if err != nil || m == nil {
			return nil, err
		}
		t, err := m.Target(symbol)
		if err != nil || t == nil {
			return nil, err
		}
		return t, nil
	case testableFacts:
		k, err := p.know(f.Name)
		if err != nil {
			return nil, err
		}
		return slices.Clone(k.Symbols), nil
	case wantedFacts:
		stored, err := p.specs()
		return wishes{p.wanted, stored}, err
	}
	return p.behind(f.Name)
}

type wishes struct {
	Wanted
	stored map[string]bool
}

func (p *Plans) specs() (map[string]bool, error) {
	if p.stored != nil {
		return p.stored, nil
	}
	list, err := Subjects(p.files)
	if err != nil {
		return nil, err
	}
	p.stored = map[string]bool{}
	for subject, s := range list {
		p.stored[subject] = s.Human()
	}
	return p.stored, nil
}

func (k *known) symbol(name string) *Testable {
	i, ok := slices.BinarySearchFunc(k.Symbols, name, func(t Testable, name string) int { return strings.Compare(t.Name, name) })
	if !ok {
		return nil
	}
	return &k.Symbols[i]
}

// know returns the functions of a module, from the cache if possible.
func (p *Plans) know(dir string) (*known, error) {
	if k := p.known[dir]; k != nil {
		return k, nil
	}
	k := &known{}
	if !p.all && !p.stale[dir] && p.memory.Get(dir, k) && k.Manifest == p.manifest(dir) {
		p.known[dir] = k
		return k, nil
	}
	k = &known{Manifest: p.manifest(dir)}
	m, err := p.Open(dir)
	if err != nil {
		return nil, err
	}
	if m != nil {
		for _, symbol := range m.Symbols() {
			t, err := m.Target(symbol)
			if err != nil {
				return nil, err
			}
			if t != nil {
				k.Symbols = append(k.Symbols, Testable{symbol, t.Reason, t.CodeFile, t.digest()})
			}
		}
		if elsewhere, ok := m.(Looker); ok {
			k.Looked = elsewhere.Looked()
		}
	}
	p.known[dir] = k
	return k, p.memory.Put(dir, k)
}

func (p *Plans) manifest(dir string) string {
	var found []string
	for _, l := range p.languages {
		for _, name := range l.Manifests {
			for at := range Up(dir) {
				file := path.Join(at, name)
				if !p.has(file) {
					continue
				}
				if digest, err := p.survey.Digest(p.context(), survey.BlobFact(file)); err == nil {
					found = append(found, file, digest)
				}
			}
		}
	}
	return strings.Join(found, " ")
}

func (p *Plans) has(file string) bool {
	there, _ := p.survey.Has(file)
	return there
}

func (p *Plans) context() context.Context { return cmp.Or(p.ctx, context.Background()) }

func (p *Plans) behind(file string) ([]string, error) {
	var out []string
	take := func(dir string) error {
		k, err := p.know(dir)
		if err != nil {
			return err
		}
		for _, t := range k.Symbols {
			if t.CodeFile == file {
				out = append(out, Subject(dir, t.Name))
			}
		}
		return nil
	}
	if err := take(path.Dir(file)); err != nil || len(out) > 0 {
		return out, err
	}
	if l := LanguageOf(p.languages, file); l != nil && l.Beside {
		return nil, nil
	}
	for _, dir := range p.survey.Modules() {
		if err := take(dir); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Explain implements engine.Room.
func (p *Plans) Explain(_ []fact.Observation, changes []fact.Change, _ func(fact.Family, string) []fact.Observation) []condition.Cause {
	return condition.CausesOf(changes, func(c *condition.Cause) {
		what := map[fact.Family]string{planFacts: "what tests of %s can be made from", testableFacts: "of which functions of %s tests can be made", fileFacts: "whose tests lie in %s", wantedFacts: "which specs there are%.0s"}[c.Change.Fact.Family]
		c.Detail = fmt.Sprintf(what, c.Change.Fact.Name) + " changed"
	})
}

// direct bypasses the engine's dependency tracking: the facts of Plans have separate digests.
type direct struct {
	survey *survey.Survey
	ctx    context.Context
}

// Read implements survey.Reader.
func (d direct) Read(f fact.Fact) (any, error) { return d.survey.Value(d.ctx, f) }

func (p *Plans) direct() direct { return direct{p.survey, p.context()} }

// Files implements Repository.
func (p *Plans) Files(dir string) ([]string, error) {
	m, err := survey.Find(p.direct(), dir)
	if m == nil {
		return nil, err
	}
	var out []string
	for _, u := range m.Units() {
		if path.Dir(u.Path) == dir {
			out = append(out, u.Path)
		}
	}
	slices.Sort(out)
	return out, nil
}

// Read implements Repository.
func (p *Plans) Read(name string) ([]byte, error) {
	if !p.has(name) {
		return nil, nil
	}
	return survey.Blob(p.direct(), name)
}

// Dir implements Repository. It only knows imports of the module from.
func (p *Plans) Dir(from, at string) (string, bool) {
	for _, dir := range p.survey.Modules() { // the survey's imports are resolved and no longer have the source's names
		if dir != "." && (at == dir || strings.HasSuffix(at, "/"+dir)) && p.imports(from, dir) {
			return dir, true
		}
	}
	return "", false
}

func (p *Plans) imports(from, to string) bool {
	importers, err := survey.ImportersOf(p.direct(), to)
	return err == nil && slices.Contains(importers.Code, from)
}

// Open implements Repository.
func (p *Plans) Open(dir string) (Module, error) {
	if m, ok := p.opened[dir]; ok {
		return m, nil
	}
	p.opened[dir] = nil // breaks import cycles
	for _, l := range p.languages {
		m, err := l.Open(p, dir)
		if err != nil {
			return nil, fmt.Errorf("look at %s: %w", dir, err)
		}
		if m != nil {
			p.opened[dir] = m
			break
		}
	}
	return p.opened[dir], nil
}

// Reach implements Repository.
func (p *Plans) Reach(dir, symbol string) (Reach, bool, error) {
	r, there, err := p.survey.Reached(p.context(), dir, symbol)
	if err != nil || !there {
		return Reach{}, false, err
	}
	out := Reach{Within: r.Within}
	for _, n := range r.Outside {
		name := Name{Dir: n.Module, Name: n.Name}
		if n.Outside {
			name = Name{Path: n.Module, Name: n.Name}
		}
		out.Outside = append(out.Outside, name)
	}
	return out, true, nil
}

// Testables returns the functions of a module that could be tested.
func (p *Plans) Testables(ctx context.Context, module string) ([]Testable, error) {
	v, err := p.Value(ctx, fact.New(testableFacts, module))
	list, _ := v.([]Testable)
	return list, err
}

// Target returns a function with the digests that a spec of it depends on; nil when there is none.
func (p *Plans) Target(ctx context.Context, subject string) (*Target, spec.Depends, error) {
	v, err := p.Value(ctx, fact.New(planFacts, subject))
	t, ok := v.(*Target)
	if err != nil || !ok {
		return nil, spec.Depends{}, err
	}
	d, err := now(direct{p.survey, ctx}, subject, t)
	return t, d, err
}
