package principle

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/review/life"
	"github.com/causaldocs/causal/review/record"
)

// Book holds the accounts of a project's principles: those with a file, and those to be created.
type Book struct {
	Problems []Problem // unreadable files
	slugs    []string
	accounts map[string]*Account
}

// Slugs lists the principles, sorted.
func (b *Book) Slugs() []string { return slices.Clone(b.slugs) }

// Account returns the account of a principle, or nil if the records do not mention it.
func (b *Book) Account(slug string) *Account { return b.accounts[slug] }

// Account summarizes the records of one pattern. It depends on the records alone.
type Account struct {
	Rule  string // default text of the rule
	Check *Check
	// Changes lists the changes in which it was found, in the order of closing.
	Changes []Occurrence
	// Late is set if it was not found for too long to stay in force.
	Late bool

	unseen   int // in days
	promoted int // number of changes at its promotion
	asked    int // required number of changes
	approval bool
	check    func(changes int) *Check
}

// Occurrence is a change in which a pattern was found.
type Occurrence struct {
	Evidence
	Author    string
	Fixed     bool
	Dismissed bool // and not fixed
}

// Open counts patterns in the records of all closed changes. The order of the records does not matter.
func Open(records []*record.Record, files map[string][]byte, policy Policy) *Book {
	counted := count(records)
	b := &Book{accounts: map[string]*Account{}}
	owned, taken := map[string]bool{}, map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		slug, ok := SlugOf(name)
		if !ok {
			continue
		}
		b.slugs, taken[slug] = append(b.slugs, slug), true
		f, err := read(name, files[name])
		if err != nil {
			b.Problems = append(b.Problems, Problem{name, strings.TrimPrefix(err.Error(), name+": ")})
			continue
		}
		for _, pattern := range counted.patternsOf(f) {
			owned[pattern] = true
		}
		if t := counted.tallies[counted.patternOf(f)]; t != nil {
			b.accounts[slug] = t.account(counted.newest, policy)
		}
	}
	if len(b.Problems) > 0 {
		return b // the patterns of these files are unknown
	}
	for _, t := range counted.promoted(policy) {
		if !owned[t.pattern] {
			name := slug(t, taken)
			taken[name] = true
			b.slugs, b.accounts[name] = append(b.slugs, name), t.account(counted.newest, policy)
		}
	}
	slices.Sort(b.slugs)
	return b
}

func (t *tally) account(newest time.Time, policy Policy) *Account {
	a := &Account{
		Rule: t.rule(), Check: t.check(len(t.changes)), unseen: t.unseenDays(newest), promoted: t.ripe(policy),
		asked: max(policy.Changes, 1), approval: policy.Approval, check: t.check,
	}
	if a.promoted == 0 { // promoted under another policy
		a.promoted = min(a.asked, len(t.changes))
	}
	for _, o := range t.changes {
		fixed := o.finding.Status == life.Fixed
		e := Evidence{Key: o.change.Key, Finding: o.finding.ID, At: o.change.At.UTC().Format(time.DateOnly)}
		if fixed { // fixed in the work tree, before the head was committed
			e.FixedBy = cmp.Or(o.finding.FixedBy, o.change.Head)
		}
		a.Changes = append(a.Changes, Occurrence{e, o.change.Author, fixed, o.dismissed})
	}
	a.Late = wrong("-", a.neverDismissed(), a.unseen) != ""
	return a
}

func evidence(changes []Occurrence) []Evidence {
	list := make([]Evidence, len(changes))
	for i, o := range changes {
		list[i] = o.Evidence
	}
	return list
}

// Counts returns the number of changes in which it was fixed and dismissed, and their authors, sorted.
func (a *Account) Counts() (fixed, dismissed int, authors []string) {
	names := map[string]bool{}
	for _, o := range a.Changes {
		if o.Author != "" {
			names[o.Author] = true
		}
	}
	_, fixed, dismissed = countsOf(a.Changes)
	return fixed, dismissed, slices.Sorted(maps.Keys(names))
}

func countsOf(changes []Occurrence) (authors, fixed, dismissed int) {
	names := map[string]bool{}
	for _, o := range changes {
		switch names[o.Author] = true; {
		case o.Fixed:
			fixed++
		case o.Dismissed:
			dismissed++
		}
	}
	return len(names), fixed, dismissed
}
