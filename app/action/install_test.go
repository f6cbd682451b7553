package action_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// tools is a directory with a few programs, for a PATH that has no others.
func tools(t *testing.T, scripts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"bash", "sh", "mktemp", "awk", "curl", "tar", "gzip", "sha256sum", "git", "mkdir", "cat", "chmod", "find", "cksum", "sort", "tr"} {
		for _, from := range filepath.SplitList(os.Getenv("PATH")) {
			if info, err := os.Stat(filepath.Join(from, name)); err == nil && info.Mode()&0o111 != 0 {
				if err := os.Symlink(filepath.Join(from, name), filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
				break
			}
		}
	}
	for name, text := range scripts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// installed is a program that prints its arguments.
const installed = "#!/bin/sh\necho called with \"$@\"\n"

// TestInstall checks that a release is verified before it runs, and that a build uses the action's own source. The first case builds
// causal; the others use a fake program.
func TestInstall(t *testing.T) {
	t.Parallel()
	h := documented(t)
	const archive = "causal_1.2.3_linux_amd64.tar.gz"
	build := "#!/bin/sh\n[ \"$PWD:$CGO_ENABLED:$GOWORK:$1\" = \"$GITHUB_ACTION_PATH:0:off:build\" ] || exit 9\nwhile [ \"$1\" != -o ]; do shift; done\n" +
		"printf '%s' '" + installed + "' > \"$2\"\nchmod +x \"$2\"\n"
	for name, c := range map[string]struct {
		version  string
		env      map[string]string
		replaced map[string]string
		code     int
		says     string
		cached   string
	}{
		"a release":                {"v1.2.3", map[string]string{"CAUSAL_TEST_BINARY": causal(t)}, nil, 0, "all 2 modules are fresh", ""},
		"without Go":               {"v1.2.3", map[string]string{"PATH": tools(t, nil)}, nil, 0, "called with action", ""},
		"another file":             {"v1.2.3", nil, map[string]string{archive: "something else"}, 1, "its checksum differs", ""},
		"not listed":               {"v1.2.3", nil, map[string]string{"checksums.txt": "abc  causal_1.2.3_linux_amd64.tar.gz.sbom\n"}, 1, "does not list " + archive, ""},
		"no such release":          {"v9.9.9", nil, nil, 1, "cannot download ", ""},
		"another system":           {"v1.2.3", map[string]string{"RUNNER_OS": "Plan9"}, nil, 1, "no release for the system Plan9", ""},
		"another architecture":     {"v1.2.3", map[string]string{"RUNNER_ARCH": "ARM"}, nil, 1, "no release for the architecture ARM", ""},
		"in the cache":             {"", map[string]string{"PATH": tools(t, nil)}, nil, 0, "called with action", installed},
		"built":                    {"", map[string]string{"PATH": tools(t, map[string]string{"go": build})}, nil, 0, "called with action", ""},
		"a build that fails":       {"", map[string]string{"PATH": tools(t, map[string]string{"go": "#!/bin/sh\nexit 1\n"})}, nil, 1, "cannot be built from", ""},
		"neither release nor Go":   {"", map[string]string{"PATH": tools(t, nil)}, nil, 1, "there is no Go here: give version", ""},
		"a version with a command": {"v1.2.3; true", nil, nil, 1, "version has to be a release", ""},
		"a version that is a dash": {"-1.2.3", nil, nil, 1, "version has to be a release", ""},
		"a version of many":        {"latest", nil, nil, 1, "version has to be a release", ""},
		"a version that is a path": {"v1.2.3/../../x", nil, nil, 1, "version has to be a release", ""},
	} {
		t.Run(name, func(t *testing.T) {
			j := onMain("check")
			j.scripts = true
			j.cached = c.cached
			j.inputs["version"], j.env = c.version, map[string]string{"CAUSAL_RELEASES": releases(t, c.replaced)}
			maps.Copy(j.env, c.env)
			d := h.run(j)
			if d.code != c.code || !strings.Contains(d.log, c.says) {
				t.Errorf("it ended with %d, want %d and %q:\n%s", d.code, c.code, c.says, d.log)
			}
			if c.code != 0 && !strings.Contains(d.log, "::error title=causal::") {
				t.Errorf("the run does not show why:\n%s", d.log)
			}
		})
	}
}

// TestMetadata holds action.yml to the rules of GitHub, and to what keeps inputs from changing its scripts.
func TestMetadata(t *testing.T) {
	t.Parallel()
	m := readMetadata(t)
	if m.Name == "" || m.Description == "" || m.Runs.Using != "composite" || len(m.Runs.Steps) < 2 {
		t.Fatalf("action.yml has %+v", m)
	}
	known := []string{"github.token"}
	for name, input := range m.Inputs {
		known = append(known, "inputs."+name)
		if input.Description == "" {
			t.Errorf("the input %s is not described", name)
		}
	}
	used := map[string]bool{}
	var ids []string
	for _, s := range m.Runs.Steps {
		if s.ID == "" || (s.Uses == "") == (s.Run == "") || (s.Run == "") != (s.Shell == "") || slices.Contains(ids, s.ID) {
			t.Errorf("a step of a composite action has an id, and either a command and its shell or an action: %+v", s)
		}
		if strings.Contains(s.Run, "${{") {
			t.Errorf("step %s puts an expression into the text of its script", s.ID)
		}
		for _, value := range slices.Concat(slices.Collect(maps.Values(s.Env)), slices.Collect(maps.Values(s.With))) {
			for _, found := range expression.FindAllStringSubmatch(value, -1) {
				used[found[1]] = true
				from := strings.Split(found[1], ".")
				if !slices.Contains(known, found[1]) && (from[0] != "steps" || !slices.Contains(ids, from[1])) {
					t.Errorf("step %s uses %s, which is not there", s.ID, found[1])
				}
			}
		}
		ids = append(ids, s.ID)
	}
	for _, name := range known {
		if !used[name] {
			t.Errorf("no step uses %s", name)
		}
	}
	for name, output := range m.Outputs {
		if output.Description == "" || output.Value != "${{ steps.run.outputs."+name+" }}" {
			t.Errorf("the output %s is %+v", name, output)
		}
	}
}

// TestReleasesHaveTheNamesThatAreDownloaded: .goreleaser.yml makes what action.yml asks for.
func TestReleasesHaveTheNamesThatAreDownloaded(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../.goreleaser.yml")
	if err != nil {
		t.Fatal(err)
	}
	var made struct {
		Project  string `yaml:"project_name"`
		Archives []struct {
			Name      string `yaml:"name_template"`
			Formats   []string
			Wrapped   any `yaml:"wrap_in_directory"`
			Overrides []struct {
				OS      string `yaml:"goos"`
				Formats []string
			} `yaml:"format_overrides"`
		}
		Checksum struct {
			Name      string `yaml:"name_template"`
			Algorithm string
		}
	}
	if err := yaml.Unmarshal(data, &made); err != nil {
		t.Fatal(err)
	}
	if len(made.Archives) != 1 || made.Project != "causal" || made.Checksum.Name != "checksums.txt" || made.Checksum.Algorithm != "" {
		t.Fatalf(".goreleaser.yml says %+v", made)
	}
	a := made.Archives[0]
	if a.Name != "{{ .ProjectName }}_{{ .Version }}_{{ .Os }}_{{ .Arch }}" || a.Wrapped != nil || !slices.Equal(a.Formats, []string{"tar.gz"}) ||
		len(a.Overrides) != 1 || a.Overrides[0].OS != "windows" || !slices.Equal(a.Overrides[0].Formats, []string{"zip"}) {
		t.Errorf("the archives are %+v", a)
	}
}
