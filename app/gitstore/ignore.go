package gitstore

import (
	"bytes"
	"os"
	"strings"
)

// ignoreRule is one line of an ignore file. go-git's own rules differ from git's in bracket expressions, in "**" and
// in escapes, so that these are kept here and held against git by a property test.
type ignoreRule struct {
	parts   []string // of the pattern, cut at the slashes
	name    bool     // the pattern has no slash: it is for the last part of a path, at any depth
	dirOnly bool
	keep    bool // "!": what matches is not ignored
}

// ignoreFile is the rules of one file, for the paths under one directory.
type ignoreFile struct {
	dir   string // with a slash at the end; empty for the root
	fold  bool   // upper and lower case are the same
	rules []ignoreRule
}

// readIgnore reads an ignore file; one that cannot be read has no rules. As in git, a .gitignore that is a symbolic
// link does not count.
func readIgnore(path, dir string, fold bool) ignoreFile {
	file := ignoreFile{dir: dir, fold: fold}
	text, err := os.ReadFile(path)
	if err != nil {
		return file
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	for line := range strings.SplitSeq(string(text), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if fold {
			line = strings.ToLower(line)
		}
		if rule, ok := parseIgnore(line); ok {
			file.rules = append(file.rules, rule)
		}
	}
	return file
}

// parseIgnore reads one line; false for comments and blank ones.
func parseIgnore(line string) (ignoreRule, bool) {
	if strings.HasPrefix(line, "#") {
		return ignoreRule{}, false
	}
	line = trimUnescaped(line)
	var rule ignoreRule
	line, rule.keep = strings.CutPrefix(line, "!")
	line, rule.dirOnly = strings.CutSuffix(line, "/")
	rule.name = !strings.Contains(line, "/")
	rule.parts = splitPattern(strings.TrimPrefix(line, "/"))
	return rule, line != ""
}

// trimUnescaped removes the spaces at the end of a line, up to one that a backslash precedes.
func trimUnescaped(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\':
			i++
			end = i + 1
		case line[i] != ' ':
			end = i + 1
		}
	}
	return line[:min(end, len(line))]
}

// verdict says whether the file ignores a path, and whether it has a rule for it at all. The last rule that matches
// counts.
func (f ignoreFile) verdict(path string, isDir bool) (ignored, known bool) {
	path, ok := strings.CutPrefix(path, f.dir)
	if !ok || len(f.rules) == 0 {
		return false, false
	}
	if f.fold {
		path = strings.ToLower(path)
	}
	parts := strings.Split(path, "/")
	for i := len(f.rules) - 1; i >= 0; i-- {
		rule := f.rules[i]
		if rule.dirOnly && !isDir {
			continue
		}
		if rule.name && matchName(rule.parts[0], parts[len(parts)-1]) || !rule.name && matchPath(rule.parts, parts) {
			return !rule.keep, true
		}
	}
	return false, false
}

// ignores asks the files in turn, the one that counts most first.
func ignores(files []ignoreFile, path string, isDir bool) bool {
	for _, file := range files {
		if ignored, known := file.verdict(path, isDir); known {
			return ignored
		}
	}
	return false
}
