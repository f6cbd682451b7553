package engine_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
)

// The world of these tests has units of three kinds, each with a program in a file: a list of words to read. A word with a question mark
// skips the next one if its value is odd, so facts decide the dependencies. Such a program also lists the units of a kind.
//
//	d3       the number in data/3
//	f3       the same as a fact of another family, which is hidden from derived units
//	a/x      the conclusion about a/x, or nothing if there is no such unit
//	a/x#p    a part of it
//	a/*      the number of units of the kind
//	+x       lists a subject, in the program of a kind
//	!        the words after it are read after the answer
//
// A conclusion is a small number, so it often stays the same.
type word struct {
	text        string
	conditional bool
	fact        fact.Fact
	subject     string
	afterwards  bool
}

func words(program string) []word {
	var out []word
	for _, text := range strings.Fields(program) {
		w := word{text: text}
		if text, w.conditional = strings.CutPrefix(text, "?"); text == "" {
			continue
		}
		unit, part, excerpt := strings.Cut(text, "#")
		kind, subject, ok := strings.Cut(unit, "/")
		switch {
		case text == "!":
			w.afterwards = true
		case text[0] == '+':
			w.subject = text[1:]
		case !ok:
			w.fact = fact.New(map[byte]fact.Family{'d': fact.Blobs, 'f': fact.Files}[text[0]], "data/"+text[1:])
		case excerpt:
			w.fact = engine.ExcerptOf(engine.Unit{Kind: kind, Subject: subject}, part)
		case subject == "*":
			w.fact = engine.UnitsOf(kind)
		default:
			w.fact = engine.ConclusionOf(engine.Unit{Kind: kind, Subject: subject})
		}
		out = append(out, w)
	}
	return out
}

// machine runs a program.
type machine struct {
	value    int
	subjects []string
	skip     bool
}

// run runs words up to the one behind which the answer comes, and returns the others.
func (m *machine) run(r engine.Reader, list []word) (rest []word, err error) {
	for i, w := range list {
		if m.skip {
			m.skip = false
			continue
		}
		switch {
		case w.afterwards:
			return list[i+1:], nil
		case w.subject != "":
			m.subjects = append(m.subjects, w.subject)
			continue
		}
		v, err := r.Read(w.fact)
		if err != nil {
			return nil, err
		}
		n := number(v)
		m.value = (m.value*31 + n + 7) % 1009
		m.skip = w.conditional && n%2 == 1
	}
	return nil, nil
}

func number(v any) int {
	switch v := v.(type) {
	case nil:
		return 0
	case int:
		return v + 1
	case []string:
		return len(v)
	case []byte:
		n, _ := strconv.Atoi(string(v))
		return n
	case string:
		n, _ := strconv.Atoi(v)
		return n
	}
	panic(fmt.Sprintf("%T", v))
}

// result is the stored conclusion of a unit.
type result struct {
	Value     int      `json:"value"`
	Generator string   `json:"generator"`
	Evidence  []string `json:"evidence,omitempty"`
	Seal      string   `json:"seal"`
}

// hidden are the families that units of a kind have as evidence and cannot see.
var hidden = map[string][]fact.Family{derived: {fact.Files}}

const (
	wrong   = `modified("prog/**") or evidence_changed()`
	madeBy  = "machine/1"
	derived = "c"
)

func conclusion(value int) engine.Conclusion {
	value %= 6
	c := engine.Conclusion{
		Text: fmt.Sprint("it is ", value), Body: value, Digest: fact.Digest(fmt.Sprint(value)), Confidence: 1, Condition: wrong, Excerpts: map[string]string{"p": fmt.Sprint(value % 2)},
	}
	if value > 0 {
		c.Excerpts["q"] = fmt.Sprint(value % 3)
	}
	return c
}

// encode encodes a conclusion. Derived conclusions are stored without evidence.
func encode(u engine.Unit, value int, evidence []fact.Observation) []byte {
	r := result{Value: value % 6, Generator: madeBy + " none"}
	if u.Kind == derived {
		r.Generator = madeBy
		evidence = nil
	}
	for _, o := range evidence {
		r.Evidence = append(r.Evidence, o.String())
	}
	r.Seal = r.seal()
	data, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	return data
}

func (r result) seal() string {
	return fact.Digest(append([]string{fmt.Sprint(r.Value), r.Generator}, r.Evidence...)...)
}

func decode(data []byte) *engine.Conclusion {
	var r result
	if err := json.Unmarshal(data, &r); err != nil || r.Seal != r.seal() {
		return &engine.Conclusion{Damaged: "it is not as it was written"}
	}
	c := conclusion(r.Value)
	c.Generator = r.Generator
	for _, text := range r.Evidence {
		o, err := fact.Parse(text)
		if err != nil {
			return &engine.Conclusion{Damaged: err.Error()}
		}
		c.Evidence = append(c.Evidence, o)
	}
	return &c
}

func fileOf(u engine.Unit) string { return ".causal/" + u.Kind + "/" + u.Subject + ".json" }

var kinds = []string{"a", "b", derived}

// machines is the plugin that runs the programs.
type machines struct {
	files engine.Files

	mu     sync.Mutex
	drafts map[engine.Unit]int
	loads  int
	draft  func(n int) // called for each draft with how many there were
}

func (p *machines) Kinds() []engine.Kind {
	var out []engine.Kind
	for _, name := range kinds {
		out = append(out, engine.Kind{
			Name: name, Derived: name == derived, Hidden: hidden[name],
			Subjects: func(r engine.Reader) ([]string, error) {
				program, err := r.Read(fact.New(fact.Blobs, "prog/"+name))
				if err != nil {
					return nil, err
				}
				text, _ := program.([]byte)
				var m machine
				_, err = m.run(r, words(string(text)))
				return m.subjects, err
			},
			Generator: func(engine.Reader, string) (string, error) { return madeBy, nil },
			Path:      func(subject string) string { return fileOf(engine.Unit{Kind: name, Subject: subject}) },
			Owner: func(file string) (string, bool) {
				subject, ok := strings.CutPrefix(file, ".causal/"+name+"/")
				subject, json := strings.CutSuffix(subject, ".json")
				return subject, ok && json
			},
			Load: func(_ engine.Reader, subject string) (*engine.Conclusion, error) {
				p.mu.Lock()
				p.loads++
				p.mu.Unlock()
				data, err := p.files.Read(fileOf(engine.Unit{Kind: name, Subject: subject}))
				if err != nil {
					return nil, nil
				}
				return decode(data), nil
			},
			Remove: func(subject string) (engine.Removal, error) {
				file := fileOf(engine.Unit{Kind: name, Subject: subject})
				if _, err := p.files.Read(file); err != nil {
					return engine.Removal{}, nil
				}
				return engine.Removal{Done: true}, p.files.Remove(file, ".causal")
			},
		})
	}
	return out
}

func (p *machines) TransformInput(in engine.Input, _ engine.CoreContext) (map[string]any, error) {
	program, err := in.Read(fact.New(fact.Blobs, "prog/"+in.Unit.String()))
	if err != nil {
		return nil, err
	}
	text, _ := program.([]byte)
	var m machine
	rest, err := m.run(in, words(string(text)))
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, w := range rest {
		texts = append(texts, w.text)
	}
	return map[string]any{"unit": in.Unit.String(), "value": m.value, "rest": strings.Join(texts, " ")}, nil
}

func (p *machines) Draft(slice map[string]any) (string, error) {
	u, err := engine.ParseUnit(slice["unit"].(string))
	if err != nil {
		return "", err
	}
	p.mu.Lock()
	p.drafts[u]++
	n := 0
	for _, times := range p.drafts {
		n += times
	}
	p.mu.Unlock()
	if p.draft != nil {
		p.draft(n)
	}
	data, err := json.Marshal(slice)
	return string(data), err
}

func (p *machines) ParseOutput(raw string, in engine.Input, _ frame.Frame) (engine.Conclusion, error) {
	var answer struct {
		Value int
		Rest  string
	}
	if err := json.Unmarshal([]byte(raw), &answer); err != nil {
		return engine.Conclusion{}, err
	}
	m := machine{value: answer.Value}
	if _, err := m.run(in, words(answer.Rest)); err != nil {
		return engine.Conclusion{}, err
	}
	return conclusion(m.value), nil
}

func (p *machines) Store(c engine.Conclusion, _ frame.Frame) error {
	_, err := p.files.Write(fileOf(c.Unit), encode(c.Unit, c.Body.(int), c.Evidence))
	return err
}

// scratch is the naive engine: it runs every program, from scratch, whenever it is asked.
type scratch struct {
	read     func(name string) (string, bool)
	units    map[engine.Unit]*answered
	lists    map[string]*listed
	evidence []fact.Observation // of the current evaluation
	kind     string             // of the unit that is being run
}

type answered struct {
	value    int
	evidence []fact.Observation
	exists   bool
	running  bool
}

type listed struct {
	subjects []string
	running  bool
}

// conclude runs everything; ErrCircle when two programs wait for each other.
func (s *scratch) conclude() error {
	s.units, s.lists = map[engine.Unit]*answered{}, map[string]*listed{}
	for _, kind := range kinds {
		list, err := s.list(kind)
		if err != nil {
			return err
		}
		for _, subject := range list {
			if _, err := s.unit(engine.Unit{Kind: kind, Subject: subject}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *scratch) list(kind string) ([]string, error) {
	if l := s.lists[kind]; l != nil {
		if l.running {
			return nil, engine.ErrCircle
		}
		return l.subjects, nil
	}
	l := &listed{running: true}
	s.lists[kind] = l
	if !slices.Contains(kinds, kind) {
		l.running = false
		return nil, nil
	}
	text, _ := s.read("prog/" + kind)
	var m machine
	outer, kind := s.evidence, s.kind
	s.kind = ""
	_, err := m.run(s, words(text))
	s.evidence, s.kind = outer, kind
	slices.Sort(m.subjects)
	l.subjects, l.running = slices.Compact(m.subjects), false
	return l.subjects, err
}

func (s *scratch) unit(u engine.Unit) (*answered, error) {
	list, err := s.list(u.Kind)
	if err != nil {
		return nil, err
	}
	if a := s.units[u]; a != nil {
		if a.running {
			return nil, engine.ErrCircle
		}
		return a, nil
	}
	a := &answered{running: true}
	s.units[u] = a
	if _, a.exists = slices.BinarySearch(list, u.Subject); a.exists {
		outer, kind := s.evidence, s.kind
		s.evidence, s.kind = nil, u.Kind
		program, err := s.Read(fact.New(fact.Blobs, "prog/"+u.String()))
		if err != nil {
			return nil, err
		}
		text, _ := program.([]byte)
		m := machine{}
		rest, err := m.run(s, words(string(text)))
		if err == nil {
			after := machine{value: m.value}
			_, err = after.run(s, rest)
			m = after
		}
		if err != nil {
			return nil, err
		}
		a.value, a.evidence, s.evidence, s.kind = m.value, s.evidence, outer, kind
	}
	a.running = false
	return a, nil
}

// Read implements engine.Reader.
func (s *scratch) Read(f fact.Fact) (any, error) {
	value, digest, err := s.now(f)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(s.evidence, func(o fact.Observation) bool { return o.Fact == f }) {
		s.evidence = append(s.evidence, f.As(digest))
	}
	if slices.Contains(hidden[s.kind], f.Family) {
		return nil, nil
	}
	return value, nil
}

func (s *scratch) now(f fact.Fact) (value any, digest string, err error) {
	switch f.Family {
	case fact.Blobs, fact.Files:
		if text, ok := s.read(f.Name); ok {
			return []byte(text), fact.Digest(text), nil
		}
		return nil, "", nil
	case fact.Units:
		list, err := s.list(f.Name)
		return list, fact.Digest(list...), err
	}
	name := f.Name
	if f.Family == fact.Excerpts {
		name = f.Of
	}
	u, err := engine.ParseUnit(name)
	if err != nil {
		return nil, "", err
	}
	a, err := s.unit(u)
	if err != nil || !a.exists {
		return nil, "", err
	}
	c := conclusion(a.value)
	if f.Family == fact.Conclusions {
		return c.Body, c.Digest, nil
	}
	if text, ok := c.Excerpts[f.Name]; ok {
		return text, fact.Digest(text), nil
	}
	return nil, "", nil
}
