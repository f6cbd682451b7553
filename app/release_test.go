package app_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"
)

// release is what .goreleaser.yml says.
type release struct {
	Version int
	Name    string `yaml:"project_name"`
	Builds  []struct {
		Env, Goos, Goarch, Flags []string
		ModTimestamp             string `yaml:"mod_timestamp"`
	}
	Archives []struct {
		NameTemplate    string `yaml:"name_template"`
		Formats         []string
		FormatOverrides []struct {
			Goos    string
			Formats []string
		} `yaml:"format_overrides"`
		Files []struct{ Src string }
	}
	Checksum struct {
		NameTemplate string `yaml:"name_template"`
	}
	Sboms []struct {
		Artifacts string
		Documents []string
	}
	Images []struct {
		Platforms, Flags []string
	} `yaml:"dockers_v2"`
}

func TestReleaseIsReproducibleAndForAllSystems(t *testing.T) {
	t.Parallel()
	var r release
	rootYAML(t, ".goreleaser.yml", &r)
	b := r.Builds[0]
	if r.Version != 2 || !slices.Equal(b.Goos, []string{"linux", "darwin", "windows"}) || !slices.Equal(b.Goarch, []string{"amd64", "arm64"}) {
		t.Errorf("version %d builds for %v on %v", r.Version, b.Goos, b.Goarch)
	}
	if !slices.Contains(b.Env, "CGO_ENABLED=0") || !slices.Contains(b.Flags, "-trimpath") || b.ModTimestamp != "{{ .CommitTimestamp }}" {
		t.Errorf("builds are not the same each time: %+v", b)
	}
	if len(r.Sboms) == 0 || r.Sboms[0].Artifacts != "archive" {
		t.Errorf("lists of contents: %+v", r.Sboms)
	}
	var files []string
	for _, f := range r.Archives[0].Files {
		rootFile(t, f.Src)
		files = append(files, f.Src)
	}
	if !slices.Contains(files, "LICENSE") || !slices.Contains(files, "README.md") {
		t.Errorf("archives have %v", files)
	}
	// The released programs replace the build stage, and are at the paths of that stage.
	if image := stages(t); !slices.Contains(r.Images[0].Flags, "--build-context="+image[0].name+"=.") ||
		!slices.Contains(image[2].all("COPY"), "--from="+image[0].name+" /$TARGETPLATFORM/"+r.Name+" /usr/bin/"+r.Name) {
		t.Errorf("the image would not have the programs of the release: %v", r.Images[0].Flags)
	}
}

// TestActionDownloadsWhatIsReleased: the names of archives are agreed upon by nothing else.
func TestActionDownloadsWhatIsReleased(t *testing.T) {
	t.Parallel()
	var r release
	rootYAML(t, ".goreleaser.yml", &r)
	action := rootFile(t, "action.yml")
	wanted := regexp.MustCompile(`archive="(.*)"`).FindStringSubmatch(action)
	systems := regexp.MustCompile(`os=(\w+) form=([\w.]+)`).FindAllStringSubmatch(action, -1)
	if wanted == nil || len(systems) != len(r.Builds[0].Goos) || !strings.Contains(action, " "+r.Checksum.NameTemplate) {
		t.Fatalf("action.yml downloads %v for %v, or no %s", wanted, systems, r.Checksum.NameTemplate)
	}
	a := r.Archives[0]
	name := template.Must(template.New("").Parse(a.NameTemplate))
	for _, system := range systems {
		if !slices.Contains(r.Builds[0].Goos, system[1]) {
			t.Errorf("action.yml downloads for %s, which nothing is built for", system[1])
		}
		format := a.Formats[0]
		if a.FormatOverrides[0].Goos == system[1] {
			format = a.FormatOverrides[0].Formats[0]
		}
		var made strings.Builder
		if err := name.Execute(&made, map[string]string{"ProjectName": r.Name, "Version": "1.2.3", "Os": system[1], "Arch": "arm64"}); err != nil {
			t.Fatal(err)
		}
		want := strings.NewReplacer("${CAUSAL_VERSION#v}", "1.2.3", "${os}", system[1], "${arch}", "arm64", "${form}", system[2]).Replace(wanted[1])
		if got := made.String() + "." + format; got != want {
			t.Errorf("released is %s, downloaded is %s", got, want)
		}
	}
}

func TestReleaseWorkflowMayDoLittle(t *testing.T) {
	t.Parallel()
	var w struct {
		On          struct{ Push struct{ Tags []string } }
		Permissions map[string]string
		Jobs        map[string]struct{ Permissions map[string]string }
	}
	rootYAML(t, ".github/workflows/release.yml", &w)
	if !slices.Equal(w.On.Push.Tags, []string{"v*"}) || len(w.Permissions) != 1 || w.Permissions["contents"] != "read" {
		t.Errorf("runs on %v with %v", w.On.Push.Tags, w.Permissions)
	}
	want := map[string]string{"contents": "write", "packages": "write", "id-token": "write", "attestations": "write"}
	if got := w.Jobs["release"].Permissions; len(w.Jobs) != 1 || !maps.Equal(got, want) {
		t.Errorf("the job may do %v", got)
	}
}

// TestWorkflowsRunWhatWasLookedAt: a tag of an action can be moved to other code, a commit cannot.
func TestWorkflowsRunWhatWasLookedAt(t *testing.T) {
	t.Parallel()
	uses, pinnedUse := regexp.MustCompile(`(?m)uses: (.*)$`), regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	versions := map[string]string{}
	for _, name := range []string{"ci", "docs", "release"} {
		for _, m := range uses.FindAllStringSubmatch(rootFile(t, ".github/workflows/"+name+".yml"), -1) {
			if m[1] == "./" {
				continue
			}
			action, version, _ := strings.Cut(m[1], "@")
			if !pinnedUse.MatchString(m[1]) {
				t.Errorf("%s.yml: %s is not pinned to a commit", name, m[1])
			}
			if other, ok := versions[action]; ok && other != version {
				t.Errorf("%s.yml: %s is used as %s and as %s", name, action, version, other)
			}
			versions[action] = version
		}
	}
	if len(versions) < 5 {
		t.Errorf("only %v are used", versions)
	}
}

// TestWhatIsReleasedIsSigned checks the signatures of the checksums, which cover all archives, and of the image.
func TestWhatIsReleasedIsSigned(t *testing.T) {
	t.Parallel()
	var r struct {
		Signs       []struct{ Cmd, Artifacts, Signature string }
		DockerSigns []struct{ Cmd, Artifacts string } `yaml:"docker_signs"`
	}
	rootYAML(t, ".goreleaser.yml", &r)
	if len(r.Signs) != 1 || r.Signs[0].Artifacts != "checksum" || len(r.DockerSigns) != 1 || r.DockerSigns[0].Cmd != "cosign" {
		t.Errorf("signed is %+v", r)
	}
	bundle := strings.Replace(r.Signs[0].Signature, "${artifact}", "checksums.txt", 1)
	if docs := rootFile(t, "docs/self-hosting.md"); !strings.Contains(docs, "--bundle "+bundle+" ") {
		t.Errorf("docs/self-hosting.md does not verify %s", bundle)
	}
}

// TestSnapshotIsWhatIsReleased: the archives of .ci/snapshot have the names and the files of the release.
func TestSnapshotIsWhatIsReleased(t *testing.T) {
	t.Parallel()
	var r release
	rootYAML(t, ".goreleaser.yml", &r)
	pack := rootFile(t, ".ci/pack.py")
	var beside []string
	for _, f := range r.Archives[0].Files {
		beside = append(beside, `"`+f.Src+`"`)
	}
	document := strings.TrimPrefix(r.Sboms[0].Documents[0], "{{ .ArtifactName }}")
	for _, want := range []string{"BESIDE = (" + strings.Join(beside, ", ") + ")", `f"causal_{version[1:]}_{platform.replace('/', '_')}.{form}"`, `name + "` + document + `"`, `"` + r.Checksum.NameTemplate + `"`} {
		if !strings.Contains(pack, want) {
			t.Errorf(".ci/pack.py lacks %s", want)
		}
	}
	for _, want := range append([]string{"CGO_ENABLED=0"}, r.Builds[0].Flags...) {
		if !strings.Contains(rootFile(t, ".ci/snapshot"), want) {
			t.Errorf(".ci/snapshot lacks %s", want)
		}
	}
}
