package app_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/causaldocs/causal/app/cli"
)

// rootFile reads a file by its path from the root.
func rootFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// rootYAML reads a YAML file by its path from the root.
func rootYAML(t *testing.T, name string, into any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(rootFile(t, name)), into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// help returns the help of a command line, which must be valid.
func help(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	world := cli.IO{Out: &out, Err: &out, Getenv: func(string) string { return "" }, Now: func() time.Time { return time.Time{} }, Dir: t.TempDir()}
	if code := cli.Run(t.Context(), append(slices.Clone(args), "--help"), world); code != cli.ExitClean {
		t.Fatalf("causal %v: exit code %d: %s", args, code, &out)
	}
	if !strings.Contains(out.String(), "causal serve [flags]") {
		t.Fatalf("causal %v is not the server:\n%s", args, &out)
	}
	return out.String()
}

// flagsIn lists the flags that a help text describes, with their defaults.
func flagsIn(help string) map[string]string {
	out := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^ +(?:-\w, )?(--[a-z-]+)(?:.*\(default "(.*)"\)$)?`).FindAllStringSubmatch(help, -1) {
		if m[1] != "--help" {
			out[m[1]] = m[2]
		}
	}
	return out
}

// instruction is one of a Dockerfile, with its lines joined.
type instruction struct{ name, rest string }

// stage is a stage of the Dockerfile.
type stage struct {
	base, name   string
	instructions []instruction
}

func (s stage) all(name string) []string {
	var out []string
	for _, i := range s.instructions {
		if i.name == name {
			out = append(out, i.rest)
		}
	}
	return out
}

func stages(t *testing.T) []stage {
	t.Helper()
	text := regexp.MustCompile(`(?m)^#.*\n`).ReplaceAllString(rootFile(t, "Dockerfile"), "")
	var out []stage
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		name, rest, found := strings.Cut(strings.TrimSpace(line), " ")
		if !found {
			continue
		}
		if name == "FROM" {
			words := slices.DeleteFunc(strings.Fields(rest), func(w string) bool { return strings.HasPrefix(w, "--") })
			s := stage{base: words[0]}
			if len(words) == 3 {
				s.name = words[2]
			}
			out = append(out, s)
			continue
		}
		last := &out[len(out)-1]
		last.instructions = append(last.instructions, instruction{name, strings.Join(strings.Fields(rest), " ")})
	}
	if len(out) != 3 {
		t.Fatalf("the Dockerfile has %d stages", len(out))
	}
	return out
}

// pinned is an image with a tag that means one thing.
var pinned = regexp.MustCompile(`^[a-z0-9./-]+:[0-9a-z][0-9a-z.-]*$`)

func isPinned(image string) bool {
	return image == "scratch" || pinned.MatchString(image) && !strings.HasSuffix(image, ":latest")
}

// words reads the JSON form of CMD and its like.
func words(t *testing.T, text string) []string {
	t.Helper()
	var out []string
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return out
}

func TestImageIsBuiltWithTheToolchainOfTheModule(t *testing.T) {
	t.Parallel()
	all := stages(t)
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(rootFile(t, "go.mod"))[1]
	if !strings.HasPrefix(all[0].base, "golang:"+version+"-") {
		t.Errorf("%s builds a module for Go %s", all[0].base, version)
	}
	build := strings.Join(all[0].all("RUN"), "\n")
	for _, want := range []string{"CGO_ENABLED=0", "-trimpath", "$TARGETOS", "$TARGETARCH"} {
		if !strings.Contains(build, want) {
			t.Errorf("the build lacks %s: %s", want, build)
		}
	}
	for _, s := range all {
		if !isPinned(s.base) {
			t.Errorf("%s is not pinned", s.base)
		}
	}
}

func TestImageIsTheServer(t *testing.T) {
	t.Parallel()
	all := stages(t)
	image := all[len(all)-1]
	for name, want := range map[string]string{"USER": "65532:65532", "VOLUME": "/data", "WORKDIR": "/data"} {
		if got := image.all(name); !slices.Equal(got, []string{want}) {
			t.Errorf("%s is %v", name, got)
		}
	}
	if runs := image.all("RUN"); image.base != "scratch" || len(runs) > 0 {
		t.Errorf("the image is made from %s and by %v: there is no shell in it", image.base, runs)
	}
	program, rest := words(t, image.all("ENTRYPOINT")[0]), words(t, image.all("CMD")[0])
	flags := flagsIn(help(t, append(program[1:], rest...)...))
	if !slices.ContainsFunc(image.all("COPY"), func(c string) bool { return strings.HasSuffix(c, " "+program[0]) }) {
		t.Errorf("%s is not in the image", program[0])
	}
	if port := image.all("EXPOSE")[0]; ":"+port != flags["--listen"] {
		t.Errorf("the port is %s, the server listens on %s", port, flags["--listen"])
	}
	probe := image.all("HEALTHCHECK")[0]
	if !strings.Contains(probe, `"http://`+flags["--admin"]+`/readyz"`) {
		t.Errorf("the probe is %s, the admin port is %s", probe, flags["--admin"])
	}
}

// service is one of compose.yml.
type service struct {
	Image, Build string
	Command      []string
	Environment  map[string]string
	Volumes      []string
	Healthcheck  struct{ Test []string }
	DependsOn    map[string]struct{ Condition string } `yaml:"depends_on"`
	StopGrace    time.Duration                         `yaml:"stop_grace_period"`
}

// serverStops is the shutdown time of the server: 25 s for running jobs, and 5 s to requeue the others.
const serverStops = 30 * time.Second

func TestComposeRunsTheServerWithItsDatabase(t *testing.T) {
	t.Parallel()
	var file struct {
		Services map[string]service
		Volumes  map[string]any
	}
	rootYAML(t, "compose.yml", &file)
	server, database := file.Services["server"], file.Services["database"]
	help(t, server.Command...)
	if server.Build != "." || server.StopGrace <= serverStops || server.DependsOn["database"].Condition != "service_healthy" {
		t.Errorf("the server is %+v", server)
	}
	if !strings.HasPrefix(database.Image, "postgres:16-") || !isPinned(database.Image) || len(database.Healthcheck.Test) == 0 {
		t.Errorf("the database is %+v", database)
	}
	secret := regexp.MustCompile(`TOKEN|PASSWORD|SECRET|KEY`)
	for name, s := range file.Services {
		for key, value := range s.Environment {
			if secret.MatchString(key) && !(strings.HasPrefix(value, "${") && strings.Contains(value, ":?")) {
				t.Errorf("%s: %s is %q: a secret comes from outside, or nothing starts", name, key, value)
			}
			if strings.HasPrefix(key, "CAUSAL_") && !variables(t)[key] {
				t.Errorf("%s: the server does not read %s", name, key)
			}
		}
		for _, v := range s.Volumes {
			volume, _, _ := strings.Cut(v, ":")
			if _, ok := file.Volumes[volume]; !ok {
				t.Errorf("%s: there is no volume %s", name, volume)
			}
		}
	}
	for _, name := range regexp.MustCompile(`(?m)^([A-Z_]+)=`).FindAllStringSubmatch(rootFile(t, "docs/self-hosting.md"), -1) {
		if !strings.Contains(rootFile(t, "compose.yml"), "${"+name[1]+":?") {
			t.Errorf("docs/self-hosting.md sets %s, which compose.yml does not want", name[1])
		}
	}
}

// TestImageWithoutDockerHasTheSameFiles checks that .ci/image writes the files of the Dockerfile, and reads its last stage.
func TestImageWithoutDockerHasTheSameFiles(t *testing.T) {
	t.Parallel()
	files := strings.Join(stages(t)[1].all("RUN"), "\n")
	script := rootFile(t, ".ci/image")
	written := regexp.MustCompile(`echo '([^']*)' >/image([^;\s]+)`).FindAllStringSubmatch(files, -1)
	if len(written) != 3 {
		t.Fatalf("the Dockerfile writes %q", written)
	}
	for _, w := range written {
		if want := "echo '" + w[1] + `' >"$image` + w[2] + `"`; !strings.Contains(script, want) {
			t.Errorf(".ci/image lacks %s", want)
		}
	}
	packages := regexp.MustCompile(`--no-install-recommends ([a-z -]+)`).FindStringSubmatch(files)
	for _, name := range strings.Fields(packages[1]) {
		if !regexp.MustCompile(`apt-get download .*\b` + name + `\b`).MatchString(script) {
			t.Errorf(".ci/image does not download %s", name)
		}
	}
	for _, program := range []string{"/usr/bin/git", "/usr/lib/git-core/git-remote-http", "git-remote-https", "/usr/bin/wget", "/etc/ssl/certs/ca-certificates.crt"} {
		if !strings.Contains(files, program) && !strings.Contains(files, strings.TrimSuffix(program, "/ca-certificates.crt")) || !strings.Contains(script, strings.TrimPrefix(program, "/")) {
			t.Errorf("one of the two images lacks %s", program)
		}
	}
}

// TestServiceRunsTheServer: the unit starts the server with flags that it has, lets it start processes that confine
// themselves, and waits until it has stopped.
func TestServiceRunsTheServer(t *testing.T) {
	t.Parallel()
	unit := map[string][]string{}
	for _, m := range regexp.MustCompile(`(?m)^([A-Z]\w+)=(.*)$`).FindAllStringSubmatch(rootFile(t, "docs/causal.service"), -1) {
		unit[m[1]] = append(unit[m[1]], m[2])
	}
	for name, want := range map[string]string{
		"DynamicUser": "yes", "StateDirectory": "causal", "StateDirectoryMode": "0700", "ProtectSystem": "strict", "NoNewPrivileges": "yes", "KillMode": "mixed",
	} {
		if got := unit[name]; !slices.Equal(got, []string{want}) {
			t.Errorf("%s is %v", name, got)
		}
	}
	command := strings.Fields(strings.NewReplacer("${STATE_DIRECTORY}", "/var/lib/causal", "${CAUSAL_PUBLIC_URL}", "https://causal.example.com").Replace(unit["ExecStart"][0]))
	help(t, command[1:]...)
	if !slices.Contains(unit["SystemCallFilter"], "seccomp") {
		t.Errorf("the server's own processes may not take sockets from themselves: %v", unit["SystemCallFilter"])
	}
	if stop, err := time.ParseDuration(unit["TimeoutStopSec"][0] + "s"); err != nil || stop <= serverStops {
		t.Errorf("it is killed after %v, %v", stop, err)
	}
	for _, name := range []string{"MemoryMax", "TasksMax", "EnvironmentFile", "RestrictAddressFamilies"} {
		if len(unit[name]) != 1 {
			t.Errorf("%s is %v", name, unit[name])
		}
	}
}
