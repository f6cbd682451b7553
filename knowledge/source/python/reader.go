package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

type reader struct {
	meter *kernel.Meter
	src   string
	base  string

	pos      int
	line     int32
	toks     []token
	lines    []line
	indents  []int32
	brackets kernel.Nest[bracket]
	frames   []frame
	endless  map[string]bool // triple quotes that do not occur again
	remarks  []remark

	problem kernel.Problem

	bare        []byte // buffer of undocumented
	canon       []byte // canonical token stream, the input of Content digests
	scratch     []byte
	nests       []nest
	lastLine    int32 // last physical line in canon
	hasher      *source.Hasher
	scopes      []scope
	symbols     []source.Symbol
	known       map[string]bool // names of symbols[:indexed]
	indexed     int
	imports     []edge
	all         exports
	remark      int // first unconsumed entry of remarks
	bound       assigning
	given       []source.Symbol   // instance attributes
	fields      map[string]string // the types of fields, by "Class.field"
	stands      []int             // stubs of names that could not be imported
	list        []parameter
	method      tokens            // the parameters of the last method
	types       map[string]tokens // and their types, once they are needed
	doc         string
	main        bool
	tests       []string
	facts       []source.Fact
	commandLine bool // may define a command line

	// used names
	at     []int32 // by symbol: the token of its name
	walker walker
}

func newReader(meter *kernel.Meter, src, base string) *reader {
	return &reader{meter: meter, src: normalise(src), base: base, line: 1, hasher: source.NewHasher(), known: map[string]bool{}}
}

// normalise converts line ends and drops a byte order mark, as Python does before tokenizing.
func normalise(src string) string {
	src = strings.TrimPrefix(src, "\ufeff")
	if strings.IndexByte(src, '\r') < 0 {
		return src
	}
	return strings.ReplaceAll(strings.ReplaceAll(src, "\r\n", "\n"), "\r", "\n")
}

func (x *reader) text(i int) string { return x.src[x.toks[i].start:x.toks[i].end] }

// is reports whether token i is before end and equals the operator or keyword s.
func (x *reader) is(i, end int, s string) bool {
	x.meter.Step()
	if i < 0 || i >= end {
		return false
	}
	t := x.toks[i]
	return (t.kind == op || t.kind == keyword) && x.src[t.start:t.end] == s
}

func (x *reader) isName(i, end int) bool { return i >= 0 && i < end && x.toks[i].kind == name }

func (x *reader) digest(canon []byte) source.Digest {
	x.hasher.Reset()
	x.hasher.AddBytes(canon)
	return x.hasher.Sum()
}

func (x *reader) digestOf(parts ...string) source.Digest {
	x.hasher.Reset()
	for _, p := range parts {
		x.hasher.Add(p)
	}
	return x.hasher.Sum()
}
