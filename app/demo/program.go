package demo

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// program returns the shell command for the executable: its name if it is in PATH, otherwise its path. `go run` deletes
// its binary, which is therefore copied to dir.
func program(exe, dir string) (string, error) {
	name := strings.TrimSuffix(filepath.Base(exe), ".exe")
	if found, err := exec.LookPath(name); err == nil && same(found, exe) {
		return name, nil
	}
	if !strings.Contains(filepath.ToSlash(exe), "/go-build") {
		return word(exe), nil
	}
	left := filepath.Join(dir, filepath.Base(exe))
	if err := copyProgram(exe, left); err != nil {
		return "", fmt.Errorf("leave a copy of the program: %w", err)
	}
	return word(left), nil
}

func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

func copyProgram(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		_ = out.Close()
		return err
	}
	return out.Close()
}

var plain = regexp.MustCompile(`^[\w./:\\@+-]+$`)

func word(p string) string {
	if plain.MatchString(p) {
		return p
	}
	return "'" + strings.ReplaceAll(p, "'", `'\''`) + "'"
}
