package cfamily

import (
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

// survey finds facts, tests and the entry point in one pass over all tokens.
type survey struct {
	*outline
	facts   []source.Fact
	at      []int32 // the branches of the facts
	mains   []int32 // the branches of the entry points
	tests   []string
	main    bool
	options int // end of the current table of long options
	body    int // end of main's body
}

func (s *survey) run() {
	for i := range s.tokens {
		t := s.tokens[i]
		switch {
		case t.kind == identifier && (t.id == none || t.id == kwOther || t.id == kwStruct):
			s.word(i)
		case t.kind == punctuation && t.id == '{' && i+1 < len(s.tokens) && s.tokens[i+1].kind == text:
			s.option(i)
		}
	}
}

func (s *survey) fact(kind source.FactKind, name string, at int) {
	if name != "" {
		s.facts = append(s.facts, source.Fact{Kind: kind, Name: valid(name), Line: int(s.tokens[at].line)})
		s.at = append(s.at, s.tokens[at].branch)
	}
}

// word handles words with a known meaning.
func (s *survey) word(i int) {
	t := s.tokens[i]
	if t.id == kwStruct {
		if i+1 < len(s.tokens) && s.name(i+1) && s.spell(i+1) == "option" {
			s.table(i + 2)
		}
		return
	}
	if t.id == kwOther {
		s.result(i)
		return
	}
	if !s.is(i+1, '(') {
		return
	}
	action, ok := actions.Get()[string(s.spelling(t))]
	if ok && !s.is(i-1, opArrow) && (action.member == s.is(i-1, '.')) {
		action.act(s, i, i+2)
	}
}

// action handles a call of a known function; arg is the first argument token.
type action struct {
	act    func(s *survey, at, arg int)
	member bool // called on an object
}

var actions = lazy.Value[map[string]action]{Make: func() map[string]action {
	m := map[string]action{
		"main": {act: (*survey).entryPoint}, "getopt": {act: (*survey).shortOptions},
		"CROW_ROUTE": {act: func(s *survey, at, _ int) { s.fact(source.Route, s.argument(at, 1), at) }},
		"ABSL_FLAG":  {act: func(s *survey, at, _ int) { s.flag(s.wordArgument(at, 1), at) }},
	}
	add := func(act func(s *survey, at, arg int), names ...string) {
		for _, n := range names {
			m[n] = action{act: act}
		}
	}
	add(func(s *survey, at, arg int) { s.fact(source.Env, s.literal(arg, ')'), at) }, "getenv", "secure_getenv")
	add((*survey).exit, "exit", "_exit", "_Exit", "quick_exit")
	add(func(s *survey, at, _ int) { s.flag(s.wordArgument(at, 0), at) }, "DEFINE_string", "DEFINE_bool", "DEFINE_int32",
		"DEFINE_int64", "DEFINE_uint32", "DEFINE_uint64", "DEFINE_double")
	add((*survey).pairTest, "TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P")
	add(func(s *survey, at, arg int) { s.test(s.quoted(arg)) }, "TEST_CASE", "SCENARIO")
	for _, method := range []string{"Get", "Post", "Put", "Delete", "Patch", "Options"} {
		m[method] = action{member: true, act: func(s *survey, at, arg int) {
			if path := s.literal(arg, ','); strings.HasPrefix(path, "/") && s.is(arg+2, '[') {
				s.fact(source.Route, strings.ToUpper(method)+" "+path, at)
			}
		}}
	}
	return m
}}

func (s *survey) quoted(i int) string {
	if i >= len(s.tokens) || s.tokens[i].kind != text {
		return ""
	}
	word, err := strconv.Unquote(s.spell(i))
	if err != nil {
		return ""
	}
	return word
}

func (s *survey) literal(i int, end uint8) string {
	if !s.is(i+1, end) {
		return ""
	}
	return s.quoted(i)
}

func (s *survey) nth(at, n int) int {
	end := s.after(at+1) - 1
	i := at + 2
	for ; n > 0; n-- {
		i = s.nextComma(i, end) + 1
	}
	if i >= end {
		return len(s.tokens)
	}
	return i
}

func (s *survey) argument(at, n int) string { return s.quoted(s.nth(at, n)) }

func (s *survey) wordArgument(at, n int) string {
	if i := s.nth(at, n); s.name(i) && s.is(i+1, ',') {
		return s.spell(i)
	}
	return ""
}

func (s *survey) flag(name string, at int) {
	if name != "" && s.is(s.after(at+1), ';') {
		s.fact(source.Flag, "--"+name, at)
	}
}

func (s *survey) exit(at, arg int) {
	if s.is(arg+1, ')') {
		s.fact(source.Exit, s.code(arg), at)
	}
}

func (s *survey) code(i int) string {
	switch word := s.spell(i); {
	case word == "EXIT_FAILURE":
		return "1"
	case word == "EXIT_SUCCESS":
		return "0"
	case s.tokens[i].kind == number:
		if n, err := strconv.ParseUint(word, 0, 32); err == nil {
			return strconv.FormatUint(n, 10)
		}
	}
	return ""
}

// entryPoint records the body of main, whose return values are exit codes.
func (s *survey) entryPoint(at, _ int) {
	if !s.resultType(at - 1) {
		return
	}
	brace := s.after(at + 1)
	if old := s.oldStyle(at + 1); old > 0 {
		brace = old
	}
	if s.is(brace, '{') {
		s.main, s.body = true, int(s.match[brace])
		s.mains = append(s.mains, s.tokens[at].branch)
	}
}

func (s *survey) resultType(i int) bool {
	if i < 0 {
		return true
	}
	t := s.tokens[i]
	return t.kind == identifier && (t.id == kwType || t.id == none) || t.kind == punctuation && (t.id == ';' || t.id == '}')
}

func (s *survey) result(i int) {
	if i < s.body && s.is(i+2, ';') && string(s.spelling(s.tokens[i])) == "return" {
		s.fact(source.Exit, s.code(i+1), i)
	}
}

func (s *survey) test(name string) {
	if name != "" {
		s.tests = append(s.tests, valid(name))
	}
}

// pairTest reads TEST(Suite, Name) { … }.
func (s *survey) pairTest(at, arg int) {
	if s.name(arg) && s.is(arg+1, ',') && s.name(arg+2) && s.is(arg+3, ')') && s.is(arg+4, '{') {
		s.test(s.spell(arg) + "." + s.spell(arg+2))
	}
}

func (s *survey) sortedTests() []string {
	slices.Sort(s.tests)
	return slices.Compact(s.tests)
}

// shortOptions reads the third argument of getopt: "ab:c".
func (s *survey) shortOptions(at, _ int) {
	list := strings.TrimLeft(s.argument(at, 2), "+-:")
	for _, c := range list {
		if c != ':' && c > ' ' && c < 0x7f {
			s.fact(source.Flag, "-"+string(c), at)
		}
	}
}

// table records the end of a `struct option name[] = {…}` table.
func (s *survey) table(i int) {
	for j := i; j < len(s.tokens) && j < i+8; j++ {
		if s.is(j, '=') && s.is(j+1, '{') {
			s.options = int(s.match[j+1])
			return
		}
	}
}

// option reads {"name", required_argument, …} in a table of long options.
func (s *survey) option(i int) {
	if !s.is(i+2, ',') || i+3 >= len(s.tokens) {
		return
	}
	switch string(s.spelling(s.tokens[i+3])) {
	case "required_argument", "no_argument", "optional_argument":
	default:
		if i >= s.options {
			return
		}
	}
	if name := s.quoted(i + 1); name != "" && !strings.HasPrefix(name, "-") {
		s.fact(source.Flag, "--"+name, i)
	}
}
