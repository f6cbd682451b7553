package webhooks

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

const (
	// mostKept bounds what is kept of a payload: whoever has no secret makes the door hold this much and no more. What the
	// door looks at takes a tenth of it.
	mostKept = 64 << 10
	// mostListed is the share of that for what stands in lists, so that there is always room for what the payload is about.
	// It holds some 600 repositories, or the paths of a push whose origin can be told for certain.
	mostListed = 48 << 10
	// mostDepth bounds how deep a payload may be. GitHub's are less than ten deep.
	mostDepth = 64
	// longestScalar bounds numbers and literals, none of which GitHub writes with more than twenty digits.
	longestScalar = 64
)

// field is what is wanted of a value: the members of an object, the elements of a list of objects, or, with neither, the
// value as it stands; of a string, maybe no more than its beginning.
type field struct {
	object  bool
	members map[string]*field
	element *field
	most    int // bytes of a string, up to its first escape; 0 for all of it
}

// fieldOf reads off a type, as encoding/json does, what is wanted of a document. The tag most says how much of a string is wanted.
func fieldOf(t reflect.Type) *field {
	switch {
	case t.Kind() == reflect.Pointer:
		return fieldOf(t.Elem())
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		return &field{element: fieldOf(t.Elem())}
	case t.Kind() != reflect.Struct:
		return &field{}
	}
	f := &field{object: true, members: map[string]*field{}}
	for member := range t.Fields() {
		name, _, _ := strings.Cut(member.Tag.Get("json"), ",")
		f.members[name] = fieldOf(member.Type)
		f.members[name].most, _ = strconv.Atoi(member.Tag.Get("most"))
	}
	return f
}

// sieve reads a JSON document as it arrives, and keeps of it what is wanted, as a smaller document. It holds no more than
// mostKept bytes whatever it is given, so that a payload can be understood before it is known who sent it, and need not be
// kept until then. It is lenient in the form of strings that nobody wants, and in nothing else.
type sieve struct {
	err  error
	out  []byte
	cut  bool // some elements of a list were left out
	root *field

	step   func(s *sieve, p []byte) []byte // what comes next in the document
	levels []level                         // open objects and lists
	muted  int                             // how many levels were open when a list became too long; 0 when none is
	loud   bool                            // the string that is being read is kept
	brief  bool                            // no more than its beginning is
	left   int                             // bytes of that
	key    []byte                          // the name of the member that comes next, as far as it matters
	scalar []byte
}

// treatment is what is done with a value.
type treatment byte

const (
	skipped treatment = iota
	copied
	sifted
)

// level is an object or a list that is open.
type level struct {
	treatment treatment
	field     *field
	list      bool
	any       bool // it has members or elements
	kept      int  // how many of them were kept
	start     int  // where in what is kept its last element begins
}

var (
	errNoObject = errors.New("it is no object")
	errTooDeep  = fmt.Errorf("it is more than %d deep", mostDepth)
	errTooMuch  = errors.New("its subject is too large")
)

func newSieve(root *field) *sieve { return &sieve{root: root, step: (*sieve).value} }

// Write takes the next piece of the document. It never fails: what is wrong with the document is told by document.
func (s *sieve) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 && s.err == nil {
		p = s.step(s, p)
	}
	return n, nil
}

// document is what was kept of a document that has come to its end.
func (s *sieve) document() ([]byte, error) {
	switch {
	case s.err != nil:
		return nil, s.err
	case len(s.out) == 0:
		return nil, errNoObject
	case len(s.levels) > 0:
		return nil, errors.New("it ends too early")
	}
	return s.out, nil
}

func (s *sieve) fail(c byte, where string) []byte {
	s.err = fmt.Errorf("%q %s", c, where)
	return nil
}

func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// top is the innermost open level.
func (s *sieve) top() *level { return &s.levels[len(s.levels)-1] }

// keep adds to what is kept, unless that is muted. Where a list becomes too long for it, its last element is left out and
// all that follow.
func (s *sieve) keep(text ...byte) {
	if s.muted > 0 {
		return
	}
	at := -1
	for i, l := range s.levels {
		if l.list && l.treatment == sifted {
			at = i
			break
		}
	}
	switch {
	case at < 0 && len(s.out)+len(text) > mostKept:
		s.err = errTooMuch
	case at >= 0 && len(s.out)+len(text) > mostListed:
		s.out = s.out[:s.levels[at].start]
		s.muted, s.cut = at+1, true
	default:
		s.out = append(s.out, text...)
	}
}

// value begins a value; ends of lists that are empty come here, too.
func (s *sieve) value(p []byte) []byte {
	c := p[0]
	switch {
	case blank(c):
		return p[1:]
	case len(s.levels) == 0 && c != '{':
		s.err = errNoObject
		return nil
	case c == ']' && s.top().list && !s.top().any:
		return s.leave(p)
	}
	how, f := s.treat()
	switch c {
	case '{', '[':
		return s.enter(p, how, f)
	case '"':
		s.loud, s.brief = how != skipped, f != nil && f.most > 0
		if s.loud {
			s.keep(c)
		}
		if s.brief {
			s.left = f.most
		}
		s.step = (*sieve).text
		return p[1:]
	}
	s.loud = how != skipped
	s.scalar, s.step = s.scalar[:0], (*sieve).plain
	return p
}

// treat tells what is done with the value that begins now, and writes what stands before it.
func (s *sieve) treat() (treatment, *field) {
	if len(s.levels) == 0 {
		return sifted, s.root
	}
	l := s.top()
	first := !l.any
	l.any = true
	switch {
	case l.treatment == skipped:
		return skipped, nil
	case l.treatment == copied:
		if l.list && !first {
			s.keep(',')
		}
		return copied, nil
	}
	f := l.field.element
	if !l.list {
		f = l.field.members[string(s.key)]
	} else if s.muted == 0 {
		l.start = len(s.out)
	}
	if f == nil {
		return skipped, nil
	}
	if l.kept > 0 {
		s.keep(',')
	}
	l.kept++
	if !l.list {
		s.keep(append(append([]byte{'"'}, s.key...), '"', ':')...)
	}
	if f.object || f.element != nil {
		return sifted, f
	}
	return copied, f
}

// enter opens an object or a list. One that is not of the form that is wanted is kept as it is, for whoever decodes it to
// refuse.
func (s *sieve) enter(p []byte, how treatment, f *field) []byte {
	if len(s.levels) == mostDepth {
		s.err = errTooDeep
		return nil
	}
	list := p[0] == '['
	if how == sifted && (list && f.element == nil || !list && !f.object) {
		how, f = copied, nil
	}
	if how != skipped {
		s.keep(p[0])
	}
	s.levels = append(s.levels, level{treatment: how, field: f, list: list})
	s.step = (*sieve).value
	if !list {
		s.step = (*sieve).name
	}
	return p[1:]
}

// leave closes the innermost level.
func (s *sieve) leave(p []byte) []byte {
	if s.muted == len(s.levels) {
		s.muted = 0
	}
	if s.top().treatment != skipped {
		s.closeWith(p[0])
	}
	s.levels = s.levels[:len(s.levels)-1]
	s.step = (*sieve).next
	return p[1:]
}

// closeWith keeps the end of a level, for which there is always room.
func (s *sieve) closeWith(c byte) {
	if s.muted == 0 {
		s.out = append(s.out, c)
	}
}
