package cli_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// shell runs the blocks of a document one after the other in one shell.
type shell struct {
	*testing.T
	program string // the file of causal
	root    string // takes the place of the root directory
	env     []string
	begin   string // commands that the example begins with
}

// calls is the variable that names the directory in which the recorder writes the calls of programs.
const calls = "CAUSAL_TEST_CALLS"

// call is a command line that the shell has met and the test carries out: a server, which would not return, or a program that the
// machine need not have.
type call struct {
	Block     int
	Args, Env []string
	Dir       string
}

// recordCall writes down how this program was called.
func recordCall(dir string) error {
	number, err := strconv.Atoi(os.Getenv("BLOCK"))
	if err != nil {
		return fmt.Errorf("read the number of the block: %w", err)
	}
	c := call{Block: number, Args: os.Args[1:], Env: os.Environ()}
	if c.Dir, err = os.Getwd(); err != nil {
		return err
	}
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	earlier, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d", len(earlier))), data, 0o600)
}

// wrappers are scripts in the place of programs. Most calls go to the program itself.
var wrappers = map[string]string{
	"causal":     `case "$*" in serve*|"mcp --http"*|"demo --serve"*) exec RECORDER causal "$@";; esac; exec PROGRAM "$@"`,
	"go":         `case " $* " in *" -c "*) ;; *" test "*|*" run "*) exec RECORDER go "$@";; *" install "*) INSTALL;; esac; exec GO "$@"`,
	"claude":     `exec RECORDER claude "$@"`,
	"docker":     `exec RECORDER docker "$@"`,
	"systemctl":  `exec RECORDER systemctl "$@"`,
	"journalctl": `exec RECORDER journalctl "$@"`,
	"pip":        `exec RECORDER pip "$@"`,
}

// newShell prepares an empty home, the programs, and the directory that an example begins in.
func newShell(t *testing.T, program, example string) *shell {
	t.Helper()
	temp := t.TempDir()
	s := &shell{T: t, program: program, root: filepath.Join(temp, "root")}
	bin, home, work := filepath.Join(temp, "bin"), filepath.Join(temp, "home"), filepath.Join(temp, "work")
	for _, dir := range []string{bin, home, "calls", "tmp", "root/usr/local/bin", "root/etc/systemd/system", "root/var/lib", "root/data"} {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(temp, filepath.FromSlash(dir))
		}
		s.must(os.MkdirAll(dir, 0o700))
	}
	self, err := os.Executable()
	s.must(err)
	recorder := filepath.Join(temp, "recorder")
	s.must(os.Symlink(self, recorder))
	goes, err := exec.LookPath("go")
	s.must(err)
	install := "exec " + goes + ` "$@"`
	if !strings.Contains(os.Getenv("GOFLAGS"), "-trimpath") { // a clone shares no compiled packages with these tests, which have the same files
		install = "exec " + goes + " -C " + top() + ` "$@"`
	}
	for name, script := range wrappers {
		text := "#!/bin/sh\n" + strings.NewReplacer("RECORDER", recorder, "PROGRAM", program, "INSTALL", install, "GO", goes).Replace(script) + "\n"
		s.must(os.WriteFile(filepath.Join(bin, name), []byte(text), 0o700))
	}
	remote := ownRepo()
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "GIT_") && !strings.HasSuffix(name, "_DATE") || strings.HasPrefix(name, "GO") {
			s.env = append(s.env, v)
		}
	}
	switch example {
	case "", "shop":
		copyOf(t, shopRepo(), work)
	case "documented":
		copyOf(t, documentedShopRepo(), work)
	case "clone":
		s.git(temp, "clone", "--quiet", remote, work)
	case sources:
		work = top()
	case "empty":
		s.must(os.Mkdir(work, 0o755))
	case "first steps":
		s.must(os.Mkdir(work, 0o755))
		s.begin = firstSteps(t)
	default:
		t.Fatalf("there is no example %q: it is shop, documented, clone, empty or first steps", example)
	}
	s.env = append(s.env, "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "HOME="+home, "TMPDIR="+filepath.Join(temp, "tmp"), calls+"="+filepath.Join(temp, "calls"),
		"PROGRAM="+program,
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url."+filepath.Dir(remote)+"/.insteadOf", "GIT_CONFIG_VALUE_0=https://github.com/causaldocs/", "WORK="+work)
	return s
}

// sources is the example of blocks that are only looked up in this project: nothing runs there.
const sources = "sources"

// firstSteps are the commands of README.md up to its first edit.
func firstSteps(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	for _, b := range blocksOf(t, "README.md") {
		if b.language == "console" && !strings.Contains(out.String(), "EUR") {
			for _, command := range b.commands() {
				if !strings.HasPrefix(command, "causal check") {
					out.WriteString(command + "\n")
				}
			}
		}
	}
	return out.String()
}

// commands returns the commands of a block with output.
func (b block) commands() []string {
	var out []string
	for line := range strings.Lines(b.text) {
		if command, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "$ "); ok {
			out = append(out, command)
		}
	}
	return out
}

func (s *shell) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// git runs git with the settings of the shell.
func (s *shell) git(dir string, args ...string) {
	s.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		s.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// top is the root of this project.
func top() string {
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		panic(err)
	}
	return dir
}

// ownRepo makes a repository of the files of this one, without its generated pages, for those who clone it.
var ownRepo = sync.OnceValue(func() string {
	r := &repo{t: broken{}, dir: filepath.Join(templates, "remote", "causal")}
	must(r, os.MkdirAll(r.dir, 0o755))
	r.git("init", "--quiet", "--bare", "--initial-branch=main", "--template=", ".")
	r.git("--work-tree="+top(), "-C", top(), "--git-dir="+r.dir, "add", "--all", ".", ":!.causal", ":!docs/causal")
	r.git("update-ref", "HEAD", r.git("commit-tree", "-m", "All files", r.git("write-tree")))
	return r.dir
})

// system are the directories of the machine that documents name.
var system = regexp.MustCompile(`(^|[\s"'=>])/(usr/local|etc|var/lib)/`)

// mapped puts the shell's own root in the place of the machine's.
func (s *shell) mapped(text string) string {
	return system.ReplaceAllString(text, "${1}"+s.root+"/$2/")
}

// script returns the shell script of a block: its commands between two lines with a record separator.
func (s *shell) script(n int, b block) string {
	var out strings.Builder
	fmt.Fprintf(&out, "BLOCK=%d; export BLOCK; code=0\n", n)
	if setup := b.marks["setup"]; setup != "" {
		fmt.Fprintf(&out, "set -e\n{ %s\n} >/dev/null\nset +e\n", setup)
	}
	const head = "$(git rev-parse --quiet --verify HEAD 2>/dev/null)"
	out.WriteString("printf '\\036%s\\n' \"" + head + "\"\n")
	if !strings.HasPrefix(b.text, "$ ") {
		fmt.Fprintf(&out, "set -e\n%sset +e\n", s.mapped(b.text))
	} else {
		for _, command := range b.commands() {
			fmt.Fprintf(&out, "printf '$ %%s\\n' '%s'\n%s\nc=$?; [ $c -le $code ] || code=$c\n", strings.ReplaceAll(command, "'", `'\''`), s.mapped(command))
		}
	}
	out.WriteString("printf '\\036%d\\n%s\\n%s\\n' $code \"$PWD\" \"" + head + "\"\n")
	return out.String()
}

// run runs blocks and the recorded calls, compares the output with the quoted output, and checks the commits.
func (s *shell) run(blocks []block) {
	s.Helper()
	script := "cd \"$WORK\"\n{ true\n" + s.begin + "} >/dev/null\n"
	for n, b := range blocks {
		script += s.script(n, b)
	}
	cmd := exec.CommandContext(s.Context(), "sh", "-c", script)
	cmd.Env, cmd.Stdin, cmd.Dir = s.env, strings.NewReader("y\n"), s.root
	data, err := cmd.CombinedOutput()
	parts := strings.Split(string(data), "\036")
	answers := map[int]string{}
	if err == nil {
		for _, c := range s.calls() {
			answers[c.Block] += s.carryOut(c)
		}
	}
	var shows, got strings.Builder
	for n, b := range blocks {
		if len(parts) <= 2*n+2 {
			s.Fatalf("%s: a command failed: %v\n%s", b, err, parts[len(parts)-1])
		}
		before, output, _ := strings.Cut(parts[2*n+1], "\n")
		end := strings.SplitN(parts[2*n+2], "\n", 4) // exit code, directory, commit
		if want := cmp.Or(b.marks["exit"], "0"); end[0] != want {
			s.Errorf("%s: the exit code is %s, want %s:\n%s", b, end[0], want, output)
		}
		if strings.HasPrefix(b.text, "$ ") {
			shows.WriteString(b.text)
			got.WriteString(output + answers[n])
			if !quoted(shows.String()).MatchString(named(got.String())) {
				s.Fatalf("%s: printed is\n%s\nthe document shows\n%s", b, output+answers[n], b.text)
			}
		}
		if end[2] != before && strings.Contains(b.text, "commit") {
			s.checkCommit(b, end[1], end[2])
		}
	}
}

// checkCommit runs causal check on a commit of a block in a fresh clone.
func (s *shell) checkCommit(b block, dir, commit string) {
	s.Helper()
	clone := filepath.Join(s.TempDir(), "clone")
	s.git(dir, "clone", "--quiet", "--no-checkout", dir, clone)
	s.git(clone, "checkout", "--quiet", "--detach", commit)
	if _, err := os.Stat(filepath.Join(clone, ".causal")); err != nil {
		return
	}
	cmd := exec.Command(s.program, "check")
	cmd.Dir, cmd.Env = clone, s.env
	if out, err := cmd.CombinedOutput(); err != nil {
		s.Errorf("%s: causal check in a fresh clone of its commit: %v\n%s", b, err, out)
	}
}

// calls reads the recorded calls.
func (s *shell) calls() []call {
	s.Helper()
	var out []call
	files, err := filepath.Glob(filepath.Join(filepath.Dir(s.root), "calls", "*"))
	s.must(err)
	for _, name := range files {
		var c call
		data, err := os.ReadFile(name)
		s.must(err)
		s.must(json.Unmarshal(data, &c))
		out = append(out, c)
	}
	return out
}

// differing are the values that differ between two runs: ids of events, commits, frames and findings, dates, digests, versions, tokens and ports.
var differing = []struct {
	name    string
	pattern *regexp.Regexp
}{
	{"DATE", regexp.MustCompile(`\b\d{4}-\d\d-\d\d\b`)},
	{"DIGEST", regexp.MustCompile(`[\w-]{8}…`)},
	{"ID", regexp.MustCompile(`\b(?:[0-9a-f]{10,64}|f-[\w-]{16})`)},
	{"TOKEN", regexp.MustCompile(`\b[A-Z2-7]{26}\b`)},
	{"PORT", regexp.MustCompile(`127\.0\.0\.1:\d+`)},
	{"VERSION", regexp.MustCompile(`\b(?:docs|go)/\d+\b`)},
}

// named replaces values that differ between two runs by numbers, in the order of their first use.
func named(text string) string {
	for _, d := range differing {
		names := map[string]string{}
		text = d.pattern.ReplaceAllStringFunc(text, func(found string) string {
			if names[found] == "" {
				names[found] = fmt.Sprintf("%s%d", d.name, len(names)+1)
			}
			return names[found]
		})
	}
	return text
}

// quoted compiles quoted output to a pattern. A line with an ellipsis matches any lines.
func quoted(text string) *regexp.Regexp {
	lines := regexp.QuoteMeta(named(text))
	return regexp.MustCompile(`\A` + regexp.MustCompile(`(?m)^(?:…|\\\.\\\.\\\.)\n`).ReplaceAllLiteralString(lines, `(?:.*\n)*`) + `\z`)
}
