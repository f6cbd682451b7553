package webhooks

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

const (
	// mostKept limits the bytes kept of a payload, which unauthenticated senders can make the server hold. Normal payloads
	// need a tenth of it.
	mostKept = 64 << 10
	// mostListed limits the bytes for lists, which leaves room for the subject of the payload. It holds some 600
	// repositories.
	mostListed = 48 << 10
	// mostDepth limits nesting. GitHub's payloads have less than ten levels.
	mostDepth = 64
	// longestScalar limits numbers and literals. GitHub's have at most twenty digits.
	longestScalar = 64
)

// field selects part of a value: members of an object, elements of a list of objects, or else the whole value.
type field struct {
	object  bool
	members map[string]*field
	element *field
	most    int // bytes of a string, up to its first escape; 0 for all of it
}

// fieldOf derives a field from a type's json tags. The tag most limits the bytes of a string.
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

// sieve reduces a JSON document to selected fields as it arrives. It holds at most mostKept bytes, so payloads can be
// parsed before their senders are authenticated. It validates everything except skipped strings.
type sieve struct {
	err  error
	out  []byte
	cut  bool // elements of a list were left out
	root *field

	step   func(s *sieve, p []byte) []byte // state: reads the next part of the document
	levels []level                         // open objects and lists
	muted  int                             // levels open when a list became too long; 0 if none did
	loud   bool                            // the current string is kept
	brief  bool                            // only its beginning is kept
	left   int                             // remaining bytes of a brief string
	key    []byte                          // current member name, truncated
	scalar []byte
}

type treatment byte

const (
	skipped treatment = iota
	copied
	sifted
)

type level struct {
	treatment treatment
	field     *field
	list      bool
	any       bool // it has members or elements
	kept      int  // number of them that were kept
	start     int  // where the last kept element begins in out
}

var (
	errNoObject = errors.New("it is no object")
	errTooDeep  = fmt.Errorf("it is more than %d deep", mostDepth)
	errTooMuch  = errors.New("its subject is too large")
)

func newSieve(root *field) *sieve { return &sieve{root: root, step: (*sieve).value} }

// Write takes the next piece of the document. It never fails: document reports errors.
func (s *sieve) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 && s.err == nil {
		p = s.step(s, p)
	}
	return n, nil
}

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

func (s *sieve) top() *level { return &s.levels[len(s.levels)-1] }

// keep appends to the output. If a list becomes too long, its last element and all further ones are dropped.
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

// value begins a value, or ends an empty list.
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

// treat decides how to treat the next value, and writes its comma and name.
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

// enter opens an object or a list. A value of an unexpected type is copied, for the decoder to reject.
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

func (s *sieve) closeWith(c byte) {
	if s.muted == 0 {
		s.out = append(s.out, c)
	}
}
