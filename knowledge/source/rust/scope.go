package rust

// space is a namespace: a local variable does not shadow a type with its name.
type space uint8

const (
	values space = iota
	types
	macros
	spaces
)

// meaning is the kind of a local binding.
type meaning uint8

const (
	variable  meaning = iota
	parameter         // generic parameter
	inner             // item in a body
	alias             // import in a body
)

type binding struct {
	name    string
	space   space
	meaning meaning
	// path is an alias's target or a variable's type, dotted; empty if unknown.
	path   string
	before int // 1-based index of the shadowed binding
}

// scopes holds the bindings in scope. Lookups take constant time.
type scopes struct {
	stack []binding
	top   [spaces]map[string]int // 1-based indexes
	floor int                    // variables below it belong to an enclosing function and are hidden
}

func newScopes() scopes {
	var s scopes
	for i := range s.top {
		s.top[i] = map[string]int{}
	}
	return s
}

func (s *scopes) bind(name string, in space, m meaning, path string) {
	if name == "_" || name == "" {
		return
	}
	s.stack = append(s.stack, binding{name: name, space: in, meaning: m, path: path, before: s.top[in][name]})
	s.top[in][name] = len(s.stack)
}

func (s *scopes) leave(mark int) {
	for len(s.stack) > mark {
		b := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		if b.before == 0 {
			delete(s.top[b.space], b.name)
		} else {
			s.top[b.space][b.name] = b.before
		}
	}
}

func (s *scopes) find(in space, name []byte) *binding {
	n := s.top[in][string(name)]
	if n == 0 {
		return nil
	}
	b := &s.stack[n-1]
	if b.meaning == variable && n <= s.floor {
		return nil
	}
	return b
}

// bindAll binds generic parameters as types and values, because both look alike.
func (w *walker) bindAll(parameters []string) {
	for _, name := range parameters {
		w.names.bind(name, types, parameter, "")
		w.names.bind(name, values, parameter, "")
	}
}

func (w *walker) declare(mark int, path string) {
	if len(w.pending) != mark+1 {
		path = ""
	}
	for _, name := range w.pending[mark:] {
		w.names.bind(name, values, variable, path)
	}
	w.pending = w.pending[:mark]
}

// deeper enters one nesting level if allowed; the caller must call shallower after true.
func (w *walker) deeper() bool {
	if w.depth >= maxNesting {
		return false
	}
	w.depth++
	return true
}

func (w *walker) shallower() { w.depth-- }
