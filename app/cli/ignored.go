package cli

import (
	"context"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/knowledge/store"
)

// ignored finds causal's directories that git ignores, with the rule. Their new files are neither committed nor
// monitored: git does not report changes to them.
func (p *place) ignored(ctx context.Context) []ailment {
	var files []string
	for _, at := range p.probes() {
		files = append(files, at.file)
	}
	rules := p.ignoreRules(ctx, files)
	findings := []ailment{}
	for _, at := range p.probes() {
		if rule := rules[at.file]; rule != "" {
			findings = append(findings, ailment{
				What: "ignored",
				Says: fmt.Sprintf("%s is ignored by git (%s): new files there are not committed, and causal cannot detect changed or deleted files", at.dir, rule),
				Mend: "remove it from the ignore rules" + at.mend,
			})
		}
	}
	return findings
}

type ownDir struct{ dir, file, mend string }

// probes are files in causal's directories, one of each.
func (p *place) probes() []ownDir {
	const name = "module" // stands for any module or session
	return []ownDir{
		{store.Top + "/nodes", p.Layout.Node(name), ""},
		{p.Layout.FramesDir(), p.Layout.Frames(name), ""},
		{p.Layout.Docs, p.Layout.Page(name), ", or set another docs.dir in " + store.Config},
	}
}

// mayBeIgnored reports whether a rule of the repository may match a directory of causal. Unlike ignored, it starts no
// process.
func (p *place) mayBeIgnored() bool {
	files := map[string]bool{filepath.Join(filepath.Dir(p.Repo.CloneDir()), "info", "exclude"): true}
	var elements []string
	for _, at := range p.probes() {
		elements = append(elements, strings.Split(at.file, "/")...)
		for dir := path.Dir(at.file); ; dir = path.Dir(dir) {
			if files[filepath.Join(p.Repo.Root(), filepath.FromSlash(dir), ".gitignore")] = true; dir == "." {
				break
			}
		}
	}
	for file := range files {
		for line := range strings.Lines(string(readSmall(file))) {
			for _, pattern := range strings.Split(strings.TrimSpace(line), "/") {
				matches := func(element string) bool { ok, err := path.Match(pattern, element); return ok || err != nil }
				if pattern != "" && slices.ContainsFunc(elements, matches) {
					return true
				}
			}
		}
	}
	return false
}

// ignoreRules maps ignored files to their rules, as file:line: pattern.
func (p *place) ignoreRules(ctx context.Context, files []string) map[string]string {
	cmd := exec.CommandContext(ctx, "git", "check-ignore", "--no-index", "--verbose", "-z", "--stdin")
	cmd.Dir, cmd.Stdin = p.Repo.Root(), strings.NewReader(strings.Join(files, "\x00")+"\x00")
	out, _ := cmd.Output() // fails also if no file is ignored
	rules := map[string]string{}
	for f := strings.Split(string(out), "\x00"); len(f) > 4; f = f[4:] {
		if source, line, pattern, file := f[0], f[1], f[2], f[3]; !strings.HasPrefix(pattern, "!") {
			rules[file] = source + ":" + line + ": " + pattern
		}
	}
	return rules
}

// warn reports findings that may be intended and do not fail the run.
func (p *place) warn(findings []ailment) {
	for _, f := range findings {
		_, _ = plain.Fprintf(p.world.Err, "causal: %s\n  fix: %s\n", f.Says, f.Mend)
	}
}
