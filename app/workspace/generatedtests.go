package workspace

import (
	"context"
	"fmt"
	"os/exec"
	"strings"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/knowledge/store"
)

// GeneratedTests lists the generated test files of the repository, sorted.
func (w *Workspace) GeneratedTests(ctx context.Context) ([]string, error) {
	program, err := gitstore.Program()
	if err != nil {
		return nil, fmt.Errorf("list the files of the repository: %w", err)
	}
	cmd := exec.CommandContext(ctx, program, "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "-z")
	cmd.Dir, cmd.Env = w.Repo.Root(), gitstore.Environment()
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the files of the repository: %w", err)
	}
	var list []string
	for name := range strings.SplitSeq(string(out), "\x00") {
		l := testLanguageOf(name)
		if l == nil || !store.IsTest(name) {
			continue
		}
		if data, err := w.Files.Read(name); err == nil && l.Ours(data) {
			list = append(list, name)
		}
	}
	return list, nil
}
