package answers

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/store"
)

// Answer is a stored answer to a question.
type Answer struct {
	Question   string
	Sentences  []grounding.Sentence
	Confidence float64
	Open       []string
	Condition  string // follows from the evidence
	Evidence   []fact.Observation
	// Invalid lists the causes if facts differ from the evidence. It is empty for a valid answer.
	Invalid []string
}

// The bounds of a file, which is untrusted.
const (
	longestQuestion = 2000
	mostSentences   = 60
	mostEvidence    = 2000
)

const header = "# A kept answer. causal checks the evidence with every update; delete the file to drop the answer.\n"

// Encode writes an answer in canonical form, one line per piece of evidence, which lets branches merge.
func (a *Answer) Encode() []byte {
	var w canonical.Writer
	w.Raw(header)
	w.Keep(0, "question", a.Question)
	w.Head(0, "answer", len(a.Sentences))
	for _, s := range a.Sentences {
		w.Field("text", s.Text)
		w.Names("cites", citesOf(s))
		w.Record()
	}
	w.Raw("confidence: " + strconv.FormatFloat(a.Confidence, 'g', -1, 64) + "\n")
	w.Section(0, "open", len(a.Open))
	for _, text := range a.Open {
		w.Element(0, text)
	}
	w.Text(0, "invalidation_condition", a.Condition)
	w.Head(0, "evidence", len(a.Evidence))
	for _, o := range a.Evidence {
		w.Element(0, o.String())
	}
	w.Section(0, "invalid", len(a.Invalid))
	for _, text := range a.Invalid {
		w.Element(0, text)
	}
	return w.Bytes()
}

func citesOf(s grounding.Sentence) []string {
	var out []string
	for _, c := range s.Cites {
		out = append(out, c.String())
	}
	return out
}

// FileError is an error in the file of an answer.
type FileError struct {
	File string
	Err  error
}

func (e *FileError) Error() string { return e.File + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *FileError) Unwrap() error { return e.Err }

// Load reads an answer; nil if there is none. Errors in the file are a *FileError.
func Load(files interface {
	Read(name string) ([]byte, error)
}, slug string) (*Answer, error) {
	data, err := files.Read(File(slug))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, store.ErrOccupied):
		return nil, &FileError{File(slug), err}
	case err != nil:
		return nil, fmt.Errorf("read an answer: %w", err)
	}
	a, err := decode(data)
	if err != nil {
		return nil, &FileError{File(slug), err}
	}
	return a, nil
}

type stored struct {
	Question string `yaml:"question"`
	Answer   []struct {
		Text  string   `yaml:"text"`
		Cites []string `yaml:"cites"`
	} `yaml:"answer"`
	Confidence float64  `yaml:"confidence"`
	Open       []string `yaml:"open"`
	Condition  string   `yaml:"invalidation_condition"`
	Evidence   []string `yaml:"evidence"`
	Invalid    []string `yaml:"invalid"`
}

func decode(data []byte) (*Answer, error) {
	root, err := canonical.Document(data)
	if err != nil {
		return nil, err
	}
	var s stored
	if err := root.Load(&s, yaml.WithUniqueKeys(false), yaml.WithKnownFields()); err != nil {
		return nil, err
	}
	return s.answer()
}

// answer validates an untrusted file.
func (s *stored) answer() (*Answer, error) {
	a := &Answer{Confidence: s.Confidence}
	var ok bool
	if a.Question, ok = grounding.Clean(s.Question); !ok || len(a.Question) > longestQuestion {
		return nil, errors.New("the question is no plain text")
	}
	if len(s.Answer) == 0 || len(s.Answer) > mostSentences || len(s.Evidence) == 0 || len(s.Evidence) > mostEvidence || !(a.Confidence >= 0 && a.Confidence <= 1) {
		return nil, errors.New("an answer has sentences, evidence, and a confidence from 0 to 1")
	}
	for _, sentence := range s.Answer {
		text, ok := grounding.CleanSentence(sentence.Text)
		if !ok || len(sentence.Cites) == 0 {
			return nil, fmt.Errorf("a sentence is no plain text or cites nothing: %.60q", sentence.Text)
		}
		out := grounding.Sentence{Text: text}
		for _, cite := range sentence.Cites {
			c := ParseCite(cite)
			if c.File != "" && !fs.ValidPath(c.File) {
				return nil, fmt.Errorf("a sentence cites a place outside of the repository: %.60q", cite)
			}
			out.Cites = append(out.Cites, c)
		}
		a.Sentences = append(a.Sentences, out)
	}
	for _, line := range s.Evidence {
		o, err := fact.Parse(line)
		if err != nil {
			return nil, err
		}
		a.Evidence = append(a.Evidence, o)
	}
	for _, text := range s.Open {
		text, ok := grounding.CleanSentence(text)
		if !ok {
			return nil, fmt.Errorf("an open point is no plain text: %.60q", text)
		}
		a.Open = append(a.Open, text)
	}
	for _, text := range s.Invalid {
		if text = strings.Join(strings.Fields(text), " "); text != "" {
			a.Invalid = append(a.Invalid, text)
		}
	}
	return a, nil
}

// ParseCite parses the String of a grounding.Cite.
func ParseCite(text string) grounding.Cite {
	if strings.HasPrefix(text, "event ") || strings.HasPrefix(text, "node ") {
		return grounding.Cite{Ref: text}
	}
	at := strings.LastIndexByte(text, ':')
	if at < 0 {
		return grounding.Cite{File: text}
	}
	first, last, _ := strings.Cut(text[at+1:], "-")
	from, err := strconv.Atoi(first)
	to, err2 := strconv.Atoi(cmp.Or(last, first))
	if err != nil || err2 != nil || from < 1 || to < from {
		return grounding.Cite{File: text}
	}
	return grounding.Cite{File: text[:at], From: from, To: to}
}

// All returns the names of the answers, sorted.
func All(files interface {
	List(dir string) ([]string, error)
}) ([]string, error) {
	names, err := files.List(store.Answers)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrOccupied) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list answers: %w", err)
	}
	var out []string
	for _, name := range names {
		if slug, ok := SlugOf(name); ok {
			out = append(out, slug)
		}
	}
	slices.Sort(out)
	return out, nil
}
