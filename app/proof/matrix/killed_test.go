package matrix

import (
	"os"
	"slices"
	"testing"
)

const killedRow = "run that is killed, then another edit"

// killed is the trial in which a run is killed before it is through, and something else is edited then. The long run
// repeats it for every file that the run may have died before; otherwise two of them are tried.
func (l language) killed(t *testing.T, shop *repo, long bool) outcome {
	t.Helper()
	first, second := l.trial(t, "constant that others use"), l.trial(t, "body of the caller")
	r := shop.copy(t)
	r.edit(first)
	whole := r.copy(t)
	before := whole.take()
	report := whole.update()
	written := inOrderOfWriting(whole, difference(before.owned, whole.take().owned))
	done := whole.copy(t)
	done.edit(second)
	done.update()
	want := done.take()
	var out outcome
	for dead := range written {
		if !long && dead != 0 && dead != len(written)/2 {
			continue
		}
		q := r.copy(t)
		for _, name := range written[:dead] {
			q.write(name, whole.read(name))
		}
		q.edit(second)
		may := union(report.Updated, l.expand(second.rerun))
		again := q.update()
		out.needless = append(out.needless, minus(again.Updated, may)...)
		if dead == 0 {
			out.updated = again.Updated
		}
		d := difference(want.knowledge, q.take().knowledge)
		out.churned += len(d)
		if len(out.needless)+len(d) > 0 {
			t.Errorf("killed before %s: updated %v, want some of %v; other files than without: %v", written[dead], again.Updated, may, d)
		}
		out.pages = union(out.pages, again.PagesWritten)
	}
	return out
}

// trial finds a trial of the language by its row.
func (l language) trial(t *testing.T, row string) trial {
	t.Helper()
	i := slices.IndexFunc(l.trials, func(x trial) bool { return x.row == row })
	if i < 0 {
		t.Fatalf("there is no trial %q", row)
	}
	return l.trials[i]
}

// inOrderOfWriting sorts files by when they were written.
func inOrderOfWriting(r *repo, names []string) []string {
	r.t.Helper()
	at := map[string]int64{}
	for _, name := range names {
		info, err := os.Stat(r.path(name))
		if err != nil {
			r.t.Fatal(err)
		}
		at[name] = info.ModTime().UnixNano()
	}
	slices.SortFunc(names, func(a, b string) int { return int(at[a] - at[b]) })
	return names
}

func union(a, b []string) []string {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}
