package rust

// space is a name space: a local variable hides no type of its name.
type space uint8

const (
	values space = iota
	types
	macros
	spaces
)

// meaning says what a name stands for that the code binds itself.
type meaning uint8

const (
	variable  meaning = iota
	parameter         // of a generic
	inner             // an item in a body
	alias             // an import in a body
)

// binding is one name that is bound.
type binding struct {
	name    string
	space   space
	meaning meaning
	// path is what an alias stands for, or the type of a variable; dotted, and empty when it is not told.
	path   string
	before int // the binding of that name that it hides, counted from 1
}

// scopes are the names that are bound where the walker is. Looking one up takes the same time however many there are.
type scopes struct {
	stack []binding
	top   [spaces]map[string]int // counted from 1
	floor int                    // variables below it belong to a function around and are not seen
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

// leave forgets what was bound since the stack had that length.
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

// find returns what binds a name; nil for a free one.
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

// bindAll binds the parameters of a generic: types and constants look alike.
func (w *walker) bindAll(parameters []string) {
	for _, name := range parameters {
		w.names.bind(name, types, parameter, "")
		w.names.bind(name, values, parameter, "")
	}
}

// declare binds the names of the patterns since mark.
func (w *walker) declare(mark int, path string) {
	if len(w.pending) != mark+1 {
		path = ""
	}
	for _, name := range w.pending[mark:] {
		w.names.bind(name, values, variable, path)
	}
	w.pending = w.pending[:mark]
}

// deeper reports whether one more level may be entered; each true is followed by one shallower.
func (w *walker) deeper() bool {
	if w.depth >= maxNesting {
		return false
	}
	w.depth++
	return true
}

func (w *walker) shallower() { w.depth-- }
