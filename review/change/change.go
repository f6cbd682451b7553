// Package change is what a review is about, as facts: which files differ between the base of a change and its head, which of their
// lines do, and what the base was. The head is the world of the run; the base is another survey, whose facts are read through
// [Before].
package change

import (
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/survey"
)

// File is one file that differs. What a File holds is not changed by anybody.
type File struct {
	Path string // in the new version; where the file is gone, in the old one
	Was  string // in the old version; empty when the file is new
	Gone bool   // in the new version
	// Before and After are what it holds, nil where it is not there, and where it was not read: Unread says why.
	Before, After []byte
	Unread        string
	Lines         Lines
	// Blob is git's id of the new content; of the old one where the file is gone.
	Blob string
}

// Facts of a change.
const (
	listFacts   fact.Family = "changed" // changed .: which files differ; changed <path>: in what
	beforeFacts fact.Family = "before"  // before <fact>: what a fact was at the base
)

// Files lists the files that differ, by path.
func Files(r survey.Reader) ([]string, error) {
	v, err := r.Read(fact.New(listFacts, "."))
	list, _ := v.([]string)
	return list, err
}

// FileOf returns a file that differs; nil of any other.
func FileOf(r survey.Reader, name string) (*File, error) {
	v, err := r.Read(fact.New(listFacts, name))
	f, _ := v.(*File)
	return f, err
}

// Before reads the facts of the base in place of those of the head.
func Before(r survey.Reader) survey.Reader { return before{r} }

type before struct{ head survey.Reader }

func (b before) Read(f fact.Fact) (any, error) {
	return b.head.Read(fact.New(beforeFacts, f.As("").String()))
}
