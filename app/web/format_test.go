package web

import (
	"testing"
	"time"

	"github.com/causaldocs/causal/webhooks/queue"
)

func TestFormats(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ got, want string }{
		{ago(noon, noon), "just now"},
		{ago(noon, noon.Add(-9*time.Second)), "just now"},
		{ago(noon, noon.Add(-119*time.Second)), "119 s ago"},
		{ago(noon, noon.Add(-2*time.Minute)), "2 min ago"},
		{ago(noon, noon.Add(-119*time.Minute)), "119 min ago"},
		{ago(noon, noon.Add(-47*time.Hour)), "47 h ago"},
		{ago(noon, noon.Add(-48*time.Hour)), "2 days ago"},
		{ago(noon, noon.Add(90*time.Second)), "in 90 s"},
		{took(noon, time.Time{}), ""},
		{took(noon, noon.Add(80*time.Millisecond)), "80 ms"},
		{took(noon, noon.Add(1449*time.Millisecond)), "1.4 s"},
		{took(noon, noon.Add(5*time.Minute)), "5 min"},
		{count(0, "frame"), "0 frames"},
		{count(1, "frame"), "1 frame"},
		{count(999, "frame"), "999 frames"},
		{count(1000, "frame"), "1,000 frames"},
		{count(1234567, "repository"), "1,234,567 repositories"},
		{count(-1000, ""), "-1,000"},
		{short("4c1f0aa91d3f"), "4c1f0aa"},
		{short("4c"), "4c"},
		{why(nil), "not recorded"},
		{why([]queue.Cause{{Event: "push"}}), "push"},
		{why([]queue.Cause{{Event: "push"}, {Event: "sweeper"}, {}}), "push and 2 more"},
		{badge("updated").Tone, "good"},
		{badge("something new").Tone, "quiet"},
		{seen(noon, noon.In(time.FixedZone("", 3600))).Stamp, "2026-02-18 12:00:00 UTC"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
