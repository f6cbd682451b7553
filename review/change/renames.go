package change

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/survey"
)

// Limits of the search for files that were both renamed and edited, as in git: half of a file must be unchanged, and
// with more pairs than mostPairs only exact renames are found.
const (
	mostPairs = 100_000
	halfAlike = 0.5
)

// renames pairs removed files with new ones: first those with the same content, preferring the same base name, and
// then the most similar ones.
func renames(gone, added []*File) map[*File]*File {
	found, taken := map[*File]*File{}, map[*File]bool{}
	join := func(from, to *File) {
		if found[from] == nil && !taken[to] {
			found[from], taken[to] = to, true
		}
	}
	for _, id := range []func(f *File) string{
		func(f *File) string { return f.Blob + " " + path.Base(f.Path) },
		func(f *File) string { return f.Blob },
	} {
		byID := map[string][]*File{}
		for _, to := range added {
			if !taken[to] {
				byID[id(to)] = append(byID[id(to)], to)
			}
		}
		for _, from := range gone {
			if same := byID[id(from)]; len(same) > 0 && found[from] == nil && !empty(from) {
				join(from, same[0])
				byID[id(from)] = same[1:]
			}
		}
	}
	for _, p := range alike(gone, added, func(f *File) bool { return found[f] != nil || taken[f] }) {
		join(p.from, p.to)
	}
	return found
}

// empty reports whether a file is empty. Empty files all have the same content, so they do not pair.
func empty(f *File) bool { return f.Unread == "" && len(f.Before)+len(f.After) == 0 }

type likeness struct {
	from, to *File
	share    float64
}

func alike(gone, added []*File, done func(*File) bool) []likeness {
	gone, added = rest(gone, done), rest(added, done)
	if len(gone)*len(added) > mostPairs {
		return nil
	}
	counts := make([]map[string]int, len(added))
	for i, to := range added {
		counts[i] = lineCounts(to.After)
	}
	var pairs []likeness
	for _, from := range gone {
		lines := lineCounts(from.Before)
		for i, to := range added {
			if small, large := min(len(from.Before), len(to.After)), max(len(from.Before), len(to.After)); float64(small) < halfAlike*float64(large) {
				continue
			}
			if share := shared(lines, counts[i], max(len(from.Before), len(to.After))); share >= halfAlike {
				pairs = append(pairs, likeness{from, to, share})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b likeness) int {
		return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(a.from.Path, b.from.Path), cmp.Compare(a.to.Path, b.to.Path))
	})
	return pairs
}

func rest(files []*File, done func(*File) bool) []*File {
	return slices.DeleteFunc(slices.Clone(files), func(f *File) bool { return done(f) || len(f.Before)+len(f.After) == 0 })
}

func lineCounts(text []byte) map[string]int {
	counts := map[string]int{}
	for line := range strings.Lines(string(text)) {
		counts[line] += len(line)
	}
	return counts
}

// shared returns the fraction of size bytes that two texts share.
func shared(a, b map[string]int, size int) float64 {
	same := 0
	for line, bytes := range a {
		same += min(bytes, b[line])
	}
	return float64(same) / float64(max(size, 1))
}

// Follow returns the current path of a file from an earlier version of the change, or "" if it was removed. held is
// its old content, or nil if unknown.
func (r *Room) Follow(ctx context.Context, name string, held []byte) (string, error) {
	if f := r.files[name]; f != nil && !f.Gone {
		return name, nil
	}
	there, err := r.now.Digest(ctx, survey.PathFact(name))
	if err != nil || there != "" {
		return name, err
	}
	var added []*File
	for _, now := range r.names {
		f := r.files[now]
		if f.Was == name && !f.Gone {
			return now, nil
		}
		if !f.Gone {
			added = append(added, f)
		}
	}
	pairs := alike([]*File{{Path: name, Before: held}}, added, func(*File) bool { return false })
	if len(pairs) == 0 {
		return "", nil
	}
	return pairs[0].to.Path, nil
}
