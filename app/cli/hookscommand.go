package cli

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/causaldocs/causal/app/plain"
)

// agentCommand is a Claude Code command that writes missing documentation with the tools of `causal mcp`.
//
//go:embed causal-docs.md
var agentCommand []byte

// agentCommandFile is relative to the settings directory.
const agentCommandFile = "commands/causal-docs.md"

// agentCommandPath is that of the settings in a repository.
const agentCommandPath = ".claude/" + agentCommandFile

func (s settings) shownCommand() string { return path.Join(path.Dir(s.shown), agentCommandFile) }

// installCommand writes the command next to the settings. It keeps files that causal did not write, and does not follow
// links out of the directory.
func (p *place) installCommand(s settings) error {
	dir := filepath.Dir(s.path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write %s: %w", s.shownCommand(), err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("write %s: %w", s.shownCommand(), err)
	}
	defer func() { _ = root.Close() }()
	did := "written"
	switch stored, err := root.ReadFile(agentCommandFile); {
	case err == nil && bytes.Equal(stored, agentCommand):
		did = "kept"
	case err == nil && !ourCommand(stored):
		did = "kept"
		_, _ = plain.Fprintf(p.world.Err, "causal: %s was not written by causal and stays as it is\n", s.shownCommand())
	case err == nil, errors.Is(err, fs.ErrNotExist):
		err := errors.Join(root.MkdirAll(path.Dir(agentCommandFile), 0o755), root.WriteFile(agentCommandFile, agentCommand, 0o644))
		if err != nil {
			return fmt.Errorf("write %s: %w", s.shownCommand(), err)
		}
	default:
		return fmt.Errorf("read %s: %w", s.shownCommand(), err)
	}
	_, err = plain.Fprintf(p.world.Out, "%-8s %s\n", did, s.shownCommand())
	return err
}

func ourCommand(data []byte) bool { return bytes.Contains(data, []byte("<!-- written by causal")) }

func (p *place) uninstallCommand(s settings) error {
	root, err := os.OpenRoot(filepath.Dir(s.path))
	if err != nil {
		return nil
	}
	defer func() { _ = root.Close() }()
	stored, err := root.ReadFile(agentCommandFile)
	if err != nil || !ourCommand(stored) {
		return nil
	}
	if !bytes.Equal(stored, agentCommand) {
		_, err := plain.Fprintf(p.world.Out, "kept     %s (it was edited, or another version of causal wrote it)\n", s.shownCommand())
		return err
	}
	if err := root.Remove(agentCommandFile); err != nil {
		return fmt.Errorf("remove %s: %w", s.shownCommand(), err)
	}
	_ = root.Remove(path.Dir(agentCommandFile))
	_, err = plain.Fprintf(p.world.Out, "removed  %s\n", s.shownCommand())
	return err
}
