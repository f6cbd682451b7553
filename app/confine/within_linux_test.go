package confine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestWithin: a program writes in its directory, and nowhere else; it may read.
func TestWithin(t *testing.T) {
	t.Parallel()
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION); errno != 0 {
		t.Skip("this kernel has no Landlock")
	}
	outside := t.TempDir()
	there := filepath.Join(outside, "there")
	if err := os.WriteFile(there, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, refused := range [][]string{
		{"write", filepath.Join(outside, "new")}, {"write", there}, {"append", there}, {"truncate", there}, {"remove", there}, {"make a directory", filepath.Join(outside, "d")},
		{"make a link", filepath.Join(outside, "l")}, {"write with a child", filepath.Join(outside, "new")}, {"write", "way/new"}, {"move", there, "moved"}, {"move", "own", filepath.Join(outside, "moved")},
	} {
		p, said := started(t, refused[0], refused[1:]...)
		for _, err := range []error{os.Symlink(outside, filepath.Join(p.Dir, "way")), os.WriteFile(filepath.Join(p.Dir, "own"), nil, 0o600)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := p.Run(t.Context()); err == nil {
			t.Errorf("%v is not refused: %s", refused, said)
		}
		if data, err := os.ReadFile(there); err != nil || string(data) != "mine" {
			t.Fatalf("%v: what is outside is %q now, %v", refused, data, err)
		}
		if list, _ := os.ReadDir(outside); len(list) != 1 {
			t.Fatalf("%v: outside there are %v now", refused, list)
		}
	}
	for _, allowed := range [][]string{
		{"write", "new"}, {"make a directory", "d"}, {"make a link", "l"}, {"write", os.DevNull}, {"write", "other/../new"}, {"remove", "own"}, {"move", "own", "moved"}, {"truncate", "own"}, {"read", there},
	} {
		p, said := started(t, allowed[0], allowed[1:]...)
		if err := os.Mkdir(filepath.Join(p.Dir, "other"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(p.Dir, "own"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := p.Run(t.Context()); err != nil {
			t.Errorf("%v is refused: %v, %s", allowed, err, said)
		}
	}
}

func TestFileSize(t *testing.T) {
	t.Parallel()
	p, said := started(t, "much in a file", "large")
	if err := p.Run(t.Context()); err == nil {
		t.Errorf("it wrote more than it may: %s", said)
	}
	if info, err := os.Stat(filepath.Join(p.Dir, "large")); err == nil && info.Size() > fileSize {
		t.Errorf("the file has %d bytes", info.Size())
	}
	if !strings.Contains(said.String(), "file too large") && said.Len() > 0 {
		t.Errorf("it said %q", said)
	}
}
