package render

import (
	"fmt"
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

// TestShownConfiguration: of the documents with configurations, the one with most keys of the program counts.
func TestShownConfiguration(t *testing.T) {
	t.Parallel()
	block := func(prefix string) string {
		text := "```toml\n"
		for i := range 12 {
			text += fmt.Sprintf("# What it does.\n%s%d = 1\n", prefix, i)
		}
		return text + "k0 = 1\nk1 = 1\nk2 = 1\n```\n"
	}
	f := &facts{r: blobs{"docs/themes.md": block("t"), "docs/config.md": block("k")}}
	names := map[string]bool{"k0": true, "k1": true, "k2": true, "k3": true}
	if got := shownIn(f, []string{"docs/themes.md", "docs/config.md"}, names); got != "docs/config.md" {
		t.Errorf("got %q", got)
	}
}
