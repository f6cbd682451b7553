package action_test

import (
	"fmt"
	"testing"

	"github.com/causaldocs/causal/app/publish/publishtest"
)

// TestPublishing holds the modes that publish to the suite.
func TestPublishing(t *testing.T) {
	t.Parallel()
	for way, mode := range map[publishtest.Way]string{publishtest.CommitOnly: "commit", publishtest.PullRequest: "pr"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			publishtest.Run(t, way, func(t *testing.T) *publishtest.Party {
				h := start(t, publishtest.Shop)
				return &publishtest.Party{Sim: h.sim, Repo: h.repo, Bring: func(between func()) (string, error) {
					j := onMain(mode)
					j.meanwhile = func(string) { between() }
					d := h.run(j)
					if d.code != 0 {
						return "", fmt.Errorf("the job ended with %d:\n%s", d.code, d.log)
					}
					return h.report(d).Conclusion, nil
				}}
			})
		})
	}
}
