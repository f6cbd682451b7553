package gitstore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/gcfg"
)

// settings is git's configuration: all values by full name ("remote.origin.url", section and key in lower case), in
// order.
type settings map[string][]string

// get returns the last value, which takes effect.
func (s settings) get(name string) string {
	values := s[name]
	if len(values) == 0 {
		return ""
	}
	return values[len(values)-1]
}

func (s settings) is(name string, fallback bool) bool {
	if len(s[name]) == 0 {
		return fallback
	}
	switch strings.ToLower(s.get(name)) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

// errSettings means that this parser does not understand a configuration file; git may.
var errSettings = errors.New("read git configuration")

func localSettings(loc location) (settings, error) {
	s := settings{}
	if err := s.read(filepath.Join(loc.commonDir, "config")); err != nil {
		return nil, err
	}
	if s.is("extensions.worktreeconfig", false) {
		if err := s.read(filepath.Join(loc.gitDir, "config.worktree")); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s settings) read(path string) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errSettings, err)
	}
	add := func(section, subsection, key, value string, blank bool) error {
		if key != "" {
			s.add(section, subsection, key, value, blank)
		}
		return nil
	}
	if err := gcfg.ReadWithCallback(bytes.NewReader(text), add); err != nil {
		return fmt.Errorf("%w %s: %w", errSettings, path, err)
	}
	return nil
}

// add adds one setting. A key without a value means true.
func (s settings) add(section, subsection, key, value string, blank bool) {
	name := strings.ToLower(section)
	if subsection != "" {
		name += "." + subsection
	}
	name += "." + strings.ToLower(key)
	if blank {
		value = "true"
	}
	s[name] = append(s[name], value)
}

// parseSettings parses `git config -z --list`: "name\nvalue\0"; a name alone means true.
func parseSettings(listing string) settings {
	s := settings{}
	for item := range strings.SplitSeq(strings.TrimSuffix(listing, "\x00"), "\x00") {
		name, value, ok := strings.Cut(item, "\n")
		if !ok {
			value = "true"
		}
		s[name] = append(s[name], value)
	}
	return s
}

func isSettingsError(err error) bool { return errors.Is(err, errSettings) }
