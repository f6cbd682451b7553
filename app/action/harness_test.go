package action_test

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/action"
	"github.com/causaldocs/causal/app/cli"
	"github.com/causaldocs/causal/app/confine"
	"github.com/causaldocs/causal/app/githubsim"
	_ "github.com/causaldocs/causal/app/githubsim/openapi/contract" // every request is held to GitHub's description
)

var update = flag.Bool("update", false, "write the golden files")

// TestMain makes the test binary run as causal when it is called so. The configuration of the user's git does not count, as it
// does not on a runner.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "causal" || confine.IsLauncher() {
		os.Exit(cli.Main())
	}
	for _, program := range []string{"git", "bash", "curl", "tar"} {
		if _, err := exec.LookPath(program); err != nil {
			fmt.Fprintf(os.Stderr, "skipped: these tests run the steps of action.yml, and %s is not installed\n", program)
			return
		}
	}
	for name, value := range map[string]string{
		"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.DevNull,
		"GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "maintenance.auto", "GIT_CONFIG_VALUE_0": "false", "GIT_CONFIG_KEY_1": "core.fsync", "GIT_CONFIG_VALUE_1": "none",
	} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// shop is a small project: two packages of which one uses the other, and a README.
var shop = map[string]string{
	"README.md": "# Shop\n\nSells things.\n",
	"go.mod":    "module example.com/shop\n\ngo 1.24\n",
	"money/money.go": "// Package money holds amounts.\npackage money\n\n// Amount is in cents.\ntype Amount int64\n\n" +
		"// Parse reads an amount.\nfunc Parse(s string) (Amount, error) {\n\treturn Amount(len(s)), nil\n}\n",
	"cart/cart.go": "// Package cart adds up.\npackage cart\n\nimport \"example.com/shop/money\"\n\n" +
		"// Total is what is to be paid.\nfunc Total(n int) money.Amount {\n\treturn money.Amount(n)\n}\n",
}

// widened is money.go with an Amount that its users see otherwise.
var widened = strings.Replace(shop["money/money.go"], "type Amount int64", "type Amount uint64", 1)

// mayRead are the permissions of tokens for forks.
var mayRead = map[string]string{"contents": "read", "pull_requests": "read"}

// hub is a simulated GitHub with one repository.
type hub struct {
	*testing.T
	sim       *githubsim.Server
	repo      *githubsim.Repository
	checkouts map[string]string // directories by checked-out ref
}

func start(t *testing.T, files map[string]string) *hub {
	t.Helper()
	sim, err := githubsim.New(githubsim.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	h := &hub{T: t, sim: sim, checkouts: map[string]string{}}
	t.Cleanup(func() {
		for _, v := range sim.Violations() {
			t.Errorf("outside of GitHub's description: %s", v)
		}
		if err := sim.Close(); err != nil {
			t.Error(err)
		}
	})
	h.repo = must(h, func() (*githubsim.Repository, error) {
		return sim.CreateRepository("octo/shop", githubsim.FromFiles(files))
	})
	return h
}

// documented is a hub whose main has its nodes and pages.
func documented(t *testing.T) *hub {
	t.Helper()
	h := start(t, shop)
	h.push("main", h.once("documented", func() map[string]string { return commitDocs(h) }))
	return h
}

// made holds files that several tests begin with, by name.
var made = struct {
	sync.Mutex
	files map[string]map[string]string
}{files: map[string]map[string]string{}}

// once makes files the first time that a test of the process asks for them.
func (h *hub) once(name string, files func() map[string]string) map[string]string {
	h.Helper()
	made.Lock()
	defer made.Unlock()
	if made.files[name] == nil {
		made.files[name] = files()
	}
	return made.files[name]
}

// causal runs a command of causal in a directory.
func (h *hub) causal(dir string, args ...string) {
	h.Helper()
	var said strings.Builder
	world := cli.IO{Out: &said, Err: &said, Getenv: os.Getenv, Now: time.Now, Dir: dir}
	if code := cli.Run(h.Context(), args, world); code != cli.ExitClean {
		h.Fatalf("causal %v ends with %d:\n%s", args, code, said.String())
	}
}

// commitDocs are the nodes and pages of main.
func commitDocs(h *hub) map[string]string {
	h.Helper()
	dir := filepath.Join(h.TempDir(), "clone")
	h.git(h.TempDir(), "clone", "-q", h.repo.Dir(), dir)
	h.causal(dir, "update")
	out := map[string]string{}
	for _, name := range strings.Fields(h.git(dir, "ls-files", "--others", "--modified", "--exclude-standard")) {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			h.Fatal(err)
		}
		out[name] = string(data)
	}
	return out
}

func must[T any](h *hub, fn func() (T, error)) T {
	h.Helper()
	got, err := fn()
	if err != nil {
		h.Fatal(err)
	}
	return got
}

func (h *hub) push(branch string, files map[string]string) string {
	h.Helper()
	return must(h, func() (string, error) {
		return h.repo.Push(branch, githubsim.Change{Write: files, Message: "Change it"})
	})
}

// proposed opens a pull request that changes what users of money see, and more files.
func (h *hub) proposed(more map[string]string) githubsim.Pull {
	h.Helper()
	files := map[string]string{"money/money.go": widened}
	maps.Copy(files, more)
	h.push("wider", files)
	must(h, func() (int, error) { return h.repo.OpenPull("wider", "main", "Count larger amounts", "octo") })
	return h.repo.Pulls()[len(h.repo.Pulls())-1]
}

// forked is the same from a fork.
func (h *hub) forked(more map[string]string) githubsim.Pull {
	h.Helper()
	fork := must(h, func() (*githubsim.Repository, error) { return h.repo.Fork("guest") })
	files := map[string]string{"money/money.go": widened}
	maps.Copy(files, more)
	must(h, func() (string, error) { return fork.Push("wider", githubsim.Change{Write: files, Message: "Mine"}) })
	must(h, func() (int, error) { return h.repo.OpenPull("guest:wider", "main", "From outside", "guest") })
	return h.repo.Pulls()[len(h.repo.Pulls())-1]
}

// job is one job of a workflow.
type job struct {
	event       string
	ref         string // that is checked out, with nothing but its commit
	pull        *githubsim.Pull
	permissions map[string]string // nil for those in docs/action.md for the mode
	inputs      map[string]string
	actor       string
	fullClone   bool
	env         map[string]string
	meanwhile   func(workspace string) // after the checkout, before the action
	cached      string                 // the program that the cache has; empty where it has none
	scripts     bool                   // the scripts of action.yml run, and the program that they install
}

// done is what became of a job.
type done struct {
	code      int
	log       string
	outputs   map[string]string
	summary   string
	workspace string
}

// run works like a runner: it checks out, and runs the steps of action.yml. Unless the job needs the scripts, nothing is installed, and
// the command of the last step runs in this process.
func (h *hub) run(j job) done {
	h.Helper()
	temp, m := h.TempDir(), readMetadata(h.T)
	d := done{workspace: filepath.Join(temp, "work"), outputs: map[string]string{}}
	if j.permissions == nil {
		j.permissions = documentedPermissions(h.T)[cmp.Or(j.inputs["mode"], "check")]
	}
	token := h.sim.ActionsToken(h.repo, j.permissions)
	h.checkOut(j, d.workspace)
	if j.meanwhile != nil {
		j.meanwhile(d.workspace)
	}
	base := h.environment(j, temp, d.workspace)
	inputs := map[string]string{}
	for name, input := range m.Inputs {
		inputs[name] = input.Default
	}
	inputs["version"] = "v1.2.3"
	maps.Copy(inputs, j.inputs)
	outputs := map[string]map[string]string{}
	for _, s := range m.Runs.Steps {
		env := append(slices.Clone(base), "GITHUB_OUTPUT="+filepath.Join(temp, s.ID+".out"), "GITHUB_STEP_SUMMARY="+filepath.Join(temp, "summary.md"))
		for name, value := range s.Env {
			env = append(env, name+"="+evaluate(h.T, value, inputs, token, outputs))
		}
		switch {
		case s.Uses != "":
			if j.cached != "" {
				writeProgram(h.T, evaluate(h.T, s.With["path"], inputs, token, outputs), j.cached)
			}
		case j.scripts:
			d.code = h.shell(&d, s, temp, env)
		case s.ID == "run":
			d.code = h.command(&d, s, env)
		}
		outputs[s.ID] = readOutputs(h.T, filepath.Join(temp, s.ID+".out"))
		if d.code != 0 {
			break
		}
	}
	d.outputs = readOutputs(h.T, filepath.Join(temp, "run.out"))
	summary, err := os.ReadFile(filepath.Join(temp, "summary.md"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		h.Fatal(err)
	}
	d.summary = string(summary)
	if strings.Contains(d.log, token) {
		h.Errorf("the log has the token:\n%s", d.log)
	}
	return d
}

// writeProgram puts a script into a directory as the program causal.
func writeProgram(t *testing.T, dir, script string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "causal"), []byte(script), 0o755)); err != nil {
		t.Fatal(err)
	}
}

// command runs the step of the program in this process.
func (h *hub) command(d *done, s step, env []string) int {
	h.Helper()
	if strings.TrimSpace(s.Run) != `"$CAUSAL_BIN" action` {
		h.Fatalf("the last step of action.yml runs %q", s.Run)
	}
	getenv := func(name string) string {
		for _, v := range slices.Backward(env) {
			if value, found := strings.CutPrefix(v, name+"="); found {
				return value
			}
		}
		return ""
	}
	var said strings.Builder
	code := cli.Run(h.Context(), []string{"action"}, cli.IO{Out: &said, Err: &said, Getenv: getenv, Now: time.Now, Dir: d.workspace})
	d.log += said.String()
	return code
}

// shell runs a step as a runner does.
func (h *hub) shell(d *done, s step, temp string, env []string) int {
	h.Helper()
	script := filepath.Join(temp, s.ID+".sh")
	if err := os.WriteFile(script, []byte(s.Run), 0o644); err != nil {
		h.Fatal(err)
	}
	command := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", script)
	command.Env, command.Dir = env, d.workspace
	out, err := command.CombinedOutput()
	d.log += string(out)
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		h.Fatal(err)
	}
	return command.ProcessState.ExitCode()
}

// environment returns the variables that the runner sets.
func (h *hub) environment(j job, temp, workspace string) []string {
	h.Helper()
	payload := map[string]any{"repository": map[string]any{"full_name": h.repo.FullName()}}
	if p := j.pull; p != nil {
		from := h.repo.FullName()
		if p.FromFork {
			from = "guest/shop"
		}
		side := func(ref, id, repo string) map[string]any {
			return map[string]any{"ref": ref, "sha": id, "repo": map[string]any{"full_name": repo}}
		}
		payload["pull_request"] = map[string]any{
			"number": p.Number, "base": side(p.Base, p.BaseID, h.repo.FullName()), "head": side(p.Head, p.HeadID, from),
		}
	}
	if j.event == "merge_group" {
		payload["merge_group"] = map[string]any{"head_ref": j.ref, "base_ref": "refs/heads/main", "base_sha": h.repo.Head("main")}
	}
	data, err := json.Marshal(payload)
	if err != nil {
		h.Fatal(err)
	}
	event := filepath.Join(temp, "event.json")
	if err := os.WriteFile(event, data, 0o644); err != nil {
		h.Fatal(err)
	}
	ref := j.ref
	if j.pull != nil {
		ref = fmt.Sprintf("refs/pull/%d/merge", j.pull.Number)
	}
	cache := must(h, os.UserCacheDir) // build cache for all tests
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + temp, "GOCACHE=" + cmp.Or(os.Getenv("GOCACHE"), filepath.Join(cache, "go-build")), "GIT_CONFIG_NOSYSTEM=1", "CI=true", "GITHUB_ACTIONS=true",
		"RUNNER_OS=Linux", "RUNNER_ARCH=X64", "RUNNER_TEMP=" + temp,
		"GITHUB_ACTION_PATH=" + temp, "GITHUB_WORKSPACE=" + workspace, "GITHUB_REPOSITORY=" + h.repo.FullName(), "GITHUB_REF=" + ref,
		"GITHUB_EVENT_NAME=" + j.event, "GITHUB_EVENT_PATH=" + event, "GITHUB_ACTOR=" + j.actor,
		"GITHUB_SERVER_URL=" + h.sim.URL(), "GITHUB_API_URL=" + h.sim.APIURL(), "GITHUB_GRAPHQL_URL=" + h.sim.GraphQLURL(),
	}
	for name, value := range j.env {
		env = append(env, name+"="+value)
	}
	return env
}

// causal is a path at which the test binary runs as causal.
func causal(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "causal")
	if err := os.Symlink(self, name); err != nil {
		t.Fatal(err)
	}
	return name
}

// report is the file that the output report-path names.
func (h *hub) report(d done) action.Result {
	h.Helper()
	data, err := os.ReadFile(d.outputs["report-path"])
	if err != nil {
		h.Fatalf("%v\n%s", err, d.log)
	}
	var r action.Result
	if err := json.Unmarshal(data, &r); err != nil {
		h.Fatal(err)
	}
	return r
}

// ends checks the exit code and the output of a job.
func (h *hub) ends(d done, code int, says ...string) {
	h.Helper()
	if d.code != code {
		h.Errorf("it ended with %d, want %d:\n%s", d.code, code, d.log)
	}
	for _, want := range says {
		if !strings.Contains(d.log+d.summary, want) {
			h.Errorf("%q is neither in the log nor in the summary:\n%s\n---\n%s", want, d.log, d.summary)
		}
	}
}

func (h *hub) outputs(d done, want map[string]string) {
	h.Helper()
	for name, value := range want {
		if d.outputs[name] != value {
			h.Errorf("%s is %q, want %q; log:\n%s", name, d.outputs[name], value, d.log)
		}
	}
}

// releases serves the files of a release, some of them replaced. The program is a script that calls the test binary where the job
// names one.
func releases(t *testing.T, replaced map[string]string) string {
	t.Helper()
	const program = "#!/bin/sh\n[ -z \"$CAUSAL_TEST_BINARY\" ] || exec \"$CAUSAL_TEST_BINARY\" \"$@\"\necho called with \"$@\"\n"
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	w := tar.NewWriter(zipped)
	err := w.WriteHeader(&tar.Header{Name: "causal", Mode: 0o755, Size: int64(len(program))})
	if err == nil {
		_, err = w.Write([]byte(program))
	}
	if err = errors.Join(err, w.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	const name = "causal_1.2.3_linux_amd64.tar.gz"
	files := map[string]string{name: b.String(), "checksums.txt": fmt.Sprintf("%x  other.zip\n%x  %s\n", sha256.Sum256(nil), sha256.Sum256(b.Bytes()), name)}
	maps.Copy(files, replaced)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := files[path.Base(r.URL.Path)]
		if !ok || path.Dir(r.URL.Path) != "/v1.2.3" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(text))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
	}
}
