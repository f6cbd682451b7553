package render

import (
	"slices"
	"strings"
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

// TestSamplesInDirectories: a configuration in a directory is a sample if the README names it.
func TestSamplesInDirectories(t *testing.T) {
	t.Parallel()
	const sample = "shop:\n  # Where it listens.\n  #port: 80\n  name: x\n"
	f := &facts{r: blobs{
		"README.md":           "Copy [it](https://git.example/shop/blob/main/examples/config.yml), or run tests/config.yml.\n",
		"examples/config.yml": sample, "dist/config.yml": sample, "tests/config.yml": sample, "examples/shop/config.yml": sample,
	}}
	var files settings
	files.sampled(f, nil, nil, map[string]passage{})
	var got []string
	for _, x := range files.all {
		got = append(got, strings.TrimSpace(x.Name+"="+x.Value+" "+x.Help+" "+x.file))
		if x.out != (x.Name == "shop.port") {
			t.Errorf("%s: commented out: %t", x.Name, x.out)
		}
	}
	if want := []string{"shop.port=80 Where it listens. examples/config.yml", "shop.name=x  examples/config.yml"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
