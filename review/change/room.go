package change

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Facts answers facts of one end of the change. A *survey.Survey implements it.
type Facts interface {
	Digest(ctx context.Context, f fact.Fact) (string, error)
	Value(ctx context.Context, f fact.Fact) (any, error)
}

// Config configures a Room.
type Config struct {
	Base, Now      Facts
	Changes        []survey.Change // from base to head, sorted by path
	BaseTree, Head survey.Tree
	MaxBytes       int64                  // limit of a file that is read
	Ignored        func(path string) bool // paths that are not part of the change
}

// mostBytes limits the content that is read, for both versions together. Reviewers read a hundredth of it, and a
// larger change is generated or moved as a whole.
const mostBytes = 64 << 20

// Room answers the facts of one change. It implements engine.Room.
type Room struct {
	base, now Facts
	files     map[string]*File
	was       map[string]string // digests by path
	names     []string

	head    survey.Tree
	ignored func(path string) bool
	mu      sync.Mutex // guards the fields below
	listed  bool
	list    []survey.Entry    // files of the head, listed on demand
	named   map[fact.Fact]any // cached search results
}

// NewRoom reads the changed files.
func NewRoom(ctx context.Context, c Config) (*Room, error) {
	r := &Room{base: c.Base, now: c.Now, files: map[string]*File{}, head: c.Head, ignored: c.Ignored, named: map[fact.Fact]any{}}
	was, err := regular(ctx, c)
	if err != nil {
		return nil, err
	}
	var before, after []survey.Entry
	for _, change := range c.Changes {
		if c.Ignored(change.Path) {
			continue
		}
		f := &File{Path: change.Path, Gone: change.ID == "", Blob: change.ID}
		if !utf8.ValidString(change.Path) { // JSON and GitHub cannot represent the path
			f.Unread = "has or had a name that is not UTF-8"
		}
		if f.Gone && !was[change.Path] {
			continue // a removed link or submodule was no file
		}
		if was[change.Path] {
			f.Was = change.Path
			before = append(before, survey.Entry{Path: change.Path, ID: change.Was, Mode: survey.Regular})
		}
		switch {
		case f.Gone:
			f.Blob = change.Was
		case change.Mode == survey.Regular:
			after = append(after, survey.Entry{Path: change.Path, ID: change.ID, Mode: change.Mode})
		default:
			f.Unread = "is a link"
		}
		r.files[change.Path] = f
	}
	left := int64(mostBytes)
	if err := r.read(ctx, c.Head, after, c.MaxBytes, &left, func(f *File) *[]byte { return &f.After }); err != nil {
		return nil, err
	}
	if err := r.read(ctx, c.BaseTree, before, c.MaxBytes, &left, func(f *File) *[]byte { return &f.Before }); err != nil {
		return nil, err
	}
	r.join(before)
	return r, nil
}

func regular(ctx context.Context, c Config) (map[string]bool, error) {
	was := map[string]bool{}
	for _, change := range c.Changes {
		was[change.Path] = false
	}
	state, err := c.BaseTree.State(ctx, func() survey.State { return survey.State{} })
	if err != nil {
		return nil, fmt.Errorf("look at the base: %w", err)
	}
	list, err := c.BaseTree.Entries(ctx, state)
	if err != nil {
		return nil, fmt.Errorf("list the base: %w", err)
	}
	for _, e := range list {
		if _, differs := was[e.Path]; differs && e.Mode == survey.Regular {
			was[e.Path] = true
		}
	}
	return was, nil
}

func (r *Room) read(ctx context.Context, tree survey.Tree, list []survey.Entry, limit int64, left *int64, side func(*File) *[]byte) error {
	return tree.Read(ctx, list, limit, func(e survey.Entry, content []byte, err error) error {
		f := r.files[e.Path]
		switch {
		case errors.Is(err, survey.ErrTooLarge):
			f.Unread = fmt.Sprintf("larger than %d bytes", limit)
		case err != nil:
			f.Unread = "cannot be read: " + err.Error()
		case bytes.IndexByte(content[:min(len(content), 8000)], 0) >= 0: // the rule of git
			f.Unread = "is binary"
		case *left < int64(len(content)):
			f.Unread = fmt.Sprintf("the change is larger than %d MB", mostBytes>>20)
		default:
			*left -= int64(len(content))
			*side(f) = slices.Clone(content)
		}
		return ctx.Err()
	})
}

func (r *Room) join(before []survey.Entry) {
	ids := map[string]string{}
	for _, e := range before {
		ids[e.Path] = e.ID
	}
	var gone, added []*File
	for _, name := range slices.Sorted(maps.Keys(r.files)) {
		switch f := r.files[name]; {
		case f.Gone:
			gone = append(gone, f)
		case f.Was == "":
			added = append(added, f)
		}
	}
	for from, to := range renames(gone, added) {
		to.Was, to.Before = from.Path, from.Before
		to.Unread = cmp.Or(to.Unread, from.Unread)
		delete(r.files, from.Path)
	}
	r.names, r.was = slices.Sorted(maps.Keys(r.files)), map[string]string{}
	for _, name := range r.names {
		f := r.files[name]
		if f.Unread != "" {
			f.Before, f.After = nil, nil
		}
		f.Lines = Compare(Split(f.Before), Split(f.After))
		r.was[name] = fact.Digest(f.Was, ids[f.Was], f.Blob, strconv.FormatBool(f.Gone))
	}
}

// Present lists the changed files that exist in the new version.
func (r *Room) Present() (names []string) {
	for _, name := range r.names {
		if !r.files[name].Gone {
			names = append(names, name)
		}
	}
	return names
}

// Families implements engine.Room.
func (*Room) Families() []fact.Family {
	return []fact.Family{listFacts, beforeFacts, documentFacts, wordFacts}
}

// Digest implements engine.Room.
func (r *Room) Digest(ctx context.Context, f fact.Fact) (string, error) {
	switch {
	case f.Family == beforeFacts:
		o, err := fact.Parse(f.Name)
		if err != nil {
			return "", fmt.Errorf("a fact of the base: %w", err)
		}
		return r.base.Digest(ctx, o.Fact)
	case f.Family != listFacts:
		return r.foundDigest(ctx, f)
	case f.Name == ".":
		return fact.Digest(r.names...), nil
	}
	return r.was[f.Name], nil
}

// Value implements engine.Room.
func (r *Room) Value(ctx context.Context, f fact.Fact) (any, error) {
	switch {
	case f.Family == beforeFacts:
		o, err := fact.Parse(f.Name)
		if err != nil {
			return nil, fmt.Errorf("a fact of the base: %w", err)
		}
		return r.base.Value(ctx, o.Fact)
	case f.Family != listFacts:
		return r.found(ctx, f)
	case f.Name == ".":
		return r.names, nil
	}
	return r.files[f.Name], nil
}

// File returns a changed file by its path in the new version, or nil for any other.
func (r *Room) File(name string) *File { return r.files[name] }

// Changed implements engine.Room. A Room has no earlier run to compare with.
func (*Room) Changed() (facts []fact.Fact, all bool) { return nil, true }

// Explain implements engine.Room.
func (*Room) Explain(_ []fact.Observation, changes []fact.Change, _ func(fact.Family, string) []fact.Observation) []condition.Cause {
	return condition.CausesOf(changes, func(c *condition.Cause) { c.Detail = "the change is another" })
}
