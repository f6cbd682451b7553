package condition

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Facts answers, for one state of a repository, what the words of the vocabulary ask. Each method also says what
// caused its answer; the Cause of a false answer is shown only where a condition holds because of it (`not`).
type Facts interface {
	// Modified: a file whose path the glob matches was changed, added or deleted.
	Modified(glob Glob) (Cause, bool)
	// SymbolChanged: what dependants can see of the symbol changed, or the symbol came or went.
	SymbolChanged(module, name string) (Cause, bool)
	// InterfaceChanged: what dependants can see of the module changed.
	InterfaceChanged(module string) (Cause, bool)
	// ConclusionChanged: the frame now concludes something else.
	ConclusionChanged(frame string) (Cause, bool)
	// Resolved: the review finding was fixed.
	Resolved(finding string) (Cause, bool)
	// GeneratorChanged: the plugin, language or model that produced the conclusion is another version now.
	GeneratorChanged() (Cause, bool)
	// DismissedShare is the share (0 to 1) of a principle's findings that people dismissed.
	DismissedShare(principle string) (float64, Cause)
	// UnseenDays is the time in days, by commit dates, since a principle last applied.
	UnseenDays(principle string) (float64, Cause)
}

// Cause is what made a term true. Fields that do not apply are empty.
type Cause struct {
	File   string // path of the file that changed
	Commit string // commit that did it
	Detail string // anything else a reader should know: "Parse gained a parameter"
}

// word is one entry of the vocabulary. Exactly one of fact and number is set.
type word struct {
	name   string
	params []string
	rank   int // position in the vocabulary, the order of terms in Any
	fact   func(Facts, *term) (Cause, bool)
	number func(Facts, *term) (float64, Cause)
}

const globParam = "glob"

// vocabulary is closed: a condition can say nothing else.
var vocabulary = []word{
	{name: "modified", params: []string{globParam},
		fact: func(f Facts, t *term) (Cause, bool) { return f.Modified(t.glob) }},
	{name: "symbol_changed", params: []string{"module", "name"},
		fact: func(f Facts, t *term) (Cause, bool) { return f.SymbolChanged(t.args[0], t.args[1]) }},
	{name: "interface_changed", params: []string{"module"},
		fact: func(f Facts, t *term) (Cause, bool) { return f.InterfaceChanged(t.args[0]) }},
	{name: "conclusion_changed", params: []string{"frame"},
		fact: func(f Facts, t *term) (Cause, bool) { return f.ConclusionChanged(t.args[0]) }},
	{name: "resolved", params: []string{"finding"},
		fact: func(f Facts, t *term) (Cause, bool) { return f.Resolved(t.args[0]) }},
	{name: "generator_changed",
		fact: func(f Facts, _ *term) (Cause, bool) { return f.GeneratorChanged() }},
	{name: "dismissed_share", params: []string{"principle"},
		number: func(f Facts, t *term) (float64, Cause) { return f.DismissedShare(t.args[0]) }},
	{name: "unseen_days", params: []string{"principle"},
		number: func(f Facts, t *term) (float64, Cause) { return f.UnseenDays(t.args[0]) }},
}

var words = func() map[string]*word {
	index := make(map[string]*word, len(vocabulary))
	for i := range vocabulary {
		vocabulary[i].rank = i
		index[vocabulary[i].name] = &vocabulary[i]
	}
	return index
}()

// usage is how the word is written, for error messages.
func (w *word) usage() string {
	call := w.name + "(" + strings.Join(w.params, ", ") + ")"
	if w.number != nil {
		return call + " > number"
	}
	return call
}

// allowed lists what a condition may say.
var allowed = func() string {
	usages := make([]string, len(vocabulary))
	for i := range vocabulary {
		usages[i] = vocabulary[i].usage()
	}
	return strings.Join(usages, ", ") + "; joined by and, or, not and parentheses"
}()

type comparison struct {
	symbol string
	holds  func(value, limit float64) bool
}

var comparisons = map[string]comparison{
	"<":  {"<", func(v, l float64) bool { return v < l }},
	"<=": {"<=", func(v, l float64) bool { return v <= l }},
	">":  {">", func(v, l float64) bool { return v > l }},
	">=": {">=", func(v, l float64) bool { return v >= l }},
	"==": {"==", func(v, l float64) bool { return v == l }},
	"!=": {"!=", func(v, l float64) bool { return v != l }},
}

// spell sets the canonical text.
func (t *term) spell() {
	size := len(t.word.name) + 2
	for _, arg := range t.args {
		size += len(arg) + 4
	}
	b := make([]byte, 0, size)
	b = append(b, t.word.name...)
	b = append(b, '(')
	for i, arg := range t.args {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendQuote(b, arg)
	}
	b = append(b, ')')
	if t.word.number != nil {
		b = append(b, ' ')
		b = append(b, t.comparison.symbol...)
		b = append(b, ' ')
		b = strconv.AppendFloat(b, t.number, 'g', -1, 64)
	}
	t.text = string(b)
}

func validText(s string) string {
	return strings.ToValidUTF8(s, string(utf8.RuneError))
}
