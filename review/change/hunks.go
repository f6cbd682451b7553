package change

// around is the number of context lines in a diff, as in git and on GitHub.
const around = 3

// Hunk is a part of a diff: in either version, the lines from First to before End.
type Hunk struct{ First, End, NowFirst, NowEnd int }

// Hunks returns the hunks of a diff between the versions.
func (l Lines) Hunks() []Hunk {
	var hunks []Hunk
	for _, e := range l.Edits() {
		h := Hunk{max(e.First-around, 1), min(e.End+around, len(l.now)+1), max(e.NowFirst-around, 1), min(e.NowEnd+around, len(l.was)+1)}
		if n := len(hunks); n > 0 && hunks[n-1].NowEnd >= h.NowFirst {
			hunks[n-1].End, hunks[n-1].NowEnd = h.End, h.NowEnd
			continue
		}
		hunks = append(hunks, h)
	}
	return hunks
}

// Shows reports whether a hunk contains lines of the new version, or of the old one.
func (h Hunk) Shows(first, last int, old bool) bool {
	if old {
		return h.First <= first && last < h.End
	}
	return h.NowFirst <= first && last < h.NowEnd
}
