package githubsim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// bare is a bare git repository on disk.
type bare struct {
	ctx   context.Context
	dir   string
	known *answers
}

// answers are what git said of objects by their ids alone, which it will always say. They spare processes.
type answers struct {
	mu sync.Mutex
	of map[string]string
}

// mostAnswers bounds answers: those of a long run are forgotten all at once.
const mostAnswers = 2000

func (a *answers) get(question string) (string, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	answer, ok := a.of[question]
	return answer, ok
}

func (a *answers) put(question, answer string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.of == nil || len(a.of) >= mostAnswers {
		a.of = map[string]string{}
	}
	a.of[question] = answer
}

// zero is the object id that stands for none.
const zero = "0000000000000000000000000000000000000000"

// emptyTree is the tree without files.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// environment is the user's own less what would make git's answers depend on their configuration.
func environment(more ...string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	env = append(env, "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_TERMINAL_PROMPT=0")
	return append(env, more...)
}

// run runs git in the repository and returns what it prints.
func (b bare) run(stdin string, args ...string) (string, error) { return b.with(nil, stdin, args...) }

// ask is run for a question about some objects. Where all are named by full ids, git is asked once.
func (b bare) ask(objects []string, args ...string) (string, error) {
	if slices.ContainsFunc(objects, func(id string) bool { return !isID(id) }) {
		return b.run("", args...)
	}
	question := strings.Join(args, "\x00")
	if answer, ok := b.known.get(question); ok {
		return answer, nil
	}
	answer, err := b.run("", args...)
	if err == nil {
		b.known.put(question, answer)
	}
	return answer, err
}

// isID reports whether a name is the full id of an object.
func isID(name string) bool {
	return len(name) == len(zero) && strings.Trim(name, "0123456789abcdef") == ""
}

// with runs git with more in its environment.
func (b bare) with(env []string, stdin string, args ...string) (string, error) {
	return git(b.ctx, environment(append(env, "GIT_DIR="+b.dir)...), stdin, args...)
}

func git(ctx context.Context, env []string, stdin string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...) //nolint:gosec // what comes from clients stands behind --end-of-options or is checked
	cmd.Env = env
	cmd.Stdin = strings.NewReader(stdin)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(said.String()))
	}
	return out.String(), nil
}

// settings let a client ask for what GitHub's own servers give.
var settings = [][2]string{
	{"uploadpack.allowFilter", "true"}, {"uploadpack.allowAnySHA1InWant", "true"}, {"http.receivepack", "true"},
	{"gc.auto", "0"}, {"receive.autogc", "false"}, {"core.logAllRefUpdates", "false"}, {"transfer.hideRefs", "refs/simulator"},
}

// guard is the hook that refuses pushes to protected branches in GitHub's words.
const guard = `#!/bin/sh
if grep -qxF "$1" "$GIT_DIR/protected" 2>/dev/null; then
	echo "error: GH006: Protected branch update failed for $1." >&2
	echo "error: Changes must be made through a pull request." >&2
	exit 1
fi
`

// configure makes a bare repository serve as GitHub's do.
func (b bare) configure() error {
	config, err := os.OpenFile(filepath.Join(b.dir, "config"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	for _, setting := range settings {
		section, key, _ := strings.Cut(setting[0], ".")
		_, failed := fmt.Fprintf(config, "[%s]\n\t%s = %s\n", section, key, setting[1])
		err = errors.Join(err, failed)
	}
	if err := errors.Join(err, config.Close()); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(b.dir, "hooks"), 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.dir, "hooks", "update"), []byte(guard), 0o755)
}

// refs lists branches and tags. Where each has a file of its own, no process is needed to read them.
func (b bare) refs() (map[string]string, error) {
	if _, err := os.Lstat(filepath.Join(b.dir, "packed-refs")); errors.Is(err, fs.ErrNotExist) {
		return b.refFiles()
	}
	out, err := b.run("", "for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/tags")
	if err != nil {
		return nil, err
	}
	refs := map[string]string{}
	for line := range strings.Lines(out) {
		id, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		refs[name] = id
	}
	return refs, nil
}

func (b bare) refFiles() (map[string]string, error) {
	refs := map[string]string{}
	for _, top := range []string{"refs/heads", "refs/tags"} {
		err := fs.WalkDir(os.DirFS(b.dir), top, func(name string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) { // a branch that has just gone, or none of a kind
				return nil
			}
			if err != nil || d.IsDir() || strings.HasSuffix(name, ".lock") {
				return err
			}
			if id := b.ref(name); id != "" {
				refs[name] = id
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return refs, nil
}

// resolve finds the object of a kind that a name stands for; none is no error.
func (b bare) resolve(name, kind string) string {
	if id := b.branch(name); id != "" && kind == "commit" {
		return id
	}
	out, err := b.ask([]string{name}, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{"+kind+"}")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(out)
}

// branch is the commit of a branch that has a file of its own, which spares a process; empty for any other name.
func (b bare) branch(name string) string {
	if !strings.HasPrefix(name, "refs/heads/") || !filepath.IsLocal(name) {
		return ""
	}
	return b.ref(name)
}

// ref is what the file of a reference names; empty where it has none.
func (b bare) ref(name string) string {
	content, err := os.ReadFile(filepath.Join(b.dir, filepath.FromSlash(name)))
	if id := strings.TrimSpace(string(content)); err == nil && len(id) == len(zero) {
		return id
	}
	return ""
}

// move makes a reference point elsewhere; zero as the new one deletes it.
func (b bare) move(ref, to string) error {
	if to == zero {
		_, err := b.run("", "update-ref", "-d", ref)
		return err
	}
	_, err := b.run("", "update-ref", ref, to)
	return err
}

// ancestor reports whether a commit is one of another's history.
func (b bare) ancestor(old, young string) bool {
	_, err := b.ask([]string{old, young}, "merge-base", "--is-ancestor", old, young)
	return err == nil
}

// mergeBase is the commit that two histories share; empty when they share none.
func (b bare) mergeBase(one, other string) string {
	out, err := b.ask([]string{one, other}, "merge-base", one, other)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(out)
}

// commit is what git says about one.
type commit struct {
	id, tree          string
	parents           []string
	author, committer signature
	message           string
	files             []change // relative to the first parent, where asked for
}

type signature struct {
	Name  string    `json:"name"`
	Email string    `json:"email"`
	Date  time.Time `json:"date"`
}

func (s signature) String() string {
	return fmt.Sprintf("%s <%s> %d +0000", s.Name, s.Email, s.Date.Unix())
}

// layout of a commit in git log: fields end with NUL, and so does the record, which begins with a mark of its own.
const layout = "--format=%x01%H%x00%T%x00%P%x00%an%x00%ae%x00%at%x00%cn%x00%ce%x00%ct%x00%B%x00"

// history lists commits as git log does.
func (b bare) history(args ...string) ([]commit, error) {
	out, err := b.run("", append([]string{"log", layout}, args...)...)
	if err != nil {
		return nil, err
	}
	return parseHistory(out)
}

func parseHistory(out string) ([]commit, error) {
	var commits []commit
	for _, record := range strings.Split(out, "\x01")[1:] {
		f := strings.Split(record, "\x00")
		if len(f) < 11 {
			return nil, errors.New("git log: a commit with too few fields")
		}
		commits = append(commits, commit{
			id: f[0], tree: f[1], parents: strings.Fields(f[2]), author: signed(f[3:6]), committer: signed(f[6:9]),
			message: strings.TrimSuffix(f[9], "\n"),
		})
	}
	return commits, nil
}

func signed(fields []string) signature {
	seconds, _ := strconv.ParseInt(fields[2], 10, 64) // git prints a number
	return signature{Name: fields[0], Email: fields[1], Date: time.Unix(seconds, 0).UTC()}
}

// commit reads one.
func (b bare) commit(id string) (commit, error) {
	out, err := b.ask([]string{id}, "log", layout, "-1", "--end-of-options", id)
	if err != nil {
		return commit{}, err
	}
	commits, err := parseHistory(out)
	if err != nil {
		return commit{}, err
	}
	return commits[0], nil
}

// entry is one of a tree.
type entry struct {
	mode, kind, id, path string
	size                 int64
}

// tree lists the entries of a tree, with those of the trees in it or without.
func (b bare) tree(id string, deep bool) ([]entry, error) {
	args := []string{"ls-tree", "-l", "-z"}
	if deep {
		args = append(args, "-r", "-t")
	}
	out, err := b.ask([]string{id}, append(args, id)...)
	return parseTree(out), err
}

func parseTree(out string) []entry {
	var entries []entry
	for record := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		head, name, found := strings.Cut(record, "\t")
		fields := strings.Fields(head)
		if !found || len(fields) != 4 {
			continue
		}
		size, _ := strconv.ParseInt(fields[3], 10, 64) // trees have none
		entries = append(entries, entry{mode: fields[0], kind: fields[1], id: fields[2], path: name, size: size})
	}
	return entries
}

// at finds what a commit, or a tree, has at a path; false when it has nothing there.
func (b bare) at(id, name string) (entry, bool) {
	if name == "" {
		id = b.resolve(id, "tree")
		return entry{kind: "tree", id: id}, id != ""
	}
	out, err := b.ask([]string{id}, "ls-tree", "-l", "-z", id, "--", name)
	if err != nil {
		return entry{}, false
	}
	entries := parseTree(out)
	if len(entries) != 1 || entries[0].path != name {
		return entry{}, false
	}
	return entries[0], true
}

// blob reads the content of a file.
func (b bare) blob(id string) (string, error) { return b.ask([]string{id}, "cat-file", "blob", id) }
