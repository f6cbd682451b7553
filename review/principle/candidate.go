package principle

import (
	"maps"
	"slices"

	"github.com/causaldocs/causal/review/record"
)

// Waiting is a candidate, with what people have to know to decide about it.
type Waiting struct {
	*Principle
	Account *Account // nil when the records say nothing of it
	// Approved is the text of its file once it is in force: nothing else of it is another.
	Approved []byte
}

// Candidates are the principles that wait until people approve them, in the order of their slugs.
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

// Decided lists the candidates of which other files, such as those of a pull request, say something else than that they wait.
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
