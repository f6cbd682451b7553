package survey

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

// Example is a block of a document, or a statement of the project's own code, that shows how to use a symbol.
type Example struct {
	Symbol   string // name in the module
	Language string
	Path     string // source of the quote
	Code     string
	// Line and End are the position in that file. They are not part of the fact.
	Line, End int
}

type publishing struct{ *Survey }

// Read implements Reader.
func (p publishing) Read(f fact.Fact) (any, error) { return p.publisher.publishedOf(f.Name), nil }

// examples returns the examples for a module's symbols: the shortest block of a document, or else the shortest call
// in the project's own examples and tests.
func (s *Survey) examples(ctx context.Context, module string) ([]Example, error) {
	if s.modules[module] == nil {
		return nil, nil
	}
	k, err := s.know(ctx, module)
	if err != nil {
		return nil, err
	}
	typing, err := TypingOf(publishing{s}, k)
	if err != nil {
		return nil, err
	}
	x := &exhibition{survey: s, known: k, wanted: map[int]source.Typed{}, found: map[int]Example{}}
	x.want(typing)
	if len(x.wanted) == 0 {
		return nil, nil
	}
	if err := s.resolve(ctx, []string{module}); err != nil {
		return nil, err
	}
	if err := x.quote(ctx); err != nil {
		return nil, err
	}
	if err := x.calls(ctx); err != nil {
		return nil, err
	}
	var out []Example
	for i := range k.Declared {
		if e, ok := x.found[i]; ok {
			out = append(out, e)
		}
	}
	return out, nil
}

type exhibition struct {
	survey *Survey
	known  *Module
	// wanted holds the declarations that need an example, by index, with the names that callers type.
	wanted map[int]source.Typed
	found  map[int]Example
	names  typedNames
	look   source.Outlook
	looked bool
}

var shownKinds = map[source.Kind]bool{source.Func: true, source.Method: true, source.Macro: true}

func (x *exhibition) want(typing Typing) {
	run := map[string]bool{}
	for i := range x.known.Module.Units {
		for _, e := range x.known.Module.Units[i].File.Examples {
			run[e.Symbol] = true
		}
	}
	for i := range x.known.Declared {
		d := &x.known.Declared[i]
		if !shownKinds[d.Kind] && !source.IsType(d.Kind) || run[d.Name] || showsItself(d.Doc) || strings.HasPrefix(d.Symbol.Name, ".") {
			continue
		}
		if names, inside := typing.Of(d); !inside && (d.Exported || len(names.As) > 0) {
			x.wanted[i] = names
		}
	}
	x.names = newTypedNames(x)
}

func showsItself(doc string) bool {
	for _, mark := range []string{"```", "~~~", ">>> ", "@example", "code-block::", "<pre", "{@code", "@code", "::\n\n"} {
		if strings.Contains(doc, mark) {
			return true
		}
	}
	return false
}

func (x *exhibition) outlook() source.Outlook {
	if !x.looked {
		x.looked = true
		x.look = source.NewOutlook(x.known.Module, x.known.Declared, x.survey.resolvers, source.Linker{Table: x.survey.table})
	}
	return x.look
}

// shows reports whether a reference calls or constructs a declaration, not just names it.
func (x *exhibition) shows(i int, r source.Reference, code string) bool {
	function := shownKinds[x.known.Declared[i].Kind]
	if function && r.Kind != source.RefCall {
		return false
	}
	name, behind := lastOf(r.Name), "({"
	if function {
		behind = "(!<"
	}
	if name == "" {
		return false
	}
	for at := 0; ; at += len(name) {
		next := strings.Index(code[at:], name)
		if next < 0 {
			return false
		}
		at += next
		rest := strings.TrimLeft(code[at+len(name):], " ")
		if rest == "" || at > 0 && isWord(code[at-1]) || declares(code[:at]) {
			continue
		}
		if line := code[strings.LastIndexByte(code[:at], '\n')+1 : at]; function && strings.HasPrefix(strings.TrimSpace(line), "@") {
			return true // a decorator
		}
		if strings.IndexByte(behind, rest[0]) >= 0 || !function && strings.HasPrefix(rest, "::") {
			return function || !strings.HasPrefix(rest, "()") || strings.Count(code, "\n") > 0
		}
	}
}

// beforeCalls lists the words that may precede a call. After any other word, a name is declared.
var beforeCalls = lazy.Set(`return await new in and or not yield go defer throw raise case if else is from assert do typeof while`)

func declares(before string) bool {
	before = before[strings.LastIndexByte(before, '\n')+1:]
	word := strings.TrimRight(before, " \t*&")
	if word == "" || word == before || !isWord(word[len(word)-1]) {
		return false
	}
	start := len(word)
	for start > 0 && isWord(word[start-1]) {
		start--
	}
	return !beforeCalls[word[start:]]
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

const (
	mostMentions = 20
	mostBlocks   = 400
)

func (x *exhibition) quote(ctx context.Context) error {
	mentioning := x.survey.documentation.mentioning()
	wanted := map[*block]mention{}
	language := source.Kin(x.known.Module.Language())
	for i, typed := range x.wanted {
		for _, name := range append([]string{x.known.Declared[i].Name}, typed.As...) {
			left := mostMentions
			for _, m := range mentioning[lastOf(name)] {
				if left > 0 && source.Kin(m.Language) == language {
					wanted[m.block] = m
					left--
				}
			}
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	blocks := make([]mention, 0, len(wanted))
	for _, m := range wanted {
		blocks = append(blocks, m)
	}
	slices.SortFunc(blocks, compareMentions)
	blocks = blocks[:min(len(blocks), mostBlocks)]
	languages := map[string]bool{}
	for _, m := range blocks {
		languages[m.Language] = true
	}
	if err := x.survey.prepare(ctx, languages); err != nil {
		return err
	}
	for _, m := range blocks {
		for _, seen := range append(x.outlook().Names(&m.Unit), x.names.in(m)...) {
			x.take(seen, Example{"", m.Language, m.path, m.Code, m.Line, m.End})
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

func (x *exhibition) take(seen source.Seen, e Example) {
	if _, wanted := x.wanted[seen.Declared]; !wanted || !x.shows(seen.Declared, seen.Reference, e.Code) {
		return
	}
	if _, has := x.found[seen.Declared]; has || bare(e.Code, lastOf(seen.Name)) {
		return
	}
	e.Symbol = x.known.Declared[seen.Declared].Name
	x.found[seen.Declared] = e
}

func bare(code, name string) bool {
	calls := 0
	for line := range strings.Lines(code) {
		text := strings.TrimRight(strings.TrimSpace(line), ";")
		first, _, _ := strings.Cut(text, " ")
		switch {
		case text == "" || first == "import" || first == "from" || first == "use":
		case strings.HasSuffix(text, name+"()") && !strings.ContainsAny(text, " =,"):
			calls++
		default:
			return false
		}
	}
	return calls > 0
}

func compareMentions(a, b mention) int {
	return cmp.Or(cmp.Compare(a.End-a.Line, b.End-b.Line), strings.Count(a.path, "/")-strings.Count(b.path, "/"), strings.Compare(a.path, b.path), a.Line-b.Line)
}
