package principle

import (
	"maps"
	"slices"

	"github.com/causaldocs/causal/review/record"
)

// Waiting is a candidate with the data for its approval.
type Waiting struct {
	*Principle
	Account *Account // nil without records
	// Approved is the file's text with the status active.
	Approved []byte
}

// Candidates lists the principles that wait for approval, by slug.
func Candidates(records []*record.Record, files map[string][]byte, policy Policy) []Waiting {
	book := Open(records, files, policy)
	var list []Waiting
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if f, err := read(name, files[name]); err == nil && f.Status == Candidate {
			list = append(list, Waiting{&f.Principle, book.Account(f.Slug), f.as(Active)})
		}
	}
	return list
}

// Decided lists the candidates whose status differs in other files, such as those of a pull request.
func Decided(waiting []Waiting, files map[string][]byte) []string {
	var slugs []string
	for _, w := range waiting {
		data, there := files[Path(w.Slug)]
		if f, err := read(Path(w.Slug), data); there && (err != nil || f.Status != Candidate) {
			slugs = append(slugs, w.Slug)
		}
	}
	return slugs
}
