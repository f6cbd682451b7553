package condition

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/fact"
)

// Word is one entry of a Vocabulary, given by the room that can answer it.
type Word struct {
	Name   string
	Params []string // what its arguments are called; one called GlobParam is a pattern of paths
	// Numeric words give a number, which a condition compares with a limit. Others are true or false.
	Numeric bool
	// Matches reports whether a change of what a conclusion rests on makes the word true; nil where changes say nothing of it.
	Matches func(q Question, c fact.Change) bool
	// Narrow is what the word says of one change alone, where it speaks of many: "the interface of a changed" for one of
	// anything. Nil, and empty, where it says no less as it is.
	Narrow func(c fact.Change) (word string, args []string)
}

// GlobParam is the name of a parameter that is a pattern of paths.
const GlobParam = "glob"

// Question is one term of a condition, as it is put to who answers.
type Question struct {
	Word string
	Args []string
	Glob Glob // of a word that takes a pattern
}

// Answer is what a word comes to. Its Cause is shown where the condition holds because of it; of a word that is false, where
// it is negated.
type Answer struct {
	Holds  bool
	Number float64 // of a numeric word
	Cause  Cause
}

// Facts answers, for one state of a repository, what the words of a vocabulary ask.
type Facts interface {
	Answer(q Question) Answer
}

// Cause is what made a term true. Fields that do not apply are empty.
type Cause struct {
	Change fact.Change // what was observed before, and is observed now
	File   string      // path of the file through which it changed
	Commit string      // that changed it; empty when it is not committed
	Detail string      // anything else a reader should know: "Parse gained a parameter"
}

// Vocabulary is what conditions can say: the words that somebody answers. A condition that says anything else is refused,
// so that none is false because nobody knew the word.
type Vocabulary struct {
	words   map[string]*word
	allowed string // for errors
}

// word is a Word with its place in the vocabulary, which orders the terms of Any.
type word struct {
	Word
	rank int
}

// NewVocabulary joins the words of the rooms. Two of one name are a mistake of the program, and panic.
func NewVocabulary(words ...Word) *Vocabulary {
	v := &Vocabulary{words: make(map[string]*word, len(words))}
	usages := make([]string, len(words))
	for i, w := range words {
		if v.words[w.Name] != nil {
			panic("condition: the word " + w.Name + " is answered twice")
		}
		v.words[w.Name] = &word{w, i}
		usages[i] = v.words[w.Name].usage()
	}
	v.allowed = strings.Join(usages, ", ") + "; joined by and, or, not and parentheses"
	return v
}

// usage is how the word is written, for error messages.
func (w *word) usage() string {
	call := w.Name + "(" + strings.Join(w.Params, ", ") + ")"
	if w.Numeric {
		return call + " > number"
	}
	return call
}

// Word returns the word of a name; false when the vocabulary does not have it.
func (v *Vocabulary) Word(name string) (Word, bool) {
	w := v.words[name]
	if w == nil {
		return Word{}, false
	}
	return w.Word, true
}

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
	size := len(t.word.Name) + 2
	for _, arg := range t.args {
		size += len(arg) + 4
	}
	b := make([]byte, 0, size)
	b = append(b, t.word.Name...)
	b = append(b, '(')
	for i, arg := range t.args {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendQuote(b, arg)
	}
	b = append(b, ')')
	if t.word.Numeric {
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
