package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/hooks"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/store"
)

func newUninstall(world IO) *cobra.Command {
	var dryRun, yes bool
	c := &cobra.Command{
		Use:   "uninstall",
		Short: "Remove everything in the repository that causal wrote",
		Long: `Remove the pages, .causal, the generated tests, the workflow and site files of causal init, its lines in .gitattributes and
.gitignore, the hooks for coding agents, and the cache and key of this clone in .git/causal. Pages with text in keep blocks
are listed and left in place. The command commits nothing, so git can restore committed files. Uncommitted files, the cache
and the key cannot be restored; the list marks them.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return inPlace(cmd.Context(), world, ".", func(p *place) error { return p.uninstall(cmd.Context(), dryRun, yes) })
		},
	}
	c.Flags().BoolVar(&dryRun, "dry-run", false, "list what would be removed")
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	return c
}

// uninstall removes what causal wrote, after asking.
func (p *place) uninstall(ctx context.Context, dryRun, yes bool) error {
	own, kept, err := p.written(ctx)
	if err != nil {
		return err
	}
	private := p.privateDirs()
	lost, err := p.uncommitted(ctx)
	if err != nil {
		return err
	}
	for _, name := range own {
		mark := ""
		if lost[name] {
			mark = " (not committed)"
		}
		_, _ = plain.Fprintf(p.world.Out, "remove   %s%s\n", name, mark)
	}
	for _, name := range private {
		_, _ = plain.Fprintf(p.world.Out, "remove   %s (not committed)\n", name)
	}
	for _, name := range slices.Sorted(maps.Keys(linesOfOurs)) {
		if text, changed, err := p.withoutLines(name, linesOfOurs[name]); err != nil {
			return err
		} else if changed {
			_, _ = plain.Fprintf(p.world.Out, "%s %s\n", map[bool]string{true: "remove  ", false: "edit    "}[text == ""], name)
		}
	}
	for _, name := range kept {
		_, _ = plain.Fprintf(p.world.Out, "keep     %s (it has hand-written text)\n", name)
	}
	if dryRun {
		return nil
	}
	if !yes {
		if ok, err := p.agreed(fmt.Sprintf("Remove %s? [y/N] ", summary.Count(len(own)+len(private), "path"))); err != nil || !ok {
			return err
		}
	}
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
	for _, scope := range []string{"local", "project"} {
		if err := p.uninstallHooks(scope); err != nil {
			return err
		}
	}
	if err := p.Close(); err != nil { // the cache is in use
		return err
	}
	root := p.Repo.Root()
	for _, dir := range append(private, filepath.Join(root, store.Top)) {
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("remove %s: %w", dir, err)
		}
	}
	for _, name := range own {
		for dir := path.Dir(name); dir != "." && os.Remove(filepath.Join(root, dir)) == nil; dir = path.Dir(dir) { // as far as they are empty
		}
	}
	_, err = plain.Fprintf(p.world.Err, "commit the removal to finish; remove the GitHub App or the workflow step of causal where you set one up\n")
	return err
}

// agreed asks a question, and reports whether the answer is yes.
func (p *place) agreed(question string) (bool, error) {
	_, _ = plain.Fprintf(p.world.Err, "%s", question)
	answer, err := bufio.NewReader(p.world.In).ReadString('\n')
	if err != nil && answer == "" {
		return false, usage(errors.New("no answer: give --yes to remove without a question, --dry-run to list only"))
	}
	return slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(answer))), nil
}

// privateDirs are the directories of this clone below .git.
func (p *place) privateDirs() []string {
	var out []string
	for _, dir := range []string{p.Repo.PrivateDir(), p.Repo.CloneDir(), hooks.Dir(p.Repo)} {
		if exists(dir) && !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out
}

// written lists the files in the repository that causal wrote, and those of them that people wrote into.
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
	for _, name := range slices.Concat(pages, tests, []string{workflowPath, siteConfigs[0]}) {
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
			if strings.HasPrefix(text, workflowHead) {
				own = append(own, name)
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

// linesOfOurs are the lines that causal init adds to files of the user.
var linesOfOurs = map[string][]string{".gitattributes": attributes, ".gitignore": {siteIgnored}}

// withoutLines is a file without some lines, and whether it has any of them. A file with nothing else in it is empty then.
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

// removeLines removes lines from a file, and the file when nothing else is in it.
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

// uncommitted are the files that differ from the commit that is checked out.
func (p *place) uncommitted(ctx context.Context) (map[string]bool, error) {
	status, err := p.Repo.Status(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for _, c := range status.Changes {
		out[c.Path] = true
	}
	return out, nil
}

// siteConfigHead is how the configuration of a site begins that causal init writes.
func siteConfigHead() string {
	head, _, _ := strings.Cut(siteConfig, "SITE_NAME")
	return head
}
