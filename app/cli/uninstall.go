package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/hooks"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/store"
)

func newUninstall(world IO) *cobra.Command {
	var dryRun, yes bool
	c := &cobra.Command{
		Use:   "uninstall",
		Short: "Remove everything in the repository that causal wrote",
		Long: `Remove the pages, .causal, the generated tests, the workflow and site files of causal init, its lines in .gitattributes and
.gitignore, the hooks for coding agents, and the cache and key of this clone in .git/causal. In a linked work tree, the key
and the shared cache stay. The command lists and keeps pages with text in keep blocks, and a workflow or a command for agents
that was edited.

It commits nothing, so git can restore committed files. Uncommitted files, the cache and the key cannot be restored; the list
marks them.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return inPlace(cmd.Context(), world, ".", func(p *place) error { return p.uninstall(cmd.Context(), dryRun, yes) })
		},
	}
	c.Flags().BoolVar(&dryRun, "dry-run", false, "list what would be removed")
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	return c
}

func (p *place) uninstall(ctx context.Context, dryRun, yes bool) error {
	own, kept, err := p.written(ctx)
	if err != nil {
		return err
	}
	edited, err := p.edits()
	if err != nil {
		return err
	}
	removed, err := p.tellRemoval(ctx, own, kept, edited)
	if err != nil {
		return err
	}
	callers := p.callers(ctx)
	for _, name := range callers {
		_, _ = plain.Fprintf(p.world.Out, "keep     %s (it runs causal: edit it yourself)\n", name)
	}
	if dryRun {
		return nil
	}
	if !yes {
		if ok, err := p.agreed(fmt.Sprintf("Remove %s? [y/N] ", summary.Count(removed, "path"))); err != nil || !ok {
			return err
		}
	}
	if err := p.remove(ctx, own, edited); err != nil {
		return err
	}
	if len(callers) > 0 {
		_, _ = plain.Fprintf(p.world.Err, "remove causal from %s: otherwise the next run brings the files back\n", strings.Join(callers, ", "))
	}
	_, err = plain.Fprintf(p.world.Err, "commit the removal to finish; remove the GitHub App or the workflow step of causal where you set one up\n")
	return err
}

func (p *place) tellRemoval(ctx context.Context, own, kept []string, edited map[string]bool) (removed int, err error) {
	lost, err := p.uncommitted(ctx, slices.Concat(own, slices.Collect(maps.Keys(edited))))
	if err != nil {
		return 0, err
	}
	tell := func(verb, name string) {
		mark := ""
		if lost[name] {
			mark = " (not committed)"
		}
		_, _ = plain.Fprintf(p.world.Out, "%-8s %s%s\n", verb, name, mark)
	}
	removed = len(own)
	for _, name := range own {
		tell("remove", name)
	}
	for _, name := range slices.Sorted(maps.Keys(edited)) {
		if edited[name] {
			removed++
			tell("remove", name)
		} else {
			tell("edit", name)
		}
	}
	shared, dir, content := p.Repo.CloneDir(), p.Repo.PrivateDir(), "cache and key"
	if dir != shared {
		content = "cache"
	}
	if exists(dir) {
		removed++
		_, _ = plain.Fprintf(p.world.Out, "remove   %s (%s, cannot be restored)\n", dir, content)
	}
	if dir != shared && exists(shared) {
		_, _ = plain.Fprintf(p.world.Out, "keep     %s (cache and key of all work trees)\n", shared)
	}
	for _, name := range kept {
		_, _ = plain.Fprintf(p.world.Out, "keep     %s (it has hand-written text)\n", name)
	}
	return removed, nil
}

// edits returns the user's files that contain lines or hooks of causal; true means that nothing else is in them and the
// file is removed.
func (p *place) edits() (map[string]bool, error) {
	out := map[string]bool{}
	for name, lines := range linesOfOurs {
		text, changed, err := p.withoutLines(name, lines)
		if err != nil {
			return nil, err
		}
		if changed {
			out[name] = text == ""
		}
	}
	for _, scope := range hookScopes {
		s, err := p.settingsOf(scope)
		if err != nil {
			return nil, err
		}
		if s.data == nil {
			continue
		}
		data, err := hooks.Uninstall(s.data)
		if err != nil {
			return nil, usage(fmt.Errorf("%s: %w; nothing was removed", s.shown, err))
		}
		if !bytes.Equal(data, s.data) {
			out[s.shown] = data == nil
		}
	}
	return out, nil
}

func (p *place) remove(ctx context.Context, own []string, edited map[string]bool) error {
	if err := p.lock(ctx); err != nil {
		return err
	}
	for _, name := range own {
		if err := p.Files.Remove(name, "."); err != nil {
			return err
		}
	}
	for name, lines := range linesOfOurs {
		if err := p.removeLines(name, lines); err != nil {
			return err
		}
	}
	for _, scope := range hookScopes {
		if s, err := p.settingsOf(scope); err != nil {
			return err
		} else if _, ok := edited[s.shown]; !ok {
			continue
		}
		if err := p.uninstallHooks(scope); err != nil {
			return err
		}
	}
	if err := p.Close(); err != nil { // the cache is in use
		return err
	}
	root := p.Repo.Root()
	for _, dir := range []string{p.Repo.PrivateDir(), filepath.Join(root, store.Top)} {
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("remove %s: %w", dir, err)
		}
	}
	for _, name := range own {
		for dir := path.Dir(name); dir != "." && os.Remove(filepath.Join(root, dir)) == nil; dir = path.Dir(dir) { // removes empty directories
		}
	}
	return nil
}

// callers returns the user's files that run causal: git hooks and their managers, workflows and Makefiles.
func (p *place) callers(ctx context.Context) []string {
	root := p.Repo.Root()
	patterns := []string{
		".pre-commit-config.y*ml", ".husky/*", ".githooks/*", "lefthook.y*ml", ".lefthook.y*ml", "package.json", "Makefile", ".mcp.json",
		".github/workflows/*.y*ml", ".gitlab-ci.yml",
	}
	var files []string
	for _, pattern := range append(patterns, p.hooksDir(ctx)+"/*") {
		if !filepath.IsAbs(pattern) {
			pattern = filepath.Join(root, filepath.FromSlash(pattern))
		}
		found, _ := filepath.Glob(pattern) // fails only for a hooks directory with brackets in its name
		files = append(files, found...)
	}
	var out []string
	for _, file := range files {
		name := file
		if rel, err := filepath.Rel(root, file); err == nil && filepath.IsLocal(rel) {
			name = filepath.ToSlash(rel)
		}
		data := readSmall(file)
		if !slices.Contains(out, name) && runsCausal.Match(data) && !(name == workflowPath && strings.HasPrefix(string(data), workflowHead)) {
			out = append(out, name)
		}
	}
	return out
}

// runsCausal matches a call of the program, a pre-commit hook, a workflow step or an MCP server.
var runsCausal = lazyregexp.New(`\bcausal[ \t]+[a-z]|\bcausal-(update|check)\b|\bcausaldocs/causal\b|"causal"`)

func (p *place) hooksDir(ctx context.Context) string {
	cmd := exec.CommandContext(ctx, "git", "rev-parse", "--git-path", "hooks")
	cmd.Dir, cmd.Env = p.Repo.Root(), gitstore.Environment()
	out, err := cmd.Output()
	if err != nil {
		return ".git/hooks"
	}
	return strings.TrimRight(string(out), "\r\n")
}

func (p *place) agreed(question string) (bool, error) {
	_, _ = plain.Fprintf(p.world.Err, "%s", question)
	answer, err := bufio.NewReader(p.world.In).ReadString('\n')
	if err != nil && answer == "" {
		return false, usage(errors.New("no answer: give --yes to remove without a question, --dry-run to list only"))
	}
	return slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(answer))), nil
}

// written lists the files that causal wrote, and separately those with text by people.
func (p *place) written(ctx context.Context) (own, kept []string, err error) {
	if own, err = p.Files.Below(store.Top); err != nil {
		return nil, nil, err
	}
	pages, err := p.Files.Below(p.Layout.Docs)
	if err != nil {
		return nil, nil, err
	}
	tests, err := p.GeneratedTests(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range slices.Concat(pages, tests, []string{workflowPath, siteConfigs[0], agentCommandPath}) {
		data, err := p.Files.Read(name)
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrOccupied):
			continue
		case err != nil:
			return nil, nil, err
		}
		text := string(data)
		switch {
		case name == workflowPath:
			switch {
			case isUnedited(text):
				own = append(own, name)
			case strings.HasPrefix(text, workflowHead):
				kept = append(kept, name)
			}
		case name == agentCommandPath:
			switch {
			case bytes.Equal(data, agentCommand):
				own = append(own, name)
			case ourCommand(data):
				kept = append(kept, name)
			}
		case name == siteConfigs[0]:
			if strings.Contains(text, siteHook) && strings.HasPrefix(text, siteConfigHead()) {
				own = append(own, name)
			}
		case slices.Contains(tests, name):
			own = append(own, name)
		case keep.Ours(data):
			if _, blocks, err := keep.Split(data); err != nil || len(blocks) > 0 {
				kept = append(kept, name)
			} else {
				own = append(own, name)
			}
		}
	}
	return own, kept, nil
}

// linesOfOurs are the lines that causal init adds to the user's files.
var linesOfOurs = map[string][]string{".gitattributes": append(slices.Clone(attributes), skillAttributes), ".gitignore": {siteIgnored}}

// withoutLines returns a file without the given lines; empty if nothing else remains.
func (p *place) withoutLines(name string, lines []string) (text string, changed bool, err error) {
	old, err := p.Files.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("read %s: %w", name, err)
	}
	text = "\n" + string(old)
	for _, line := range lines {
		text = strings.ReplaceAll(text, "\n"+line, "\n")
	}
	if text = strings.TrimPrefix(text, "\n"); strings.TrimSpace(text) == "" {
		text = ""
	}
	return text, text != string(old), nil
}

// removeLines also removes a file that would be empty.
func (p *place) removeLines(name string, lines []string) error {
	text, changed, err := p.withoutLines(name, lines)
	if err != nil || !changed {
		return err
	}
	if text == "" {
		return p.Files.Remove(name, ".")
	}
	_, err = p.Files.Write(name, []byte(text))
	return err
}

// uncommitted returns the files that differ from HEAD or are ignored by git.
func (p *place) uncommitted(ctx context.Context, names []string) (map[string]bool, error) {
	status, err := p.Repo.Status(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for _, c := range status.Changes {
		out[c.Path] = true
	}
	for name := range p.ignoreRules(ctx, names) {
		out[name] = true
	}
	return out, nil
}

// siteConfigHead identifies a site configuration written by causal init.
func siteConfigHead() string {
	head, _, _ := strings.Cut(siteConfig, "SITE_NAME")
	return head
}
