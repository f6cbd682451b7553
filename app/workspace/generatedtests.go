package workspace

import (
	"context"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/knowledge/store"
)

// GeneratedTests lists the generated test files of the repository, sorted.
func (w *Workspace) GeneratedTests(ctx context.Context) ([]string, error) {
	out, err := w.gitOutput(ctx, "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "-z")
	if err != nil {
		return nil, fmt.Errorf("list the files of the repository: %w", err)
	}
	var list []string
	for name := range strings.SplitSeq(out, "\x00") {
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
