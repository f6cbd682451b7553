package hostile

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// Commit makes the commit of an attack on a branch of a repository, on top of another commit. Git does not take every attack.
func (a Attack) Commit(ctx context.Context, repository, branch, parent string) error {
	var stream bytes.Buffer
	w := bufio.NewWriter(&stream)
	fmt.Fprintf(w, "commit refs/heads/%s\ncommitter Mallory <mallory@example.com> 1700000000 +0000\ndata %d\n%s\nfrom %s\n", branch, len(a.Message), a.Message, parent)
	for _, f := range a.Files {
		if f.Mode == "160000" {
			fmt.Fprintf(w, "M 160000 %s %s\n", strings.Repeat("1", 40), quoted(f.Path))
			continue
		}
		content := f.Content()
		fmt.Fprintf(w, "M %s inline %s\ndata %d\n%s\n", f.Mode, quoted(f.Path), len(content), content)
	}
	_ = w.Flush()
	cmd := exec.CommandContext(ctx, "git", "-C", repository, "fast-import", "--quiet", "--force")
	cmd.Stdin = &stream
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// quoted is a path as git's import takes it.
func quoted(path string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(path) {
		if c := path[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			fmt.Fprintf(&b, `\%03o`, c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
