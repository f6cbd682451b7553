package render

import (
	"slices"
	"testing"
)

// TestSettingsOfTests checks that the settings files of tests are not read.
func TestSettingsOfTests(t *testing.T) {
	t.Parallel()
	f := &facts{r: blobs{
		"docker/docker-compose-test.yml":     "services: {a: {image: \"a:${TEST_IMG}\", environment: {TEST_PASS: x}}}\n",
		"docker/compose.e2e.yml":             "services: {a: {image: \"a:${TEST_IMG}\"}}\n",
		"docker/docker-compose-contest.yaml": "services: {a: {image: \"a:${IMG}\"}}\n",
	}}
	var got []string
	for _, s := range settingsOf(f).all {
		got = append(got, s.Name)
	}
	if !slices.Equal(got, []string{"IMG"}) {
		t.Errorf("%q", got)
	}
}
