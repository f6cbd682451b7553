package gitstore

import (
	"os"
	"slices"
	"strings"
)

// statusArguments make git tell all that differs from HEAD, as parsePorcelain reads it.
func statusArguments() []string {
	return []string{"status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames",
		"--ignore-submodules=all", "--no-ahead-behind"}
}

// Environment is the user's own, less what would change the meaning of our paths, and with what keeps git from asking
// questions and makes it speak one language. Every variable is in it once.
func Environment() []string {
	asked := unattended()
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		ours := func(o string) bool { other, _, _ := strings.Cut(o, "="); return other == name }
		return slices.Contains(pathspecs, name) || slices.ContainsFunc(asked, ours)
	})
	return append(env, asked...)
}

// pathspecs are the variables by which paths mean something else to git.
var pathspecs = []string{"GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"}

// unattended keeps git from asking questions, and makes it speak one language. A clone may replace objects or graft parents, and does
// not share that with other clones: git and go-git read the objects that the ids name.
func unattended() []string {
	return []string{
		"GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE=",
		"LC_ALL=C", "LANGUAGE=", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=true", "GCM_INTERACTIVE=never", "GIT_PAGER=cat",
		"GIT_EDITOR=true", "GIT_LITERAL_PATHSPECS=1",
	}
}

// withoutLocks makes a git that only reads leave the index as it is.
const withoutLocks = "GIT_OPTIONAL_LOCKS=0"
