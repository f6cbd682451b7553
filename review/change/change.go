// Package change provides the facts of a change: the files and lines that differ between the base and the head, and
// the facts of the base. The head is the state of the run. The base is another survey, which [Before] reads.
package change

import (
	"iter"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/survey"
)

// File is one changed file. It is immutable.
type File struct {
	Path string // in the new version, or in the old one if the file was removed
	Was  string // in the old version; empty for a new file
	Gone bool   // removed
	// Before and After are the contents. They are nil if the file does not exist in that version, or if Unread says
	// why it was not read.
	Before, After []byte
	Unread        string
	Lines         Lines
	// Blob is the git object ID of the new content, or of the old one if the file was removed.
	Blob string
}

const (
	listFacts   fact.Family = "changed" // changed .: paths of changed files; changed <path>: the changed file
	beforeFacts fact.Family = "before"  // before <fact>: the value of a fact at the base
)

// Files lists the paths of the changed files in order.
func Files(r survey.Reader) ([]string, error) {
	return survey.Ask[[]string](r, fact.New(listFacts, "."))
}

// FileOf returns a changed file, or nil for any other.
func FileOf(r survey.Reader, name string) (*File, error) {
	return survey.Ask[*File](r, fact.New(listFacts, name))
}

// All iterates over the changed files in order, up to the first error.
func All(r survey.Reader) iter.Seq2[*File, error] {
	return func(yield func(*File, error) bool) {
		names, err := Files(r)
		if err != nil {
			yield(nil, err)
		}
		for _, name := range names {
			if f, err := FileOf(r, name); !yield(f, err) || err != nil {
				return
			}
		}
	}
}

// Before returns a reader of the base instead of the head.
func Before(r survey.Reader) survey.Reader { return before{r} }

type before struct{ head survey.Reader }

func (b before) Read(f fact.Fact) (any, error) {
	return b.head.Read(fact.New(beforeFacts, f.As("").String()))
}
