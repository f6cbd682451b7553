package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/atomic"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/lexical"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/render/answers"
)

// mostAnswers is how many answers are kept in the clone; the oldest go first.
const mostAnswers = 300

// stored is an answer in the clone's own directory, with the call tree that led to it.
type stored struct {
	Question string
	Attempt  int  `json:",omitempty"` // how often it was asked again on purpose
	Sure     bool `json:",omitempty"` // every sentence stood, and the model was sure
	Root     *Frame
	Kept     string `json:"-"` // the file in the repository
}

func (a *Asker) answersDir() string { return filepath.Join(a.Workspace.Private(), "ask", "answers") }

// stored is the answer to a question that is stored in the clone or kept in the repository, one that holds if there is one; nil if
// there is none. An unreadable one counts as none: the clone's is a cache, and causal check reports the other.
func (a *Asker) stored(ctx context.Context, question string) (s *stored, holds bool, err error) {
	list := []*stored{readStored(filepath.Join(a.answersDir(), key(question)+".json"))}
	if slug, k := a.kept(question); k != nil {
		kept := fromKept(slug, k)
		if local := list[0]; local != nil && slices.EqualFunc(local.Root.Sentences, k.Sentences, func(x, y grounding.Sentence) bool { return x.Text == y.Text }) {
			local.Kept = kept.Kept // it has the call tree as well
			list = append(list, kept)
		} else {
			list = []*stored{kept, local}
		}
	}
	for _, one := range list {
		if s == nil {
			s = one
		}
		if !one.answers() {
			continue
		}
		outdated, err := a.outdated(ctx, one)
		if err != nil {
			return nil, false, err
		}
		if !outdated {
			return one, true, nil
		}
	}
	return s, false, nil
}

func readStored(name string) *stored {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	s := &stored{}
	if json.Unmarshal(data, s) != nil || s.Root == nil {
		return nil
	}
	return s
}

// answers reports whether there is an answer to give again.
func (s *stored) answers() bool { return s != nil && len(s.Root.Sentences) > 0 }

// fromKept is an answer of the repository, in one frame.
func fromKept(slug string, k *answers.Answer) *stored {
	f := &Frame{Query: k.Question, Sentences: k.Sentences, Confidence: k.Confidence, Open: k.Open, Evidence: k.Evidence, Condition: k.Condition}
	if f.Condition == "" {
		f.Condition = "evidence_changed()"
	}
	return &stored{Question: k.Question, Root: f, Sure: k.Confidence >= sure, Kept: answers.File(slug)}
}

// kept finds the answer to a question among those of the repository.
func (a *Asker) kept(question string) (string, *answers.Answer) {
	list, err := answers.All(a.Workspace.Files)
	if err != nil {
		return "", nil
	}
	for _, slug := range list {
		if k, err := answers.Load(a.Workspace.Files, slug); err == nil && k != nil && key(k.Question) == key(question) {
			return slug, k
		}
	}
	return "", nil
}

// save stores an answer in the clone.
func (a *Asker) save(s *stored) {
	data, err := json.Marshal(s)
	if err == nil {
		err = writeFile(filepath.Join(a.answersDir(), key(s.Question)+".json"), data, mostAnswers)
	}
	a.unsaved(err)
}

// unsaved notes that the clone's store cannot be written: the answer is given all the same.
func (a *Asker) unsaved(err error) {
	if err != nil {
		a.Note("cannot " + err.Error())
	}
}

// writeFile writes a file as a whole, and removes the oldest of its directory if there are more than most.
func writeFile(name string, data []byte, most int64) error {
	if err := atomic.Write(name, data, 0o600); err != nil {
		return fmt.Errorf("store an answer: %w", err)
	}
	atomic.Limit(filepath.Dir(name), most, most, func(fs.FileInfo) int64 { return 1 })
	return nil
}

// longestWords is how many bytes of a question its slug has.
const longestWords = 50

// Slug is the name of a question in files and units: its first words, and a digest of its terms.
func Slug(question string) string {
	var b strings.Builder
	for w := range strings.FieldsFuncSeq(strings.ToLower(question), func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if b.Len()+len(w) >= longestWords {
			break
		}
		b.WriteString(w + "-")
	}
	return b.String() + fmt.Sprintf("%x", key(question)[:4])
}

// keep stores an answer in the repository.
func (a *Asker) keep(ctx context.Context, out *Answer) error {
	if out.found == nil || len(out.found.Root.Sentences) == 0 {
		a.Note("not kept: only an answer of a model can be kept; set CAUSAL_MODEL and ask again, or let a coding agent store its answer with answer_keep")
		return nil
	}
	question, ok := grounding.Clean(out.found.Question)
	if !ok {
		return usage("the question has markup: only plain text can be kept")
	}
	if a.Lock != nil {
		if err := a.Lock(ctx); err != nil {
			return err
		}
	}
	slug, before := a.kept(question)
	if before == nil {
		slug = Slug(question)
	}
	root := out.found.Root
	k := &answers.Answer{Question: question, Sentences: root.Sentences, Confidence: root.Confidence, Open: root.Open, Evidence: root.evidence(), Condition: out.Condition}
	if _, err := a.Workspace.Files.Write(answers.File(slug), k.Encode()); err != nil {
		return fmt.Errorf("keep the answer: %w", err)
	}
	out.Kept = answers.File(slug)
	return nil
}

// Recall finds the sure answers that share words with a question and hold now, the best first. It looks at the repository only if there
// are some.
func Recall(ctx context.Context, w *workspace.Workspace, question string, most int) ([]answer.Remembered, error) {
	a := &Asker{Workspace: w}
	found := lexical.New()
	list := a.sureAnswers()
	for i, s := range list {
		found.Add(strconv.Itoa(i), s.Question+" "+s.Root.conclusion())
	}
	matches := found.Search(question, most)
	if len(matches) == 0 {
		return nil, nil
	}
	var err error
	if a.Knowledge, err = w.Look(); err == nil {
		err = a.Knowledge.Look(ctx)
	}
	if err != nil {
		return nil, err
	}
	var out []answer.Remembered
	for _, m := range matches {
		i, _ := strconv.Atoi(m.Key) // as it was added
		s := list[i]
		outdated, err := a.outdated(ctx, s)
		if err != nil {
			return nil, err
		}
		if !outdated {
			out = append(out, remembered(s))
		}
	}
	return out, nil
}

func remembered(s *stored) answer.Remembered {
	out := answer.Remembered{Question: s.Question, Answer: s.Root.conclusion(), Confidence: s.Root.Confidence}
	for _, sentence := range s.Root.Sentences {
		for _, c := range sentence.Cites {
			if !slices.Contains(out.Cites, c.String()) {
				out.Cites = append(out.Cites, c.String())
			}
		}
	}
	return out
}

// sureAnswers are those of the repository and of the clone that are sure, each question once.
func (a *Asker) sureAnswers() []*stored {
	var out []*stored
	seen := map[string]bool{}
	add := func(s *stored) {
		if s != nil && s.Sure && !seen[key(s.Question)] {
			seen[key(s.Question)] = true
			out = append(out, s)
		}
	}
	slugs, _ := answers.All(a.Workspace.Files) // causal check reports unreadable ones
	for _, slug := range slugs {
		if k, err := answers.Load(a.Workspace.Files, slug); err == nil && k != nil {
			add(fromKept(slug, k))
		}
	}
	entries, _ := os.ReadDir(a.answersDir()) // a cache
	for _, e := range entries {
		add(readStored(filepath.Join(a.answersDir(), e.Name())))
	}
	return out
}

// Renew re-asks the kept answers that no longer hold. If the model fails, they remain unchanged.
func (a *Asker) Renew(ctx context.Context) error {
	slugs, err := answers.All(a.Workspace.Files)
	if err != nil {
		return err
	}
	for _, slug := range slugs {
		k, err := answers.Load(a.Workspace.Files, slug)
		if err != nil || k == nil {
			continue // causal check reports it
		}
		holds, err := a.holds(ctx, k.Evidence)
		if err == nil && !holds {
			_, err = a.Ask(ctx, Question{Text: k.Question, Depth: MaxDepth, Keep: true, renew: true})
		}
		if failed := new(prompt.FailedError); errors.As(err, &failed) {
			a.Note("a kept answer is not renewed (" + k.Question + "): " + failed.Error())
			if failed.Reason == prompt.NotTheForm || failed.Reason == prompt.Refused {
				continue // the next one may be
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *Asker) holds(ctx context.Context, evidence []fact.Observation) (bool, error) {
	observer := a.Knowledge.Observer(ctx)
	for _, o := range evidence {
		holds, _, err := observer.Holds(o)
		if !holds || err != nil {
			return false, err
		}
	}
	return true, nil
}
