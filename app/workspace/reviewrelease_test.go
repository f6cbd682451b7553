package workspace

import (
	"fmt"
	"testing"
)

func TestVersionLines(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		tags []string
		want string
	}{
		{nil, "[]"},
		{[]string{"v1.2.0", "v1.10.0", "v1.9"}, "[[v1.10.0 v1.9 v1.2.0]]"},
		{[]string{"v2.0.0-rc.1", "v2.0.0-beta2.1", "latest", "v3", "nightly-2024.01"}, "[]"},
		{[]string{"pkg@1.0", "v1.0", "pkg@2.0", "REL_1_2"}, "[[REL_1_2] [pkg@2.0 pkg@1.0] [v1.0]]"},
		{[]string{"v99999999999999999999.1"}, "[]"},
	} {
		if got := fmt.Sprint(versionLines(test.tags)); got != test.want {
			t.Errorf("%v: %s, want %s", test.tags, got, test.want)
		}
	}
}
