package sandbox

import (
	"testing"

	"github.com/causaldocs/causal/app/workspace"
)

// BenchmarkRun measures a run in a child, which is the program that people install, against the same run in this process: the
// difference is what isolation costs.
func BenchmarkRun(b *testing.B) {
	r := newRemote(b, shop)
	children := obedient(b)
	b.Run("child", func(b *testing.B) {
		for b.Loop() {
			if _, err := children.Run(b.Context(), r.task, r.mirror); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("here", func(b *testing.B) {
		from := workspace.Mirrored{
			Dir: r.task.Dir, Remote: workspace.Remote{URL: r.task.URL}, Leader: r.mirror, Commit: r.task.Commit, Rules: r.task.Rules, Branch: r.task.Branch,
		}
		for b.Loop() {
			w, err := workspace.Open(b.Context(), from)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := w.Update(b.Context(), workspace.SpecsRun{}); err != nil {
				b.Fatal(err)
			}
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
